#!/bin/sh
# fat.sh BIN_FOLDER OPENCL_PROGRAM WORK_FOLDER
# Checks a file with a kernel for three GPUs: libcmrt loads the right one on each, and so does Intel's OpenCL driver,
# also from a file that ocloc joined. On another GPU an error names the three.
set -eu
bin=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cat >"$work/scale.cm" <<'END'
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void scale(SurfaceIndex s [[type("buffer_t")]], uint factor)
{
    vector<uint, 8> v;
    read(s, 0, v);
    v *= factor + CM_GENX;
    write(s, 0, v);
}
END
"$bin/cmc" -march=SKL,ICLLP "$work/scale.cm" -o "$work/two.bin"
"$bin/cmc" -march=TGLLP,DG2 "$work/scale.cm" -o "$work/others.bin"
ocloc concat "$work/two.bin" "$work/others.bin" -out "$work/four.bin" >"$work/log"
for pair in skl:900 icllp:1150 tgllp:1200 dg2:1271; do
  device=${pair%:*} genx=${pair#*:}
  got=$("$bin/gensim" -d "$device" -- "$bin/cmrun" "$work/four.bin" -g 1 buf:32:u32=1@print=u32 u32:0)
  [ "$got" = "$(printf "$genx %.0s" 1 2 3 4 5 6 7)$genx" ] || { echo "$device: $got"; exit 1; }
  for binary in two others four; do # two.bin has code for skl and icllp, others.bin for tgllp and dg2
    case $binary-$device in two-tgllp | two-dg2 | others-skl | others-icllp) continue ;; esac
    "$bin/gensim" -d "$device" -- "$program" "$work/$binary.bin" "$genx" || { echo "OpenCL, $device: $binary"; exit 1; }
  done
done
! "$bin/gensim" -d tgllp -- "$bin/cmrun" "$work/two.bin" -g 1 buf:32:u32=1 u32:0 2>"$work/log" \
    || { echo "runs on tgllp"; exit 1; }
grep -q 'two.bin: the program was compiled for skl, icllp, the device is tgllp' "$work/log" \
    || { cat "$work/log"; exit 1; }
"$bin/cmrun" "$work/two.bin" --list | grep -q scale || { echo "no list"; exit 1; }
