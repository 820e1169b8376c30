package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/prover/derive"
)

const (
	maxCases    = 4 // that are distinguished, in addition to the case that none of them holds
	maxRewrites = 8 // of a goal by equations, one after the other
)

// casewise proves the goal in the cases of a definition that it asks for, within the given steps: hypotheses may say what f(x) is
// under one condition, and under others. In each case the goal is shown for that value; all equations at once are in each
// other's way.
func (r *Result) casewise(strategy strategy, opts Options, steps int64) bool {
	plan := r.plan(opts)
	last := plan.Root.Intro()
	if !distinguish(last) && !rewrite(last) {
		return false
	}
	return r.join(plan, strategy, opts, steps)
}

// distinguish splits n into the cases of the first term of its goal that conditional equations define, and reports whether
// there are several.
func distinguish(n *derive.Node) bool {
	b := n.Bank()
	eqs := newEquations(n)
	for _, t := range applied(b, n.Goal, nil) {
		cases := slices.DeleteFunc(eqs.of(t), func(c definingCase) bool { return c.condition == 0 })
		if len(cases) < 2 {
			continue
		}
		for _, c := range cases[:min(len(cases), maxCases)] {
			var holds *derive.Node
			holds, n = n.Cases(c.condition)
			_, holds = have(holds, b.App(logic.Eq, t, c.value))
			simpler, _ := have(holds, c.applied(b, holds.Goal, t))
			rewrite(simpler)
		}
		return true
	}
	return false
}

// rewrite states the goal of n with what equations say of terms in it, as long as just one does, or one without a condition. It
// reports whether there was any. Equations that lead back to a term which they began with are not followed.
func rewrite(n *derive.Node) bool {
	b := n.Bank()
	from := lineage{}
	for i := range maxRewrites {
		t, value := newEquations(n).first(n.Goal, from)
		if t == 0 {
			return i > 0
		}
		_, n = have(n, b.App(logic.Eq, t, value))
		goal := replaced(b, n.Goal, t, value)
		from.add(b, t, n.Goal, goal)
		n, _ = have(n, goal)
	}
	return true
}

// have cuts with p as Have does, and takes apart what p needs to be well-defined.
func have(n *derive.Node, p logic.Term) (proof, rest *derive.Node) {
	wd, proof, rest := n.Have(p)
	if wd != nil {
		conjoin(wd)
	}
	return proof, rest
}

// lineage lists the terms that were replaced one after the other to give a term.
type lineage map[logic.Term][]logic.Term

// add says that t was replaced in goal before to give goal after.
func (l lineage) add(b *logic.Bank, t, before, after logic.Term) {
	old := applied(b, before, nil)
	for _, term := range applied(b, after, nil) {
		if !slices.Contains(old, term) {
			l[term] = append(slices.Clone(l[t]), t)
		}
	}
}

// circular reports whether value, of t, mentions a term that t came from.
func (l lineage) circular(b *logic.Bank, t, value logic.Term) bool {
	return slices.ContainsFunc(l[t], func(before logic.Term) bool {
		return hasTerm(b, value, func(term logic.Term) bool { return term == before })
	})
}

// applied adds the closed terms f(x) in t to out, the outermost first.
func applied(b *logic.Bank, t logic.Term, out []logic.Term) []logic.Term {
	if b.Op(t) == logic.Apply && b.Depth(t) == 0 && !slices.Contains(out, t) {
		out = append(out, t)
	}
	for _, arg := range b.Args(t) {
		out = applied(b, arg, out)
	}
	return out
}

// definingCase is what a hypothesis ∀x·P⇒f(E)=F says of a term: its value under a condition, 0 if that holds.
type definingCase struct {
	condition, value logic.Term
	numbers          []logic.Term // equations of the condition by which a term is a literal
}

// applied returns goal with the value for t, and with the literals in this case.
func (c definingCase) applied(b *logic.Bank, goal, t logic.Term) logic.Term {
	goal = replaced(b, goal, t, c.value)
	for _, number := range c.numbers {
		goal = replaced(b, goal, b.Arg(number, 0), b.Arg(number, 1))
	}
	return goal
}

