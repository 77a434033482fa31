#!/bin/sh
# ranges.sh GENSIM CMRUN DEVICE KERNELS: cmrun --time prints the range of its launches by the timing model, from what
# --stats says of the same launches.
set -eu
gensim=$1 cmrun=$2 device=$3 kernels=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# measure OPTION...: what cmrun says of three launches under gensim with these options
measure() {
  "$gensim" -d "$device" "$@" -- "$cmrun" "$kernels" -k chain -g 8 -l 32 --time --repeat 3 buf:4096 f32:1.5 i32:100 2>&1
}

measure --timing --timing-draws 4 --stats "$folder/stats.json" >"$folder/drawn"
measure --timing >"$folder/undrawn"
measure >"$folder/none"
for text in drawn undrawn none; do
  grep -q '3 launches: minimum [0-9]* ns, median [0-9]* ns, maximum [0-9]* ns$' "$folder/$text"
done
! grep -q range "$folder/none" || { echo "a range without a model: $(cat "$folder/none")" >&2; exit 1; }
grep -q 'draws of the model' "$folder/drawn"
! grep -q 'draws of the model' "$folder/undrawn"
python3 - "$folder" <<'CHECK'
import json, math, re, sys
timing = json.load(open(sys.argv[1] + "/stats.json"))["kernels"][0]["timing"]
for name, draws in (("drawn", timing["drawn_ns"]), ("undrawn", [])):
    text = open(f"{sys.argv[1]}/{name}").read()
    low, high, of, error = re.search(r"range (\d+) to (\d+) ns: .*class '(.*)' is (\d+) %", text).groups()
    least, most = (int(re.search(rf"{word} (\d+) ns", text)[1]) for word in ("minimum", "maximum"))
    middle = timing["GpuTime"]
    # three launches with one time but for the clock's ticks; the error is printed in percent, the range in three digits
    wanted = (least * min([middle, *draws]) / middle * math.exp(-int(error) / 100),
              most * max([middle, *draws]) / middle * math.exp(int(error) / 100))
    assert of == timing["dominant"], (of, timing["dominant"])
    for found, each in zip((low, high), wanted):
        assert abs(int(found) / each - 1) < 0.02, (name, found, each, text)
    assert int(low) < least <= most < int(high), text
CHECK
