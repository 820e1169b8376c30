package ir

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/preproc"
)

// pointer is the value of a pointer: one target, or a choice among several, and an
// offset in cells that counts for whichever it is.
type pointer struct {
	elem *ast.Ctype
	off  *Term

	// The target: an array, a private place, nothing, or what a pointer that was read
	// from memory points at, of which only the value is known.
	mem    *Memory
	to     *lvalue
	null   bool
	opaque *Term

	among []*pointer // several targets, with which as their index
	which *Term
}

// slot is a variable that holds a pointer. What it may point at is found while the
// kernel is lowered: an assignment behind a use that adds a target starts again.
type slot struct {
	key           string
	which, offVar *Variable
	used          bool
}

// where tells the copies of one place apart that inlining makes.
func (l *lowerer) where(at preproc.Place) string { return fmt.Sprint(at, l.sites) }

func (l *lowerer) newSlot(name string, at preproc.Place) *slot {
	s := &slot{key: name + " " + l.where(at)}
	s.which = l.NewVariable(name+"_of", ast.TInt)
	s.offVar = l.NewVariable(name+"_at", ast.TLong)
	l.Emit(&Instr{Op: DoUndef, At: at, V: s.which})
	l.Emit(&Instr{Op: DoUndef, At: at, V: s.offVar})
	return s
}

// targets are what p may point at.
func (p *pointer) targets() []*pointer {
	if p.among != nil {
		return p.among
	}
	return []*pointer{p}
}

// is says that p points at target i.
func (p *pointer) is(i int) *Term {
	if p.among == nil {
		return Truth
	}
	return Compare(PEq, p.which, Number(int64(i)))
}

// base names a single target, in each attempt to lower the kernel alike.
func (p *pointer) base() string {
	switch {
	case p.mem != nil:
		return "array " + p.mem.key
	case p.to != nil:
		return "place " + p.to.key
	case p.opaque != nil:
		return "opaque"
	}
	return "null"
}

// onlyMemory is the array that p points into, nil if that is not known.
func (p *pointer) onlyMemory() *Memory {
	if p == nil || p.among != nil {
		return nil
	}
	return p.mem
}

func nullPointer(elem *ast.Ctype) *pointer {
	return &pointer{null: true, elem: elem, off: Number(0)}
}

// mayBeNull reports whether a target is a parameter, which the host may have left null.
func (p *pointer) mayBeNull() bool {
	return p.mem != nil && p.mem.Space == ast.Global && p.mem.Cells < 0
}

// assignPointer assigns a pointer: which of its targets it leads to, and how far behind its beginning.
func (l *lowerer) assignPointer(st *storage, v *value, at preproc.Place) {
	if v.ptr == nil {
		l.fail(at, "an integer as a pointer")
	}
	s, elem := st.ptr, st.typ.Elem
	keys := l.known[s.key]
	which := Number(0)
	for i, t := range v.ptr.targets() {
		l.cast(t, elem, at) // of what a pointer to void has been made of, too
		base := t.base()
		single := *t
		single.off = nil
		l.bases[base] = &single
		k := slices.Index(keys, base)
		if k < 0 {
			k, keys = len(keys), append(keys, base)
			// A use before it has been lowered without this target: it would miss its accesses.
			l.again = l.again || s.used
		}
		if i == 0 {
			which = Number(int64(k))
		} else {
			which = choose(v.ptr.is(i), Number(int64(k)), which)
		}
	}
	l.known[s.key] = keys
	off := v.ptr.off
	if off == nil {
		off = Number(0)
	}
	l.Emit(&Instr{Op: DoAssign, At: at, V: s.which, E: which})
	l.Emit(&Instr{Op: DoAssign, At: at, V: s.offVar, E: off})
}

