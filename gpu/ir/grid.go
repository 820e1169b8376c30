package ir

import "slices"

// meetsInGrid reports whether n is a barrier of the whole grid.
func (n *Node) meetsInGrid() bool { return n.IsBarrier() && n.Code[0].Grid }

// MeetsInGrid reports whether all threads of the grid meet somewhere.
func (p *Program) MeetsInGrid() bool { return slices.ContainsFunc(p.Nodes, (*Node).meetsInGrid) }

// OfGrid is the program for threads of different groups: barriers of a group are none for them. The program must be in the form that
// paths are read from.
func (p *Program) OfGrid() *Program {
	return p.changed(func(n *Node) {
		if n.IsBarrier() && !n.meetsInGrid() {
			alone := *n.Code[0]
			alone.Op, alone.E = DoWarp, Number(0) // which names no lane
			n.Code = []*Instr{&alone}
		}
	})
}

// changed is a copy of p with other nodes: each is changed.
func (p *Program) changed(change func(n *Node)) *Program {
	out := *p
	out.Nodes = nil
	of := map[*Node]*Node{}
	for _, n := range p.Nodes {
		c := *n
		change(&c)
		of[n] = &c
		out.Nodes = append(out.Nodes, &c)
	}
	for _, n := range out.Nodes {
		n.Then, n.Other = of[n.Then], of[n.Other]
	}
	out.Entry = of[p.Entry]
	return &out
}
