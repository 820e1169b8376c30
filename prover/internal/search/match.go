package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/trigger"
)

// maxSlots bounds the slots of a match.
const maxSlots = 128

// withMatching calls f with an empty matching.
func (is *instances) withMatching(f func(*matching)) {
	if len(is.idle) == 0 {
		is.idle = append(is.idle, &matching{is.engine, make([]euf.Node, maxSlots), make([]logic.Term, maxSlots)})
	}
	last := len(is.idle) - 1
	m := is.idle[last]
	is.idle = is.idle[:last]
	f(m)
	is.idle = append(is.idle, m)
}

// match calls k for every way in which node n, or an equal one, is an instance of p.
func (m *matching) match(p *trigger.Node, n euf.Node, k func()) {
	g := m.e.g
	m.e.steps++
	switch p.Kind {
	case trigger.Ground:
		if g.Equal(g.Lookup(p.Term), n) {
			k()
		}
	case trigger.Slot:
		if p.Slot >= len(m.slots) {
			return
		}
		if v := m.slots[p.Slot]; v == 0 {
			m.slots[p.Slot] = n
			k()
			m.slots[p.Slot] = 0
		} else if g.Equal(v, n) {
			k()
		}
	case trigger.Sum:
		m.e.each(n, func(c euf.Node) {
			if g.Op(c) == p.Op && len(g.Args(c)) == len(p.Args) {
				m.matchArgs(p, c, 0, k)
			}
		})
	case trigger.App:
		if m.e.spent() {
			return
		}
		// Congruent members of the class give the same instances but for terms that are equal
		// anyway; where many sets are equal, those would be nearly all.
		var buf [8]euf.Node
		seen := buf[:0]
		for c := n; ; {
			m.e.steps++
			if g.Op(c) == p.Op && m.e.terms.relevant[c] && len(g.Args(c)) == len(p.Args) && !m.repeats(c, seen) {
				seen = append(seen, c)
				m.matchArgs(p, c, 0, k)
			}
			if c = g.Next(c); c == n {
				return
			}
		}
	}
}

// repeats reports whether n is congruent to one of seen.
func (m *matching) repeats(n euf.Node, seen []euf.Node) bool {
	m.e.steps += int64(len(seen))
	return slices.ContainsFunc(seen, func(c euf.Node) bool { return m.e.g.Congruent(c, n) })
}

// matchNode is match for node n itself.
func (m *matching) matchNode(p *trigger.Node, n euf.Node, k func()) {
	if p.Kind != trigger.App {
		m.match(p, n, k)
	} else if m.e.g.Op(n) == p.Op && len(m.e.g.Args(n)) == len(p.Args) {
		m.matchArgs(p, n, 0, k)
	}
}

func (m *matching) matchArgs(p *trigger.Node, n euf.Node, i int, k func()) {
	if i == len(p.Args) {
		k()
		return
	}
	m.match(&p.Args[i], m.e.g.Args(n)[i], func() { m.matchArgs(p, n, i+1, k) })
}

// useful reports whether predicate node n has the truth value that p looks for.
func (is *instances) useful(p *trigger.Pattern, n euf.Node) bool {
	return !p.Lit || is.truth(n) != 0 && (p.Sign == 0 || is.truth(n) == p.Sign)
}

// join matches the patterns of t that are not done, and makes instances. Of the patterns
// that are left it takes the one of which most is known, so that few nodes are looked at.
func (m *matching) join(quantifier *quant, t *trigger.Trigger, done uint64) {
	if m.e.spent() || m.e.instances.full(quantifier, t) {
		return
	}
	next, most := -1, unknown
	for i := range t.Patterns {
		if done&(1<<i) == 0 {
			if k := m.knowledge(&t.Patterns[i].Root); next < 0 || k > most {
				next, most = i, k
			}
		}
	}
	if next < 0 {
		m.instance(quantifier, t)
		return
	}
	p := &t.Patterns[next]
	m.candidates(p, func(node euf.Node) {
		if m.e.instances.useful(p, node) {
			m.matchNode(&p.Root, node, func() { m.join(quantifier, t, done|1<<next) })
		}
	})
}

// knowledge says how much is known of a pattern.
type knowledge uint8

const (
	unknown knowledge = iota
	ground            // a closed term stands in it
	bound             // a variable that has a value
)

