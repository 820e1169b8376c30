package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// maxBackward bounds the instances of hypotheses by which a goal is concluded.
const maxBackward = 6

// backward returns the instances of hypotheses ∀x·P⇒Q whose conclusion Q is part of the goal
// of s, each after its hypothesis. The search looks for instances by the terms of P; this finds
// those of which the goal says what they are, however large, and over sets and functions, too.
func backward(s logic.Sequent) []kernel.Step {
	b := s.Bank
	var out []kernel.Step
	found := 0
	for _, goal := range parts(b, s.Goal) {
		for i, h := range s.Hyps {
			if b.Op(h) != logic.Forall {
				continue
			}
			conclude(b, h, goal, func(steps []kernel.Step) {
				if found++; found <= maxBackward {
					out = append(out, kernel.Step{Kind: kernel.Hyp, Index: i})
					out = append(out, steps...)
				}
			})
		}
	}
	return out
}

// parts returns what is to be shown for goal: its conjuncts under ∀ and ⇒, for the witnesses that
// the search will choose.
func parts(b *logic.Bank, goal logic.Term) []logic.Term {
	switch b.Op(goal) {
	case logic.Forall:
		return parts(b, b.Instantiate(b.Arg(goal, 0), kernel.Witnesses(b, goal)))
	case logic.Implies:
		return parts(b, b.Arg(goal, 1))
	case logic.And:
		var out []logic.Term
		for _, p := range b.Args(goal) {
			out = append(out, parts(b, p)...)
		}
		return out
	}
	return []logic.Term{goal}
}

// conclude calls found with the steps that instantiate h, a universal formula, so that a conclusion
// of it is goal, for each such conclusion.
func conclude(b *logic.Bank, h, goal logic.Term, found func([]kernel.Step)) {
	// path leads from h to a conclusion: the argument taken at each operator.
	var walk func(t logic.Term, vars int, path []int)
	walk = func(t logic.Term, vars int, path []int) {
		path = path[:len(path):len(path)]
		switch b.Op(t) {
		case logic.Forall:
			walk(b.Arg(t, 0), vars+len(b.Decls(t)), append(path, 0))
		case logic.Implies:
			walk(b.Arg(t, 1), vars, append(path, 1))
		case logic.And:
			for i, p := range b.Args(t) {
				walk(p, vars, append(path, i))
			}
		default:
			vals := make([]logic.Term, vars)
			if matches(b, t, goal, 0, vals) && !slices.Contains(vals, 0) {
				found(along(b, h, vals, path))
			}
		}
	}
	walk(h, 0, nil)
}

// along instantiates the quantifiers of h on the path with vals.
func along(b *logic.Bank, h logic.Term, vals []logic.Term, path []int) []kernel.Step {
	var out []kernel.Step
	t := h
	for _, i := range path {
		if b.Op(t) != logic.Forall {
			t = b.Arg(t, i)
			continue
		}
		k := len(b.Decls(t))
		out = append(out, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{t}, vals[:k]...)})
		t = b.Instantiate(b.Arg(t, 0), vals[:k])
		vals = vals[k:]
	}
	return out
}

// matches reports whether closed term t is pattern p, under level inner binders, for values of the
// variables outside these, which it sets; vals has the outermost variable first.
func matches(b *logic.Bank, p, t logic.Term, level int, vals []logic.Term) bool {
	if b.Depth(p) <= level {
		return p == t
	}
	if b.Op(p) == logic.Bound {
		slot := len(vals) - 1 - (b.Index(p) - level)
		// A value must not mention variables of the inner binders.
		if slot < 0 || b.Depth(t) > 0 || b.Type(p) != b.Type(t) || vals[slot] != 0 && vals[slot] != t {
			return false
		}
		vals[slot] = t
		return true
	}
	ps, ts := b.Args(p), b.Args(t)
	if b.Op(p) != b.Op(t) || b.Type(p) != b.Type(t) || len(ps) != len(ts) || len(ps) == 0 {
		return false
	}
	if b.Op(p).IsBinder() {
		if !slices.Equal(b.Decls(p), b.Decls(t)) {
			return false
		}
		level += len(b.Decls(p))
	}
	for i := range ps {
		if !matches(b, ps[i], ts[i], level, vals) {
			return false
		}
	}
	return true
}
