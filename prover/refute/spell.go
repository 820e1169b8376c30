package refute

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/meaning"
)

// speller replaces what is said of infinite sets by what it says of their members. The evaluator tries some values of
// quantifiers, but does not look into sets that it cannot list: so it sees that x+1 is no injection to a set that lacks 1.
type speller struct {
	bank *logic.Bank
	left int // memberships that may still be replaced
}

const (
	// spellDepth bounds the memberships that are replaced within each other.
	spellDepth = 8
	// spellMost bounds those that are replaced at all.
	spellMost = 64
)

// pred is predicate t, with its memberships replaced to the given depth.
func (s *speller) pred(t logic.Term, depth int) logic.Term {
	bank := s.bank
	args := bank.Args(t)
	switch op := bank.Op(t); op {
	case logic.And, logic.Or, logic.Not, logic.Implies, logic.Iff:
		next := make([]logic.Term, len(args))
		for i, a := range args {
			next[i] = s.pred(a, depth)
		}
		return bank.App(op, next...)
	case logic.Forall, logic.Exists:
		return bank.Quant(op, bank.Decls(t), nil, s.pred(args[0], depth))
	case logic.In:
		return s.member(args[0], args[1], depth)
	case logic.NotIn:
		return bank.Not(s.member(args[0], args[1], depth))
	case logic.SubsetEq:
		return s.subset(args[0], args[1], depth)
	case logic.Eq, logic.Neq:
		if bank.Elem(bank.Type(args[0])) == logic.NoType {
			return t
		}
		both := bank.And(s.subset(args[0], args[1], depth), s.subset(args[1], args[0], depth))
		if op == logic.Neq {
			return bank.Not(both)
		}
		return both
	}
	return t
}

// subset is s ⊆ t, said of the members of s.
func (s *speller) subset(from, into logic.Term, depth int) logic.Term {
	bank := s.bank
	var decls []logic.Type
	var leaves func(typ logic.Type)
	leaves = func(typ logic.Type) {
		if left, right := bank.Pair(typ); left != logic.NoType {
			leaves(left)
			leaves(right)
			return
		}
		decls = append(decls, typ)
	}
	leaves(bank.Elem(bank.Type(from)))
	n, next := len(decls), 0
	var element func(typ logic.Type) logic.Term
	element = func(typ logic.Type) logic.Term {
		if left, right := bank.Pair(typ); left != logic.NoType {
			x := element(left)
			return bank.App(logic.Maplet, x, element(right))
		}
		next++
		return bank.Bound(n-next, typ)
	}
	x := element(bank.Elem(bank.Type(from)))
	from, into = bank.Shift(from, n, 0), bank.Shift(into, n, 0)
	return bank.Quant(logic.Forall, decls, nil, bank.App(logic.Implies, s.member(x, from, depth), s.member(x, into, depth)))
}

// member is e ∈ set, by what the set is made of.
func (s *speller) member(e, set logic.Term, depth int) logic.Term {
	bank := s.bank
	plain := bank.App(logic.In, e, set)
	switch bank.Op(set) {
	case logic.Free, logic.Bound, logic.Given, logic.Integer, logic.Natural, logic.Natural1, logic.Bool, logic.UpTo, logic.SetExt, logic.Empty, logic.Apply:
		return plain
	}
	compr := set
	if bank.Op(set) != logic.Compr {
		var ok bool
		if compr, ok = meaning.Comprehension(bank, set); !ok {
			return plain
		}
	}
	// Each definition that is spelled out makes the formula larger. The budget bounds them together.
	if depth == 0 || s.left == 0 {
		return plain
	}
	s.left--
	values := make([]logic.Term, len(bank.Decls(compr)))
	var rest [][2]logic.Term
	s.match(bank.Arg(compr, 1), e, values, &rest)
	// A variable that the pattern does not determine would have to be searched for.
	for _, v := range values {
		if v == 0 {
			return plain
		}
	}
	all := []logic.Term{bank.Instantiate(bank.Arg(compr, 0), values)}
	for _, r := range rest {
		all = append(all, bank.App(logic.Eq, bank.Instantiate(r[0], values), r[1]))
	}
	return s.pred(bank.And(all...), depth-1)
}

// match gives the variables of a comprehension the values at which its expression is e; rest are the parts of both that
// must also be equal.
func (s *speller) match(expr, e logic.Term, values []logic.Term, rest *[][2]logic.Term) {
	bank := s.bank
	if bank.Op(expr) == logic.Bound && bank.Index(expr) < len(values) {
		if at := &values[len(values)-1-bank.Index(expr)]; *at == 0 {
			*at = e
			return
		}
	}
	if bank.Op(expr) == logic.Maplet && bank.Op(e) == logic.Maplet {
		s.match(bank.Arg(expr, 0), bank.Arg(e, 0), values, rest)
		s.match(bank.Arg(expr, 1), bank.Arg(e, 1), values, rest)
		return
	}
	*rest = append(*rest, [2]logic.Term{expr, e})
}

// falsified reports whether t is seen to be false in m once it is spelled out. It saves the search for a proof.
func (f *finder) falsified(m *eval.Model, t logic.Term) bool {
	bank := f.s.Bank
	by := map[logic.Term]logic.Term{}
	for _, id := range bank.FreeIdents(t) {
		v, ok := m.Values[bank.Name(id)]
		if !ok || bank.Elem(bank.Type(id)) == logic.NoType {
			continue
		}
		elements := false
		term, ok := m.Term(bank, bank.Type(id), v, func(carrier string, _ int) logic.Term {
			elements = true
			return bank.Free(carrier, bank.GivenType(carrier))
		})
		if ok && !elements {
			by[id] = term
		}
	}
	e := eval.New(bank, m, min(max(f.steps, 0), spellSteps))
	before := e.Steps()
	is := e.Pred((&speller{bank, spellMost}).pred(bank.Subst(t, by), spellDepth))
	f.steps -= before - e.Steps()
	return is == eval.False
}

// spellSteps bounds the evaluation of what is spelled out.
const spellSteps = 1 << 13
