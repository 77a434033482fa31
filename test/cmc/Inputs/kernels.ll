; Two kernels as other front ends describe them: in genx.kernels, and by attributes of the arguments.
target datalayout = "e-p:64:64-i64:64-n8:16:32:64"
target triple = "genx64-unknown-unknown"

define dllexport spir_kernel void @listed(i32 %a, i32 %b, i32 %n) #0 {
  %v = call <8 x i32> @llvm.genx.oword.ld.v8i32(i32 0, i32 %a, i32 0)
  %s = insertelement <8 x i32> undef, i32 %n, i32 0
  %f = shufflevector <8 x i32> %s, <8 x i32> undef, <8 x i32> zeroinitializer
  %p = mul <8 x i32> %v, %f
  call void @llvm.genx.oword.st.v8i32(i32 %b, i32 0, <8 x i32> %p)
  ret void
}

define dllexport spir_kernel void @attributed(i32 "VCArgumentKind"="2" "VCArgumentDesc"="image2d_t read_only" %from, i32 "VCArgumentKind"="2" "VCArgumentDesc"="buffer_t" %to) #0 {
  %v = call <16 x i8> @llvm.genx.media.ld.v16i8(i32 0, i32 %from, i32 0, i32 16, i32 0, i32 0)
  call void @llvm.genx.oword.st.v16i8(i32 %to, i32 0, <16 x i8> %v)
  ret void
}

declare <8 x i32> @llvm.genx.oword.ld.v8i32(i32, i32, i32)
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)
declare void @llvm.genx.oword.st.v16i8(i32, i32, <16 x i8>)
declare <16 x i8> @llvm.genx.media.ld.v16i8(i32, i32, i32, i32, i32, i32)

attributes #0 = { nounwind "CMGenxMain" "oclrt"="1" }

!genx.kernels = !{!0}
!0 = !{ptr @listed, !"listed", !1, i32 1024, !2, !2, !3, i32 0}
!1 = !{i32 2, i32 2, i32 0}
!2 = !{i32 0, i32 0, i32 0}
!3 = !{!"buffer_t", !"buffer_t", !""}
