#!/bin/sh
# corpus.sh FOLDER: compiles the corpus of docs/simulator/coverage.md for every device that gensim simulates: the OpenCL
# C of our tests and benchmarks, and piglit's (Debian package `piglit`). If cmc is built (CMKIT_BUILD, default: build),
# it also compiles the CM kernels of our tests with IGC's vector back end (set `vector`, without the kernels marked
# NOT-ON peer, for which it makes no code or wrong code) and with cmc (set `cmc`). FOLDER/DEVICE/SET/NAME.bin are the
# results; one that is newer than its source is kept. FOLDER/DEVICE/SET/NAME.refused holds the compiler's messages if it
# fails (most programs need what the platform lacks, some test that a compiler complains). CORPUS_DEVICES and
# CORPUS_SETS (cm, own, piglit) choose; CMKIT_BIN is the folder of the built programs if they are not in CMKIT_BUILD.
set -eu
[ $# = 1 ] || {
  echo "usage: corpus.sh FOLDER" >&2
  exit 2
}
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
devices=${CORPUS_DEVICES:-skl icllp tgllp}
sets=${CORPUS_SETS:-cm own piglit}

# fresh RESULT SOURCE: true if RESULT.bin or RESULT.refused was made from the current SOURCE
fresh() {
  [ "$1.bin" -nt "$2" ] || [ "$1.refused" -nt "$2" ]
}

# compile DEVICE SET NAME FILE: one file, with the options in piglit's configuration comment
compile() {
  folder=$out/$1/$2
  ! fresh "$folder/$3" "$4" || return 0
  mkdir -p "$folder"
  options=$(sed -n 's/^build_options: *//p; /^!\*\//q' "$4" | head -n 1)
  if ! timeout 120 ocloc compile -q -file "$4" -device "$1" --format zebin -options "$options" -output_no_suffix \
    -output "$3.bin" -out_dir "$folder" >"$folder/$3.log" 2>&1; then
    mv "$folder/$3.log" "$folder/$3.refused"
  fi
  rm -f "$folder/$3.log" "$folder/$3.bin.spv" "$folder/$3.spv"
}

# compile_cm DEVICE NAME FILE: with both compilers; -O2, like the peer's IR
compile_cm() {
  vector=$out/$1/vector own=$out/$1/cmc
  ! fresh "$vector/$2" "$3" || return 0
  mkdir -p "$vector" "$own"
  "$cmc" -march="$1" "$3" -o "$own/$2.bin" 2>"$own/$2.log" || mv "$own/$2.log" "$own/$2.refused"
  if grep "^// NOT-ON:.*\bpeer\b" "$3" >"$vector/$2.log"; then
    mv "$vector/$2.log" "$vector/$2.refused"
  elif "$cmc" -march="$1" -emit-spirv "$3" -o "$vector/$2.spv" >"$vector/$2.log" 2>&1 &&
    sh "$root/test/peer/Inputs/accepted.sh" "$1" "$vector/$2.spv" "$vector/$2" >>"$vector/$2.log" 2>&1; then
    mv "$vector/$2/kernel.bin" "$vector/$2.bin"
  else
    mv "$vector/$2.log" "$vector/$2.refused"
  fi
  rm -rf "$vector/$2" "$vector/$2.log" "$vector/$2.spv" "$own/$2.log"
}

# sources PATTERN...: the files that git tracks; all files outside of a clone
sources() {
  cd "$root"
  git ls-files "$@" 2>/dev/null || find test benchmarks -name "*${1##*\*}"
}

cmc=${CMKIT_BIN:-$root/${CMKIT_BUILD:-build}/bin}/cmc
for device in $devices; do
  for set in $sets; do
    case $set in
    cm) [ ! -x "$cmc" ] || (sources 'test/kernels/*.cm' 'benchmarks/*.cm' ':!benchmarks/corpus') \
        | while read -r file; do
      compile_cm "$device" "$(echo "${file%.cm}" | tr / _)" "$root/$file"
    done ;;
    own) (sources '*.cl') | while read -r file; do
      compile "$device" own "$(echo "${file%.cl}" | tr / _)" "$root/$file"
    done ;;
    piglit) dpkg -L piglit 2>/dev/null | grep '\.cl$' | grep -v /build/ | while read -r file; do
      compile "$device" piglit "$(basename "${file%.cl}")" "$file"
    done ;;
    *)
      echo "corpus.sh: error: no set $set" >&2
      exit 2
      ;;
    esac
  done
done
