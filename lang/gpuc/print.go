package gpuc

import (
	"math/big"
	"strings"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
)

// printer writes terms as formulas, for one thread.
type printer struct {
	thread string                        // the suffix of what each thread has itself: 1, 2
	grid   bool                          // the threads are of different groups
	local  func(v *flow.Variable) string // nil: with the thread's suffix
	fresh  func(name string) string      // of arbitrary values; nil: as they are
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

func (p printer) symbol(t *flow.Term) string {
	if !t.Own {
		return t.Name
	}
	if !flow.IsModelName(t.Name) || t.Name[0] == 'h' {
		if p.fresh != nil {
			return p.fresh(t.Name)
		}
		return t.Name
	}
	if t.Name[:3] == "gid" && !p.grid {
		return t.Name
	}
	return t.Name + "_" + p.thread
}

func (p printer) variable(v *flow.Variable) string {
	if p.local != nil {
		return p.local(v)
	}
	return v.Name + "_" + p.thread
}

func integer(v *big.Int) string {
	if v.Sign() < 0 {
		return "−" + new(big.Int).Neg(v).String()
	}
	return v.String()
}

// factor is t where it must be atomic.
func (p printer) factor(t *flow.Term) string {
	s := p.term(t)
	switch {
	case t.Op == flow.Num && t.Val.Sign() < 0:
		return "(" + s + ")"
	case t.Op == flow.Num || t.Op == flow.Sym || t.Op == flow.Local_:
		return s
	case t.Op == flow.Other:
		return p.flipped().factor(t.Args[0])
	}
	return "(" + s + ")"
}

func (p printer) term(t *flow.Term) string {
	switch t.Op {
	case flow.Num:
		return integer(t.Val)
	case flow.Sym:
		return p.symbol(t)
	case flow.Local_:
		return p.variable(t.V)
	case flow.Other:
		return p.flipped().term(t.Args[0])
	case flow.Add:
		return p.sum(t)
	case flow.Mul:
		var parts []string
		for _, a := range t.Args {
			parts = append(parts, p.factor(a))
		}
		return strings.Join(parts, " ∗ ")
	case flow.Quo:
		return p.factor(t.Args[0]) + " ÷ " + p.factor(t.Args[1])
	case flow.Modulo, flow.Rem:
		return p.factor(t.Args[0]) + " mod " + p.factor(t.Args[1])
	}
	return p.predicate(t)
}

// sum writes summands with their signs; a positive one comes first.
func (p printer) sum(t *flow.Term) string {
	negative := func(a *flow.Term) bool {
		return a.Op == flow.Num && a.Val.Sign() < 0 || a.Op == flow.Mul && a.Args[0].Op == flow.Num && a.Args[0].Val.Sign() < 0
	}
	var b strings.Builder
	first := -1
	for i, a := range t.Args {
		if !negative(a) {
			first = i
			break
		}
	}
	part := func(a *flow.Term) string {
		if a.Op == flow.Mul {
			return p.term(a)
		}
		return p.factor(a)
	}
	if first < 0 {
		b.WriteString("0")
	} else {
		b.WriteString(part(t.Args[first]))
	}
	for i, a := range t.Args {
		switch {
		case i == first:
		case negative(a):
			b.WriteString(" − " + part(flow.Product(flow.Number(-1), a)))
		default:
			b.WriteString(" + " + part(a))
		}
	}
	return b.String()
}

func (p printer) predicate(t *flow.Term) string {
	relation := func(o string) string { return p.term(t.Args[0]) + " " + o + " " + p.term(t.Args[1]) }
	switch t.Op {
	case flow.PTrue:
		return "⊤"
	case flow.PFalse:
		return "⊥"
	case flow.PEq:
		return relation("=")
	case flow.PNe:
		return relation("≠")
	case flow.PLe:
		return relation("≤")
	case flow.PLt:
		return relation("<")
	case flow.PNot:
		return "¬ (" + p.predicate(t.Args[0]) + ")"
	case flow.PAnd, flow.POr:
		var parts []string
		for _, a := range t.Args {
			s := p.predicate(a)
			if a.Op == flow.PAnd || a.Op == flow.POr {
				s = "(" + s + ")"
			}
			parts = append(parts, s)
		}
		if t.Op == flow.PAnd {
			return strings.Join(parts, " ∧ ")
		}
		return strings.Join(parts, " ∨ ")
	case flow.Other:
		return "(" + p.flipped().predicate(t.Args[0]) + ")"
	}
	return "⊥ ∧ ⊤" // cannot be: the walker leaves no other operators
}

// conjunct is a predicate where it stands in a conjunction or before an implication.
func (p printer) conjunct(t *flow.Term) string {
	s := p.predicate(t)
	if t.Op == flow.POr {
		return "(" + s + ")"
	}
	return s
}
