#!/bin/sh
# installed.sh CMAKE BUILD_FOLDER WORK_FOLDER
# Checks that an installation (`cmake --install`) compiles and runs a kernel, with its own headers and precompiled
# headers.
set -eu
cmake=$1 build=$2 work=$3 device=${CMKIT_TEST_DEVICE:-icllp}
rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/prefix" >"$work/log"
bin=$work/prefix/bin
for target in gpu host; do
  [ -s "$work/prefix/lib/cmkit/cm-$target.pch" ] || { echo "no precompiled headers for $target"; exit 1; }
done
cat >"$work/scale.cm" <<'END'
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void scale(SurfaceIndex s [[type("buffer_t")]], uint factor)
{
    vector<uint, 8> v;
    read(s, 0, v);
    v *= factor;
    write(s, 0, v);
}
END
wanted='0 3 6 9 12 15 18 21'
"$bin/cmc" -march=$device "$work/scale.cm" -o "$work/scale.bin"
"$bin/cmc" -march=host "$work/scale.cm" -o "$work/scale.so"
gpu=$("$bin/gensim" -d $device -- "$bin/cmrun" "$work/scale.bin" -k scale -g 1 buf:32:iota-u32@print=u32 u32:3)
cpu=$("$bin/cmrun" "$work/scale.so" -k scale -g 1 buf:32:iota-u32@print=u32 u32:3)
[ -s "$work/prefix/share/cmkit/gdb/cm.py" ] || { echo "no printers for gdb"; exit 1; }
[ "$gpu" = "$wanted" ] && [ "$cpu" = "$wanted" ] || { echo "GPU: $gpu, CPU: $cpu"; exit 1; }
