#!/bin/sh
# intrinsics.sh BIN_FOLDER WORK_FOLDER KERNEL.cm...
# Compares every llvm.genx intrinsic in the IR of every kernel of the tree, at -O2, with Intel's definitions: name,
# operands and overloads. Each kernel is compiled for the first of the platforms below that it is not excluded from
# (NOT-ON: in its text), or for Ice Lake.
set -u
bin=$1 work=$2
shift 2
rm -rf "$work" && mkdir -p "$work"

platform_for() {
    for platform in icllp skl tgllp pvc dg2; do
        grep -q "^// NOT-ON:.*\b$platform\b" "$1" || { echo $platform; return; }
    done
    echo icllp # excluded everywhere because no driver makes what it takes; it compiles nevertheless
}

checked=0 failed=0
for kernel; do
    ir=$work/$checked-$(basename "$kernel" .cm).ll
    if "$bin/cmc" -march="$(platform_for "$kernel")" -O2 -emit-llvm "$kernel" -o "$ir" \
        && "$bin/cm-check-genx" "$ir"; then
        checked=$((checked + 1))
    else
        echo "FAIL $kernel"
        failed=$((failed + 1))
    fi
done
names=$(cat "$work"/*.ll | grep -o '@llvm\.genx\.[a-z0-9.]*' | sort -u | wc -l)
echo "$checked kernels, $names intrinsics with their types, $failed failed"
[ $failed -eq 0 ] && [ $checked -ge 50 ] && [ "$names" -ge 100 ]
