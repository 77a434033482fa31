#!/bin/sh
# api.sh PLATFORM BIN_FOLDER PROGRAM KERNELS.cm WORK_FOLDER
# The interface of libcmrt on the CPU (PLATFORM cpu) or a simulated GPU.
set -eu
platform=$1 bin=$2 program=$3 kernels=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
if [ "$platform" = cpu ]; then
  "$bin/cmc" -march=host "$kernels" -o "$work/api.so"
  "$program" "$work/api.so" cpu >"$work/log" && found=passed || found=failed
else
  "$bin/cmc" -march="$platform" "$kernels" -o "$work/api.bin"
  "$bin/gensim" -d "$platform" -- "$program" "$work/api.bin" gpu >"$work/log" && found=passed || found=failed
fi
cat "$work/log"
[ "$found" = passed ] && [ "$(tail -n 1 "$work/log")" = passed ]
