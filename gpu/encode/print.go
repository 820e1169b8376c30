package encode

import (
	"math/big"
	"strings"

	"github.com/gradine/gradine/gpu/ir"
)

// printer writes terms as formulas, for one thread.
type printer struct {
	thread string                      // the suffix of what each thread has itself: 1, 2
	grid   bool                        // the threads are of different groups
	local  func(v *ir.Variable) string // nil: with the thread's suffix
	fresh  func(name string) string    // of arbitrary values; nil: as they are
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

func (p printer) symbol(t *ir.Term) string {
	if !t.Own {
		return t.Name
	}
	if !t.Symbol.OfLaunch() {
		if p.fresh != nil {
			return p.fresh(t.Name)
		}
		return t.Name
	}
	if t.Symbol.Of == ir.OfGroup && !p.grid {
		return t.Name
	}
	return t.Name + "_" + p.thread
}

func (p printer) variable(v *ir.Variable) string {
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
func (p printer) factor(t *ir.Term) string {
	s := p.term(t)
	switch {
	case t.Op == ir.Num && t.Val.Sign() < 0:
		return "(" + s + ")"
	case t.Op == ir.Num || t.Op == ir.Sym || t.Op == ir.Local_:
		return s
	case t.Op == ir.Other:
		return p.flipped().factor(t.Args[0])
	}
	return "(" + s + ")"
}

func (p printer) term(t *ir.Term) string {
	switch t.Op {
	case ir.Num:
		return integer(t.Val)
	case ir.Sym:
		return p.symbol(t)
	case ir.Local_:
		return p.variable(t.V)
	case ir.Other:
		return p.flipped().term(t.Args[0])
	case ir.Add:
		return p.sum(t)
	case ir.Mul:
		var parts []string
		for _, a := range t.Args {
			parts = append(parts, p.factor(a))
		}
		return strings.Join(parts, " ∗ ")
	case ir.Quo:
		return p.factor(t.Args[0]) + " ÷ " + p.factor(t.Args[1])
	case ir.Modulo, ir.Rem:
		return p.factor(t.Args[0]) + " mod " + p.factor(t.Args[1])
	}
	return p.predicate(t)
}

// sum writes summands with their signs; a positive one comes first.
func (p printer) sum(t *ir.Term) string {
	negative := func(a *ir.Term) bool {
		return a.Op == ir.Num && a.Val.Sign() < 0 || a.Op == ir.Mul && a.Args[0].Op == ir.Num && a.Args[0].Val.Sign() < 0
	}
	var b strings.Builder
	first := -1
	for i, a := range t.Args {
		if !negative(a) {
			first = i
			break
		}
	}
	part := func(a *ir.Term) string {
		if a.Op == ir.Mul {
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
			b.WriteString(" − " + part(ir.Product(ir.Number(-1), a)))
		default:
			b.WriteString(" + " + part(a))
		}
	}
	return b.String()
}

func (p printer) predicate(t *ir.Term) string {
	relation := func(o string) string { return p.term(t.Args[0]) + " " + o + " " + p.term(t.Args[1]) }
	switch t.Op {
	case ir.PTrue:
		return "⊤"
	case ir.PFalse:
		return "⊥"
	case ir.PEq:
		return relation("=")
	case ir.PNe:
		return relation("≠")
	case ir.PLe:
		return relation("≤")
	case ir.PLt:
		return relation("<")
	case ir.PNot:
		return "¬ (" + p.predicate(t.Args[0]) + ")"
	case ir.PAnd, ir.POr:
		var parts []string
		for _, a := range t.Args {
			s := p.predicate(a)
			if a.Op == ir.PAnd || a.Op == ir.POr {
				s = "(" + s + ")"
			}
			parts = append(parts, s)
		}
		if t.Op == ir.PAnd {
			return strings.Join(parts, " ∧ ")
		}
		return strings.Join(parts, " ∨ ")
	case ir.Other:
		return "(" + p.flipped().predicate(t.Args[0]) + ")"
	}
	return "⊥ ∧ ⊤" // cannot be: the walker leaves no other operators
}

// conjunct is a predicate where it stands in a conjunction or before an implication.
func (p printer) conjunct(t *ir.Term) string {
	s := p.predicate(t)
	if t.Op == ir.POr {
		return "(" + s + ")"
	}
	return s
}
