#!/bin/sh
# linear.sh DEVICE BUILD WORK_FOLDER WIDTH HEIGHT: runs the demo on a small picture.
set -eu
mkdir -p "$3"
"$2/bin/linear" noise "$4" "$5" "$3/picture.png"
CMKIT_BUILD=$2 "$(dirname "$0")/../../benchmarks/demo.sh" -p "$1" -o "$3" "$3/picture.png"

# the CM kernel sees the same bytes in an image of one-byte elements as in the wider ones that cmrun takes by itself
device=$1 bin=$2/bin work=$3
set -- $("$bin/linear" size "$work/picture.png")
launch() { "$bin/gensim" -d "$device" -- "$bin/cmrun" "$work/cm-$device/kernel.bin" -k linear -g "$@"; }
in_bytes=$((($3 * 8 + 4) * 3)) in_rows=$(($4 * 6 + 2)) out_bytes=$(($3 * 24)) out_rows=$(($4 * 6)) groups=$3x$4
launch "$groups" "img:$work/padded.png@w=$work/padded.raw" "img:${out_bytes}x$out_rows:raw1@w=$work/wide.raw"
launch "$groups" "img:${in_bytes}x$in_rows:r8u@r=$work/padded.raw" "img:${out_bytes}x$out_rows:r8u@w=$work/bytes.raw"
cmp "$work/wide.raw" "$work/bytes.raw"

# an image that cannot hold the kernel's block is refused, and nothing is written
if message=$(launch 1 "img:8x4:raw3" "img:8x6:raw3@w=$work/small.raw" 2>&1); then
  echo "linear.sh: a picture of 8x4 pixels was accepted" >&2
  exit 1
fi
[ "$message" = \
    "cmrun: error: argument 0 of kernel linear is accessed in blocks of 32 bytes x 8 rows: the image has only 24 x 4" ]
[ ! -e "$work/small.raw" ]
