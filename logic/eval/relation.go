package eval

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// setOp applies an operator on sets, listing the result where that is cheap.
func (e *Evaluator) setOp(op logic.Op, vs []Value) (Value, bool) {
	s := e.s
	vs = e.listBinders(vs)
	listed := func(i int) bool { return s.Kind(vs[i]) == Set }
	switch op {
	case logic.Union:
		return e.union(vs), true
	case logic.Inter:
		return e.inter(vs)
	case logic.Diff:
		if listed(0) {
			return e.filter(vs[0], func(x Value) Truth { return -e.contains(vs[1], x, 0) })
		}
	case logic.CProd:
		for i := range vs {
			if listed(i) && len(s.Parts(vs[i])) == 0 {
				return vs[i], true
			}
		}
		if listed(0) && listed(1) {
			if v, ok := e.product(vs[0], vs[1]); ok {
				return v, true
			}
		}
	case logic.Dom, logic.Ran:
		if listed(0) {
			return e.mapPairs(vs[0], func(x, y Value) Value {
				if op == logic.Dom {
					return x
				}
				return y
			}), true
		}
		if op2, args := e.symbol(vs[0]); op2 == logic.CProd {
			i := 0
			if op == logic.Ran {
				i = 1
			}
			switch e.isEmpty(args[1-i]) {
			case True:
				return s.Set(), true
			case False:
				return args[i], true
			}
		} else if op == logic.Dom && op2 == logic.Pred || op == logic.Dom && op2 == logic.Succ ||
			op == logic.Ran && (op2 == logic.Pred || op2 == logic.Succ) {
			return e.interval(0, 0), true
		}
	case logic.Converse:
		if listed(0) {
			return e.mapPairs(vs[0], func(x, y Value) Value { return s.Pair(y, x) }), true
		}
		switch op2, args := e.symbol(vs[0]); op2 {
		case logic.Id:
			return vs[0], true
		case logic.Succ:
			return s.symbolic(logic.Pred), true
		case logic.Pred:
			return s.symbolic(logic.Succ), true
		case logic.CProd:
			return s.symbolic(logic.CProd, args[1], args[0]), true
		case logic.Converse:
			return args[0], true
		}
	case logic.DomRes, logic.DomSub:
		if listed(1) {
			return e.filter(vs[1], func(p Value) Truth {
				res := e.contains(vs[0], s.Parts(p)[0], 0)
				if op == logic.DomSub {
					return -res
				}
				return res
			})
		}
		if op == logic.DomRes && listed(0) {
			if v, ok := e.restrict(vs[0], vs[1]); ok {
				return v, true
			}
		}
	case logic.RanRes, logic.RanSub:
		if listed(0) {
			return e.filter(vs[0], func(p Value) Truth {
				res := e.contains(vs[1], s.Parts(p)[1], 0)
				if op == logic.RanSub {
					return -res
				}
				return res
			})
		}
	case logic.Image:
		if listed(0) {
			v, ok := e.filter(vs[0], func(p Value) Truth { return e.contains(vs[1], s.Parts(p)[0], 0) })
			if !ok {
				return 0, false
			}
			return e.setOp(logic.Ran, []Value{v})
		}
		if listed(1) {
			if v, ok := e.restrict(vs[1], vs[0]); ok {
				return e.setOp(logic.Ran, []Value{v})
			}
		}
		if op2, args := e.symbol(vs[0]); op2 == logic.CProd {
			if common, ok := e.inter([]Value{args[0], vs[1]}); ok {
				switch e.isEmpty(common) {
				case True:
					return s.Set(), true
				case False:
					return args[1], true
				}
			}
		}
	case logic.FComp:
		return e.compose(vs)
	case logic.BComp:
		vs = slices.Clone(vs)
		slices.Reverse(vs)
		return e.compose(vs)
	case logic.Ovr:
		return e.override(vs)
	case logic.DProd, logic.PProd:
		if listed(0) && listed(1) {
			return e.pairwise(op, vs[0], vs[1])
		}
	}
	return s.symbolic(op, vs...), true
}

