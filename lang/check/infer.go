package check

import (
	"errors"
	"math/big"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// ty is a type under inference: an index into the nodes of a typing.
type ty int32

// none is not a type: that of predicates, and of letters that stand for no type yet.
const none ty = 0

type shape uint8

const (
	open  shape = iota // a type variable
	known              // a type of the bank
	pow                // ℙ(a)
	prod               // a×b
)

type tyNode struct {
	shape  shape
	mark   mark
	rep    ty // the node that this one was unified with; itself if none
	a, b   ty
	typ    logic.Type // of a known node
	solved logic.Type // of a node with mark finished; NoType if a variable is left in it
	height int        // of a node with mark finished: nesting of its type
}

type mark uint8

const (
	fresh mark = iota
	active
	finished
)

// bound is a bound variable in scope.
type bound struct {
	name   string
	typ    ty
	shadow int // position + 1 of the variable of that name that it hides
}

// use is the first occurrence of a free identifier.
type use struct {
	name  string
	typ   ty
	span  diag.Span
	given bool // typed by the environment
	after bool // the after-value of another use
}

// atom is a generic atom or a declaration of a bound variable: its type is part of the term.
type atom struct {
	typ  ty
	span diag.Span
	name string // of a declaration
}

// typing is the inference of the types of one formula or assignment. A first
// walk collects constraints and unifies; a second one, in the same order,
// builds the term.
type typing struct {
	b      *logic.Bank
	lookup func(string) (logic.Type, bool)
	nodes  []tyNode
	trail  []ty // unifications of the constraint at hand, to be undone if it fails
	free   map[string]int
	uses   []use
	atoms  []atom
	next   int // the next atom of the second walk
	scope  []bound
	inner  map[string]int // position + 1 in scope of the innermost variable of a name
	found  findings

	element   string                      // what the formula belongs to
	assigned  []*lang.Formula             // the left side, in an assignment
	again     func(fault ...string) bool  // whether a fault was reported before; nil outside of components
	typed     func(name string) diag.Span // where an identifier got its type; nil outside of components
	broken    bool                        // some type is circular or too large
	int, bool ty
}

func (t *typing) at(span diag.Span) place { return place{span, t.element} }

func newTyping(b *logic.Bank, lookup func(string) (logic.Type, bool), element string) *typing {
	t := &typing{b: b, lookup: lookup, element: element, free: map[string]int{}, inner: map[string]int{}}
	t.open() // none
	t.int, t.bool = t.known(logic.IntType), t.known(logic.BoolType)
	return t
}

func (t *typing) node(n tyNode) ty {
	n.rep = ty(len(t.nodes))
	t.nodes = append(t.nodes, n)
	return n.rep
}

func (t *typing) open() ty                { return t.node(tyNode{shape: open}) }
func (t *typing) known(typ logic.Type) ty { return t.node(tyNode{shape: known, typ: typ}) }
func (t *typing) pow(a ty) ty             { return t.node(tyNode{shape: pow, a: a}) }
func (t *typing) prod(a, b ty) ty         { return t.node(tyNode{shape: prod, a: a, b: b}) }
func (t *typing) rel(a, b ty) ty          { return t.pow(t.prod(a, b)) }

// root returns the representative of x, without changing anything, so that a
// failed unification can be undone.
func (t *typing) root(x ty) ty {
	for t.nodes[x].rep != x {
		x = t.nodes[x].rep
	}
	return x
}

// find is root with path compression; between constraints only.
func (t *typing) find(x ty) ty {
	r := t.root(x)
	for t.nodes[x].rep != r {
		x, t.nodes[x].rep = t.nodes[x].rep, r
	}
	return r
}

// expand gives a known set or product its parts as nodes.
func (t *typing) expand(x ty) {
	n := &t.nodes[x]
	if n.shape != known {
		return
	}
	if e := t.b.Elem(n.typ); e != logic.NoType {
		a := t.known(e)
		t.nodes[x] = tyNode{shape: pow, rep: x, a: a, typ: t.nodes[x].typ}
	} else if left, right := t.b.Pair(n.typ); left != logic.NoType {
		a, b := t.known(left), t.known(right)
		t.nodes[x] = tyNode{shape: prod, rep: x, a: a, b: b, typ: t.nodes[x].typ}
	}
}

// unify makes x and y equal, and reports whether that is possible. Cycles are
// found later, by solve.
func (t *typing) unify(x, y ty) bool {
	x, y = t.find(x), t.find(y)
	t.trail = t.trail[:0]
	if t.merge(x, y) {
		return true
	}
	for i := len(t.trail) - 1; i >= 0; i-- {
		t.nodes[t.trail[i]].rep = t.trail[i]
	}
	return false
}

// merge makes two types one, and reports false if they clash.
func (t *typing) merge(x, y ty) bool {
	x, y = t.root(x), t.root(y)
	if x == y {
		return true
	}
	n, m := &t.nodes[x], &t.nodes[y]
	switch {
	case n.shape == open:
		return t.forward(x, y)
	case m.shape == open:
		return t.forward(y, x)
	case n.shape == known && m.shape == known:
		return n.typ == m.typ
	}
	t.expand(x)
	t.expand(y)
	n, m = &t.nodes[x], &t.nodes[y]
	if n.shape != m.shape || n.shape == known {
		return false
	}
	a, b, c, d := n.a, n.b, m.a, m.b
	t.forward(x, y)
	return t.merge(a, c) && (t.nodes[y].shape == pow || t.merge(b, d))
}

func (t *typing) forward(x, y ty) bool {
	t.nodes[x].rep = y
	t.trail = append(t.trail, x)
	return true
}

// want constrains the type of f, which is got, to be expected.
func (t *typing) want(f *lang.Formula, got, expected ty) {
	if !t.unify(got, expected) {
		t.clash(f, got, expected)
	}
}

// clash reports that f has type got and not the one expected. The identifiers of f
// whose types are given elsewhere are the ones to look at; the same clash about the
// same of them again follows from the first.
func (t *typing) clash(f *lang.Formula, got, expected ty) {
	g, e := t.show(got), t.show(expected)
	var notes []diag.Note
	blamed := []string{"clash", min(g, e), max(g, e)}
	names := namesOf(f).free
	for _, l := range t.assigned {
		names = append(names, lang.Name{Text: l.Name})
	}
	for _, name := range names {
		i, ok := t.free[name.Text]
		if !ok || !t.uses[i].given {
			continue
		}
		typ := t.show(t.uses[i].typ)
		if typ != g && typ != e {
			continue
		}
		// A type that every number has explains nothing, so ℤ is blamed only where no
		// other identifier is.
		note := diag.Note{Text: quote(name.Text) + " has type " + typ}
		if t.typed != nil {
			if note.Span = t.typed(name.Text); note.Span.Line > 0 {
				note.Text += " from this formula"
				notes = append(notes, note)
			}
		}
		if typ != "ℤ" || len(names) == 1 {
			blamed = append(blamed, name.Text)
		}
	}
	t.found.typesDoNotMatch(t.at(f.Span), g, e, notes)
	if len(blamed) > 3 && t.again != nil {
		t.found.follows(t.again(blamed[:4]...))
	}
}

// elem types set expression f and returns the type of its elements.
func (t *typing) elem(f *lang.Formula) ty {
	return t.elemOf(f, t.expr(f))
}

func (t *typing) elemOf(f *lang.Formula, got ty) ty {
	x := t.find(got)
	t.expand(x)
	if n := t.nodes[x]; n.shape == pow {
		return n.a
	}
	a := t.open()
	t.want(f, got, t.pow(a))
	return a
}

// pair types relation f and returns the types of its left and right side.
func (t *typing) pair(f *lang.Formula) (ty, ty) {
	e := t.find(t.elem(f))
	t.expand(e)
	if n := t.nodes[e]; n.shape == prod {
		return n.a, n.b
	}
	a, b := t.open(), t.open()
	t.want(f, t.pow(e), t.rel(a, b))
	return a, b
}

// ident returns the type of the free or bound identifier name.
func (t *typing) ident(name string, span diag.Span) ty {
	if p := t.inner[name]; p > 0 {
		return t.scope[p-1].typ
	}
	return t.freeIdent(name, span)
}

func (t *typing) freeIdent(name string, span diag.Span) ty {
	if i, ok := t.free[name]; ok {
		return t.uses[i].typ
	}
	var x ty
	typ, given := t.lookup(name)
	if given {
		x = t.known(typ)
	} else {
		x = t.open()
	}
	t.free[name] = len(t.uses)
	t.uses = append(t.uses, use{name: name, typ: x, span: span, given: given})
	return x
}

func (t *typing) push(name string, x ty) {
	t.scope = append(t.scope, bound{name, x, t.inner[name]})
	t.inner[name] = len(t.scope)
}

func (t *typing) pop(n int) {
	for ; n > 0; n-- {
		last := t.scope[len(t.scope)-1]
		t.inner[last.name] = last.shadow
		t.scope = t.scope[:len(t.scope)-1]
	}
}

// declare brings the declarations of binder f into scope.
func (t *typing) declare(formula *lang.Formula) {
	types := make([]ty, len(formula.Decls))
	for i, decl := range formula.Decls {
		if decl.Oftype != nil {
			types[i] = t.typeExpr(decl.Oftype)
		} else {
			types[i] = t.open()
		}
		t.atoms = append(t.atoms, atom{types[i], decl.Span, decl.Name})
	}
	for i, decl := range formula.Decls {
		t.push(decl.Name, types[i])
	}
}

// typeExpr reads f as a type.
func (t *typing) typeExpr(formula *lang.Formula) ty {
	switch formula.Op {
	case logic.Integer:
		return t.int
	case logic.Bool:
		return t.bool
	case logic.Free:
		typ := t.known(t.b.GivenType(formula.Name))
		if !t.unify(t.freeIdent(formula.Name, formula.Span), t.pow(typ)) {
			t.found.typeNameUsed(t.at(formula.Span), formula.Name)
		}
		return typ
	case logic.Pow:
		return t.pow(t.typeExpr(formula.Args[0]))
	case logic.CProd:
		return t.prod(t.typeExpr(formula.Args[0]), t.typeExpr(formula.Args[1]))
	case logic.Rel:
		return t.rel(t.typeExpr(formula.Args[0]), t.typeExpr(formula.Args[1]))
	}
	panic("check: no type expression")
}

// generic records the atom f of type x.
func (t *typing) generic(f *lang.Formula, x ty) ty {
	if f.Oftype != nil {
		if !t.unify(t.typeExpr(f.Oftype), x) {
			panic("check: no type of this generic atom")
		}
	}
	t.atoms = append(t.atoms, atom{typ: x, span: f.Span})
	return x
}

// pred constrains the types of predicate f.
func (t *typing) pred(f *lang.Formula) {
	if f.Op == lang.PredVar {
		t.found.predicateVariable(t.at(f.Span), f.Name)
		return
	}
	t.apply(f)
}

// expr returns the type of expression f.
func (t *typing) expr(f *lang.Formula) ty {
	switch {
	case f.Op == logic.Int:
		return t.int
	case f.Op == logic.Free:
		return t.ident(f.Name, f.Span)
	case f.Op == logic.SetExt && len(f.Args) == 0:
		return t.generic(f, t.pow(t.open()))
	}
	return t.apply(f)
}

// letters are the types that the letters of a signature stand for, none at first.
type letters [len(logic.Letters{})]ty

// apply returns the type of f by the signature of its operator; none of a predicate.
func (t *typing) apply(f *lang.Formula) ty {
	s := f.Op.Signature()
	if s.Result == nil {
		panic("check: identifier or literal where an operator is expected")
	}
	var known letters
	if len(s.Args) > 0 && s.Args[0].Kind == logic.KindInt && !f.Op.IsPredicate() {
		if !t.integers(f) && s.Result.Kind == logic.KindInt {
			return t.open() // silent from here on
		}
		return t.instance(s.Result, &known)
	}
	if f.Op.IsBinder() {
		t.declare(f)
		defer t.pop(len(f.Decls))
	}
	for i, a := range f.Args {
		pattern := s.Args[min(i, len(s.Args)-1)]
		if pattern.Kind == logic.KindProp {
			t.pred(a)
			continue
		}
		if i > 1 && len(s.Args) == 2 { // the result so far takes the place of the first argument
			first := t.instance(s.Result, &known)
			known = letters{}
			t.bind(first, s.Args[0], &known)
		}
		switch x := t.expr(a); {
		case t.bind(x, pattern, &known):
		case i == 1 && f.Op.IsPredicate() && s.Args[0].Kind == logic.KindNone: // = and ∈ fail as a whole
			if pattern.Kind == logic.KindPow {
				x = t.elemOf(a, x)
			}
			t.want(f, known[s.Args[0].Letter], x)
		default:
			t.want(a, x, t.instance(pattern, &known))
		}
	}
	x := t.instance(s.Result, &known)
	if f.Op.IsGeneric() {
		return t.generic(f, x)
	}
	return x
}

// bind gives the letters of p the parts of x in their place, and reports whether that
// is all there is to do: x has the form of p, and no letter stood for a type before.
// It saves types and unifications in the usual case.
func (t *typing) bind(typ ty, pattern *logic.Pattern, known *letters) bool {
	typ = t.find(typ)
	switch pattern.Kind {
	case logic.KindNone:
		v := &known[pattern.Letter]
		if *v == none {
			*v = typ
			return true
		}
		return t.find(*v) == typ
	case logic.KindInt:
		return typ == t.int
	case logic.KindPow:
		t.expand(typ)
		n := t.nodes[typ]
		return n.shape == pow && t.bind(n.a, pattern.A, known)
	case logic.KindProd:
		t.expand(typ)
		n := t.nodes[typ]
		return n.shape == prod && t.bind(n.a, pattern.A, known) && t.bind(n.b, pattern.B, known)
	}
	return false
}

// instance returns the type that p is for the given letters; those without a type get
// a variable.
func (t *typing) instance(pattern *logic.Pattern, known *letters) ty {
	switch pattern.Kind {
	case logic.KindNone:
		v := &known[pattern.Letter]
		if *v == none {
			*v = t.open()
		}
		return *v
	case logic.KindInt:
		return t.int
	case logic.KindBool:
		return t.bool
	case logic.KindPow:
		return t.pow(t.instance(pattern.A, known))
	case logic.KindProd:
		typ := t.instance(pattern.A, known)
		return t.prod(typ, t.instance(pattern.B, known))
	}
	return none // of a predicate
}

// integers constrains all arguments of f to be integers, and reports whether
// that is possible. Sets under − and ∗ are a common slip and have messages of
// their own.
func (t *typing) integers(f *lang.Formula) bool {
	ok := true
	for _, a := range f.Args {
		typ := t.expr(a)
		if t.unify(typ, t.int) || !ok {
			continue
		}
		ok = false
		switch root := t.find(typ); {
		case f.Op == logic.Minus && t.isSet(root):
			t.found.minusAppliedToSet(t.at(f.Span))
		case f.Op == logic.Times && t.isSet(root):
			t.found.timesAppliedToSet(t.at(f.Span))
		default:
			t.clash(a, typ, t.int)
		}
	}
	return ok
}

func (t *typing) isSet(x ty) bool {
	n := t.nodes[x]
	return n.shape == pow || n.shape == known && t.b.Elem(n.typ) != logic.NoType
}

// show prints x as Rodin does, with ? for what is unknown.
func (t *typing) show(x ty) string { return string(t.appendType(nil, x, false, 0)) }

// appendType appends a type as messages print it, with ? for what is not known. right says that it stands right of ×.
func (t *typing) appendType(out []byte, typ ty, right bool, depth int) []byte {
	typ = t.find(typ)
	n := t.nodes[typ]
	// Types that clash may be infinite.
	if depth > 20 {
		return append(out, "…"...)
	}
	switch {
	case n.shape == open:
		return append(out, '?')
	case n.shape == known && t.b.TypeKind(n.typ) == logic.KindInt:
		return append(out, "ℤ"...)
	case n.shape == known && t.b.TypeKind(n.typ) == logic.KindBool:
		return append(out, "BOOL"...)
	case n.shape == known && t.b.TypeKind(n.typ) == logic.KindGiven:
		return append(out, t.b.GivenName(n.typ)...)
	}
	t.expand(typ)
	n = t.nodes[typ]
	if n.shape == pow {
		return append(t.appendType(append(out, "ℙ("...), n.a, false, depth+1), ')')
	}
	// × groups to the left, so that a product on the right needs parentheses.
	if right {
		out = append(out, '(')
	}
	out = t.appendType(out, n.a, false, depth+1)
	out = t.appendType(append(out, "×"...), n.b, true, depth+1)
	if right {
		out = append(out, ')')
	}
	return out
}

// maxTypeDepth bounds the nesting of types, of which hostile input may build any.
const maxTypeDepth = 1000

// solve returns the type of the bank that x stands for, or NoType if part of it
// is unknown. It panics with a typeError on circular and on enormous types.
func (t *typing) solve(x ty) logic.Type {
	typ, _ := t.solveAt(x, 0)
	return typ
}

// solveAt is solve at some depth of a type. It also returns how deep x is.
func (t *typing) solveAt(x ty, depth int) (logic.Type, int) {
	x = t.find(x)
	n := t.nodes[x]
	switch {
	case n.shape == known:
		return n.typ, 0
	case n.shape == open:
		return logic.NoType, 0
	// Solved parts are shared: their height tells whether they still fit below this depth,
	// without walking down again, which could take exponential time.
	case n.mark == finished:
		if depth+n.height > maxTypeDepth {
			panic(tooLarge)
		}
		return n.solved, n.height
	case n.mark == active:
		panic(circular)
	case depth >= maxTypeDepth:
		panic(tooLarge)
	}
	t.nodes[x].mark = active
	typ, height := t.solveAt(n.a, depth+1)
	if n.shape == pow && typ != logic.NoType {
		typ = t.b.PowType(typ)
	}
	if n.shape == prod {
		right, h := t.solveAt(n.b, depth+1)
		height = max(height, h)
		if typ == logic.NoType || right == logic.NoType {
			typ = logic.NoType
		} else {
			typ = t.b.ProdType(typ, right)
		}
	}
	m := &t.nodes[x]
	m.mark, m.solved, m.height = finished, typ, height+1
	return typ, height + 1
}

// typeError is what solve panics with.
type typeError uint8

const (
	circular typeError = iota
	tooLarge
)

// maxProblems bounds the problems of one formula.
const maxProblems = 20

// problems returns the first problems found.
func (t *typing) problems() findings { return t.found[:min(len(t.found), maxProblems)] }

// solveAll solves all types, and reports what stays unknown. After problems it does nothing.
func (t *typing) solveAll() bool {
	if len(t.found) > 0 {
		return false
	}
	for _, u := range t.uses {
		if !t.broken && !u.given && !t.solved(u.typ, u.span) {
			t.found.typeUnknown(t.at(u.span), u.name)
		}
	}
	for _, a := range t.atoms {
		if !t.broken && !t.solved(a.typ, a.span) {
			t.found.typeUnknown(t.at(a.span), a.name)
		}
	}
	return len(t.found) == 0
}

// solved reports whether x, which is needed at span, has become a type.
func (t *typing) solved(typ ty, span diag.Span) (ok bool) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case circular:
			t.found.circularType(t.at(span))
			ok, t.broken = true, true
		default:
			t.tooLarge(r, span)
			ok, t.broken = true, true
		}
	}()
	return t.solve(typ) != logic.NoType
}

