package eval

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
)

// comprehension returns {x·P∣E}, ⋃x·P∣E or ⋂x·P∣E as a symbolic set: the term
// with the values of the variables around it.
func (e *Evaluator) comprehension(t logic.Term) (Value, bool) {
	env := e.env[len(e.env)-e.b.Depth(t):]
	return e.s.intern(vnode{kind: Symbolic, op: e.b.Op(t), id: uint32(t)}, env), true
}

// within runs f with the environment of comprehension v.
func (e *Evaluator) within(v Value, f func(t logic.Term)) {
	outer := e.env
	e.env = slices.Clone(e.s.Parts(v))
	f(logic.Term(e.s.nodes[v].id))
	e.env = outer
}

// result evaluates expression t of comprehension binder, whose variables are set.
func (e *Evaluator) result(p *plan, t logic.Term) (v Value, ok bool) {
	env := e.env
	n := len(env) - len(p.decls) + p.own
	e.env = env[:n:n]
	v, ok = e.expr(t)
	e.env = env
	return v, ok
}

// extra returns the literal that relates value v to E of comprehension t.
func (e *Evaluator) extra(t, expr logic.Term, op logic.Op, v Value) literal {
	p := e.plan(t)
	return literal{t: expr, level: p.own, mask: e.mask(p, expr, p.own), value: v, op: op}
}

// inComprehension decides whether x is in the comprehension v. The type is that of x.
func (e *Evaluator) inComprehension(v, x Value, typ logic.Type) (res Truth) {
	if w, ok := e.list(v); ok {
		return e.contains(w, x, typ)
	}
	e.within(v, func(term logic.Term) {
		body := e.b.Arg(term, 1)
		switch e.b.Op(term) {
		case logic.Compr:
			res = e.exists(term, e.extra(term, body, logic.Eq, x))
		case logic.QUnion:
			res = e.exists(term, e.extra(term, body, logic.In, x))
		case logic.QInter:
			if e.exists(term) == True {
				res = -e.exists(term, e.extra(term, body, logic.NotIn, x))
			}
		}
	})
	return res
}

// enumerateComprehension lists the members of comprehension v.
func (e *Evaluator) enumerateComprehension(v Value) (res Value, ok bool) {
	e.within(v, func(term logic.Term) {
		p, body := e.plan(term), e.b.Arg(term, 1)
		var out []Value
		ok = true
		// Only certain members with a listed value may enter, and no solution may be left out.
		complete := e.solve(p, true, nil, func(certain bool) bool {
			if certain {
				if x, found := e.result(p, body); found {
					if x, found = e.concrete(x); found && len(out) < maxListed {
						out = append(out, x)
						return true
					}
				}
			}
			ok = false
			return false
		})
		if ok = ok && complete; !ok {
			return
		}
		switch e.b.Op(term) {
		case logic.Compr:
			res = e.s.Set(out...)
		case logic.QUnion:
			res = e.union(out)
		case logic.QInter:
			if ok = len(out) > 0; ok {
				res, ok = e.inter(out)
			}
		}
	})
	return res, ok
}

// sampleComprehension returns some members of comprehension v.
func (e *Evaluator) sampleComprehension(v Value) (out []Value) {
	e.within(v, func(term logic.Term) {
		p := e.plan(term)
		e.solve(p, false, nil, func(certain bool) bool {
			if certain {
				if x, ok := e.result(p, e.b.Arg(term, 1)); ok {
					out = append(out, x)
				}
			}
			return len(out) < 8
		})
	})
	return out
}

// imagesOfComprehension returns the images of x under the relation {y·P ∣ E ↦ F}.
func (e *Evaluator) imagesOfComprehension(v, x Value) (out []Value, ok bool) {
	e.within(v, func(term logic.Term) {
		body := e.b.Arg(term, 1)
		if e.b.Op(body) != logic.Maplet {
			return
		}
		p := e.plan(term)
		ok = true
		complete := e.solve(p, true, []literal{e.extra(term, e.b.Arg(body, 0), logic.Eq, x)}, func(certain bool) bool {
			y, found := e.result(p, e.b.Arg(body, 1))
			ok = certain && found
			out = append(out, y)
			return ok
		})
		ok = ok && complete
	})
	if !ok {
		w, listed := e.list(v)
		if !listed {
			return nil, false
		}
		return e.images(w, x)
	}
	return e.distinct(out), true
}

// isLambda reports whether comprehension v is a function by its form: {x·P ∣ E ↦ F}
// where E, of variables and ↦ alone, has all variables.
func (e *Evaluator) isLambda(value Value) bool {
	t := logic.Term(e.s.nodes[value].id)
	body := e.b.Arg(t, 1)
	if e.b.Op(body) != logic.Maplet {
		return false
	}
	k := len(e.b.Decls(t))
	found := map[int]bool{}
	var walk func(t logic.Term) bool
	walk = func(t logic.Term) bool {
		switch e.b.Op(t) {
		case logic.Maplet:
			return walk(e.b.Arg(t, 0)) && walk(e.b.Arg(t, 1))
		case logic.Bound:
			if i := e.b.Index(t); i < k {
				found[i] = true
			}
			return true
		}
		return false
	}
	return walk(e.b.Arg(body, 0)) && len(found) == k
}

// choice evaluates an Eps term if all solutions agree on its component.
func (e *Evaluator) choice(term logic.Term) (Value, bool) {
	p := e.plan(term)
	base, i := len(e.env), e.b.Index(term)
	var v Value
	ok := true
	complete := e.solve(p, true, nil, func(certain bool) bool {
		x, concrete := e.concrete(e.env[base+i])
		ok = ok && certain && concrete && (v == 0 || v == x)
		v = x
		return ok
	})
	return v, ok && complete && v != 0
}

// unbounded reports whether comprehension v certainly is infinite: one integer
// variable x, an expression that differs for all x, and a condition that only
// bounds x, on one side at most.
func (e *Evaluator) unbounded(value Value) (res bool) {
	e.within(value, func(term logic.Term) {
		p := e.plan(term)
		if len(p.decls) != 1 || p.decls[0] != logic.IntType {
			return
		}
		outer := e.env
		e.env = append(slices.Clip(e.env), 0)
		s := &solver{Evaluator: e, p: p, base: len(outer)}
		res = e.injective(e.b.Arg(term, 1))
		var lo, hi *big.Int
		for _, literal := range p.lits {
			if literal.mask == 0 {
				res = res && s.decideLiteral(literal) == True
			} else {
				res = res && s.narrow(literal, 0, &lo, &hi)
			}
		}
		res = res && (lo == nil || hi == nil)
		e.env = outer
	})
	return res
}

// injective reports whether t is the innermost variable or a pair with it.
func (e *Evaluator) injective(t logic.Term) bool {
	switch e.b.Op(t) {
	case logic.Bound:
		return e.b.Index(t) == 0
	case logic.Maplet:
		return e.injective(e.b.Arg(t, 0)) || e.injective(e.b.Arg(t, 1))
	}
	return false
}

// exists decides ∃x·P of an Exists term and ∃x·¬P of a Forall term.
func (e *Evaluator) exists(term logic.Term, extra ...literal) Truth {
	res := False
	complete := e.solve(e.plan(term), false, extra, func(certain bool) bool {
		if certain {
			res = True
			return false
		}
		res = Unknown
		return true
	})
	if res == False && !complete {
		return Unknown
	}
	return res
}
