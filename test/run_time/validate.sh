#!/bin/sh
# validate.sh BIN_FOLDER WORK_FOLDER KERNEL.cm...: runs spirv-val on each kernel's SPIR-V, with and without lines. It
# may stop only at what it does not know: vectors of other lanes than 2, 3, 4, 8 and 16, and types of
# SPV_INTEL_vector_compute. OpBitReverse is accepted without the capability of SPV_KHR_bit_instructions, because IGC
# accepts it.
set -u
bin=$1 work=$2
shift 2
rm -rf "$work" && mkdir -p "$work" || exit 1
failed=0 whole=0 part=0
for kernel; do
    for lines in '' -g; do
        # PVC may lack what the kernel needs.
        "$bin/cmc" -march=PVC -w $lines -emit-spirv "$kernel" -o "$work/k.spv" 2>"$work/log" || continue
        if spirv-val "$work/k.spv" 2>"$work/log"; then
            whole=$((whole + 1))
        elif grep -q -e 'Illegal number of components' -e 'Invalid opcode: 6086' -e 'VectorAnyINTEL' \
            -e 'VectorComputeINTEL' -e 'Opcode BitReverse requires' \
            -e 'TypeBufferSurfaceINTEL must appear' "$work/log" ||
            { grep -q 'has not been defined' "$work/log" && grep -q SPV_INTEL_inline_assembly "$work/k.spv"; }; then
            part=$((part + 1))
        else
            echo "FAIL $(basename "$kernel") $lines: $(head -n 1 "$work/log")"
            failed=1
        fi
    done
done
echo "$whole valid, $part up to what spirv-val does not know"
[ $failed -eq 0 ] && [ $whole -gt 0 ]
