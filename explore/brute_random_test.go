package explore_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// chance writes random formulas and machines.
type chance struct {
	*rand.Rand
	vars  []*node // what is in scope
	rough bool    // many terms have no value
	fresh int
}

// bigNumbers are integers around the places where a machine word ends.
var bigNumbers = []string{"4611686018427387904", "-4611686018427387904", "-4611686018427387905", "-5000000000000000000", "9223372036854775808", "-9223372036854775809", "4611686018427387903", "170141183460469231731687303715884105728"}

func pick[T any](g *chance, xs ...T) T { return xs[g.IntN(len(xs))] }

func (g *chance) small() *node { return lit(int64(g.IntN(6) - 2)) }

func lit(n int64) *node { return &node{op: "lit", typ: intT, n: big.NewInt(n)} }

func same(a, b *typ) bool { return a.String() == b.String() }

// leaf is an expression of type t without parts.
func (g *chance) leaf(t *typ) *node {
	var vars []*node
	for _, v := range g.vars {
		if same(v.typ, t) {
			vars = append(vars, v)
		}
	}
	if len(vars) > 0 && g.IntN(4) > 0 {
		return pick(g, vars...)
	}
	switch t.kind {
	case 'i':
		if g.IntN(12) == 0 {
			n, _ := new(big.Int).SetString(pick(g, bigNumbers...), 10)
			return &node{op: "lit", typ: t, n: n}
		}
		return g.small()
	case 'b':
		return mk(pick(g, "TRUE", "FALSE"), t)
	case 's':
		return vars[0] // c in initialisations, e elsewhere
	case 'x':
		return mk("↦", t, g.leaf(t.l), g.leaf(t.r))
	}
	if t.l.kind == 's' && g.IntN(3) == 0 {
		return mk("all", t)
	}
	if g.IntN(2) == 0 {
		return mk("ext", t, g.leaf(t.l))
	}
	return mk("∅", t)
}

// basic are the types that formulas pass through on their way.
func (g *chance) basic() *typ {
	return pick(g, intT, intT, elemT, elemT, boolT, prod(elemT, intT))
}

// expr is an expression of type t, at most d operators deep.
func (g *chance) expr(t *typ, d int) *node {
	if d <= 0 || g.IntN(7) == 0 {
		return g.leaf(t)
	}
	if g.IntN(5) == 0 && (g.rough || g.IntN(8) == 0) {
		from := pick(g, intT, elemT, elemT)
		return mk("apply", t, g.function(from, t, d-1), g.expr(from, d-1))
	}
	switch t.kind {
	case 'i':
		return g.integer(d)
	case 'b':
		return mk("bool", t, g.pred(d-1))
	case 'x':
		return mk("↦", t, g.expr(t.l, d-1), g.expr(t.r, d-1))
	case 'P':
		return g.set(t, d)
	}
	if g.IntN(4) == 0 {
		return mk("prj1", t, g.expr(prod(t, intT), d-1))
	}
	return g.leaf(t)
}

// function is what is applied: a variable, a λ, or any relation.
func (g *chance) function(from, to *typ, d int) *node {
	t := power(prod(from, to))
	if g.IntN(4) == 0 {
		return g.binder("λ", t, from, to, d)
	}
	return g.expr(t, d)
}

func (g *chance) integer(d int) *node {
	sub := func() *node { return g.expr(intT, d-1) }
	switch g.IntN(12) {
	case 0, 1, 2:
		return mk(pick(g, "+", "−", "∗"), intT, sub(), sub())
	case 3:
		return mk("÷", intT, sub(), g.divisor(sub))
	case 4:
		if g.rough {
			return mk("mod", intT, sub(), sub())
		}
		return mk("mod", intT, mk("max", intT, mk("ext", power(intT), lit(0), sub())), g.divisor(sub))
	case 5:
		return mk("^", intT, mk("card", intT, g.expr(power(g.basic()), d-1)), g.divisor(g.small))
	case 6, 7:
		return mk("card", intT, g.expr(power(g.basic()), d-1))
	case 8, 9:
		if g.rough {
			return mk(pick(g, "min", "max"), intT, g.expr(power(intT), d-1))
		}
		return mk(pick(g, "min", "max"), intT, mk("ext", power(intT), sub(), sub()))
	case 10:
		return mk(pick(g, "neg", "succ", "pred"), intT, sub())
	}
	return mk("prj2", intT, g.expr(prod(elemT, intT), d-1))
}

