package kernel

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

type term = logic.Term

// member makes the schema of one set operator: x∈S ⇔ body(x, arguments of S).
func member(op logic.Op, params string, body func(m maker, x term, a []term) term) *Schema {
	return &Schema{Name: "mem." + opNames[op], Op: op, Params: params, body: func(m maker, a []term) term {
		m.require(m.Op(a[1]) == op, "another operator")
		return m.iff(m.in(a[0], a[1]), body(m, a[0], m.Args(a[1])))
	}}
}

// atomic makes the schema of a set operator without arguments.
func atomic(op logic.Op, sample func(m maker) term, body func(m maker, x term) term) *Schema {
	s := member(op, "", func(m maker, x term, _ []term) term { return body(m, x) })
	s.sample = func(m maker) []term {
		t := sample(m)
		return []term{m.Free("x", m.Elem(m.Type(t))), t}
	}
	return s
}

// relation makes the schema of a set of relations: r∈s op t ⇔ the conjunction of body.
func relation(op logic.Op, body func(m maker, r, s, t term) []term) *Schema {
	return member(op, "s:ℙα t:ℙβ", func(m maker, r term, a []term) term { return m.and(body(m, r, a[0], a[1])...) })
}

// axiom makes any other schema.
func axiom(name, params string, body func(m maker, a []term) term) *Schema {
	return &Schema{Name: name, Params: params, body: body}
}