// listBinders lists the comprehensions among vs where possible.
func (e *Evaluator) listBinders(vs []Value) []Value {
	vs = slices.Clone(vs)
	for i, v := range vs {
		if op, _ := e.symbol(v); op == logic.Compr || op == logic.QUnion || op == logic.QInter {
			if w, ok := e.list(v); ok {
				vs[i] = w
			}
		}
	}
	return vs
}

// mapPairs returns the set of f(x, y) for the pairs of listed relation r.
func (e *Evaluator) mapPairs(r Value, f func(x, y Value) Value) Value {
	pairs := e.s.Parts(r)
	out := make([]Value, len(pairs))
	for i, p := range pairs {
		xy := e.s.Parts(p)
		out[i] = f(xy[0], xy[1])
	}
	return e.s.Set(out...)
}

// restrict lists dom ◁ r, if every image can be listed.
func (e *Evaluator) restrict(dom, r Value) (Value, bool) {
	var out []Value
	for _, x := range e.s.Parts(dom) {
		ys, ok := e.images(r, x)
		if !ok {
			return 0, false
		}
		for _, y := range ys {
			z, ok := e.concrete(y)
			if !ok {
				return 0, false
			}
			out = append(out, e.s.Pair(x, z))
		}
	}
	return e.s.Set(out...), true
}

func (e *Evaluator) compose(vs []Value) (Value, bool) {
	v := vs[0]
	for i, w := range vs[1:] {
		if e.s.Kind(v) != Set {
			return e.s.symbolic(logic.FComp, append([]Value{v}, vs[i+1:]...)...), true
		}
		var out []Value
		for _, p := range e.s.Parts(v) {
			xy := e.s.Parts(p)
			zs, ok := e.images(w, xy[1])
			if !ok {
				return 0, false
			}
			for _, z := range zs {
				z, ok := e.concrete(z)
				if !ok {
					return 0, false
				}
				out = append(out, e.s.Pair(xy[0], z))
			}
			e.steps -= len(zs)
		}
		v = e.s.Set(out...)
	}
	return v, true
}

func (e *Evaluator) override(vs []Value) (Value, bool) {
	v := vs[0]
	for i, w := range vs[1:] {
		if e.s.Kind(v) != Set || e.s.Kind(w) != Set {
			return e.s.symbolic(logic.Ovr, append([]Value{v}, vs[i+1:]...)...), true
		}
		var out []Value
		for _, p := range e.s.Parts(v) {
			if len(e.s.image(w, e.s.Parts(p)[0])) == 0 {
				out = append(out, p)
			}
		}
		v = e.s.Set(append(out, e.s.Parts(w)...)...)
	}
	return v, true
}

func (e *Evaluator) pairwise(op logic.Op, p, q Value) (Value, bool) {
	s := e.s
	if len(s.Parts(p))*len(s.Parts(q)) > 8*maxListed {
		return 0, false
	}
	var out []Value
	for _, x := range s.Parts(p) {
		for _, y := range s.Parts(q) {
			e.steps--
			a, b := s.Parts(x), s.Parts(y)
			switch {
			case op == logic.PProd:
				out = append(out, s.Pair(s.Pair(a[0], b[0]), s.Pair(a[1], b[1])))
			case a[0] == b[0]:
				out = append(out, s.Pair(a[0], s.Pair(a[1], b[1])))
			}
		}
	}
	return s.Set(out...), true
}

