package search

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
)

// onExtreme adds, of a statement that denies some x an f(x) that is least or greatest over
// a set s, that there is one if s is finite: t is ∃x·…∧(∀y·y∈s ⇒ f(x)≤f(y))∧…, or with
// another order.
func (un *unfolding) onExtreme(t logic.Term) {
	parts := []logic.Term{un.b.Arg(t, 0)}
	if un.b.Op(parts[0]) == logic.And {
		parts = un.b.Args(parts[0])
	}
	for i, predicate := range parts {
		key := askKey{askExtreme, predicate, 0}
		if un.asked.has(key) {
			continue
		}
		if name, set, f := un.extreme(predicate); name != "" {
			un.asked.add(key)
			un.lemma(name, set, f)
			un.lemma(name+".bounded", set, f)
		} else if bound := un.bound(predicate); bound != 0 {
			un.asked.add(key)
			un.terms.touch(un.node(bound))
		} else if !un.onFirst(t, i) {
			un.onOptimum(t, i)
		}
	}
}

// onOptimum adds, of a statement t that denies some x·P∧(∀y·Q), that there is a least and a greatest x with P if
// these are numbers and bounded; else, where Q ends in E(x)≤F(y), or another order, that there is one with
// P for which E(x) is least or greatest. The part of t that is ∀y·Q is named by its position.
func (un *unfolding) onOptimum(t logic.Term, part int) {
	bank := un.b
	if len(bank.Decls(t)) != 1 {
		return
	}
	typ := bank.Decls(t)[0]
	x := bank.Free("?x", typ)
	// The name has a character that no identifier of a model can have.
	parts := []logic.Term{bank.Instantiate(bank.Arg(t, 0), []logic.Term{x})}
	if bank.Op(parts[0]) == logic.And {
		parts = slices.Clone(bank.Args(parts[0]))
	}
	all := parts[part]
	if bank.Op(all) != logic.Forall || !bank.Occurs(x, all) {
		return
	}
	parts = slices.Delete(parts, part, part+1)
	key := askKey{askExtreme, t, all}
	if un.asked.has(key) {
		return
	}
	un.asked.add(key)
	ids := []logic.Term{x}
	set := bank.Quant(logic.Compr, []logic.Type{typ}, nil, bank.Abstract(bank.And(parts...), ids), bank.Bound(0, typ))
	// The set is {x·P}, or the set S itself where P is x ∈ S: the lemma is then about a term that occurs already.
	if len(parts) == 0 {
		set = bank.TypeExpr(typ)
	} else if in := parts[0]; len(parts) == 1 && bank.Op(in) == logic.In && bank.Arg(in, 0) == x && !bank.Occurs(x, bank.Arg(in, 1)) {
		set = bank.Arg(in, 1)
	}
	if typ == logic.IntType {
		un.lemma("number.least", set)
		un.lemma("number.greatest", set)
		return
	}
	value, lemma := un.optimised(all, x)
	if value == 0 {
		un.measured(set)
		return
	}
	f := bank.Quant(logic.Compr, []logic.Type{typ}, nil, bank.App(logic.True), bank.App(logic.Maplet, bank.Bound(0, typ), bank.Abstract(value, ids)))
	if bank.Op(value) == logic.Apply && bank.Arg(value, 1) == x && !bank.Occurs(x, bank.Arg(value, 0)) {
		f = bank.Arg(value, 0)
	}
	un.lemma(lemma, set, f)
	un.lemma(strings.TrimSuffix(lemma, ".bounded"), set, f)
}

// onEndless looks into set ⊆ r[set], or with r∼: each element has a successor in the set, so that it is empty if a measure
// has a last value on it.
func (un *unfolding) onEndless(set, image logic.Term) {
	if bank := un.b; bank.Op(image) == logic.Image && bank.Arg(image, 1) == set {
		un.measured(set)
	}
}

// measured adds, for each identifier that stands for a function from the type of the elements of set to numbers, that
// there are elements for which it is least and greatest if it is bounded or a set is finite, as it may be the measure of an order, and for each relation
// between them, that there are minimal and maximal elements if it is an order.
func (un *unfolding) measured(set logic.Term) {
	bank := un.b
	element := bank.Elem(bank.Type(set))
	typ, order := bank.RelType(element, logic.IntType), bank.RelType(element, element)
	formulas := []logic.Term{un.seq.Goal}
	for _, i := range un.opts.Hyps {
		formulas = append(formulas, un.seq.Hyps[i])
	}
	for _, f := range bank.FreeIdents(formulas...) {
		switch bank.Type(f) {
		case typ:
			un.lemma("apply.least.bounded", set, f)
			un.lemma("apply.greatest.bounded", set, f)
			if slices.ContainsFunc(formulas, func(t logic.Term) bool { return bank.Op(t) == logic.Finite }) {
				un.lemma("apply.least", set, f)
				un.lemma("apply.greatest", set, f)
			}
		case order:
			un.lemma("order.minimal", set, f)
			un.lemma("order.maximal", set, f)
		}
	}
}

