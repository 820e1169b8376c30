package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/kernel"
)

// A hypothesis ∀x·P⇒(E∈R⇔Q) defines R. What a goal says of R, such as that it is transitive or total, is easier to
// show of Q: there, R and all that is said of it are no longer in the way.

// maxUnfolded bounds the variables of a claim about what definitions say.
const maxUnfolded = 16

// unfolded proves what definitions of relations say in place of the goal, and then the goal from that, within the given steps.
func (r *Result) unfolded(strategy strategy, opts Options, steps int64) bool {
	plan := r.plan(opts)
	last := plan.Root
	bank := last.Bank()
	sequent := logic.Sequent{Bank: bank, Goal: last.Goal}
	for _, h := range last.Hyps {
		sequent.Hyps = append(sequent.Hyps, h.Term)
	}
	facts := meant(sequent)
	if len(facts) == 0 {
		return false
	}
	for _, fact := range facts {
		meaning, rest := last.State(forAll(bank, fact.vars, bank.App(logic.Implies, bank.And(fact.meanings...), fact.meaning)))
		if !conjoin(meaning) {
			alternatives(leaf(meaning), plan.Given)
		}
		// The definitions are needed for the same elements alone, and what sets these are in only once that is done.
		folded, rest := rest.State(forAll(bank, fact.vars, bank.App(logic.Implies, bank.And(fact.premises...), fact.conclusion)))
		at := len(folded.Hyps) - 1
		folded = folded.Intro()
		as := map[logic.Term]logic.Term{}
		for i, x := range fact.vars {
			as[x] = folded.Local()[i]
		}
		for _, use := range append(fact.uses, use{at, fact.vars}) {
			nums, vals := make([]int, len(use.values)), make([]logic.Term, len(use.values))
			for i, value := range use.values {
				nums[i], vals[i] = i, bank.Subst(value, as)
			}
			next, err := folded.Inst(use.hypothesis, nums, vals)
			if err != nil {
				return false
			}
			folded = next
		}
		last = rest
	}
	return r.join(plan, strategy, opts, steps)
}

// maxAlternatives bounds the premises P⇒Q in which it is distinguished whether P holds.
const maxAlternatives = 2

// alternatives distinguishes, of the premises P⇒Q of n behind the given ones, whether P holds: definitions say what is the case
// unless one thing is a part of the other, and the two proofs have little in common.
func alternatives(n *derive.Node, given int) {
	b := n.Bank()
	nodes := []*derive.Node{n}
	split := 0
	for i := given; i < len(n.Hyps) && split < maxAlternatives; i++ {
		h := n.Hyps[i].Term
		if b.Op(h) != logic.Implies {
			continue
		}
		split++
		var next []*derive.Node
		for _, m := range nodes {
			holds, rest := m.Cases(b.Arg(h, 0))
			next = append(next, holds, rest)
		}
		nodes = next
	}
}

// meant returns what the goal says, with the definitions of relations in place of these; nothing if it speaks of none.
func meant(sequent logic.Sequent) (facts []meaningOf) {
	bank := sequent.Bank
	u := unfolder{sequent: sequent, spreader: spreader{bank: bank, found: new([]claim)}, means: definitions(sequent)}
	u.spread(claim{}, sequent.Goal)
	claims := *u.found
	for _, c := range claims {
		if fact, ok := u.unfold(c); ok {
			facts = append(facts, fact)
		}
	}
	if len(facts) < len(claims) {
		return nil
	}
	return facts
}

// meaningOf is a claim with what definitions say in place of its premises and of its conclusion.
type meaningOf struct {
	claim
	meanings []logic.Term
	meaning  logic.Term
	uses     []use // of definitions
}

// use is an instance of a hypothesis.
type use struct {
	hypothesis int
	values     []logic.Term
}

// unfolder replaces relations by their definitions.
type unfolder struct {
	sequent logic.Sequent
	spreader
	means   map[logic.Term]logic.Term
	assumed map[logic.Term]bool // what has been added to the premises
	uses    []use
}

// unfold returns what c says by the definitions of the relations in it, and whether there are any.
func (u *unfolder) unfold(c claim) (out meaningOf, changed bool) {
	u.assumed, u.uses = map[logic.Term]bool{}, nil
	// A variable for pairs is taken for two.
	full, pairs := claim{}, map[logic.Term]logic.Term{}
	for _, x := range c.vars {
		pairs[x] = x
		if u.bank.TypeKind(u.bank.Type(x)) == logic.KindProd {
			pairs[x] = u.element(&full, u.bank.Type(x))
		} else {
			full.vars = append(full.vars, x)
		}
	}
	for _, premise := range c.premises {
		u.assume(&full, u.bank.Subst(premise, pairs))
	}
	full.conclusion = u.elementwise(u.bank.Subst(c.conclusion, pairs))
	if len(full.vars) == 0 || len(full.vars) > maxUnfolded || len(full.premises) == 0 {
		return out, false
	}
	out.claim = full
	for _, premise := range full.premises {
		out.meanings = append(out.meanings, u.defined(premise, full.premises))
	}
	out.meaning = u.defined(full.conclusion, full.premises)
	out.uses = u.uses
	return out, out.meaning != full.conclusion || !slices.Equal(out.meanings, full.premises)
}

