#!/bin/sh
# documented.sh BIN_FOLDER SOURCE LIBRARY_FOLDER: the README's kernel and the program of docs/cmrun.md, as they stand there, on the
# CPU.
set -eu
bin=$1 source=$2 libraries=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block LANGUAGE FILE: the first block of code of that language
block() {
  awk -v fence="^\`\`\`$1\$" '$0 ~ fence { inside = 1; next } /^```/ { if (inside) exit } inside' "$2"
}
block 'c[+][+]' "$source/README.md" >"$work/scale.cm"
block c "$source/docs/cmrun.md" >"$work/program.c"
cc -Wall -Werror -I "$source" "$work/program.c" -L "$libraries" -Wl,-rpath,"$libraries" -lcmrt -o "$work/program"
"$bin/cmc" -march=host "$work/scale.cm" -o "$work/scale.so"
"$work/program" "$work/scale.so" >"$work/log"
[ "$(cat "$work/log")" = "0 3 6 9 12 15 18 21 " ] || {
  cat "$work/log"
  exit 1
}
