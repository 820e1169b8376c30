package kernel

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// member makes the schema of one set operator: x∈S ⇔ body(x, arguments of S).
func member(op logic.Op, body func(m maker, x term, a []term) term) *Schema {
	return &Schema{Name: "mem." + op.String(), Op: op, Member: true, body: func(m maker, a []term) term {
		return m.iff(m.in(a[0], a[1]), body(m, a[0], m.Args(a[1])))
	}}
}

// relation makes the schema of a set of relations: r∈s op t ⇔ the conjunction of body.
func relation(op logic.Op, body func(m maker, r, s, t term) []term) *Schema {
	return member(op, func(m maker, r term, a []term) term { return m.And(body(m, r, a[0], a[1])...) })
}

// binder makes the schema of x∈S for an operator with bound variables, S = op z·p∣e.
func binder(name string, op logic.Op, body func(m maker, x, s, p, e term) term) *Schema {
	return &Schema{Name: name, Op: op, Member: true, body: func(m maker, a []term) term {
		return body(m, a[0], a[1], m.Arg(a[1], 0), m.Arg(a[1], 1))
	}}
}

// axiom makes any other schema, over parameters of any form.
func axiom(name, params string, body func(m maker, a []term) term) *Schema {
	return &Schema{Name: name, Params: params, body: body}
}

// special makes a schema whose one argument is a term of op.
func special(name string, op logic.Op, body func(m maker, t term) term) *Schema {
	return &Schema{Name: name, Op: op, body: func(m maker, a []term) term { return body(m, a[0]) }}
}

