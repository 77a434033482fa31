; Every instruction in the older spelling: typed pointers with casts on the spot, no newer flags, freeze passed through.
; RUN: cm-print-vc %s > %t.vc.ll && %FileCheck %s --input-file %t.vc.ll && sh %S/Inputs/accepted.sh icllp %t.vc.ll %t
; RUN: sh %S/Inputs/accepted.sh icllp %s %t.spirv

declare <16 x i32> @llvm.genx.oword.ld.v16i32(i32, i32, i32)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)
declare i1 @llvm.genx.any.v16i1(<16 x i1>)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.assume(i1)

; CHECK-LABEL: @integers
; CHECK: %v1 = add nuw nsw <16 x i32> %v0, %v0
; CHECK: %v2 = shl nsw <16 x i32> %v1, <i32 3,
; CHECK: %v3 = or <16 x i32> %v2, %v0
; CHECK: %v4 = udiv exact <16 x i32> %v3, <i32 5,
; CHECK: %v5 = trunc <16 x i32> %v4 to <16 x i16>
; CHECK: %v6 = zext <16 x i16> %v5 to <16 x i32>
; CHECK: %v7 = icmp sle <16 x i32> %v6, %v0
; CHECK: %v8 = select <16 x i1> %v7, <16 x i32> %v6, <16 x i32> %v3
; CHECK: %v9 = insertelement <16 x i32> %v8, i32 %p.n, i32 3
; CHECK: %v10 = extractelement <16 x i32> %v9, i32 %p.n
; CHECK: %v11 = insertelement <16 x i32> %v9, i32 %v10, i32 %p.n
; CHECK: call void @llvm.genx.oword.st.v16i32(i32 %h.b, i32 0, <16 x i32> %v11)
define void @integers(i32 "cm-kind"="surface" %b, i32 %n) #0 {
  %v = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %b, i32 0)
  %a = add nuw nsw <16 x i32> %v, %v
  %s = shl nsw <16 x i32> %a, splat (i32 3)
  %o = or disjoint <16 x i32> %s, %v
  %d = udiv exact <16 x i32> %o, splat (i32 5)
  %t = trunc nuw nsw <16 x i32> %d to <16 x i16>
  %z = zext nneg <16 x i16> %t to <16 x i32>
  %c = icmp sle <16 x i32> %z, %v
  %e = select <16 x i1> %c, <16 x i32> %z, <16 x i32> %o
  %i = insertelement <16 x i32> %e, i32 %n, i32 3
  %f = freeze <16 x i32> %i
  %x = extractelement <16 x i32> %f, i32 %n
  %j = insertelement <16 x i32> %f, i32 %x, i32 %n
  call void @llvm.genx.oword.st.v16i32(i32 %b, i32 0, <16 x i32> %j)
  ret void
}

; CHECK-LABEL: @floats
; CHECK: %v1 = bitcast <16 x i32> %v0 to <16 x float>
; CHECK: %v2 = fneg <16 x float> %v1
; CHECK: %v3 = fmul contract <16 x float> %v2, %v1
; CHECK: %v4 = fdiv nnan arcp <16 x float> %v3, %v1
; CHECK: %v5 = fcmp uge <16 x float> %v4, zeroinitializer
; CHECK: %v6 = uitofp <16 x i1> %v5 to <16 x float>
; CHECK: %v7 = fptosi <16 x float> %v6 to <16 x i32>
; CHECK: %v8 = fptrunc <16 x float> %v6 to <16 x half>
; CHECK: %v9 = fpext <16 x half> %v8 to <16 x float>
; CHECK: %v10 = fptoui <16 x float> %v9 to <16 x i32>
define void @floats(i32 "cm-kind"="surface" %b) #0 {
  %v = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %b, i32 0)
  %f = bitcast <16 x i32> %v to <16 x float>
  %g = fneg <16 x float> %f
  %m = fmul contract <16 x float> %g, %f
  %d = fdiv nnan arcp <16 x float> %m, %f
  %c = fcmp uge <16 x float> %d, zeroinitializer
  %u = uitofp <16 x i1> %c to <16 x float>
  %i = fptosi <16 x float> %u to <16 x i32>
  %h = fptrunc <16 x float> %u to <16 x half>
  %w = fpext <16 x half> %h to <16 x float>
  %j = fptoui <16 x float> %w to <16 x i32>
  %s = add <16 x i32> %i, %j
  call void @llvm.genx.oword.st.v16i32(i32 %b, i32 0, <16 x i32> %s)
  ret void
}

