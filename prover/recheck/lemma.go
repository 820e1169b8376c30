package recheck

import (
	"errors"
	"maps"
	"slices"
)

// A lemma is a statement with a certificate, over parameters.
type lemma struct {
	*store
	name       string
	statement  *Term
	parameters []*Term
	err        error
}

// Lemmas returns the names of the lemmas, sorted.
func (l *Library) Lemmas() []string { return slices.Sorted(maps.Keys(l.certificates)) }

// Lemma returns why the certificate of a lemma is refused, nil if it is not.
func (l *Library) Lemma(name string) (err error) {
	defer catch(&err)
	l.lemma(name)
	return nil
}

// lemma returns a lemma whose certificate is accepted.
func (l *Library) lemma(name string) *lemma {
	m := l.lemmas[name]
	if m == nil {
		text, ok := l.certificates[name]
		need(ok, "no lemma %q", name)
		// Entered before it is checked: a lemma that uses itself, by whatever way round, meets
		// this error.
		m = &lemma{store: newStore(), name: name, err: errors.New("it rests on itself")}
		l.lemmas[name] = m
		m.err = m.load(l, text)
	}
	need(m.err == nil, "lemma %s: %v", name, m.err)
	return m
}

// load checks the certificate of a lemma, whose last term is what it states.
func (m *lemma) load(l *Library, text []byte) (err error) {
	defer catch(&err)
	r := newReader(m.store, text)
	r.certificate()
	need(len(r.terms) > 0, "no statement")
	c := checker{reader: r, library: l, lemma: true, normals: map[*Term]polynomial{}}
	c.goal = c.formula(r.terms[len(r.terms)-1])
	c.check(Result{})
	m.statement = c.goal
	// Parameters are in the order of the statement: a use gives its terms in that order.
	m.find(m.statement, map[*Term]bool{})
	return nil
}

// find collects the free identifiers of t in the order in which they occur.
func (m *lemma) find(t *Term, seen map[*Term]bool) {
	if t.op == "free" && !seen[t] {
		m.parameters = append(m.parameters, t)
	}
	for i := 0; i < len(t.args) && !seen[t]; i++ {
		m.find(t.args[i], seen)
	}
	seen[t] = true
}

// instance returns the statement in s, with args for the parameters.
func (m *lemma) instance(s *store, args []*Term) *Term {
	need(len(args) == len(m.parameters), "%s: %d arguments for %d parameters", m.name, len(args), len(m.parameters))
	c := copier{s, map[*Type]*Type{}, map[*Term]*Term{}}
	for i, p := range m.parameters {
		need(c.match(p.typ, args[i].typ), "%s: argument %d has another type", m.name, i)
		c.terms[p] = args[i]
	}
	return c.term(m.statement)
}

// A copier writes terms of one store in another, with types for carrier sets and terms for
// identifiers.
type copier struct {
	to    *store
	given map[*Type]*Type
	terms map[*Term]*Term
}

// match gives carrier sets in t types, so that it becomes u, if that is possible.
func (c *copier) match(t, u *Type) bool {
	if t.kind == 'G' {
		// A lemma holds for all carrier sets, so any type may stand for one, the same everywhere;
		// a predicate is none.
		if c.given[t] == nil {
			c.given[t] = u
		}
		return c.given[t] == u && u.kind != 'o'
	}
	return t.kind == u.kind && (t.a == nil || c.match(t.a, u.a)) && (t.b == nil || c.match(t.b, u.b))
}

func (c *copier) typ(t *Type) *Type {
	switch {
	case t == nil || c.given[t] != nil:
		return c.given[t]
	case t.kind == 'G':
		return c.to.given(t.name)
	}
	return c.to.typ(t.kind, t.name, c.typ(t.a), c.typ(t.b))
}

// term copies a term of a lemma, with types in the place of carrier sets.
func (c *copier) term(t *Term) *Term {
	if u := c.terms[t]; u != nil {
		return u
	}
	u := Term{op: t.op, typ: c.typ(t.typ), name: t.name, value: t.value, index: t.index}
	for _, d := range t.decls {
		u.decls = append(u.decls, c.typ(d))
	}
	for _, a := range t.args {
		u.args = append(u.args, c.term(a))
	}
	out := c.to.intern(u)
	// The carrier set itself becomes the set of all elements of its type.
	if t.op == "given" {
		out = c.to.whole(u.typ.a)
	}
	c.terms[t] = out
	return out
}
