package eval

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// list returns set v with its members listed, and false if that is impossible.
func (e *Evaluator) list(v Value) (Value, bool) {
	if e.s.Kind(v) == Set {
		return v, true
	}
	if w, ok := e.listed[v]; ok {
		return w, w != 0
	}
	w, ok := e.enumerate(v)
	if !ok {
		w = 0
	}
	if e.steps >= 0 {
		e.listed[v] = w
	}
	return w, ok
}

// concrete returns v with all sets in it listed, and false if that is impossible.
func (e *Evaluator) concrete(v Value) (Value, bool) {
	switch {
	case e.s.nodes[v].exact:
		return v, true
	case e.s.Kind(v) != Pair: // listed sets are exact: see Space.Set
		return e.list(v)
	}
	p := e.s.Parts(v)
	x, ok1 := e.concrete(p[0])
	y, ok2 := e.concrete(p[1])
	if !ok1 || !ok2 {
		return 0, false
	}
	return e.s.Pair(x, y), true
}

// bounds returns the bounds of a symbolic interval.
func (e *Evaluator) bounds(v Value) (lo, hi Value, ok bool) {
	if n := &e.s.nodes[v]; n.kind != Symbolic || n.op != logic.UpTo {
		return 0, 0, false
	}
	p := e.s.Parts(v)
	return p[0], p[1], true
}

// symbol returns operator and operands of a symbolic set, and Invalid otherwise.
func (e *Evaluator) symbol(v Value) (logic.Op, []Value) {
	if n := &e.s.nodes[v]; n.kind == Symbolic {
		return n.op, e.s.Parts(v)
	}
	return logic.Invalid, nil
}

// filter returns the members of listed set v that satisfy p, and false if p is
// unknown of one.
func (e *Evaluator) filter(v Value, p func(Value) Truth) (Value, bool) {
	var out []Value
	for _, x := range e.s.Parts(v) {
		switch p(x) {
		case True:
			out = append(out, x)
		case Unknown:
			return 0, false
		}
	}
	return e.s.sorted(out), true
}

func (e *Evaluator) union(sets []Value) Value {
	var out []Value
	for _, v := range sets {
		if e.s.Kind(v) != Set {
			return e.s.symbolic(logic.Union, sets...)
		}
		out = append(out, e.s.Parts(v)...)
	}
	return e.s.Set(out...)
}

// inter is the intersection of sets: a listed one decides which elements there can be.
func (e *Evaluator) inter(sets []Value) (Value, bool) {
	for i, v := range sets {
		if e.s.Kind(v) == Set {
			others := slices.Delete(slices.Clone(sets), i, i+1)
			return e.filter(v, func(x Value) Truth {
				return all(len(others), func(j int) Truth { return e.contains(others[j], x, 0) })
			})
		}
	}
	var lo, hi, origin Value
	for _, v := range sets {
		left, h, ok := e.bounds(v)
		if !ok {
			return e.s.symbolic(logic.Inter, sets...), true
		}
		if lo == 0 || left != 0 && e.s.Compare(left, lo) > 0 {
			lo = left
		}
		if hi == 0 || h != 0 && e.s.Compare(h, hi) < 0 {
			hi = h
		}
		origin = e.s.Parts(v)[2]
	}
	return e.s.Interval(lo, hi, origin), true
}