// divisor is an integer that is none too often 0 or negative.
func (g *chance) divisor(other func() *node) *node {
	if g.rough || g.IntN(8) == 0 {
		return other()
	}
	return lit(int64(1 + g.IntN(3)))
}

// over is the set that a bound variable of type t runs through.
func (g *chance) over(t *typ, d int) *node {
	if (t.kind == 's' || t.kind == 'b') && g.IntN(2) == 0 {
		return mk("all", power(t))
	}
	return g.expr(power(t), d)
}

// binder makes a comprehension, a λ, ⋃ or ⋂ with a variable of type from.
func (g *chance) binder(op string, t, from, body *typ, d int) *node {
	s := g.over(from, d-1)
	n := mk(op, t, s)
	g.bind(n, from, func() { n.args = append(n.args, g.pred(d-1), g.expr(body, d-1)) })
	return n
}

func (g *chance) bind(n *node, t *typ, fn func()) {
	g.fresh++
	n.name = fmt.Sprintf("z%d", g.fresh)
	g.vars = append(g.vars, &node{op: "var", typ: t, name: n.name})
	fn()
	g.vars = g.vars[:len(g.vars)-1]
}

// partial is an operator, now and then one that may have no value.
func (g *chance) partial(total, partial string) string {
	if g.rough || g.IntN(8) == 0 {
		return partial
	}
	return total
}

func (g *chance) set(t *typ, d int) *node {
	e := t.l
	same_ := func() *node { return g.expr(t, d-1) }
	var ways []func() *node
	add := func(weight int, way func() *node) {
		for range weight {
			ways = append(ways, way)
		}
	}
	add(3, func() *node { return mk(pick(g, "∪", "∩", "∖"), t, same_(), same_()) })
	add(2, func() *node {
		n := mk("ext", t)
		for range 1 + g.IntN(3) {
			n.args = append(n.args, g.expr(e, d-1))
		}
		return n
	})
	add(2, func() *node { return g.binder("compr", t, pick(g, intT, elemT), e, d) })
	add(1, func() *node { return g.binder(g.partial("⋃", "⋂"), t, pick(g, intT, elemT), t, d) })
	add(1, func() *node { return mk(g.partial("union", "inter"), t, g.expr(power(t), d-1)) })
	if e.kind != 'P' {
		o := g.basic()
		add(1, func() *node { return mk("dom", t, g.expr(power(prod(e, o)), d-1)) })
		add(1, func() *node { return mk("ran", t, g.expr(power(prod(o, e)), d-1)) })
		add(2, func() *node { return mk("image", t, g.expr(power(prod(o, e)), d-1), g.expr(power(o), d-1)) })
	}
	switch e.kind {
	case 'i':
		add(3, func() *node { return mk("‥", t, g.expr(intT, d-1), g.expr(intT, d-1)) })
	case 'P':
		add(2, func() *node { return mk(pick(g, "ℙ", "ℙ1"), t, g.expr(e, d-1)) })
	case 'x':
		l, r := power(e.l), power(e.r)
		o := g.basic()
		add(2, func() *node { return mk(pick(g, "◁", "⩤"), t, g.expr(l, d-1), same_()) })
		add(2, func() *node { return mk(pick(g, "▷", "⩥"), t, same_(), g.expr(r, d-1)) })
		add(3, func() *node { return mk("<+", t, same_(), same_()) })
		add(2, func() *node { return mk("×", t, g.expr(l, d-1), g.expr(r, d-1)) })
		add(1, func() *node { return mk("∼", t, g.expr(power(prod(e.r, e.l)), d-1)) })
		add(1, func() *node { return g.binder("λ", t, e.l, e.r, d) })
		add(1, func() *node { return mk(";", t, g.expr(power(prod(e.l, o)), d-1), g.expr(power(prod(o, e.r)), d-1)) })
		add(1, func() *node { return mk("∘", t, g.expr(power(prod(o, e.r)), d-1), g.expr(power(prod(e.l, o)), d-1)) })
		if same(e.l, e.r) {
			add(3, func() *node { return mk("id", t, g.expr(l, d-1)) })
		}
		if e.r.kind == 'x' {
			add(2, func() *node {
				return mk("⊗", t, g.expr(power(prod(e.l, e.r.l)), d-1), g.expr(power(prod(e.l, e.r.r)), d-1))
			})
			if e.l.kind == 'x' {
				add(2, func() *node {
					return mk("∥", t, g.expr(power(prod(e.l.l, e.r.l)), d-1), g.expr(power(prod(e.l.r, e.r.r)), d-1))
				})
			}
		}
		if e.l.kind == 'x' && same(e.l.l, e.r) {
			add(2, func() *node {
				n := mk("prj", t, g.expr(l, d-1))
				n.name = "prj1"
				return n
			})
		}
	}
	return pick(g, ways...)()
}

