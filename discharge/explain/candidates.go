package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
)

// candidates are hints that a node suggests.
type candidates struct {
	b      *logic.Bank
	n      *derive.Node
	ids    []logic.Term // identifiers of the goal
	parts  []logic.Term // closed terms of the goal, inner ones first
	labels []string
}

// maxTerms bounds the terms that are looked at.
const maxTerms = 40

// newCandidates collects the terms of a goal that hints may be about.
func newCandidates(n *derive.Node, labels []string) *candidates {
	b := n.Bank()
	c := &candidates{b: b, n: n, ids: b.FreeIdents(n.Goal), labels: labels}
	seen := map[logic.Term]bool{}
	var visit func(t logic.Term)
	visit = func(t logic.Term) {
		if seen[t] || len(c.parts) >= maxTerms {
			return
		}
		seen[t] = true
		if !b.Op(t).IsBinder() {
			for _, a := range b.Args(t) {
				visit(a)
			}
		}
		if b.Depth(t) == 0 {
			c.parts = append(c.parts, t)
		}
	}
	visit(n.Goal)
	// Premises of the goal are about the same as it is.
	for i := len(n.Hyps) - 1; i >= len(labels); i-- {
		visit(n.Hyps[i].Term)
	}
	// So are guards, and what else is selected: the last ones first, as these are nearest.
	for i := len(labels) - 1; i >= 0; i-- {
		if n.Selected(i) {
			visit(n.Hyps[i].Term)
		}
	}
	return c
}

// text is a term as hints have it.
func (c *candidates) text(t logic.Term) string {
	return text.Options{Spaced: true}.Term(c.b, t)
}

// inductions are on the numbers and finite sets that the goal speaks of.
func (c *candidates) inductions() (out []string) {
	for _, x := range slices.Backward(c.n.Local()) {
		if c.b.Type(x) == logic.IntType && c.b.Occurs(x, c.n.Goal) {
			out = append(out, "induct "+hints.Identifier(c.b.Name(x)))
		}
	}
	for _, x := range c.n.Local() {
		if c.b.Elem(c.b.Type(x)) != logic.NoType && c.finite(x) {
			out = append(out, "induct "+hints.Identifier(c.b.Name(x)))
		}
	}
	return out
}

func (c *candidates) finite(x logic.Term) bool {
	return slices.ContainsFunc(c.n.Hyps, func(h derive.Fact) bool {
		return c.b.Op(h.Term) == logic.Finite && c.b.Arg(h.Term, 0) == x
	})
}

// unfoldings are of identifiers of the goal that a hypothesis defines.
func (c *candidates) unfoldings() (out []string) {
	for _, x := range c.ids {
		if d := c.definition(x); d != 0 && c.b.Op(d) != logic.Free {
			out = append(out, "unfold "+hints.Identifier(c.b.Name(x)))
		}
	}
	return out
}

// definition is what a hypothesis says that x is, 0 if none does.
func (c *candidates) definition(x logic.Term) logic.Term {
	for _, h := range c.n.Hyps {
		if c.b.Op(h.Term) == logic.Eq && c.b.Arg(h.Term, 0) == x && !c.b.Occurs(x, c.b.Arg(h.Term, 1)) {
			return c.b.Arg(h.Term, 1)
		}
	}
	return 0
}

// maxWitnesses bounds the values that are tried for a goal ∃x·P.
const maxWitnesses = 6

// witnesses are values for the first variable of a goal ∃x·P: terms of its type that the goal
// and its premises speak of, and identifiers.
func (c *candidates) witnesses() (out [][]string) {
	b, goal := c.b, c.n.Goal
	if b.Op(goal) != logic.Exists {
		return nil
	}
	hint, ok := b.Hint(goal)
	if !ok || len(hint.Names) != len(b.Decls(goal)) {
		return nil
	}
	for i, name := range hint.Names {
		for _, t := range slices.Concat(slices.Clone(c.parts), c.n.Local(), c.ids) {
			line := []string{"witness " + hints.Identifier(name) + " ≔ " + c.text(t)}
			known := slices.ContainsFunc(out, func(other []string) bool { return other[0] == line[0] })
			if b.Type(t) == b.Decls(goal)[i] && len(out) < maxWitnesses && !known {
				out = append(out, line)
			}
		}
	}
	return out
}

