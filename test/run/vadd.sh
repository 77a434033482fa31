#!/bin/sh
# vadd.sh DEVICE BIN_FOLDER KERNELS_CL.bin: compares vector add in CM and in OpenCL C on a simulated GPU (DEVICE "cpu":
# only CM, on the host): same bytes for every kind of memory, for inputs that change from launch to launch, on two
# queues.
set -u
device=$1 bin=$2 cl=${3:-}
source=$(cd "$(dirname "$0")/../kernels/memory" && pwd)/vadd.cm
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

if [ "$device" = cpu ]; then
  "$bin/cmc" -march=host "$source" -o cm.program || exit 1
  run() { "$bin/cmrun" "$@"; }
else
  "$bin/cmc" -march="$device" "$source" -o cm.program || exit 1
  run() { "$bin/gensim" -d "$device" -- "$bin/cmrun" "$@"; }
fi

same() {
  cmp "$2" "$3" >&2 && return
  echo "FAIL $1"
  failures=$((failures + 1))
}

must() { "$@" || { echo "FAIL: $*"; exit 1; }; }

# the kernels of vadd.cm add the first 512 bytes of their input to the second 512
for seed in 1 2 3; do
  for memory in shared host device; do
    must run cm.program -k vadd -g 4 -l 2 "buf:1k:random-u32=$seed@w=input@$memory" "buf:512@w=cm.$memory@$memory"
    must run cm.program -k vadd_buffer -g 4 "buf:1k:random-u32=$seed@$memory" "buf:512@w=buffer.$memory@$memory"
    head -c 512 input >a
    tail -c 512 input >b
    if [ -n "$cl" ]; then
      must run "$cl" -k vadd -g 8 -l 16 "buf:a@$memory" "buf:b@$memory" "buf:512@w=cl@$memory"
    else # no second compiler for the host: compare with the sums by od and awk
      od -An -v -tu4 -w4 a >a.text
      od -An -v -tu4 -w4 b >b.text
      paste a.text b.text | awk '{ printf "%.0f\n", ($1 + $2) % 4294967296 }' >want
      od -An -v -tu4 -w4 "cm.$memory" | tr -d ' ' >got
      same "cm, seed $seed, $memory memory, sums" want got
      cp "cm.$memory" cl
    fi
    same "cm, seed $seed, $memory memory" "cm.$memory" cl
    same "cm with buffers, seed $seed, $memory memory" "buffer.$memory" cl
  done
  [ "$seed" = 1 ] || ! cmp -s cl last || { echo "FAIL: results do not change with the input"; failures=1; }
  cp cl last
done
must run cm.program -k vadd -g 4 -l 2 --queues 2 --repeat 4 buf:1k:random-u32=3 buf:512@w=queues
same "two queues" queues last
[ $failures -eq 0 ]