// equations are the hypotheses of a node by which terms may be replaced, and what is plain there.
type equations struct {
	bank  *logic.Bank
	hyps  []derive.Fact
	known map[logic.Term]bool
	low   map[logic.Term]int64 // lower bounds of identifiers
}

func newEquations(n *derive.Node) equations {
	e := equations{n.Bank(), n.Facts(), map[logic.Term]bool{}, map[logic.Term]int64{}}
	for _, h := range e.hyps {
		for _, t := range formula.Conjuncts(e.bank, e.bank.Bare(h.Term)) {
			e.known[t] = true
			if x, bound, ok := e.lower(t); ok && e.bank.Op(x) == logic.Free {
				if old, ok := e.low[x]; !ok || bound > old {
					e.low[x] = bound
				}
			}
		}
	}
	return e
}

// lower reads t as a lower bound of a term.
func (e equations) lower(t logic.Term) (of logic.Term, bound int64, ok bool) {
	b := e.bank
	var low logic.Term
	strict := int64(0)
	switch b.Op(t) {
	case logic.Ge:
		of, low = b.Arg(t, 0), b.Arg(t, 1)
	case logic.Gt:
		of, low, strict = b.Arg(t, 0), b.Arg(t, 1), 1
	case logic.Le:
		of, low = b.Arg(t, 1), b.Arg(t, 0)
	case logic.Lt:
		of, low, strict = b.Arg(t, 1), b.Arg(t, 0), 1
	case logic.In:
		switch b.Op(b.Arg(t, 1)) {
		case logic.Natural:
			return b.Arg(t, 0), 0, true
		case logic.Natural1:
			return b.Arg(t, 0), 1, true
		case logic.UpTo:
			of, low = b.Arg(t, 0), b.Arg(b.Arg(t, 1), 0)
		default:
			return 0, 0, false
		}
	default:
		return 0, 0, false
	}
	// Bounds count cases, so one beyond 64 bits is of no use.
	if b.Op(low) != logic.Int || !b.Value(low).IsInt64() {
		return 0, 0, false
	}
	return of, b.Value(low).Int64() + strict, true
}

// least returns a lower bound of t, if one is plain.
func (e equations) least(t logic.Term) (int64, bool) {
	b := e.bank
	switch b.Op(t) {
	case logic.Int:
		return b.Value(t).Int64(), b.Value(t).IsInt64()
	case logic.Free:
		bound, ok := e.low[t]
		return bound, ok
	case logic.Plus:
		sum := int64(0)
		for _, arg := range b.Args(t) {
			bound, ok := e.least(arg)
			if !ok || bound < -1<<40 || bound > 1<<40 {
				return 0, false
			}
			sum += bound
		}
		return sum, true
	}
	return 0, false
}

// plain reports whether premise t obviously holds, and whether it obviously does not.
func (e equations) plain(t logic.Term) (holds, fails bool) {
	b := e.bank
	if t = b.Bare(t); e.known[t] || e.known[b.Not(t)] {
		return e.known[t], !e.known[t]
	}
	if of, bound, ok := e.lower(t); ok && (b.Op(t) != logic.In || b.Op(b.Arg(t, 1)) != logic.UpTo) {
		least, ok := e.least(of)
		return ok && least >= bound, false
	}
	if b.Op(t) == logic.Eq && b.Op(b.Arg(t, 1)) == logic.Int {
		least, ok := e.least(b.Arg(t, 0))
		return false, ok && b.Value(b.Arg(t, 1)).IsInt64() && least > b.Value(b.Arg(t, 1)).Int64()
	}
	return false, false
}

// of returns the cases in which hypotheses say what t is: where what they ask holds, unless that is plain, and where numbers in t are
// those that E has in their places.
func (e equations) of(t logic.Term) (out []definingCase) {
	for _, h := range e.hyps {
		c, ok := e.by(h.Term, t)
		if ok && !slices.ContainsFunc(out, func(other definingCase) bool { return c.condition == other.condition }) {
			out = append(out, c)
		}
	}
	return out
}