// pointerValue is what a variable pointer leads to: one of all targets that it is assigned anywhere.
func (l *lowerer) pointerValue(st *storage, at preproc.Place) *value {
	s := st.ptr
	s.used = true
	out := &value{typ: st.typ}
	for _, k := range l.known[s.key] {
		b := l.bases[k]
		if b == nil {
			l.fail(at, "a pointer used before its target is declared")
		}
		p := *b
		p.elem, p.off = st.typ.Elem, VariableTerm(s.offVar)
		if out.ptr == nil {
			out.ptr = &p
			continue
		}
		if out.ptr.among == nil {
			first := *out.ptr
			out.ptr = &pointer{elem: p.elem, off: p.off, among: []*pointer{&first}, which: VariableTerm(s.which)}
		}
		out.ptr.among = append(out.ptr.among, &p)
	}
	if out.ptr == nil {
		// Never set so far: if it is later, the attempt is made again with what it points at.
		out.ptr = nullPointer(st.typ.Elem)
	}
	return out
}

// keepPointer is p as it is now, for a use after its variable has changed.
func (l *lowerer) keepPointer(p *pointer, at preproc.Place) *pointer {
	q := *p
	off := l.NewVariable("at", ast.TLong)
	l.Emit(&Instr{Op: DoAssign, At: at, V: off, E: p.off})
	q.off = VariableTerm(off)
	if p.among != nil {
		which := l.NewVariable("of", ast.TInt)
		l.Emit(&Instr{Op: DoAssign, At: at, V: which, E: p.which})
		q.which = VariableTerm(which)
	}
	return &q
}

// moved is p with another offset.
func (p *pointer) moved(off *Term) *pointer {
	q := *p
	q.off, q.among = off, nil
	for _, t := range p.among {
		q.among = append(q.among, t.moved(off))
	}
	return &q
}

// cast is p as a pointer to elem.
func (l *lowerer) cast(p *pointer, elem *ast.Ctype, at preproc.Place) *pointer {
	if elem.Kind == ast.VoidType {
		return p
	}
	q := *p
	from := p.elem
	if from == nil || from.Kind == ast.VoidType {
		switch { // what it points at has to say it
		case q.mem != nil:
			from = q.mem.elem
		case q.to != nil:
			from = q.to.typ
		}
	}
	if q.mem != nil && q.mem.elem.Kind == ast.VoidType {
		q.mem.elem = elem // as which it is first used, and then always
	}
	if (q.mem != nil || q.to != nil) && from.Kind != ast.VoidType && !SameCells(from, elem) {
		l.fail(at, "a pointer cast between elements of different sizes")
	}
	q.elem, q.among = elem, nil
	for _, t := range p.among {
		q.among = append(q.among, l.cast(t, elem, at))
	}
	return &q
}

// pointerOperation is arithmetic and comparison of pointers.
func (l *lowerer) pointerOperation(op string, a, b *value, at preproc.Place) *value {
	null := func(v *value) *value {
		if v.ptr == nil && l.scalar(v, at).Is(0) {
			return &value{ptr: nullPointer(ast.TVoid)}
		}
		return v
	}
	switch {
	case Comparisons[op]:
		if a, b = null(a), null(b); a.ptr != nil && b.ptr != nil {
			return one(ast.TInt, truthValue(l.comparePointers(op, a.ptr, b.ptr, at)))
		}
	case op == "-" && a.ptr != nil && b.ptr != nil:
		p, q := a.ptr, b.ptr
		if m := p.onlyMemory(); m != nil && m == q.onlyMemory() {
			d := Minus(p.off, q.off)
			if c := p.elem.Cells(); c > 1 {
				d = Quotient(d, Number(c))
			}
			return one(ast.Scalars["ptrdiff_t"], d)
		}
	case a.ptr == nil && b.ptr == nil:
		l.fail(at, "operator %s on an unknown pointer, such as a member of a structure parameter", op)
	case op == "+" && a.ptr == nil:
		return l.pointerOperation(op, b, a, at)
	case (op == "+" || op == "-") && b.ptr == nil: // and a is a pointer
		by := Product(Number(max(1, a.ptr.elem.Cells())), l.index(b, at))
		if op == "-" {
			by = Product(Number(-1), by)
		}
		return &value{typ: a.typ, ptr: a.ptr.moved(Sum(a.ptr.off, by))}
	}
	l.fail(at, "operator %s on pointers", op)
	return nil
}

