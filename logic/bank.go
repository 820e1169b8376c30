package logic

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// Term is an index into a Bank. The zero Term is not a term.
type Term uint32

// ErrTooLarge is what construction panics with, wrapped, when a type or the
// nesting of binders passes a bound that only hostile input reaches.
var ErrTooLarge = errors.New("logic: formula too large")

// Form is the concrete form in which a comprehension was written.
type Form uint8

// The forms of comprehensions and of quantified unions and intersections.
const (
	Explicit Form = iota // {x·P∣E}
	Implicit             // {E∣P}
	Lambda               // λpattern·P∣E
)

// Hint is what people see of a binder: its bound names, in order of
// declaration, and its concrete form. It has no meaning.
type Hint struct {
	Form  Form
	Names []string
}

type node struct {
	op    Op
	bare  bool
	depth uint16 // 1 + the greatest dangling de Bruijn index; 0 if closed
	typ   Type
	aux   uint32 // Free, Given: name; Int: literal; binders: declarations
	index uint32 // Bound: de Bruijn index; Eps: component
	hint  uint32 // binders, and SetExt{}: hint + 1; 0 when bare
	off   uint32 // arguments
	n     uint32
}

// interned is an append-only table of values known by a string key, continuing
// that of a parent.
type interned[V any] struct {
	parent *interned[V]
	base   uint32
	vals   []V
	ids    map[string]uint32
}

func extend[V any](p *interned[V]) interned[V] {
	t := interned[V]{parent: p, ids: map[string]uint32{}}
	if p != nil {
		t.base = p.base + uint32(len(p.vals))
	}
	return t
}

func (t *interned[V]) get(id uint32) V {
	for id < t.base {
		t = t.parent
	}
	return t.vals[id-t.base]
}

func (t *interned[V]) put(key string, v V) uint32 {
	for p := t; p != nil; p = p.parent {
		if id, ok := p.ids[key]; ok {
			return id
		}
	}
	id := t.base + uint32(len(t.vals))
	t.vals = append(t.vals, v)
	t.ids[key] = id
	return id
}

// slot is a place of a hash table: a term, 0 for none, and its hash.
type slot struct{ term, hash uint32 }

// Bank owns types and terms. Make one with NewBank or Extend.
type Bank struct {
	parent *Bank
	frozen bool

	baseTypes uint32
	types     []typeNode
	typeIDs   map[typeNode]Type

	baseTerms uint32
	nodes     []node
	args      []Term
	slots     []slot // open-addressing hash table, length a power of two

	strs  interned[string]
	ints  interned[*big.Int]
	decls interned[[]Type]
	hints interned[Hint]

	bares map[Term]Term
	wds   map[Term]Term
}

// NewBank returns an empty bank.
func NewBank() *Bank {
	bank := &Bank{
		typeIDs: map[typeNode]Type{}, slots: make([]slot, 256), nodes: make([]node, 1, 128),
		strs: extend[string](nil), ints: extend[*big.Int](nil), decls: extend[[]Type](nil), hints: extend[Hint](nil),
		bares: map[Term]Term{}, wds: map[Term]Term{},
	}
	bank.types = append(bank.types, baseTypes[:]...)
	for i, n := range bank.types {
		bank.typeIDs[n] = Type(i)
	}
	return bank
}

// Freeze forbids further construction in b, so that it can be shared.
func (b *Bank) Freeze() { b.frozen = true }

// Extend returns a child of the frozen bank b. Terms and types of b are terms
// and types of the child, with the same indices.
func (b *Bank) Extend() *Bank {
	if !b.frozen {
		panic("logic: Extend of a bank that is not frozen")
	}
	return &Bank{
		parent: b, baseTypes: b.baseTypes + uint32(len(b.types)), typeIDs: map[typeNode]Type{},
		baseTerms: uint32(b.Len()), slots: make([]slot, 64),
		strs: extend(&b.strs), ints: extend(&b.ints), decls: extend(&b.decls), hints: extend(&b.hints),
		bares: map[Term]Term{}, wds: map[Term]Term{},
	}
}

