package recheck

// condition returns D(t), the condition under which t is well-defined.
func (s *store) condition(t *Term) *Term {
	d, ok := s.known[t]
	if !ok {
		d = s.computeCondition(t)
		s.known[t] = d
	}
	return d
}

// computeCondition is the condition under which a term is well-defined.
func (s *store) computeCondition(t *Term) *Term {
	truth, d := s.app("true"), s.condition
	// What stands left of a part of these is assumed for it; elsewhere all parts are needed.
	switch t.op {
	case "choose":
		return truth
	case "and", "or":
		rest := truth
		for i := len(t.args) - 1; i >= 0; i-- {
			under := s.under(t.args[i], rest)
			if t.op == "or" {
				under = s.unless(t.args[i], rest)
			}
			rest = s.both(d(t.args[i]), under)
		}
		return rest
	case "implies":
		return s.both(d(t.args[0]), s.under(t.args[0], d(t.args[1])))
	case "forall", "exists":
		return s.always(t, d(t.args[0]))
	case "comprehension", "union-over", "inter-over":
		every := s.always(t, s.both(d(t.args[0]), s.under(t.args[0], d(t.args[1]))))
		if t.op == "inter-over" && t.args[0] != truth {
			return s.all(every, s.binder("exists", 0, t.decls, t.args[0]))
		}
		return every
	}
	var needed []*Term
	for _, a := range t.args {
		needed = append(needed, d(a))
	}
	if t.op == "apply" && words("pred succ prj1 prj2 id")[t.args[0].op] {
		return s.all(needed...) // these apply to all values
	}
	env := map[string]*Term{"Z": s.int(0)}
	for i, p := range conditions[t.op].params {
		env[p.word] = t.args[i]
	}
	for _, f := range conditions[t.op].formulas {
		needed = append(needed, s.eval(f, env))
	}
	return s.all(needed...)
}

// all returns the conjunction of what is not ⊤ among ps.
func (s *store) all(ps ...*Term) *Term {
	var out []*Term
	for _, p := range ps {
		if p != s.app("true") {
			out = append(out, p)
		}
	}
	return s.join("and", "true", out)
}

func (s *store) both(p, q *Term) *Term { return s.all(p, q) }

// unless returns p ∨ q, ⊤ if one of them is.
func (s *store) unless(p, q *Term) *Term {
	if truth := s.app("true"); p == truth || q == truth {
		return truth
	}
	return s.app("or", p, q)
}

// under returns p ⇒ q, simplified.
func (s *store) under(p, q *Term) *Term {
	truth := s.app("true")
	switch {
	case q == truth || p == q:
		return truth
	case p == truth:
		return q
	case q.op == "implies":
		return s.app("implies", s.app("and", p, q.args[0]), q.args[1])
	}
	return s.app("implies", p, q)
}

// always returns ∀x·p over the variables of binder t.
func (s *store) always(t, p *Term) *Term {
	if p == s.app("true") {
		return p
	}
	return s.binder("forall", 0, t.decls, p)
}