// axioms is the axiom table. Everything that is not logic, equality or linear
// arithmetic stands here; every entry is evaluated in small scopes by the tests.
var axioms = []*Schema{
	// Sets.
	axiom("type", "x:α", func(m maker, a []term) term { return m.in(a[0], m.TypeExpr(m.Type(a[0]))) }),
	axiom("set.eq", "s:ℙα t:ℙα", func(m maker, a []term) term {
		return m.iff(m.eq(a[0], a[1]), m.all(m.elem(a[0]), func(x term) term { return m.iff(m.in(x, a[0]), m.in(x, a[1])) }))
	}),
	axiom("subset.eq", "s:ℙα t:ℙα", func(m maker, a []term) term {
		return m.iff(m.app(logic.SubsetEq, a[0], a[1]), m.all(m.elem(a[0]), func(x term) term {
			return m.implies(m.in(x, a[0]), m.in(x, a[1]))
		}))
	}),
	axiom("subset", "s:ℙα t:ℙα", func(m maker, a []term) term {
		return m.iff(m.app(logic.Subset, a[0], a[1]), m.and(m.app(logic.SubsetEq, a[0], a[1]), m.not(m.eq(a[0], a[1]))))
	}),
	{Name: "partition", Params: "p:partition", sample: func(m maker) []term {
		return []term{m.app(logic.Partition, m.params("s:ℙα t:ℙα u:ℙα")...)}
	}, body: func(m maker, a []term) term {
		m.require(m.Op(a[0]) == logic.Partition, "no partition")
		return m.iff(a[0], m.partition(m.Args(a[0])))
	}},
	atomic(logic.Empty, func(m maker) term { return m.empty(m.PowType(m.GivenType("α"))) },
		func(m maker, x term) term { return m.app(logic.False) }),
	member(logic.SetExt, "a:α b:α", func(m maker, x term, a []term) term {
		return m.or(each(a, func(e term) term { return m.eq(x, e) })...)
	}),
	member(logic.Union, "s:ℙα t:ℙα", func(m maker, x term, a []term) term {
		return m.or(each(a, func(s term) term { return m.in(x, s) })...)
	}),
	member(logic.Inter, "s:ℙα t:ℙα", func(m maker, x term, a []term) term {
		return m.and(each(a, func(s term) term { return m.in(x, s) })...)
	}),
	member(logic.Diff, "s:ℙα t:ℙα", func(m maker, x term, a []term) term {
		return m.and(m.in(x, a[0]), m.not(m.in(x, a[1])))
	}),
	member(logic.Pow, "s:ℙα", func(m maker, x term, a []term) term { return m.app(logic.SubsetEq, x, a[0]) }),
	member(logic.Pow1, "s:ℙα", func(m maker, x term, a []term) term {
		return m.and(m.app(logic.SubsetEq, x, a[0]), m.not(m.eq(x, m.empty(m.Type(x)))))
	}),
	member(logic.GUnion, "s:ℙℙα", func(m maker, x term, a []term) term {
		return m.some(m.elem(a[0]), func(s term) term { return m.and(m.in(s, a[0]), m.in(x, s)) })
	}),
	{Name: "mem.inter-of", Op: logic.GInter, Params: "s:ℙℙα", body: func(m maker, a []term) term {
		m.require(m.Op(a[1]) == logic.GInter, "another operator")
		s := m.Arg(a[1], 0)
		return m.implies(m.not(m.eq(s, m.empty(m.Type(s)))), m.iff(m.in(a[0], a[1]),
			m.all(m.elem(s), func(u term) term { return m.implies(m.in(u, s), m.in(a[0], u)) })))
	}},
	{Name: "mem.comprehension", Op: logic.Compr, sample: func(m maker) []term { return m.sampleBinder(logic.Compr) },
		body: func(m maker, a []term) term { return m.binder(logic.Compr, logic.Eq, a) }},
	{Name: "mem.union-over", Op: logic.QUnion, sample: func(m maker) []term { return m.sampleBinder(logic.QUnion) },
		body: func(m maker, a []term) term { return m.binder(logic.QUnion, logic.In, a) }},
	{Name: "mem.inter-over", Op: logic.QInter, sample: func(m maker) []term { return m.sampleBinder(logic.QInter) },
		body: func(m maker, a []term) term {
			m.require(m.Op(a[1]) == logic.QInter, "another operator")
			p, e := m.Arg(a[1], 0), m.Arg(a[1], 1)
			return m.implies(m.over(logic.Exists, a[1], p), m.iff(m.in(a[0], a[1]), m.over(logic.Forall, a[1], m.implies(p, m.in(a[0], e)))))
		}},
	{Name: "mem.pattern", Params: "x:α s:pattern", sample: func(m maker) []term { return m.sampleBinder(logic.Compr) },
		body: func(m maker, a []term) term { return m.iff(m.in(a[0], a[1]), m.match(a[0], a[1])) }},

	// Pairs and truth values.
	axiom("pair", "x:(α×β)", func(m maker, a []term) term {
		t := m.Type(a[0])
		return m.eq(a[0], m.pair(m.app(logic.Apply, m.projection(logic.Prj1, t), a[0]), m.app(logic.Apply, m.projection(logic.Prj2, t), a[0])))
	}),
	axiom("bool", "x:B", func(m maker, a []term) term {
		return m.or(m.eq(a[0], m.app(logic.TrueE)), m.eq(a[0], m.app(logic.FalseE)))
	}),
	{Name: "bool.of", Params: "p:bool", sample: func(m maker) []term {
		return []term{m.app(logic.BoolOf, m.le(m.Free("x", logic.IntType), m.Free("y", logic.IntType)))}
	}, body: func(m maker, a []term) term {
		m.require(m.Op(a[0]) == logic.BoolOf, "no bool")
		return m.iff(m.eq(a[0], m.app(logic.TrueE)), m.Arg(a[0], 0))
	}},

	// Relations.
	member(logic.CProd, "s:ℙα t:ℙβ", func(m maker, x term, a []term) term {
		return m.and(m.in(m.left(x), a[0]), m.in(m.right(x), a[1]))
	}),
	member(logic.Dom, "r:ℙ(α×β)", func(m maker, x term, a []term) term {
		_, t := m.ends(a[0])
		return m.some(t, func(y term) term { return m.in(m.pair(x, y), a[0]) })
	}),
	member(logic.Ran, "r:ℙ(α×β)", func(m maker, y term, a []term) term {
		s, _ := m.ends(a[0])
		return m.some(s, func(x term) term { return m.in(m.pair(x, y), a[0]) })
	}),
	member(logic.Image, "r:ℙ(α×β) s:ℙα", func(m maker, y term, a []term) term {
		return m.some(m.elem(a[1]), func(x term) term { return m.and(m.in(x, a[1]), m.in(m.pair(x, y), a[0])) })
	}),
	member(logic.Converse, "r:ℙ(α×β)", func(m maker, x term, a []term) term {
		return m.in(m.pair(m.right(x), m.left(x)), a[0])
	}),
	member(logic.DomRes, "s:ℙα r:ℙ(α×β)", func(m maker, x term, a []term) term {
		return m.and(m.in(x, a[1]), m.in(m.left(x), a[0]))
	}),
	member(logic.DomSub, "s:ℙα r:ℙ(α×β)", func(m maker, x term, a []term) term {
		return m.and(m.in(x, a[1]), m.not(m.in(m.left(x), a[0])))
	}),
	member(logic.RanRes, "r:ℙ(α×β) s:ℙβ", func(m maker, x term, a []term) term {
		return m.and(m.in(x, a[0]), m.in(m.right(x), a[1]))
	}),
	member(logic.RanSub, "r:ℙ(α×β) s:ℙβ", func(m maker, x term, a []term) term {
		return m.and(m.in(x, a[0]), m.not(m.in(m.right(x), a[1])))
	}),
	member(logic.FComp, "r:ℙ(α×β) q:ℙ(β×γ)", func(m maker, x term, a []term) term { return m.chain(x, a) }),
	member(logic.BComp, "q:ℙ(β×γ) r:ℙ(α×β)", func(m maker, x term, a []term) term {
		a = slices.Clone(a)
		slices.Reverse(a)
		return m.chain(x, a)
	}),
	member(logic.Ovr, "r:ℙ(α×β) q:ℙ(α×β)", func(m maker, x term, a []term) term {
		n := len(a) - 1
		first := a[0]
		if n > 1 {
			first = m.app(logic.Ovr, a[:n]...)
		}
		return m.or(m.in(x, a[n]), m.and(m.in(x, first), m.not(m.in(m.left(x), m.app(logic.Dom, a[n])))))
	}),
	member(logic.DProd, "p:ℙ(α×β) q:ℙ(α×γ)", func(m maker, x term, a []term) term {
		y := m.right(x)
		return m.and(m.in(m.pair(m.left(x), m.left(y)), a[0]), m.in(m.pair(m.left(x), m.right(y)), a[1]))
	}),
	member(logic.PProd, "p:ℙ(α×β) q:ℙ(γ×δ)", func(m maker, x term, a []term) term {
		v, w := m.left(x), m.right(x)
		return m.and(m.in(m.pair(m.left(v), m.left(w)), a[0]), m.in(m.pair(m.right(v), m.right(w)), a[1]))
	}),
	atomic(logic.Id, func(m maker) term {
		t := m.GivenType("α")
		return m.Atom(logic.Id, m.RelType(t, t))
	}, func(m maker, x term) term { return m.eq(m.left(x), m.right(x)) }),
	atomic(logic.Prj1, func(m maker) term { return m.projection(logic.Prj1, m.ProdType(m.GivenType("α"), m.GivenType("β"))) },
		func(m maker, x term) term { return m.eq(m.left(m.left(x)), m.right(x)) }),
	atomic(logic.Prj2, func(m maker) term { return m.projection(logic.Prj2, m.ProdType(m.GivenType("α"), m.GivenType("β"))) },
		func(m maker, x term) term { return m.eq(m.right(m.left(x)), m.right(x)) }),
	atomic(logic.Succ, func(m maker) term { return m.app(logic.Succ) }, func(m maker, x term) term {
		return m.eq(m.right(x), m.app(logic.Plus, m.left(x), m.num(1)))
	}),
	atomic(logic.Pred, func(m maker) term { return m.app(logic.Pred) }, func(m maker, x term) term {
		return m.eq(m.right(x), m.app(logic.Minus, m.left(x), m.num(1)))
	}),

	// Sets of relations. Between whole types, r∈σ⇸τ says that r is functional;
	// elsewhere it refers to that.
	relation(logic.Rel, func(m maker, r, s, t term) []term {
		return []term{m.app(logic.SubsetEq, r, m.app(logic.CProd, s, t))}
	}),
	relation(logic.TRel, func(m maker, r, s, t term) []term { return []term{m.rel(logic.Rel, r, s, t), m.total(r, s)} }),
	relation(logic.SRel, func(m maker, r, s, t term) []term { return []term{m.rel(logic.Rel, r, s, t), m.onto(r, t)} }),
	relation(logic.STRel, func(m maker, r, s, t term) []term {
		return []term{m.rel(logic.Rel, r, s, t), m.total(r, s), m.onto(r, t)}
	}),
	relation(logic.PFun, func(m maker, r, s, t term) []term {
		a, b := m.ends(r)
		if x, y := m.TypeExpr(a), m.TypeExpr(b); x != s || y != t {
			return []term{m.app(logic.SubsetEq, r, m.app(logic.CProd, s, t)), m.rel(logic.PFun, r, x, y)}
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
	axiom("apply", "f:ℙ(α×β) x:α y:β", func(m maker, a []term) term {
		return m.implies(m.in(m.pair(a[1], a[2]), a[0]), m.in(m.pair(a[1], m.app(logic.Apply, a[0], a[1])), a[0]))
	}),
	axiom("apply.dom", "f:ℙ(α×β) x:α", func(m maker, a []term) term {
		return m.implies(m.in(a[1], m.app(logic.Dom, a[0])), m.in(m.pair(a[1], m.app(logic.Apply, a[0], a[1])), a[0]))
	}),
	axiom("apply.unique", "f:ℙ(α×β) s:ℙα t:ℙβ x:α y:β", func(m maker, a []term) term {
		return m.implies(m.rel(logic.PFun, a[0], a[1], a[2]), m.in(m.pair(a[3], a[4]), a[0]), m.eq(m.app(logic.Apply, a[0], a[3]), a[4]))
	}),
	axiom("apply.id", "x:α", func(m maker, a []term) term {
		t := m.Type(a[0])
		return m.eq(m.app(logic.Apply, m.Atom(logic.Id, m.RelType(t, t)), a[0]), a[0])
	}),
	axiom("apply.prj1", "x:α y:β", func(m maker, a []term) term {
		p := m.pair(a[0], a[1])
		return m.eq(m.app(logic.Apply, m.projection(logic.Prj1, m.Type(p)), p), a[0])
	}),
	axiom("apply.prj2", "x:α y:β", func(m maker, a []term) term {
		p := m.pair(a[0], a[1])
		return m.eq(m.app(logic.Apply, m.projection(logic.Prj2, m.Type(p)), p), a[1])
	}),
	axiom("apply.succ", "x:ℤ", func(m maker, a []term) term {
		return m.eq(m.app(logic.Apply, m.app(logic.Succ), a[0]), m.app(logic.Plus, a[0], m.num(1)))
	}),
	axiom("apply.pred", "x:ℤ", func(m maker, a []term) term {
		return m.eq(m.app(logic.Apply, m.app(logic.Pred), a[0]), m.app(logic.Minus, a[0], m.num(1)))
	}),

	// Integers.
	atomic(logic.Natural, func(m maker) term { return m.app(logic.Natural) }, func(m maker, x term) term { return m.le(m.num(0), x) }),
	atomic(logic.Natural1, func(m maker) term { return m.app(logic.Natural1) }, func(m maker, x term) term { return m.le(m.num(1), x) }),
	member(logic.UpTo, "a:ℤ b:ℤ", func(m maker, x term, a []term) term { return m.and(m.le(a[0], x), m.le(x, a[1])) }),
	axiom("le.antisymmetric", "a:ℤ b:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(a[0], a[1]), m.le(a[1], a[0]), m.eq(a[0], a[1]))
	}),
	axiom("times.sign", "a:ℤ b:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(m.num(0), a[0]), m.le(m.num(0), a[1]), m.le(m.num(0), m.app(logic.Times, a[0], a[1])))
	}),
	// ÷ truncates toward zero: with q = a÷b, |b∗q| ≤ |a| < |b∗q|+|b| and b∗q has the sign of a.
	axiom("div.pos.pos", "a:ℤ b:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(m.num(0), a[0]), m.lt(m.num(0), a[1]), m.quotient(a[0], a[1], +1, +1))
	}),
	axiom("div.neg.pos", "a:ℤ b:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(a[0], m.num(0)), m.lt(m.num(0), a[1]), m.quotient(a[0], a[1], -1, +1))
	}),
	axiom("div.pos.neg", "a:ℤ b:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(m.num(0), a[0]), m.lt(a[1], m.num(0)), m.quotient(a[0], a[1], +1, -1))
	}),
	axiom("div.neg.neg", "a:ℤ b:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(a[0], m.num(0)), m.lt(a[1], m.num(0)), m.quotient(a[0], a[1], -1, -1))
	}),
	axiom("mod", "a:ℤ b:ℤ", func(m maker, a []term) term {
		q := m.app(logic.Times, a[1], m.app(logic.Div, a[0], a[1]))
		return m.implies(m.le(m.num(0), a[0]), m.lt(m.num(0), a[1]), m.eq(m.app(logic.Mod, a[0], a[1]), m.app(logic.Minus, a[0], q)))
	}),
	axiom("power.zero", "a:ℤ", func(m maker, a []term) term { return m.eq(m.app(logic.Exp, a[0], m.num(0)), m.num(1)) }),
	axiom("power.next", "a:ℤ n:ℤ", func(m maker, a []term) term {
		return m.implies(m.le(m.num(0), a[1]), m.eq(m.app(logic.Exp, a[0], m.app(logic.Plus, a[1], m.num(1))),
			m.app(logic.Times, a[0], m.app(logic.Exp, a[0], a[1]))))
	}),
	{Name: "induction", Params: "p:context", sample: func(m maker) []term {
		return []term{m.all(logic.IntType, func(n term) term { return m.in(n, m.Free("s", m.PowType(logic.IntType))) })}
	}, body: func(m maker, a []term) term {
		p := m.context(a[0], logic.IntType)
		step := m.all(logic.IntType, func(n term) term {
			return m.implies(m.le(m.num(0), n), p(n), p(m.app(logic.Plus, n, m.num(1))))
		})
		return m.implies(p(m.num(0)), step, m.all(logic.IntType, func(n term) term { return m.implies(m.le(m.num(0), n), p(n)) }))
	}},

	// Minimum and maximum, finite sets, cardinality.
	axiom("min.member", "s:ℙℤ b:ℤ x:ℤ", func(m maker, a []term) term {
		return m.implies(m.bound(a[0], a[1], logic.Le), m.in(a[2], a[0]), m.in(m.app(logic.Min, a[0]), a[0]))
	}),
	axiom("min.least", "s:ℙℤ b:ℤ x:ℤ", func(m maker, a []term) term {
		return m.implies(m.bound(a[0], a[1], logic.Le), m.in(a[2], a[0]), m.le(m.app(logic.Min, a[0]), a[2]))
	}),
	axiom("max.member", "s:ℙℤ b:ℤ x:ℤ", func(m maker, a []term) term {
		return m.implies(m.bound(a[0], a[1], logic.Ge), m.in(a[2], a[0]), m.in(m.app(logic.Max, a[0]), a[0]))
	}),
	axiom("max.greatest", "s:ℙℤ b:ℤ x:ℤ", func(m maker, a []term) term {
		return m.implies(m.bound(a[0], a[1], logic.Ge), m.in(a[2], a[0]), m.le(a[2], m.app(logic.Max, a[0])))
	}),
	{Name: "finite.empty", Params: "s:empty", sample: func(m maker) []term { return []term{m.empty(m.PowType(m.GivenType("α")))} },
		body: func(m maker, a []term) term {
			m.require(m.Op(a[0]) == logic.Empty, "no ∅")
			return m.app(logic.Finite, a[0])
		}},
	axiom("finite.insert", "s:ℙα x:α", func(m maker, a []term) term {
		return m.iff(m.app(logic.Finite, m.insert(a[0], a[1])), m.app(logic.Finite, a[0]))
	}),
	{Name: "finite.induction", Params: "p:context", sample: func(m maker) []term {
		s := m.PowType(m.GivenType("α"))
		return []term{m.all(s, func(x term) term { return m.in(x, m.Free("t", m.PowType(s))) })}
	}, body: func(m maker, a []term) term {
		m.require(m.Op(a[0]) == logic.Forall && len(m.Decls(a[0])) == 1, "no context")
		t := m.Decls(a[0])[0]
		m.require(m.Elem(t) != logic.NoType, "no context of sets")
		p := m.context(a[0], t)
		step := m.bind(logic.Forall, func(v []term) term {
			return m.implies(m.app(logic.Finite, v[0]), m.not(m.in(v[1], v[0])), p(v[0]), p(m.insert(v[0], v[1])))
		}, t, m.Elem(t))
		return m.implies(p(m.empty(t)), step, m.all(t, func(s term) term { return m.implies(m.app(logic.Finite, s), p(s)) }))
	}},
	{Name: "card.empty", Params: "s:empty", sample: func(m maker) []term { return []term{m.empty(m.PowType(m.GivenType("α")))} },
		body: func(m maker, a []term) term {
			m.require(m.Op(a[0]) == logic.Empty, "no ∅")
			return m.eq(m.app(logic.Card, a[0]), m.num(0))
		}},
	axiom("card.insert", "s:ℙα x:α", func(m maker, a []term) term {
		return m.implies(m.app(logic.Finite, a[0]), m.not(m.in(a[1], a[0])),
			m.eq(m.app(logic.Card, m.insert(a[0], a[1])), m.app(logic.Plus, m.app(logic.Card, a[0]), m.num(1))))
	}),
}

