package encode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/preproc"
	"github.com/gradine/gradine/internal/corpus"
)

// TestHostile: input that is made to cost much is refused soon, once, at a place.
func TestHostile(t *testing.T) {
	calls := "int f0(int x) { return x; }\n"
	for i := range 80 {
		calls += fmt.Sprintf("int f%d(int x) { return f%d(x) + 1; }\n", i+1, i)
	}
	doubling := "int g0(int x) { return x; }\n"
	for i := range 30 {
		doubling += fmt.Sprintf("int g%d(int x) { return g%d(x) + g%d(x); }\n", i+1, i, i)
	}
	bomb := "#define A0(x) x + x\n"
	for i := range 30 {
		bomb += fmt.Sprintf("#define A%d(x) A%d(x) + A%d(x)\n", i+1, i, i)
	}
	for _, c := range []struct{ name, src, want string }{
		{"ten megabytes", "__kernel void k() { int x = 1" + strings.Repeat(" + 1", 2_500_000) + "; }", "bytes"},
		{"brackets", "__kernel void k() " + strings.Repeat("{", 5000) + strings.Repeat("}", 5000), "nested"},
		{"open brackets", "__kernel void k() " + strings.Repeat("[", 100_000), "nested"},
		{"unary operators", "__kernel void k(int a) { int x = " + strings.Repeat("- ", 5000) + "a; }", "nested"},
		{"conditions without brackets", "__kernel void k(int a) { " + strings.Repeat("if (a) ", 1500) + "a = 1; }", "nested"},
		{"else after else", "__kernel void k(int a) { if (a) a = 0;" + strings.Repeat(" else if (a) a = 1;", 1500) + " }", "nested"},
		{"operators on one line", "__kernel void k(__global int *a) { a[0] = 1" + strings.Repeat("+1", 500_000) + "; }", "operators"},
		{"conditions on one line", "__kernel void k(int a) { " + strings.Repeat("if (a) ", 140_000) + "a = 1; }", "nested"},
		{"else on one line", "__kernel void k(int a) { " + strings.Repeat("if (a) a = 0; else ", 50_000) + "a = 1; }", "nested"},
		{"templates in templates", strings.Repeat("template<", 110_000) + "__kernel void k() { }", "operators"},
		{"macro bomb", bomb + "__kernel void k() { int x = A30(1); }", ""},
		{"macro of itself", "#define A A + A\n__kernel void k() { int x = A; }", "not declared"},
		{"end behind a star", "__kernel void k(__global int *", "unexpected end of file"},
		{"star", "int k;\n*\n", "unexpected end of file"},
		{"string with a backslash at the end", "__kernel void k() { } \"a\\", "not terminated"},
		{"pasting of nothing", "#define A ##\nA", "fails on this text"},
		{"header outside", "#include \"../../secret.h\"\n__kernel void k() {}", "#include"},
		{"header by a macro", "#define H \"/etc/passwd\"\n#include H\n__kernel void k() {}", "passwd"},
		{"device", "#include </dev/zero>\n__kernel void k() {}", "#include"},
		{"recursion of two", "int b(int x); int a(int x) { return b(x); } int b(int x) { return a(x); }\n__kernel void k(__global int *p) { p[0] = a(1); }", "recursion"},
		{"long chain of calls", calls + "__kernel void k(__global int *p) { p[0] = f80(1); }", "deep"},
		{"calls that double", doubling + "__kernel void k(__global int *p) { p[0] = g30(1); }", "instructions"},
		{"into two loops", "__kernel void k(int a) { if (a) goto l; m: while (a) { l: a--; if (a == 3) goto m; } }", ""},
		{"wide array", "__kernel void k() { int x[1 << 30]; x[0] = 1; }", ""},
		{"array of too many", "__kernel void k() { int x[1ul << 60]; }", "elements"},
		{"shift", "__kernel void k() { int x[1 << 1000000000]; }", "constant"},
		{"text that ends", "__kernel void k() { /* ", ""},
		{"no text", "\xff\xfe\x01__kernel", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ks []*Kernel
			var p *preproc.Problem
			bytes := corpus.Allocated(func() { ks, p = Read("k.cl", []byte(c.src), launch.Options{}) })
			for _, k := range ks {
				if p == nil {
					p = k.Problem
				}
			}
			switch {
			case p == nil && c.want != "":
				t.Errorf("not refused; want %q", c.want)
			case p != nil && (p.Line == 0 || strings.Contains(p.Construct, "\n") || len(p.Construct) > 300):
				t.Errorf("no place, or more than one clear sentence: %v", p)
			case p != nil && !strings.Contains(p.Construct, c.want):
				t.Errorf("refused for %q; want %q", p.Construct, c.want)
			}
			if bytes > 500<<20 {
				t.Errorf("%d bytes are allocated", bytes)
			}
		})
	}
}
