; Kernel arguments by kind; an image's access by its [[type]], else by what the kernel does with it.
; RUN: cm-print-vc %s > %t.vc.ll && %FileCheck %s --input-file %t.vc.ll && sh %S/Inputs/accepted.sh icllp %t.vc.ll %t
; RUN: sh %S/Inputs/accepted.sh icllp %s %t.spirv

; Each opaque type comes once, with the function that makes a number of it.
; CHECK-DAG: %intel.buffer_rw_t = type opaque{{$}}
; CHECK-DAG: declare i32 @llvm.genx.address.convert.i32.p1intel.buffer_rw_t(%intel.buffer_rw_t addrspace(1)*)
; CHECK-DAG: %opencl.sampler_t = type opaque{{$}}
; CHECK-DAG: declare i32 @llvm.genx.address.convert.i32.p2opencl.sampler_t(%opencl.sampler_t addrspace(2)*)
; CHECK-DAG: %opencl.image2d_rw_t = type opaque{{$}}
; CHECK-DAG: declare i32 @llvm.genx.address.convert.i32.p1opencl.image2d_rw_t(%opencl.image2d_rw_t addrspace(1)*)

declare <16 x i32> @llvm.genx.oword.ld.v16i32(i32, i32, i32)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)
declare <64 x i8> @llvm.genx.media.ld.v64i8(i32, i32, i32, i32, i32, i32)
declare void @llvm.genx.media.st.v64i8(i32, i32, i32, i32, i32, i32, <64 x i8>)

; CHECK-LABEL: define dllexport spir_kernel void @buffers(%intel.buffer_rw_t addrspace(1)* %p.a, %intel.buffer_rw_t addrspace(1)* %p.b, i32 %p.n) #0 "VCFloatControl"="0" {
; CHECK: %h.a = call i32 @llvm.genx.address.convert.i32.p1intel.buffer_rw_t(%intel.buffer_rw_t addrspace(1)* %p.a)
; CHECK: call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %h.a, i32 %p.n)
; CHECK: call void @llvm.genx.oword.st.v16i32(i32 %h.b, i32 %p.n,
define void @buffers(i32 "cm-kind"="surface" "cm-type"="buffer_t" %a, i32 "cm-kind"="surface" %b, i32 "cm-kind"="value" %n) #0 "VCFloatControl"="0" {
  %v = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %a, i32 %n)
  call void @llvm.genx.oword.st.v16i32(i32 %b, i32 %n, <16 x i32> %v)
  ret void
}

; CHECK-LABEL: define dllexport spir_kernel void @images(%opencl.image2d_ro_t addrspace(1)* "VCMediaBlockIO" %p.in, %opencl.image2d_wo_t addrspace(1)* "VCMediaBlockIO" %p.out, %opencl.image2d_rw_t addrspace(1)* "VCMediaBlockIO" %p.both, %opencl.image2d_rw_t addrspace(1)* "VCMediaBlockIO" %p.said) #0 "VCFloatControl"="0" {
define void @images(i32 "cm-kind"="surface" "cm-type"="image2d_t" %in, i32 "cm-kind"="surface" %out, i32 "cm-kind"="surface" "cm-type"="image2d_t" %both, i32 "cm-kind"="surface" "cm-type"="image2d_media_block_t read_write" %said) #0 "VCFloatControl"="0" {
  %v = call <64 x i8> @llvm.genx.media.ld.v64i8(i32 0, i32 %in, i32 0, i32 8, i32 0, i32 0)
  %w = call <64 x i8> @llvm.genx.media.ld.v64i8(i32 0, i32 %both, i32 0, i32 8, i32 0, i32 0)
  %x = add <64 x i8> %v, %w
  call void @llvm.genx.media.st.v64i8(i32 0, i32 %out, i32 0, i32 8, i32 0, i32 0, <64 x i8> %x)
  call void @llvm.genx.media.st.v64i8(i32 0, i32 %both, i32 0, i32 8, i32 0, i32 0, <64 x i8> %x)
  call void @llvm.genx.media.st.v64i8(i32 0, i32 %said, i32 0, i32 8, i32 0, i32 0, <64 x i8> %x)
  ret void
}

; CHECK-LABEL: define dllexport spir_kernel void @addresses(i8 addrspace(1)* %p.a, i8 addrspace(1)* %p.b, float %p.f, i64 %p.3, %opencl.sampler_t addrspace(2)* %p.s) #0 "VCFloatControl"="0" {
; CHECK: %h.a = ptrtoint i8 addrspace(1)* %p.a to i64
; CHECK: inttoptr i64 %h.a to i8 addrspace(1)*
; CHECK: bitcast i8 addrspace(1)* %p.b to float addrspace(1)*
define void @addresses(i64 "cm-kind"="svmptr" %a, ptr addrspace(1) "cm-kind"="pointer" %b, float %f, i64, i32 "cm-kind"="sampler" "cm-type"="sampler_t" %s) #0 "VCFloatControl"="0" {
  %p = inttoptr i64 %a to ptr addrspace(1)
  store float %f, ptr addrspace(1) %p, align 4
  store float %f, ptr addrspace(1) %b, align 4
  ret void
}

; CHECK-LABEL: define dllexport spir_kernel void @"na\C3\AFve"(i32 %"p.\C3\A9t\C3\A9") #0 "VCFloatControl"="0" {
define void @"na\C3\AFve"(i32 %"\C3\A9t\C3\A9") #0 "VCFloatControl"="0" {
  ret void
}

attributes #0 = { "cm-kernel" }
