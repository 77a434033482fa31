#!/bin/sh
# interop.sh DEVICE BIN_FOLDER PROGRAM KERNEL.cm WORK_FOLDER
# Launches ahead, events, parts of buffers, memory and contexts of others, on a simulated GPU.
set -eu
device=$1 bin=$2 program=$3 kernel=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
"$bin/cmc" -march="$device" "$kernel" -o "$work/scale.bin"
[ "$("$bin/gensim" -d "$device" -- "$program" "$work/scale.bin")" = passed ]
