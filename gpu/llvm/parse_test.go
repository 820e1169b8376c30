package llvm_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/llvm"
)

func sample(t testing.TB) string {
	text, err := os.ReadFile("testdata/add.ll")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestParse reads the forms that only later versions write.
func TestParse(t *testing.T) {
	m, problem := llvm.Parse("add.ll", []byte(sample(t)))
	if problem != nil {
		t.Fatal(problem)
	}
	f := m.Function("add")
	if f == nil || f.Problem != nil || !m.IsKernel(f) || m.IsKernel(m.Function("llvm.nvvm.read.ptx.sreg.tid.x")) {
		t.Fatalf("kernel %+v", f)
	}
	if m.Target() != llvm.NVPTX || m.Producer != "clang version 21.1.0" || f.SourceName() != "add" {
		t.Errorf("target %v, producer %q, name %q", m.Target(), m.Producer, f.SourceName())
	}
	flags := map[string]llvm.Flag{}
	for _, b := range f.Blocks {
		for _, i := range b.Code {
			flags[i.Name] = i.Flags
		}
	}
	for name, want := range map[string]llvm.Flag{"wide": llvm.NonNegative, "narrow": llvm.NUW | llvm.NSW, "less": llvm.SameSign, "where": llvm.Disjoint, "at": llvm.InBounds | llvm.NUW, "twice": llvm.FastMath} {
		if flags[name] != want {
			t.Errorf("%%%s has flags %b, want %b", name, flags[name], want)
		}
	}
	if d := f.Blocks[0].Debug; len(d) != 1 || d[0].Source().Name != "n" || d[0].Declare {
		t.Errorf("debug records %+v", d)
	}
	if unsigned, known := llvm.Unsigned(f.Blocks[0].Debug[0].Source().Type); !unsigned || !known {
		t.Error("n has no sign")
	}
	at, ok := f.Blocks[1].Code[1].Place()
	if !ok || at.Line != 7 || at.Col != 12 || at.File != "add.cu" {
		t.Errorf("place %+v %t", at, ok)
	}
	if v, ok := m.Global("tile").Source(); !ok || v.Name != "tile" {
		t.Errorf("tile is %+v", v)
	}
	if got := m.Global("weights").Init.Elems[1].Int.Int64(); got != -1 {
		t.Errorf("weights[1] is %d", got)
	}
	if got := f.Params[2].Attrs.Words["range"]; got != "i32 0 , 1000" {
		t.Errorf("range of n: %q", got)
	}
	if got := m.Function("llvm.nvvm.read.ptx.sreg.tid.x").Attrs.Words["memory"]; got != "none" {
		t.Errorf("memory of an intrinsic: %q", got)
	}
}

// TestRefused reads what is no module, or one that is not understood: one clear error, and within a
// function one that is the problem of that function alone.
func TestRefused(t *testing.T) {
	const header = "target triple = \"nvptx64-nvidia-cuda\"\n"
	for _, c := range []struct{ name, text, want string }{
		{"bitcode", "BC\xc0\xde\x01", "bitcode"},
		{"no target", "define void @f() {\n  ret void\n}\n", "without target triple"},
		{"host", "target triple = \"x86_64-pc-linux-gnu\"\n", "a module for x86_64-pc-linux-gnu"},
		{"typed pointers", header + "declare void @f(i32*)\n", "typed pointers"},
		{"typed pointers with space", header + "declare void @f(i32 addrspace(1)*)\n", "typed pointers"},
		{"old", header + "!llvm.ident = !{!0}\n!0 = !{!\"clang version 13.0.1\"}\n", "clang 13.0.1; versions 14 to 21"},
		{"new", header + "!llvm.ident = !{!0}\n!0 = !{!\"clang version 22.0.0\"}\n", "clang 22.0.0; versions 14 to 21"},
		{"cut off", header + "define void @f() {\n  %x = add i32 1,", "cut off"},
		{"cut off in a word", header + "define void @f() {\n  ca", "cut off"},
		{"cut off behind", header + "define void @f() #0 {\n  ret void\n}\n", "attributes #0, which are not defined"},
		{"cut off metadata", header + "define void @f() !dbg !7 {\n  ret void\n}\n", "metadata !7, which is not defined"},
		{"cut off in metadata", header + "define void @f() !dbg !7 {\n  ret void\n}\n!7 = !DISubprogram(name: \"f\", li", "the file ends within metadata !7"},
		{"one line", header + "define void @f() { ret void }\ndefine void @g() {\n  ret void\n}\n", "function @f, whose body does not end"},
		{"indented end", header + "define void @f() {\n  ret void\n }\ndefine void @g() {\n  ret void\n}\n", "function @f, whose body does not end"},
		{"cut off string", header + "source_filename = \"a", "a string without end"},
		{"deep", header + "@x = global " + strings.Repeat("[1 x ", 300) + "i8" + strings.Repeat("]", 300) + " zeroinitializer\n", "nested more than"},
		{"text", "__kernel void k() {}\n", "__kernel in a module"},
		{"twice", header + "declare void @f()\ndeclare void @f()\n", "@f is there twice"},
		{"assembly", header + "module asm \"x\"\n", "module-level assembly"},
	} {
		if _, problem := llvm.Parse("k.ll", []byte(c.text)); problem == nil || !strings.Contains(problem.Construct, c.want) {
			t.Errorf("%s: %v, want %q", c.name, problem, c.want)
		}
	}
	for _, c := range []struct{ name, body, want string }{
		{"unknown", "  %x = frobnicate i32 1, 2\n  ret void", "frobnicate, which is not known"},
		{"exceptions", "  %x = landingpad { ptr, i32 } cleanup\n  ret void", "landingpad"},
		{"flag", "  %x = and nsw i32 1, 2\n  ret void", "and with the flag nsw"},
		{"undefined", "  %x = add i32 %y, 2\n  ret void", "a value that nothing defines"},
		{"twice", "  %x = add i32 1, 2\n  %x = add i32 1, 2\n  ret void", "%x is there twice"},
		{"nowhere", "  br label %x", "a jump to %x"},
		{"bundle", "  call void @g() [ \"deopt\"(i32 1) ]\n  ret void", "operand bundle"},
	} {
		m, problem := llvm.Parse("k.ll", []byte(header+"define void @f() {\n"+c.body+"\n}\n\ndefine void @g() {\n  ret void\n}\n"))
		if problem != nil {
			t.Errorf("%s: %v", c.name, problem)
			continue
		}
		if p := m.Function("f").Problem; p == nil || !strings.Contains(p.Construct, c.want) {
			t.Errorf("%s: %v, want %q", c.name, p, c.want)
		}
		if g := m.Function("g"); g == nil || g.Problem != nil || len(g.Blocks) != 1 {
			t.Errorf("%s: the function behind is %+v", c.name, g)
		}
	}
}

// TestInstructions holds the table of instructions against the list of the language reference: none is
// left out, and none is known that is not there.
func TestInstructions(t *testing.T) {
	// LangRef of LLVM 21, section "Instruction Reference".
	reference := "ret br switch indirectbr invoke callbr resume catchswitch catchret cleanupret unreachable fneg " +
		"add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor " +
		"extractelement insertelement shufflevector extractvalue insertvalue " +
		"alloca load store fence cmpxchg atomicrmw getelementptr " +
		"trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast addrspacecast " +
		"icmp fcmp phi select freeze call va_arg landingpad catchpad cleanuppad"
	var known []string
	for o := llvm.Op(0); o.Known(); o++ {
		known = append(known, o.String())
	}
	if got := strings.Join(known, " "); got != reference {
		t.Errorf("instructions:\n%s\nreference:\n%s", got, reference)
	}
}

// FuzzParse reads anything without ending in anything but a module or a problem.
func FuzzParse(f *testing.F) {
	f.Add(sample(f))
	f.Add("define void @f() {\n  ret void\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, problem := llvm.Parse("k.ll", []byte(text))
		if problem == nil && m == nil {
			t.Error("neither a module nor a problem")
		}
	})
}

// TestLinear reads twice as much in twice as many steps: what is allocated grows with the text.
func TestLinear(t *testing.T) {
	text := func(n int) []byte {
		var b strings.Builder
		b.WriteString("target triple = \"spir64\"\n")
		for i := range n {
			fmt.Fprintf(&b, "define void @f%d(i32 %%a) {\n  %%x = add nsw i32 %%a, %d, !dbg !%d\n  ret void\n}\n", i, i, i)
			fmt.Fprintf(&b, "!%d = !DILocation(line: %d, column: 1, scope: !0)\n", i, i+1)
		}
		return []byte(b.String())
	}
	cost := func(src []byte) float64 {
		return testing.AllocsPerRun(1, func() {
			if _, problem := llvm.Parse("k.ll", src); problem != nil {
				t.Fatal(problem)
			}
		})
	}
	small, large := cost(text(1000)), cost(text(4000))
	if large > 5*small {
		t.Errorf("%v allocations for a text, %v for one four times as long", small, large)
	}
}