// axioms is the axiom table. Everything that is not logic, equality or linear
// arithmetic stands here; the tests evaluate every entry in small scopes.
var axioms = []*Schema{
	// Sets.
	axiom("type", "x:α", func(m maker, a []term) term { return m.in(a[0], m.TypeExpr(m.Type(a[0]))) }),
	axiom("set.eq", "s:ℙα t:ℙα", func(m maker, a []term) term {
		return m.iff(m.eq(a[0], a[1]), m.all(m.elem(a[0]), func(x term) term { return m.iff(m.in(x, a[0]), m.in(x, a[1])) }))
	}),
	axiom("subset.eq", "s:ℙα t:ℙα", func(m maker, a []term) term {
		return m.iff(m.subset(a[0], a[1]), m.all(m.elem(a[0]), func(x term) term { return m.implies(m.in(x, a[0]), m.in(x, a[1])) }))
	}),
	axiom("subset", "s:ℙα t:ℙα", func(m maker, a []term) term {
		return m.iff(m.app(logic.Subset, a[0], a[1]), m.And(m.subset(a[0], a[1]), m.not(m.eq(a[0], a[1]))))
	}),
	special("partition", logic.Partition, func(m maker, t term) term { return m.iff(t, m.partition(m.Arg(t, 0), m.Args(t)[1:])) }),
	member(logic.Empty, func(m maker, x term, _ []term) term { return m.app(logic.False) }),
	member(logic.SetExt, func(m maker, x term, a []term) term { return m.Or(each(a, func(e term) term { return m.eq(x, e) })...) }),
	member(logic.Union, func(m maker, x term, a []term) term { return m.Or(each(a, func(s term) term { return m.in(x, s) })...) }),
	member(logic.Inter, func(m maker, x term, a []term) term {
		return m.And(each(a, func(s term) term { return m.in(x, s) })...)
	}),
	member(logic.Diff, func(m maker, x term, a []term) term { return m.And(m.in(x, a[0]), m.not(m.in(x, a[1]))) }),
	member(logic.Pow, func(m maker, x term, a []term) term { return m.subset(x, a[0]) }),
	member(logic.Pow1, func(m maker, x term, a []term) term {
		return m.And(m.subset(x, a[0]), m.not(m.eq(x, m.empty(m.Type(x)))))
	}),
	member(logic.GUnion, func(m maker, x term, a []term) term {
		return m.some(m.elem(a[0]), func(s term) term { return m.And(m.in(s, a[0]), m.in(x, s)) })
	}),
	{Name: "mem.inter-of", Op: logic.GInter, Member: true, body: func(m maker, a []term) term {
		s := m.Arg(a[1], 0)
		every := m.all(m.elem(s), func(u term) term { return m.implies(m.in(u, s), m.in(a[0], u)) })
		return m.implies(m.not(m.eq(s, m.empty(m.Type(s)))), m.iff(m.in(a[0], a[1]), every))
	}},
	binder("mem.union-over", logic.QUnion, func(m maker, x, s, p, e term) term {
		return m.iff(m.in(x, s), m.over(logic.Exists, s, m.And(p, m.in(x, e))))
	}),
	binder("mem.inter-over", logic.QInter, func(m maker, x, s, p, e term) term {
		return m.implies(m.over(logic.Exists, s, p), m.iff(m.in(x, s), m.over(logic.Forall, s, m.implies(p, m.in(x, e)))))
	}),
	binder("mem.pattern", logic.Compr, func(m maker, x, s, p, e term) term { return m.iff(m.in(x, s), m.match(x, s, p, e)) }),
	binder("mem.comprehension", logic.Compr, func(m maker, x, s, p, e term) term {
		return m.iff(m.in(x, s), m.over(logic.Exists, s, m.And(p, m.eq(x, e))))
	}),

	// Pairs and truth values.
	axiom("pair", "x:(α×β)", func(m maker, a []term) term {
		t := m.Type(a[0])
		return m.eq(a[0], m.pair(m.apply(m.projection(logic.Prj1, t), a[0]), m.apply(m.projection(logic.Prj2, t), a[0])))
	}),
	axiom("bool", "x:B", func(m maker, a []term) term {
		return m.Or(m.eq(a[0], m.app(logic.TrueE)), m.eq(a[0], m.app(logic.FalseE)))
	}),
	special("bool.of", logic.BoolOf, func(m maker, t term) term { return m.iff(m.eq(t, m.app(logic.TrueE)), m.Arg(t, 0)) }),

	// Relations.
	member(logic.CProd, func(m maker, x term, a []term) term { return m.And(m.in(m.left(x), a[0]), m.in(m.right(x), a[1])) }),
	member(logic.Dom, func(m maker, x term, a []term) term {
		return m.some(m.to(a[0]), func(y term) term { return m.in(m.pair(x, y), a[0]) })
	}),
	member(logic.Ran, func(m maker, y term, a []term) term {
		return m.some(m.from(a[0]), func(x term) term { return m.in(m.pair(x, y), a[0]) })
	}),
	member(logic.Image, func(m maker, y term, a []term) term {
		return m.some(m.elem(a[1]), func(x term) term { return m.And(m.in(x, a[1]), m.in(m.pair(x, y), a[0])) })
	}),
	member(logic.Converse, func(m maker, x term, a []term) term { return m.in(m.pair(m.right(x), m.left(x)), a[0]) }),
	member(logic.DomRes, func(m maker, x term, a []term) term { return m.And(m.in(x, a[1]), m.in(m.left(x), a[0])) }),
	member(logic.DomSub, func(m maker, x term, a []term) term { return m.And(m.in(x, a[1]), m.not(m.in(m.left(x), a[0]))) }),
	member(logic.RanRes, func(m maker, x term, a []term) term { return m.And(m.in(x, a[0]), m.in(m.right(x), a[1])) }),
	member(logic.RanSub, func(m maker, x term, a []term) term { return m.And(m.in(x, a[0]), m.not(m.in(m.right(x), a[1]))) }),
	member(logic.FComp, func(m maker, x term, a []term) term { return m.chain(x, a) }),
	member(logic.BComp, func(m maker, x term, a []term) term {
		a = slices.Clone(a)
		slices.Reverse(a)
		return m.chain(x, a)
	}),
	member(logic.Ovr, func(m maker, x term, a []term) term {
		first, last := a[0], a[len(a)-1]
		if len(a) > 2 {
			first = m.app(logic.Ovr, a[:len(a)-1]...)
		}
		return m.Or(m.in(x, last), m.And(m.in(x, first), m.not(m.in(m.left(x), m.app(logic.Dom, last)))))
	}),
	member(logic.DProd, func(m maker, x term, a []term) term {
		v, y := m.left(x), m.right(x)
		return m.And(m.in(m.pair(v, m.left(y)), a[0]), m.in(m.pair(v, m.right(y)), a[1]))
	}),
	member(logic.PProd, func(m maker, x term, a []term) term {
		v, y := m.left(x), m.right(x)
		return m.And(m.in(m.pair(m.left(v), m.left(y)), a[0]), m.in(m.pair(m.right(v), m.right(y)), a[1]))
	}),
	member(logic.Id, func(m maker, x term, _ []term) term { return m.eq(m.left(x), m.right(x)) }),
	member(logic.Prj1, func(m maker, x term, _ []term) term { return m.eq(m.left(m.left(x)), m.right(x)) }),
	member(logic.Prj2, func(m maker, x term, _ []term) term { return m.eq(m.right(m.left(x)), m.right(x)) }),
	member(logic.Succ, func(m maker, x term, _ []term) term { return m.eq(m.right(x), m.plus(m.left(x), m.num(1))) }),
	member(logic.Pred, func(m maker, x term, _ []term) term { return m.eq(m.right(x), m.app(logic.Minus, m.left(x), m.num(1))) }),

	// Sets of relations. Between whole types, r∈σ⇸τ says that r is functional;
	// elsewhere it refers to that.
	relation(logic.Rel, func(m maker, r, s, t term) []term { return []term{m.subset(r, m.app(logic.CProd, s, t))} }),
	relation(logic.TRel, func(m maker, r, s, t term) []term { return []term{m.rel(logic.Rel, r, s, t), m.total(r, s)} }),
	relation(logic.SRel, func(m maker, r, s, t term) []term { return []term{m.rel(logic.Rel, r, s, t), m.onto(r, t)} }),
	relation(logic.STRel, func(m maker, r, s, t term) []term {
		return []term{m.rel(logic.Rel, r, s, t), m.total(r, s), m.onto(r, t)}
	}),
	relation(logic.PFun, func(m maker, r, s, t term) []term {
		a, b := m.from(r), m.to(r)
		if x, y := m.TypeExpr(a), m.TypeExpr(b); x != s || y != t {
			return []term{m.subset(r, m.app(logic.CProd, s, t)), m.rel(logic.PFun, r, x, y)}
		}
		return []term{m.bind(logic.Forall, func(v []term) term {
			return m.implies(m.in(m.pair(v[0], v[1]), r), m.in(m.pair(v[0], v[2]), r), m.eq(v[1], v[2]))
		}, a, b, b)}
	}),
	relation(logic.TFun, func(m maker, r, s, t term) []term { return []term{m.rel(logic.PFun, r, s, t), m.total(r, s)} }),
	relation(logic.PInj, func(m maker, r, s, t term) []term {
		return []term{m.rel(logic.PFun, r, s, t), m.rel(logic.PFun, m.app(logic.Converse, r), t, s)}
	}),
	relation(logic.TInj, func(m maker, r, s, t term) []term { return []term{m.rel(logic.PInj, r, s, t), m.total(r, s)} }),
	relation(logic.PSur, func(m maker, r, s, t term) []term { return []term{m.rel(logic.PFun, r, s, t), m.onto(r, t)} }),
	relation(logic.TSur, func(m maker, r, s, t term) []term { return []term{m.rel(logic.TFun, r, s, t), m.onto(r, t)} }),
	relation(logic.TBij, func(m maker, r, s, t term) []term { return []term{m.rel(logic.TInj, r, s, t), m.onto(r, t)} }),

	// Application: f(x) is an image of x, if there is one.
	axiom("apply.dom", "f:ℙ(α×β) x:α", func(m maker, a []term) term {
		return m.implies(m.in(a[1], m.app(logic.Dom, a[0])), m.in(m.pair(a[1], m.apply(a[0], a[1])), a[0]))
	}),
	axiom("apply.unique", "f:ℙ(α×β) s:ℙα t:ℙβ x:α y:β", func(m maker, a []term) term {
		return m.implies(m.rel(logic.PFun, a[0], a[1], a[2]), m.in(m.pair(a[3], a[4]), a[0]), m.eq(m.apply(a[0], a[3]), a[4]))
	}),
	axiom("apply.id", "x:α", func(m maker, a []term) term {
		return m.eq(m.apply(m.Atom(logic.Id, m.RelType(m.Type(a[0]), m.Type(a[0]))), a[0]), a[0])
	}),
	axiom("apply.prj1", "x:α y:β", func(m maker, a []term) term {
		return m.eq(m.apply(m.projection(logic.Prj1, m.Type(m.pair(a[0], a[1]))), m.pair(a[0], a[1])), a[0])
	}),
	axiom("apply.prj2", "x:α y:β", func(m maker, a []term) term {
		return m.eq(m.apply(m.projection(logic.Prj2, m.Type(m.pair(a[0], a[1]))), m.pair(a[0], a[1])), a[1])
	}),
	axiom("apply.succ", "x:ℤ", func(m maker, a []term) term { return m.eq(m.apply(m.app(logic.Succ), a[0]), m.plus(a[0], m.num(1))) }),
	axiom("apply.pred", "x:ℤ", func(m maker, a []term) term {
		return m.eq(m.apply(m.app(logic.Pred), a[0]), m.app(logic.Minus, a[0], m.num(1)))
	}),

	// Integers.
	member(logic.Natural, func(m maker, x term, _ []term) term { return m.le(m.num(0), x) }),
	member(logic.Natural1, func(m maker, x term, _ []term) term { return m.le(m.num(1), x) }),
	member(logic.UpTo, func(m maker, x term, a []term) term { return m.And(m.le(a[0], x), m.le(x, a[1])) }),
	axiom("le.antisymmetric", "a:ℤ b:ℤ", func(m maker, a []term) term { return m.implies(m.le(a[0], a[1]), m.le(a[1], a[0]), m.eq(a[0], a[1])) }),
	axiom("times.sign", "a:ℤ b:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(m.num(0), a[0]), m.le(m.num(0), a[1]), m.le(m.num(0), m.times(a[0], a[1])))
	}),
	// ÷ truncates toward zero.
	axiom("div.pos.pos", "a:ℤ b:ℤ", quotient(+1, +1)),
	axiom("div.neg.pos", "a:ℤ b:ℤ", quotient(-1, +1)),
	axiom("div.pos.neg", "a:ℤ b:ℤ", quotient(+1, -1)),
	axiom("div.neg.neg", "a:ℤ b:ℤ", quotient(-1, -1)),
	axiom("mod", "a:ℤ b:ℤ", func(m maker, a []term) term {
		rest := m.app(logic.Minus, a[0], m.times(a[1], m.app(logic.Div, a[0], a[1])))
		return m.implies(m.le(m.num(0), a[0]), m.lt(m.num(0), a[1]), m.eq(m.app(logic.Mod, a[0], a[1]), rest))
	}),
	axiom("power.zero", "a:ℤ", func(m maker, a []term) term { return m.eq(m.app(logic.Exp, a[0], m.num(0)), m.num(1)) }),
	axiom("power.next", "a:ℤ n:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(m.num(0), a[1]), m.eq(m.app(logic.Exp, a[0], m.plus(a[1], m.num(1))), m.times(a[0], m.app(logic.Exp, a[0], a[1]))))
	}),
	special("induction", logic.Forall, func(m maker, f term) term {
		p, nat := m.context(f, logic.IntType), func(n term) term { return m.le(m.num(0), n) }
		step := m.all(logic.IntType, func(n term) term { return m.implies(nat(n), p(n), p(m.plus(n, m.num(1)))) })
		return m.implies(p(m.num(0)), step, m.all(logic.IntType, func(n term) term { return m.implies(nat(n), p(n)) }))
	}),

	// Minimum and maximum, of a set that is bounded and has an element x.
	axiom("min.member", "s:ℙℤ x:ℤ", bounded(logic.Le, func(m maker, s, x term) term { return m.in(m.app(logic.Min, s), s) })),
	axiom("min.least", "s:ℙℤ x:ℤ", bounded(logic.Le, func(m maker, s, x term) term { return m.le(m.app(logic.Min, s), x) })),
	axiom("max.member", "s:ℙℤ x:ℤ", bounded(logic.Ge, func(m maker, s, x term) term { return m.in(m.app(logic.Max, s), s) })),
	axiom("max.greatest", "s:ℙℤ x:ℤ", bounded(logic.Ge, func(m maker, s, x term) term { return m.le(x, m.app(logic.Max, s)) })),

	// Finite sets and cardinality.
	special("finite.empty", logic.Empty, func(m maker, t term) term { return m.finite(t) }),
	axiom("finite.insert", "s:ℙα x:α", func(m maker, a []term) term { return m.iff(m.finite(m.insert(a[0], a[1])), m.finite(a[0])) }),
	special("finite.induction", logic.Forall, func(m maker, f term) term {
		t := m.Decls(f)[0]
		p, none := m.context(f, t), m.empty(t)
		step := m.bind(logic.Forall, func(v []term) term {
			return m.implies(m.finite(v[0]), m.not(m.in(v[1], v[0])), p(v[0]), p(m.insert(v[0], v[1])))
		}, t, m.Elem(t))
		return m.implies(p(none), step, m.all(t, func(s term) term { return m.implies(m.finite(s), p(s)) }))
	}),
	special("card.empty", logic.Empty, func(m maker, t term) term { return m.eq(m.card(t), m.num(0)) }),
	axiom("card.insert", "s:ℙα x:α", func(m maker, a []term) term {
		return m.implies(m.finite(a[0]), m.not(m.in(a[1], a[0])), m.eq(m.card(m.insert(a[0], a[1])), m.plus(m.card(a[0]), m.num(1))))
	}),
}