// knowledge says how much of a pattern is known: nothing, the values of its variables, or all of it.
func (m *matching) knowledge(p *trigger.Node) knowledge {
	switch p.Kind {
	case trigger.Ground:
		return ground
	case trigger.Slot:
		if p.Slot < len(m.slots) && m.slots[p.Slot] != 0 {
			return bound
		}
	case trigger.App:
		most := unknown
		for i := range p.Args {
			most = max(most, m.knowledge(&p.Args[i]))
		}
		return most
	}
	return unknown
}

// candidates calls f for the relevant nodes that may match p: those above a known term
// in p, if there is one, else all with its operator.
func (m *matching) candidates(p *trigger.Pattern, f func(euf.Node)) {
	e := m.e
	nodes, ok := m.above(&p.Root)
	if !ok {
		nodes = m.shaped(&p.Root)
	}
	for _, n := range nodes[:len(nodes):len(nodes)] {
		e.steps++
		f(n)
	}
}

// shaped returns the relevant nodes that may match p, of which nothing is known: memberships in sets of the operator that
// p names, or all with its own.
func (m *matching) shaped(p *trigger.Node) []euf.Node {
	e := m.e
	if p.Op != logic.In || p.Args[1].Kind != trigger.App {
		return e.terms.byOp[p.Op]
	}
	var nodes []euf.Node
	sets := e.terms.byOp[p.Args[1].Op]
	for i, set := range sets {
		e.steps++
		if !slices.ContainsFunc(sets[:i], func(s euf.Node) bool { return e.g.Equal(s, set) }) {
			nodes = append(nodes, m.with(logic.In, 1, set)...)
		}
	}
	return nodes
}

// above returns the nodes with the operator of p that stand where p does above a known term in it,
// and false if there is none in it. An argument that is known itself comes before one
// with a known term in it.
func (m *matching) above(p *trigger.Node) ([]euf.Node, bool) {
	if at, arg := m.known(p); arg != 0 {
		return m.with(p.Op, at, arg), true
	}
	for i := range p.Args {
		if p.Args[i].Kind != trigger.App {
			continue
		}
		if below, ok := m.above(&p.Args[i]); ok {
			var nodes []euf.Node
			for j, n := range below {
				if !slices.ContainsFunc(below[:j], func(c euf.Node) bool { return m.e.g.Equal(c, n) }) {
					nodes = append(nodes, m.with(p.Op, i, n)...)
				}
			}
			return nodes, true
		}
	}
	return nil, false
}

// with returns the nodes of op whose argument at equals arg, no two of which are congruent if
// they have two arguments.
func (m *matching) with(op logic.Op, at int, arg euf.Node) []euf.Node {
	e := m.e
	var nodes []euf.Node
	others := &e.instances.others
	others.clear()
	member := op == logic.In && at == 1
	e.each(arg, func(s euf.Node) {
		list := e.g.Parents(s)
		if member {
			list = e.g.Memberships(s)
		}
		e.steps += int64(len(list))
		for _, n := range list {
			args := e.g.Args(n)
			if !member && (e.g.Op(n) != op || at >= len(args) || args[at] != s || !e.terms.relevant[n]) {
				continue
			}
			if len(args) != 2 || others.add(e.g.Find(args[1-at])) {
				nodes = append(nodes, n)
			}
		}
	})
	return nodes
}

func (s *nodeSet) clear() { s.epoch++ }

// add adds n and reports whether it is new.
func (s *nodeSet) add(n euf.Node) bool {
	for len(s.stamps) <= int(n) {
		s.stamps = append(s.stamps, 0)
	}
	if s.stamps[n] == s.epoch {
		return false
	}
	s.stamps[n] = s.epoch
	return true
}

// known returns the place and the value of an argument of p that is ground or
// bound, the last one.
func (m *matching) known(p *trigger.Node) (int, euf.Node) {
	for i := len(p.Args) - 1; i >= 0; i-- {
		switch a := &p.Args[i]; {
		case a.Kind == trigger.Ground:
			return i, m.e.g.Lookup(a.Term)
		case a.Kind == trigger.Slot && a.Slot < len(m.slots) && m.slots[a.Slot] != 0:
			return i, m.slots[a.Slot]
		}
	}
	return 0, 0
}
