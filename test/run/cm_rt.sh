#!/bin/sh
# cm_rt.sh DEVICE C++_COMPILER CMC GENSIM LIBCMRT HEADERS WORK_FOLDER
# A host program as Intel's tutorial writes them is compiled with runtime/cm_rt and run on a simulated GPU; and the
# headers alone are clean C++14 with all warnings.
set -eu
device=$1 compiler=$2 cmc=$3 gensim=$4 library=$5 headers=$6 work=$7
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/include"
ln -s "$headers" "$work/include/cmkit" # as they are installed
"$cmc" -march="$device" "$here/cm_rt.cm" -o "$work/cm_rt.bin"
for header in cm_rt.h cm_loadprogram.h cm_rt_helpers.h isa_helpers.h bitmap_helpers.h ../common/bitmap_helpers.h; do
  echo "#include \"$header\"" | "$compiler" -x c++ -std=c++14 -Wall -Wextra -Werror -fsyntax-only \
    -I"$work/include" -I"$headers/cm_rt" -I"$headers/cm_rt/common" -
done
"$compiler" -std=c++17 -Wall -Wextra -Werror -I"$work/include" -I"$headers/cm_rt" "$here/cm_rt.cpp" "$library" \
  -Wl,-rpath,"$(dirname "$library")" -o "$work/cm_rt"
cd "$work"
[ "$("$gensim" -d "$device" -- "$work/cm_rt" "$work/cm_rt.bin")" = passed ]
# A picture that is none.
printf 'BMno picture' >damaged.bmp
! "$work/cm_rt" --picture damaged.bmp 2>"$work/log" && [ "$(wc -l <"$work/log")" = 1 ] &&
  grep -q '^damaged.bmp: error: no picture' "$work/log" || { cat "$work/log"; exit 1; }
# Without a GPU: the code and the words.
if "$work/cm_rt" "$work/cm_rt.bin" 2>"$work/log"; then
  echo "a GPU here"
else
  grep -q 'CM_INTEL_GFX_NOTFOUND: no Intel GPU found' "$work/log" || { cat "$work/log"; exit 1; }
fi
