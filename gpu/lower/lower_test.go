package lower_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/sample"
	"github.com/gradine/gradine/internal/golden"
)

// A kernel of a module becomes a program: variables out of memory, pointers traced, calls inlined.
func TestPrograms(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		p, problem := sample.Lowered(t, in, launch.Options{Overflow: true})
		if problem != "" {
			return problem
		}
		return sample.Print(p)
	})
}

// What the tables of meanings do not have is refused by name; so is a pointer whose target is unknown. Nothing is said of
// what is understood.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"%x = load ptr, ptr %p, align 8\nstore i32 0, ptr %x, align 4", "4:1: a pointer read from memory, whose target type the source does not state"},
		{"%x = inttoptr i64 4096 to ptr\nstore i32 0, ptr %x, align 4", "3:1: an integer as a pointer"},
		{"call void @unknown(ptr %p)", "3:1: function unknown, which has no body here, and is not declared to touch no memory and always return"},
		{"call void asm sideeffect \"bar.sync 1;\", \"\"()", "3:1: inline assembly \"bar.sync 1;\""},
		{"call void asm sideeffect \"{ bar.sync 1; }\", \"\"()", "3:1: inline assembly \"{ bar.sync 1; }\""},
		{"%x = call i32 asm \"mov.u32 $0, %laneid;\", \"=r\"()\nstore i32 %x, ptr %p, align 4", ""},
		{"%x = call { i32, i32 } asm \"{\\0A\\09.reg .pred p;\\0A\\09setp.ne.u32 p, $2, 0;\\0A\\09@p add.cc.u32 $0, $2, 1;\\0A\\09mov.b64 {$0, $1}, $3;\\0A}\", \"=r,=r,r,l\"(i32 1, ptr %p)", ""},
		{"%x = call i32 asm \"ld.u32 $0, [$1];\", \"=r,l\"(ptr %p)", "3:1: inline assembly \"ld.u32 $0, [$1];\""},
		{"%x = call i32 asm \"mov.u32 $0, 1; st.u32 [$1], 2;\", \"=r,l\"(ptr %p)", "3:1: inline assembly \"mov.u32 $0, 1; st.u32 [$1], 2;\""},
		{"%x = call i32 asm \"mov.u32 $0, 1\\0Abar.sync 0;\", \"=r\"()", "3:1: inline assembly \"mov.u32 $0, 1\\nbar.sync 0;\""},
		{"%x = call i32 asm \"mov.u32 $0, 1; @p trap;\", \"=r\"()", "3:1: inline assembly \"mov.u32 $0, 1; @p trap;\""},
		{"%x = call i32 asm \"mov.u32 $0, 1; exit\", \"=r\"()", "3:1: inline assembly \"mov.u32 $0, 1; exit\""},
		{"%x = call i32 asm \"mov.u32 $0, 1; L: bra L;\", \"=r\"()", "3:1: inline assembly \"mov.u32 $0, 1; L: bra L;\""},
		{"%x = call i32 asm \"mov.u32 $0, $1;\", \"=r,m\"(ptr %p)", "3:1: inline assembly \"mov.u32 $0, $1;\""},
		{"%x = call i32 asm \"shfl.sync.idx.b32 $0, $1, 0, 31, -1;\", \"=r,r\"(i32 1)", "3:1: inline assembly \"shfl.sync.idx.b32 $0, $1, 0, 31, -1;\""},
		{"%x = call i32 asm \"movx $0;\", \"=r\"()", "3:1: inline assembly \"movx $0;\""},
		{"%x = call ptr asm \"mov.u64 $0, 64;\", \"=l\"()\nstore i32 0, ptr %x, align 4", "3:1: a pointer without a source"},
		{"%x = load atomic i32, ptr %p acquire, align 4", ""},
		{"fence seq_cst", ""},
		{"%x = call i32 @llvm.nvvm.something(i32 1)", "3:1: function llvm.nvvm.something, which gradine does not know"},
		{"%x = call i32 @pure(i32 1)\nstore i32 %x, ptr %p, align 4", ""},
		{"store i32 undef, ptr %p, align 4", ""},
		{"store i32 poison, ptr %p, align 4", ""},
		{"%x = load i32, ptr %p, align 4\n%y = udiv i32 1, %x\nstore i32 %y, ptr %p, align 4", ""},
		{"indirectbr ptr %p, []", "3:1: the instruction indirectbr"},
		{"%f = load ptr, ptr %p, align 8\ncall void %f()", "4:1: a call through a pointer, and this file takes the address of no function of its type"},
	} {
		_, got := sample.Lowered(t, "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k(ptr noundef %p) {\n"+c.body+"\nret void\n}\n"+
			"declare void @unknown(ptr)\ndeclare i32 @llvm.nvvm.something(i32)\ndeclare i32 @pure(i32) memory(none) willreturn nounwind\n", launch.Options{})
		if got != c.want {
			t.Errorf("%s\n\t%q", c.body, got)
		}
	}
}