func (m maker) rel(op logic.Op, r, s, t term) term { return m.in(r, m.app(op, s, t)) }
func (m maker) total(r, s term) term               { return m.eq(m.app(logic.Dom, r), s) }
func (m maker) onto(r, t term) term                { return m.eq(m.app(logic.Ran, r), t) }
func (m maker) insert(s, x term) term              { return m.app(logic.Union, s, m.app(logic.SetExt, x)) }

// partition returns s = p1∪…∪pn and pi∩pj=∅ for i<j, of s, p1, …, pn.
func (m maker) partition(a []term) term {
	none := m.empty(m.Type(a[0]))
	s, parts := a[0], a[1:]
	whole := none
	if len(parts) == 1 {
		whole = parts[0]
	} else if len(parts) > 1 {
		whole = m.app(logic.Union, parts...)
	}
	conj := []term{m.eq(s, whole)}
	for i, p := range parts {
		for _, q := range parts[i+1:] {
			conj = append(conj, m.eq(m.app(logic.Inter, p, q), none))
		}
	}
	return m.and(conj...)
}

// chain returns ∃y1…·x1↦y1∈r1 ∧ y1↦y2∈r2 ∧ … for x = x1↦x2 and r1;r2;….
func (m maker) chain(x term, rs []term) term {
	var mids []logic.Type
	for _, r := range rs[1:] {
		s, _ := m.ends(r)
		mids = append(mids, s)
	}
	return m.bind(logic.Exists, func(v []term) term {
		stops := append(append([]term{m.left(x)}, v...), m.right(x))
		var conj []term
		for i, r := range rs {
			conj = append(conj, m.in(m.pair(stops[i], stops[i+1]), r))
		}
		return m.and(conj...)
	}, mids...)
}

