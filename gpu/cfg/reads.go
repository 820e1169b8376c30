package cfg

import (
	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
)

// fixedReads lets a read of a place that no thread of the launch writes, and that the launch alone names, give what the place
// holds: a number of the launch, as a parameter is one.
func fixedReads(p *ir.Program) {
	if p.Opts.Bounds || p.Annotated {
		return // the access itself is asked for
	}
	for _, n := range p.Nodes {
		for k, i := range n.Code {
			if i.Op != ir.DoLoad || i.Mem.Written || i.Mem.Content != nil || i.Mem.Space != ast.Global && i.Mem.Space != ast.Constant || i.V.Typ.Kind != ast.IntType || !named(i.Off, false, nil) {
				continue
			}
			n.Code[k] = &ir.Instr{Op: ir.DoAssign, At: i.At, V: i.V, E: p.Held(i.Mem, i.Off, i.V.Typ)}
		}
	}
}

// named reports whether off is made of numbers, sizes, parameters, ids of the group if they may be there, and some variables.
func named(off *ir.Term, group bool, vars map[*ir.Variable]bool) bool {
	ok := true
	ir.Leaves(off, func(x *ir.Term) {
		switch x.Op {
		case ir.Num:
		case ir.Sym:
			ok = ok && (!x.Own || group && x.Symbol.Of == ir.OfGroup)
		case ir.Local_:
			ok = ok && vars[x.V]
		default:
			ok = false
		}
	})
	return ok
}

// SharedReads numbers the reads that give all threads of a group, if they come to them between the same two barriers, or all threads
// of the grid, the same value: each thread comes there at most once between two barriers, or at all, and to the same place.
// Another value would have been written in between, by a thread that races with one of the reads: so they are none where
// races are not looked for. Same and together are what Uniformity says, if no read is known to be shared.
func SharedReads(p *ir.Program, grid bool, same map[*ir.Variable]bool, together map[*ir.Node]bool) map[*ir.Instr]int {
	for _, n := range p.Nodes {
		if grid || n.IsBarrier() && !together[n] {
			same = nil // threads may be in different rounds of a loop
		}
	}
	out := map[*ir.Instr]int{}
	for _, n := range p.Nodes {
		for _, i := range n.Code {
			if i.Op != ir.DoLoad || i.V.Typ.Kind != ast.IntType || i.Mem.Space == ast.Private || grid && i.Mem.Space == ast.Local || i.Mem.Written && !compared(p, i.Mem) {
				continue
			}
			vars := same
			if !together[n] {
				vars = nil
			}
			if named(i.Off, !grid, vars) && once(n, grid) {
				out[i] = len(out) + 1
			}
		}
	}
	return out
}

// compared reports whether all accesses to an array that is written are looked at for races.
func compared(p *ir.Program, m *ir.Memory) bool {
	return !p.Opts.OnlyDivergence && !(p.Opts.IntraGroup && m.Space == ast.Global)
}

// once reports whether no thread comes to n again, or none without a barrier in between.
func once(n *ir.Node, atAll bool) bool {
	seen := map[*ir.Node]bool{}
	stack := successors(n)
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if m == n {
			return false
		}
		if seen[m] || m.IsBarrier() && !atAll {
			continue
		}
		seen[m] = true
		stack = append(stack, successors(m)...)
	}
	return true
}