func (m maker) rel(op logic.Op, r, s, t term) term { return m.in(r, m.app(op, s, t)) }
func (m maker) total(r, s term) term               { return m.eq(m.app(logic.Dom, r), s) }
func (m maker) onto(r, t term) term                { return m.eq(m.app(logic.Ran, r), t) }
func (m maker) insert(s, x term) term              { return m.app(logic.Union, s, m.app(logic.SetExt, x)) }

// bounded says that body holds of s and x if x∈s and ∃b·∀z·z∈s ⇒ b rel z, as D has it.
func bounded(rel logic.Op, body func(m maker, s, x term) term) func(m maker, a []term) term {
	return func(m maker, a []term) term {
		bound := m.some(logic.IntType, func(term) term {
			return m.all(logic.IntType, func(z term) term { return m.implies(m.in(z, a[0]), m.app(rel, m.Bound(1, logic.IntType), z)) })
		})
		return m.implies(bound, m.in(a[1], a[0]), body(m, a[0], a[1]))
	}
}

// over quantifies predicate p with the declarations of binder t.
func (m maker) over(op logic.Op, t, p term) term { return must(m.TryQuant(op, m.Decls(t), nil, p)) }

// partition returns s = p1∪…∪pn and pi∩pj=∅ for i<j.
func (m maker) partition(s term, parts []term) term {
	none := m.empty(m.Type(s))
	all := none
	if len(parts) == 1 {
		all = parts[0]
	} else if len(parts) > 1 {
		all = m.app(logic.Union, parts...)
	}
	conj := []term{m.eq(s, all)}
	for i, p := range parts {
		for _, q := range parts[i+1:] {
			conj = append(conj, m.eq(m.app(logic.Inter, p, q), none))
		}
	}
	return m.And(conj...)
}

