; Numbers that types do not show: channels, elements, sources of atomic operations. Each function has one fault.
; RUN: not cm-check-genx %s 2>&1 | %FileCheck %s

; CHECK: llvm.genx.gather4.scaled.v8i32.v8i1.v8i32: its data has not the lanes of the channels that its mask moves
; CHECK: llvm.genx.svm.scatter4.scaled.v8i1.v8i64.v24i32: its channel mask moves none of the four channels, or more
; CHECK: llvm.genx.lsc.load.stateless.v16i32.v1i1.v1i64: its number of elements is none of LSC_DATA_ELEMS
; CHECK: llvm.genx.lsc.store.bti.v16i1.v16i32.v128i32: its data has not the lanes of its number of elements (LSC_DATA_ELEMS)
; CHECK: llvm.genx.lsc.xatomic.bti.v16i32.v16i1.v16i32: a source that its atomic operation lacks is not undef
; CHECK: llvm.genx.lsc.prefetch.bti.v16i1.v16i32: an operand that must be a constant is none
; CHECK-NOT: error

declare <8 x i32> @llvm.genx.gather4.scaled.v8i32.v8i1.v8i32(<8 x i1>, i32, i16, i32, i32, <8 x i32>, <8 x i32>)
declare void @llvm.genx.svm.scatter4.scaled.v8i1.v8i64.v24i32(<8 x i1>, i32, i16, i64, <8 x i64>, <24 x i32>)
declare <16 x i32> @llvm.genx.lsc.load.stateless.v16i32.v1i1.v1i64(<1 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <1 x i64>, i32)
declare void @llvm.genx.lsc.store.bti.v16i1.v16i32.v128i32(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i32>, <128 x i32>, i32)
declare <16 x i32> @llvm.genx.lsc.xatomic.bti.v16i32.v16i1.v16i32(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i32>, <16 x i32>, <16 x i32>, i32, <16 x i32>)
declare void @llvm.genx.lsc.prefetch.bti.v16i1.v16i32(<16 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <16 x i32>, i32)

; One channel of 8 lanes: 1, and not the three others.
define void @channels(<8 x i1> %m, i32 %s, <8 x i32> %o, <8 x i64> %a, <24 x i32> %d) {
  %good = call <8 x i32> @llvm.genx.gather4.scaled.v8i32.v8i1.v8i32(<8 x i1> %m, i32 1, i16 0, i32 %s, i32 0, <8 x i32> %o, <8 x i32> undef)
  %wrong = call <8 x i32> @llvm.genx.gather4.scaled.v8i32.v8i1.v8i32(<8 x i1> %m, i32 14, i16 0, i32 %s, i32 0, <8 x i32> %o, <8 x i32> undef)
  call void @llvm.genx.svm.scatter4.scaled.v8i1.v8i64.v24i32(<8 x i1> %m, i32 7, i16 0, i64 0, <8 x i64> %a, <24 x i32> %d)
  call void @llvm.genx.svm.scatter4.scaled.v8i1.v8i64.v24i32(<8 x i1> %m, i32 0, i16 0, i64 0, <8 x i64> %a, <24 x i32> %d)
  ret void
}

; 16 elements are number 6, 8 are number 5.
define void @elements(<1 x i64> %a, <16 x i1> %m, i32 %s, <16 x i32> %o, <128 x i32> %d, i8 %n) {
  %good = call <16 x i32> @llvm.genx.lsc.load.stateless.v16i32.v1i1.v1i64(<1 x i1> <i1 true>, i8 0, i8 0, i8 0, i16 1, i32 0, i8 3, i8 6, i8 2, i8 0, <1 x i64> %a, i32 0)
  %wrong = call <16 x i32> @llvm.genx.lsc.load.stateless.v16i32.v1i1.v1i64(<1 x i1> <i1 true>, i8 0, i8 0, i8 0, i16 1, i32 0, i8 3, i8 16, i8 2, i8 0, <1 x i64> %a, i32 0)
  call void @llvm.genx.lsc.store.bti.v16i1.v16i32.v128i32(<16 x i1> %m, i8 4, i8 0, i8 0, i16 1, i32 0, i8 3, i8 5, i8 1, i8 0, <16 x i32> %o, <128 x i32> %d, i32 %s)
  call void @llvm.genx.lsc.store.bti.v16i1.v16i32.v128i32(<16 x i1> %m, i8 4, i8 0, i8 0, i16 1, i32 0, i8 3, i8 8, i8 1, i8 0, <16 x i32> %o, <128 x i32> %d, i32 %s)
  call void @llvm.genx.lsc.prefetch.bti.v16i1.v16i32(<16 x i1> %m, i8 0, i8 2, i8 2, i16 1, i32 0, i8 3, i8 %n, i8 1, i8 0, <16 x i32> %o, i32 %s)
  ret void
}

; An increment (8) has no operand, an addition (12) one.
define void @sources(<16 x i1> %m, i32 %s, <16 x i32> %o) {
  %good = call <16 x i32> @llvm.genx.lsc.xatomic.bti.v16i32.v16i1.v16i32(<16 x i1> %m, i8 12, i8 0, i8 0, i16 1, i32 0, i8 3, i8 1, i8 1, i8 0, <16 x i32> %o, <16 x i32> %o, <16 x i32> undef, i32 %s, <16 x i32> undef)
  %wrong = call <16 x i32> @llvm.genx.lsc.xatomic.bti.v16i32.v16i1.v16i32(<16 x i1> %m, i8 8, i8 0, i8 0, i16 1, i32 0, i8 3, i8 1, i8 1, i8 0, <16 x i32> %o, <16 x i32> zeroinitializer, <16 x i32> undef, i32 %s, <16 x i32> undef)
  ret void
}