// contains decides x ∈ v, where x has type typ (0 if that is not known).
func (e *Evaluator) contains(v, x Value, typ logic.Type) Truth {
	if !e.spend() {
		return Unknown
	}
	if e.s.Kind(v) == Set {
		if y, ok := e.concrete(x); ok {
			return truth(e.s.has(v, y))
		}
		members := e.s.Parts(v)
		return some(len(members), func(i int) Truth { return e.equal(members[i], x, typ) })
	}
	// A symbolic set is asked by its meaning, not by its members, of which there may be no end.
	op, args := e.symbol(v)
	if want, arrow := op.Arrow(); arrow {
		return e.isArrow(want, args[0], args[1], x, typ)
	}
	elem := logic.NoType // of the sets in args, for sets of sets
	if typ != logic.NoType {
		elem = e.b.Elem(typ)
	}
	switch op {
	case logic.UpTo:
		return truth((args[0] == 0 || e.s.Compare(args[0], x) <= 0) && (args[1] == 0 || e.s.Compare(x, args[1]) <= 0))
	case logic.SetExt:
		return some(len(args), func(i int) Truth { return e.equal(args[i], x, typ) })
	case logic.Union:
		return some(len(args), func(i int) Truth { return e.contains(args[i], x, typ) })
	case logic.Inter:
		return all(len(args), func(i int) Truth { return e.contains(args[i], x, typ) })
	case logic.Diff:
		return min(e.contains(args[0], x, typ), -e.contains(args[1], x, typ))
	case logic.CProd:
		// The second factor may cost much, or be undecided, where the first one has decided.
		left, right := e.pairTypes(typ)
		p := e.s.Parts(x)
		if res := e.contains(args[0], p[0], left); res == False {
			return res
		} else {
			return min(res, e.contains(args[1], p[1], right))
		}
	case logic.Pow:
		return e.subset(x, args[0], typ)
	case logic.Pow1:
		return min(e.subset(x, args[0], typ), -e.equal(x, e.s.Set(), typ))
	case logic.Compr, logic.QUnion, logic.QInter:
		return e.inComprehension(v, x, typ)
	case logic.Converse:
		p := e.s.Parts(x)
		return e.contains(args[0], e.s.Pair(p[1], p[0]), 0)
	case logic.Dom:
		imgs, ok := e.images(args[0], x)
		if !ok {
			return Unknown
		}
		return truth(len(imgs) > 0)
	default: // a relation
		// The images of the first component are fewer, and easier to list, than the pairs.
		if elem != logic.NoType || e.s.Kind(x) != Pair {
			return Unknown
		}
		p := e.s.Parts(x)
		imgs, ok := e.images(v, p[0])
		if !ok {
			return Unknown
		}
		_, right := e.pairTypes(typ)
		return some(len(imgs), func(i int) Truth { return e.equal(imgs[i], p[1], right) })
	}
}

func (e *Evaluator) pairTypes(t logic.Type) (l, r logic.Type) {
	if t == logic.NoType {
		return 0, 0
	}
	return e.b.Pair(t)
}

// equal decides v = w for values of type typ (0 if that is not known).
func (e *Evaluator) equal(v, w Value, typ logic.Type) Truth {
	switch {
	case v == w:
		return True
	// Exact values are interned: two of them that differ are different.
	case e.s.nodes[v].exact && e.s.nodes[w].exact:
		return False
	case !e.spend():
		return Unknown
	case e.s.Kind(v) == Pair:
		p, q := e.s.Parts(v), e.s.Parts(w)
		left, right := e.pairTypes(typ)
		if res := e.equal(p[0], q[0], left); res == False {
			return False
		} else {
			return min(res, e.equal(p[1], q[1], right))
		}
	}
	x, ok1 := e.list(v)
	y, ok2 := e.list(w)
	if ok1 && ok2 {
		return truth(x == y)
	}
	res := e.subset(v, w, typ)
	if res == False {
		return False
	}
	return min(res, e.subset(w, v, typ))
}

