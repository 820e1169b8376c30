package cfg

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/preproc"
)

// TestUnrolled: random graphs store the same values in the same order when they are unrolled, whatever the values are that they find.
func TestUnrolled(t *testing.T) {
	unrolled, seeds := 0, uint64(1_200)
	if testing.Short() {
		seeds = 300
	}
	for seed := range seeds {
		before, after := randomGraph(seed), randomGraph(seed)
		if !Unroll(after) {
			continue
		}
		unrolled++
		copies := map[*ir.Instr]bool{}
		for _, n := range after.Nodes {
			for _, i := range n.Code {
				if copies[i] {
					t.Fatalf("seed %d: two nodes share an instruction", seed)
				}
				copies[i] = true
			}
		}
		for found := range uint64(4) {
			want, got := stores(before, found), stores(after, found)
			if n := len(want) - 1; n >= 0 && want[n] == undefined && len(got) >= n {
				want, got = want[:n], got[:n] // of a condition that makes no difference nothing is left
			}
			if !slices.Equal(want, got) {
				t.Fatalf("seed %d stores %v, unrolled %v", seed, want, got)
			}
		}
	}
	if uint64(unrolled) < seeds/6 {
		t.Errorf("%d graphs are unrolled", unrolled)
	}
}

// randomGraph is one of some blocks, which set variables to numbers that they make of each other, to what they find, and store them.
func randomGraph(seed uint64) *ir.Program {
	r := rand.New(rand.NewPCG(seed, 7))
	b := ir.NewBuilder("k", "k.cl", preproc.Place{Line: 1, Col: 1}, launch.Options{}, nil)
	array := b.NewMemory("a", "a", ast.Global, ast.TInt, -1, preproc.Place{})
	var vars []*ir.Variable
	for k := range 4 {
		v := b.NewVariable(fmt.Sprint("v", k), ast.TInt)
		vars = append(vars, v)
		b.Emit(&ir.Instr{Op: ir.DoAssign, V: v, E: ir.Number(int64(r.IntN(3)))})
	}
	one := func() *ir.Term { return ir.VariableTerm(vars[r.IntN(len(vars))]) }
	number := func() *ir.Term { return ir.Number(int64(r.IntN(5))) }
	value := func() *ir.Term {
		return ir.Into(ast.TInt, []func() *ir.Term{
			func() *ir.Term { return ir.Minus(ir.Number(1), one()) },
			one,
			number,
			func() *ir.Term { return ir.Product(ir.Number(2), one()) },
			func() *ir.Term { return ir.Quotient(one(), ir.Number(2)) },
			func() *ir.Term { return ir.Remainder(one(), number()) },
			func() *ir.Term { return ir.Sum(one(), one()) },
			func() *ir.Term { return ir.Sum(one(), ir.Number(1)) },
			func() *ir.Term { return ir.Bitwise(ir.Shl, ast.TInt, number(), one()) },
		}[r.IntN(9)]())
	}
	nodes := []*ir.Node{b.Now}
	for range 3 + r.IntN(6) {
		nodes = append(nodes, b.NewNode(preproc.Place{}))
	}
	end := b.NewNode(preproc.Place{})
	end.End = true
	for i, n := range nodes {
		b.Now = n
		for range r.IntN(4) {
			switch v := vars[r.IntN(len(vars))]; r.IntN(6) {
			case 0, 1:
				b.Emit(&ir.Instr{Op: ir.DoStore, Mem: array, Off: one(), E: one(), Typ: ast.TInt})
			case 2:
				if v != vars[0] && v != vars[1] { // some stay what numbers make of them
					b.Emit(&ir.Instr{Op: ir.DoHavoc, V: v})
				}
			default:
				b.Emit(&ir.Instr{Op: ir.DoAssign, V: v, E: value()})
			}
		}
		next := append(slices.Clone(nodes[1:]), end)
		then := next[r.IntN(len(next))]
		if i+1 < len(nodes) && r.IntN(2) == 0 {
			then = nodes[i+1]
		}
		b.Branch(ir.Compare(ir.PLt, one(), number()), then, next[r.IntN(len(next))])
	}
	prune(b.Prog)
	for _, n := range b.Prog.Nodes {
		n.Head = true
	}
	return b.Prog
}

// undefined stands where a condition has no value.
const undefined = "undefined"

// stores are the first that a program makes, where what it finds is drawn.
func stores(p *ir.Program, found uint64) (out []string) {
	r := rand.New(rand.NewPCG(found, 8))
	holds := map[*ir.Variable]*ir.Term{}
	value := func(t *ir.Term) *ir.Term {
		return ir.MapTerm(t, func(x *ir.Term) *ir.Term {
			if x.Op == ir.Local_ {
				return holds[x.V]
			}
			return nil
		})
	}
	for n, steps := p.Entry, 0; steps < 300 && len(out) < 40; steps++ {
		for _, i := range n.Code {
			switch i.Op {
			case ir.DoAssign:
				holds[i.V] = value(i.E)
			case ir.DoHavoc:
				holds[i.V] = ir.BigNumber(interval.Wrapped(big.NewInt(int64(r.IntN(7))-2), i.V.Typ))
			case ir.DoStore:
				out = append(out, value(i.Off).Key()+" := "+value(i.E).Key())
			}
		}
		if n.End {
			return append(out, "end")
		}
		if n.Cond == nil || value(n.Cond).Op == ir.PTrue {
			n = n.Then
		} else if value(n.Cond).Op == ir.PFalse {
			n = n.Other
		} else {
			return append(out, undefined)
		}
	}
	return out[:min(len(out), 20)]
}
