package explore_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// typ is a type: 'i' integers, 'b' BOOL, 's' the carrier set S, 'x' products, 'P' sets.
type typ struct {
	kind byte
	l, r *typ
}

var (
	intT, boolT, elemT = &typ{kind: 'i'}, &typ{kind: 'b'}, &typ{kind: 's'}
)

func prod(l, r *typ) *typ { return &typ{'x', l, r} }
func power(l *typ) *typ   { return &typ{kind: 'P', l: l} }

func (t *typ) String() string {
	switch t.kind {
	case 'i':
		return "ℤ"
	case 'b':
		return "BOOL"
	case 's':
		return "S"
	case 'x':
		return "(" + t.l.String() + "×" + t.r.String() + ")"
	}
	return "ℙ(" + t.l.String() + ")"
}

// node is a formula. Of a binder, name is the variable and its first argument the
// set that the variable runs through, which comes before all else in the text.
type node struct {
	op   string
	typ  *typ // nil for predicates
	name string
	n    *big.Int
	args []*node
}

func mk(op string, t *typ, args ...*node) *node { return &node{op: op, typ: t, args: args} }

func (n *node) String() string {
	a := make([]string, len(n.args))
	for i, x := range n.args {
		a[i] = x.String()
	}
	// bound is the condition on a bound variable: none, or a set.
	bound := func() string {
		if n.args[0].op == "all" {
			return "⊤"
		}
		return n.name + "∈" + a[0]
	}
	variable := func() string { return n.name + "⦂" + n.args[0].typ.l.String() }
	switch n.op {
	case "var":
		return n.name
	case "lit":
		return "(" + strings.Replace(n.n.String(), "-", "−", 1) + ")"
	case "TRUE", "FALSE", "ℕ", "ℕ1", "ℤ", "⊤", "⊥":
		return n.op
	case "all":
		return n.typ.l.String()
	case "∅":
		return "(∅⦂" + n.typ.String() + ")"
	case "ext":
		return "{" + strings.Join(a, ", ") + "}"
	case "compr":
		return "{" + variable() + "·" + bound() + " ∧ " + a[1] + " ∣ " + a[2] + "}"
	case "λ":
		return "(λ" + variable() + "·" + bound() + " ∧ " + a[1] + " ∣ " + a[2] + ")"
	case "⋃", "⋂":
		return "(" + n.op + variable() + "·" + bound() + " ∧ " + a[1] + " ∣ " + a[2] + ")"
	case "∀":
		return "(∀" + variable() + "·" + bound() + " ⇒ " + a[1] + ")"
	case "∃":
		return "(∃" + variable() + "·" + bound() + " ∧ " + a[1] + ")"
	case "apply":
		return a[0] + "(" + a[1] + ")"
	case "image":
		return a[0] + "[" + a[1] + "]"
	case "neg":
		return "(−" + a[0] + ")"
	case "¬":
		return "¬(" + a[0] + ")"
	case "∼":
		return "(" + a[0] + "∼)"
	case "id":
		return "(" + a[0] + " ◁ id)"
	case "prj":
		return "(" + a[0] + " ◁ " + n.name + ")"
	case "bool", "card", "min", "max", "dom", "ran", "union", "inter", "ℙ", "ℙ1", "finite", "partition", "prj1", "prj2", "succ", "pred":
		return n.op + "(" + strings.Join(a, ", ") + ")"
	}
	return "(" + strings.Join(a, " "+n.op+" ") + ")"
}

// noValue unwinds the evaluation of what is ill-defined.
type noValue struct{}

// has runs fn and reports whether all in it has a value.
func has(fn func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, undefined := p.(noValue); !undefined {
				panic(p)
			}
			ok = false
		}
	}()
	fn()
	return true
}

// env gives values to names.
type env struct {
	name  string
	value *val
	outer *env
}

func (e *env) with(name string, v *val) *env { return &env{name, v, e} }

func (e *env) of(name string) *val {
	for ; e != nil; e = e.outer {
		if e.name == name {
			return e.value
		}
	}
	panic("no value of " + name)
}

