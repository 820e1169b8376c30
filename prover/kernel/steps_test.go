package kernel_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/kernel"
)

// gen makes random terms over a few identifiers of ℤ, BOOL, a carrier set A, ℙ(A)
// and ℙ(ℤ×ℤ).
type gen struct {
	b *logic.Bank
	r *rand.Rand
}

func (g gen) pick(ts ...logic.Term) logic.Term { return ts[g.r.IntN(len(ts))] }

func (g gen) name(t logic.Type, names string) logic.Term {
	i := g.r.IntN(len(names))
	return g.b.Free(names[i:i+1], t)
}

func (g gen) integer(depth int) logic.Term {
	b := g.b
	if depth == 0 || g.r.IntN(3) == 0 {
		return g.pick(g.name(logic.IntType, "xyz"), g.name(logic.IntType, "xyz"), b.Int64(int64(g.r.IntN(7)-3)))
	}
	x, y := g.integer(depth-1), g.integer(depth-1)
	switch g.r.IntN(8) {
	case 0:
		return b.App(logic.Plus, x, y)
	case 1:
		return b.App(logic.Minus, x, y)
	case 2:
		return b.App(logic.Times, x, y)
	case 3:
		return b.App(logic.Neg, x)
	case 4:
		return b.App(logic.Div, x, y)
	case 5:
		return b.App(logic.Mod, x, y)
	case 6:
		return b.App(logic.Exp, x, b.Int64(int64(g.r.IntN(4))))
	default:
		return b.App(logic.Apply, b.App(logic.Succ), x)
	}
}

func (g gen) element() logic.Term { return g.name(g.b.GivenType("A"), "abc") }

func (g gen) set(depth int) logic.Term {
	b := g.b
	t := b.PowType(b.GivenType("A"))
	if depth == 0 || g.r.IntN(3) == 0 {
		return g.pick(g.name(t, "stu"), g.name(t, "stu"), b.Atom(logic.Empty, t))
	}
	x, y := g.set(depth-1), g.set(depth-1)
	switch g.r.IntN(5) {
	case 0:
		return b.App(logic.Union, x, y)
	case 1:
		return b.App(logic.Inter, x, y)
	case 2:
		return b.App(logic.Diff, x, y)
	case 3:
		return b.App(logic.SetExt, g.element(), g.element())
	default:
		z := b.Bound(0, b.Elem(t))
		return b.Quant(logic.Compr, []logic.Type{b.Elem(t)}, nil, b.App(logic.In, z, x), z)
	}
}

func (g gen) boolean(depth int) logic.Term {
	b := g.b
	if depth > 0 && g.r.IntN(3) == 0 {
		return b.App(logic.BoolOf, g.pred(depth-1))
	}
	return g.pick(b.App(logic.TrueE), b.App(logic.FalseE), g.name(logic.BoolType, "vw"))
}

func (g gen) pred(depth int) logic.Term {
	b := g.b
	if depth > 0 && g.r.IntN(2) == 0 {
		p, q := g.pred(depth-1), g.pred(depth-1)
		switch g.r.IntN(7) {
		case 0:
			return b.And(p, q, g.pred(depth-1))
		case 1:
			return b.Or(p, q)
		case 2:
			return b.App(logic.Implies, p, q)
		case 3:
			return b.App(logic.Iff, p, q)
		case 4:
			return b.Not(p)
		default:
			return g.quantified(depth)
		}
	}
	switch g.r.IntN(6) {
	case 0:
		return b.App(g.op(logic.Eq, logic.Neq), g.set(depth), g.set(depth))
	case 1:
		return b.App(g.op(logic.In, logic.NotIn), g.element(), g.set(depth))
	case 2:
		return b.App(g.op(logic.Subset, logic.NotSubset, logic.SubsetEq, logic.NotSubsetEq), g.set(depth), g.set(depth))
	case 3:
		return b.App(g.op(logic.Eq, logic.Neq), g.boolean(depth), g.boolean(depth))
	case 4:
		return b.App(logic.Eq, b.App(logic.Maplet, g.element(), g.integer(depth)), b.App(logic.Maplet, g.element(), g.integer(depth)))
	default:
		return b.App(g.op(logic.Le, logic.Lt, logic.Ge, logic.Gt, logic.Eq, logic.Neq), g.integer(depth), g.integer(depth))
	}
}