// What another file may replace (LangRef, "Linkage Types") is not what runs: its body and its value are not read. Definitions that end
// in _odr all mean the same.
func TestReplaceable(t *testing.T) {
	for linkage, final := range map[string]bool{
		"": true, "internal": true, "private": true, "linkonce_odr": true, "weak_odr": true, "available_externally": true,
		"weak": false, "linkonce": false,
	} {
		module := func(body string) string {
			return "target triple = \"nvptx64-nvidia-cuda\"\n@c = " + linkage + " constant i32 0, align 4\n@f = internal global ptr @g\n" +
				"define " + linkage + " void @g(ptr %q) {\nstore i32 1, ptr %q, align 4\nret void\n}\n" +
				"define ptx_kernel void @k(ptr noundef %p) {\n" + body + "\nret void\n}\n"
		}
		for _, body := range []string{"call void @g(ptr %p)", "%h = load ptr, ptr @f, align 8\ncall void %h(ptr %p)"} {
			_, got := sample.Lowered(t, module(body), launch.Options{})
			if refused := strings.Contains(got, "which another file may replace ("+linkage+")"); refused == final || final && got != "" {
				t.Errorf("%q: %q", linkage, got)
			}
		}
		p, problem := sample.Lowered(t, module("%x = load i32, ptr @c, align 4\nstore i32 %x, ptr %p, align 4"), launch.Options{})
		if problem != "" {
			t.Fatal(problem)
		}
		if known := strings.Contains(sample.Print(p), ":= 0"); known != final {
			t.Errorf("%q: %s", linkage, sample.Print(p))
		}
	}
}

// A precondition that && and || make of branches is one on the launch, as one without is. One that hangs on the thread, on memory or on
// what not all threads reach is none.
func TestPreconditionsWithBranches(t *testing.T) {
	const and = "br i1 %c, label %rhs, label %end\nrhs:\n%d = icmp slt i32 %n, 9\nbr label %end\nend:\n%r = phi i1 [ false, %entry ], [ %d, %rhs ]\ncall void @__requires(i1 %r)\n"
	for _, c := range []struct {
		body   string
		axioms int
	}{
		{"%c = icmp sgt i32 %n, 3\n" + and, 1},
		{"%c = icmp sgt i32 %n, 3\n" + strings.Replace(and, "false, %entry", "true, %entry", 1), 1},
		{"%c = icmp sgt i32 %n, 3\n" + strings.ReplaceAll(and, "__requires", "__global_requires"), 1},
		{"%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n%c = icmp sgt i32 %t, 3\n" + and, 0},
		{"%t = load i32, ptr %p, align 4\n%c = icmp sgt i32 %t, 3\n" + and, 0},
		{"%c = icmp sgt i32 %n, 3\n" + strings.Replace(and, "br label %end", "br i1 %d, label %end, label %out\nout:\nret void", 1), 0},
		{"%c = icmp sgt i32 %n, 3\n" + strings.Replace(and, "br label %end", "br i1 %d, label %end, label %rhs", 1), 0},
	} {
		p, problem := sample.Lowered(t, "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k(ptr noundef %p, i32 %n) {\nentry:\n"+c.body+"store i32 1, ptr %p, align 4\nret void\n}\n"+
			"declare void @__requires(i1)\ndeclare void @__global_requires(i1)\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n", launch.Options{})
		if problem != "" || len(p.Axioms) != c.axioms {
			t.Errorf("%s\n%q, %d", c.body, problem, len(p.Axioms))
		} else {
			t.Log(p.Axioms)
		}
	}
}