// optimised returns the side of the comparison at the end of ∀y·Q that is about x, and the lemma that says that it has
// an extreme value; 0 if there is none.
func (un *unfolding) optimised(all, x logic.Term) (value logic.Term, lemma string) {
	bank := un.b
	rel := bank.Arg(all, 0)
	if bank.Op(rel) == logic.Implies {
		rel = bank.Arg(rel, 1)
	}
	lemmas := [2]string{"apply.least.bounded", "apply.greatest.bounded"}
	switch bank.Op(rel) {
	case logic.Le, logic.Lt:
	case logic.Ge, logic.Gt:
		slices.Reverse(lemmas[:])
	default:
		return 0, ""
	}
	for i, name := range lemmas {
		if side, other := bank.Arg(rel, i), bank.Arg(rel, 1-i); bank.Depth(side) == 0 && bank.Occurs(x, side) && !bank.Occurs(x, other) {
			return side, name
		}
	}
	return 0, ""
}

// bound returns min(s) if t is ∀y·y∈s ⇒ x≤y for a variable x, and max(s) for the other order; else 0.
// Where s has an extreme element, it is x.
func (un *unfolding) bound(t logic.Term) logic.Term {
	bank := un.b
	if bank.Op(t) != logic.Forall || len(bank.Decls(t)) != 1 || bank.Decls(t)[0] != logic.IntType || bank.Op(bank.Arg(t, 0)) != logic.Implies {
		return 0
	}
	y := bank.Bound(0, logic.IntType)
	in, rel := bank.Arg(bank.Arg(t, 0), 0), bank.Arg(bank.Arg(t, 0), 1)
	if bank.Op(in) != logic.In || bank.Arg(in, 0) != y || bank.Depth(bank.Arg(in, 1)) > 0 || bank.Op(rel) != logic.Le && bank.Op(rel) != logic.Ge {
		return 0
	}
	left, right := bank.Arg(rel, 0), bank.Arg(rel, 1)
	if bank.Op(rel) == logic.Ge {
		left, right = right, left
	}
	switch {
	case right == y && bank.Op(left) == logic.Bound:
		return bank.App(logic.Min, bank.Arg(in, 1))
	case left == y && bank.Op(right) == logic.Bound:
		return bank.App(logic.Max, bank.Arg(in, 1))
	}
	return 0
}

// extreme takes t apart if it is ∀y·y∈s ⇒ f(x)≤f(y) for a variable x, or with another
// order, and names the lemma that says that there is such an x.
func (un *unfolding) extreme(t logic.Term) (lemma string, set, f logic.Term) {
	bank := un.b
	if bank.Op(t) != logic.Forall || len(bank.Decls(t)) != 1 || bank.Op(bank.Arg(t, 0)) != logic.Implies {
		return "", 0, 0
	}
	y := bank.Bound(0, bank.Decls(t)[0])
	in, rel := bank.Arg(bank.Arg(t, 0), 0), bank.Arg(bank.Arg(t, 0), 1)
	op := bank.Op(rel)
	if bank.Op(in) != logic.In || bank.Arg(in, 0) != y || op != logic.Le && op != logic.Ge {
		return "", 0, 0
	}
	// From here on there is one order only: left ≤ right.
	left, right := bank.Arg(rel, 0), bank.Arg(rel, 1)
	if op == logic.Ge {
		left, right = right, left
	}
	if bank.Op(left) != logic.Apply || bank.Op(right) != logic.Apply || bank.Arg(left, 0) != bank.Arg(right, 0) {
		return "", 0, 0
	}
	set, f = bank.Arg(in, 1), bank.Arg(left, 0)
	lemma, x := "apply.least", bank.Arg(left, 1)
	if x == y {
		lemma, x = "apply.greatest", bank.Arg(right, 1)
	} else if bank.Arg(right, 1) != y {
		return "", 0, 0
	}
	if bank.Op(x) != logic.Bound || x == y || bank.Depth(set) > 0 || bank.Depth(f) > 0 {
		return "", 0, 0
	}
	return lemma, set, f
}
