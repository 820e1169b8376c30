// Package cfg analyses the control-flow graph of a kernel: cut points of its paths, live
// variables, uniform variables and barriers, and loops without an exit.
package cfg

import (
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
)

// Prepare brings a lowered program into the form that paths are read from: barriers
// are nodes of their own, dead nodes are gone, variables that are set once stand for
// their value.
func Prepare(p *ir.Program) {
	for i := 0; i < len(p.Nodes); i++ {
		n := p.Nodes[i]
		leading := true
		for k, c := range n.Code {
			leading = leading && (k == 0 || c.Op == ir.DoInvariant && n.Code[k-1].Op == ir.DoInvariant)
			// The log is that of a cut point: what asks for it comes first.
			if asks := asksLog(p, c); asks && leading {
				n.Asks = true
				continue
			} else if !asks && (c.Op != ir.DoBarrier && c.Op != ir.DoWarp || k == 0 && len(n.Code) == 1) {
				continue
			}
			rest := &ir.Node{Id: len(p.Nodes), At: c.At, Cond: n.Cond, Then: n.Then, Other: n.Other, End: n.End}
			p.Nodes = append(p.Nodes, rest)
			n.Cond, n.Other, n.End, n.Then = nil, nil, false, rest
			if k == 0 {
				rest.Code, n.Code = n.Code[1:], n.Code[:1]
			} else {
				rest.Code, n.Code = n.Code[k:], n.Code[:k]
			}
			break
		}
	}
	prune(p)
	unset(p)
	substitute(p)
	fixedReads(p)
	substitute(p)
	if Unroll(p) {
		substitute(p)
	}
	setHeads(p)
	counters(p)
	p.CheckMasks()
	skipEmpty(p)
	prune(p)
}

func successors(n *ir.Node) []*ir.Node {
	switch {
	case n.End || n.Then == nil:
		return nil
	case n.Cond == nil:
		return []*ir.Node{n.Then}
	}
	return []*ir.Node{n.Then, n.Other}
}

// prune drops nodes that cannot be reached, and numbers the others in depth-first order.
func prune(p *ir.Program) {
	seen := map[*ir.Node]bool{}
	var order []*ir.Node
	stack := []*ir.Node{p.Entry}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		order = append(order, n)
		next := successors(n)
		for i := len(next) - 1; i >= 0; i-- {
			stack = append(stack, next[i])
		}
	}
	for i, n := range order {
		n.Id = i
	}
	p.Nodes = order
}

// skipEmpty lets edges skip nodes without code that only go on, unless they loop.
func skipEmpty(p *ir.Program) {
	final := func(n *ir.Node) *ir.Node {
		// A loop of empty nodes has no last one: as many steps as there are nodes are enough.
		for range p.Nodes {
			if n.Head || n.End || len(n.Code) > 0 || n.Cond != nil || n.Then == nil || n.Then == n {
				break
			}
			n = n.Then
		}
		return n
	}
	for _, n := range p.Nodes {
		if n.Then != nil {
			n.Then = final(n.Then)
		}
		if n.Other != nil {
			n.Other = final(n.Other)
		}
		if n.Cond != nil && n.Then == n.Other {
			n.Cond, n.Other = nil, nil
		}
	}
	p.Entry = final(p.Entry)
}

