package cfg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/gpu/ir"
)

// TestLoops: in random graphs, most of which are entered in the middle of loops, the nodes in loops are those that lead back to
// themselves, all nodes of one lead to each other in it, and without the ways to heads no cycle is left.
func TestLoops(t *testing.T) {
	middle := 0
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := &ir.Program{}
		for range 2 + r.IntN(9) {
			p.Nodes = append(p.Nodes, &ir.Node{})
		}
		p.Entry = p.Nodes[0]
		one := func() *ir.Node { return p.Nodes[r.IntN(len(p.Nodes))] }
		for _, n := range p.Nodes {
			switch r.IntN(9) {
			case 0:
				n.End = true
			case 1:
				n.Then = one()
			default:
				n.Cond, n.Then, n.Other = ir.Truth, one(), one()
			}
		}
		prune(p)
		loops := Loops(p)
		setHeads(p)
		for _, n := range p.Nodes {
			inside := slices.ContainsFunc(loops, func(l Loop) bool { return l.Nodes[n] })
			if inside != leads(n, n, func(*ir.Node) bool { return true }) || inside != (Innermost(loops, n) != nil) {
				t.Fatalf("seed %d: node %d in a loop: %t", seed, n.Id, inside)
			}
			if leads(n, n, func(m *ir.Node) bool { return !m.Head }) {
				t.Fatalf("seed %d: node %d lies on a cycle without a head", seed, n.Id)
			}
		}
		for k, l := range loops {
			if len(l.Heads) > 1 {
				middle++
			}
			for n := range l.Nodes {
				for m := range l.Nodes {
					if !leads(n, m, func(x *ir.Node) bool { return l.Nodes[x] }) {
						t.Fatalf("seed %d: in a loop node %d does not lead to %d", seed, n.Id, m.Id)
					}
				}
			}
			for _, o := range loops[k+1:] {
				for n := range o.Nodes {
					if l.Nodes[n] && len(o.Nodes) >= len(l.Nodes) {
						t.Fatalf("seed %d: an inner loop comes before an outer one", seed)
					}
				}
			}
		}
	}
	if middle < 300 {
		t.Errorf("%d loops have two heads", middle)
	}
}

// leads reports whether a way leads from a node to another, by nodes that may be gone to.
func leads(from, to *ir.Node, may func(*ir.Node) bool) bool {
	seen := map[*ir.Node]bool{}
	stack := []*ir.Node{from}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range successors(n) {
			if !may(s) || seen[s] {
				continue
			}
			if s == to {
				return true
			}
			seen[s] = true
			stack = append(stack, s)
		}
	}
	return false
}
