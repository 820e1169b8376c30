package gpuc

import (
	"math/big"
	"strings"
)

// printer writes terms as formulas, for one thread.
type printer struct {
	thread string                   // the suffix of what each thread has itself: 1, 2
	grid   bool                     // the threads are of different groups
	local  func(v *variable) string // nil: with the thread's suffix
	fresh  func(name string) string // of arbitrary values; nil: as they are
}

func (p printer) flipped() printer {
	q := p
	if p.thread == "1" {
		q.thread = "2"
	} else {
		q.thread = "1"
	}
	return q
}

func (p printer) symbol(t *term) string {
	if !t.own {
		return t.name
	}
	if !isModelName(t.name) || t.name[0] == 'h' {
		if p.fresh != nil {
			return p.fresh(t.name)
		}
		return t.name
	}
	if t.name[:3] == "gid" && !p.grid {
		return t.name
	}
	return t.name + "_" + p.thread
}

func (p printer) variable(v *variable) string {
	if p.local != nil {
		return p.local(v)
	}
	return v.name + "_" + p.thread
}

func integer(v *big.Int) string {
	if v.Sign() < 0 {
		return "−" + new(big.Int).Neg(v).String()
	}
	return v.String()
}

// factor is t where it must be atomic.
func (p printer) factor(t *term) string {
	s := p.term(t)
	switch {
	case t.op == num && t.val.Sign() < 0:
		return "(" + s + ")"
	case t.op == num || t.op == sym || t.op == local_:
		return s
	case t.op == other:
		return p.flipped().factor(t.args[0])
	}
	return "(" + s + ")"
}

func (p printer) term(t *term) string {
	switch t.op {
	case num:
		return integer(t.val)
	case sym:
		return p.symbol(t)
	case local_:
		return p.variable(t.v)
	case other:
		return p.flipped().term(t.args[0])
	case add:
		return p.sum(t)
	case mul:
		var parts []string
		for _, a := range t.args {
			parts = append(parts, p.factor(a))
		}
		return strings.Join(parts, " ∗ ")
	case quo:
		return p.factor(t.args[0]) + " ÷ " + p.factor(t.args[1])
	case modulo, rem:
		return p.factor(t.args[0]) + " mod " + p.factor(t.args[1])
	}
	return p.predicate(t)
}

// sum writes summands with their signs; a positive one comes first.
func (p printer) sum(t *term) string {
	negative := func(a *term) bool {
		return a.op == num && a.val.Sign() < 0 || a.op == mul && a.args[0].op == num && a.args[0].val.Sign() < 0
	}
	var b strings.Builder
	first := -1
	for i, a := range t.args {
		if !negative(a) {
			first = i
			break
		}
	}
	part := func(a *term) string {
		if a.op == mul {
			return p.term(a)
		}
		return p.factor(a)
	}
	if first < 0 {
		b.WriteString("0")
	} else {
		b.WriteString(part(t.args[first]))
	}
	for i, a := range t.args {
		switch {
		case i == first:
		case negative(a):
			b.WriteString(" − " + part(product(number(-1), a)))
		default:
			b.WriteString(" + " + part(a))
		}
	}
	return b.String()
}

func (p printer) predicate(t *term) string {
	relation := func(o string) string { return p.term(t.args[0]) + " " + o + " " + p.term(t.args[1]) }
	switch t.op {
	case pTrue:
		return "⊤"
	case pFalse:
		return "⊥"
	case pEq:
		return relation("=")
	case pNe:
		return relation("≠")
	case pLe:
		return relation("≤")
	case pLt:
		return relation("<")
	case pNot:
		return "¬ (" + p.predicate(t.args[0]) + ")"
	case pAnd, pOr:
		var parts []string
		for _, a := range t.args {
			s := p.predicate(a)
			if a.op == pAnd || a.op == pOr {
				s = "(" + s + ")"
			}
			parts = append(parts, s)
		}
		if t.op == pAnd {
			return strings.Join(parts, " ∧ ")
		}
		return strings.Join(parts, " ∨ ")
	case other:
		return "(" + p.flipped().predicate(t.args[0]) + ")"
	}
	return "⊥ ∧ ⊤" // cannot be: the walker leaves no other operators
}

// conjunct is a predicate where it stands in a conjunction or before an implication.
func (p printer) conjunct(t *term) string {
	s := p.predicate(t)
	if t.op == pOr {
		return "(" + s + ")"
	}
	return s
}