; CHECK-LABEL: @branches
; CHECK: b0:
; CHECK: br label %b1
; CHECK: b1:
; CHECK: %v1 = phi <16 x i32> [ %v0, %b0 ], [ %v4, %b1 ]
; CHECK: %v2 = phi i32 [ 0, %b0 ], [ %v3, %b1 ]
; CHECK: br i1 %v6, label %b1, label %b2
; CHECK: switch i32 %p.n, label %b5 [ i32 1, label %b3 i32 -5, label %b4 ]
; CHECK: br i1 %v7, label %b3, label %b7
define void @branches(i32 "cm-kind"="surface" %b, i32 %n) #0 {
entry:
  %v = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %b, i32 0)
  br label %loop
loop:
  %p = phi <16 x i32> [ %v, %entry ], [ %q, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %q = mul <16 x i32> %p, %v
  %c = icmp ne <16 x i32> %q, zeroinitializer
  %any = call i1 @llvm.genx.any.v16i1(<16 x i1> %c)
  br i1 %any, label %loop, label %done
done:
  switch i32 %n, label %end [ i32 1, label %one
    i32 -5, label %five ]
one:
  call void @llvm.genx.oword.st.v16i32(i32 %b, i32 %j, <16 x i32> %q)
  br label %end
five:
  call void @llvm.genx.oword.st.v16i32(i32 %b, i32 0, <16 x i32> %q)
  br label %end
end:
  %more = icmp sgt i32 %n, 7
  switch i1 %more, label %never [ i1 false, label %last
    i1 true, label %one ]
never:
  unreachable
last:
  ret void
}

; CHECK-LABEL: @memory
; CHECK: %t0 = bitcast i8 addrspace(1)* %p.p to { i32, [4 x float] } addrspace(1)*
; CHECK: %t1 = getelementptr inbounds { i32, [4 x float] }, { i32, [4 x float] } addrspace(1)* %t0, i64 %p.i, i32 1, i64 2
; CHECK: %v0 = bitcast float addrspace(1)* %t1 to i8 addrspace(1)*
; CHECK: %t2 = bitcast i8 addrspace(1)* %v0 to float addrspace(1)*
; CHECK: %v1 = load volatile float, float addrspace(1)* %t2, align 4
; CHECK: %v2 = ptrtoint i8 addrspace(1)* %p.p to i64
; CHECK: %v3 = inttoptr i64 %v2 to i8 addrspace(1)*
; CHECK: store float %v1, float addrspace(1)* %t3, align 8
; CHECK: store <4 x i32> zeroinitializer, <4 x i32> addrspace(1)* %t6, align 16
; CHECK-NOT: call
define void @memory(ptr addrspace(1) "cm-kind"="pointer" %p, i64 %i) #0 {
  %a = getelementptr inbounds nuw {i32, [4 x float]}, ptr addrspace(1) %p, i64 %i, i32 1, i64 2
  %x = load volatile float, ptr addrspace(1) %a, align 4
  %n = ptrtoint ptr addrspace(1) %p to i64
  %q = inttoptr i64 %n to ptr addrspace(1)
  store float %x, ptr addrspace(1) %q, align 8
  %r = getelementptr i8, ptr addrspace(1) %q, i64 16
  store <4 x i32> zeroinitializer, ptr addrspace(1) %r, align 16
  %z = icmp ne i64 %n, 0
  call void @llvm.assume(i1 %z)
  ret void
}
attributes #0 = { "cm-kernel" }
