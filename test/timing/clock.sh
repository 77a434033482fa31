#!/bin/sh
# clock.sh GENSIM CMRUN CMC DEVICE: a kernel that reads its clock is reported as one, another is not.
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
