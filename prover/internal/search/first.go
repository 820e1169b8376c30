package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// A statement that denies some x·P∧(∀y·y∈a‥x−1⇒Q) is refuted by the first y from a on for which Q fails, as two words are compared at
// the first place where they differ: Q holds for all numbers before it, and it fails there. No term of the sequent is that number.

// onFirst adds, of a statement t that denies some x·P∧(∀y·y∈a‥x−1⇒Q), that there is a first number from a on for which Q fails if
// it fails for any, and states t for it; likewise for ∀y·y∈x+1‥a⇒Q and the last one. The part of t that is ∀y·… is named by its
// position. It reports whether that part has this form.
func (un *unfolding) onFirst(t logic.Term, part int) bool {
	bank := un.b
	if len(bank.Decls(t)) != 1 || bank.Decls(t)[0] != logic.IntType {
		return false
	}
	x := bank.Free("?x", logic.IntType)
	all := bank.Instantiate(bank.Arg(t, 0), []logic.Term{x})
	if bank.Op(all) == logic.And {
		all = bank.Arg(all, part)
	}
	f := un.failures(all, x)
	if f.value == 0 || bank.Occurs(x, f.value) {
		return false
	}
	if key := (askKey{askExtreme, t, all}); !un.asked.has(key) {
		un.asked.add(key)
		un.existsFirst(f, bank.Subst(all, map[logic.Term]logic.Term{x: f.value}))
		if quantifier := un.instances.quantOf[un.litOf(t).Not()]; quantifier != nil {
			un.instances.instantiate(quantifier, []logic.Term{f.value}, quantifier.gen)
			quantifier.gen++ // other numbers lead further and further down
		}
	}
	return true
}

// failures is the set of the numbers from bound on, or up to it, for which something fails, and its minimum or maximum.
type failures struct {
	set, bound, value logic.Term
	member, extreme   string // the axioms of the minimum or maximum
}

// failures takes all apart if it is ∀y·y∈a‥x−1∧P⇒Q, or ∀y·y∈x+1‥a∧P⇒Q; the result has no value otherwise.
func (un *unfolding) failures(all, x logic.Term) (f failures) {
	bank := un.b
	if bank.Op(all) != logic.Forall || len(bank.Decls(all)) != 1 || bank.Decls(all)[0] != logic.IntType || bank.Op(bank.Arg(all, 0)) != logic.Implies {
		return f
	}
	y, one, op := bank.Free("?y", logic.IntType), bank.Int64(1), logic.Invalid
	body := bank.Instantiate(bank.Arg(all, 0), []logic.Term{y})
	fails := kernel.LitOf(bank, bank.Arg(body, 1)).Not() // one set for f(y)=g(y) and g(y)=f(y)
	parts := []logic.Term{fails.Atom()}
	if fails.Negated() {
		parts[0] = bank.Not(fails.Atom())
	}
	premises := []logic.Term{bank.Arg(body, 0)}
	if bank.Op(premises[0]) == logic.And {
		premises = bank.Args(premises[0])
	}
	for _, premise := range premises {
		if bank.Op(premise) == logic.In && bank.Arg(premise, 0) == y && bank.Op(bank.Arg(premise, 1)) == logic.UpTo {
			switch low, high := bank.Arg(bank.Arg(premise, 1), 0), bank.Arg(bank.Arg(premise, 1), 1); {
			case high == bank.App(logic.Minus, x, one):
				f, op, premise = failures{bound: low, member: "min.member", extreme: "min.least"}, logic.Min, bank.App(logic.Le, low, y)
			case low == bank.App(logic.Plus, x, one):
				f, op, premise = failures{bound: high, member: "max.member", extreme: "max.greatest"}, logic.Max, bank.App(logic.Le, y, high)
			}
		}
		parts = append(parts, premise)
	}
	if op != logic.Invalid {
		f.set = bank.Quant(logic.Compr, []logic.Type{logic.IntType}, nil, bank.Abstract(bank.And(parts...), []logic.Term{y}), bank.Bound(0, logic.IntType))
		f.value = bank.App(op, f.set)
	}
	return f
}

// existsFirst adds that no number is in f.set, or that f.value is, and that all holds, which says that none is before it. These are
// the instances of axioms from which it follows by propagation.
func (un *unfolding) existsFirst(f failures, all logic.Term) {
	bank := un.b
	none := bank.Quant(logic.Forall, []logic.Type{logic.IntType}, nil, bank.Not(bank.Arg(f.set, 0)))
	some, before := un.exception(none), un.exception(all)
	un.axiom(sat.NoLit, f.member, f.set, some)
	un.axiom(sat.NoLit, f.extreme, f.set, before)
	numbers := []logic.Term{some, before, f.value}
	if formula, err := kernel.Lookup(f.member).Formula(bank, f.set, some); err == nil {
		bounded := un.table.Body(bank.Arg(bank.Arg(formula, 0), 0), []logic.Term{f.bound})
		if clause, ok := un.table.Clause(bounded); ok {
			un.add(clause, kernel.Step{Kind: kernel.Inst, Terms: bounded.Terms})
			numbers = append(numbers, un.exception(bounded.Term))
		}
	}
	for _, number := range numbers {
		un.axiom(sat.NoLit, "mem.pattern", number, f.set)
	}
}

// exception adds that t, which is ∀y·P for numbers y, is true, or that P fails for the number that it returns.
func (un *unfolding) exception(t logic.Term) logic.Term {
	if clause, err := kernel.EpsClause(un.b, t); err == nil {
		un.frontier.await(un.add(clause, kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{t}}))
	}
	return kernel.Witnesses(un.b, t)[0]
}
