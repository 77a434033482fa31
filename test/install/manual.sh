#!/bin/sh
# manual.sh FOLDER BIN_FOLDER
# Checks the manual pages and completions in FOLDER: man(1) accepts them, every option is in each, and bash completes.
set -eu
folder=$1 bin=$2
fail() {
  echo "manual: $*"
  exit 1
}
for program in cmc cmrun gensim cmbench; do
  page=$folder/man/$program.1
  if command -v man >/dev/null; then
    words=$(LC_ALL=C.UTF-8 man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$words" ] || fail "$program.1: $words"
  fi
  if [ "$program" = cmc ]; then
    options=$("$bin/cmc" --print-options | cut -f1)
  else
    options=$("$bin/$program" --help | sed -n 's/^ \+\(-[a-zA-Z], \)\?\(--[a-z-]*\).*/\2/p')
  fi
  [ "$(echo "$options" | wc -l)" -gt 6 ] || fail "$program has few options"
  plain=$(sed 's/\\-/-/g; s/\\e/\\/g' "$page")
  for option in $options; do
    case $plain in *"\\fB$option\\fR"*) ;; *) fail "$program.1 has no $option" ;; esac
    grep -qF -- "$option" "$folder/bash/$program" || fail "bash has no $option of $program"
    grep -qF -- "$option" "$folder/zsh/_$program" || fail "zsh has no $option of $program"
    word=${option#-}
    grep -qF -- "${word#-}" "$folder/fish/$program.fish" || fail "fish has no $option of $program"
  done
  ! command -v zsh >/dev/null || zsh -n "$folder/zsh/_$program" || fail "zsh does not read it"
  ! command -v fish >/dev/null || fish -n "$folder/fish/$program.fish" || fail "fish does not read it"
done

# bash's completions: LINE, then the words that it must offer in place of what stands behind a blank or "=".
complete() {
  bash -c '. "$1"; COMP_LINE=$2 COMP_POINT=${#2}; read -ra COMP_WORDS <<<"$2"; [[ $2 == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _cmc 2>/dev/null; echo "${COMPREPLY[*]}"' - "$folder/bash/cmc" "$1"
}
got=$(complete 'cmc -march=IC')
[ "$got" = ICLLP ] || fail "-march=IC: '$got'"
got=$(complete 'cmc -march=SKL,IC')
[ "$got" = SKL,ICLLP ] || fail "-march=SKL,IC: '$got'"
got=$(complete 'cmc -emit-')
[ "$got" = '-emit-llvm -emit-spirv -emit-vc' ] || fail "-emit-: '$got'"
got=$(complete 'cmc -x cm-')
[ "$got" = cm-cpp-output ] || fail "-x cm-: '$got'"
echo "manual: passed"
