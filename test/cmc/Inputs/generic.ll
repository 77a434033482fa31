; Reads 16 floats at the first address, adds the first of them to each, and writes them to the second address.
target triple = "spir64-unknown-unknown"
define dllexport spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) #0 {
entry:
  %g = addrspacecast ptr addrspace(1) %a to ptr addrspace(4)
  %i = ptrtoint ptr addrspace(4) %g to i64
  %v = call <16 x float> @llvm.genx.svm.block.ld.unaligned.v16f32.i64(i64 %i)
  %s = load float, ptr addrspace(4) %g
  %x = insertelement <16 x float> poison, float %s, i32 0
  %y = shufflevector <16 x float> %x, <16 x float> poison, <16 x i32> zeroinitializer
  %w = fadd <16 x float> %v, %y
  %j = ptrtoint ptr addrspace(1) %b to i64
  call void @llvm.genx.svm.block.st.i64.v16f32(i64 %j, <16 x float> %w)
  ret void
}
declare <16 x float> @llvm.genx.svm.block.ld.unaligned.v16f32.i64(i64)
declare void @llvm.genx.svm.block.st.i64.v16f32(i64, <16 x float>)
attributes #0 = { nounwind "CMGenxMain" "oclrt"="1" }
!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, !2, !2, !3, i32 0}
!1 = !{i32 0, i32 0}
!2 = !{i32 0, i32 0}
!3 = !{!"svmptr_t", !"svmptr_t"}