// subset decides v ⊆ w for sets of type typ (0 if that is not known).
func (e *Evaluator) subset(v, w Value, typ logic.Type) Truth {
	if v == w {
		return True
	}
	if !e.spend() {
		return Unknown
	}
	elem := logic.NoType
	if typ != logic.NoType {
		elem = e.b.Elem(typ)
	}
	if e.isUniverse(w, elem) {
		return True
	}
	// Listed sets are decided member by member; all below is for sets that cannot be listed.
	if x, ok := e.list(v); ok {
		members := e.s.Parts(x)
		return all(len(members), func(i int) Truth { return e.contains(w, members[i], elem) })
	}
	op, args := e.symbol(v)
	op2, args2 := e.symbol(w)
	switch {
	case op == logic.UpTo && op2 == logic.UpTo:
		return truth((args2[0] == 0 || args[0] != 0 && e.s.Compare(args2[0], args[0]) <= 0) &&
			(args2[1] == 0 || args[1] != 0 && e.s.Compare(args[1], args2[1]) <= 0))
	case op == logic.SetExt:
		return all(len(args), func(i int) Truth { return e.contains(w, args[i], elem) })
	case op == logic.Union:
		return all(len(args), func(i int) Truth { return e.subset(args[i], w, typ) })
	case op2 == logic.Inter:
		return all(len(args2), func(i int) Truth { return e.subset(v, args2[i], typ) })
	case op == logic.Pow && op2 == logic.Pow:
		return e.subset(args[0], args2[0], elem)
	}
	// An infinite set is not a subset of a finite one.
	if e.finite(v, typ) == False && e.finite(w, typ) == True {
		return False
	}
	// A sample that is outside decides; samples inside prove nothing.
	for _, x := range e.sample(v, elem) {
		if e.contains(w, x, elem) == False {
			return False
		}
	}
	if op == logic.CProd && op2 == logic.CProd {
		left, right := logic.NoType, logic.NoType
		if elem != logic.NoType {
			a, b := e.b.Pair(elem)
			left, right = e.b.PowType(a), e.b.PowType(b)
		}
		// If one factor is empty, the product is a subset of any set: False is not certain.
		return max(Unknown, min(e.subset(args[0], args2[0], left), e.subset(args[1], args2[1], right)))
	}
	if op2 == logic.Union && some(len(args2), func(i int) Truth { return e.subset(v, args2[i], typ) }) == True {
		return True
	}
	switch op {
	case logic.Inter:
		if some(len(args), func(i int) Truth { return e.subset(args[i], w, typ) }) == True {
			return True
		}
	case logic.Ovr:
		// A pair that is outside may be overridden.
		return max(Unknown, all(len(args), func(i int) Truth { return e.subset(args[i], w, typ) }))
	case logic.Diff, logic.RanRes, logic.RanSub:
		return max(Unknown, e.subset(args[0], w, typ))
	case logic.DomRes, logic.DomSub:
		if op == logic.DomRes && op2 == logic.CProd && e.isIdentity(args[1]) {
			return min(e.subset(args[0], args2[0], 0), e.subset(args[0], args2[1], 0))
		}
		return max(Unknown, e.subset(args[1], w, typ))
	}
	return Unknown
}

// isUniverse reports whether v certainly is the set of all values of type t.
func (e *Evaluator) isUniverse(value Value, typ logic.Type) bool {
	if typ == logic.NoType {
		return false
	}
	op, args := e.symbol(value)
	switch e.b.TypeKind(typ) {
	case logic.KindGiven:
		if op == logic.UpTo {
			return args[0] == 0 && args[1] == 0
		}
	case logic.KindInt:
		return op == logic.UpTo && args[0] == 0 && args[1] == 0
	case logic.KindPow:
		switch op {
		case logic.Pow:
			return e.isUniverse(args[0], e.b.Elem(typ))
		case logic.Rel:
			left, right := e.b.RelPair(typ)
			return e.isUniverse(args[0], left) && e.isUniverse(args[1], right)
		}
	case logic.KindProd:
		if op == logic.CProd {
			left, right := e.b.Pair(typ)
			return e.isUniverse(args[0], left) && e.isUniverse(args[1], right)
		}
	}
	// A finite type is also given by listing all its values.
	n, ok := e.m.cardinality(e.b, typ, maxListed)
	return ok && e.s.Kind(value) == Set && len(e.s.Parts(value)) == n
}

