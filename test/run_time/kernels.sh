#!/bin/sh
# kernels.sh WAY PLATFORM BIN_FOLDER WORK_FOLDER [KERNEL.cm...]
# Each kernel of test/kernels, compiled by Intel's driver on the simulated GPU: it must compute what the reference does.
# WAY:
#   source      OpenCL builds the source with -cmc, through our libclangFEWrapper.so
#   il          OpenCL loads SPIR-V (clCreateProgramWithIL)
#   level-zero  Level Zero loads SPIR-V (ZE_MODULE_FORMAT_IL_SPIRV), through libcmrt
# $GENSIM_DRIVER: the driver, as gensim --driver takes it.
# A kernel that Intel's back end does not take says so (`// NOT-ON: peer`, with the reason).
set -u
way=$1 platform=$2 bin=$3 work=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/../kernels/*/*.cm
rm -rf "$work" && mkdir -p "$work"

driver=${GENSIM_DRIVER:+--driver $GENSIM_DRIVER}

simulated() {
    # Two words or none.
    # shellcheck disable=SC2086
    "$bin/gensim" -d "$platform" $driver --check-scoreboard -- "$@"
}

# run KERNEL.cm NAME
run() {
    case $way in
    source)
        "$bin/cmc" -w -march="$platform" "$1" -o "$2.bin" &&
            simulated "$bin/kernel_test_cl" "$1" "-cmc -w -cm-src=$1 -I$(dirname "$1")" "$1" "$2.bin" ;;
    il)
        "$bin/cmc" -w -march="$platform" "$1" -o "$2.bin" &&
            "$bin/cmc" -w -march="$platform" -emit-spirv "$1" -o "$2.spv" &&
            simulated "$bin/kernel_test_cl" "$2.spv" -vc-codegen "$1" "$2.bin" ;;
    level-zero)
        "$bin/cmc" -w -march="$platform" -emit-spirv "$1" -o "$2.spv" && simulated "$bin/kernel_test" "$2.spv" "$1" ;;
    *) echo "there is no way '$way'" >&2; exit 2 ;;
    esac
}

passed=0 failed=0
for kernel; do
    name=$(basename "$kernel" .cm)
    grep -q "^// NOT-ON:.*\b\($platform\|peer\)\b" "$kernel" && continue
    grep -q '^// RUN-KERNEL:' "$kernel" || continue
    if run "$kernel" "$work/$name"; then
        passed=$((passed + 1))
    else
        echo "FAIL $name on $platform by $way"
        failed=$((failed + 1))
    fi
done
echo "$platform: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
