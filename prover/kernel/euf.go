package kernel

import (
	"encoding/binary"

	"github.com/gradine/gradine/logic"
)

// maxEufTerms bounds the terms of one Euf step.
const maxEufTerms = 1 << 13

// closure is a naive congruence closure of the closed subterms of some formulas.
// Binders are opaque: their bodies are not looked into.
type closure struct {
	bank  *logic.Bank
	terms []logic.Term
	node  map[logic.Term]int
	args  [][]int
	root  []int
	same  map[string]int // of one round: operator and classes of arguments → a term
	built map[int]int    // of one round: class → a ↦, a bool or a literal in it
}

// congruent checks an Euf step: the negations of the literals of c contradict
// each other in the theory of equality.
func congruent(b *logic.Bank, clause Clause) {
	u := closure{bank: b, node: map[logic.Term]int{}, same: map[string]int{}, built: map[int]int{}}
	yes, no := u.add(b.App(logic.True)), u.add(b.App(logic.False))
	u.union(u.add(b.App(logic.BoolOf, b.App(logic.True))), u.add(b.App(logic.TrueE)))
	u.union(u.add(b.App(logic.BoolOf, b.App(logic.False))), u.add(b.App(logic.FalseE)))
	for _, literal := range clause {
		n := u.add(literal.Atom())
		need(len(u.terms) <= maxEufTerms, "too many terms for congruence closure")
		if literal.Negated() {
			u.union(n, yes)
		} else {
			u.union(n, no)
		}
	}
	for u.round(yes, no) {
	}
	need(u.find(yes) == u.find(no), "no contradiction by congruence closure")
}

// add enters t and its subterms outside binders.
func (u *closure) add(t logic.Term) int {
	if n, ok := u.node[t]; ok {
		return n
	}
	var args []int
	if !u.bank.Op(t).IsBinder() && len(u.terms) <= maxEufTerms {
		for _, a := range u.bank.Args(t) {
			args = append(args, u.add(a))
		}
	}
	n := len(u.terms)
	u.node[t] = n
	u.terms, u.args, u.root = append(u.terms, t), append(u.args, args), append(u.root, n)
	return n
}

func (u *closure) find(n int) int {
	for u.root[n] != n {
		u.root[n] = u.root[u.root[n]]
		n = u.root[n]
	}
	return n
}

// union merges two classes and reports whether they were different.
func (u *closure) union(m, n int) bool {
	m, n = u.find(m), u.find(n)
	u.root[max(m, n)] = min(m, n)
	return m != n
}

// round applies once, to every term, congruence, the meaning of equations, that ↦
// and bool are injective, and that integer literals differ. It reports whether a
// class grew.
func (u *closure) round(yes, no int) (grew bool) {
	merge := func(m, n int) { grew = u.union(m, n) || grew }
	clear(u.same)
	clear(u.built)
	var key []byte
	for n, args := range u.args {
		op := u.bank.Op(u.terms[n])
		if len(args) > 0 {
			if op == logic.Eq && u.find(args[1]) < u.find(args[0]) { // x=y is y=x
				args = []int{args[1], args[0]}
			}
			key = append(key[:0], byte(op))
			for _, a := range args {
				key = binary.AppendUvarint(key, uint64(u.find(a)))
			}
			if m, ok := u.same[string(key)]; ok {
				merge(m, n)
			} else {
				u.same[string(key)] = n
			}
		}
		switch op {
		case logic.Eq:
			if u.find(args[0]) == u.find(args[1]) {
				merge(n, yes)
			} else if u.find(n) == u.find(yes) {
				merge(args[0], args[1])
			}
		case logic.Maplet, logic.BoolOf, logic.Int:
			m, ok := u.built[u.find(n)]
			switch {
			case !ok:
				u.built[u.find(n)] = n
			case op == logic.Int:
				merge(yes, no)
			default:
				for i, a := range args {
					merge(a, u.args[m][i])
				}
			}
		}
	}
	return grew
}
