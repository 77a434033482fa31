#!/bin/sh
# run.sh GENSIM DEVICE KERNELS.cl WORK_FOLDER [OPTION of gensim]... -- PROGRAM...: runs each program with Intel's newest
# driver, on kernels compiled by the compiler of the same release. A program's words may follow its name; {} among them
# stands for the kernels. Skipped (77) if ./dev deps --current has not downloaded the driver, and an older one is
# installed.
set -u
gensim=$1 device=$2 source=$3 work=$4 options=
shift 4
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
root=${CMKIT_CURRENT:-$HOME/.cache/cmkit/current}/root
libraries=$root/usr/lib/x86_64-linux-gnu
ocloc=$(ls "$root"/usr/bin/ocloc-* 2>/dev/null | sed -n 1p)
if [ -n "$ocloc" ] && [ -e "$libraries/libze_intel_gpu.so.1" ]; then
    loader="$libraries/ld-linux-x86-64.so.2 --library-path $libraries"
elif sh "$(dirname "$0")/../run_time/with_current.sh" --installed; then
    ocloc=ocloc loader=
else
    echo "skipped: no driver in $root; ./dev deps --current downloads it"
    exit 77
fi
mkdir -p "$work" || exit 1
defines=
case $device in
    lnl | bmg | ptl) defines="-options -DSIXTEEN_LANES" ;;
esac
kernels=$work/$(basename "$source" .cl)-$device
# shellcheck disable=SC2086
$loader "$ocloc" compile -q -file "$source" -device "$device" \
    $defines -output_no_suffix \
    -output "$(basename "$kernels")" -out_dir "$work" >"$kernels.log" 2>&1 || { tail -n 5 "$kernels.log"; exit 1; }
[ ! -e "$kernels" ] || mv "$kernels" "$kernels.bin"
# The newest driver's OpenCL beside PoCL, which some programs compare it with.
mkdir -p "$work/vendors" || exit 1
if [ "$loader" ]; then
    echo "$libraries/intel-opencl/libigdrcl.so" >"$work/vendors/intel.icd"
else
    cp /etc/OpenCL/vendors/intel*.icd "$work/vendors"
fi
[ ! -e /etc/OpenCL/vendors/pocl.icd ] || cp /etc/OpenCL/vendors/pocl.icd "$work/vendors"
export OCL_ICD_VENDORS="$work/vendors"
failed=0
for program; do
    words=$(printf '%s' "$program" | sed "s|{}|$kernels.bin|g")
    # Words and options are split here.
    # shellcheck disable=SC2086
    "$gensim" -d "$device" --driver current $options -- $words || { echo "FAIL $program: status $?"; failed=1; }
done
exit $failed
