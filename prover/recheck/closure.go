package recheck

import (
	"encoding/binary"
	"slices"
)

// maxClosure bounds the terms of a congruence closure.
const maxClosure = 1 << 13

// A closure is the least congruence on some terms: a forest of representatives.
type closure struct {
	parent map[*Term]*Term
	terms  []*Term
}

// equational refuses unless the negations of the literals of c contradict each other by
// congruence closure.
func (s *store) equational(c clause) {
	u := closure{parent: map[*Term]*Term{}}
	yes, no := s.app("true"), s.app("false")
	for _, t := range []*Term{s.app("boolof", yes), s.app("boolof", no), s.app("TRUE"), s.app("FALSE")} {
		u.add(t)
	}
	u.join(s.app("boolof", yes), s.app("TRUE"))
	u.join(s.app("boolof", no), s.app("FALSE"))
	for _, l := range c {
		u.add(l.t)
		need(len(u.terms) <= maxClosure, "too many terms for congruence closure")
		if l.not {
			u.join(l.t, yes)
		} else {
			u.join(l.t, no)
		}
	}
	for u.grow(yes, no) && u.class(yes) != u.class(no) {
	}
	need(u.class(yes) == u.class(no), "no contradiction by congruence closure")
}

// add enters t and its parts, except those of binders.
func (u *closure) add(t *Term) {
	if u.parent[t] != nil || len(u.terms) > maxClosure {
		return
	}
	u.parent[t] = t
	u.terms = append(u.terms, t)
	if !binders[t.op] {
		for _, a := range t.args {
			u.add(a)
		}
	}
}

func (u *closure) class(t *Term) *Term {
	for u.parent[t] != t {
		u.parent[t] = u.parent[u.parent[t]]
		t = u.parent[t]
	}
	return t
}

// join makes one class of two and reports whether they were two.
func (u *closure) join(a, b *Term) bool {
	a, b = u.class(a), u.class(b)
	u.parent[b] = a
	return a != b
}

// grow applies each rule once to each term and reports whether classes were joined.
func (u *closure) grow(yes, no *Term) (grew bool) {
	join := func(a, b *Term) { grew = u.join(a, b) || grew }
	known := map[string]*Term{}
	made := map[*Term]*Term{} // by class: a ↦, bool or literal in it; which of them, its type tells
	for _, t := range u.terms {
		if len(t.args) > 0 && !binders[t.op] {
			key := u.signature(t)
			if same := known[key]; same != nil {
				join(same, t)
			}
			known[key] = t
		}
		switch t.op {
		case "eq":
			if u.class(t.args[0]) == u.class(t.args[1]) {
				join(t, yes)
			} else if u.class(t) == u.class(yes) {
				join(t.args[0], t.args[1])
			}
		case "maplet", "boolof", "int":
			other := made[u.class(t)]
			made[u.class(t)] = t
			for i := 0; other != nil && i < len(t.args); i++ {
				join(t.args[i], other.args[i])
			}
			if other != nil && t != other && t.op == "int" {
				join(yes, no)
			}
		}
	}
	return grew
}

// signature is the same for congruent terms.
func (u *closure) signature(t *Term) string {
	var classes []uint64
	for _, a := range t.args {
		classes = append(classes, u.class(a).id)
	}
	if t.op == "eq" { // x=y is y=x
		slices.Sort(classes)
	}
	key := append([]byte(t.op), 0)
	for _, c := range classes {
		key = binary.AppendUvarint(key, c)
	}
	return string(key)
}
