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

func (f *flattener) term(t logic.Term) logic.Term {
	b := f.b
	old := b.Args(t)
	if len(old) == 0 {
		if b.Op(t) == logic.SetExt {
			return b.Atom(logic.Empty, b.Type(t))
		}
		return t
	}
	if u, ok := f.done[t]; ok {
		return u
	}
	op := b.Op(t)
	args := make([]logic.Term, 0, len(old))
	same := true
	for _, a := range old {
		u := f.term(a)
		same = same && u == a
		// (a ∧ b) ∧ c becomes a ∧ b ∧ c, whichever way it was nested.
		if op.IsAssociative() && b.Op(u) == op {
			args = append(args, b.Args(u)...)
			same = false
		} else {
			args = append(args, u)
		}
	}
	u := t
	switch {
	case op == logic.Forall || op == logic.Exists:
		u = f.quantifier(t, args[0])
	case op == logic.Neg && b.Op(args[0]) == logic.Int:
		u = b.Int(new(big.Int).Neg(b.Value(args[0])))
	case same:
	case op.IsBinder():
		u = b.Quant(op, b.Decls(t), hint(b, t), args...)
	default:
		u = b.App(op, args...)
	}
	f.done[t] = u
	return u
}

// quantifier rebuilds quantifier t with a flattened body.
func (f *flattener) quantifier(t, body logic.Term) logic.Term {
	b := f.b
	decls, names := b.Decls(t), names(b, t)
	// ∀x·∀y·P becomes ∀x,y·P. The body is flattened already, so one level is enough.
	if b.Op(body) == b.Op(t) {
		inner := body
		body = b.Arg(inner, 0)
		decls = append(decls[:len(decls):len(decls)], b.Decls(inner)...)
		names = append(names, namesLike(b, inner, names)...)
	}
	// A variable that does not occur is dropped, as Rodin does: every type has a
	// value.
	used := boundIn(b, body, len(decls))
	kept := 0
	for _, u := range used {
		if u {
			kept++
		}
	}
	if kept == len(decls) {
		return quant(b, b.Op(t), decls, names, body)
	}
	// Instantiate takes values that stand outside of the binder: the body moves in first, by
	// as many variables as stay.
	vals := make([]logic.Term, len(decls))
	var keptDecls []logic.Type
	var keptNames []string
	for i, d := range decls {
		vals[i] = b.Bound(0, d)
		if used[i] {
			vals[i] = b.Bound(kept-1-len(keptDecls), d)
			keptDecls = append(keptDecls, d)
			if names != nil {
				keptNames = append(keptNames, names[i])
			}
		}
	}
	body = b.Instantiate(b.Shift(body, kept, len(decls)), vals)
	if kept == 0 {
		return body
	}
	return quant(b, b.Op(t), keptDecls, keptNames, body)
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
func boundIn(b *logic.Bank, body logic.Term, k int) []bool {
	used := make([]bool, k)
	type place struct {
		t     logic.Term
		level int
	}
	seen := map[place]bool{}
	var visit func(t logic.Term, level int)
	visit = func(t logic.Term, level int) {
		if b.Depth(t) <= level || seen[place{t, level}] {
			return
		}
		seen[place{t, level}] = true
		if b.Op(t) == logic.Bound {
			if i := b.Index(t) - level; i < k {
				used[k-1-i] = true
			}
			return
		}
		if b.Op(t).IsBinder() {
			level += len(b.Decls(t))
		}
		for _, a := range b.Args(t) {
			visit(a, level)
		}
	}
	visit(body, 0)
	return used
}