// all are the values of a finite type.
func (w *world) all(t *typ) []*val {
	switch t.kind {
	case 'b':
		return []*val{truth(false), truth(true)}
	case 's':
		return w.elems
	case 'x':
		var out []*val
		for _, a := range w.all(t.l) {
			for _, b := range w.all(t.r) {
				out = append(out, pairOf(a, b))
			}
		}
		return out
	case 'P':
		return subsets(setOf(w.all(t.l)))
	}
	panic("an infinite type")
}

func subsets(s *val) (out []*val) {
	if len(s.parts) > 6 {
		panic(tooLarge{})
	}
	for m := range 1 << len(s.parts) {
		var sub []*val
		for i, x := range s.parts {
			if m>>i&1 == 1 {
				sub = append(sub, x)
			}
		}
		out = append(out, setOf(sub))
	}
	return out
}

// world is the carrier set.
type world struct{ elems []*val }

// run visits the values of a binder's variable.
func (w *world) run(n *node, e *env, visit func(*env)) {
	for _, x := range w.expr(n.args[0], e).parts {
		visit(e.with(n.name, x))
	}
}

// pred evaluates a predicate by the rules of well-definedness: connectives from the
// left, all instances of a quantifier.
func (w *world) pred(n *node, e *env) bool {
	a := n.args
	switch n.op {
	case "⊤":
		return true
	case "⊥":
		return false
	case "¬":
		return !w.pred(a[0], e)
	case "∧":
		return w.pred(a[0], e) && w.pred(a[1], e)
	case "∨":
		return w.pred(a[0], e) || w.pred(a[1], e)
	case "⇒":
		return !w.pred(a[0], e) || w.pred(a[1], e)
	case "⇔":
		p, q := w.pred(a[0], e), w.pred(a[1], e)
		return p == q
	case "∀", "∃":
		all, some := true, false
		w.run(n, e, func(e *env) {
			p := w.pred(a[1], e)
			all, some = all && p, some || p
		})
		return n.op == "∀" && all || n.op == "∃" && some
	case "∈", "∉":
		w.defined(a[1], e)
		return w.in(w.expr(a[0], e), a[1], e) == (n.op == "∈")
	case "finite":
		w.expr(a[0], e)
		return true
	}
	vs := make([]*val, len(a))
	for i, x := range a {
		vs[i] = w.expr(x, e)
	}
	subset := func() bool { return !slices.ContainsFunc(vs[0].parts, func(x *val) bool { return !vs[1].has(x) }) }
	switch n.op {
	case "=":
		return vs[0].key == vs[1].key
	case "≠":
		return vs[0].key != vs[1].key
	case "<", "≤", ">", "≥":
		c := vs[0].n.Cmp(vs[1].n)
		return map[string]bool{"<": c < 0, "≤": c <= 0, ">": c > 0, "≥": c >= 0}[n.op]
	case "⊆":
		return subset()
	case "⊈":
		return !subset()
	case "⊂":
		return subset() && vs[0].key != vs[1].key
	case "⊄":
		return !subset() || vs[0].key == vs[1].key
	case "partition":
		var all []*val
		for _, v := range vs[1:] {
			all = append(all, v.parts...)
		}
		s := setOf(all)
		return len(all) == len(s.parts) && s.key == vs[0].key
	}
	panic("no predicate " + n.op)
}

var arrowsOf = map[string]struct{ functional, total, injective, surjective bool }{
	"↔": {}, "⇸": {functional: true}, "→": {functional: true, total: true},
	"⤔": {functional: true, injective: true}, "↣": {functional: true, total: true, injective: true},
	"⤀": {functional: true, surjective: true}, "↠": {functional: true, total: true, surjective: true},
	"⤖": {functional: true, total: true, injective: true, surjective: true},
}

// infinite reports whether n may be a set that cannot be listed: then it is asked
// for members only.
func infinite(n *node) bool {
	switch n.op {
	case "ℕ", "ℕ1", "ℤ":
		return true
	case "∖":
		return infinite(n.args[0])
	case "×", "ℙ", "∪":
		return slices.ContainsFunc(n.args, infinite)
	}
	_, arrow := arrowsOf[n.op]
	return arrow
}

// defined evaluates what can be evaluated of a set that is asked for members.
func (w *world) defined(n *node, e *env) {
	if !infinite(n) {
		w.expr(n, e)
		return
	}
	for _, a := range n.args {
		w.defined(a, e)
	}
}

