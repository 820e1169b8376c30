package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/run"
	"github.com/gradine/gradine/gpu/sample"
)

// kernel is a kernel of two parameters; @s is shared, %t the thread, %b its group.
const kernel = `target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [4 x i32] undef, align 4
define ptx_kernel void @k(ptr noundef %p, i32 noundef %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %pt = getelementptr inbounds i32, ptr %p, i32 %t
  %st = getelementptr inbounds [4 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 0, i32 %t
  BODY
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
`

// A run of two threads in two groups finds the fault that is there, says which threads show it, or
// why it cannot decide.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		body   string
		groups int64
		want   string
	}{
		{"store i32 %t, ptr %pt, align 4\nret void", 1, "none"},
		{"store i32 %t, ptr %pt, align 4\nret void", 2, "none"},
		{"store i32 %b, ptr %pt, align 4\nret void", 2, "race-ww: one thread writes global memory p here, another writes it in line 9 [[[0 0 0] [1 0 0]] [[0 0 0] [0 0 0]]]"},
		{"store i32 %t, ptr %p, align 4\nret void", 1, "race-ww: one thread writes global memory p here, another writes it in line 9 [[[1 0 0] [0 0 0]] [[0 0 0] [0 0 0]]]"},
		{"store i32 7, ptr %p, align 4\nret void", 1, "none"},
		{"%x = atomicrmw add ptr %p, i32 1 monotonic, align 4\nret void", 1, "none"},
		{"store i32 %t, ptr %st, align 4\n%x = load i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), align 4\nret void", 1, "race-rw: one thread reads local memory s here, another writes it in line 9 [[[1 0 0] [0 0 0]] [[0 0 0] [0 0 0]]]"},
		{"store i32 %t, ptr %st, align 4\ncall void @llvm.nvvm.barrier0()\n%x = load i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), align 4\nret void", 1, "none"},
		{"%c = icmp eq i32 %t, 0\nbr i1 %c, label %one, label %two\none:\ncall void @llvm.nvvm.barrier0()\nbr label %two\ntwo:\nret void", 1, "divergence: one thread waits at this barrier, another of its group does not come to it [[[0 0 0] [0 0 0]] [[1 0 0] [0 0 0]]]"},
		{"%x = udiv i32 1, %t\nstore i32 %x, ptr %pt, align 4\nret void", 1, "division: division by zero [[[0 0 0] [0 0 0]]]"},
		{"%far = getelementptr inbounds [4 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 0, i32 4\nstore i32 1, ptr %far, align 4\nret void", 1, "bounds: index into memory local memory s [[[0 0 0] [0 0 0]]]"},
		{"%m = add nsw i32 %n, 2147483647\nstore i32 %m, ptr %pt, align 4\nret void", 1, "overflow: signed overflow [[[0 0 0] [0 0 0]]]"},
		{"br label %loop\nloop:\nbr label %loop", 1, "undecided: line 11: the budget of steps for runs is exhausted"},
		{"call void asm \"nop\", \"\"()\nret void", 1, "undecided: line 9: an unsupported call"},
	} {
		m := sample.Module(t, strings.Replace(kernel, "BODY", c.body, 1))
		fault, why := run.Kernel(m, m.Function("k"), run.Launch{
			Local: [3]int64{2, 1, 1}, Groups: [3]int64{c.groups, 1, 1}, Values: map[string]int64{"n": 1}, Bounds: true, Overflow: true,
		})
		got := "none"
		switch {
		case why != "":
			got = "undecided: " + why
		case fault != nil:
			got = fmt.Sprintf("%s: %s %v", fault.Kind, fault.Why, fault.Threads)
		}
		if got != c.want {
			t.Errorf("%s\n\t%q", c.body, got)
		}
	}
}
