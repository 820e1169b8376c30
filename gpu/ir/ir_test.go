package ir_test

import (
	"math/big"
	"testing"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/sample"
	"github.com/gradine/gradine/internal/golden"
)

// A kernel becomes a program: calls inlined, structures and vectors taken apart, each check in place.
func TestPrograms(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
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

// The range of a term holds all its values: tried for all values of two variables in small ranges.
func TestRange(t *testing.T) {
	x, y := ir.VariableTerm(&ir.Variable{Name: "x", Id: 1}), ir.VariableTerm(&ir.Variable{Name: "y", Id: 2})
	terms := []*ir.Term{
		ir.Sum(x, y, ir.Number(-2)), ir.Product(ir.Number(-3), x, y), ir.Quotient(x, y), ir.Remainder(x, y),
		ir.Quotient(ir.Sum(x, ir.Number(4)), ir.Number(3)), {Op: ir.Modulo, Args: []*ir.Term{x, ir.Number(3)}}, {Op: ir.Wrap, Typ: ast.IntOf(2, true), Args: []*ir.Term{x}},
	}
	ends := []int64{-4, -1, 0, 1, 3}
	for _, e := range terms {
		for _, a := range ends {
			for _, b := range ends {
				for _, c := range ends {
					for _, d := range ends {
						r := ir.Range(e, func(t *ir.Term) interval.Interval {
							switch t {
							case x:
								return interval.Interval{Lo: big.NewInt(a), Hi: big.NewInt(b)}
							case y:
								return interval.Interval{Lo: big.NewInt(c), Hi: big.NewInt(d)}
							}
							return interval.Interval{}
						})
						for i := a; i <= b; i++ {
							for k := c; k <= d; k++ {
								if v, ok := worth(e, x, y, i, k); ok && !interval.Point(big.NewInt(v)).Inside(r) {
									t.Fatalf("%s for %d and %d is %d, not in %v‥%v", sample.Term(e), i, k, v, r.Lo, r.Hi)
								}
							}
						}
					}
				}
			}
		}
	}
}

// worth is the value of a term, if it has one.
func worth(e, x, y *ir.Term, i, k int64) (int64, bool) {
	if e == x {
		return i, true
	}
	if e == y {
		return k, true
	}
	var of []int64
	for _, a := range e.Args {
		v, ok := worth(a, x, y, i, k)
		if !ok {
			return 0, false
		}
		of = append(of, v)
	}
	switch e.Op {
	case ir.Num:
		return e.Val.Int64(), true
	case ir.Add:
		sum := int64(0)
		for _, v := range of {
			sum += v
		}
		return sum, true
	case ir.Mul:
		product := int64(1)
		for _, v := range of {
			product *= v
		}
		return product, true
	case ir.Quo:
		return safely(of, func(a, b int64) int64 { return a / b })
	case ir.Rem:
		return safely(of, func(a, b int64) int64 { return a % b })
	case ir.Modulo:
		return (of[0]%of[1] + of[1]) % of[1], of[0] >= 0
	case ir.Wrap:
		return (of[0]+2)&3 - 2, true
	}
	return 0, false
}

func safely(of []int64, by func(a, b int64) int64) (int64, bool) {
	if of[1] == 0 {
		return 0, false
	}
	return by(of[0], of[1]), true
}
