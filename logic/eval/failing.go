package eval

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// Failing returns where the closed predicate t, false in the model, fails: the
// path of argument numbers to a smallest part that is false, and the values of
// the variables bound around it, the innermost last. Of several false conjuncts
// it is the first, of an implication the conclusion, of ∀ an instance.
func (e *Evaluator) Failing(t logic.Term) (path []int, values []Value) {
	outer := e.env
	defer func() { e.env = outer }()
	for {
		next := -1
		args := e.b.Args(t)
		switch e.b.Op(t) {
		case logic.And:
			next = slices.IndexFunc(args, func(a logic.Term) bool { return e.pred(a) == False })
		case logic.Implies:
			next = 1
		case logic.Forall:
			if e.instance(t) {
				next = 0
			}
		}
		if next < 0 {
			return path, slices.Clone(e.env)
		}
		path, t = append(path, next), args[next]
	}
}

// instance sets the variables of ∀ term t to values that falsify it.
func (e *Evaluator) instance(term logic.Term) bool {
	p := e.plan(term)
	base := len(e.env)
	var found []Value
	e.solve(p, false, nil, func(certain bool) bool {
		if certain {
			found = slices.Clone(e.env[base : base+p.own])
		}
		return !certain
	})
	if found == nil {
		return false
	}
	e.env = append(slices.Clip(e.env), found...)
	return true
}