// finite decides finite(v) of a set of type typ (0 if that is not known), by its form as far as possible: a subset of a finite
// set is finite, while a subset of an infinite one may be either, which is max(Unknown, …).
func (e *Evaluator) finite(value Value, typ logic.Type) Truth {
	if typ != logic.NoType && e.m.isFinite(e.b, typ) {
		return True
	}
	op, args := e.symbol(value)
	each := func(i int) Truth { return e.finite(args[i], 0) }
	if want, arrow := op.Arrow(); arrow && op != logic.Rel {
		// Partial functions and injections are finitely many where relations are; of what
		// must cover a set there may be finitely many others, or none.
		res := e.finite(e.s.symbolic(logic.Rel, args[0], args[1]), 0)
		if want.Total || want.Surjective {
			return max(Unknown, res)
		}
		return res
	}
	switch op {
	case logic.Id, logic.Prj1, logic.Prj2:
		if typ == logic.NoType {
			return Unknown
		}
		return False // for its type is infinite
	case logic.Compr:
		if _, ok := e.list(value); !ok && e.unbounded(value) {
			return False
		}
	case logic.Invalid:
		return True
	case logic.UpTo:
		return truth(args[0] != 0 && args[1] != 0)
	case logic.SetExt:
		return True
	case logic.Union:
		return all(len(args), each)
	case logic.Inter:
		return max(Unknown, some(len(args), each))
	case logic.Diff:
		if e.finite(args[1], 0) == True {
			return e.finite(args[0], 0)
		}
		return max(Unknown, e.finite(args[0], 0))
	case logic.CProd, logic.Rel:
		if e.isEmpty(args[0]) == True || e.isEmpty(args[1]) == True {
			return True
		}
		res := all(2, each)
		if res == False && (e.isEmpty(args[0]) != False || e.isEmpty(args[1]) != False) {
			return Unknown
		}
		return res
	case logic.Pow, logic.Pow1:
		return e.finite(args[0], 0)
	case logic.Succ, logic.Pred:
		return False
	case logic.Converse, logic.Dom, logic.Ran, logic.RanRes, logic.RanSub:
		return max(Unknown, e.finite(args[0], 0))
	case logic.DomRes, logic.DomSub, logic.Image:
		i := 1
		if op == logic.Image {
			i = 0
		}
		return max(Unknown, e.finite(args[i], 0))
	case logic.Ovr:
		return max(Unknown, all(len(args), each))
	}
	_, ok := e.list(value)
	return max(Unknown, truth(ok))
}

func (e *Evaluator) isEmpty(v Value) Truth {
	if x, ok := e.list(v); ok {
		return truth(len(e.s.Parts(x)) == 0)
	}
	if op, _ := e.symbol(v); op == logic.SetExt || len(e.sample(v, 0)) > 0 {
		return False
	}
	return Unknown
}

