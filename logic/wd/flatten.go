package wd

import (
	"math/big"

	"github.com/gradine/gradine/logic"
)

// Flatten merges nested applications of one associative operator and nested
// quantifiers of one kind, drops unused declarations of quantifiers, and reads
// {} as ∅ and − applied to a literal as a literal.
func Flatten(b *logic.Bank, t logic.Term) logic.Term {
	f := &flattener{b, map[logic.Term]logic.Term{}}
	return f.term(t)
}

type flattener struct {
	b    *logic.Bank
	done map[logic.Term]logic.Term
}

// term flattens nested associative operators, as Rodin stores them.
func (f *flattener) term(t logic.Term) logic.Term {
	bank := f.b
	old := bank.Args(t)
	if len(old) == 0 {
		if bank.Op(t) == logic.SetExt {
			return bank.Atom(logic.Empty, bank.Type(t))
		}
		return t
	}
	if u, ok := f.done[t]; ok {
		return u
	}
	op := bank.Op(t)
	args := make([]logic.Term, 0, len(old))
	same := true
	for _, a := range old {
		u := f.term(a)
		same = same && u == a
		// (a ∧ b) ∧ c becomes a ∧ b ∧ c, whichever way it was nested.
		if op.IsAssociative() && bank.Op(u) == op {
			args = append(args, bank.Args(u)...)
			same = false
		} else {
			args = append(args, u)
		}
	}
	u := t
	switch {
	case op == logic.Forall || op == logic.Exists:
		u = f.quantifier(t, args[0])
	case op == logic.Neg && bank.Op(args[0]) == logic.Int:
		u = bank.Int(new(big.Int).Neg(bank.Value(args[0])))
	case same:
	case op.IsBinder():
		u = bank.Quant(op, bank.Decls(t), hint(bank, t), args...)
	default:
		u = bank.App(op, args...)
	}
	f.done[t] = u
	return u
}

// quantifier rebuilds quantifier t with a flattened body.
func (f *flattener) quantifier(term, body logic.Term) logic.Term {
	bank := f.b
	decls, names := bank.Decls(term), names(bank, term)
	// ∀x·∀y·P becomes ∀x,y·P. The body is flattened already, so one level is enough.
	if bank.Op(body) == bank.Op(term) {
		inner := body
		body = bank.Arg(inner, 0)
		decls = append(decls[:len(decls):len(decls)], bank.Decls(inner)...)
		names = append(names, namesLike(bank, inner, names)...)
	}
	// A variable that does not occur is dropped, as Rodin does: every type has a
	// value.
	used := boundIn(bank, body, len(decls))
	kept := 0
	for _, u := range used {
		if u {
			kept++
		}
	}
	if kept == len(decls) {
		return quant(bank, bank.Op(term), decls, names, body)
	}
	// Instantiate takes values that stand outside of the binder: the body moves in first, by
	// as many variables as stay.
	vals := make([]logic.Term, len(decls))
	var keptDecls []logic.Type
	var keptNames []string
	for i, typ := range decls {
		vals[i] = bank.Bound(0, typ)
		if used[i] {
			vals[i] = bank.Bound(kept-1-len(keptDecls), typ)
			keptDecls = append(keptDecls, typ)
			if names != nil {
				keptNames = append(keptNames, names[i])
			}
		}
	}
	body = bank.Instantiate(bank.Shift(body, kept, len(decls)), vals)
	if kept == 0 {
		return body
	}
	return quant(bank, bank.Op(term), keptDecls, keptNames, body)
}

func quant(b *logic.Bank, op logic.Op, decls []logic.Type, names []string, body logic.Term) logic.Term {
	if len(names) != len(decls) {
		return b.Quant(op, decls, nil, body)
	}
	return b.Quant(op, decls, &logic.Hint{Names: names}, body)
}

func hint(b *logic.Bank, t logic.Term) *logic.Hint {
	if h, ok := b.Hint(t); ok {
		return &h
	}
	return nil
}

// names returns a copy of the bound names of t, or nil.
func names(b *logic.Bank, t logic.Term) []string {
	h, _ := b.Hint(t)
	return append([]string(nil), h.Names...)
}

// namesLike returns the bound names of t if the binder around it has some.
func namesLike(b *logic.Bank, t logic.Term, outer []string) []string {
	if outer == nil {
		return nil
	}
	return names(b, t)
}

// boundIn reports for each of the k declarations of a binder whether body uses it.
func boundIn(bank *logic.Bank, body logic.Term, k int) []bool {
	used := make([]bool, k)
	type place struct {
		t     logic.Term
		level int
	}
	seen := map[place]bool{}
	var visit func(term logic.Term, level int)
	visit = func(t logic.Term, level int) {
		if bank.Depth(t) <= level || seen[place{t, level}] {
			return
		}
		seen[place{t, level}] = true
		if bank.Op(t) == logic.Bound {
			if i := bank.Index(t) - level; i < k {
				used[k-1-i] = true
			}
			return
		}
		if bank.Op(t).IsBinder() {
			level += len(bank.Decls(t))
		}
		for _, a := range bank.Args(t) {
			visit(a, level)
		}
	}
	visit(body, 0)
	return used
}
