package preproc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/preproc"
)

// Comments, strings and characters are blanked, and nothing else: offsets stay.
func TestCodeOnly(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`a // b` + "\n" + `c`, "a     \nc"},
		{`a /* b` + "\n" + `*/ c`, "a     \n   c"},
		{`f("x//y", '"') + 1`, `f(      ,    ) + 1`},
		{`"a\"b" c`, `       c`},
	} {
		if got := string(preproc.CodeOnly([]byte(c.text))); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// A file that is included stands where the directive stood; a place leads back to where it came from.
func TestSplice(t *testing.T) {
	files := map[string]string{"lib/a.h": "int a;\n#include \"b.h\"\n", "lib/b.h": "int b;\n", "loop.h": "#include \"loop.h\"\n"}
	include := func(path string) []byte {
		if text, ok := files[path]; ok {
			return []byte(text)
		}
		return nil
	}
	for _, c := range []struct{ text, want string }{
		{"#include \"lib/a.h\"\nint c;\n", "int a; int b; int c;"},
		{"#include <cuda.h>\nint c;\n", "#include <cuda.h> int c;"},
		{"#include \"none.h\"\n", "#include \"none.h\""},
		{"#include \"loop.h\"\n", "1:1: \"loop.h\", which includes itself; add #pragma once to it"},
		{"#if 0\n#include \"none.h\"\n#endif\n", "#if 0 #include \"none.h\" #endif"},
		{"#define H \"lib/b.h\"\n#include H\n", "#define H \"lib/b.h\" #include H"},
	} {
		out, _, problem := preproc.Splice("k.cl", []byte(c.text), include, nil)
		got := strings.Join(strings.Fields(string(out)), " ")
		if problem != nil {
			got = fmt.Sprintf("%d:%d: %s", problem.Line, problem.Col, problem.Construct)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Declarations outside of all brackets are found with their bodies, and the names of functions.
func TestTopLevel(t *testing.T) {
	code := []byte("int a = 3;\nstruct s { int x; };\nextern \"C\" {\nvoid f(int x) { if (x) { g(); } }\n}\nint h(void);\n")
	items, ok := preproc.TopLevel(preproc.CodeOnly(code))
	var out []string
	for _, i := range items {
		name, plain := i.Function(code)
		out = append(out, fmt.Sprintf("%s body=%t function=%t %s %t", strings.Join(strings.Fields(string(code[i.From:i.To])), " "), i.Body >= 0, i.IsFunction(code), name, plain))
	}
	want := "int a = 3; body=false function=false  false\nstruct s { int x; }; body=true function=false  false\nvoid f(int x) { if (x) { g(); } } body=true function=true f true\nint h(void); body=false function=true h true"
	if got := strings.Join(out, "\n"); got != want || !ok {
		t.Errorf("%t\n%s", ok, got)
	}
	if _, ok := preproc.TopLevel([]byte("void f() { } }")); ok {
		t.Error("brackets that do not match are accepted")
	}
}

// Macros are replaced by all that they may stand for.
func TestMacros(t *testing.T) {
	for _, c := range []struct{ text, of, want string }{
		{"#define N 4\n", "N", "N 4 false"},
		{"#define N 4\n#undef N\n#define N 8\n", "N", "N 4 8 false"},
		{"#define F(x) x##y\n", "F(a)", "F(a) (x) x##y true"},
		{"#define A B\n#define B A\n", "A", "A B A false"},
	} {
		with, pasted := preproc.MacrosIn([]byte(c.text), nil).Expanded([]byte(c.of))
		if got := fmt.Sprintf("%s %t", strings.Join(strings.Fields(string(with)), " "), pasted); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.of, c.text, got, c.want)
		}
	}
}

// Which names decide what is compiled is said; unknown names are found.
func TestConditions(t *testing.T) {
	for _, c := range []struct{ text, unknown, taken string }{
		{"#ifdef __CUDA_ARCH__\nint a;\n#endif\n", " -1", "__CUDA_ARCH__ is 700: code for other builds is not checked"},
		{"#ifdef MINE\nint a;\n#endif\n", " -1", "MINE is not defined: code for other builds is not checked"},
		{"#define MINE 1\n#if MINE\nint a;\n#endif\n", " -1", ""},
		{"#if __GNUC__ > 4\nint a;\n#endif\n", "__GNUC__ 4", "__GNUC__ is not defined: code for other builds is not checked"},
	} {
		name, at := preproc.Unknown(preproc.CUDA, nil, []byte(c.text))
		if got := fmt.Sprintf("%s %d", name, at); got != c.unknown {
			t.Errorf("%q: %q", c.text, got)
		}
		if got := strings.Join(preproc.Taken(preproc.CUDA, nil, []byte(c.text)), ", "); got != c.taken {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}
