// Package eval evaluates formulas exactly in models with finite carrier sets. Integers are
// unbounded. Answers are three-valued, and a definite answer is never wrong. Unknown stands
// for ill-defined parts, undecided infinite parts, and an exhausted budget.
//
// # Sets
//
// Small finite sets are listed. Others, such as ℕ, ℙ(S), S ⇸ ℤ or a comprehension without
// evident bounds, stay symbolic. The operator decides membership, and members are listed on
// demand where possible.
//
// # Quantifiers
//
// ∃x·P is decided by solving P. Variables get their values from conjuncts of P that bound them
// (x ∈ S, x = E, a ≤ x, x ⊆ S), or else from a finite type. An unbounded variable is tried
// with sample values. These can find a witness but not exclude one. ∀x·P is ¬∃x·¬P.
//
// # Ill-defined terms
//
// An ill-defined expression has no value here, and formulas that depend on it are Unknown. So
// True and False hold for every value that such a term could be given.
package eval

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// Pred returns the truth of the closed predicate t.
func (e *Evaluator) Pred(t logic.Term) Truth { return e.pred(t) }

// Expr returns the value of the closed expression t, and false if it has none
// or is a set that cannot be listed.
func (e *Evaluator) Expr(t logic.Term) (Value, bool) {
	v, ok := e.expr(t)
	if !ok {
		return 0, false
	}
	return e.concrete(v)
}

// Value returns the value of the closed expression t, and false if it has none.
// It may be symbolic: Model.Define makes it a value of a model.
func (e *Evaluator) Value(t logic.Term) (Value, bool) { return e.expr(t) }

func (e *Evaluator) pred(term logic.Term) Truth {
	closed := e.b.Depth(term) == 0
	if closed {
		if res, ok := e.preds[term]; ok {
			return res
		}
	}
	if !e.spend() {
		return Unknown
	}
	res := e.decide(term)
	if closed && e.steps >= 0 {
		e.preds[term] = res
	}
	return res
}

// decide is the truth of a predicate in three-valued logic.
func (e *Evaluator) decide(term logic.Term) Truth {
	args := e.b.Args(term)
	switch op := e.b.Op(term); op {
	case logic.True:
		return True
	case logic.False:
		return False
	case logic.Not:
		return -e.pred(args[0])
	case logic.And:
		return all(len(args), func(i int) Truth { return e.pred(args[i]) })
	case logic.Or:
		return some(len(args), func(i int) Truth { return e.pred(args[i]) })
	case logic.Implies:
		// The right side may be ill-defined where the left is false.
		p := -e.pred(args[0])
		if p == True {
			return True
		}
		return max(p, e.pred(args[1]))
	case logic.Iff:
		p := e.pred(args[0])
		if p == Unknown {
			return Unknown
		}
		return p * e.pred(args[1])
	case logic.Exists:
		return e.exists(term)
	case logic.Forall:
		return -e.exists(term)
	case logic.NotIn:
		return -e.member(args[0], args[1])
	case logic.In:
		return e.member(args[0], args[1])
	case logic.Partition:
		vs, ok := e.exprList(args)
		if !ok {
			return Unknown
		}
		return e.partition(vs, e.b.Type(args[0]))
	case logic.Finite:
		value, ok := e.expr(args[0])
		if !ok {
			return Unknown
		}
		return e.finite(value, e.b.Type(args[0]))
	default:
		left, ok1 := e.expr(args[0])
		right, ok2 := e.expr(args[1])
		if !ok1 || !ok2 {
			return Unknown
		}
		return e.relate(op, left, right, e.b.Type(args[0]))
	}
}

// relate decides relation op between values of type typ.
func (e *Evaluator) relate(op logic.Op, left, right Value, typ logic.Type) Truth {
	switch op {
	case logic.Eq:
		return e.equal(left, right, typ)
	case logic.Neq:
		return -e.equal(left, right, typ)
	case logic.Lt:
		return truth(e.s.Compare(left, right) < 0)
	case logic.Le:
		return truth(e.s.Compare(left, right) <= 0)
	case logic.Gt:
		return truth(e.s.Compare(left, right) > 0)
	case logic.Ge:
		return truth(e.s.Compare(left, right) >= 0)
	case logic.SubsetEq:
		return e.subset(left, right, typ)
	case logic.NotSubsetEq:
		return -e.subset(left, right, typ)
	case logic.Subset:
		return e.properSubset(left, right, typ)
	case logic.NotSubset:
		return -e.properSubset(left, right, typ)
	}
	panic("eval: no relation")
}

func (e *Evaluator) properSubset(l, r Value, typ logic.Type) Truth {
	res := e.subset(l, r, typ)
	if res == False {
		return False
	}
	return min(res, -e.equal(l, r, typ))
}

func (e *Evaluator) member(x, set logic.Term) Truth {
	v, ok := e.expr(x)
	if !ok {
		return Unknown
	}
	s, ok := e.expr(set)
	if !ok {
		return Unknown
	}
	return e.contains(s, v, e.b.Type(x))
}

func (e *Evaluator) exprList(ts []logic.Term) ([]Value, bool) {
	vs := make([]Value, len(ts))
	for i, t := range ts {
		v, ok := e.expr(t)
		if !ok {
			return nil, false
		}
		vs[i] = v
	}
	return vs, true
}

