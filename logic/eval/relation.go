package eval

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// setOp applies an operator on sets, listing the result where that is cheap. What
// nothing below knows stays symbolic, other operators too: nothing is decided of it.
func (e *Evaluator) setOp(op logic.Op, vs []Value) (Value, bool) {
	// A comprehension that can be listed is worth listing: everything below is cheap then.
	vs = e.listBinders(vs)
	var value Value
	var ok, done bool
	switch op {
	case logic.Union:
		return e.union(vs), true
	case logic.Inter:
		return e.inter(vs)
	case logic.FComp:
		return e.compose(vs)
	case logic.BComp:
		slices.Reverse(vs)
		return e.compose(vs)
	case logic.Ovr:
		return e.override(vs)
	case logic.Diff:
		value, ok, done = e.difference(vs[0], vs[1])
	case logic.CProd:
		value, done = e.cartesian(vs[0], vs[1])
		ok = done
	case logic.Dom:
		value, done = e.side(vs[0], 0)
		ok = done
	case logic.Ran:
		value, done = e.side(vs[0], 1)
		ok = done
	case logic.Converse:
		value, done = e.converse(vs[0])
		ok = done
	case logic.DomRes, logic.DomSub:
		value, ok, done = e.ofDomain(vs[0], vs[1], op == logic.DomSub)
	case logic.RanRes, logic.RanSub:
		value, ok, done = e.ofRange(vs[0], vs[1], op == logic.RanSub)
	case logic.Image:
		value, ok, done = e.image(vs[0], vs[1])
	case logic.DProd, logic.PProd:
		if e.isListed(vs[0]) && e.isListed(vs[1]) {
			return e.pairwise(op, vs[0], vs[1])
		}
	}
	// Symbolic sets are decided later, where a member or an image is asked for.
	if !done {
		return e.s.symbolic(op, vs...), true
	}
	return value, ok
}

func (e *Evaluator) isListed(v Value) bool { return e.s.Kind(v) == Set }

// The operators below answer done if the result is known, or known not to be (ok is
// false); otherwise it stays symbolic.

func (e *Evaluator) difference(v, w Value) (res Value, ok, done bool) {
	if !e.isListed(v) {
		return 0, false, false
	}
	res, ok = e.filter(v, func(x Value) Truth { return -e.contains(w, x, 0) })
	return res, ok, true
}

func (e *Evaluator) cartesian(v, w Value) (res Value, done bool) {
	// ∅ first: the other set may be infinite.
	for _, x := range []Value{v, w} {
		if e.isListed(x) && len(e.s.Parts(x)) == 0 {
			return x, true
		}
	}
	if !e.isListed(v) || !e.isListed(w) {
		return 0, false
	}
	return e.product(v, w)
}

// side returns the domain (0) or range (1) of r.
func (e *Evaluator) side(right Value, i int) (res Value, done bool) {
	if e.isListed(right) {
		return e.mapPairs(right, func(x, y Value) Value { return [2]Value{x, y}[i] }), true
	}
	switch op, args := e.symbol(right); op {
	case logic.Pred, logic.Succ:
		return e.interval(0, 0), true
	case logic.CProd:
		switch e.isEmpty(args[1-i]) {
		case True:
			return e.s.Set(), true
		case False:
			return args[i], true
		}
	case logic.DomRes:
		if e.isIdentity(args[1]) {
			return args[0], true
		}
	case logic.Ovr:
		// What is overridden keeps its place: only values change.
		if i == 0 {
			return e.domains(args)
		}
	}
	return 0, false
}

// domains returns the union of the domains of rs; the first one alone if it has all of the others.
func (e *Evaluator) domains(rs []Value) (res Value, done bool) {
	doms := make([]Value, len(rs))
	for i, r := range rs {
		dom, ok := e.setOp(logic.Dom, []Value{r})
		if !ok {
			return 0, false
		}
		doms[i] = dom
	}
	if all(len(doms)-1, func(i int) Truth { return e.subset(doms[i+1], doms[0], 0) }) == True {
		return doms[0], true
	}
	return e.union(doms), true
}

// converse is the converse of a relation; done is false if its form has none here.
func (e *Evaluator) converse(right Value) (res Value, done bool) {
	if e.isListed(right) {
		return e.mapPairs(right, func(x, y Value) Value { return e.s.Pair(y, x) }), true
	}
	switch op, args := e.symbol(right); op {
	case logic.Id:
		return right, true
	case logic.Succ:
		return e.s.symbolic(logic.Pred), true
	case logic.Pred:
		return e.s.symbolic(logic.Succ), true
	case logic.CProd:
		return e.s.symbolic(logic.CProd, args[1], args[0]), true
	case logic.Converse:
		return args[0], true
	case logic.DomRes:
		if e.isIdentity(args[1]) {
			return right, true
		}
	}
	return 0, false
}

// isIdentity reports whether r is id of an infinite type.
func (e *Evaluator) isIdentity(r Value) bool {
	op, _ := e.symbol(r)
	return op == logic.Id
}