// index is a number that is added to a pointer. Addresses have 64 bits: p + (i − 1) of an i without
// sign that is 0 lies in front of p, and not 2⁶⁴ − 1 behind it.
func (l *lowerer) index(v *value, at preproc.Place) *Term {
	x := l.scalar(v, at)
	if v.typ.Kind == ast.IntType && v.typ.Bits == 64 && !v.typ.Signed {
		l.preserved(v, ast.TLong, at)
		return into(ast.TLong, x)
	}
	return x
}

// comparePointers compares pointers: arrays are different things, the order of which is
// not known; parameters may be null, several of them as well.
func (l *lowerer) comparePointers(op string, p, q *pointer, at preproc.Place) *Term {
	unknown := func() *Term { return Compare(PNe, l.Anything(ast.TBool, at), Number(0)) }
	var ways []*Term
	for i, s := range p.targets() {
		for j, t := range q.targets() {
			way := Both(p.is(i), q.is(j))
			holds := Falsity
			switch {
			case s.opaque != nil || t.opaque != nil, s.to != nil && t.to != nil && s.base() != t.base():
				holds = unknown() // of two places one may be a part of the other
			case s.base() == t.base():
				holds = map[bool]*Term{true: Truth, false: Compare(PEq, p.off, q.off)}[s.null]
				if op != "==" && op != "!=" {
					ops := map[string]*Term{"<": Compare(PLt, p.off, q.off), ">": Compare(PLt, q.off, p.off), "<=": Compare(PLe, p.off, q.off), ">=": Compare(PLe, q.off, p.off)}
					holds = ops[op]
				}
			case op != "==" && op != "!=", s.null && t.mayBeNull(), t.null && s.mayBeNull(), s.mayBeNull() && t.mayBeNull():
				holds = unknown()
			// One past the end of a thing may be where another one begins.
			case !s.null && !t.null && !(p.off.Is(0) && q.off.Is(0)):
				holds = unknown()
			}
			ways = append(ways, Both(way, holds))
		}
	}
	if op == "!=" {
		return Not(Either(ways...))
	}
	return Either(ways...)
}

// target is what a pointer points at.
func (l *lowerer) target(p *pointer, at preproc.Place) *lvalue {
	switch {
	case p.among != nil:
		out := &lvalue{typ: p.elem, which: p.which}
		for _, t := range p.among {
			out.choices = append(out.choices, l.target(t, at))
		}
		return out
	case p.null:
		return &lvalue{typ: p.elem, null: true}
	case p.opaque != nil:
		l.fail(at, "a pointer read from memory")
	case p.elem.Kind == ast.VoidType:
		l.fail(at, "a pointer to void")
	case p.to != nil:
		return l.inPlace(p, at)
	case p.mem == nil:
		l.fail(at, "a pointer with an unknown target")
	}
	return &lvalue{typ: p.elem, mem: p.mem, off: p.off}
}

