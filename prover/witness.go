package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// That a set or function exists is shown by naming it, and no term of the sequent may be it. The goal says what it
// should be: ∃s·∀x·x∈s⇔P is about {x·P∣x}, and ∃f·f∈A→B∧(∀x·x∈A⇒P(x,f(x))) about a function that
// chooses, for each x, some y with P(x,y).

// maxNamed bounds the terms that are named for one ∃.
const maxNamed = 8

// exhibited returns instances of the existential statements in the goal, for sets and relations that it describes.
func exhibited(sequent logic.Sequent) []kernel.Step {
	bank := sequent.Bank
	var out []kernel.Step
	for _, goal := range parts(bank, sequent.Goal) {
		if bank.Op(goal) != logic.Exists || len(bank.Decls(goal)) != 1 || bank.Elem(bank.Decls(goal)[0]) == logic.NoType {
			continue
		}
		d := description{bank: bank, set: bank.Free("?set", bank.Decls(goal)[0])}
		body := bank.Instantiate(bank.Arg(goal, 0), []logic.Term{d.set})
		d.conjuncts = []logic.Term{body}
		if bank.Op(body) == logic.And {
			d.conjuncts = bank.Args(body)
		}
		named := d.defined()
		if chosen, choice := d.chosen(); chosen != 0 {
			out = append(out, choice)
			named = append(named, chosen)
		}
		named = append(named, d.related(bank.FreeIdents(append([]logic.Term{sequent.Goal}, sequent.Hyps...)...))...)
		for i, set := range named {
			if i < maxNamed {
				out = append(out, kernel.Step{Kind: kernel.Inst, Terms: []logic.Term{goal, set}})
			}
		}
	}
	return out
}

// description is what a goal says of a set that exists, with an identifier for it.
type description struct {
	bank      *logic.Bank
	set       logic.Term
	conjuncts []logic.Term
}

// defined returns {x·P∣E} for each conjunct ∀x·E∈s⇔P.
func (d description) defined() []logic.Term {
	bank := d.bank
	var out []logic.Term
	for _, conjunct := range d.conjuncts {
		if bank.Op(conjunct) != logic.Forall || bank.Op(bank.Arg(conjunct, 0)) != logic.Iff {
			continue
		}
		for i, side := range bank.Args(bank.Arg(conjunct, 0)) {
			other := bank.Arg(bank.Arg(conjunct, 0), 1-i)
			if bank.Op(side) == logic.In && bank.Arg(side, 1) == d.set && !bank.Occurs(d.set, other) && !bank.Occurs(d.set, bank.Arg(side, 0)) {
				out = append(out, bank.Quant(logic.Compr, bank.Decls(conjunct), nil, other, bank.Arg(side, 0)))
			}
		}
	}
	return out
}

// chosen returns {x·x∈A∣x↦(ε y·P)} where the set is to be a function with domain A, and P is what is said of its values y; and
// the step that brings in ∀x·(∃y·P)⇒P[ε y·P], which says that it chooses well.
func (d description) chosen() (set logic.Term, choice kernel.Step) {
	bank := d.bank
	source, target := bank.RelPair(bank.Type(d.set))
	if source == logic.NoType {
		return 0, choice
	}
	x, y := bank.Free("?x", source), bank.Free("?y", target)
	var domain logic.Term
	var properties []logic.Term
	for _, conjunct := range d.conjuncts {
		switch op := bank.Op(conjunct); {
		case op == logic.In && bank.Arg(conjunct, 0) == d.set && bank.Op(bank.Arg(conjunct, 1)) >= logic.PFun && bank.Op(bank.Arg(conjunct, 1)) <= logic.TBij:
			domain = bank.Arg(bank.Arg(conjunct, 1), 0)
			properties = append(properties, bank.App(logic.In, y, bank.Arg(bank.Arg(conjunct, 1), 1)))
		case op == logic.SubsetEq && bank.Arg(conjunct, 0) == d.set:
			properties = append(properties, bank.App(logic.In, bank.App(logic.Maplet, x, y), bank.Arg(conjunct, 1)))
		case op == logic.Forall:
			if property := d.pointwise(conjunct, x, y); property != 0 {
				properties = append(properties, property)
			}
		}
	}
	// A set with one property alone is found by simpler strategies, and a property that mentions the set itself is not
	// defined yet.
	if domain == 0 || len(properties) < 2 || bank.Occurs(d.set, bank.And(properties...)) {
		return 0, choice
	}
	property := bank.And(properties...)
	xs, ys := []logic.Term{x}, []logic.Term{y}
	value := bank.Choice([]logic.Type{target}, 0, bank.Abstract(property, ys))
	set = bank.Quant(logic.Compr, []logic.Type{source}, nil, bank.Abstract(bank.App(logic.In, x, domain), xs), bank.Abstract(bank.App(logic.Maplet, x, value), xs))
	some := quantified(bank, logic.Exists, ys, property)
	good := forAll(bank, xs, bank.App(logic.Implies, some, bank.Subst(property, map[logic.Term]logic.Term{y: value})))
	return set, kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{good}}
}