func (g gen) op(ops ...logic.Op) logic.Op { return ops[g.r.IntN(len(ops))] }

// quantified binds a: over A in a random predicate, and a second variable now and then.
func (g gen) quantified(depth int) logic.Term {
	b := g.b
	ids := []logic.Term{g.element()}
	if g.r.IntN(2) == 0 {
		ids = append(ids, g.name(logic.BoolType, "vw"))
	}
	return b.Quant(g.op(logic.Forall, logic.Exists), types(b, ids), nil, b.Abstract(g.pred(depth-1), ids))
}

func types(b *logic.Bank, ts []logic.Term) (out []logic.Type) {
	for _, t := range ts {
		out = append(out, b.Type(t))
	}
	return out
}

// clauseTerm returns clause c as a formula.
func clauseTerm(b *logic.Bank, c kernel.Clause) logic.Term {
	var ps []logic.Term
	for _, l := range c {
		if l.Negated() {
			ps = append(ps, b.Not(l.Atom()))
		} else {
			ps = append(ps, l.Atom())
		}
	}
	return b.Or(ps...)
}

// try evaluates the clause of step, if the kernel accepts it, and reports that.
func (g gen) try(t *testing.T, step kernel.Step) bool {
	t.Helper()
	s := logic.Sequent{Bank: g.b, Goal: g.b.App(logic.False)}
	c, err := kernel.ClauseOf(s, step)
	if err != nil {
		return false
	}
	valid(t, step.Kind.String(), g.b, clauseTerm(g.b, c), 40)
	return true
}

// rule tries random steps and wants some of them accepted.
func rule(t *testing.T, step func(g gen) kernel.Step) {
	n, accepted := corpus.Effort(400, 2000, 4000), 0
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		g := gen{logic.NewBank(), r}
		if g.try(t, step(g)) {
			accepted++
		}
	}
	t.Logf("%d of %d accepted", accepted, n)
	if accepted < n/100 {
		t.Error("too few steps were accepted to say anything")
	}
}

func TestPropIsValid(t *testing.T) {
	rule(t, func(g gen) kernel.Step {
		return kernel.Step{Kind: kernel.Prop, Index: g.r.IntN(4), Terms: []logic.Term{g.pred(2)}}
	})
}

func TestInstIsValid(t *testing.T) {
	rule(t, func(g gen) kernel.Step {
		f := g.quantified(2)
		terms := []logic.Term{f, g.element()}
		if len(g.b.Decls(f)) == 2 {
			terms = append(terms, g.boolean(1))
		}
		return kernel.Step{Kind: kernel.Inst, Terms: terms}
	})
}

func TestChooseIsValid(t *testing.T) {
	rule(t, func(g gen) kernel.Step { return kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{g.quantified(2)}} })
}

func TestSubstIsValid(t *testing.T) {
	rule(t, func(g gen) kernel.Step {
		return kernel.Step{Kind: kernel.Subst, Terms: []logic.Term{g.quantified(2), g.element(), g.element()}}
	})
}

func (g gen) literals(n int, lit func() logic.Term) (c kernel.Clause) {
	for range n {
		l := kernel.LitOf(g.b, lit())
		if g.r.IntN(3) > 0 {
			l = kernel.Neg(l.Atom())
		}
		c = append(c, l)
	}
	return c
}

func TestEufIsValid(t *testing.T) {
	rule(t, func(g gen) kernel.Step {
		b := g.b
		return kernel.Step{Kind: kernel.Euf, Clause: g.literals(2+g.r.IntN(4), func() logic.Term {
			switch g.r.IntN(5) {
			case 0:
				return b.App(logic.Eq, g.element(), g.element())
			case 1:
				return b.App(logic.In, g.element(), g.set(1))
			case 2:
				return b.App(logic.Eq, g.boolean(2), g.boolean(1))
			case 3:
				return b.App(logic.Eq, g.set(1), g.set(1))
			default:
				return b.App(logic.Eq, b.App(logic.Maplet, g.element(), g.integer(1)), b.App(logic.Maplet, g.element(), g.integer(1)))
			}
		})}
	})
}

