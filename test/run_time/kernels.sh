#!/bin/sh
# kernels.sh WAY PLATFORM BIN_FOLDER WORK_FOLDER [KERNEL.cm...]
# Each kernel of test/kernels, compiled by Intel's driver on the simulated GPU: it must compute what the reference does.
# WAY:
#   source      OpenCL builds the source with -cmc, through our libclangFEWrapper.so
#   il          OpenCL loads SPIR-V (clCreateProgramWithIL)
#   level-zero  Level Zero loads SPIR-V (ZE_MODULE_FORMAT_IL_SPIRV), through libcmrt
# $GENSIM_DRIVER: the driver, as gensim --driver takes it.
# A kernel that Intel's back end does not take says so: `// NOT-ON: peer` for Debian 12's, `// NOT-ON: current` for the
# newest, with the reason. docs/compiler/current.md lists what the newest refuses on some platforms only.
set -u
way=$1 platform=$2 bin=$3 work=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/../kernels/*/*.cm
rm -rf "$work" && mkdir -p "$work"

driver=${GENSIM_DRIVER:+--driver $GENSIM_DRIVER} peer=peer
[ "${GENSIM_DRIVER:-}" != current ] || peer=current

# refused NAME: the page says that the newest compiler refuses the kernel on this platform
refused() {
    [ $peer = current ] && grep -q "^| $1 |[a-z0-9 ]* $platform [a-z0-9 ]*|" "$here/../../docs/compiler/current.md"
}

simulated() {
    # Two words or none.
    # shellcheck disable=SC2086
    "$bin/gensim" -d "$platform" $driver --check-scoreboard -- "$@"
}

like=$platform # the platform whose features it has, and for which cmc writes binaries
[ "$platform" != ptl ] || like=lnl

# described KERNEL.cm OUT: a binary of the kernel, which says what its arguments are. Kernels with images are only
# SPIR-V on Lunar Lake and Battlemage: Arc A770's binary says the same.
described() {
    "$bin/cmc" -w -march="$like" "$1" -o "$2" || "$bin/cmc" -w -march=DG2 "$1" -o "$2"
}

# run KERNEL.cm NAME
run() {
    case $way in
    source)
        described "$1" "$2.bin" &&
            simulated "$bin/kernel_test_cl" "$1" "-cmc -w -cm-src=$1 -I$(dirname "$1")" "$1" "$2.bin" ;;
    il)
        described "$1" "$2.bin" &&
            "$bin/cmc" -w -march="$platform" -emit-spirv "$1" -o "$2.spv" &&
            simulated "$bin/kernel_test_cl" "$2.spv" -vc-codegen "$1" "$2.bin" ;;
    level-zero)
        "$bin/cmc" -w -march="$platform" -emit-spirv "$1" -o "$2.spv" && simulated "$bin/kernel_test" "$2.spv" "$1" ;;
    *) echo "there is no way '$way'" >&2; exit 2 ;;
    esac
}

passed=0 failed=0 beyond=0
for kernel; do
    name=$(basename "$kernel" .cm)
    grep -q "^// NOT-ON:.*\b\($platform\|$like\|$peer\)\b" "$kernel" && continue
    refused "$name" && continue
    grep -q '^// RUN-KERNEL:' "$kernel" || continue
    if run "$kernel" "$work/$name" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    elif grep -qE "^gensim: fault: .* is not implemented( on|\$)" "$work/log"; then
        beyond=$((beyond + 1))
    else
        head -c 2000 "$work/log"
        echo "FAIL $name on $platform by $way"
        failed=$((failed + 1))
    fi
done
echo "$platform: $passed passed, $failed failed, $beyond need what the simulator lacks"
[ $failed -eq 0 ] && [ $passed -gt $beyond ]