// chain returns ∃y1…·x1↦y1∈r1 ∧ y1↦y2∈r2 ∧ … for x = x1↦x2 and r1;r2;….
func (m maker) chain(x term, rs []term) term {
	var mids []logic.Type
	for _, r := range rs[1:] {
		mids = append(mids, m.from(r))
	}
	return m.bind(logic.Exists, func(v []term) term {
		stops := slices.Concat([]term{m.left(x)}, v, []term{m.right(x)})
		var conj []term
		for i, r := range rs {
			conj = append(conj, m.in(m.pair(stops[i], stops[i+1]), r))
		}
		return m.And(conj...)
	}, mids...)
}

// match returns the condition for x∈{z·P∣E} where E is a pattern that determines
// z from x: P and e_j = x_j, for z replaced by components of x. The pattern E is taken
// apart along ↦ together with x; a leaf that is a variable not met before gives that
// variable its value, any other leaf e_j an equation with the component x_j there.
func (m maker) match(x, s, p, e term) term {
	n := len(m.Decls(s))
	vals := make([]term, n)
	var leaves [][2]term
	var walk func(x, e term)
	walk = func(x, e term) {
		switch {
		case m.Op(e) == logic.Maplet:
			walk(m.left(x), m.Arg(e, 0))
			walk(m.right(x), m.Arg(e, 1))
		case m.Op(e) == logic.Bound && vals[n-1-m.Index(e)] == 0:
			vals[n-1-m.Index(e)] = x
		default:
			leaves = append(leaves, [2]term{e, x})
		}
	}
	walk(x, e)
	need(!slices.Contains(vals, 0), "the pattern does not determine all variables")
	conj := []term{m.Instantiate(p, vals)}
	for _, l := range leaves {
		conj = append(conj, m.eq(m.Instantiate(l[0], vals), l[1]))
	}
	return m.And(conj...)
}