// wide is a set that may be infinite: it is asked for members only.
func (g *chance) wide(e *typ, d int) *node {
	t := power(e)
	if d > 0 {
		switch {
		case e.kind == 'i' && g.IntN(2) == 0:
			n := mk(pick(g, "ℕ", "ℕ1", "ℤ"), t)
			if g.IntN(3) == 0 {
				return mk(pick(g, "∖", "∪"), t, n, g.expr(t, d-1))
			}
			return n
		case e.kind == 'x' && g.IntN(2) == 0:
			return mk("×", t, g.wide(e.l, d-1), g.wide(e.r, d-1))
		case e.kind == 'P' && e.l.kind == 'x' && g.IntN(2) == 0:
			op := pick(g, "↔", "⇸", "→", "⤔", "↣", "⤀", "↠", "⤖")
			part := func(t *typ, listed bool) *node {
				if listed {
					return g.expr(power(t), d-1)
				}
				return g.wide(t, d-1)
			}
			return mk(op, t, part(e.l.l, arrowsOf[op].total), part(e.l.r, arrowsOf[op].surjective))
		case e.kind == 'P' && g.IntN(3) == 0:
			return mk("ℙ", t, g.wide(e.l, d-1))
		}
	}
	return g.expr(t, d)
}

// anyType is a type of values that are compared, or asked to be members.
func (g *chance) anyType() *typ {
	return pick(g, intT, elemT, boolT, prod(elemT, intT), power(intT), power(elemT), power(prod(elemT, intT)), power(prod(elemT, elemT)), power(power(elemT)))
}

func (g *chance) pred(d int) *node {
	if d <= 0 || g.IntN(6) == 0 {
		return g.atomic(d)
	}
	switch g.IntN(8) {
	case 0, 1:
		return mk("∧", nil, g.pred(d-1), g.pred(d-1))
	case 2:
		return mk("∨", nil, g.pred(d-1), g.pred(d-1))
	case 3:
		return mk(pick(g, "⇒", "⇔"), nil, g.pred(d-1), g.pred(d-1))
	case 4:
		return mk("¬", nil, g.pred(d-1))
	case 5, 6:
		t := pick(g, intT, elemT, elemT, prod(elemT, intT))
		n := mk(pick(g, "∀", "∃"), nil, g.over(t, d-1))
		g.bind(n, t, func() { n.args = append(n.args, g.pred(d-1)) })
		return n
	}
	return g.atomic(d)
}

func (g *chance) atomic(d int) *node {
	switch g.IntN(8) {
	case 0, 1:
		return mk(pick(g, "<", "≤", ">", "≥"), nil, g.expr(intT, d), g.expr(intT, d))
	case 2:
		t := g.anyType()
		return mk(pick(g, "=", "≠"), nil, g.expr(t, d), g.expr(t, d))
	case 3, 4:
		t := g.anyType()
		return mk(pick(g, "∈", "∉"), nil, g.expr(t, d), g.wide(t, d))
	case 5:
		t := power(g.basic())
		return mk(pick(g, "⊆", "⊂", "⊈", "⊄"), nil, g.expr(t, d), g.expr(t, d))
	case 6:
		t := power(g.basic())
		return mk("partition", nil, g.expr(t, d), g.expr(t, d), g.expr(t, d))
	}
	if g.IntN(3) == 0 {
		return mk("finite", nil, g.expr(power(g.basic()), d))
	}
	return mk(pick(g, "=", "≠"), nil, g.expr(intT, d), g.expr(intT, d))
}