// ofDomain returns the pairs of r with left sides in dom, or outside of it.
func (e *Evaluator) ofDomain(dom, right Value, outside bool) (res Value, ok, done bool) {
	if e.isListed(right) {
		res, ok = e.filter(right, func(value Value) Truth { return e.contains(dom, e.s.Parts(value)[0], 0).unless(outside) })
		return res, ok, true
	}
	if !outside && e.isListed(dom) {
		if res, ok = e.restrict(dom, right); ok {
			return res, true, true
		}
	}
	return 0, false, false
}

// ofRange returns the pairs of r with right sides in ran, or outside of it.
func (e *Evaluator) ofRange(r, ran Value, outside bool) (res Value, ok, done bool) {
	if !e.isListed(r) {
		return 0, false, false
	}
	res, ok = e.filter(r, func(p Value) Truth { return e.contains(ran, e.s.Parts(p)[1], 0).unless(outside) })
	return res, ok, true
}

// image returns r[set].
func (e *Evaluator) image(right, set Value) (res Value, ok, done bool) {
	if e.isListed(right) {
		if res, ok, _ = e.ofDomain(set, right, false); ok {
			res, _ = e.side(res, 1)
		}
		return res, ok, true
	}
	if e.isListed(set) {
		if res, ok = e.restrict(set, right); ok {
			res, _ = e.side(res, 1)
			return res, true, true
		}
	}
	if op, args := e.symbol(right); op == logic.CProd {
		if common, ok := e.inter([]Value{args[0], set}); ok {
			switch e.isEmpty(common) {
			case True:
				return e.s.Set(), true, true
			case False:
				return args[1], true, true
			}
		}
	}
	return 0, false, false
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
func (e *Evaluator) restrict(dom, right Value) (Value, bool) {
	var out []Value
	for _, x := range e.s.Parts(dom) {
		ys, ok := e.images(right, x)
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

// compose is the forward composition of relations.
func (e *Evaluator) compose(vs []Value) (Value, bool) {
	v := vs[0]
	for i, w := range vs[1:] {
		// What is infinite on the left is left unchanged; a later question may need only a few of
		// its images.
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

// override is the overriding of relations from left to right.
func (e *Evaluator) override(vs []Value) (Value, bool) {
	// ∅ changes nothing.
	vs = slices.DeleteFunc(slices.Clone(vs), func(v Value) bool { return e.isListed(v) && len(e.s.Parts(v)) == 0 })
	if len(vs) == 0 {
		return e.s.Set(), true
	}
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

// pairwise is the direct or parallel product of two listed relations.
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
func (e *Evaluator) images(right, x Value) ([]Value, bool) {
	if !e.spend() {
		return nil, false
	}
	if e.isListed(right) {
		y, ok := e.concrete(x)
		if !ok {
			return nil, false
		}
		return e.s.image(right, y), true
	}
	// A symbolic relation answers from those of its operands. Where one of them does not know,
	// neither does the whole: a list with holes would make a definite answer wrong.
	op, args := e.symbol(right)
	switch op {
	case logic.Compr:
		return e.imagesOfComprehension(right, x)
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
		return e.imagesOfPairs(args, x)
	case logic.Union:
		return e.imagesOfAll(args, x)
	case logic.Ovr:
		// The last relation with an image for x overrides the others.
		for _, a := range slices.Backward(args) {
			if ys, ok := e.images(a, x); !ok || len(ys) > 0 {
				return ys, ok
			}
		}
		return nil, true
	case logic.Inter, logic.Diff:
		return e.imagesWhere(args[0], x, func(y Value) Truth {
			return all(len(args)-1, func(i int) Truth {
				return e.contains(args[i+1], e.s.Pair(x, y), 0).unless(op == logic.Diff)
			})
		})
	case logic.DomRes, logic.DomSub:
		switch e.contains(args[0], x, 0).unless(op == logic.DomSub) {
		case True:
			return e.images(args[1], x)
		case False:
			return nil, true
		}
	case logic.RanRes, logic.RanSub:
		return e.imagesWhere(args[0], x, func(y Value) Truth { return e.contains(args[1], y, 0).unless(op == logic.RanSub) })
	case logic.FComp:
		return e.imagesAlong(args, x)
	case logic.DProd:
		return e.imagesBeside(args, x, x)
	case logic.PProd:
		xs := e.s.Parts(x)
		return e.imagesBeside(args, xs[0], xs[1])
	}
	return nil, false
}

// imagesOfPairs is images of a set of pairs that may have symbolic parts.
func (e *Evaluator) imagesOfPairs(pairs []Value, x Value) (out []Value, ok bool) {
	for _, p := range pairs {
		xy := e.s.Parts(p)
		switch e.equal(xy[0], x, 0) {
		case True:
			out = append(out, xy[1])
		case Unknown:
			return nil, false
		}
	}
	return out, true
}

// imagesOfAll is images of the union of rs.
func (e *Evaluator) imagesOfAll(rs []Value, x Value) (out []Value, ok bool) {
	for _, r := range rs {
		ys, ok := e.images(r, x)
		if !ok {
			return nil, false
		}
		out = append(out, ys...)
	}
	return e.distinct(out), true
}

// imagesWhere returns those images of x that satisfy p.
func (e *Evaluator) imagesWhere(r, x Value, p func(y Value) Truth) ([]Value, bool) {
	ys, ok := e.images(r, x)
	if !ok {
		return nil, false
	}
	return e.only(ys, p)
}

// imagesAlong is images of the composition of rs, the first applied first.
func (e *Evaluator) imagesAlong(rs []Value, x Value) ([]Value, bool) {
	xs := []Value{x}
	for _, right := range rs {
		var next []Value
		for _, x := range xs {
			ys, ok := e.images(right, x)
			if !ok {
				return nil, false
			}
			next = append(next, ys...)
		}
		xs = e.distinct(next)
	}
	return xs, true
}

// imagesBeside returns the pairs of images of x and y by the two relations rs.
func (e *Evaluator) imagesBeside(rs []Value, x, y Value) (out []Value, ok bool) {
	vs, ok1 := e.images(rs[0], x)
	ws, ok2 := e.images(rs[1], y)
	if !ok1 || !ok2 {
		return nil, false
	}
	for _, v := range vs {
		for _, w := range ws {
			out = append(out, e.s.Pair(v, w))
		}
	}
	return out, true
}

func (e *Evaluator) only(vs []Value, p func(Value) Truth) ([]Value, bool) {
	var out []Value
	for _, value := range vs {
		switch p(value) {
		case True:
			out = append(out, value)
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
func (e *Evaluator) functional(right Value) Truth {
	if e.s.Kind(right) == Set {
		pairs := e.s.Parts(right)
		if len(pairs) == 0 {
			return True
		}
		e.s.image(right, pairs[0])
		return truth(len(e.s.images[right]) == len(pairs))
	}
	// Their form shows that these are functions; only a list can show that one is not.
	op, args := e.symbol(right)
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
		if value, ok := e.list(args[1]); ok && len(e.s.Parts(value)) <= 1 {
			return True
		}
		if op, one := e.symbol(args[1]); op == logic.SetExt && len(one) == 1 {
			return True
		}
	case logic.Compr:
		if e.isLambda(right) {
			return True
		}
	}
	if value, ok := e.list(right); ok {
		return e.functional(value)
	}
	return Unknown
}

// isArrow decides whether r, of type typ (0 if that is not known), is a relation of the
// given kind between a and b.
func (e *Evaluator) isArrow(want logic.Arrow, a, b, right Value, typ logic.Type) Truth {
	if v, ok := e.list(right); ok {
		right = v
	}
	aType, bType := logic.NoType, logic.NoType
	if typ != logic.NoType {
		dom, ran := e.b.RelPair(typ)
		aType, bType = e.b.PowType(dom), e.b.PowType(ran)
	}
	part := func(op logic.Op, arg Value) (Value, bool) { return e.setOp(op, []Value{arg}) }
	dom, ok1 := part(logic.Dom, right)
	ran, ok2 := part(logic.Ran, right)
	if !ok1 || !ok2 {
		return Unknown
	}
	// The cheapest first, as all stops at the first false one.
	var checks []func() Truth
	add := func(on bool, check func() Truth) {
		if on {
			checks = append(checks, check)
		}
	}
	add(want.Functional, func() Truth { return e.functional(right) })
	if e.s.Kind(right) == Set {
		add(true, func() Truth { return e.subset(dom, a, aType) })
		add(true, func() Truth { return e.subset(ran, b, bType) })
	} else {
		prod, _ := e.setOp(logic.CProd, []Value{a, b})
		add(true, func() Truth { return e.subset(right, prod, typ) })
	}
	add(want.Total, func() Truth { return e.subset(a, dom, aType) })
	add(want.Surjective, func() Truth { return e.subset(b, ran, bType) })
	add(want.Injective, func() Truth {
		inv, ok := part(logic.Converse, right)
		if !ok {
			return Unknown
		}
		return e.functional(inv)
	})
	return all(len(checks), func(i int) Truth { return checks[i]() })
}

// arrows lists the relations of a kind between a and b, if they are not too many.
func (e *Evaluator) arrows(want logic.Arrow, a, b Value) (Value, bool) {
	xs, ys := e.s.Parts(a), e.s.Parts(b)
	width := len(ys) + 1 // choices for each element of a
	if !want.Functional {
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
			right := e.s.Set(slices.Clone(pairs)...)
			if e.isArrow(want, a, b, right, 0) == True {
				out = append(out, right)
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
			if want.Functional {
				choose(func(j int) bool { return j+1 == c })
			} else {
				choose(func(j int) bool { return c>>j&1 == 1 })
			}
		}
	}
	grow(0)
	return e.s.Set(out...), true
}
