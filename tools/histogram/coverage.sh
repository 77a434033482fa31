#!/bin/sh
# coverage.sh FOLDER [PAGE.md]: counts every instruction, type, region and message in the code of Intel's compilers for
# our kernels and piglit's, in the kernels that Intel's drivers contain, and in cmc's code, and writes the page
# (default: docs/simulator/coverage.md). Compiled kernels stay in FOLDER: the first run takes half an hour, a second one
# seconds. Status 1 if the simulator refuses a kernel. Needs the built tree: CMKIT_BUILD (default: build).
set -eu
[ $# = 1 ] || [ $# = 2 ] || {
  echo "usage: coverage.sh FOLDER [PAGE.md]" >&2
  exit 2
}
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$root/${CMKIT_BUILD:-build}/bin
page=${2:-$root/docs/simulator/coverage.md}
"$root/tools/histogram/corpus.sh" "$1"
folder=$(cd "$1" && pwd)

mkdir -p "$folder/drivers"
kernels=$root/${CMKIT_BUILD:-build}/test/levelzero/levelzero_kernels
for device in skl icllp tgllp; do
  gensim="$bin/gensim -d $device --save-kernels $folder/drivers --"
  $gensim "$bin/gen-builtins"
  for program in copies images events; do
    $gensim "$bin/levelzero_$program" "$kernels-$device.bin" >/dev/null
  done
done

# Every file as DEVICE=SET:FILE.
list() {
  for device in skl icllp tgllp; do
    find "$folder/$device" -name '*.bin' | sed -n "s,.*/\([^/]*\)/[^/]*\$,$device=\1:&,p"
    find "$folder/drivers" -name "$device-*.gen" | sed "s,^,$device=drivers:,"
  done
}
list | "$bin/gen-histogram" -o "$page" -c 'tools/histogram/coverage.sh FOLDER' -
