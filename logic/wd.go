package logic

// D returns the well-definedness condition of t: Rodin's D operator, left to
// right (Mehta; reference §3.1). It is raw: neither flattened nor improved.
// Children come first, local conditions last. D of a dangling term is dangling.
func (b *Bank) D(t Term) Term {
	if u, ok := b.wds[t]; ok {
		return u
	}
	u := b.wd(t)
	if !b.frozen {
		b.wds[t] = u
	}
	return u
}

// wd is the condition under which a term is well-defined, built from the conditions of its parts.
func (b *Bank) wd(t Term) Term {
	top := b.App(True)
	args := b.Args(t)
	var conj []Term
	add := func(predicate Term) {
		if predicate != top {
			conj = append(conj, predicate)
		}
	}
	// Here what stands left of a part may be assumed for it.
	switch op := b.Op(t); op {
	case And, Or:
		res := top
		for i := len(args) - 1; i >= 0; i-- {
			if op == And {
				res = b.wdAnd(b.D(args[i]), b.wdImplies(args[i], res))
			} else {
				res = b.wdAnd(b.D(args[i]), b.wdOr(args[i], res))
			}
		}
		return res
	case Implies:
		return b.wdAnd(b.D(args[0]), b.wdImplies(args[0], b.D(args[1])))
	case Forall, Exists:
		return b.wdForall(t, b.D(args[0]))
	case Compr, QUnion, QInter:
		add(b.wdForall(t, b.wdAnd(b.D(args[0]), b.wdImplies(args[0], b.D(args[1])))))
		if op == QInter && args[0] != top {
			add(b.quant(Exists, Prop, b.Decls(t), b.namesOf(t), args[0]))
		}
		return b.And(conj...)
	case Eps: // occurs in proofs only; always defined
		return top
	}
	// Everywhere else all arguments must be defined, and then the operator itself.
	for _, a := range args {
		add(b.D(a))
	}
	zero := func() Term { return b.Int64(0) }
	switch op := b.Op(t); op {
	case Apply:
		switch b.Op(args[0]) {
		case Pred, Succ, Prj1, Prj2, Id:
		default:
			s, u := b.RelPair(b.Type(args[0]))
			add(b.App(In, args[1], b.App(Dom, args[0])))
			add(b.App(In, args[0], b.App(PFun, b.TypeExpr(s), b.TypeExpr(u))))
		}
	case Div:
		add(b.App(Neq, args[1], zero()))
	case Mod:
		add(b.App(Le, zero(), args[0]))
		add(b.App(Lt, zero(), args[1]))
	case Exp:
		add(b.App(Le, zero(), args[0]))
		add(b.App(Le, zero(), args[1]))
	case Card:
		add(b.App(Finite, args[0]))
	case Min, Max:
		add(b.nonEmpty(args[0]))
		add(b.bounded(op, args[0]))
	case GInter:
		add(b.nonEmpty(args[0]))
	}
	return b.And(conj...)
}

func (b *Bank) nonEmpty(s Term) Term { return b.App(Neq, s, b.Atom(Empty, b.Type(s))) }

// bounded returns ∃b·∀x·x∈S ⇒ b ≤ x for Min, … b ≥ x for Max.
func (b *Bank) bounded(op Op, s Term) Term {
	rel := Le
	if op == Max {
		rel = Ge
	}
	x, bound := b.Bound(0, IntType), b.Bound(1, IntType)
	body := b.App(Implies, b.App(In, x, b.Shift(s, 2, 0)), b.App(rel, bound, x))
	z := []Type{IntType}
	return b.Quant(Exists, z, &Hint{Names: []string{"b"}}, b.Quant(Forall, z, &Hint{Names: []string{"x"}}, body))
}

func (b *Bank) wdAnd(p, q Term) Term {
	switch top := b.App(True); {
	case p == top:
		return q
	case q == top:
		return p
	}
	return b.App(And, p, q)
}

func (b *Bank) wdOr(p, q Term) Term {
	if top := b.App(True); p == top || q == top {
		return top
	}
	return b.App(Or, p, q)
}

// wdImplies returns p ⇒ q, simplified: A⇒⊤ = ⊤, ⊤⇒A = A, A⇒(B⇒C) = A∧B⇒C, A⇒A = ⊤.
func (b *Bank) wdImplies(predicate, term Term) Term {
	top := b.App(True)
	switch {
	case term == top || b.Bare(predicate) == b.Bare(term):
		return top
	case predicate == top:
		return term
	case b.Op(term) == Implies:
		return b.App(Implies, b.App(And, predicate, b.Arg(term, 0)), b.Arg(term, 1))
	}
	return b.App(Implies, predicate, term)
}

// wdForall quantifies p over the declarations of binder t.
func (b *Bank) wdForall(t, p Term) Term {
	if p == b.App(True) {
		return p
	}
	return b.quant(Forall, Prop, b.Decls(t), b.namesOf(t), p)
}

// namesOf returns the names of binder t for another binder with the same declarations.
func (b *Bank) namesOf(t Term) *Hint {
	h, ok := b.Hint(t)
	if !ok {
		return nil
	}
	return &Hint{Names: h.Names}
}
