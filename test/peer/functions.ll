; Functions that are called: parameters by name, results put together at the end, subroutines and functions on the stack.
; RUN: cm-print-vc %s > %t.vc.ll && %FileCheck %s --input-file %t.vc.ll && sh %S/Inputs/accepted.sh icllp %t.vc.ll %t
; RUN: sh %S/Inputs/accepted.sh icllp %s %t.spirv

; CHECK: define dllexport spir_kernel void @k(i32 %p.n) #0
; CHECK: call spir_func void @quiet(i32 %p.n)
; CHECK: [[R:%v[0-9]+]] = call spir_func { i32, <8 x i32> } @sum(<8 x i32> zeroinitializer, i32 %p.n)
; CHECK: extractvalue { i32, <8 x i32> } [[R]], 0
define spir_func void @k(i32 "cm-kind"="value" %n) "cm-kernel" {
  call void @quiet(i32 %n)
  %r = call { i32, <8 x i32> } @sum(<8 x i32> zeroinitializer, i32 %n)
  %s = extractvalue { i32, <8 x i32> } %r, 0
  call void @quiet(i32 %s)
  ret void
}

; CHECK: define internal spir_func { i32, <8 x i32> } @sum(<8 x i32> %p.v, i32 %p.n) #2 {
; CHECK: [[T:%t[0-9]+]] = insertvalue { i32, <8 x i32> } undef, i32 {{.*}}, 0
; CHECK-NEXT: [[U:%t[0-9]+]] = insertvalue { i32, <8 x i32> } [[T]], <8 x i32> {{.*}}, 1
; CHECK-NEXT: ret { i32, <8 x i32> } [[U]]
define internal { i32, <8 x i32> } @sum(<8 x i32> %v, i32 %n) "cm-call"="stack" {
  %m = sub i32 %n, 1
  %w = add <8 x i32> %v, %v
  call void @cm.return.1(i32 %m, <8 x i32> %w)
  ret { i32, <8 x i32> } undef
}

; CHECK: define internal spir_func void @quiet(i32 %p.n) #1 {
; CHECK-NEXT: b0:
; CHECK-NEXT: ret void
define internal void @quiet(i32 %n) "cm-call"="subroutine" {
  ret void
}

declare void @cm.return.1(i32, <8 x i32>)

; CHECK: attributes #1 = { noinline nounwind "VCFunction" }
; CHECK: attributes #2 = { noinline nounwind "VCFunction" "VCStackCall" }
