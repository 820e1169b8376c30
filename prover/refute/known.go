package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// known is what hypotheses say of identifiers in so many words.
type known struct {
	defined []logic.Term                // identifiers equal to an expression of others
	unfold  map[logic.Term]logic.Term   // their expressions, without defined identifiers
	listed  map[string][]logic.Term     // carrier sets all of whose elements have a name
	typing  map[logic.Term][]logic.Term // sets that an identifier is in
}

// learn reads hypotheses: v = E defines v, and partition(S, {a}, {b}, …) names
// the elements of carrier set S.
func learn(bank *logic.Bank, hyps []logic.Term) known {
	k := known{unfold: map[logic.Term]logic.Term{}, listed: map[string][]logic.Term{}, typing: map[logic.Term][]logic.Term{}}
	named := map[logic.Term]bool{}
	var visit func(term logic.Term, f func(op logic.Op, args []logic.Term))
	visit = func(t logic.Term, f func(op logic.Op, args []logic.Term)) {
		if bank.Op(t) != logic.And {
			f(bank.Op(t), bank.Args(t))
			return
		}
		for _, a := range bank.Args(t) {
			visit(a, f)
		}
	}
	// Partitions first: the elements they name must not be defined by equations besides.
	for _, hypothesis := range hyps {
		visit(hypothesis, func(op logic.Op, args []logic.Term) {
			if op == logic.Partition && bank.Op(args[0]) == logic.Given && k.listed[bank.Name(args[0])] == nil {
				if elems := singletons(bank, args[1:]); elems != nil && !slices.ContainsFunc(elems, func(term logic.Term) bool { return named[term] }) {
					k.listed[bank.Name(args[0])] = elems
					for _, term := range elems {
						named[term] = true
					}
				}
			}
		})
	}
	for _, hypothesis := range hyps {
		visit(hypothesis, func(op logic.Op, args []logic.Term) {
			if op != logic.Eq {
				return
			}
			for i, variable := range args {
				if bank.Op(variable) == logic.Free && !named[variable] && k.unfold[variable] == 0 && k.define(bank, variable, args[1-i]) {
					return
				}
			}
		})
	}
	return k
}

// singletons returns the identifiers of sets {a}, {b}, …, or nil if the sets are
// of another form.
func singletons(b *logic.Bank, sets []logic.Term) []logic.Term {
	var out []logic.Term
	for _, t := range sets {
		if b.Op(t) != logic.SetExt || len(b.Args(t)) != 1 || b.Op(b.Arg(t, 0)) != logic.Free || slices.Contains(out, b.Arg(t, 0)) {
			return nil
		}
		out = append(out, b.Arg(t, 0))
	}
	return out
}

// define makes e the definition of v, unless v depends on itself then.
func (k *known) define(bank *logic.Bank, variable, expr logic.Term) bool {
	expr = bank.Subst(expr, k.unfold)
	if bank.Occurs(variable, expr) {
		return false
	}
	for _, term := range k.defined {
		k.unfold[term] = bank.Subst(k.unfold[term], map[logic.Term]logic.Term{variable: expr})
	}
	k.unfold[variable] = expr
	k.defined = append(k.defined, variable)
	return true
}

// restrict records the sets that asserted predicates put identifiers in. The
// sets mention earlier identifiers only.
func (k *known) restrict(bank *logic.Bank, asserted []logic.Term) {
	place := map[logic.Term]int{}
	for i, term := range bank.FreeIdents(asserted...) {
		place[term] = i
	}
	var visit func(term logic.Term)
	visit = func(t logic.Term) {
		args := bank.Args(t)
		set := logic.Term(0)
		switch bank.Op(t) {
		case logic.And:
			for _, a := range args {
				visit(a)
			}
			return
		case logic.In:
			set = args[1]
		case logic.SubsetEq:
			set = bank.App(logic.Pow, args[1])
		default:
			return
		}
		// Only earlier identifiers, or two sets could be given by each other.
		if variable := args[0]; bank.Op(variable) == logic.Free && !slices.ContainsFunc(bank.FreeIdents(set), func(w logic.Term) bool { return place[w] >= place[variable] }) {
			k.typing[variable] = append(k.typing[variable], set)
		}
	}
	for _, term := range asserted {
		visit(term)
	}
}

// complete gives the defined identifiers that m lacks their values in m.
func (f *finder) complete(model *eval.Model) *eval.Model {
	e := eval.New(f.s.Bank, model, min(max(f.steps, 0), 1<<17))
	values := map[string]eval.Value{}
	for _, variable := range f.defined {
		if _, given := model.Values[f.s.Bank.Name(variable)]; given {
			continue
		}
		if value, ok := e.Value(f.unfold[variable]); ok {
			values[f.s.Bank.Name(variable)] = value
		}
	}
	for name, value := range values {
		model.Values[name] = value
	}
	return model
}

// maxMembers bounds the possible members of a set variable whose type is given
// by a hypothesis.
const maxMembers = 1500

// maxSide bounds the possible values of a relation for one argument.
const maxSide = 40

// typed returns a symbol for identifier t that ranges over the members of a set
// it is in, where the hypotheses tell one.
func (c *encoder) typed(term logic.Term) *symbol {
	typ := c.b.Type(term)
	for _, set := range c.typing[term] {
		if c.b.Elem(typ) != logic.NoType {
			if members := c.possibleMembers(set); members != nil {
				return c.subsetOf(members)
			}
		} else if c.listable(set) && typ == logic.IntType {
			if x := c.expr(set); len(x.choices) > 0 && len(x.choices) <= 200 {
				return c.oneOf(x.choices)
			}
		}
	}
	return c.variable(typ)
}

// possibleMembers lists what can be in a member of t, a set of sets, or nil.
func (c *encoder) possibleMembers(term logic.Term) []choice {
	args := c.b.Args(term)
	_, arrow := c.b.Op(term).Arrow()
	switch op := c.b.Op(term); {
	case op == logic.Pow || op == logic.Pow1:
		if c.listable(args[0]) {
			if symbol := c.expr(args[0]); len(symbol.choices) > 0 && len(symbol.choices) <= maxMembers {
				return symbol.choices
			}
		}
	case arrow:
		xs, ys := c.sideMembers(args[0]), c.sideMembers(args[1])
		if len(xs) == 0 || len(ys) == 0 || len(xs) > maxMembers {
			return nil
		}
		// A part of the right side is enough for a counterexample; all of it may be too large.
		ys = first(ys, max(1, min(maxSide, maxMembers/len(xs))))
		var out []choice
		for _, k := range xs {
			for _, l := range ys {
				out = append(out, choice{c.space.Pair(k.v, l.v), c.and(k.on, l.on)})
			}
		}
		return out
	}
	return nil
}

// sideMembers lists what can be in t, or in the domain or range of a relation:
// all where that is possible, and values of the type otherwise.
func (c *encoder) sideMembers(term logic.Term) []choice {
	if c.listable(term) {
		if symbol := c.expr(term); len(symbol.choices) > 0 {
			return symbol.choices
		}
	}
	elem := c.b.Elem(c.b.Type(term))
	domain := c.domain(elem, c.width)
	if op := c.b.Op(term); op == logic.Integer || op == logic.Given || elem != logic.IntType {
		return domain
	}
	return c.where(domain, func(value eval.Value) lit { return c.member(c.constant(value), term) }).choices
}
