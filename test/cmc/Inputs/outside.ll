; A region that reads behind the end of its vector.
define dllexport spir_kernel void @k(<8 x i32> %a, ptr addrspace(1) %to) "CMGenxMain" {
  %v = call <8 x i32> @llvm.genx.rdregioni.v8i32.v8i32.i16(<8 x i32> %a, i32 0, i32 8, i32 1, i16 4, i32 undef)
  store <8 x i32> %v, ptr addrspace(1) %to
  ret void
}
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)
