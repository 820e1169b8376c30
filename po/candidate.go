package po

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/order"
)

// Candidates for claims: this file reads off the formulas of a machine, by their
// shape alone, what is worth a claim. Whether it holds, proofs of the claims say.

// Guards returns the conjuncts of the guards of e, but for theorems.
func (x *Interleaving) Guards(e *model.Event) []logic.Term {
	var out []logic.Term
	for _, g := range x.guards(e, false) {
		out = append(out, formula.Conjuncts(x.b, g)...)
	}
	return out
}

// Ranges returns finite sets over the constants that the values of a parameter
// of e might all lie in: such as are mentioned by its guards and the invariants.
func (x *Interleaving) Ranges(event *model.Event, ident model.Ident) []logic.Term {
	var out []logic.Term
	typ := x.b.PowType(x.b.Type(ident.Term))
	var visit func(term logic.Term)
	visit = func(t logic.Term) {
		if x.b.Type(t) == typ && (x.b.Op(t) == logic.UpTo || x.b.Op(t) == logic.SetExt || x.b.Op(t) == logic.Free) && x.constant(t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
		for _, a := range x.b.Args(t) {
			visit(a)
		}
	}
	// Guards first: a set that they name is the likelier one, and the first that is
	// proved to hold the values is as good as any.
	for _, term := range x.guards(event, false) {
		visit(term)
	}
	for _, term := range x.hyps {
		visit(term)
	}
	return out
}

// constant reports whether t is closed, and over constants alone.
func (x *Interleaving) constant(t logic.Term) bool { return x.over(t, nil) }

// over reports whether t is closed, and over constants and ids alone.
func (x *Interleaving) over(term logic.Term, ids []model.Ident) bool {
	if x.b.Depth(term) > 0 {
		return false
	}
	for id := range x.free(term) {
		constant := slices.ContainsFunc(x.m.Contexts, func(context *model.Context) bool {
			return slices.ContainsFunc(context.Constants, func(ident model.Ident) bool { return ident.Term == id })
		})
		if !constant && !slices.ContainsFunc(ids, func(ident model.Ident) bool { return ident.Term == id }) {
			return false
		}
	}
	return true
}

// Independent reports whether e and f commute because neither reads or assigns a
// variable that the other assigns.
func (x *Interleaving) Independent(e, f *model.Event) bool {
	return x.apartFrom(e, f) && x.apartFrom(f, e)
}

// apartFrom reports whether e assigns nothing that f reads or assigns.
func (x *Interleaving) apartFrom(e, f *model.Event) bool {
	set := assigned(e.Actions)
	touched := x.guards(f, false)
	for _, action := range f.Actions {
		touched = append(append(touched, action.Left...), action.Right...)
	}
	for _, term := range touched {
		if x.meets(term, set) {
			return false
		}
	}
	return true
}

func (x *Interleaving) meets(t logic.Term, set map[logic.Term]bool) bool {
	for id := range x.free(t) {
		if set[id] {
			return true
		}
	}
	return false
}

// Harmless reports whether e leaves guard of another event as it is, because it
// assigns none of its variables.
func (x *Interleaving) Harmless(e *model.Event, guard logic.Term) bool {
	return !x.meets(guard, assigned(e.Actions))
}

// Differences returns what may tell an instance of e from one of f, or from its
// conjunct guard alone if that is not 0: expressions of one type that stand where
// a function is applied, or an element is looked for, put in or taken out.
func (x *Interleaving) Differences(e, f *model.Event, guard logic.Term) []order.Different {
	var out []order.Different
	second := x.keys(f, x.formulas(f))
	if guard != 0 {
		second = x.keys(f, []logic.Term{guard})
	}
	for _, u := range x.keys(e, x.formulas(e)) {
		for _, w := range second {
			if x.b.Type(u) == x.b.Type(w) {
				out = append(out, order.Different{First: u, Second: w})
			}
		}
	}
	return out
}

func (x *Interleaving) formulas(e *model.Event) []logic.Term {
	out := x.guards(e, false)
	for _, a := range e.Actions {
		out = append(out, a.Right...)
	}
	return out
}

// keys returns the expressions over constants and parameters of e that select a place of a function or set. Instances of
// events that differ in them touch different places, so that they are candidates for the conditions of commuting.
func (x *Interleaving) keys(event *model.Event, ts []logic.Term) []logic.Term {
	var out []logic.Term
	key := func(term logic.Term) {
		if len(x.free(term)) > 0 && !x.constant(term) && x.over(term, event.Parameters) && !slices.Contains(out, term) {
			out = append(out, term)
		}
	}
	var visit func(term logic.Term)
	visit = func(t logic.Term) {
		terms := x.b.Args(t)
		// Two instances touch different places of a function or set if what selects the
		// place differs: the argument, the left of a pair, the element.
		switch x.b.Op(t) {
		case logic.Apply:
			key(terms[1])
		case logic.Maplet:
			key(terms[0])
		case logic.SetExt:
			for _, u := range terms {
				key(u)
			}
		case logic.In, logic.NotIn:
			if !x.over(terms[1], event.Parameters) {
				key(terms[0])
			}
		case logic.Eq, logic.Neq:
			key(terms[0])
			key(terms[1])
		}
		for _, u := range terms {
			visit(u)
		}
	}
	for _, term := range ts {
		visit(term)
	}
	return out
}