// substitute replaces variables that are set once, to a value that never changes, by it.
func substitute(p *ir.Program) {
	set, open := map[*ir.Variable]int{}, readUnset(p)
	for _, n := range p.Nodes {
		for _, i := range n.Code {
			if i.V != nil && i.Op != ir.DoUndef {
				set[i.V]++
			}
		}
	}
	// Definitions rest on one another, in any order of the nodes; terms that would grow beyond
	// 400 leaves cost more than the variables that they save.
	fixed := map[*ir.Variable]*ir.Term{}
	size := map[*ir.Variable]int{}
	for changed := true; changed; {
		changed = false
		for _, n := range p.Nodes {
			for _, i := range n.Code {
				if i.Op != ir.DoAssign || set[i.V] != 1 || open[i.V] || fixed[i.V] != nil {
					continue
				}
				ok, total := true, 1
				ir.Leaves(i.E, func(x *ir.Term) {
					if x.Op == ir.Local_ {
						ok = ok && fixed[x.V] != nil
						total += size[x.V]
					}
					total++
				})
				// A variable that names another twice doubles at each step: without a bound, terms would
				// grow exponentially.
				if ok && total < 400 {
					fixed[i.V] = replace(i.E, fixed)
					size[i.V] = total
					changed = true
				}
			}
		}
	}
	for _, n := range p.Nodes {
		n.Code = slices.DeleteFunc(n.Code, func(i *ir.Instr) bool {
			return i.V != nil && fixed[i.V] != nil && (i.Op == ir.DoAssign || i.Op == ir.DoUndef)
		})
		for k, i := range n.Code {
			c := *i
			if c.E != nil {
				c.E = replace(c.E, fixed)
			}
			if c.Off != nil {
				c.Off = replace(c.Off, fixed)
			}
			n.Code[k] = &c
		}
		if n.Cond != nil {
			n.Cond = replace(n.Cond, fixed)
			switch n.Cond.Op {
			case ir.PTrue:
				n.Cond, n.Other = nil, nil
			case ir.PFalse:
				n.Cond, n.Then, n.Other = nil, n.Other, nil
			}
		}
	}
	for i, a := range p.Axioms {
		p.Axioms[i] = replace(a, fixed)
	}
}

// unset lets variables begin without a value that a jump past their declaration may lead to.
func unset(p *ir.Program) {
	var first []*ir.Instr
	live := Liveness(p)[p.Entry]
	for _, v := range p.Vars {
		if live[v] && !v.Ghost && v != p.Accessed && v != p.Offset {
			first = append(first, &ir.Instr{Op: ir.DoUndef, At: p.At, V: v})
		}
	}
	if first != nil { // in a node of their own: jumps may lead to what was the entry, which may be a barrier
		p.Entry = &ir.Node{At: p.At, Code: first, Then: p.Entry}
		p.Nodes = append(p.Nodes, p.Entry)
		prune(p)
	}
}

// DropUnread leaves out that variables have no value yet where nothing reads them before they are set: readers that
// say it of every variable would otherwise make each look as if threads differed in it.
func DropUnread(p *ir.Program) {
	open := readUnset(p)
	for _, n := range p.Nodes {
		n.Code = slices.DeleteFunc(n.Code, func(i *ir.Instr) bool { return i.Op == ir.DoUndef && !open[i.V] })
	}
}

// readUnset are the variables that may be read before they are set, by the form of the program:
// they may have any value then.
func readUnset(p *ir.Program) map[*ir.Variable]bool {
	out := map[*ir.Variable]bool{}
	for _, n := range p.Nodes {
		for k, i := range n.Code {
			if i.Op == ir.DoUndef {
				out[i.V] = out[i.V] || readBehind(n, k+1, i.V)
			}
		}
	}
	return out
}

// readBehind reports whether v may be read from instruction k of n on before it is set.
func readBehind(n *ir.Node, k int, v *ir.Variable) bool {
	reads := func(t *ir.Term) bool { return t != nil && ir.Mentions(t, v) }
	seen, todo := map[*ir.Node]bool{}, []*ir.Node{n}
	for ; len(todo) > 0; k = 0 {
		n, todo = todo[len(todo)-1], todo[:len(todo)-1]
		set := false
		for _, i := range n.Code[k:] {
			if reads(i.E) || reads(i.Off) {
				return true
			}
			if set = i.V == v; set {
				break
			}
		}
		switch {
		case set:
			continue
		case reads(n.Cond):
			return true
		}
		for _, s := range successors(n) {
			if !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
		}
	}
	return false
}

func replace(t *ir.Term, by map[*ir.Variable]*ir.Term) *ir.Term {
	return ir.MapTerm(t, func(x *ir.Term) *ir.Term {
		if x.Op == ir.Local_ {
			return by[x.V]
		}
		return nil
	})
}