// expr returns the value of t, perhaps symbolic, and false if it has none.
func (e *Evaluator) expr(term logic.Term) (Value, bool) {
	n := e.b.Depth(term)
	if n == 0 {
		if v, ok := e.exprs[term]; ok {
			return v, v != 0
		}
	}
	if !e.spend() {
		return 0, false
	}
	v, ok := e.value(term)
	if !ok {
		v = 0
	}
	if n == 0 && e.steps >= 0 {
		e.exprs[term] = v
	}
	return v, ok
}

// value is the value of an expression under the present values of variables; false if it has none or is not known.
func (e *Evaluator) value(term logic.Term) (Value, bool) {
	switch op := e.b.Op(term); op {
	case logic.Int:
		return e.s.Int(e.b.Value(term)), true
	case logic.Free:
		v, ok := e.m.Values[e.b.Name(term)]
		// Values that occur are good samples for variables that nothing bounds.
		if typ := e.b.Type(term); ok && !slices.Contains(e.seen[typ], v) {
			e.seen[typ] = append(e.seen[typ], v)
		}
		return v, ok
	case logic.Bound:
		i := len(e.env) - 1 - e.b.Index(term)
		return e.env[i], e.env[i] != 0
	case logic.Given:
		if name := e.b.Name(term); e.m.Carriers[name] == Infinite {
			return e.s.Interval(0, 0, e.s.Element(name, 0)), true
		}
		return e.all(e.b.Elem(e.b.Type(term)))
	case logic.Bool:
		return e.all(logic.BoolType)
	case logic.Integer:
		return e.interval(0, 0), true
	case logic.Natural:
		return e.interval(e.s.Int64(0), 0), true
	case logic.Natural1:
		return e.interval(e.s.Int64(1), 0), true
	case logic.TrueE, logic.FalseE:
		return e.s.Bool(op == logic.TrueE), true
	case logic.Empty:
		return e.s.Set(), true
	case logic.Id, logic.Prj1, logic.Prj2:
		// On a finite type these are lists like any other relation.
		if dom, _ := e.b.RelPair(e.b.Type(term)); e.m.isFinite(e.b, dom) {
			return e.finiteAtom(op, dom)
		}
		return e.s.symbolic(op), true
	case logic.Pred, logic.Succ:
		return e.s.symbolic(op), true
	case logic.BoolOf:
		p := e.pred(e.b.Arg(term, 0))
		return e.s.Bool(p == True), p != Unknown
	case logic.Compr, logic.QUnion, logic.QInter:
		return e.comprehension(term)
	case logic.Eps:
		return e.choice(term)
	default:
		vs, ok := e.exprList(e.b.Args(term))
		if !ok {
			return 0, false
		}
		return e.apply(op, vs)
	}
}

// finiteAtom is id, prj1 or prj2 over a type: listed if the type is small, symbolic if it is not.
func (e *Evaluator) finiteAtom(op logic.Op, dom logic.Type) (Value, bool) {
	xs, ok := e.allOf(dom)
	if !ok {
		return e.s.symbolic(op), true
	}
	out := make([]Value, len(xs))
	for i, x := range xs {
		y := x
		switch op {
		case logic.Prj1:
			y = e.s.Parts(x)[0]
		case logic.Prj2:
			y = e.s.Parts(x)[1]
		}
		out[i] = e.s.Pair(x, y)
	}
	return e.s.Set(out...), true
}

// apply applies an operator that binds nothing to values.
func (e *Evaluator) apply(op logic.Op, vs []Value) (Value, bool) {
	switch op {
	case logic.Maplet:
		return e.s.Pair(vs[0], vs[1]), true
	case logic.Plus, logic.Minus, logic.Neg, logic.Times, logic.Div, logic.Mod, logic.Exp:
		return e.arithmetic(op, vs)
	case logic.SetExt:
		out := make([]Value, len(vs))
		for i, v := range vs {
			// A set with a symbolic member stays symbolic: lists are compared by identity.
			x, ok := e.concrete(v)
			if !ok {
				return e.s.symbolic(op, vs...), true
			}
			out[i] = x
		}
		return e.s.Set(out...), true
	case logic.Apply:
		return e.applyFunction(vs[0], vs[1])
	case logic.Card:
		value, ok := e.list(vs[0])
		if !ok {
			return 0, false
		}
		return e.s.Int64(int64(len(e.s.Parts(value)))), true
	case logic.Min, logic.Max:
		return e.extremum(op, vs[0])
	case logic.UpTo:
		return e.interval(vs[0], vs[1]), true
	case logic.GUnion, logic.GInter:
		value, ok := e.list(vs[0])
		// The intersection of no sets is ill-defined.
		if !ok || op == logic.GInter && len(e.s.Parts(value)) == 0 {
			return 0, false
		}
		parts := e.s.Parts(value)
		if op == logic.GUnion {
			return e.union(parts), true
		}
		return e.inter(parts)
	default:
		return e.setOp(op, vs)
	}
}

// partition decides whether the values after the first partition the first one.
func (e *Evaluator) partition(vs []Value, typ logic.Type) Truth {
	parts := vs[1:]
	res := e.equal(vs[0], e.union(parts), typ)
	for i := range parts {
		for j := range i {
			if res == False {
				return False
			}
			common, ok := e.inter([]Value{parts[i], parts[j]})
			if !ok {
				res = Unknown
				continue
			}
			res = min(res, e.equal(common, e.s.Set(), typ))
		}
	}
	return res
}
