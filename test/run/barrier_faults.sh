#!/bin/sh
# barrier_faults.sh PLATFORM BIN_FOLDER WORK_FOLDER
# Checks that wrong uses of named barriers stop with their names, in a group of four threads, and that a platform
# without named barriers is refused.
set -u
platform=$1 bin=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
failures=0
mkdir -p "$work" && cd "$work" || exit 1

expect() { # expect KERNEL TEXT
  "$bin/gensim" -d "$platform" -- "$bin/cmrun" faults.bin -k "$1" -g 1 -l 4 buf:64 >log 2>&1
  status=$?
  if [ $status -ne 126 ] || ! grep -q "$2" log; then
    echo "FAIL $1: status $status, expected 126 and: $2"
    cat log
    failures=$((failures + 1))
  fi
}

"$bin/cmc" -march="$platform" "$here/barrier_faults.cm" -o faults.bin || exit 1
expect few "threads wait at named barrier 1 for others"
expect unsignalled "named barrier 1: a wait without a signal as a consumer"
expect beyond "named barrier 5 is signalled; the kernel has 2"
expect other "named barrier 1 (part 1, 3 producers, 4 consumers): other numbers of threads"
expect twice "named barrier 1 (part 0, 4 producers, 4 consumers): it was signalled before, and not waited for"
expect crowd "named barrier 1 (part 1, 2 producers, 1 consumers): more threads than it is for"
"$bin/cmc" -march=dg2 "$here/barrier_faults.cm" -o x.bin 2>log && failures=$((failures + 1))
grep -q "is not available on DG2; PVC is the first platform that has it" log || failures=$((failures + 1))
[ "$failures" = 0 ]