// images returns all y with x ↦ y ∈ r, and false if they cannot be listed.
func (e *Evaluator) images(r, x Value) ([]Value, bool) {
	if !e.spend() {
		return nil, false
	}
	if e.s.Kind(r) == Set {
		y, ok := e.concrete(x)
		if !ok {
			return nil, false
		}
		return e.s.image(r, y), true
	}
	op, args := e.symbol(r)
	switch op {
	case logic.Compr:
		return e.imagesOfComprehension(r, x)
	case logic.Id:
		return []Value{x}, true
	case logic.Prj1:
		return e.s.Parts(x)[:1], true
	case logic.Prj2:
		return e.s.Parts(x)[1:], true
	case logic.Succ, logic.Pred:
		sum := logic.Plus
		if op == logic.Pred {
			sum = logic.Minus
		}
		y, ok := e.arithmetic(sum, []Value{x, e.s.Int64(1)})
		return []Value{y}, ok
	case logic.CProd:
		switch e.contains(args[0], x, 0) {
		case False:
			return nil, true
		case True:
			v, ok := e.list(args[1])
			return e.s.Parts(v), ok
		}
	case logic.SetExt:
		var out []Value
		for _, p := range args {
			xy := e.s.Parts(p)
			switch e.equal(xy[0], x, 0) {
			case True:
				out = append(out, xy[1])
			case Unknown:
				return nil, false
			}
		}
		return out, true
	case logic.Union:
		var out []Value
		for _, a := range args {
			ys, ok := e.images(a, x)
			if !ok {
				return nil, false
			}
			out = append(out, ys...)
		}
		return e.distinct(out), true
	case logic.Ovr:
		for _, a := range slices.Backward(args) {
			if ys, ok := e.images(a, x); !ok || len(ys) > 0 {
				return ys, ok
			}
		}
		return nil, true
	case logic.Inter, logic.Diff:
		ys, ok := e.images(args[0], x)
		if !ok {
			return nil, false
		}
		return e.only(ys, func(y Value) Truth {
			return all(len(args)-1, func(i int) Truth {
				res := e.contains(args[i+1], e.s.Pair(x, y), 0)
				if op == logic.Diff {
					return -res
				}
				return res
			})
		})
	case logic.DomRes, logic.DomSub:
		res := e.contains(args[0], x, 0)
		if op == logic.DomSub {
			res = -res
		}
		switch res {
		case True:
			return e.images(args[1], x)
		case False:
			return nil, true
		}
	case logic.RanRes, logic.RanSub:
		ys, ok := e.images(args[0], x)
		if !ok {
			return nil, false
		}
		return e.only(ys, func(y Value) Truth {
			res := e.contains(args[1], y, 0)
			if op == logic.RanSub {
				return -res
			}
			return res
		})
	case logic.FComp:
		xs := []Value{x}
		for _, a := range args {
			var next []Value
			for _, x := range xs {
				ys, ok := e.images(a, x)
				if !ok {
					return nil, false
				}
				next = append(next, ys...)
			}
			xs = e.distinct(next)
		}
		return xs, true
	case logic.DProd, logic.PProd:
		x1, x2 := x, x
		if op == logic.PProd {
			x1, x2 = e.s.Parts(x)[0], e.s.Parts(x)[1]
		}
		ys, ok1 := e.images(args[0], x1)
		zs, ok2 := e.images(args[1], x2)
		if !ok1 || !ok2 {
			return nil, false
		}
		var out []Value
		for _, y := range ys {
			for _, z := range zs {
				out = append(out, e.s.Pair(y, z))
			}
		}
		return out, true
	}
	return nil, false
}

func (e *Evaluator) distinct(vs []Value) []Value {
	vs = slices.Clone(vs)
	slices.Sort(vs)
	return slices.Compact(vs)
}

func (e *Evaluator) only(vs []Value, p func(Value) Truth) ([]Value, bool) {
	var out []Value
	for _, v := range vs {
		switch p(v) {
		case True:
			out = append(out, v)
		case Unknown:
			return nil, false
		}
	}
	return out, true
}

// applyFunction returns f(x), and false unless f is certainly a function with x
// in its domain.
func (e *Evaluator) applyFunction(f, x Value) (Value, bool) {
	if e.functional(f) != True {
		return 0, false
	}
	ys, ok := e.images(f, x)
	if !ok || len(ys) != 1 {
		return 0, false
	}
	return ys[0], true
}

// functional decides whether r relates nothing to two values.
func (e *Evaluator) functional(r Value) Truth {
	if e.s.Kind(r) == Set {
		pairs := e.s.Parts(r)
		if len(pairs) == 0 {
			return True
		}
		e.s.image(r, pairs[0])
		return truth(len(e.s.images[r]) == len(pairs))
	}
	op, args := e.symbol(r)
	each := func(i int) Truth { return max(Unknown, e.functional(args[i])) }
	switch op {
	case logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return True
	case logic.Ovr, logic.FComp, logic.DProd, logic.PProd:
		return all(len(args), each)
	case logic.Inter:
		if some(len(args), each) == True {
			return True
		}
	case logic.Diff, logic.RanRes, logic.RanSub:
		if each(0) == True {
			return True
		}
	case logic.DomRes, logic.DomSub:
		if each(1) == True {
			return True
		}
	case logic.CProd:
		if v, ok := e.list(args[1]); ok && len(e.s.Parts(v)) <= 1 {
			return True
		}
	case logic.Compr:
		if e.isLambda(r) {
			return True
		}
	}
	if v, ok := e.list(r); ok {
		return e.functional(v)
	}
	return Unknown
}

