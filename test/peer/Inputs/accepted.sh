#!/bin/sh
# accepted.sh PLATFORM FILE.vc.ll|FILE.spv|FILE.ll FOLDER: checks that IGC's vector back end compiles the module;
# FOLDER/kernel.bin is the result. A module in the form of `cmc -emit-llvm` is converted by our SPIR-V writer, its text
# by LLVM 14's tools.
set -eu
mkdir -p "$3"
case $2 in
*.vc.ll)
    llvm-as-14 "$2" -o "$3/kernel.bc"
    llvm-spirv-14 -spirv-allow-unknown-intrinsics=llvm.genx \
        --spirv-ext=+SPV_INTEL_vector_compute,+SPV_INTEL_float_controls2,+SPV_KHR_float_controls,+SPV_INTEL_inline_assembly \
        "$3/kernel.bc" -o "$3/kernel.spv" ;;
*.spv) cp "$2" "$3/kernel.spv" ;;
*) cm-print-vc --spirv "$2" >"$3/kernel.spv" ;;
esac
(cd "$3" && ocloc compile -q -file kernel.spv -spirv_input -device "$1" -options -vc-codegen --format zebin \
    -output_no_suffix -output kernel.bin -out_dir .) # what its finalizer reports of errors stays there too
ocloc validate -file "$3/kernel.bin" >"$3/validate.log" 2>&1 || { cat "$3/validate.log"; exit 1; }