// A combination of random bounds and equations implies its sum, give or take a
// little: some of these steps are right, some not.
func TestLinIsValid(t *testing.T) {
	rule(t, func(g gen) kernel.Step {
		b := g.b
		s := kernel.Step{Kind: kernel.Lin}
		l, r := b.Int64(0), b.Int64(int64(g.r.IntN(4)-1))
		equal := g.r.IntN(3) == 0
		for range 1 + g.r.IntN(3) {
			x, y, λ := g.integer(1), g.integer(1), int64(1+g.r.IntN(3))
			rel := g.op(logic.Le, logic.Lt, logic.Eq)
			if equal {
				rel = logic.Eq
			}
			s.Clause = append(s.Clause, kernel.LitOf(b, b.App(rel, x, y)).Not())
			s.Coef = append(s.Coef, big.NewInt(λ))
			l = b.App(logic.Plus, l, b.App(logic.Times, b.Int64(λ), x))
			r = b.App(logic.Plus, r, b.App(logic.Times, b.Int64(λ), y))
		}
		k := int64(1 + g.r.IntN(2))
		if equal {
			s.Clause = append(s.Clause, kernel.Pos(b.App(logic.Eq, r, l)))
		} else {
			s.Clause = append(s.Clause, kernel.Pos(b.App(logic.Le, l, r)))
			k += int64(g.r.IntN(2)) - 1
		}
		s.Coef = append(s.Coef, big.NewInt(k))
		return s
	})
}

// Integers are rounded: 2∗x ≤ 2∗y+1 gives x ≤ y, and not x < y.
func TestLinRounds(t *testing.T) {
	b := logic.NewBank()
	x, y := b.Free("x", logic.IntType), b.Free("y", logic.IntType)
	two := func(t logic.Term) logic.Term { return b.App(logic.Times, b.Int64(2), t) }
	premise := kernel.LitOf(b, b.App(logic.Le, two(x), b.App(logic.Plus, two(y), b.Int64(1)))).Not()
	g := gen{b, rand.New(rand.NewPCG(1, 1))}
	coef := []*big.Int{big.NewInt(1), big.NewInt(2)}
	if !g.try(t, kernel.Step{Kind: kernel.Lin, Clause: kernel.Clause{premise, kernel.LitOf(b, b.App(logic.Le, x, y))}, Coef: coef}) {
		t.Error("x ≤ y refused")
	}
	if g.try(t, kernel.Step{Kind: kernel.Lin, Clause: kernel.Clause{premise, kernel.LitOf(b, b.App(logic.Lt, x, y))}, Coef: coef}) {
		t.Error("x < y accepted")
	}
}

// Equations between terms that are equal by the laws of rings.
func TestRingIsValid(t *testing.T) {
	rule(t, func(g gen) kernel.Step {
		b := g.b
		x, y, z := g.integer(2), g.integer(2), g.integer(1)
		l, r := b.App(logic.Times, b.App(logic.Plus, x, y), z), b.App(logic.Plus, b.App(logic.Times, z, y), b.App(logic.Times, x, z))
		if g.r.IntN(2) == 0 {
			l, r = b.App(logic.Minus, x, y), b.App(logic.Plus, b.App(logic.Neg, y), g.pick(x, z))
		}
		return kernel.Step{Kind: kernel.Lin, Clause: kernel.Clause{kernel.Pos(b.App(logic.Eq, l, r))}, Coef: []*big.Int{big.NewInt(1)}}
	})
}