// in decides membership.
func (w *world) in(v *val, n *node, e *env) bool {
	if !infinite(n) {
		return w.expr(n, e).has(v)
	}
	a := n.args
	switch n.op {
	case "ℤ":
		return true
	case "ℕ":
		return v.n.Sign() >= 0
	case "ℕ1":
		return v.n.Sign() > 0
	case "∖":
		return w.in(v, a[0], e) && !w.in(v, a[1], e)
	case "∪":
		return w.in(v, a[0], e) || w.in(v, a[1], e)
	case "×":
		return w.in(v.parts[0], a[0], e) && w.in(v.parts[1], a[1], e)
	case "ℙ":
		return !slices.ContainsFunc(v.parts, func(x *val) bool { return !w.in(x, a[0], e) })
	}
	want := arrowsOf[n.op]
	for _, p := range v.parts {
		switch {
		case !w.in(p.parts[0], a[0], e) || !w.in(p.parts[1], a[1], e),
			want.functional && len(v.images(p.parts[0])) > 1,
			want.injective && len(inverse(v).images(p.parts[1])) > 1:
			return false
		}
	}
	return (!want.total || covers(v, w, a[0], e)) && (!want.surjective || covers(inverse(v), w, a[1], e))
}

// covers reports whether each element of set n is on the left of a pair of v.
func covers(v *val, w *world, n *node, e *env) bool {
	return !slices.ContainsFunc(w.expr(n, e).parts, func(x *val) bool { return len(v.images(x)) == 0 })
}

func inverse(v *val) *val {
	return v.each(func(p *val) []*val { return []*val{pairOf(p.parts[1], p.parts[0])} })
}

// expr evaluates an expression; all its parts must have a value.
func (w *world) expr(n *node, e *env) *val {
	a := n.args
	switch n.op {
	case "var":
		return e.of(n.name)
	case "lit":
		return number(n.n)
	case "TRUE", "FALSE":
		return atom(n.op)
	case "bool":
		return truth(w.pred(a[0], e))
	case "all":
		return setOf(w.all(n.typ.l))
	case "∅":
		return setOf(nil)
	case "compr", "λ", "⋃", "⋂":
		var found []*val
		w.run(n, e, func(e *env) {
			if !w.pred(a[1], e) {
				return
			}
			v := w.expr(a[2], e)
			if n.op == "λ" {
				v = pairOf(e.of(n.name), v)
			}
			found = append(found, v)
		})
		switch n.op {
		case "⋃":
			return joined(found)
		case "⋂":
			return met(found)
		}
		return setOf(found)
	}
	vs := make([]*val, len(a))
	for i, x := range a {
		vs[i] = w.expr(x, e)
	}
	return w.operate(n, vs)
}

func joined(sets []*val) *val {
	var out []*val
	for _, s := range sets {
		out = append(out, s.parts...)
	}
	return setOf(out)
}

func met(sets []*val) *val {
	if len(sets) == 0 {
		panic(noValue{})
	}
	return sets[0].filter(func(x *val) bool {
		return !slices.ContainsFunc(sets, func(s *val) bool { return !s.has(x) })
	})
}