// Len is one more than the greatest Term of b.
func (b *Bank) Len() int { return int(b.baseTerms) + len(b.nodes) }

func (b *Bank) str(s string) uint32 { return b.strs.put(s, s) }

func (b *Bank) owner(t Term) *Bank {
	for uint32(t) < b.baseTerms {
		b = b.parent
	}
	return b
}

func (b *Bank) node(t Term) *node {
	b = b.owner(t)
	return &b.nodes[uint32(t)-b.baseTerms]
}

// Op returns the operator of t.
func (b *Bank) Op(t Term) Op { return b.node(t).op }

// Type returns the type of t; Prop for predicates.
func (b *Bank) Type(t Term) Type { return b.node(t).typ }

// Args returns the arguments of t, those of binders included: the body of a
// quantifier or Eps; P and E of a comprehension. The caller must not change them.
func (b *Bank) Args(t Term) []Term {
	b = b.owner(t)
	n := &b.nodes[uint32(t)-b.baseTerms]
	return b.args[n.off : n.off+n.n : n.off+n.n]
}

// Arg returns argument i of t.
func (b *Bank) Arg(t Term, i int) Term { return b.Args(t)[i] }

// Name returns the name of a Free or Given term.
func (b *Bank) Name(t Term) string { return b.strs.get(b.node(t).aux) }

// Value returns the value of an Int term. The caller must not change it.
func (b *Bank) Value(t Term) *big.Int { return b.ints.get(b.node(t).aux) }

// Index returns the de Bruijn index of a Bound term and the component of an Eps term.
func (b *Bank) Index(t Term) int { return int(b.node(t).index) }

// Decls returns the types of the variables that binder t declares, in order.
// The caller must not change them.
func (b *Bank) Decls(t Term) []Type { return b.decls.get(b.node(t).aux) }

// Hint returns the hint of binder t, and false if it has none.
func (b *Bank) Hint(t Term) (Hint, bool) {
	h := b.node(t).hint
	if h == 0 {
		return Hint{}, false
	}
	return b.hints.get(h - 1), true
}

// Depth returns 1 + the greatest dangling de Bruijn index of t: 0 if t is closed.
func (b *Bank) Depth(t Term) int { return int(b.node(t).depth) }

// IsBare reports whether no binder in t carries a hint.
func (b *Bank) IsBare(t Term) bool { return b.node(t).bare }

func hash(n *node, args []Term) uint32 {
	h := uint32(n.op)*0x9E3779B1 ^ n.aux*0xC2B2AE3D ^ n.index*0x27D4EB2F ^ n.hint*0x165667B1
	for _, a := range args {
		h = (h ^ uint32(a)) * 0x01000193
		h ^= h >> 15
	}
	return h ^ h>>13
}

// find looks for the node, of any type if it has none, in b and its ancestors.
func (b *Bank) find(n *node, args []Term, h uint32) Term {
	for bank := b; bank != nil; bank = bank.parent {
		mask := uint32(len(bank.slots) - 1)
		for i := h & mask; bank.slots[i].term != 0; i = (i + 1) & mask {
			s := bank.slots[i]
			m := &bank.nodes[s.term-bank.baseTerms]
			if s.hash == h && m.op == n.op && (m.typ == n.typ || n.typ == NoType) && m.aux == n.aux && m.index == n.index && m.hint == n.hint &&
				slices.Equal(bank.args[m.off:m.off+m.n], args) {
				return Term(s.term)
			}
		}
	}
	return 0
}