// by returns the case in which hypothesis h says what t is.
func (e equations) by(h, t logic.Term) (c definingCase, ok bool) {
	b := e.bank
	if b.Op(h) != logic.Forall || b.Op(b.Arg(h, 0)) != logic.Implies || b.Op(b.Arg(b.Arg(h, 0), 1)) != logic.Eq {
		return c, false
	}
	premises, equation := b.Arg(b.Arg(h, 0), 0), b.Arg(b.Arg(h, 0), 1)
	vals := make([]logic.Term, len(b.Decls(h)))
	m := matcher{bank: b, numbers: &[]logic.Term{}}
	if !m.matches(b.Arg(equation, 0), t, 0, vals) || slices.Contains(vals, 0) {
		return c, false
	}
	c.value, c.numbers = enumerated(b, b.Instantiate(b.Arg(equation, 1), vals)), *m.numbers
	if hasTerm(b, c.value, func(t logic.Term) bool { return b.Op(t).IsBinder() }) {
		return c, false
	}
	var wanted []logic.Term
	for _, premise := range slices.Concat(c.numbers, formula.Conjuncts(b, b.Instantiate(premises, vals))) {
		holds, fails := e.plain(premise)
		if fails {
			return c, false
		}
		if !holds {
			wanted = append(wanted, premise)
		}
	}
	if len(wanted) > 0 {
		c.condition = b.And(wanted...)
	}
	return c, true
}

// complete sets the values that are 0, of variables of premises, to what hypotheses say that they may be, and reports whether it
// finds all.
func (e equations) complete(premises logic.Term, vals []logic.Term) bool {
	b := e.bank
	for _, premise := range formula.Conjuncts(b, premises) {
		if !slices.Contains(vals, 0) {
			return true
		}
		for _, h := range e.hyps {
			tried := slices.Clone(vals)
			if (matcher{bank: b}).matches(premise, h.Term, 0, tried) {
				copy(vals, tried)
				break
			}
		}
	}
	return !slices.Contains(vals, 0)
}

// enumerated returns t with {x·F∈{E}∣G} as {G}, where E says what x is.
func enumerated(b *logic.Bank, t logic.Term) logic.Term {
	args := b.Args(t)
	if b.Op(t) == logic.Compr && b.Op(args[0]) == logic.In && b.Op(b.Arg(args[0], 1)) == logic.SetExt && b.Depth(t) == 0 {
		var out []logic.Term
		for _, element := range b.Args(b.Arg(args[0], 1)) {
			vals := make([]logic.Term, len(b.Decls(t)))
			if b.Depth(element) > 0 || !Matches(b, b.Arg(args[0], 0), element, vals) || slices.Contains(vals, 0) {
				return t
			}
			out = append(out, b.Instantiate(args[1], vals))
		}
		return b.App(logic.SetExt, out...)
	}
	if len(args) == 0 || b.Op(t).IsBinder() || b.Op(t) == logic.Eps {
		return t
	}
	out := make([]logic.Term, len(args))
	for i, arg := range args {
		out[i] = enumerated(b, arg)
	}
	return b.App(b.Op(t), out...)
}

// bare reports whether a condition compares two identifiers: it would be a hypothesis itself.
func (e equations) bare(condition logic.Term) bool {
	b := e.bank
	return slices.ContainsFunc(formula.Conjuncts(b, condition), func(t logic.Term) bool {
		return len(b.Args(t)) == 2 && b.Op(b.Arg(t, 0)) == logic.Free && b.Op(b.Arg(t, 1)) == logic.Free
	})
}

// first returns the first term in goal that an equation without condition, or a single one, says something of, and its value, unless that
// leads back to where the term came from; 0 if there is none.
func (e equations) first(goal logic.Term, from lineage) (t, value logic.Term) {
	for _, t := range applied(e.bank, goal, nil) {
		cases := slices.DeleteFunc(e.of(t), func(c definingCase) bool { return from.circular(e.bank, t, c.value) })
		if i := slices.IndexFunc(cases, func(c definingCase) bool { return c.condition == 0 }); i >= 0 {
			return t, cases[i].value
		} else if len(cases) == 1 && len(cases[0].numbers) == 0 && !e.bare(cases[0].condition) {
			return t, cases[0].value
		}
	}
	return 0, 0
}
