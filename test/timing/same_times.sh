#!/bin/sh
# same_times.sh GENSIM CMRUN DEVICE KERNELS.bin: checks that times are the same on one host thread, on eight, and in a
# second run; that results are those without timing; that the driver's times of a launch agree with the model's.
set -eu
gensim=$1 cmrun=$2 device=$3 kernels=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# launch NAME OPTION...: results in NAME.out and NAME.total, what cmrun printed in NAME.text
launch() {
  name=$1; shift
  "$gensim" -d "$device" "$@" -- "$cmrun" --time "$kernels" -k mixed -g 64 -l 256 buf:64k:random-u8=5 \
    "buf:64k@w=$folder/$name.out" "buf:64@w=$folder/$name.total" >"$folder/$name.text" 2>&1 ||
    { cat "$folder/$name.text" >&2; exit 1; }
}

launch plain
for name in one again eight; do
  case $name in eight) threads=8 ;; *) threads=1 ;; esac
  launch $name --timing --threads $threads --stats "$folder/$name.json"
  sed -n 's/.*\("timing": {.*}\).*/\1/p' "$folder/$name.json" >"$folder/$name.times"
  cmp "$folder/plain.out" "$folder/$name.out"
  cmp "$folder/plain.total" "$folder/$name.total"
  cmp "$folder/one.times" "$folder/$name.times"
  cmp "$folder/one.text" "$folder/$name.text"
done
grep -q '"GpuCoreClocks": [1-9]' "$folder/one.times" || { echo "no times in the statistics" >&2; exit 1; }

# Whose place in scratch memory a thread has does not depend on the host threads.
for threads in 1 2 8; do
  "$gensim" -d "$device" --timing --threads $threads --stats "$folder/scratch.json" -- "$cmrun" "$kernels" \
    -k in_scratch -g 200 -l 16 buf:64k:random-u8=5 "buf:64k@w=$folder/$threads.out" >/dev/null
  sed -n 's/.*\("timing": {.*}\).*/\1/p' "$folder/scratch.json" >"$folder/scratch$threads.times"
  cmp "$folder/scratch1.times" "$folder/scratch$threads.times"
  cmp "$folder/1.out" "$folder/$threads.out"
done

# A stamp of the driver is good to two ticks of 83 ns, and there are commands between the walker and the stamps.
model=$(sed -n 's/.*"kernel": "mixed".*//;s/.*"GpuTime": \([0-9]*\).*/\1/p' "$folder/one.times" | head -n 1)
event=$(sed -n 's/.*: \([0-9]*\) ns.*/\1/p' "$folder/one.text" | head -n 1)
awk -v a="$event" -v b="$model" 'BEGIN { exit !(a > 0 && b > 0 && a - b < 4000 && b - a < 400) }' ||
  { echo "the event has $event ns, the model $model" >&2; exit 1; }
