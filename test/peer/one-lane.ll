; A vector of one lane, which SPIR-V lacks, is its element, in types and constants. Names keep .v1, and declarations mark it.
; RUN: cm-print-vc %s > %t.vc.ll && %FileCheck %s --input-file %t.vc.ll && sh %S/Inputs/accepted.sh icllp %t.vc.ll %t
; RUN: sh %S/Inputs/accepted.sh icllp %s %t.spirv

declare <16 x i32> @llvm.genx.oword.ld.v16i32(i32, i32, i32)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)
declare <1 x i32> @llvm.genx.rdregioni.v1i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare i32 @llvm.genx.rdregioni.i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v1i32.i16.i1(<16 x i32>, <1 x i32>, i32, i32, i32, i16, i32, i1)

; CHECK: %v1 = call i32 @llvm.genx.rdregioni.v1i32.v16i32.i16(<16 x i32> %v0, i32 0, i32 1, i32 0, i16 8, i32 undef)
; CHECK: %v2 = call i32 @llvm.genx.rdregioni.i32.v16i32.i16(
; CHECK: %v3 = add i32 %v1, 7
; CHECK: %v4 = add i32 %v3, %v2
; CHECK: %v5 = bitcast i32 %v4 to float
; CHECK: %v6 = fcmp olt float %v5, 0x3FF0000000000000
; CHECK: %v7 = select i1 %v6, i32 %v4, i32 %v2
; CHECK: %t0 = insertelement <16 x i32> undef, i32 %v7, i32 0
; CHECK: %t1 = insertelement <16 x i32> %t0, i32 undef, i32 1
; CHECK: %v8 = shufflevector <16 x i32> %t1, <16 x i32> undef, <16 x i32> <i32 0, i32 0,
; CHECK: %v9 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v1i32.i16.i1(<16 x i32> %v8, i32 %v4, i32 1, i32 1, i32 1, i16 4, i32 undef, i1 true)
; CHECK: %v10 = extractelement <16 x i32> %v9, i32 5
; CHECK: %v11 = insertelement <16 x i32> %v9, i32 %v10, i32 0
; CHECK: declare "VCSingleElementVector"="0" i32 @llvm.genx.rdregioni.v1i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
; CHECK: declare i32 @llvm.genx.rdregioni.i32.v16i32.i16(
; CHECK: declare <16 x i32> @llvm.genx.wrregioni.v16i32.v1i32.i16.i1(<16 x i32>, i32 "VCSingleElementVector"="0", i32, i32,
; CHECK-NOT: declare i32
define void @k(i32 "cm-kind"="surface" %b) #0 {
  %v = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %b, i32 0)
  %r = call <1 x i32> @llvm.genx.rdregioni.v1i32.v16i32.i16(<16 x i32> %v, i32 0, i32 1, i32 0, i16 8, i32 undef)
  %x = call i32 @llvm.genx.rdregioni.i32.v16i32.i16(<16 x i32> %v, i32 0, i32 1, i32 0, i16 12, i32 undef)
  %a = add <1 x i32> %r, splat (i32 7)
  %i = insertelement <1 x i32> poison, i32 %x, i32 0
  %s = add <1 x i32> %a, %i
  %f = bitcast <1 x i32> %s to <1 x float>
  %c = fcmp olt <1 x float> %f, <float 1.0>
  %e = select <1 x i1> %c, <1 x i32> %s, <1 x i32> %i
  %w = shufflevector <1 x i32> %e, <1 x i32> poison, <16 x i32> zeroinitializer
  %n = bitcast <1 x i32> %s to i32
  %m = insertelement <1 x i32> poison, i32 %n, i32 0
  %o = call <16 x i32> @llvm.genx.wrregioni.v16i32.v1i32.i16.i1(<16 x i32> %w, <1 x i32> %m, i32 1, i32 1, i32 1, i16 4, i32 undef, i1 true)
  %p = shufflevector <16 x i32> %o, <16 x i32> poison, <1 x i32> <i32 5>
  %q = extractelement <1 x i32> %p, i32 0
  %t = insertelement <16 x i32> %o, i32 %q, i32 0
  call void @llvm.genx.oword.st.v16i32(i32 %b, i32 0, <16 x i32> %t)
  ret void
}
attributes #0 = { "cm-kernel" }