// bruteMachine is a random machine.
type bruteMachine struct {
	size       int // of S
	consts     []*node
	vars       []*node
	init       *bruteEvent
	events     []*bruteEvent
	invariants []*node
}

type bruteEvent struct {
	label    string
	params   []*node
	guards   []*node
	theorem  []bool
	actions  []*bruteAction
	hideaway bool // a guard before the bound of an integer
}

// bruteAction assigns: kind '=' an expression, '∈' an element of a set, '|' a value
// that satisfies a predicate about the primed variable, after a set that bounds it.
type bruteAction struct {
	kind  rune
	v     *node
	right *node
	bound *node // of '|'
}

func (g *chance) machine() *bruteMachine {
	m := &bruteMachine{size: 1 + g.IntN(3)}
	variable := func(name string, t *typ) *node { return &node{op: "var", typ: t, name: name} }
	if g.IntN(2) == 0 {
		m.consts = append(m.consts, variable("c", elemT))
	}
	if g.IntN(2) == 0 {
		m.consts = append(m.consts, variable("k", intT))
	}
	types := []*typ{intT, intT, elemT, boolT, power(elemT), power(intT), power(prod(elemT, intT)), power(prod(elemT, elemT)),
		power(prod(intT, intT)), power(power(elemT)), prod(elemT, intT), power(prod(intT, prod(elemT, intT))), power(power(intT))}
	names := []string{"x", "y", "e", "b", "s", "n", "f", "g", "h", "w", "q", "r", "v"}
	for i, t := range types {
		// An integer and an element are always there.
		if i == 0 || i == 2 || g.IntN(3) == 0 {
			m.vars = append(m.vars, variable(names[i], t))
		}
	}
	g.vars = slices.Clone(m.consts)
	m.init = &bruteEvent{label: "INITIALISATION"}
	for _, v := range m.vars {
		a := &bruteAction{kind: '=', v: v}
		switch {
		case v.typ.kind == 's':
			a.kind, a.right = '∈', mk("all", power(elemT))
		case v.typ.kind == 'x':
			a.kind, a.right = '∈', mk("×", power(v.typ), mk("all", power(elemT)), mk("ext", power(intT), lit(1)))
		case g.IntN(8) == 0 && len(m.consts) == 2:
			a.kind, a.right = '∈', mk("ext", power(v.typ), g.leaf(v.typ), g.leaf(v.typ))
		case len(m.consts) == 2:
			a.right = g.expr(v.typ, 1)
		default:
			a.right = plain(v.typ)
		}
		m.init.actions = append(m.init.actions, a)
	}
	g.vars = append(slices.Clone(m.consts), m.vars...)
	for i := range 1 + g.IntN(4) {
		m.events = append(m.events, g.event(fmt.Sprintf("e%d", i), m))
	}
	for range g.IntN(3) {
		m.invariants = append(m.invariants, g.pred(2))
	}
	return m
}

// plain is a value that needs no identifier.
func plain(t *typ) *node {
	switch t.kind {
	case 'i':
		return lit(0)
	case 'b':
		return mk("FALSE", t)
	}
	return mk("∅", t)
}