// Liveness finds the variables whose value matters at the start of each node.
func Liveness(p *ir.Program) map[*ir.Node]map[*ir.Variable]bool {
	live := map[*ir.Node]map[*ir.Variable]bool{}
	for _, n := range p.Nodes {
		live[n] = map[*ir.Variable]bool{}
	}
	for changed := true; changed; {
		changed = false
		// Liveness flows backwards, so the nodes are visited in reverse, and so is the code of each.
		for k := len(p.Nodes) - 1; k >= 0; k-- {
			n := p.Nodes[k]
			now := map[*ir.Variable]bool{}
			for _, s := range successors(n) {
				for v := range live[s] {
					now[v] = true
				}
			}
			use := func(t *ir.Term) {
				if t != nil {
					for _, v := range ir.VariablesOf(t) {
						now[v] = true
					}
				}
			}
			use(n.Cond)
			for i := len(n.Code) - 1; i >= 0; i-- {
				c := n.Code[i]
				if c.V != nil {
					delete(now, c.V)
				}
				use(c.E)
				use(c.Off)
			}
			if n.Count != nil {
				now[n.Count] = true
			}
			if len(now) != len(live[n]) {
				live[n], changed = now, true
			}
		}
	}
	return live
}

// CutPoints are the nodes at which threads may stand: the entry, barriers (unless
// groups are apart), ends, and loop heads that a barrier does not cut already; where several ways meet, too, if that is wanted.
func CutPoints(p *ir.Program, barriers, joins bool) []*ir.Node {
	cut := map[*ir.Node]bool{p.Entry: true}
	ways := map[*ir.Node]int{}
	for _, n := range p.Nodes {
		for _, s := range successors(n) {
			ways[s]++
			cut[s] = cut[s] || joins && ways[s] > 1
		}
	}
	for _, n := range p.Nodes {
		if n.End || n.Then == nil || n.Asks || barriers && n.IsBarrier() {
			cut[n] = true
		}
	}
	// States 0, 1 and 2 are not seen, on the path, and done: an edge to a node on the path closes a loop, and cuts it.
	state := map[*ir.Node]int{}
	var visit func(n *ir.Node)
	visit = func(n *ir.Node) {
		state[n] = 1
		for _, s := range successors(n) {
			if barriers && s.IsBarrier() {
				continue
			}
			switch state[s] {
			case 0:
				visit(s)
			case 1:
				cut[s] = true
			}
		}
		state[n] = 2
	}
	visit(p.Entry)
	// Behind a barrier the search starts again, since a thread may stand there.
	for _, n := range p.Nodes {
		if n.IsBarrier() && state[n] == 0 {
			visit(n)
		}
	}
	var out []*ir.Node
	for _, n := range p.Nodes {
		if cut[n] {
			out = append(out, n)
		}
	}
	return out
}

// Uniformity says which variables have one value in all threads of a group, or of a tile if the program is for its lanes, and which
// nodes all of them come to together, if reads give the same value that are known to.
func Uniformity(p *ir.Program, grid bool, shared map[*ir.Instr]int) (same map[*ir.Variable]bool, together map[*ir.Node]bool) {
	// This begins with all that is possible and removes until nothing changes: the greatest fixed point, so that
	// variables of loops can be uniform.
	same, together = map[*ir.Variable]bool{}, map[*ir.Node]bool{}
	for _, v := range p.Vars {
		same[v] = true
	}
	for _, n := range p.Nodes {
		together[n] = true
	}
	leaf := func(x *ir.Term) bool {
		return !(x.Op == ir.Sym && x.Own && (grid || x.Symbol.Of == ir.OfThread) || x.Op == ir.Local_ && !same[x.V])
	}
	uniform := func(t *ir.Term) bool {
		if p.Lanes > 0 && p.InOneTile(t, leaf) {
			return true
		}
		ok := true
		ir.Leaves(t, func(x *ir.Term) { ok = ok && leaf(x) })
		return ok
	}
	region, open := regions(p), readUnset(p)
	for changed := true; changed; {
		changed = false
		for _, n := range p.Nodes {
			for _, i := range n.Code {
				if i.V == nil || !same[i.V] || i.Op == ir.DoUndef && !open[i.V] { // what it holds is not read until it is set
					continue
				}
				known := i.Op == ir.DoAssign && uniform(i.E) || shared[i] > 0
				if !known || !together[n] {
					same[i.V], changed = false, true
				}
			}
			// Where threads may decide differently, nodes up to the place where they meet again are not reached
			// together.
			if n.Cond != nil && !uniform(n.Cond) {
				for m := range region[n] {
					if together[m] {
						together[m], changed = false, true
					}
				}
			}
		}
	}
	return same, together
}

