package recheck

// A literal is a formula or its negation; a clause is a disjunction of literals.
type literal struct {
	t   *Term
	not bool
}

type clause []literal

func (l literal) complement() literal { return literal{l.t, !l.not} }

// opposites are the relations that literals know as negations of others, and comparisons
// the rest of those that they know by others.
var opposites = map[string]string{"neq": "eq", "notin": "in", "notsubset": "subset", "notsubseteq": "subseteq"}

// literalOf returns the canonical literal of formula t.
func (s *store) literalOf(t *Term) literal {
	// Equations alone have two forms; the number of a term in the store orders them.
	l := s.unordered(t)
	if l.t.op == "eq" && l.t.args[0].id > l.t.args[1].id {
		l.t = s.app("eq", l.t.args[1], l.t.args[0])
	}
	return l
}

// unordered is literalOf without the order of equations.
func (s *store) unordered(t *Term) literal {
	switch t.op {
	case "not":
		return s.unordered(t.args[0]).complement()
	case "neq", "notin", "notsubset", "notsubseteq":
		return literal{s.app(opposites[t.op], t.args...), true}
	case "lt":
		return literal{s.app("le", t.args[1], t.args[0]), true}
	case "gt":
		return literal{s.app("le", t.args[0], t.args[1]), true}
	case "ge":
		return literal{s.app("le", t.args[1], t.args[0]), false}
	}
	return literal{t, false}
}

// canonical returns the canonical form of a signed formula.
func (s *store) canonical(l literal) literal {
	c := s.literalOf(l.t)
	return literal{c.t, c.not != l.not}
}

// with returns c and more, in a clause of its own.
func (c clause) with(more ...literal) clause { return append(c[:len(c):len(c)], more...) }

// clauses returns the clauses of c ∨ t.
func (s *store) clauses(c clause, t *Term) (out []clause) {
	switch t.op {
	case "and":
		for _, p := range t.args {
			out = append(out, s.clauses(c, p)...)
		}
		return out
	case "implies":
		return s.clauses(c.with(s.premises(t.args[0])...), t.args[1])
	case "iff":
		// p ⇔ q is read as p ⇒ q and q ⇒ p, in this order: clauses are picked by number.
		p, q := t.args[0], t.args[1]
		return append(s.clauses(c.with(s.premises(p)...), q), s.clauses(c.with(s.premises(q)...), p)...)
	}
	return []clause{c.with(s.disjuncts(t)...)}
}

func (s *store) premises(p *Term) (out clause) {
	switch p.op {
	case "true":
		return nil
	case "and":
		for _, q := range p.args {
			out = append(out, s.premises(q)...)
		}
		return out
	}
	return clause{s.literalOf(p).complement()}
}

func (s *store) disjuncts(p *Term) (out clause) {
	switch p.op {
	case "false":
		return nil
	case "or":
		for _, q := range p.args {
			out = append(out, s.disjuncts(q)...)
		}
		return out
	case "implies":
		return append(s.premises(p.args[0]), s.disjuncts(p.args[1])...)
	}
	return clause{s.literalOf(p)}
}

// definition returns the clauses that define p by its parts.
func (s *store) definition(p *Term) []clause {
	yes, no := literal{p, false}, literal{p, true}
	var parts, others clause
	if words("and or implies iff")[p.op] {
		for _, a := range p.args {
			l := s.literalOf(a)
			parts, others = append(parts, l), append(others, l.complement())
		}
	}
	switch p.op {
	case "true":
		return []clause{{yes}}
	case "false":
		return []clause{{no}}
	case "and":
		return conjunction(no, parts)
	case "or":
		return conjunction(yes, others)
	case "implies":
		return conjunction(yes, clause{parts[0], others[1]})
	case "iff":
		return []clause{{yes, parts[0], parts[1]}, {yes, others[0], others[1]}, {no, others[0], parts[1]}, {no, parts[0], others[1]}}
	}
	return nil
}

// conjunction says that l is false just if all parts are true.
func conjunction(l literal, parts clause) (out []clause) {
	last := clause{l.complement()}
	for _, p := range parts {
		out = append(out, clause{l, p})
		last = append(last, p.complement())
	}
	return append(out, last)
}

// instance returns {¬q, P[values]} for q = ∀x·P, and {q, ¬P[values]} for q = ∃x·P.
func (s *store) instance(q *Term, values []*Term) clause {
	need(q.op == "forall" || q.op == "exists", "no quantifier")
	need(len(values) == len(q.decls), "%d values for %d variables", len(values), len(q.decls))
	for i, v := range values {
		need(v.typ == q.decls[i], "value %d has another type than the variable", i)
	}
	l := s.literalOf(s.instantiate(q.args[0], values))
	if q.op == "forall" {
		return clause{{q, true}, l}
	}
	return clause{{q, false}, l.complement()}
}

// choice returns {¬q, P[w]} for q = ∃x·P, and {q, ¬P[w]} for q = ∀x·P, where w satisfies P,
// or violates it, if anything does.
func (s *store) choice(q *Term) clause {
	need(q.op == "forall" || q.op == "exists", "no quantifier")
	// The witness of ¬∀x·P is that of ∃x·¬P; ¬¬P is written P, so that both quantifiers share it.
	p := q.args[0]
	if q.op == "forall" {
		if p.op == "not" {
			p = p.args[0]
		} else {
			p = s.app("not", p)
		}
	}
	var values []*Term
	for i := range q.decls {
		values = append(values, s.binder("choose", i, q.decls, p))
	}
	c := s.instance(q, values)
	return clause{c[0].complement(), c[1].complement()}
}

// substitution returns {a≠b, ¬P[a], P[b]} for q = ∀x·P.
func (s *store) substitution(q, a, b *Term) clause {
	need(q.op == "forall", "a context is a ∀ with one variable")
	before, after := s.instance(q, []*Term{a}), s.instance(q, []*Term{b})
	return clause{s.literalOf(s.app("eq", a, b)).complement(), before[1].complement(), after[1]}
}
