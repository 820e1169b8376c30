package ir_test

import (
	"testing"

	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/sample"
)

// A kernel becomes a program: calls inlined, structures and vectors taken apart, each check in place.
func TestPrograms(t *testing.T) {
	sample.Golden(t, func(t *testing.T, in string) string {
		return sample.Print(sample.Program(t, in, launch.Options{Bounds: true, Overflow: true}))
	})
}

// What is not understood is refused with its place and its name.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"undeclared(1);", "1:36: function undeclared, which is not declared; give it a body, or a prototype if it cannot write"},
		{"asm(\"nop\");", "1:36: a statement of this kind"},
		{"p[0] = 08;", "1:43: number 08"},
		{"int (*f)(int) = 0; p[0] = f(1);", "1:40: a pointer to a function"},
		{"p[0] = *(int *)(long)p[1];", "1:44: an integer as a pointer"},
		{"p[0] = __builtin_ctz(8);", "1:43: function __builtin_ctz, which is not declared; give it a body, or a prototype if it cannot write"},
		{"union { int i; float f; } u; u.f = 1; p[0] = u.i;", "1:36: a union"},
		{"p[0] = p[0] / 0;", "read"},
	} {
		u := sample.Unit(t, "__kernel void k(__global int *p) { "+c.body+" }")
		got := "read"
		if f := u.Function("k"); f == nil {
			got = sample.Problem(u.Unread[0].Problem)
		} else if _, problem := ir.Lower(u, f, launch.Options{}); problem != nil {
			got = sample.Problem(problem)
		}
		if got != c.want {
			t.Errorf("%s: %q", c.body, got)
		}
	}
}