func (g *chance) event(label string, m *bruteMachine) *bruteEvent {
	e := &bruteEvent{label: label}
	outer := g.vars
	defer func() { g.vars = outer }()
	d := 2
	if g.IntN(3) == 0 {
		p := &node{op: "var", typ: elemT, name: "p"}
		g.guard(e, mk("∈", nil, p, pick(g, mk("all", power(elemT)), g.expr(power(elemT), 1))))
		g.vars = append(slices.Clone(g.vars), p)
		e.params = append(e.params, p)
	}
	if g.IntN(3) == 0 {
		before := g.vars
		p := &node{op: "var", typ: intT, name: "i"}
		bound := mk("∈", nil, p, g.expr(power(intT), 1))
		g.vars = append(slices.Clone(before), p)
		e.params = append(e.params, p)
		if g.IntN(10) == 0 {
			e.hideaway = true
			g.guard(e, mk("∈", nil, p, mk("ℤ", power(intT))))
			g.guard(e, g.pred(1))
		}
		g.guard(e, bound)
	}
	for range g.IntN(3) {
		g.guard(e, g.pred(d))
	}
	if g.IntN(6) == 0 && !e.hideaway {
		g.guard(e, g.pred(d))
		e.theorem[len(e.theorem)-1] = true
		if g.IntN(2) == 0 {
			g.guard(e, g.pred(d))
		}
	}
	vars := slices.Clone(m.vars)
	g.Shuffle(len(vars), func(i, j int) { vars[i], vars[j] = vars[j], vars[i] })
	for _, v := range vars[:min(len(vars), 1+g.IntN(2))] {
		a := &bruteAction{kind: '=', v: v}
		switch g.IntN(7) {
		case 0:
			a.kind, a.right = '∈', g.expr(power(v.typ), 1)
		case 1:
			a.kind, a.bound = '|', g.expr(power(v.typ), 1)
			if v.typ.kind == 's' || v.typ.kind == 'b' {
				a.bound = mk("all", power(v.typ))
			}
			g.vars = append(slices.Clone(g.vars), &node{op: "var", typ: v.typ, name: v.name + "'"})
			a.right = g.pred(1)
			g.vars = g.vars[:len(g.vars)-1]
		default:
			a.right = g.expr(v.typ, d)
			if v.typ.kind == 'i' && g.IntN(2) == 0 {
				a.right = mk("min", intT, mk("ext", power(intT), lit(3), mk("max", intT, mk("ext", power(intT), lit(-2), a.right))))
			}
		}
		e.actions = append(e.actions, a)
	}
	return e
}

func (g *chance) guard(e *bruteEvent, p *node) {
	e.guards, e.theorem = append(e.guards, p), append(e.theorem, false)
}

// text writes the machine.
func (m *bruteMachine) text(k int64) string {
	var w strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	line("context C")
	line("sets S")
	if len(m.consts) > 0 {
		line("constants")
		for _, c := range m.consts {
			line("  %s", c.name)
		}
		line("axioms")
		for _, c := range m.consts {
			if c.typ.kind == 's' {
				line("  @%s %s ∈ S", c.name, c.name)
			} else {
				line("  @%s %s = %s", c.name, c.name, strings.Replace(fmt.Sprint(k), "-", "−", 1))
			}
		}
	}
	line("end")
	line("machine M")
	line("sees C")
	line("variables")
	for _, v := range m.vars {
		line("  %s", v.name)
	}
	line("invariants")
	for _, v := range m.vars {
		line("  @t_%s %s ∈ %s", v.name, v.name, v.typ)
	}
	for i, p := range m.invariants {
		line("  @i%d %s", i, p)
	}
	line("events")
	for _, e := range append([]*bruteEvent{m.init}, m.events...) {
		line("  event %s", e.label)
		if len(e.params) > 0 {
			line("    any")
			for _, p := range e.params {
				line("      %s", p.name)
			}
		}
		if len(e.guards) > 0 {
			line("    when")
			for i, p := range e.guards {
				theorem := ""
				if e.theorem[i] {
					theorem = "theorem "
				}
				line("      %s@g%d %s", theorem, i, p)
			}
		}
		line("    then")
		for _, a := range e.actions {
			switch a.kind {
			case '=':
				line("      %s ≔ %s", a.v.name, a.right)
			case '∈':
				line("      %s :∈ %s", a.v.name, a.right)
			default:
				line("      %s :∣ %s' ∈ %s ∧ %s", a.v.name, a.v.name, a.bound, a.right)
			}
		}
		line("  end")
	}
	line("end")
	return w.String()
}