// regions are, for each branch, the nodes that it decides about: those on the ways
// from it to where all ways meet again.
func regions(p *ir.Program) map[*ir.Node]map[*ir.Node]bool {
	n := len(p.Nodes)
	after := make([][]bool, n) // post-dominators
	for i := range after {
		after[i] = make([]bool, n)
		for j := range after[i] {
			after[i][j] = true
		}
		if len(successors(p.Nodes[i])) == 0 {
			clear(after[i])
			after[i][i] = true
		}
	}
	// From all nodes downwards: the greatest fixpoint is what every way to an end meets.
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			next := successors(p.Nodes[i])
			for j := range n {
				if !after[i][j] || j == i || len(next) == 0 {
					continue
				}
				for _, s := range next {
					if !after[s.Id][j] {
						after[i][j], changed = false, true
						break
					}
				}
			}
		}
	}
	out := map[*ir.Node]map[*ir.Node]bool{}
	for _, b := range p.Nodes {
		if b.Cond == nil {
			continue
		}
		in := map[*ir.Node]bool{}
		stack := successors(b)
		for len(stack) > 0 {
			m := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if in[m] || m != b && after[b.Id][m.Id] {
				continue
			}
			in[m] = true
			stack = append(stack, successors(m)...)
		}
		out[b] = in
	}
	return out
}

// counters keeps the counters of loops in which variables step by other amounts than
// one, or more than one variable steps: there a closed form says what a bound cannot.
func counters(p *ir.Program) {
	keep := map[*ir.Variable]bool{}
	loops := Loops(p)
	for _, h := range p.Nodes {
		if h.Count == nil {
			continue
		}
		h.Stepped = map[*ir.Variable][]*ir.Term{}
		odd := false
		for n := range LoopOf(loops, h) {
			for _, i := range n.Code {
				if i.Op != ir.DoAssign || i.V.Ghost {
					continue
				}
				for _, e := range alternatives(i.E) {
					k := ir.Minus(ir.Unwrapped(i.V.Typ, e), ir.VariableTerm(i.V))
					if ir.Mentions(k, i.V) || k.Is(0) || i.V.Typ.Kind != ast.IntType {
						continue
					}
					h.Stepped[i.V] = append(h.Stepped[i.V], k)
					odd = odd || !k.Is(1) && !k.Is(-1)
				}
			}
		}
		// One variable that steps by one is its own counter.
		if len(h.Stepped) == 0 || !odd && len(h.Stepped) < 2 {
			h.Count = nil
		} else {
			keep[h.Count] = true
		}
	}
	for _, n := range p.Nodes {
		n.Code = slices.DeleteFunc(n.Code, func(i *ir.Instr) bool { return i.V != nil && i.V.Ghost && !keep[i.V] })
	}
}

// alternatives are the values that a choice chooses from.
func alternatives(e *ir.Term) []*ir.Term {
	if e.Op == ir.Ite {
		return append(alternatives(e.Args[1]), alternatives(e.Args[2])...)
	}
	return []*ir.Term{e}
}

// comesRound reports whether a way leads from the head of a loop to it again, without a barrier.
func comesRound(loop map[*ir.Node]bool, head *ir.Node) bool {
	seen := map[*ir.Node]bool{}
	stack := []*ir.Node{head}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.IsBarrier() {
			continue
		}
		for _, s := range successors(n) {
			if s == head {
				return true
			}
			if loop[s] && !seen[s] {
				seen[s] = true
				stack = append(stack, s)
			}
		}
	}
	return false
}

// asksLog reports whether an instruction depends on what has been logged.
func asksLog(p *ir.Program, c *ir.Instr) bool {
	return c.E != nil && (c.Op == ir.DoAssert || c.Op == ir.DoAssume || c.Op == ir.DoInvariant) && (ir.Mentions(c.E, p.Accessed) || ir.Mentions(c.E, p.Offset))
}