// intern returns the term of n with args, whose type is already checked.
func (b *Bank) intern(n node, args []Term) Term {
	h := hash(&n, args)
	if t := b.find(&n, args, h); t != 0 {
		return t
	}
	if b.frozen {
		panic("logic: construction in a frozen bank")
	}
	// Properties that are read all the time are computed once, from the arguments.
	n.bare = n.hint == 0
	depth := 0
	for _, a := range args {
		m := b.node(a)
		n.bare = n.bare && m.bare
		depth = max(depth, int(m.depth))
	}
	if n.op.IsBinder() {
		depth = max(0, depth-len(b.decls.get(n.aux)))
	}
	if n.op == Bound {
		depth = int(n.index) + 1
	}
	if depth > 0xFFFF {
		panic(fmt.Errorf("%w: more than %d nested bound variables", ErrTooLarge, 0xFFFF))
	}
	n.depth = uint16(depth)
	n.off, n.n = uint32(len(b.args)), uint32(len(args))
	t := Term(b.Len())
	b.args = append(b.args, args...)
	b.nodes = append(b.nodes, n)
	// The table is at most half full, which keeps probing short.
	if 2*len(b.nodes) > len(b.slots) {
		before := b.slots
		b.slots = make([]slot, 2*len(before))
		for _, s := range before {
			if s.term != 0 {
				b.place(s)
			}
		}
	}
	b.place(slot{uint32(t), h})
	return t
}

func (b *Bank) place(s slot) {
	mask := uint32(len(b.slots) - 1)
	i := s.hash & mask
	for b.slots[i].term != 0 {
		i = (i + 1) & mask
	}
	b.slots[i] = s
}

func must(t Term, err error) Term {
	if err != nil {
		panic(err)
	}
	return t
}

// Free returns the free identifier name of type typ.
func (b *Bank) Free(name string, typ Type) Term {
	return b.intern(node{op: Free, typ: typ, aux: b.str(name)}, nil)
}

// Given returns carrier set name as an expression.
func (b *Bank) Given(name string) Term {
	return b.intern(node{op: Given, typ: b.PowType(b.GivenType(name)), aux: b.str(name)}, nil)
}

// Bound returns the bound variable with de Bruijn index i and type typ.
func (b *Bank) Bound(i int, typ Type) Term {
	if i < 0 {
		panic("logic: negative de Bruijn index")
	}
	return b.intern(node{op: Bound, typ: typ, index: uint32(i)}, nil)
}

// Int returns an integer literal.
func (b *Bank) Int(v *big.Int) Term {
	return b.intern(node{op: Int, typ: IntType, aux: b.ints.put(v.String(), new(big.Int).Set(v))}, nil)
}

// Int64 returns an integer literal.
func (b *Bank) Int64(v int64) Term { return b.Int(big.NewInt(v)) }

// App applies op to args. It panics if that is ill-typed.
func (b *Bank) App(op Op, args ...Term) Term { return must(b.TryApp(op, args...)) }

// TryApp applies op to args, or says that it is ill-typed. It is for all
// operators but identifiers, literals, binders and generic atoms.
func (b *Bank) TryApp(op Op, args ...Term) (Term, error) {
	n := node{op: op}
	// A term with arguments that is there was well-typed when it was made.
	if t := b.find(&n, args, hash(&n, args)); t != 0 && len(args) > 0 && !op.IsBinder() {
		return t, nil
	}
	typ, err := b.typeOfTerms(op, args)
	if err != nil || op.IsBinder() {
		return 0, illTyped(op)
	}
	return b.intern(node{op: op, typ: typ}, args), nil
}

func (b *Bank) typeOfTerms(op Op, args []Term) (Type, error) {
	var buf [8]Type
	types := buf[:0]
	for _, a := range args {
		types = append(types, b.Type(a))
	}
	return b.typeOf(op, types)
}

// Atom returns the generic atom op (Empty, Id, Prj1, Prj2) of type typ.
func (b *Bank) Atom(op Op, typ Type) Term { return must(b.TryAtom(op, typ)) }

// TryAtom returns the generic atom op of type typ, or an error.
func (b *Bank) TryAtom(op Op, typ Type) (Term, error) {
	if !op.IsGeneric() || !b.Match(op.Signature().Result, typ, new(Letters)) {
		return 0, fmt.Errorf("logic: operator %s is not a generic atom of the given type", op)
	}
	return b.intern(node{op: op, typ: typ}, nil), nil
}

// EmptyExt returns the empty set extension {} of type typ, whose bare form is ∅.
func (b *Bank) EmptyExt(typ Type) Term {
	if b.Elem(typ) == NoType {
		panic("logic: set extension of a type that is not a set")
	}
	return b.intern(node{op: SetExt, typ: typ, hint: 1 + b.hintID(Hint{})}, nil)
}

