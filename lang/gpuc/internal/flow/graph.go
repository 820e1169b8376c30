package flow

import (
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// Prepare brings a lowered program into the form that paths are read from: barriers
// are nodes of their own, dead nodes are gone, variables that are set once stand for
// their value.
func (p *Program) Prepare() {
	for i := 0; i < len(p.Nodes); i++ {
		n := p.Nodes[i]
		leading := true
		for k, c := range n.Code {
			leading = leading && (k == 0 || c.Op == DoInvariant && n.Code[k-1].Op == DoInvariant)
			// The log is that of a cut point: what asks for it comes first.
			if asks := p.asksLog(c); asks && leading {
				n.Asks = true
				continue
			} else if !asks && (c.Op != DoBarrier || k == 0 && len(n.Code) == 1) {
				continue
			}
			rest := &Node{Id: len(p.Nodes), At: c.At, Cond: n.Cond, Then: n.Then, Other: n.Other, End: n.End}
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
	p.prune()
	p.substitute()
	p.counters()
	p.skipEmpty()
	p.prune()
}

func (n *Node) IsBarrier() bool { return len(n.Code) == 1 && n.Code[0].Op == DoBarrier }

func (n *Node) successors() []*Node {
	switch {
	case n.End || n.Then == nil:
		return nil
	case n.Cond == nil:
		return []*Node{n.Then}
	}
	return []*Node{n.Then, n.Other}
}

// prune drops nodes that cannot be reached, and numbers the others in depth-first order.
func (p *Program) prune() {
	seen := map[*Node]bool{}
	var order []*Node
	stack := []*Node{p.Entry}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		order = append(order, n)
		next := n.successors()
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
func (p *Program) skipEmpty() {
	final := func(n *Node) *Node {
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
func (p *Program) substitute() {
	set := map[*Variable]int{}
	def := map[*Variable]*Instr{}
	for _, n := range p.Nodes {
		for _, i := range n.Code {
			if i.V != nil && i.Op != DoUndef {
				set[i.V]++
				def[i.V] = i
			}
		}
	}
	// Definitions rest on one another, in any order of the nodes; terms that would grow beyond
	// 400 leaves cost more than the variables that they save.
	fixed := map[*Variable]*Term{}
	size := map[*Variable]int{}
	for changed := true; changed; {
		changed = false
		for _, n := range p.Nodes {
			for _, i := range n.Code {
				if i.Op != DoAssign || set[i.V] != 1 || fixed[i.V] != nil {
					continue
				}
				ok, total := true, 1
				Leaves(i.E, func(x *Term) {
					if x.Op == Local_ {
						ok = ok && fixed[x.V] != nil
						total += size[x.V]
					}
					total++
				})
				// A variable that names another twice doubles at each step: without a bound, terms would
				// grow exponentially.
				if ok && total < 400 {
					fixed[i.V] = p.replace(i.E, fixed)
					size[i.V] = total
					changed = true
				}
			}
		}
	}
	for _, n := range p.Nodes {
		n.Code = slices.DeleteFunc(n.Code, func(i *Instr) bool {
			return i.V != nil && fixed[i.V] != nil && (i.Op == DoAssign || i.Op == DoUndef)
		})
		for k, i := range n.Code {
			c := *i
			if c.E != nil {
				c.E = p.replace(c.E, fixed)
			}
			if c.Off != nil {
				c.Off = p.replace(c.Off, fixed)
			}
			n.Code[k] = &c
		}
		if n.Cond != nil {
			n.Cond = p.replace(n.Cond, fixed)
			switch n.Cond.Op {
			case PTrue:
				n.Cond, n.Other = nil, nil
			case PFalse:
				n.Cond, n.Then, n.Other = nil, n.Other, nil
			}
		}
	}
	for i, a := range p.Axioms {
		p.Axioms[i] = p.replace(a, fixed)
	}
}

func (p *Program) replace(t *Term, by map[*Variable]*Term) *Term {
	return MapTerm(t, func(x *Term) *Term {
		if x.Op == Local_ {
			return by[x.V]
		}
		return nil
	})
}

// Liveness finds the variables whose value matters at the start of each node.
func (p *Program) Liveness() map[*Node]map[*Variable]bool {
	live := map[*Node]map[*Variable]bool{}
	for _, n := range p.Nodes {
		live[n] = map[*Variable]bool{}
	}
	for changed := true; changed; {
		changed = false
		for k := len(p.Nodes) - 1; k >= 0; k-- {
			n := p.Nodes[k]
			now := map[*Variable]bool{}
			for _, s := range n.successors() {
				for v := range live[s] {
					now[v] = true
				}
			}
			use := func(t *Term) {
				if t != nil {
					for _, v := range VariablesOf(t) {
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
// groups are apart), ends, and loop heads that a barrier does not cut already.
func (p *Program) CutPoints(barriers bool) []*Node {
	cut := map[*Node]bool{p.Entry: true}
	for _, n := range p.Nodes {
		if n.End || n.Then == nil || n.Asks || barriers && n.IsBarrier() {
			cut[n] = true
		}
	}
	state := map[*Node]int{}
	var visit func(n *Node)
	visit = func(n *Node) {
		state[n] = 1
		for _, s := range n.successors() {
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
	for _, n := range p.Nodes {
		if n.IsBarrier() && state[n] == 0 {
			visit(n)
		}
	}
	var out []*Node
	for _, n := range p.Nodes {
		if cut[n] {
			out = append(out, n)
		}
	}
	return out
}

// Uniformity says which variables have one value in all threads of a group, and which
// nodes all threads of a group come to together.
func (p *Program) Uniformity(grid bool) (same map[*Variable]bool, together map[*Node]bool) {
	same, together = map[*Variable]bool{}, map[*Node]bool{}
	for _, v := range p.Vars {
		same[v] = true
	}
	for _, n := range p.Nodes {
		together[n] = true
	}
	uniform := func(t *Term) bool {
		ok := true
		Leaves(t, func(x *Term) {
			switch {
			case x.Op == Sym && x.Own && (grid || x.Name[:3] == "lid"):
				ok = false
			case x.Op == Local_ && !same[x.V]:
				ok = false
			}
		})
		return ok
	}
	region := p.regions()
	for changed := true; changed; {
		changed = false
		for _, n := range p.Nodes {
			for _, i := range n.Code {
				if i.V == nil || !same[i.V] {
					continue
				}
				if i.Op != DoAssign || !together[n] || !uniform(i.E) {
					same[i.V], changed = false, true
				}
			}
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
func (p *Program) regions() map[*Node]map[*Node]bool {
	n := len(p.Nodes)
	after := make([][]bool, n) // post-dominators
	for i := range after {
		after[i] = make([]bool, n)
		for j := range after[i] {
			after[i][j] = true
		}
		if len(p.Nodes[i].successors()) == 0 {
			clear(after[i])
			after[i][i] = true
		}
	}
	// From all nodes downwards: the greatest fixpoint is what every way to an end meets.
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			next := p.Nodes[i].successors()
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
	out := map[*Node]map[*Node]bool{}
	for _, b := range p.Nodes {
		if b.Cond == nil {
			continue
		}
		in := map[*Node]bool{}
		stack := b.successors()
		for len(stack) > 0 {
			m := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if in[m] || m != b && after[b.Id][m.Id] {
				continue
			}
			in[m] = true
			stack = append(stack, m.successors()...)
		}
		out[b] = in
	}
	return out
}

// counters keeps the counters of loops in which variables step by other amounts than
// one, or more than one variable steps: there a closed form says what a bound cannot.
func (p *Program) counters() {
	drop := map[*Variable]bool{}
	for _, h := range p.Nodes {
		if h.Count == nil {
			continue
		}
		h.Stepped = map[*Variable][]*Term{}
		odd := false
		for n := range p.LoopOf(h) {
			for _, i := range n.Code {
				if i.Op != DoAssign || i.V.Ghost {
					continue
				}
				k := Minus(Unwrapped(i.V.Typ, i.E), VariableTerm(i.V))
				if Mentions(k, i.V) || k.Is(0) || i.V.Typ.Kind != syntax.IntType {
					continue
				}
				h.Stepped[i.V] = append(h.Stepped[i.V], k)
				odd = odd || !k.Is(1) && !k.Is(-1)
			}
		}
		if len(h.Stepped) == 0 || !odd && len(h.Stepped) < 2 {
			drop[h.Count] = true
			h.Count = nil
		}
	}
	for _, n := range p.Nodes {
		n.Code = slices.DeleteFunc(n.Code, func(i *Instr) bool { return i.V != nil && drop[i.V] })
	}
}

// LoopOf are the nodes of the loop with head h: those that reach it again without leaving it.
func (p *Program) LoopOf(h *Node) map[*Node]bool {
	before := map[*Node][]*Node{}
	for _, n := range p.Nodes {
		for _, s := range n.successors() {
			before[s] = append(before[s], n)
		}
	}
	reached := map[*Node]bool{}
	stack := []*Node{h}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range n.successors() {
			if !reached[s] {
				reached[s] = true
				stack = append(stack, s)
			}
		}
	}
	in := map[*Node]bool{}
	stack = append(stack, h)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, b := range before[n] {
			if reached[b] && !in[b] && n.Id >= 0 && (b == h || b.Id > h.Id) {
				in[b] = true
				stack = append(stack, b)
			}
		}
	}
	return in
}

// Endless are the lines of loops that nothing leads out of.
func (p *Program) Endless() (lines []int) {
	for _, head := range p.Nodes {
		if !head.Head {
			continue
		}
		loop, left := p.LoopOf(head), false
		for n := range loop {
			left = left || n.End || n.Then != nil && !loop[n.Then] || n.Other != nil && !loop[n.Other]
		}
		if !left {
			lines = append(lines, head.At.Line)
		}
	}
	return lines
}