// Formulas are as true as their clauses together.
func TestClausesOfIsEquivalent(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		g := gen{logic.NewBank(), r}
		p := g.pred(3)
		var all []logic.Term
		for _, c := range kernel.ClausesOf(g.b, p) {
			all = append(all, clauseTerm(g.b, c))
		}
		valid(t, "equivalence", g.b, g.b.App(logic.Iff, p, g.b.And(all...)), 40)
	}
}

// combination returns one of ps, or two of them joined.
func (g gen) combination(ps []logic.Term) logic.Term {
	p, q := g.pick(ps...), g.pick(ps...)
	switch g.r.IntN(6) {
	case 0:
		return p
	case 1:
		return g.b.Not(p)
	case 2:
		return g.b.And(p, q)
	case 3:
		return g.b.Or(p, q)
	default:
		return g.b.App(g.op(logic.Implies, logic.Iff), p, q)
	}
}

// What unit propagation derives, a clause or the empty one, follows from what the steps state.
func TestRupIsValid(t *testing.T) {
	n, accepted, empty := corpus.Effort(1000, 3000, 10000), 0, 0
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		g := gen{logic.NewBank(), r}
		s := logic.Sequent{Bank: g.b, Goal: g.b.App(logic.False)}
		p := &kernel.Proof{}
		var from []int
		var lits kernel.Clause
		add := func(step kernel.Step) {
			if c, err := kernel.ClauseOf(s, step); err == nil {
				from, lits = append(from, p.Add(step)), append(lits, c...)
			}
		}
		pool := []logic.Term{g.pred(1), g.pred(0), g.quantified(1)}
		for range 2 + r.IntN(5) {
			s.Hyps = append(s.Hyps, g.combination(pool))
			add(kernel.Step{Kind: kernel.Hyp, Index: len(s.Hyps) - 1})
			add(kernel.Step{Kind: kernel.WD, Index: len(s.Hyps) - 1})
			for i := range 3 {
				add(kernel.Step{Kind: kernel.Prop, Index: i, Terms: []logic.Term{s.Hyps[len(s.Hyps)-1]}})
			}
		}
		add(kernel.Step{Kind: kernel.Choose, Terms: pool[2:]})
		r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		// The derived clause, of literals at hand, and their complements as hypotheses, refute the sequent.
		var c kernel.Clause
		for range r.IntN(3) {
			c = append(c, lits[r.IntN(len(lits))])
		}
		end := []int{p.Add(kernel.Step{Kind: kernel.Rup, Clause: c, From: from})}
		for _, l := range c {
			s.Hyps = append(s.Hyps, clauseTerm(g.b, kernel.Clause{l.Not()}))
			end = append(end, p.Add(kernel.Step{Kind: kernel.Hyp, Index: len(s.Hyps) - 1}))
		}
		slices.Reverse(end)
		p.Add(kernel.Step{Kind: kernel.Rup, From: end})
		res, err := kernel.Check(s, p)
		if err != nil {
			continue
		}
		if accepted++; len(c) == 0 {
			empty++
		}
		valid(t, "rup", g.b, claim(s, res), 40)
	}
	t.Logf("%d of %d accepted, %d with the empty clause", accepted, n, empty)
	if accepted < n/100 || empty == 0 {
		t.Error("too few derivations were accepted to say anything")
	}
}

// Where D of a formula holds, the formula is true or false.
func TestDIsEnough(t *testing.T) {
	n, defined := corpus.Effort(300, 1500, 3000), 0
	r := rand.New(rand.NewPCG(9, 9))
	for range n {
		b := logic.NewBank()
		g := gen{b, r}
		p := g.pred(3)
		d := b.D(p)
		for _, size := range sizes[:3] {
			newScope(b, r, size, random.Carriers(b, p)).each(b.FreeIdents(p), 20, func(m *eval.Model) {
				e := eval.New(b, m, 20000)
				if e.Pred(d) != eval.True {
					return
				}
				if defined++; e.Pred(p) == eval.Unknown {
					t.Errorf("%s is well-defined, but has no value", text.Options{}.Term(b, p))
				}
			})
		}
	}
	t.Logf("%d times defined", defined)
	if defined == 0 {
		t.Error("nothing is well-defined")
	}
}
