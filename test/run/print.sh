#!/bin/sh
# print.sh PLATFORM BIN_FOLDER WORK_FOLDER
# Runs print.cm on a simulated GPU, or with PLATFORM "cpu" on the host: each thread's lines must be those of the shell's
# printf, in order; threads may come in any order.
set -eu
platform=$1 bin=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
threads=5
mkdir -p "$work"
if [ "$platform" = cpu ]; then
  "$bin/cmc" -march=host "$here/print.cm" -o "$work/print.so"
  "$bin/cmrun" "$work/print.so" -k say -g $threads buf:64:iota-u32 f32:0.75 >"$work/printed"
  "$bin/cmrun" "$work/print.so" -k places -g 3 >"$work/places"
else
  "$bin/cmc" -march="$platform" "$here/print.cm" -o "$work/print.bin"
  "$bin/gensim" -d "$platform" -- "$bin/cmrun" "$work/print.bin" -k say -g $threads buf:64:iota-u32 f32:0.75 \
      >"$work/printed"
  "$bin/gensim" -d "$platform" -- "$bin/cmrun" "$work/print.bin" -k places -g 3 >"$work/places"
fi
t=0
while [ $t -lt $threads ]; do
  text=another
  [ $t -le 2 ] || text="a literal"
  printf '%u: first %d, %s\n' $t 1 "$text"
  if [ $((t % 2)) -eq 1 ]; then
    printf '%u: odd %5.2f|%-6x|' $t 1.50 $((0xbeef + t))
    printf "\\$(printf %o $((97 + t)))|%o\n" 7
  else
    printf '%u: 100%% even\n' $t
  fi
  printf '%u: %d lanes above, half %g\n' $t 3 1.5
  for i in 0 1 2; do
    printf '%u: %d %d %u\n' $t $i $((0x123456789a * (i - 1) + t)) $(((65535 + i) % 65536))
  done
  t=$((t + 1))
done >"$work/expected"
sort -s -n -t: -k1,1 "$work/printed" | diff "$work/expected" -

for t in 0 1 2; do
  printf '%u: %u threads\n%u: %u groups\n' $t 1 $t 3
done >"$work/expected"
sort -s -n -t: -k1,1 "$work/places" | diff "$work/expected" -
