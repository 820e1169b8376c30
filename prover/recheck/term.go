package recheck

import (
	"encoding/binary"
	"math/big"
)

// A Type is unique in its store: types are equal if their pointers are.
type Type struct {
	kind byte   // Z, B, G (a carrier set), P, *, and o for predicates
	name string // of G
	a, b *Type  // parts of P and *
	size int    // nodes, as a tree
	id   uint64
}

// A Term is unique in its store: terms are equal up to the names of bound variables if
// their pointers are, since bound variables are de Bruijn indices.
type Term struct {
	op    string
	typ   *Type
	args  []*Term
	name  string   // of free, given and mark
	value *big.Int // of int
	index int      // of bound: de Bruijn index; of choose: component
	decls []*Type  // of binders
	open  int      // 1 + the greatest index of a variable bound outside; 0 if closed
	id    uint64
}

// A store makes types and terms, each once.
type store struct {
	types map[Type]*Type
	terms map[string]*Term
	marks int

	prop, integer, boolean *Type
	known                  map[*Term]*Term // D, as far as computed
}

func newStore() *store {
	s := &store{types: map[Type]*Type{}, terms: map[string]*Term{}, known: map[*Term]*Term{}}
	s.prop, s.integer, s.boolean = s.typ('o', "", nil, nil), s.typ('Z', "", nil, nil), s.typ('B', "", nil, nil)
	return s
}

// maxTypeNodes bounds types, which grow twofold with each product of a type with itself.
const maxTypeNodes = 1 << 16

func (s *store) typ(kind byte, name string, a, b *Type) *Type {
	key := Type{kind: kind, name: name, a: a, b: b}
	if t := s.types[key]; t != nil {
		return t
	}
	t := key
	t.size, t.id = 1, uint64(len(s.types))
	for _, part := range []*Type{a, b} {
		if part != nil {
			t.size += part.size
		}
	}
	need(t.size <= maxTypeNodes, "type of more than %d nodes", maxTypeNodes)
	s.types[key] = &t
	return &t
}

func (s *store) given(name string) *Type   { return s.typ('G', name, nil, nil) }
func (s *store) power(a *Type) *Type       { return s.typ('P', "", a, nil) }
func (s *store) product(a, b *Type) *Type  { return s.typ('*', "", a, b) }
func (s *store) relation(a, b *Type) *Type { return s.power(s.product(a, b)) }

// part returns a part of a type, by the way to it: a or b each.
func part(t *Type, way string) *Type {
	for _, step := range way {
		if step == 'a' {
			t = t.a
		} else {
			t = t.b
		}
		need(t != nil, "a type without such a part")
	}
	return t
}

// intern returns the one term with these fields.
func (s *store) intern(t Term) *Term {
	key := append([]byte(t.op), 0)
	number := func(n uint64) { key = binary.AppendUvarint(key, n) }
	number(t.typ.id)
	number(uint64(t.index))
	number(uint64(len(t.decls)))
	for _, d := range t.decls {
		number(d.id)
	}
	// A term has arguments, a name or a value, so what comes last needs no length.
	for _, a := range t.args {
		number(a.id)
		t.open = max(t.open, a.open-len(t.decls))
	}
	key = append(key, t.name...)
	if t.value != nil {
		key = append(key, t.value.String()...)
	}
	if known := s.terms[string(key)]; known != nil {
		return known
	}
	if t.op == "bound" {
		t.open = t.index + 1
	}
	t.id = uint64(len(s.terms))
	s.terms[string(key)] = &t
	return &t
}

// app applies an operator to arguments.
func (s *store) app(op string, args ...*Term) *Term {
	return s.intern(Term{op: op, typ: s.result(op, args), args: args})
}

func (s *store) free(name string, t *Type) *Term {
	return s.intern(Term{op: "free", typ: t, name: name})
}

func (s *store) bound(i int, t *Type) *Term { return s.intern(Term{op: "bound", typ: t, index: i}) }

func (s *store) number(v *big.Int) *Term { return s.intern(Term{op: "int", typ: s.integer, value: v}) }

func (s *store) int(v int64) *Term { return s.number(big.NewInt(v)) }

// atom returns a generic atom, of which t is the type.
func (s *store) atom(op string, t *Type) *Term {
	need(fits(atoms[op], t), "%s of another type", op)
	return s.intern(Term{op: op, typ: t})
}

func (s *store) empty(t *Type) *Term { return s.atom("empty", t) }

// whole returns the set of all values of t.
func (s *store) whole(t *Type) *Term {
	switch t.kind {
	case 'Z':
		return s.app("integer")
	case 'B':
		return s.app("bool")
	case 'G':
		return s.intern(Term{op: "given", typ: s.power(t), name: t.name})
	case 'P':
		return s.app("pow", s.whole(t.a))
	case '*':
		return s.app("product", s.whole(t.a), s.whole(t.b))
	}
	refuse("predicates are not values")
	return nil
}

// binder returns op over variables of the given types; index is the component of a choice.
func (s *store) binder(op string, index int, decls []*Type, args ...*Term) *Term {
	need(index < len(decls), "%s without variable %d", op, index)
	for _, a := range args {
		s.agree(a, decls, 0, map[place]bool{})
	}
	typ := s.result(op, args)
	if op == "choose" {
		typ = decls[index]
	}
	return s.intern(Term{op: op, typ: typ, index: index, decls: decls, args: args})
}

// A place is a term under a number of variables.
type place struct {
	t     *Term
	level int
}

// agree refuses unless the variables that a binder with decls, level variables further out,
// catches in t have the types declared.
func (s *store) agree(t *Term, decls []*Type, level int, seen map[place]bool) {
	if t.open <= level || seen[place{t, level}] {
		return
	}
	seen[place{t, level}] = true
	if t.op == "bound" {
		i := t.index - level
		need(i >= len(decls) || t.typ == decls[len(decls)-1-i], "bound variable of another type than its declaration")
		return
	}
	for _, a := range t.args {
		s.agree(a, decls, level+len(t.decls), seen)
	}
}

// join returns op of ps, of one these itself, of none the unit.
func (s *store) join(op, unit string, ps []*Term) *Term {
	switch len(ps) {
	case 0:
		return s.app(unit)
	case 1:
		return ps[0]
	}
	return s.app(op, ps...)
}