// operate applies the operator of n to values.
func (w *world) operate(n *node, v []*val) *val {
	require := func(ok bool) {
		if !ok {
			panic(noValue{})
		}
	}
	int2 := func(f func(z, x, y *big.Int) *big.Int) *val {
		z := f(new(big.Int), v[0].n, v[1].n)
		if z.BitLen() > 300 {
			panic(tooLarge{})
		}
		return number(z)
	}
	first := func(p *val) *val { return p.parts[0] }
	second := func(p *val) *val { return p.parts[1] }
	one := func(x *val) []*val { return []*val{x} }
	switch n.op {
	case "+":
		return int2((*big.Int).Add)
	case "−":
		return int2((*big.Int).Sub)
	case "∗":
		return int2((*big.Int).Mul)
	case "neg":
		return number(new(big.Int).Neg(v[0].n))
	case "succ":
		return number(new(big.Int).Add(v[0].n, big.NewInt(1)))
	case "pred":
		return number(new(big.Int).Sub(v[0].n, big.NewInt(1)))
	case "÷":
		require(v[1].n.Sign() != 0)
		return int2((*big.Int).Quo)
	case "mod":
		require(v[0].n.Sign() >= 0 && v[1].n.Sign() > 0)
		return int2((*big.Int).Rem)
	case "^":
		require(v[0].n.Sign() >= 0 && v[1].n.Sign() >= 0)
		if v[1].n.BitLen() > 5 {
			panic(tooLarge{})
		}
		return int2(func(z, x, y *big.Int) *big.Int { return z.Exp(x, y, nil) })
	case "card":
		return number(big.NewInt(int64(len(v[0].parts))))
	case "min", "max":
		require(len(v[0].parts) > 0)
		return slices.MaxFunc(v[0].parts, func(a, b *val) int {
			if n.op == "min" {
				a, b = b, a
			}
			return a.n.Cmp(b.n)
		})
	case "apply":
		for _, p := range v[0].parts {
			require(len(v[0].images(p.parts[0])) == 1)
		}
		ys := v[0].images(v[1])
		require(len(ys) == 1)
		return ys[0]
	case "↦":
		return pairOf(v[0], v[1])
	case "prj1":
		return v[0].parts[0]
	case "prj2":
		return v[0].parts[1]
	case "ext":
		return setOf(v)
	case "∪":
		return joined(v)
	case "∩":
		return met(v)
	case "∖":
		return v[0].filter(func(x *val) bool { return !v[1].has(x) })
	case "union":
		return joined(v[0].parts)
	case "inter":
		return met(v[0].parts)
	case "ℙ":
		return setOf(subsets(v[0]))
	case "ℙ1":
		return setOf(subsets(v[0])[1:])
	case "‥":
		if d := new(big.Int).Sub(v[1].n, v[0].n); d.Sign() >= 0 && d.Cmp(big.NewInt(40)) > 0 {
			panic(tooLarge{})
		}
		var out []*val
		for i := new(big.Int).Set(v[0].n); i.Cmp(v[1].n) <= 0; i = new(big.Int).Add(i, big.NewInt(1)) {
			out = append(out, number(i))
		}
		return setOf(out)
	case "dom":
		return v[0].each(func(p *val) []*val { return one(first(p)) })
	case "ran":
		return v[0].each(func(p *val) []*val { return one(second(p)) })
	case "∼":
		return inverse(v[0])
	case "image":
		return v[1].each(v[0].images)
	case "◁":
		return v[1].filter(func(p *val) bool { return v[0].has(first(p)) })
	case "⩤":
		return v[1].filter(func(p *val) bool { return !v[0].has(first(p)) })
	case "▷":
		return v[0].filter(func(p *val) bool { return v[1].has(second(p)) })
	case "⩥":
		return v[0].filter(func(p *val) bool { return !v[1].has(second(p)) })
	case "<+":
		kept := v[0].filter(func(p *val) bool { return len(v[1].images(first(p))) == 0 })
		return joined([]*val{kept, v[1]})
	case "×":
		return v[0].each(func(x *val) []*val { return v[1].each(func(y *val) []*val { return one(pairOf(x, y)) }).parts })
	case ";", "∘":
		r, s := v[0], v[1]
		if n.op == "∘" {
			r, s = s, r
		}
		return r.each(func(p *val) (out []*val) {
			for _, y := range s.images(second(p)) {
				out = append(out, pairOf(first(p), y))
			}
			return out
		})
	case "⊗":
		return v[0].each(func(p *val) (out []*val) {
			for _, y := range v[1].images(first(p)) {
				out = append(out, pairOf(first(p), pairOf(second(p), y)))
			}
			return out
		})
	case "∥":
		return v[0].each(func(p *val) (out []*val) {
			for _, q := range v[1].parts {
				out = append(out, pairOf(pairOf(first(p), first(q)), pairOf(second(p), second(q))))
			}
			return out
		})
	case "id":
		return v[0].each(func(x *val) []*val { return one(pairOf(x, x)) })
	case "prj":
		i := int(n.name[3] - '1')
		return v[0].each(func(p *val) []*val { return one(pairOf(p, p.parts[i])) })
	}
	panic(fmt.Sprintf("no operator %s", n.op))
}