// Quant returns binder op (not Eps) over decls. Quantifiers have one argument,
// the others two, P and E. Hints are optional. It panics if that is ill-typed.
func (b *Bank) Quant(op Op, decls []Type, hint *Hint, args ...Term) Term {
	return must(b.TryQuant(op, decls, hint, args...))
}

// TryQuant is Quant that returns an error instead of panicking.
func (b *Bank) TryQuant(op Op, decls []Type, hint *Hint, args ...Term) (Term, error) {
	typ, err := b.typeOfTerms(op, args)
	if err != nil || !op.IsBinder() || op == Eps || len(decls) == 0 || hint != nil && len(hint.Names) != len(decls) {
		return 0, fmt.Errorf("logic: malformed binder %s", op)
	}
	for _, term := range args {
		if !b.boundTypesFit(term, decls, 0) {
			return 0, fmt.Errorf("logic: bound variable of binder %s has another type than its declaration", op)
		}
	}
	return b.quant(op, typ, decls, hint, args...), nil
}

// Choice returns component i of Eps(decls; p). It panics if that is ill-typed.
func (b *Bank) Choice(decls []Type, i int, p Term) Term { return must(b.TryChoice(decls, i, p)) }

// TryChoice is Choice that returns an error instead of panicking.
func (b *Bank) TryChoice(decls []Type, i int, p Term) (Term, error) {
	if i < 0 || i >= len(decls) || b.Type(p) != Prop || !b.boundTypesFit(p, decls, 0) {
		return 0, fmt.Errorf("logic: malformed choice term")
	}
	return b.intern(node{op: Eps, typ: decls[i], aux: b.declID(decls), index: uint32(i)}, []Term{p}), nil
}

func (b *Bank) quant(op Op, typ Type, decls []Type, hint *Hint, args ...Term) Term {
	n := node{op: op, typ: typ, aux: b.declID(decls)}
	if hint != nil {
		n.hint = 1 + b.hintID(*hint)
	}
	return b.intern(n, args)
}

func (b *Bank) declID(decls []Type) uint32 {
	var buf [64]byte
	key := buf[:0]
	for _, t := range decls {
		key = append(key, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
	}
	return b.decls.put(string(key), slices.Clone(decls))
}

func (b *Bank) hintID(h Hint) uint32 {
	key := []byte{byte(h.Form)}
	for _, n := range h.Names {
		key = append(append(key, n...), 0)
	}
	return b.hints.put(string(key), Hint{h.Form, slices.Clone(h.Names)})
}

// boundTypesFit reports whether the variables of t that a binder with decls,
// level binders further out, would catch have the declared types.
func (b *Bank) boundTypesFit(t Term, decls []Type, level int) bool {
	fit := true
	seen := map[uint64]bool{}
	var visit func(t Term, level int)
	visit = func(t Term, level int) {
		n := b.node(t)
		key := uint64(t)<<32 | uint64(level)
		if int(n.depth) <= level || !fit || seen[key] {
			return
		}
		seen[key] = true
		if n.op == Bound {
			i := int(n.index) - level
			fit = i >= len(decls) || n.typ == decls[len(decls)-1-i]
			return
		}
		if n.op.IsBinder() {
			level += len(b.Decls(t))
		}
		for _, a := range b.Args(t) {
			visit(a, level)
		}
	}
	visit(t, level)
	return fit
}

// And returns the conjunction of ps: ⊤ of none, the predicate itself of one.
func (b *Bank) And(ps ...Term) Term { return b.junction(And, True, ps) }

// Or returns the disjunction of ps: ⊥ of none, the predicate itself of one.
func (b *Bank) Or(ps ...Term) Term { return b.junction(Or, False, ps) }

func (b *Bank) junction(op, unit Op, ps []Term) Term {
	switch len(ps) {
	case 0:
		return b.App(unit)
	case 1:
		return ps[0]
	}
	return b.App(op, ps...)
}

// Not returns ¬p.
func (b *Bank) Not(p Term) Term { return b.App(Not, p) }
