package cfg

import (
	"slices"

	"github.com/gradine/gradine/gpu/ir"
)

// Loop is a strongly connected part of a program: nodes that all lead to each other. It may be entered at more than one node.
type Loop struct {
	Heads []*ir.Node // where it is entered, in the order of the program; never empty
	Nodes map[*ir.Node]bool
}

// Loops are the loops of a program, outer ones before those nested in them: the strongly connected parts of its graph, and in each those
// that are left when no way leads back to its heads (Steensgaard, 1993). Every cycle lies in one and goes through a head of one.
func Loops(p *ir.Program) (out []Loop) {
	// A loop is a strongly connected part. Without its heads the rest of it falls into the loops inside, which are found in the same
	// way. A loop entered in the middle has several heads, for each of which invariants are needed.
	var within func(nodes []*ir.Node, cut map[*ir.Node]bool)
	within = func(nodes []*ir.Node, cut map[*ir.Node]bool) {
		in := map[*ir.Node]bool{}
		for _, n := range nodes {
			in[n] = true
		}
		next := func(n *ir.Node) []*ir.Node {
			return slices.DeleteFunc(successors(n), func(s *ir.Node) bool { return !in[s] || cut[s] })
		}
		for _, part := range components(nodes, next) {
			if len(part) == 1 && !slices.Contains(next(part[0]), part[0]) {
				continue
			}
			l := Loop{Nodes: map[*ir.Node]bool{}}
			for _, n := range part {
				l.Nodes[n] = true
			}
			entered := map[*ir.Node]bool{p.Entry: true}
			for _, n := range p.Nodes {
				for _, s := range successors(n) {
					entered[s] = entered[s] || !l.Nodes[n]
				}
			}
			for _, n := range p.Nodes {
				if l.Nodes[n] && entered[n] {
					l.Heads = append(l.Heads, n)
				}
			}
			out = append(out, l)
			heads := map[*ir.Node]bool{}
			for _, h := range l.Heads {
				heads[h] = true
			}
			within(part, heads)
		}
	}
	within(p.Nodes, nil)
	return out
}

// components are the strongly connected parts of a graph (Tarjan, 1972), without recursion: a program may have many nodes.
func components(nodes []*ir.Node, next func(*ir.Node) []*ir.Node) (out [][]*ir.Node) {
	// Tarjan's algorithm, with a stack of its own: programs of machine-made kernels are deep enough to exhaust that of calls.
	type visit struct {
		n    *ir.Node
		todo []*ir.Node
	}
	index, low := map[*ir.Node]int{}, map[*ir.Node]int{}
	done := map[*ir.Node]bool{}
	var open []*ir.Node
	var stack []visit
	enter := func(n *ir.Node) {
		index[n] = len(index) + 1
		low[n] = index[n]
		open = append(open, n)
		stack = append(stack, visit{n, next(n)})
	}
	for _, first := range nodes {
		if index[first] == 0 {
			enter(first)
		}
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if len(v.todo) > 0 {
				s := v.todo[0]
				v.todo = v.todo[1:]
				if index[s] == 0 {
					enter(s)
				} else if !done[s] {
					low[v.n] = min(low[v.n], index[s])
				}
				continue
			}
			n := v.n
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				above := stack[len(stack)-1].n
				low[above] = min(low[above], low[n])
			}
			if low[n] != index[n] {
				continue
			}
			at := slices.Index(open, n)
			out = append(out, slices.Clone(open[at:]))
			for _, m := range open[at:] {
				done[m] = true
			}
			open = open[:at]
		}
	}
	return out
}

// setHeads notes at the nodes which of them are heads. Who lowers a program knows those of its loops alone that are written as such.
func setHeads(p *ir.Program) {
	for _, n := range p.Nodes {
		n.Head = false
	}
	for _, l := range Loops(p) {
		for _, h := range l.Heads {
			h.Head = true
		}
	}
	for _, n := range p.Nodes {
		if !n.Head {
			n.Count = nil
		}
	}
}

// LoopOf are the nodes of the outermost loop that is entered at h; none if h is no head.
func LoopOf(loops []Loop, h *ir.Node) map[*ir.Node]bool {
	for _, l := range loops {
		if slices.Contains(l.Heads, h) {
			return l.Nodes
		}
	}
	return nil
}

// Innermost is the smallest loop that c is in; nil if it is in none.
func Innermost(loops []Loop, c *ir.Node) map[*ir.Node]bool {
	var least map[*ir.Node]bool
	for _, l := range loops {
		if l.Nodes[c] { // those nested in it come later
			least = l.Nodes
		}
	}
	return least
}

// Endless reports whether a loop does not terminate once it comes round: nothing leads out of it, or
// no round changes what its conditions say, so that each takes the way of the one before.
func (l Loop) Endless() bool { return !hasExit(l.Nodes) || repeats(l.Nodes) }

func hasExit(loop map[*ir.Node]bool) bool {
	for n := range loop {
		if n.End || n.Then != nil && !loop[n.Then] || n.Other != nil && !loop[n.Other] {
			return true
		}
	}
	return false
}

// repeats reports whether no condition in a loop mentions a variable that the loop sets.
func repeats(loop map[*ir.Node]bool) bool {
	set := map[*ir.Variable]bool{}
	for n := range loop {
		for _, c := range n.Code {
			if c.V != nil {
				set[c.V] = true
			}
		}
	}
	for n := range loop {
		if n.Cond == nil {
			continue
		}
		for _, v := range ir.VariablesOf(n.Cond) {
			if set[v] {
				return false
			}
		}
	}
	return true
}

// Spinning reports whether a loop comes round without a barrier, in a kernel that has one: threads that stay there keep others waiting.
func Spinning(p *ir.Program, l Loop) bool {
	if !slices.ContainsFunc(p.Nodes, (*ir.Node).IsBarrier) {
		return false
	}
	return slices.ContainsFunc(l.Heads, func(h *ir.Node) bool { return comesRound(l.Nodes, h) })
}