// inPlace is what a pointer to a private variable, or to a part of one, points at.
func (l *lowerer) inPlace(p *pointer, at preproc.Place) *lvalue {
	n, all := p.elem.Cells(), int64(len(p.to.vars))
	switch {
	case n == all: // at any other offset it would be beyond the variable
		if l.opts.Bounds {
			l.check("bounds", "index into a private variable", Compare(PEq, p.off, Number(0)), at)
		}
		return &lvalue{typ: p.elem, vars: p.to.vars, key: p.to.key}
	case cellBytes(p.elem) != cellBytes(p.to.typ):
		l.fail(at, "a pointer cast between elements of different sizes")
	case p.off.IsNum() && p.off.Val.IsInt64():
		k := p.off.Val.Int64()
		if k < 0 || k+n > all {
			l.fail(at, "a pointer beyond a private variable")
		}
		return &lvalue{typ: p.elem, vars: p.to.vars[k : k+n], key: fmt.Sprint(p.to.key, "+", k)}
	}
	if l.opts.Bounds {
		l.check("bounds", "index into a private variable", Both(Compare(PLe, Number(0), p.off), Compare(PLt, p.off, Number(all))), at)
	}
	// Each cell becomes a branch of every access.
	const most = 16
	if n != 1 || all > most {
		l.fail(at, "a computed pointer into a private variable")
	}
	out := &lvalue{typ: p.elem, which: p.off}
	for k := range all {
		out.choices = append(out.choices, &lvalue{typ: p.elem, vars: p.to.vars[k : k+1], key: fmt.Sprint(p.to.key, "+", k)})
	}
	return out
}

// pointerTo is the address of a place.
func (l *lowerer) pointerTo(lv *lvalue, elem *ast.Ctype) *pointer {
	switch {
	case lv.choices != nil:
		out := &pointer{elem: elem, off: Number(0), which: lv.which}
		for _, c := range lv.choices {
			p := l.pointerTo(c, elem)
			if len(out.among) > 0 && out.off.Key() != p.off.Key() {
				l.fail(preproc.Place{Line: 1, Col: 1}, "the address of a part of one of several objects")
			}
			out.among, out.off = append(out.among, p), p.off
		}
		return out
	case lv.null:
		return nullPointer(elem)
	case lv.mem != nil && lv.cells != nil:
		return &pointer{mem: lv.mem, off: Sum(lv.off, Number(lv.cells[0])), elem: elem} // of one lane: several have no address
	case lv.mem != nil:
		return &pointer{mem: lv.mem, off: lv.off, elem: elem}
	}
	for _, v := range lv.vars {
		l.pointed[v] = true
	}
	return &pointer{to: lv, off: Number(0), elem: elem}
}

// each does something for whichever place lv is. The last choice stands for all values of
// the index that no target has: a pointer that was never set.
func (l *lowerer) each(lv *lvalue, at preproc.Place, do func(*lvalue)) {
	after := l.NewNode(at)
	for i, c := range lv.choices {
		next := after
		if i < len(lv.choices)-1 {
			here := l.NewNode(at)
			next = l.NewNode(at)
			l.Branch(Compare(PEq, lv.which, Number(int64(i))), here, next)
			l.Now = here
		}
		do(c)
		l.Now.then2(after)
		l.Now = next
	}
}

// chosen is the value of a place that is one of several.
func (l *lowerer) chosen(lv *lvalue, at preproc.Place) *value {
	if lv.typ.Kind == ast.ArrayType {
		return &value{typ: &ast.Ctype{Kind: ast.PointerType, Elem: lv.typ.Elem}, ptr: l.pointerTo(lv, lv.typ.Elem)}
	}
	if lv.typ.Kind == ast.PointerType {
		st := &storage{typ: lv.typ, ptr: l.newSlot("chosen", at)}
		l.each(lv, at, func(c *lvalue) { l.assignPointer(st, l.read(c, at), at) })
		return l.pointerValue(st, at)
	}
	out := &value{typ: lv.typ}
	var vars []*Variable
	for i := range lv.typ.Cells() {
		vars = append(vars, l.NewVariable("chosen", lv.typ.Leaf(i)))
		out.parts = append(out.parts, VariableTerm(vars[i]))
	}
	l.each(lv, at, func(c *lvalue) {
		for i, p := range l.read(c, at).parts {
			l.Emit(&Instr{Op: DoAssign, At: at, V: vars[i], E: p})
		}
	})
	return out
}
