package gpuc

import "slices"

// prepare brings a lowered program into the form that paths are read from: barriers
// are nodes of their own, dead nodes are gone, variables that are set once stand for
// their value.
func (p *program) prepare() {
	for i := 0; i < len(p.nodes); i++ {
		n := p.nodes[i]
		for k, c := range n.code {
			if c.op != doBarrier || k == 0 && len(n.code) == 1 {
				continue
			}
			rest := &node{id: len(p.nodes), at: c.at, cond: n.cond, then: n.then, other: n.other, end: n.end}
			p.nodes = append(p.nodes, rest)
			n.cond, n.other, n.end, n.then = nil, nil, false, rest
			if k == 0 {
				rest.code, n.code = n.code[1:], n.code[:1]
			} else {
				rest.code, n.code = n.code[k:], n.code[:k]
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

func (n *node) isBarrier() bool { return len(n.code) == 1 && n.code[0].op == doBarrier }

func (n *node) successors() []*node {
	switch {
	case n.end || n.then == nil:
		return nil
	case n.cond == nil:
		return []*node{n.then}
	}
	return []*node{n.then, n.other}
}

// prune drops nodes that cannot be reached, and numbers the others in depth-first order.
func (p *program) prune() {
	seen := map[*node]bool{}
	var order []*node
	stack := []*node{p.entry}
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
		n.id = i
	}
	p.nodes = order
}

// skipEmpty lets edges skip nodes without code that only go on, unless they loop.
func (p *program) skipEmpty() {
	final := func(n *node) *node {
		for range p.nodes {
			if n.head || n.end || len(n.code) > 0 || n.cond != nil || n.then == nil || n.then == n {
				break
			}
			n = n.then
		}
		return n
	}
	for _, n := range p.nodes {
		if n.then != nil {
			n.then = final(n.then)
		}
		if n.other != nil {
			n.other = final(n.other)
		}
		if n.cond != nil && n.then == n.other {
			n.cond, n.other = nil, nil
		}
	}
	p.entry = final(p.entry)
}

// substitute replaces variables that are set once, to a value that never changes, by it.
func (p *program) substitute() {
	set := map[*variable]int{}
	def := map[*variable]*instr{}
	for _, n := range p.nodes {
		for _, i := range n.code {
			if i.v != nil && i.op != doUndef {
				set[i.v]++
				def[i.v] = i
			}
		}
	}
	fixed := map[*variable]*term{}
	size := map[*variable]int{}
	for changed := true; changed; {
		changed = false
		for _, n := range p.nodes {
			for _, i := range n.code {
				if i.op != doAssign || set[i.v] != 1 || fixed[i.v] != nil {
					continue
				}
				ok, total := true, 1
				leaves(i.e, func(x *term) {
					if x.op == local_ {
						ok = ok && fixed[x.v] != nil
						total += size[x.v]
					}
					total++
				})
				if ok && total < 400 {
					fixed[i.v] = p.replace(i.e, fixed)
					size[i.v] = total
					changed = true
				}
			}
		}
	}
	for _, n := range p.nodes {
		n.code = slices.DeleteFunc(n.code, func(i *instr) bool {
			return i.v != nil && fixed[i.v] != nil && (i.op == doAssign || i.op == doUndef)
		})
		for k, i := range n.code {
			c := *i
			if c.e != nil {
				c.e = p.replace(c.e, fixed)
			}
			if c.off != nil {
				c.off = p.replace(c.off, fixed)
			}
			n.code[k] = &c
		}
		if n.cond != nil {
			n.cond = p.replace(n.cond, fixed)
			switch n.cond.op {
			case pTrue:
				n.cond, n.other = nil, nil
			case pFalse:
				n.cond, n.then, n.other = nil, n.other, nil
			}
		}
	}
	for i, a := range p.axioms {
		p.axioms[i] = p.replace(a, fixed)
	}
}

func (p *program) replace(t *term, by map[*variable]*term) *term {
	return mapTerm(t, func(x *term) *term {
		if x.op == local_ {
			return by[x.v]
		}
		return nil
	})
}

// liveness finds the variables whose value matters at the start of each node.
func (p *program) liveness() map[*node]map[*variable]bool {
	live := map[*node]map[*variable]bool{}
	for _, n := range p.nodes {
		live[n] = map[*variable]bool{}
	}
	for changed := true; changed; {
		changed = false
		for k := len(p.nodes) - 1; k >= 0; k-- {
			n := p.nodes[k]
			now := map[*variable]bool{}
			for _, s := range n.successors() {
				for v := range live[s] {
					now[v] = true
				}
			}
			use := func(t *term) {
				if t != nil {
					for _, v := range variablesOf(t) {
						now[v] = true
					}
				}
			}
			use(n.cond)
			for i := len(n.code) - 1; i >= 0; i-- {
				c := n.code[i]
				if c.v != nil {
					delete(now, c.v)
				}
				use(c.e)
				use(c.off)
			}
			if n.count != nil {
				now[n.count] = true
			}
			if len(now) != len(live[n]) {
				live[n], changed = now, true
			}
		}
	}
	return live
}

// cutPoints are the nodes at which threads may stand: the entry, barriers (unless
// groups are apart), ends, and loop heads that a barrier does not cut already.
func (p *program) cutPoints(barriers bool) []*node {
	cut := map[*node]bool{p.entry: true}
	for _, n := range p.nodes {
		if n.end || n.then == nil || barriers && n.isBarrier() {
			cut[n] = true
		}
	}
	state := map[*node]int{}
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = 1
		for _, s := range n.successors() {
			if barriers && s.isBarrier() {
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
	visit(p.entry)
	for _, n := range p.nodes {
		if n.isBarrier() && state[n] == 0 {
			visit(n)
		}
	}
	var out []*node
	for _, n := range p.nodes {
		if cut[n] {
			out = append(out, n)
		}
	}
	return out
}

// uniformity says which variables have one value in all threads of a group, and which
// nodes all threads of a group come to together.
func (p *program) uniformity(grid bool) (same map[*variable]bool, together map[*node]bool) {
	same, together = map[*variable]bool{}, map[*node]bool{}
	for _, v := range p.vars {
		same[v] = true
	}
	for _, n := range p.nodes {
		together[n] = true
	}
	uniform := func(t *term) bool {
		ok := true
		leaves(t, func(x *term) {
			switch {
			case x.op == sym && x.own && (grid || x.name[:3] == "lid"):
				ok = false
			case x.op == local_ && !same[x.v]:
				ok = false
			}
		})
		return ok
	}
	region := p.regions()
	for changed := true; changed; {
		changed = false
		for _, n := range p.nodes {
			for _, i := range n.code {
				if i.v == nil || !same[i.v] {
					continue
				}
				if i.op != doAssign || !together[n] || !uniform(i.e) {
					same[i.v], changed = false, true
				}
			}
			if n.cond != nil && !uniform(n.cond) {
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
func (p *program) regions() map[*node]map[*node]bool {
	n := len(p.nodes)
	after := make([][]bool, n) // post-dominators
	for i := range after {
		after[i] = make([]bool, n)
		for j := range after[i] {
			after[i][j] = true
		}
		if len(p.nodes[i].successors()) == 0 {
			clear(after[i])
			after[i][i] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			next := p.nodes[i].successors()
			for j := range n {
				if !after[i][j] || j == i || len(next) == 0 {
					continue
				}
				for _, s := range next {
					if !after[s.id][j] {
						after[i][j], changed = false, true
						break
					}
				}
			}
		}
	}
	out := map[*node]map[*node]bool{}
	for _, b := range p.nodes {
		if b.cond == nil {
			continue
		}
		in := map[*node]bool{}
		stack := b.successors()
		for len(stack) > 0 {
			m := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if in[m] || m != b && after[b.id][m.id] {
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
func (p *program) counters() {
	drop := map[*variable]bool{}
	for _, h := range p.nodes {
		if h.count == nil {
			continue
		}
		h.stepped = map[*variable][]*term{}
		odd := false
		for n := range p.loopOf(h) {
			for _, i := range n.code {
				if i.op != doAssign || i.v.ghost {
					continue
				}
				k := minus(unwrapped(i.v.typ, i.e), variableTerm(i.v))
				if mentions(k, i.v) || k.is(0) || i.v.typ.kind != intType {
					continue
				}
				h.stepped[i.v] = append(h.stepped[i.v], k)
				odd = odd || !k.is(1) && !k.is(-1)
			}
		}
		if len(h.stepped) == 0 || !odd && len(h.stepped) < 2 {
			drop[h.count] = true
			h.count = nil
		}
	}
	for _, n := range p.nodes {
		n.code = slices.DeleteFunc(n.code, func(i *instr) bool { return i.v != nil && drop[i.v] })
	}
}

// loopOf are the nodes of the loop with head h: those that reach it again without leaving it.
func (p *program) loopOf(h *node) map[*node]bool {
	before := map[*node][]*node{}
	for _, n := range p.nodes {
		for _, s := range n.successors() {
			before[s] = append(before[s], n)
		}
	}
	reached := map[*node]bool{}
	stack := []*node{h}
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
	in := map[*node]bool{}
	stack = append(stack, h)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, b := range before[n] {
			if reached[b] && !in[b] && n.id >= 0 && (b == h || b.id > h.id) {
				in[b] = true
				stack = append(stack, b)
			}
		}
	}
	return in
}
