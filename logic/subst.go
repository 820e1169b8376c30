package logic

import "slices"

// rewrite rebuilds t with the variables and identifiers that leaf replaces.
// leaf gets a term and the number of variables bound between it and the root;
// it answers (u, true) to put u there, and (0, false) to go on inside.
func (b *Bank) rewrite(t Term, level int, leaf func(Term, int) (Term, bool)) Term {
	return b.rewriteIn(&memo{}, t, level, leaf)
}

// memo remembers what parts of a term were rebuilt as: the first few in a list, which is quicker
// than a table.
type memo struct {
	keys  [16]uint64
	terms [16]Term
	n     int
	rest  map[uint64]Term
}

// rewriteIn is t with its leaves replaced, level binders below where it began. The memo keeps shared parts shared.
func (b *Bank) rewriteIn(m *memo, t Term, level int, leaf func(Term, int) (Term, bool)) Term {
	if u, done := leaf(t, level); done {
		return u
	}
	args := b.Args(t)
	if len(args) == 0 {
		return t
	}
	// uint64(level)|The same term may mean another thing below another number of binders.
	key := uint64(t)<<32 | uint64(level)
	if i := slices.Index(m.keys[:m.n], key); i >= 0 {
		return m.terms[i]
	}
	if u, ok := m.rest[key]; ok {
		return u
	}
	n := *b.node(t)
	if n.op.IsBinder() {
		level += len(b.Decls(t))
	}
	var buf [8]Term
	out, same := buf[:0], true
	for _, a := range args {
		u := b.rewriteIn(m, a, level, leaf)
		out = append(out, u)
		same = same && u == a
	}
	u := t
	if !same {
		u = b.intern(node{op: n.op, typ: n.typ, aux: n.aux, index: n.index, hint: n.hint}, out)
	}
	if m.n < len(m.keys) {
		m.keys[m.n], m.terms[m.n] = key, u
		m.n++
		return u
	}
	if m.rest == nil {
		m.rest = map[uint64]Term{}
	}
	m.rest[key] = u
	return u
}

// Shift adds n to every dangling de Bruijn index of t that is at least from.
func (b *Bank) Shift(t Term, n, from int) Term {
	if n == 0 || b.Depth(t) <= from {
		return t
	}
	return b.rewriteDangling(t, from, func(t Term, level int) Term { return b.Bound(b.Index(t)+n, b.Type(t)) })
}

// rewriteDangling rebuilds t with the variables of t that are bound outside of it, at
// the given level, replaced by what leaf returns of them and their levels.
func (b *Bank) rewriteDangling(t Term, level int, leaf func(Term, int) Term) Term {
	return b.rewrite(t, level, func(t Term, level int) (Term, bool) {
		switch m := b.node(t); {
		case int(m.depth) <= level:
			return t, true
		case m.op != Bound:
			return 0, false
		}
		return leaf(t, level), true
	})
}

// Instantiate replaces the variables that a binder with len(vals) declarations
// binds in its argument body: declaration j by vals[j]. The values stand outside
// the binder. Types must agree.
func (b *Bank) Instantiate(body Term, vals []Term) Term {
	k := len(vals)
	return b.rewriteDangling(body, 0, func(term Term, level int) Term {
		i := b.Index(term) - level
		if i >= k {
			return b.Bound(b.Index(term)-k, b.Type(term))
		}
		variable := vals[k-1-i]
		if b.Type(variable) != b.Type(term) {
			panic("logic: value of another type than the variable")
		}
		return b.Shift(variable, level, 0)
	})
}

// Subst replaces free identifiers, simultaneously and without capture. Types
// must agree.
func (b *Bank) Subst(t Term, by map[Term]Term) Term {
	if len(by) == 0 {
		return t
	}
	return b.rewrite(t, 0, func(t Term, level int) (Term, bool) {
		if b.node(t).op != Free {
			return 0, false
		}
		u, ok := by[t]
		if !ok {
			return t, true
		}
		if b.Type(u) != b.Type(t) {
			panic("logic: substitution by a term of another type")
		}
		return b.Shift(u, level, 0), true
	})
}