// assume adds to the premises of c what t says of elements, and which sets they are in by the types of relations.
func (u *unfolder) assume(c *claim, t logic.Term) {
	bank := u.bank
	if u.assumed[t] {
		return
	}
	u.assumed[t] = true
	t = u.elementwise(t)
	switch bank.Op(t) {
	case logic.And:
		for _, part := range bank.Args(t) {
			u.assume(c, part)
		}
		return
	case logic.Exists:
		var values []logic.Term
		for _, typ := range bank.Decls(t) {
			values = append(values, u.fresh(typ))
		}
		c.vars = append(c.vars, values...)
		u.assume(c, bank.Instantiate(bank.Arg(t, 0), values))
		return
	}
	if slices.Contains(c.premises, t) || bank.Op(t) == logic.True {
		return
	}
	c.premises = append(c.premises, t)
	if bank.Op(t) != logic.In {
		return
	}
	// What a set means is assumed of its element as well.
	if value := u.means[bank.Arg(t, 1)]; value != 0 {
		u.assume(c, bank.App(logic.In, bank.Arg(t, 0), value))
	}
	if bank.Op(bank.Arg(t, 0)) != logic.Maplet {
		return
	}
	// A pair in a relation r ∈ A ↔ B has its parts in A and B.
	for _, h := range u.sequent.Hyps {
		if bank.Op(h) == logic.In && bank.Arg(h, 0) == bank.Arg(t, 1) && bank.Op(bank.Arg(h, 1)) >= logic.Rel && bank.Op(bank.Arg(h, 1)) <= logic.TBij {
			for side := range 2 {
				set := bank.Arg(bank.Arg(h, 1), side)
				if !bank.IsTypeExpr(set) {
					u.assume(c, bank.App(logic.In, bank.Arg(bank.Arg(t, 0), side), set))
				}
			}
			return
		}
	}
}

// elementwise replaces memberships in sets that are made from others, or defined as comprehensions, by what they say.
func (u *unfolder) elementwise(t logic.Term) logic.Term {
	bank := u.bank
	switch bank.Op(t) {
	case logic.And, logic.Or, logic.Implies, logic.Iff, logic.Not:
		args := slices.Clone(bank.Args(t))
		for i, arg := range args {
			args[i] = u.elementwise(arg)
		}
		return bank.App(bank.Op(t), args...)
	case logic.In:
		set := bank.Arg(t, 1)
		if value := u.means[set]; value != 0 && bank.Op(value) == logic.Compr {
			set = value
		}
		switch bank.Op(set) {
		case logic.Compr:
			vals := make([]logic.Term, len(bank.Decls(set)))
			if Matches(bank, bank.Arg(set, 1), bank.Arg(t, 0), vals) && !slices.Contains(vals, 0) {
				return u.elementwise(bank.Instantiate(bank.Arg(set, 0), vals))
			}
		case logic.Union, logic.Inter, logic.Diff, logic.Converse, logic.CProd, logic.Id, logic.DomRes, logic.RanRes, logic.DomSub, logic.RanSub:
			said, err := kernel.Membership(bank.Op(set)).Formula(bank, bank.Arg(t, 0), set)
			if err == nil && bank.Op(said) == logic.Iff && bank.Arg(said, 0) == bank.App(logic.In, bank.Arg(t, 0), set) {
				return u.elementwise(bank.Arg(said, 1))
			}
		}
	}
	return t
}

// defined replaces memberships in t, outside of quantifiers, by what hypotheses define them to be under premises that are given.
func (u *unfolder) defined(t logic.Term, given []logic.Term) logic.Term {
	bank := u.bank
	switch bank.Op(t) {
	case logic.And, logic.Or, logic.Implies, logic.Iff, logic.Not:
		args := slices.Clone(bank.Args(t))
		for i, arg := range args {
			args[i] = u.defined(arg, given)
		}
		return bank.App(bank.Op(t), args...)
	case logic.In:
		for i, h := range u.sequent.Hyps {
			if meaning, values := u.definition(h, t, given); meaning != 0 {
				if !slices.ContainsFunc(u.uses, func(v use) bool { return v.hypothesis == i && slices.Equal(v.values, values) }) {
					u.uses = append(u.uses, use{i, values})
				}
				return meaning
			}
		}
	}
	return t
}

// definition returns what hypothesis h says that membership t means, for the values of its variables; 0 if it says nothing of that.
func (u *unfolder) definition(h, t logic.Term, given []logic.Term) (meaning logic.Term, values []logic.Term) {
	bank := u.bank
	if bank.Op(h) != logic.Forall {
		return 0, nil
	}
	body := bank.Arg(h, 0)
	var premises []logic.Term
	if bank.Op(body) == logic.Implies {
		premises = []logic.Term{bank.Arg(body, 0)}
		if bank.Op(premises[0]) == logic.And {
			premises = bank.Args(premises[0])
		}
		body = bank.Arg(body, 1)
	}
	if bank.Op(body) != logic.Iff {
		return 0, nil
	}
	for i, side := range bank.Args(body) {
		if bank.Op(side) != logic.In || bank.Op(bank.Arg(side, 1)) != logic.Free || bank.Op(bank.Arg(body, 1-i)) == logic.In {
			continue
		}
		vals := make([]logic.Term, len(bank.Decls(h)))
		if Matches(bank, side, t, vals) && u.complete(premises, given, vals) {
			return bank.Instantiate(bank.Arg(body, 1-i), vals), vals
		}
	}
	return 0, nil
}

// complete finds values for the variables that have none by premises that are given, and reports whether all have one.
func (u *unfolder) complete(premises, given, vals []logic.Term) bool {
	for _, premise := range premises {
		for _, fact := range given {
			if values := slices.Clone(vals); slices.Contains(vals, 0) && Matches(u.bank, premise, fact, values) {
				copy(vals, values)
				break
			}
		}
	}
	return !slices.Contains(vals, 0)
}
