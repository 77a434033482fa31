#!/bin/sh
# linear_host.sh BIN_FOLDER WORK_FOLDER: runs linear.cm, compiled for the host, on a small picture.
set -eu
bin=$1 work=$2
mkdir -p "$work"
"$bin/linear" noise 75 50 "$work/picture.png"
"$bin/linear" pad "$work/picture.png" "$work/padded.png"
"$bin/cmc" -march=host "$(dirname "$0")/../../benchmarks/linear/linear.cm" -o "$work/linear.so"
set -- $("$bin/linear" size "$work/picture.png")
"$bin/cmrun" "$work/linear.so" -k linear -g "$3x$4" "img:$work/padded.png" \
  "img:$(($3 * 8))x$(($4 * 6)):raw3@w=$work/result.png"
"$bin/linear" check cm "$work/picture.png" "$work/result.png"
