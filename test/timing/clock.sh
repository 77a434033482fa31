#!/bin/sh
# clock.sh GENSIM CMRUN CMC DEVICE: a kernel that reads its clock is reported as one, another is not. What cm_clock()
# says grows with the work between two reads, and is the same with and without --timing, on one host thread or eight.
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
extern "C" _GENX_MAIN_ void other(SurfaceIndex out)
{
    vector<unsigned, 8> v = 7;
    write(out, 0, v);
}
KERNEL
"$cmc" -march="$(echo "$device" | tr a-z A-Z)" "$folder/clock.cm" -o "$folder/clock.bin"

# reads KERNEL: what --stats says
reads() {
  "$gensim" -d "$device" --timing --stats "$folder/stats.json" --profile "$folder/page.html" -- \
    "$cmrun" "$folder/clock.bin" -k "$1" buf:64 >"$folder/text" 2>&1 || { cat "$folder/text" >&2; exit 1; }
  grep -o '"reads_clock": [a-z]*' "$folder/stats.json"
}
[ "$(reads reader)" = '"reads_clock": true' ]
grep -q 'The kernel reads its clock' "$folder/page.html"
[ "$(reads other)" = '"reads_clock": false' ]
! grep -q 'The kernel reads its clock' "$folder/page.html"

# ticks TURNS OPTION...: those between two reads of the clock around a loop, of 40 threads
ticks() {
  turns=$1
  shift
  "$gensim" -d "$device" "$@" -- "$cmrun" "$folder/clock.bin" -k around -g 40 "buf:1280@w=$folder/out" "i32:$turns" \
    >"$folder/text" 2>&1 || { cat "$folder/text" >&2; exit 1; }
  od -An -v -tu4 -w32 "$folder/out" | awk '{ print $4 }'
}
ticks 100 >"$folder/100"
ticks 200 >"$folder/200"
ticks 400 >"$folder/400"
[ "$(wc -l <"$folder/100")" = 40 ] && [ "$(sort -u "$folder/100" | wc -l)" = 1 ]
paste "$folder/100" "$folder/200" "$folder/400" | awk '!($1 > 0 && $3 - $2 == 2 * ($2 - $1)) { exit 1 }' ||
  { echo "the clock does not grow with the work: $(head -1 "$folder/100" "$folder/200" "$folder/400")" >&2; exit 1; }
for threads in 1 8; do
  ticks 200 --threads $threads --timing >"$folder/timed"
  cmp "$folder/200" "$folder/timed"
done