// maxCases bounds the distinctions that are tried.
const maxCases = 5

// cases are whether things of one type are equal, where the goal overrides or adds
// elements; and what hypotheses leave open.
func (c *candidates) cases() (out []string) {
	b := c.b
	add := func(p logic.Term) {
		if line := "cases " + c.text(p); len(out) < maxCases && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	// What the goal adds or overrides is where a proof distinguishes most often.
	for _, t := range c.parts {
		switch b.Op(t) {
		case logic.SetExt:
			for _, e := range b.Args(t) {
				if b.Op(e) == logic.Maplet {
					e = b.Arg(e, 0)
				}
				for _, x := range append(slices.Clone(c.n.Local()), c.ids...) {
					if x != e && b.Type(x) == b.Type(e) && b.Op(e) == logic.Free {
						add(b.App(logic.Eq, x, e))
					}
				}
			}
		case logic.Mod, logic.Div:
			add(b.App(logic.Lt, b.Arg(t, 0), b.Arg(t, 1)))
		}
	}
	for i := len(c.n.Hyps) - 1; i >= 0; i-- {
		if h := c.n.Hyps[i].Term; b.Op(h) == logic.Or && b.Occurs(b.FreeIdents(h)[0], c.n.Goal) {
			add(b.Arg(h, 0))
		}
	}
	for _, x := range c.ids {
		if b.Elem(b.Type(x)) != logic.NoType {
			add(b.App(logic.Eq, x, b.Atom(logic.Empty, b.Type(x))))
		} else if b.Type(x) == logic.IntType {
			add(b.App(logic.Eq, x, b.Int64(0)))
		}
	}
	return out
}

// maxFacts bounds the facts that are tried.
const maxFacts = 40

// facts are what may hold of the terms of the goal: what applications of defined functions
// come to, where arguments lie, what ÷ and mod mean, one half of an equation of sets.
func (c *candidates) facts() (out []string) {
	b := c.b
	add := func(p logic.Term) {
		if line := "have " + c.text(p); len(out) < maxFacts && !slices.Contains(out, line) && p != c.n.Goal {
			out = append(out, line)
		}
	}
	// Values come first: later facts rest on them, and each fact is in the way of what follows.
	for _, t := range c.parts {
		switch b.Op(t) {
		case logic.Apply:
			f, e := b.Arg(t, 0), b.Arg(t, 1)
			if v, ok := c.value(f, e); ok {
				add(b.App(logic.Eq, t, v))
			}
			add(b.App(logic.In, e, b.App(logic.Dom, f)))
		case logic.Div:
			x, k := b.Arg(t, 0), b.Arg(t, 1)
			m := b.App(logic.Mod, x, k)
			add(b.App(logic.Eq, x, b.App(logic.Plus, b.App(logic.Times, t, k), m)))
		case logic.Mod:
			x, k := b.Arg(t, 0), b.Arg(t, 1)
			add(b.App(logic.Eq, x, b.App(logic.Plus, b.App(logic.Times, b.App(logic.Div, x, k), k), t)))
			add(b.And(b.App(logic.Le, b.Int64(0), t), b.App(logic.Lt, t, k)))
		case logic.Card:
			add(b.App(logic.Finite, b.Arg(t, 0)))
		}
	}
	goal := c.n.Goal
	switch op := b.Op(goal); {
	case op == logic.And:
		for _, p := range b.Args(goal) {
			add(p)
		}
	case op == logic.Eq && b.Elem(b.Type(b.Arg(goal, 0))) != logic.NoType:
		add(b.App(logic.SubsetEq, b.Arg(goal, 0), b.Arg(goal, 1)))
		add(b.App(logic.SubsetEq, b.Arg(goal, 1), b.Arg(goal, 0)))
	case op == logic.In && b.Op(b.Arg(goal, 1)) == logic.TFun:
		f, arrow := b.Arg(goal, 0), b.Arg(goal, 1)
		add(b.App(logic.In, f, b.App(logic.PFun, b.Arg(arrow, 0), b.Arg(arrow, 1))))
		add(b.App(logic.Eq, b.App(logic.Dom, f), b.Arg(arrow, 0)))
	}
	for _, p := range slices.Concat(c.products(), c.consequences()) {
		add(p)
	}
	return out
}

// consequences are what hypotheses ∀x·P⇒Q say of the terms here: Q for values with which a
// term of Q, or of P, is one of these; equations first.
func (c *candidates) consequences() (out []logic.Term) {
	b := c.b
	var others []logic.Term // behind equations, which rewrite what is left
	for i := len(c.n.Hyps) - 1; i >= 0; i-- {
		h := c.n.Hyps[i]
		if b.Op(h.Term) != logic.Forall || h.Label == "" || c.n.Labelled(h.Label) != i {
			continue
		}
		conclusion := b.Arg(h.Term, 0)
		if b.Op(conclusion) == logic.Implies {
			conclusion = b.Arg(conclusion, 1)
		}
		found := 0
		for _, pattern := range c.patterns(h.Term) {
			for _, t := range c.parts {
				vals := make([]logic.Term, len(b.Decls(h.Term)))
				if found == maxPerHyp || !c.suits(pattern, t, vals) || slices.Contains(vals, 0) {
					continue
				}
				q := b.Instantiate(conclusion, vals)
				found++
				if b.Op(q) == logic.Eq {
					out = append(out, q)
				} else {
					others = append(others, q)
				}
			}
		}
	}
	return append(out, others...)
}

// products are the steps with products that an induction needs, and that no search makes at
// random: the values of the goal's terms by equations ∀x·P⇒f(x+1)=k∗g, and the induction
// hypothesis times each k.
func (c *candidates) products() (out []logic.Term) {
	b := c.b
	var factors []logic.Term
	for _, h := range c.n.Hyps {
		if b.Op(h.Term) != logic.Forall {
			continue
		}
		body := b.Arg(h.Term, 0)
		if b.Op(body) == logic.Implies {
			body = b.Arg(body, 1)
		}
		if b.Op(body) != logic.Eq || b.Op(b.Arg(body, 1)) != logic.Times {
			continue
		}
		for _, t := range c.parts {
			vals := make([]logic.Term, len(b.Decls(h.Term)))
			if !c.suits(b.Arg(body, 0), t, vals) || slices.Contains(vals, 0) {
				continue
			}
			product := b.Instantiate(b.Arg(body, 1), vals)
			out = append(out, b.App(logic.Eq, t, product))
			for _, k := range b.Args(product) {
				if b.Op(k) == logic.Free && !slices.Contains(factors, k) {
					factors = append(factors, k)
				}
			}
		}
	}
	// The step needs the hypothesis times what the function is multiplied by there.
	for _, h := range c.n.Hyps {
		if !strings.HasPrefix(h.Label, "induct") {
			continue
		}
		equation := c.here(h.Term)
		if b.Op(equation) == logic.Implies {
			equation = b.Arg(equation, 1)
		}
		if b.Op(equation) != logic.Eq || b.Type(b.Arg(equation, 0)) != logic.IntType || b.Depth(equation) > 0 {
			continue
		}
		for _, k := range factors {
			out = append(out, b.App(logic.Eq, b.App(logic.Times, k, b.Arg(equation, 0)), b.App(logic.Times, k, b.Arg(equation, 1))))
		}
	}
	return out
}

// here is a hypothesis ∀x·P for the identifiers of the goal that are called as its variables
// are, as those of an induction hypothesis are; itself if it is of another form.
func (c *candidates) here(q logic.Term) logic.Term {
	hint, ok := c.b.Hint(q)
	if c.b.Op(q) != logic.Forall || !ok || len(hint.Names) != len(c.b.Decls(q)) {
		return q
	}
	var vals []logic.Term
	for i, typ := range c.b.Decls(q) {
		for _, x := range c.n.Local() {
			if c.b.Name(x) == hint.Names[i] && c.b.Type(x) == typ {
				vals = append(vals, x)
				break
			}
		}
	}
	if len(vals) < len(hint.Names) {
		return q
	}
	return c.b.Instantiate(c.b.Arg(q, 0), vals)
}

// value is f(e) by a definition of f as λx·P∣E, or of its values by a hypothesis.
func (c *candidates) value(f, e logic.Term) (logic.Term, bool) {
	b := c.b
	if b.Op(f) == logic.Free {
		f = c.definition(f)
	} else if b.Op(f) == logic.Apply {
		// f may be the value of a function itself.
		g, ok := c.value(b.Arg(f, 0), b.Arg(f, 1))
		if !ok {
			return 0, false
		}
		f = g
	}
	if f == 0 || b.Op(f) != logic.Compr || b.Op(b.Arg(f, 1)) != logic.Maplet {
		return 0, false
	}
	pattern := b.Arg(b.Arg(f, 1), 0)
	vals := make([]logic.Term, len(b.Decls(f)))
	if !c.bind(pattern, e, vals) || slices.Contains(vals, 0) {
		return 0, false
	}
	return c.listed(b.Instantiate(b.Arg(b.Arg(f, 1), 1), vals)), true
}

// listed is t, or what a list {x↦E, …} has for the very x that t applies it to.
func (c *candidates) listed(t logic.Term) logic.Term {
	b := c.b
	if b.Op(t) != logic.Apply || b.Op(b.Arg(t, 0)) != logic.SetExt {
		return t
	}
	for _, pair := range b.Args(b.Arg(t, 0)) {
		if b.Op(pair) == logic.Maplet && b.Arg(pair, 0) == b.Arg(t, 1) {
			return b.Arg(pair, 1)
		}
	}
	return t
}

// bind finds the values of the variables of pattern, a tuple of variables, in e.
func (c *candidates) bind(pattern, e logic.Term, vals []logic.Term) bool {
	b := c.b
	switch {
	case b.Op(pattern) == logic.Bound && b.Index(pattern) < len(vals):
		vals[len(vals)-1-b.Index(pattern)] = e
		return true
	case b.Op(pattern) == logic.Maplet && b.Op(e) == logic.Maplet:
		return c.bind(b.Arg(pattern, 0), b.Arg(e, 0), vals) && c.bind(b.Arg(pattern, 1), b.Arg(e, 1), vals)
	}
	return false
}

// The bounds on instances.
const (
	maxInstances = 5
	maxPerHyp    = 2
)

// instance is one of a hypothesis.
type instance struct {
	line          string
	premises      []string // of ∀x·P⇒Q with a value for each variable: the facts that P says
	unbound, size int      // variables without value; the size of the term that is shared
}

// instances are of hypotheses ∀x·P that share most with the goal: for its terms that suit
// the variables. What a hypothesis applies to a variable, the goal applies to the value. Those
// that leave no variable come first, and of these the ones that share the largest term.
func (c *candidates) instances() []instance {
	b := c.b
	var all []instance
	for i := len(c.n.Hyps) - 1; i >= 0; i-- {
		h := c.n.Hyps[i] // the last ones first: premises of the goal, and the latest theorems
		if b.Op(h.Term) != logic.Forall || h.Label == "" || c.n.Labelled(h.Label) != i {
			continue
		}
		hint, ok := b.Hint(h.Term)
		if !ok || len(hint.Names) != len(b.Decls(h.Term)) {
			continue
		}
		found := 0
		for _, pattern := range append(conclusions(b, h.Term), c.patterns(h.Term)...) {
			for _, t := range append([]logic.Term{c.n.Goal}, c.parts...) {
				vals := make([]logic.Term, len(hint.Names))
				if found == maxPerHyp || !c.suits(pattern, t, vals) {
					continue
				}
				var values []string
				for k, v := range vals {
					if v != 0 {
						values = append(values, hints.Identifier(hint.Names[k])+" ≔ "+c.text(v))
					}
				}
				x := instance{line: fmt.Sprintf("inst %s %s", hints.Label(h.Label), strings.Join(values, ", ")), unbound: len(vals) - len(values), size: len(c.text(t))}
				if len(values) == 0 || slices.ContainsFunc(all, func(y instance) bool { return y.line == x.line }) {
					continue
				}
				if body := b.Arg(h.Term, 0); x.unbound == 0 && b.Op(body) == logic.Implies {
					for _, p := range formula.Conjuncts(b, b.Instantiate(b.Arg(body, 0), vals)) {
						x.premises = append(x.premises, "have "+c.text(p))
					}
				}
				all = append(all, x)
				found++
			}
		}
	}
	slices.SortStableFunc(all, func(x, y instance) int { return cmp.Or(x.unbound-y.unbound, y.size-x.size) })
	return all[:min(maxInstances, len(all))]
}

// conclusions are the predicates Q of ∀x·P⇒Q.
func conclusions(b *logic.Bank, q logic.Term) []logic.Term {
	body := b.Arg(q, 0)
	if b.Op(body) == logic.Implies {
		body = b.Arg(body, 1)
	}
	return formula.Conjuncts(b, body)
}

// suits reports whether t is an instance of pattern for vals, which it sets; in pattern, x+1
// stands for any number.
func (c *candidates) suits(pattern, t logic.Term, vals []logic.Term) bool {
	b := c.b
	if prover.Matches(b, pattern, t, vals) {
		return true
	}
	clear(vals)
	if b.Op(pattern) != b.Op(t) || len(b.Args(pattern)) != len(b.Args(t)) || b.Op(pattern) != logic.Apply && b.Op(pattern) != logic.Maplet {
		return c.successor(pattern, t, vals)
	}
	for i, p := range b.Args(pattern) {
		if part := make([]logic.Term, len(vals)); c.suits(p, b.Arg(t, i), part) {
			for k, v := range part {
				if v != 0 && vals[k] != 0 && vals[k] != v {
					return false
				} else if v != 0 {
					vals[k] = v
				}
			}
			continue
		}
		return false
	}
	return true
}

// successor reports whether pattern is x+1, and sets x to t−1, where t is a number.
func (c *candidates) successor(pattern, t logic.Term, vals []logic.Term) bool {
	b := c.b
	if b.Op(pattern) != logic.Plus || len(b.Args(pattern)) != 2 || b.Depth(t) > 0 || b.Type(t) != logic.IntType {
		return false
	}
	x, one := b.Arg(pattern, 0), b.Arg(pattern, 1)
	if b.Op(x) != logic.Bound || b.Index(x) >= len(vals) || b.Op(one) != logic.Int || b.Op(t) == logic.Int {
		return false
	}
	vals[len(vals)-1-b.Index(x)] = b.App(logic.Minus, t, one)
	return true
}

// patterns are the terms of quantifier q in which variables are arguments, the largest
// first.
func (c *candidates) patterns(q logic.Term) (out []logic.Term) {
	b := c.b
	var visit func(t logic.Term)
	visit = func(t logic.Term) {
		if b.Op(t).IsBinder() || b.Depth(t) == 0 {
			return
		}
		if b.Op(t) != logic.Bound && b.Type(t) != logic.Prop && !slices.Contains(out, t) {
			out = append(out, t)
		}
		for _, a := range b.Args(t) {
			visit(a)
		}
	}
	visit(b.Arg(q, 0))
	return out
}
