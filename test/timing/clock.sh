#!/bin/sh
# clock.sh GENSIM CMRUN CMC DEVICE: a kernel that reads its clock is reported as one, another is not. Without --timing,
# what cm_clock() says grows with the work between two reads. With it, it grows by as many clocks as the launch takes
# longer, on one host thread or eight. The launch has no effect twice. A kernel that decides by its clock is reported.
set -eu
gensim=$1 cmrun=$2 cmc=$3 device=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/clock.cm" <<'KERNEL'
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void reader(SurfaceIndex out)
{
    vector<unsigned, 8> v = 0;
    v.select<2, 1>(0) = cm_clock();
    write(out, 0, v);
}
extern "C" _GENX_MAIN_ void around(SurfaceIndex out, int turns)
{
    vector<unsigned, 2> before = cm_clock();
    vector<float, 16> sum = 1.0f;
    for (int i = 0; i < turns; i++)
        sum = sum * 0.5f + 1.0f;
    vector<unsigned, 8> v = 0;
    v(2) = sum(3) > 1.0f;
    v.select<2, 1>(0) = cm_clock();
    v(3) = v(0) - before(0);
    write(out, cm_group_id(0) * 32, v);
}
extern "C" _GENX_MAIN_ void once(SurfaceIndex out)
{
    vector<unsigned, 8> index = 0, one = 1, v = 0;
    vector<unsigned, 2> now = cm_clock();
    write_atomic<ATOMIC_ADD>(out, index, one);
    read(out, 32, v);
    v(7) = now(0);
    write(out, 32, v);
}
extern "C" _GENX_MAIN_ void spin(SurfaceIndex out, unsigned long_enough)
{
    vector<unsigned, 2> first = cm_clock(), now = first;
    vector<unsigned, 8> v = 0;
    while (now(0) - first(0) < long_enough) {
        now = cm_clock();
        v(0) += 1;
    }
    v(1) = now(0) - first(0);
    write(out, 0, v);
}
extern "C" _GENX_MAIN_ void other(SurfaceIndex out)
{
    vector<unsigned, 8> v = 7;
    write(out, 0, v);
}
KERNEL
"$cmc" -march="$(echo "$device" | tr a-z A-Z)" "$folder/clock.cm" -o "$folder/clock.bin"

# run KERNEL OPTION... -- ARGUMENT...: with --timing; what is written is in $folder/out
run() {
  kernel=$1
  shift
  "$gensim" -d "$device" --timing --stats "$folder/stats.json" --profile "$folder/page.html" -- \
    "$cmrun" "$folder/clock.bin" -k "$kernel" "$@" >"$folder/text" 2>&1 || { cat "$folder/text" >&2; exit 1; }
}
# said NAME: what --stats says of the last run
said() { grep -o "\"$1\": [^,}]*" "$folder/stats.json" | cut -d' ' -f2; }

run reader buf:64
[ "$(said reads_clock) $(said clock) $(said clock_decides)" = 'true "model" false' ]
grep -q 'The kernel reads its clock, which is the model' "$folder/page.html"
run other buf:64
[ "$(said reads_clock) $(said clock)" = 'false ' ]
! grep -q 'The kernel reads its clock' "$folder/page.html"

# Eight lanes of 40 threads add 1.
run once -g 40 "buf:64@w=$folder/out"
[ "$(od -An -v -tu4 -N4 "$folder/out" | tr -d ' ')" = 320 ]
[ "$(said clock)" = '"model"' ]

# A turn takes more clocks than instructions: with the model's clock there are fewer of them.
run spin "buf:64@w=$folder/out" u32:3000
[ "$(said clock_decides)" = true ]
grep -q 'executes other instructions with the model' "$folder/page.html"
od -An -v -tu4 -N8 "$folder/out" >"$folder/spun"
"$gensim" -d "$device" -- "$cmrun" "$folder/clock.bin" -k spin "buf:64@w=$folder/out" u32:3000 >/dev/null
od -An -v -tu4 -N8 "$folder/out" | paste "$folder/spun" - |
  awk '!($1 > 0 && $1 < $3 && $2 >= 3000 && $4 >= 3000) { print "turns and clocks: " $0 > "/dev/stderr"; exit 1 }'

# ticks TURNS OPTION...: those between two reads of the clock around a loop, of 40 threads
ticks() {
  turns=$1
  shift
  "$gensim" -d "$device" --stats "$folder/stats.json" "$@" -- "$cmrun" "$folder/clock.bin" -k around -g 40 \
    "buf:1280@w=$folder/out" "i32:$turns" >"$folder/text" 2>&1 || { cat "$folder/text" >&2; exit 1; }
  od -An -v -tu4 -w32 "$folder/out" | awk '{ print $4 }'
}
ticks 100 >"$folder/100"
ticks 200 >"$folder/200"
ticks 400 >"$folder/400"
[ "$(wc -l <"$folder/100")" = 40 ] && [ "$(sort -u "$folder/100" | wc -l)" = 1 ]
paste "$folder/100" "$folder/200" "$folder/400" | awk '!($1 > 0 && $3 - $2 == 2 * ($2 - $1)) { exit 1 }' ||
  { echo "the clock does not grow with the work: $(head -1 "$folder/100" "$folder/200" "$folder/400")" >&2; exit 1; }
for threads in 1 8; do
  ticks 200 --threads $threads --timing >"$folder/timed-200"
  short=$(said clocks)
  ticks 400 --threads $threads --timing >"$folder/timed-400"
  paste "$folder/timed-200" "$folder/timed-400" | awk -v longer=$(($(said clocks) - short)) \
    '$2 - $1 != longer { print "the clock grows by " $2 - $1 ", the launch by " longer > "/dev/stderr"; exit 1 }'
  cp "$folder/timed-200" "$folder/$threads-threads"
done
cmp "$folder/1-threads" "$folder/8-threads"
