#!/bin/sh
# kernels.sh PLATFORM BIN_FOLDER KERNEL_TEST WORK_FOLDER [KERNEL.cm...]
# Compiles each kernel of test/kernels with IGC's vector back end and runs it on the simulated GPU: code that another
# compiler makes from our llvm.genx IR must compute the reference's results. If this passes and run.kernels fails, the
# fault is after the IR. The intrinsics of the IR, at -O0 and -O2, are also compared with Intel's definitions.
set -u
platform=$1 bin=$2 kernel_test=$3 work=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/../kernels/*/*.cm
rm -rf "$work" && mkdir -p "$work"

# Steps that stop at the first that fails.
check_kernel() {
    "$bin/cmc" -march="$platform" -O0 -emit-llvm "$1" -o "$2.0.ll" &&
        "$bin/cmc" -march="$platform" -O2 -emit-llvm "$1" -o "$2.2.ll" &&
        "$bin/cm-check-genx" "$2.0.ll" "$2.2.ll" &&
        "$bin/cmc" -march="$platform" -emit-spirv "$1" -o "$2.spv" &&
        sh "$here/Inputs/accepted.sh" "$platform" "$2.spv" "$2" &&
        "$bin/gensim" -d "$platform" --check-scoreboard -- "$kernel_test" "$2/kernel.bin" "$1"
}

passed=0 failed=0
for kernel; do
    name=$(basename "$kernel" .cm)
    grep -q "^// NOT-ON:.*\b\($platform\|peer\)\b" "$kernel" && continue # the platform lacks what it tests
    if check_kernel "$kernel" "$work/$name"; then
        passed=$((passed + 1))
    else
        echo "FAIL $name on $platform"
        failed=$((failed + 1))
    fi
done
echo "$platform: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
