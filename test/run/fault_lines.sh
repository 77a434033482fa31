#!/bin/sh
# fault_lines.sh PLATFORM BIN_FOLDER WORK_FOLDER
# Checks that the report of a bad access names its line of the .cm or .h file, with -g and without, at every level of
# optimization.
set -u
platform=$1 bin=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
failures=0
mkdir -p "$work" && cd "$work" || exit 1

# expect NUMBER MARK FILE OPTION...: access NUMBER is reported at the line of FILE with MARK
expect() {
  number=$1 mark=$2 file=$3
  shift 3
  line=$(grep -n "LINE-$mark" "$here/$file" | cut -d: -f1)
  "$bin/gensim" -d "$platform" -- "$bin/cmrun" wild.bin -k wild -g 1 buf:64 u64:0x123456789000 u32:"$number" >log 2>&1
  status=$?
  if [ $status -ne 126 ] || ! grep -q "kernel wild at 0x" log \
      || ! grep -q "^ *source \(.*/\)\{0,1\}$file:$line\(: .*\)\{0,1\}\$" log; then
    echo "FAIL $* access $number: status $status, expected 126 and source $file:$line"
    cat log
    failures=$((failures + 1))
  fi
}

for options in "-O2" "-O0" "-O2 -g"; do
  # shellcheck disable=SC2086 # several options
  "$bin/cmc" -march="$platform" $options "$here/wild.cm" -o wild.bin || exit 1
  expect 0 FIRST wild.cm $options
  expect 1 HELPER wild.cm $options
  expect 2 LOOP wild.cm $options
  expect 3 DIVERGENT wild.cm $options
  expect 4 HEADER wild.h $options
done
"$bin/gensim" -d "$platform" -- "$bin/cmrun" wild.bin -k wild -g 1 buf:64 u64:0 u32:5 || failures=$((failures + 1))
[ "$failures" = 0 ]
