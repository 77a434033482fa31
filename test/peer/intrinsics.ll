; LLVM's intrinsics become genx ones, which SPIR-V takes for any number of lanes; each name is declared once.
; RUN: cm-print-vc %s > %t.vc.ll && %FileCheck %s --input-file %t.vc.ll && sh %S/Inputs/accepted.sh icllp %t.vc.ll %t
; RUN: sh %S/Inputs/accepted.sh icllp %s %t.spirv

declare <16 x i32> @llvm.genx.oword.ld.v16i32(i32, i32, i32)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)
declare <12 x i32> @llvm.smax.v12i32(<12 x i32>, <12 x i32>)
declare <12 x i32> @llvm.genx.smax.v12i32.v12i32(<12 x i32>, <12 x i32>)
declare <12 x i32> @llvm.abs.v12i32(<12 x i32>, i1)
declare <12 x float> @llvm.fabs.v12f32(<12 x float>)
declare <12 x float> @llvm.maxnum.v12f32(<12 x float>, <12 x float>)
declare <12 x float> @llvm.floor.v12f32(<12 x float>)
declare <12 x i32> @llvm.ctpop.v12i32(<12 x i32>)
declare <12 x i32> @llvm.fshl.v12i32(<12 x i32>, <12 x i32>, <12 x i32>)
declare i32 @llvm.umin.i32(i32, i32)

; CHECK: call <12 x i32> @llvm.genx.absi.v12i32(<12 x i32> %v1)
; CHECK: call <12 x i32> @llvm.genx.smax.v12i32.v12i32(<12 x i32> %v2, <12 x i32> %v1)
; CHECK: call <12 x i32> @llvm.genx.smax.v12i32.v12i32(<12 x i32> %v3, <12 x i32> %v2)
; CHECK: call <12 x i32> @llvm.ctpop.v12i32(
; CHECK: call <12 x i32> @llvm.fshl.v12i32(
; CHECK: call <12 x float> @llvm.genx.absf.v12f32(
; CHECK: call <12 x float> @llvm.genx.fmax.v12f32.v12f32(
; CHECK: call <12 x float> @llvm.genx.rndd.v12f32(
; CHECK: call i32 @llvm.genx.umin.i32.i32(i32 %p.n, i32 7)
; CHECK: declare <12 x i32> @llvm.genx.absi.v12i32(<12 x i32>){{$}}
; CHECK: declare <12 x i32> @llvm.genx.smax.v12i32.v12i32(<12 x i32>, <12 x i32>){{$}}
; CHECK-NOT: declare {{.*}}smax
; CHECK: declare i32 @llvm.genx.umin.i32.i32(i32, i32){{$}}
define void @k(i32 "cm-kind"="surface" %b, i32 %n) #0 {
  %l = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %b, i32 0)
  %v = shufflevector <16 x i32> %l, <16 x i32> poison, <12 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11>
  %a = call <12 x i32> @llvm.abs.v12i32(<12 x i32> %v, i1 true)
  %s = call <12 x i32> @llvm.smax.v12i32(<12 x i32> %a, <12 x i32> %v)
  %t = call <12 x i32> @llvm.genx.smax.v12i32.v12i32(<12 x i32> %s, <12 x i32> %a)
  %c = call <12 x i32> @llvm.ctpop.v12i32(<12 x i32> %t)
  %h = call <12 x i32> @llvm.fshl.v12i32(<12 x i32> %c, <12 x i32> %t, <12 x i32> %v)
  %f = bitcast <12 x i32> %h to <12 x float>
  %g = call <12 x float> @llvm.fabs.v12f32(<12 x float> %f)
  %m = call <12 x float> @llvm.maxnum.v12f32(<12 x float> %g, <12 x float> %f)
  %r = call <12 x float> @llvm.floor.v12f32(<12 x float> %m)
  %i = bitcast <12 x float> %r to <12 x i32>
  %u = call i32 @llvm.umin.i32(i32 %n, i32 7)
  %w = shufflevector <12 x i32> %i, <12 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 0, i32 0, i32 0, i32 poison>
  call void @llvm.genx.oword.st.v16i32(i32 %b, i32 %u, <16 x i32> %w)
  ret void
}
attributes #0 = { "cm-kernel" }