// over quantifies predicate p with the declarations of binder t.
func (m maker) over(op logic.Op, t, p term) term { return m.check(m.TryQuant(op, m.Decls(t), nil, p)) }

// binder returns x∈S ⇔ ∃z·P ∧ x rel E for S = op z·P∣E.
func (m maker) binder(op, rel logic.Op, a []term) term {
	m.require(m.Op(a[1]) == op, "another operator")
	p, e := m.Arg(a[1], 0), m.Arg(a[1], 1)
	return m.iff(m.in(a[0], a[1]), m.over(logic.Exists, a[1], m.and(p, m.app(rel, a[0], e))))
}

// sampleBinder returns x and op z·z∈p∣f(z), where the result for a comprehension is {z·z∈p∣z}.
func (m maker) sampleBinder(op logic.Op) []term {
	a := m.params("p:ℙα f:ℙ(α×ℙα)")
	z := m.Bound(0, m.elem(a[0]))
	e := z
	if op != logic.Compr {
		e = m.app(logic.Apply, a[1], z)
	}
	s := m.Quant(op, []logic.Type{m.Type(z)}, nil, m.in(z, a[0]), e)
	return []term{m.Free("x", m.elem(s)), s}
}

// match returns the condition for x∈{z·P∣E} where E is a pattern that determines
// z from x: P and e_j = x_j, for z replaced by components of x. The pattern E is taken
// apart along ↦ together with x; a leaf that is a variable not met before gives that
// variable its value, any other leaf e_j an equation with the component x_j there.
func (m maker) match(x, s term) term {
	m.require(m.Op(s) == logic.Compr, "no comprehension")
	decls := m.Decls(s)
	vals := make([]term, len(decls))
	var leaves [][2]term
	var walk func(x, e term)
	walk = func(x, e term) {
		if m.Op(e) == logic.Maplet {
			walk(m.left(x), m.Arg(e, 0))
			walk(m.right(x), m.Arg(e, 1))
			return
		}
		if m.Op(e) == logic.Bound && m.Index(e) < len(decls) && vals[len(decls)-1-m.Index(e)] == 0 {
			vals[len(decls)-1-m.Index(e)] = x
			return
		}
		leaves = append(leaves, [2]term{e, x})
	}
	walk(x, m.Arg(s, 1))
	m.require(!slices.Contains(vals, 0), "the pattern does not determine all variables")
	conj := []term{m.Instantiate(m.Arg(s, 0), vals)}
	for _, l := range leaves {
		conj = append(conj, m.eq(m.Instantiate(l[0], vals), l[1]))
	}
	return m.and(conj...)
}