// quotient says what q = a÷b satisfies if a has sign sa, or is 0, and b has sign
// sb: q has sign sa∗sb, or is 0, and sa∗b∗q ≤ sa∗a < sa∗b∗q + sb∗b.
func quotient(sa, sb int64) func(m maker, a []term) term {
	return func(m maker, a []term) term {
		signed := func(sign int64, t term) term {
			if sign < 0 {
				return m.app(logic.Neg, t)
			}
			return t
		}
		q, zero := m.app(logic.Div, a[0], a[1]), m.num(0)
		p, l, r := signed(sa, m.times(a[1], q)), signed(sa, a[0]), signed(sb, a[1])
		return m.implies(m.le(zero, l), m.lt(zero, r), m.And(m.le(zero, signed(sa*sb, q)), m.le(p, l), m.lt(l, m.plus(p, r))))
	}
}

var (
	byName   = map[string]*Schema{}
	memberOf [logic.NumOps]*Schema
)

func init() {
	for _, s := range axioms {
		byName[s.Name] = s
		if s.Member {
			memberOf[s.Op] = s
		}
	}
}

// Axioms returns the axiom table. The caller must not change it.
func Axioms() []*Schema { return axioms }

// Lookup returns the axiom schema called name, or nil.
func Lookup(name string) *Schema { return byName[name] }

// Membership returns the schema that says when x∈S, for a term S of op, or nil.
func Membership(op logic.Op) *Schema { return memberOf[op] }
