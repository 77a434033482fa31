; An intrinsic with an operand that Intel's definition does not have.
define dllexport spir_kernel void @k(<8 x i32> %a, <8 x i16> %b, ptr addrspace(1) %to) "CMGenxMain" {
  %v = call <8 x i32> @llvm.genx.smax.v8i32.v8i32(<8 x i32> %a, <8 x i16> %b)
  store <8 x i32> %v, ptr addrspace(1) %to
  ret void
}
declare <8 x i32> @llvm.genx.smax.v8i32.v8i32(<8 x i32>, <8 x i16>)