// context returns P of ∀x·P, x of type t, as a function. Its argument may have
// dangling variables.
func (m maker) context(f term, t logic.Type) func(term) term {
	m.require(m.Op(f) == logic.Forall && slices.Equal(m.Decls(f), []logic.Type{t}), "no context")
	return func(x term) term { return m.Instantiate(m.Arg(f, 0), []term{x}) }
}

// bound returns ∀x·x∈s ⇒ b rel x.
func (m maker) bound(s, b term, rel logic.Op) term {
	return m.all(logic.IntType, func(x term) term { return m.implies(m.in(x, s), m.app(rel, b, x)) })
}

// quotient returns what q = a÷b satisfies if a has sign sa (or is 0) and b has sign sb:
// 0 ≤ sa∗b∗q ≤ sa∗a < sa∗b∗q + sb∗b.
func (m maker) quotient(a, b term, sa, sb int64) term {
	signed := func(sign int64, t term) term {
		if sign < 0 {
			return m.app(logic.Neg, t)
		}
		return t
	}
	q := m.app(logic.Div, a, b)
	p := signed(sa, m.app(logic.Times, b, q))
	return m.and(m.le(m.num(0), signed(sa*sb, q)), m.le(p, signed(sa, a)), m.lt(signed(sa, a), m.app(logic.Plus, p, signed(sb, b))))
}