// Abstract is the inverse of Instantiate: it replaces the free identifiers ids
// by the variables of a binder with that many declarations.
func (b *Bank) Abstract(t Term, ids []Term) Term {
	k := len(ids)
	return b.rewrite(t, 0, func(t Term, level int) (Term, bool) {
		switch m := b.node(t); m.op {
		case Bound:
			if int(m.index) >= level {
				return b.Bound(int(m.index)+k, m.typ), true
			}
			return t, true
		case Free:
			if j := slices.Index(ids, t); j >= 0 {
				return b.Bound(level+k-1-j, m.typ), true
			}
			return t, true
		}
		return 0, false
	})
}

// FreeIdents returns the free identifiers of ts, each once, in order of first
// occurrence. Carrier sets are not among them.
func (b *Bank) FreeIdents(ts ...Term) []Term {
	var out []Term
	b.visit(map[Term]bool{}, ts, func(t Term) bool {
		if b.Op(t) == Free {
			out = append(out, t)
		}
		return true
	})
	return out
}

// Occurs reports whether u is t or one of its subterms.
func (b *Bank) Occurs(u, t Term) bool {
	return !b.visit(map[Term]bool{}, []Term{t}, func(t Term) bool { return t != u })
}

// visit calls f for ts and all their subterms, each once, outer ones first, until
// f answers false. It reports whether f never did.
func (b *Bank) visit(seen map[Term]bool, ts []Term, f func(Term) bool) bool {
	for _, t := range ts {
		if !seen[t] {
			seen[t] = true
			if !f(t) || !b.visit(seen, b.Args(t), f) {
				return false
			}
		}
	}
	return true
}

// Bare returns t without hints.
func (b *Bank) Bare(t Term) Term {
	if b.node(t).bare {
		return t
	}
	if u, ok := b.bares[t]; ok {
		return u
	}
	n := *b.node(t)
	args := slices.Clone(b.Args(t))
	for i, a := range args {
		args[i] = b.Bare(a)
	}
	if n.op == SetExt && len(args) == 0 {
		n.op = Empty
	}
	u := b.intern(node{op: n.op, typ: n.typ, aux: n.aux, index: n.index}, args)
	if !b.frozen {
		b.bares[t] = u
	}
	return u
}

// Importer copies terms of one bank into another.
type Importer struct {
	dst, src *Bank
	bare     bool
	terms    map[Term]Term
	types    map[Type]Type
}

// NewImporter returns an importer into dst of terms of src; a bare one leaves
// hints behind.
func NewImporter(dst, src *Bank, bare bool) *Importer {
	return &Importer{dst, src, bare, map[Term]Term{}, map[Type]Type{}}
}

// Put makes u the copy of t. Its type must be the copy of the type of t.
func (im *Importer) Put(t, u Term) { im.terms[t] = u }

// PutType makes u the copy of t, before anything is copied.
func (im *Importer) PutType(t, u Type) { im.types[t] = u }

// Type copies t.
func (im *Importer) Type(t Type) Type {
	if t < firstType {
		return t
	}
	if u, ok := im.types[t]; ok {
		return u
	}
	n := im.src.typeNode(t)
	var u Type
	switch n.kind {
	case KindGiven:
		u = im.dst.GivenType(im.src.strs.get(n.name))
	case KindPow:
		u = im.dst.PowType(im.Type(n.a))
	default:
		u = im.dst.ProdType(im.Type(n.a), im.Type(n.b))
	}
	im.types[t] = u
	return u
}

// Term copies t.
func (im *Importer) Term(t Term) Term {
	if u, ok := im.terms[t]; ok {
		return u
	}
	s, d := im.src, im.dst
	n := *s.node(t)
	// A carrier set may become any type, and then it is the expression of that type.
	if n.op == Given {
		return d.TypeExpr(im.Type(s.Elem(n.typ)))
	}
	m := node{op: n.op, typ: im.Type(n.typ), index: n.index}
	switch {
	case n.op == Free:
		m.aux = d.str(s.Name(t))
	case n.op == Int:
		m.aux = d.ints.put(s.Value(t).String(), s.Value(t))
	case n.op.IsBinder():
		decls := slices.Clone(s.Decls(t))
		for i, x := range decls {
			decls[i] = im.Type(x)
		}
		m.aux = d.declID(decls)
	}
	args := slices.Clone(s.Args(t))
	switch {
	case n.hint != 0 && !im.bare:
		m.hint = 1 + d.hintID(s.hints.get(n.hint-1))
	case n.op == SetExt && len(args) == 0:
		m.op = Empty
	}
	for i, a := range args {
		args[i] = im.Term(a)
	}
	u := d.intern(m, args)
	im.terms[t] = u
	return u
}