// sample returns some members of v, perhaps none. They have type typ (0 if that
// is not known).
func (e *Evaluator) sample(v Value, typ logic.Type) []Value {
	if x, ok := e.list(v); ok {
		p := e.s.Parts(x)
		return p[:min(len(p), 4)]
	}
	// Members are samples only if they are certain: a set that is not a subset is shown by one.
	op, args := e.symbol(v)
	switch op {
	case logic.UpTo:
		var out []Value
		for _, x := range append(e.around(args[2]), args[0], args[1]) {
			if x != 0 && e.contains(v, x, 0) == True {
				out = append(out, x)
			}
		}
		return out
	case logic.Id:
		var out []Value
		if typ != logic.NoType {
			dom, _ := e.b.Pair(typ)
			for _, x := range e.sampleType(dom) {
				out = append(out, e.s.Pair(x, x))
			}
		}
		return out[:min(len(out), 8)]
	case logic.CProd:
		var out []Value
		for _, x := range e.sample(args[0], 0) {
			for _, y := range e.sample(args[1], 0) {
				out = append(out, e.s.Pair(x, y))
			}
			if len(out) > 8 {
				break
			}
		}
		return out
	// Of sets of sets, ∅ and singletons are enough: they tell most of such sets apart.
	case logic.Pow:
		out := []Value{e.s.Set()}
		for _, x := range e.sample(args[0], 0) {
			if y, ok := e.concrete(x); ok {
				out = append(out, e.s.Set(y))
			}
		}
		return out
	case logic.Rel, logic.PFun, logic.PInj:
		out := []Value{e.s.Set()}
		for _, x := range e.sample(e.s.symbolic(logic.CProd, args[0], args[1]), 0) {
			if y, ok := e.concrete(x); ok {
				out = append(out, e.s.Set(y))
			}
		}
		return out
	case logic.Union:
		var out []Value
		for _, a := range args {
			out = append(out, e.sample(a, 0)...)
		}
		return out
	case logic.Diff, logic.Inter:
		var out []Value
		for _, x := range e.sample(args[0], 0) {
			if e.contains(v, x, 0) == True {
				out = append(out, x)
			}
		}
		return out
	case logic.Compr:
		return e.sampleComprehension(v)
	}
	return nil
}

// enumerate lists the members of a symbolic set.
func (e *Evaluator) enumerate(v Value) (Value, bool) {
	op, args := e.symbol(v)
	switch op {
	case logic.UpTo:
		return 0, false // small intervals are listed from the start
	case logic.Compr, logic.QUnion, logic.QInter:
		return e.enumerateComprehension(v)
	case logic.Inter, logic.Diff:
		for i, a := range args {
			if x, ok := e.list(a); ok {
				return e.filter(x, func(y Value) Truth { return e.contains(v, y, 0) })
			} else if op == logic.Diff && i == 0 {
				break
			}
		}
		return 0, false
	case logic.Id, logic.Prj1, logic.Prj2, logic.Pred, logic.Succ:
		return 0, false
	}
	lists := make([]Value, len(args))
	for i, a := range args {
		if e.s.Kind(a) != Symbolic {
			lists[i] = a
			continue
		}
		x, ok := e.list(a)
		if !ok {
			return 0, false
		}
		lists[i] = x
	}
	switch op {
	case logic.SetExt:
		for i, a := range lists {
			x, ok := e.concrete(a)
			if !ok {
				return 0, false
			}
			lists[i] = x
		}
		return e.s.Set(lists...), true
	case logic.CProd:
		return e.product(lists[0], lists[1])
	case logic.Pow, logic.Pow1:
		elems := e.s.Parts(lists[0])
		if 1<<min(len(elems), 30) > maxListed {
			return 0, false
		}
		sets := e.s.subsets(elems)
		if op == logic.Pow1 {
			sets = sets[1:]
		}
		e.steps -= len(sets)
		return e.s.Set(sets...), true
	}
	if want, arrow := op.Arrow(); arrow {
		return e.arrows(want, lists[0], lists[1])
	}
	x, ok := e.setOp(op, lists)
	if !ok || e.s.Kind(x) != Set {
		return 0, false
	}
	return x, true
}

func (e *Evaluator) product(v, w Value) (Value, bool) {
	xs, ys := e.s.Parts(v), e.s.Parts(w)
	if len(xs)*len(ys) > maxListed {
		return 0, false
	}
	e.steps -= len(xs) * len(ys)
	out := make([]Value, 0, len(xs)*len(ys))
	for _, x := range xs {
		for _, y := range ys {
			out = append(out, e.s.Pair(x, y))
		}
	}
	return e.s.Set(out...), true
}

func (e *Evaluator) distinct(vs []Value) []Value {
	vs = slices.Clone(vs)
	slices.Sort(vs)
	return slices.Compact(vs)
}