func (t *typing) tooLarge(r any, span diag.Span) {
	if err, ok := r.(error); r != tooLarge && (!ok || !errors.Is(err, logic.ErrTooLarge)) {
		panic(r)
	}
	t.found.typeTooLarge(t.at(span))
}

// term builds the term of f, whose types are solved.
func (t *typing) term(f *lang.Formula) logic.Term {
	switch {
	case f.Op == logic.Int:
		v, ok := new(big.Int).SetString(f.Name, 10)
		if !ok {
			panic("check: malformed literal")
		}
		return t.b.Int(v)
	case f.Op == logic.Free:
		return t.identTerm(f.Name)
	case f.Op.IsGeneric():
		return t.b.Atom(f.Op, t.nextAtom())
	case f.Op == logic.SetExt && len(f.Args) == 0:
		return t.b.EmptyExt(t.nextAtom())
	}
	// Types of declarations and atoms were noted in the order of the walk; building the term
	// in the same order takes them one by one, so nothing is looked up.
	hint := logic.Hint{Form: f.Form}
	decls := make([]logic.Type, 0, len(f.Decls))
	for _, decl := range f.Decls {
		typ := t.nextAtom()
		decls = append(decls, typ)
		hint.Names = append(hint.Names, decl.Name)
	}
	for i, decl := range f.Decls {
		t.push(decl.Name, t.known(decls[i]))
	}
	args := make([]logic.Term, 0, len(f.Args))
	for _, a := range f.Args {
		args = append(args, t.term(a))
	}
	t.pop(len(f.Decls))
	if f.Op.IsBinder() {
		return t.b.Quant(f.Op, decls, &hint, args...)
	}
	return t.b.App(f.Op, args...)
}

func (t *typing) nextAtom() logic.Type {
	t.next++
	return t.solve(t.atoms[t.next-1].typ)
}

func (t *typing) identTerm(name string) logic.Term {
	if p := t.inner[name]; p > 0 {
		return t.b.Bound(len(t.scope)-p, t.solve(t.scope[p-1].typ))
	}
	return identifier(t.b, name, t.solve(t.uses[t.free[name]].typ))
}

// identifier returns identifier name of type typ: a carrier set if its elements have that name as their type.
func identifier(b *logic.Bank, name string, typ logic.Type) logic.Term {
	if e := b.Elem(typ); e != logic.NoType && b.TypeKind(e) == logic.KindGiven && b.GivenName(e) == name {
		return b.Given(name)
	}
	return b.Free(name, typ)
}
