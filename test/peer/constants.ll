; Constants to the bit. The witness is LLVM 14, which reads the text and prints what it understood.
; RUN: cm-print-vc %s | llvm-as-14 | llvm-dis-14 | %FileCheck %s

declare void @llvm.genx.oword.st.v4f32(i32, i32, <4 x float>)
declare void @llvm.genx.oword.st.v8f16(i32, i32, <8 x half>)
declare void @llvm.genx.oword.st.v2f64(i32, i32, <2 x double>)
declare void @llvm.genx.oword.st.v4i32(i32, i32, <4 x i32>)
declare void @llvm.genx.oword.st.v2i64(i32, i32, <2 x i64>)
declare void @llvm.genx.oword.st.v16i8(i32, i32, <16 x i8>)

define void @k(i32 "cm-kind"="surface" %b, <4 x i32> %v) #0 {
; A third in float; the smallest denormal; a quiet NaN with a payload; a signalling NaN.
; CHECK: <4 x float> <float 0x3FD5555560000000, float 0x36A0000000000000, float 0x7FFBCDE000000000, float 0x7FF0000020000000>
  call void @llvm.genx.oword.st.v4f32(i32 %b, i32 0, <4 x float> <float 0x3FD5555560000000, float 0x36A0000000000000, float 0x7FFBCDE000000000, float 0x7FF0000020000000>)
; CHECK: <4 x float> <float -0.000000e+00, float 0xFFF0000000000000, float 1.000000e+00, float undef>
  call void @llvm.genx.oword.st.v4f32(i32 %b, i32 1, <4 x float> <float -0.0, float 0xFFF0000000000000, float 1.0, float poison>)
; CHECK: <8 x half> <half 0xH3C00, half 0xH0001, half 0xH7C01, half 0xHFE00, half 0xH8000, half 0xH7BFF, half 0xH0000, half undef>
  call void @llvm.genx.oword.st.v8f16(i32 %b, i32 2, <8 x half> <half 0xH3C00, half 0xH0001, half 0xH7C01, half 0xHFE00, half 0xH8000, half 0xH7BFF, half 0xH0000, half undef>)
; CHECK: <2 x double> <double 1.000000e-01, double 0x7FF0000000000001>
  call void @llvm.genx.oword.st.v2f64(i32 %b, i32 3, <2 x double> <double 1.000000e-01, double 0x7FF0000000000001>)
; CHECK: <4 x i32> <i32 -2147483648, i32 2147483647, i32 -1, i32 0>
  call void @llvm.genx.oword.st.v4i32(i32 %b, i32 4, <4 x i32> <i32 -2147483648, i32 2147483647, i32 -1, i32 0>)
; CHECK: <2 x i64> <i64 -9223372036854775808, i64 9223372036854775807>
  call void @llvm.genx.oword.st.v2i64(i32 %b, i32 5, <2 x i64> <i64 -9223372036854775808, i64 9223372036854775807>)
; CHECK: <16 x i8> zeroinitializer
  call void @llvm.genx.oword.st.v16i8(i32 %b, i32 6, <16 x i8> zeroinitializer)
; CHECK: <4 x i32> undef
  call void @llvm.genx.oword.st.v4i32(i32 %b, i32 7, <4 x i32> poison)
; CHECK: select <4 x i1> <i1 true, i1 false, i1 undef, i1 true>, <4 x i32> %{{.*}}, <4 x i32> <i32 7, i32 7, i32 7, i32 7>
  %s = select <4 x i1> <i1 true, i1 false, i1 undef, i1 true>, <4 x i32> %v, <4 x i32> splat (i32 7)
  call void @llvm.genx.oword.st.v4i32(i32 %b, i32 8, <4 x i32> %s)
  ret void
}
attributes #0 = { "cm-kernel" }