// arrow describes the relations of an arrow.
type arrow struct{ functional, total, injective, surjective bool }

func arrowOf(op logic.Op) arrow {
	switch op {
	case logic.TRel:
		return arrow{total: true}
	case logic.SRel:
		return arrow{surjective: true}
	case logic.STRel:
		return arrow{total: true, surjective: true}
	case logic.PFun:
		return arrow{functional: true}
	case logic.TFun:
		return arrow{functional: true, total: true}
	case logic.PInj:
		return arrow{functional: true, injective: true}
	case logic.TInj:
		return arrow{functional: true, total: true, injective: true}
	case logic.PSur:
		return arrow{functional: true, surjective: true}
	case logic.TSur:
		return arrow{functional: true, total: true, surjective: true}
	case logic.TBij:
		return arrow{functional: true, total: true, injective: true, surjective: true}
	}
	return arrow{}
}

// isArrow decides r ∈ a op b, where r has type typ (0 if that is not known).
func (e *Evaluator) isArrow(op logic.Op, a, b, r Value, typ logic.Type) Truth {
	if v, ok := e.list(r); ok {
		r = v
	}
	aType, bType := logic.NoType, logic.NoType
	if typ != logic.NoType {
		dom, ran := e.b.RelPair(typ)
		aType, bType = e.b.PowType(dom), e.b.PowType(ran)
	}
	part := func(op logic.Op, arg Value) (Value, bool) { return e.setOp(op, []Value{arg}) }
	k := arrowOf(op)
	dom, ok1 := part(logic.Dom, r)
	ran, ok2 := part(logic.Ran, r)
	if !ok1 || !ok2 {
		return Unknown
	}
	var checks []func() Truth
	add := func(on bool, check func() Truth) {
		if on {
			checks = append(checks, check)
		}
	}
	add(k.functional, func() Truth { return e.functional(r) })
	if e.s.Kind(r) == Set {
		add(true, func() Truth { return e.subset(dom, a, aType) })
		add(true, func() Truth { return e.subset(ran, b, bType) })
	} else {
		prod, _ := e.setOp(logic.CProd, []Value{a, b})
		add(true, func() Truth { return e.subset(r, prod, typ) })
	}
	add(k.total, func() Truth { return e.subset(a, dom, aType) })
	add(k.surjective, func() Truth { return e.subset(b, ran, bType) })
	add(k.injective, func() Truth {
		inv, ok := part(logic.Converse, r)
		if !ok {
			return Unknown
		}
		return e.functional(inv)
	})
	return all(len(checks), func(i int) Truth { return checks[i]() })
}

// arrows lists the relations of a op b, if they are not too many.
func (e *Evaluator) arrows(op logic.Op, a, b Value) (Value, bool) {
	xs, ys := e.s.Parts(a), e.s.Parts(b)
	k := arrowOf(op)
	width := len(ys) + 1 // choices for each element of a
	if !k.functional {
		width = 1 << min(len(ys), 20)
	}
	count := 1
	for range xs {
		if count *= max(width, 1); count > maxListed {
			return 0, false
		}
	}
	e.steps -= count
	var out, pairs []Value
	var grow func(i int)
	grow = func(i int) {
		if i == len(xs) {
			r := e.s.Set(slices.Clone(pairs)...)
			if e.isArrow(op, a, b, r, 0) == True {
				out = append(out, r)
			}
			return
		}
		n := len(pairs)
		choose := func(chosen func(j int) bool) {
			for j, y := range ys {
				if chosen(j) {
					pairs = append(pairs, e.s.Pair(xs[i], y))
				}
			}
			grow(i + 1)
			pairs = pairs[:n]
		}
		for c := range width {
			if k.functional {
				choose(func(j int) bool { return j+1 == c })
			} else {
				choose(func(j int) bool { return c>>j&1 == 1 })
			}
		}
	}
	grow(0)
	return e.s.Set(out...), true
}
