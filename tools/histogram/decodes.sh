#!/bin/sh
# decodes.sh BIN DEVICE FOLDER SET...: decodes the code of Intel's compilers for DEVICE and the sets of corpus.sh; the
# simulator's rules must refuse none. Nothing runs. BIN: the folder of the built programs; compiled kernels stay in
# FOLDER.
set -eu
[ $# -ge 4 ] || {
  echo "usage: decodes.sh BIN DEVICE FOLDER SET..." >&2
  exit 2
}
bin=$1 device=$2 folder=$3
shift 3
CMKIT_BIN=$bin CORPUS_DEVICES=$device CORPUS_SETS="$*" "$(dirname "$0")/corpus.sh" "$folder"
for set; do
  [ "$set" != cm ] || set=vector
  find "$folder/$device/$set" -name '*.bin' | sed "s,^,$device=$set:," >"$folder/$device-$set.list"
  refused=$(find "$folder/$device/$set" -name '*.refused' | wc -l)
  echo "$set: $(wc -l <"$folder/$device-$set.list") binaries, $refused not compiled"
  [ -s "$folder/$device-$set.list" ] || exit 1
  "$bin/gen-histogram" -o "$folder/$device-$set.md" - <"$folder/$device-$set.list" || {
    sed -n '/^## Refused/,/^## Instructions/p' "$folder/$device-$set.md"
    exit 1
  }
done