// pointwise returns what t, ∀z·x↦y∈f∧P⇒Q or ∀x·P(x,f(x)), says of y as the value for x; 0 if it is of neither form.
func (d description) pointwise(t, x, y logic.Term) logic.Term {
	bank := d.bank
	s := spreader{bank: bank}
	values := make([]logic.Term, len(bank.Decls(t)))
	for i, typ := range bank.Decls(t) {
		values[i] = s.fresh(typ)
	}
	body := bank.Instantiate(bank.Arg(t, 0), values)
	rest := func(of ...logic.Term) []logic.Term {
		return slices.DeleteFunc(slices.Clone(values), func(z logic.Term) bool { return slices.Contains(of, z) })
	}
	if bank.Op(body) == logic.Implies {
		premises := []logic.Term{bank.Arg(body, 0)}
		if bank.Op(premises[0]) == logic.And {
			premises = slices.Clone(bank.Args(premises[0]))
		}
		// The premise x ↦ y ∈ f names argument and value. All other premises stay conditions of the property.
		for i, premise := range premises {
			if bank.Op(premise) != logic.In || bank.Arg(premise, 1) != d.set || bank.Op(bank.Arg(premise, 0)) != logic.Maplet {
				continue
			}
			from, to := bank.Arg(bank.Arg(premise, 0), 0), bank.Arg(bank.Arg(premise, 0), 1)
			if !slices.Contains(values, from) || !slices.Contains(values, to) || from == to {
				continue
			}
			property := bank.Arg(body, 1)
			if others := slices.Delete(premises, i, i+1); len(others) > 0 {
				property = bank.App(logic.Implies, bank.And(others...), property)
			}
			property = forAll(bank, rest(from, to), property)
			return bank.Subst(property, map[logic.Term]logic.Term{from: x, to: y})
		}
	}
	// Otherwise the value is written f(z), and is replaced where it stands.
	for _, z := range values {
		if bank.Type(z) != bank.Type(x) {
			continue
		}
		if applied := bank.App(logic.Apply, d.set, z); bank.Occurs(applied, body) {
			property := replaced(bank, body, applied, y)
			return bank.Subst(forAll(bank, rest(z), property), map[logic.Term]logic.Term{z: x})
		}
	}
	return 0
}

// replaced returns t with the closed term `by` for the closed term old.
func replaced(bank *logic.Bank, t, old, by logic.Term) logic.Term {
	args := bank.Args(t)
	if t == old {
		return by
	}
	if len(args) == 0 || !bank.Occurs(old, t) {
		return t
	}
	out := make([]logic.Term, len(args))
	for i, arg := range args {
		out[i] = replaced(bank, arg, old, by)
	}
	switch op := bank.Op(t); {
	case op == logic.Eps:
		return bank.Choice(bank.Decls(t), bank.Index(t), out[0])
	case op.IsBinder():
		return bank.Quant(op, bank.Decls(t), nil, out...)
	}
	return bank.App(bank.Op(t), out...)
}

// related returns relations of the type of the set that are made from identifiers: converses, identities and all pairs.
func (d description) related(ids []logic.Term) []logic.Term {
	bank := d.bank
	typ := bank.Type(d.set)
	source, target := bank.RelPair(typ)
	if source == logic.NoType {
		return nil
	}
	out := []logic.Term{bank.TypeExpr(bank.Elem(typ))}
	for _, id := range ids {
		switch bank.Type(id) {
		case bank.RelType(target, source):
			converse := bank.App(logic.Converse, id)
			out = append(out, converse)
			if source == target {
				out = append(out, bank.App(logic.Union, id, converse))
			}
		case bank.PowType(source):
			if source == target {
				out = append(out, bank.App(logic.DomRes, id, bank.Atom(logic.Id, typ)))
			}
		}
	}
	return out
}
