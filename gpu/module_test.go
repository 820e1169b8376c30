package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// heads are what modules for each target begin with.
const (
	nvptx  = "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n"
	spir   = "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024\"\ntarget triple = \"spir64\"\n"
	amdgpu = "target datalayout = \"e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-i64:64\"\ntarget triple = \"amdgcn-amd-amdhsa\"\n"
)

// doubledTypes are structures of which each has the one before twice.
func doubledTypes(n int) string {
	out := "%t0 = type { i32 }\n"
	for k := range n {
		out += fmt.Sprintf("%%t%d = type { %%t%d, %%t%[2]d }\n", k+1, k)
	}
	return out
}

func hashedSteps(n int) (out string) {
	for k := range n {
		out += fmt.Sprintf("  %%s%d = lshr i64 %%x%[1]d, 3\n  %%m%[1]d = mul i64 %%x%[1]d, %%s%[1]d\n  %%x%d = add i64 %%x%[1]d, %%m%[1]d\n", k, k+1)
	}
	return out
}

// TestModules judges modules written by hand, in the shapes that compilers emit.
func TestModules(t *testing.T) {
	launched := gpu.Options{}
	launched.Launch.Local, launched.Launch.Groups = [3]int64{64, 1, 1}, [3]int64{0, 1, 1}
	for _, c := range []struct {
		name, text string
		want       gpu.Verdict
		why        string // in the reason, or in the first check that does not hold
	}{
		{"add", spir + `
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %j = trunc i64 %i to i32
  %c = icmp slt i32 %j, %n
  br i1 %c, label %then, label %end
then:
  %w = sext i32 %j to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %w
  %x = load float, ptr addrspace(1) %p
  %y = fadd float %x, 1.0
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %w
  store float %y, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Safe, ""},
		{"neighbour", spir + `
define spir_kernel void @k(ptr addrspace(1) %a) {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 1
  %x = load float, ptr addrspace(1) %q
  store float %x, ptr addrspace(1) %p
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Unsafe, "race-rw"},
		// Two shorts lie where one int does: cells are as large as both allow.
		{"halves", spir + `
define spir_kernel void @k(ptr addrspace(1) %a) {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  %q = getelementptr inbounds i16, ptr addrspace(1) %a, i64 %i
  %x = load i16, ptr addrspace(1) %q
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Unsafe, "race-rw"},
		// Without inbounds an address wraps: 2⁶¹ floats further is the same place.
		{"wraps", spir + `
define spir_kernel void @k(ptr addrspace(1) %a) {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %far = mul i64 %i, 2305843009213693952
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %far
  store i64 %i, ptr addrspace(1) %p
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Unsafe, "race-ww"},
		{"shared", nvptx + `
@s = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 0, i64 %w
  store float 1.0, ptr %p
  call void @llvm.nvvm.barrier0()
  %r = sub nuw nsw i64 63, %w
  %q = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 0, i64 %r
  %x = load float, ptr %q
  %g = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %b = mul i32 %g, 64
  %i = add i32 %b, %t
  %wi = zext i32 %i to i64
  %o = getelementptr inbounds float, ptr %out, i64 %wi
  store float %x, ptr %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
`, gpu.Safe, ""},
		// A barrier of AMD orders what the fences around it order: here the one behind is missing.
		{"bare barrier", amdgpu + `
@s = internal addrspace(3) global [64 x float] undef, align 4
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr inbounds [64 x float], ptr addrspace(3) @s, i32 0, i32 %t
  store float 1.0, ptr addrspace(3) %p
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  %r = sub i32 63, %t
  %q = getelementptr inbounds [64 x float], ptr addrspace(3) @s, i32 0, i32 %r
  %x = load float, ptr addrspace(3) %q
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
`, gpu.Possible, "race-rw"},
		{"fenced barrier", amdgpu + `
@s = internal addrspace(3) global [64 x float] undef, align 4
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr inbounds [64 x float], ptr addrspace(3) @s, i32 0, i32 %t
  store float 1.0, ptr addrspace(3) %p
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %r = sub i32 63, %t
  %q = getelementptr inbounds [64 x float], ptr addrspace(3) @s, i32 0, i32 %r
  %x = load float, ptr addrspace(3) %q
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
`, gpu.Safe, ""},
		// What a phi chooses between is followed through a loop.
		{"pointers in turn", spir + `
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %i = call i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %q, %loop ]
  %q = phi ptr addrspace(1) [ %b, %entry ], [ %p, %loop ]
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  store i32 %k, ptr addrspace(1) %at
  %k1 = add nuw nsw i32 %k, 1
  %c = icmp slt i32 %k1, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Safe, ""},
		// A variable that is set behind a read of it: the read keeps the old value.
		{"old value", spir + `
define spir_kernel void @k(ptr addrspace(1) %a) {
  %v = alloca i64
  %i = call i64 @_Z13get_global_idj(i32 0)
  store i64 %i, ptr %v
  %was = load i64, ptr %v
  store i64 0, ptr %v
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %was
  store i32 1, ptr addrspace(1) %p
  %now = load i64, ptr %v
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Safe, ""},
		{"new value", spir + `
define spir_kernel void @k(ptr addrspace(1) %a) {
  %v = alloca i64
  %i = call i64 @_Z13get_global_idj(i32 0)
  store i64 %i, ptr %v
  %was = load i64, ptr %v
  store i64 0, ptr %v
  %now = load i64, ptr %v
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %now
  store i64 %was, ptr addrspace(1) %p
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Unsafe, "race-ww"},
		{"trunc takes the lowest bit", spir + `
define spir_kernel void @k(ptr addrspace(1) %a, i32 %n) {
  %i = call i64 @_Z13get_global_idj(i32 0)
  %two = shl i32 %n, 1
  %c = trunc i32 %two to i1
  br i1 %c, label %then, label %end
then:
  store i64 %i, ptr addrspace(1) %a
  br label %end
end:
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Safe, ""},
		{"divergence", nvptx + `
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 32
  br i1 %c, label %then, label %end
then:
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
`, gpu.Unsafe, "divergence"},
		{"pointer from memory", nvptx + `
define ptx_kernel void @k(ptr %a) {
  %p = load ptr, ptr %a
  store i32 1, ptr %p
  ret void
}
`, gpu.Unsupported, "a pointer read from memory"},
		{"integer as a pointer", nvptx + `
define ptx_kernel void @k(i64 %a) {
  %p = inttoptr i64 %a to ptr
  store i32 1, ptr %p
  ret void
}
`, gpu.Unsupported, "an integer as a pointer"},
		{"intrinsic", nvptx + `
define ptx_kernel void @k() {
  call void @llvm.nvvm.frobnicate()
  ret void
}
declare void @llvm.nvvm.frobnicate() memory(none) willreturn
`, gpu.Unsupported, "llvm.nvvm.frobnicate"},
		{"no body", nvptx + `
define ptx_kernel void @k() {
  call void @f()
  ret void
}
declare void @f()
`, gpu.Unsupported, "function f, which has no body here"},
		{"plain", nvptx + `
define ptx_kernel void @k(ptr %a) {
  %i = call i32 @f(i32 1)
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %a, i32 %i
  store i32 2, ptr %q
  ret void
}
declare i32 @f(i32) memory(none) willreturn nounwind
`, gpu.Possible, "race-ww"},
		{"plain that may wait", nvptx + `
define ptx_kernel void @k() {
  %i = call i32 @f(i32 1)
  ret void
}
declare i32 @f(i32) convergent memory(none) willreturn nounwind
`, gpu.Unsupported, "may wait for other threads"},
		{"not disjoint", nvptx + `
define ptx_kernel void @k(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = or disjoint i32 %t, 1
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 %t, ptr %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`, gpu.Unsafe, "race-ww"},
		{"disjoint", nvptx + `
define ptx_kernel void @k(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = and i32 %t, 1023
  %s = shl i32 %u, 1
  %i = or disjoint i32 %s, 1
  %q = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(3) @s, i64 %q
  store i32 %t, ptr addrspace(3) %p
  ret void
}
@s = internal addrspace(3) global [4096 x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`, gpu.Safe, ""},
		{"texture", nvptx + `
define ptx_kernel void @k(ptr %a, i64 %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = call i32 @_Z10tex1DfetchIiET_yi(i64 %x, i32 %t)
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 %t, ptr %p
  ret void
}
declare i32 @_Z10tex1DfetchIiET_yi(i64, i32) convergent memory(none) willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`, gpu.Possible, "race-ww"},
		{"within itself", nvptx + `
%t = type { %t, i32 }
define ptx_kernel void @k(ptr %a, %t %b) {
  %v = alloca %t
  %p = getelementptr %t, ptr %a, i64 1
  ret void
}
`, gpu.Unsupported, "type t"},
		{"doubled", nvptx + doubledTypes(60) + `
define ptx_kernel void @k(ptr %a) {
  %p = getelementptr %t60, ptr %a, i64 1
  ret void
}
`, gpu.Unsupported, "the size of t60"},
		// A value of which each step uses the one before twice does not grow.
		{"hash", spir + `
define spir_kernel void @k(ptr addrspace(1) %a) {
  %x0 = call i64 @_Z13get_global_idj(i32 0)
` + hashedSteps(60) + `
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %x0
  store i64 %x60, ptr addrspace(1) %p
  ret void
}
declare i64 @_Z13get_global_idj(i32)
`, gpu.Safe, ""},
		{"recursion", nvptx + `
define ptx_kernel void @k() {
  call void @f()
  ret void
}
define void @f() {
  call void @f()
  ret void
}
`, gpu.Unsupported, "recursion: f calls itself"},
		{"assembly", nvptx + `
define ptx_kernel void @k() {
  call void asm sideeffect "bar.sync 0;", ""()
  ret void
}
`, gpu.Unsupported, "inline assembly"},
		{"address that is cut", nvptx + `
define ptx_kernel void @k(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %i = ptrtoint ptr %p to i8
  %q = inttoptr i8 %i to ptr
  store i32 %t, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`, gpu.Unsupported, "an integer as a pointer"},
		{"address of another space", nvptx + `
@s = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  %i = ptrtoint ptr addrspace(3) %p to i64
  %q = inttoptr i64 %i to ptr addrspace(1)
  store i32 %t, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`, gpu.Unsupported, "an integer as a pointer"},
		// Addresses of local memory have 32 bits there: of the index those count.
		{"index that is cut", amdgpu + `
@s = internal addrspace(3) global [64 x i32] undef
define amdgpu_kernel void @k() {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %i = shl i64 %w, 32
  %p = getelementptr i32, ptr addrspace(3) @s, i64 %i
  store i32 %t, ptr addrspace(3) %p
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
`, gpu.Possible, "no run confirmed it"},
		{"two ways in", nvptx + `
define ptx_kernel void @k(i1 %c, i1 %d) {
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %end
b:
  br i1 %d, label %a, label %end
end:
  ret void
}
`, gpu.Unsupported, "a loop with two entries"},
		{"uncalled", nvptx + `
define ptx_kernel void @k() {
  ret void
}
define void @f(ptr %a) {
  store i32 1, ptr %a
  ret void
}
`, gpu.Open, "no kernel of this file calls it"},
		{"not reached", nvptx + `
define ptx_kernel void @k(i32 %n) {
  switch i32 %n, label %other [ i32 0, label %end
                                i32 -1, label %end ]
other:
  unreachable
end:
  ret void
}
`, gpu.Unsafe, "assert"},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdict, why := worst(gpu.File(context.Background(), "k.ll", []byte(c.text), launched))
			if verdict != c.want || !strings.Contains(why, c.why) {
				t.Errorf("%s:%s, want %s with %q", verdict, why, c.want, c.why)
			}
		})
	}
}

// TestModuleAdvice asks about a module what only a source answers: it says so.
func TestModuleAdvice(t *testing.T) {
	text := nvptx + "define ptx_kernel void @k(ptr %a) {\n  store i32 1, ptr %a\n  %x = load i32, ptr %a\n  ret void\n}\n"
	for what, got := range map[string][]gpu.Advice{
		"barriers": gpu.Barriers(context.Background(), gpu.Source{Name: "k.ll", Text: []byte(text)}, gpu.Options{}),
		"counts":   gpu.Counts(context.Background(), gpu.Source{Name: "k.ll", Text: []byte(text)}, gpu.Options{}),
	} {
		if len(got) != 1 || !strings.Contains(got[0].Text, "only") {
			t.Errorf("%s: %+v", what, got)
		}
	}
}
