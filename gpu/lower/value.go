package lower

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/llvm"
)

// value is what a register holds: its scalars, the lanes of vectors among them.
type value struct {
	typ   *llvm.Type
	parts []scalar
}

// scalar is a number, a truth (i1), or a pointer. One without anything is undefined: it may be another
// value at each use.
type scalar struct {
	typ   *ast.Ctype // of a number: the type of which t is exactly a value
	t     *ir.Term
	p     *ir.Term // of a truth
	ptr   *pointer
	slot  *slot    // of a pointer in variables
	from  *pointer // of a number: the pointer that it is the whole address of …
	space int      // … in this address space
}

func (s scalar) undefined() bool { return s.t == nil && s.p == nil && s.ptr == nil && s.slot == nil }

// pointsIn is the pointer of an address space that a number is the address of; nil if it is of none.
func (s scalar) pointsIn(space int) *pointer {
	if s.space != space {
		return nil
	}
	return s.from
}

func intType(bits int, signed bool) *ast.Ctype {
	switch bits {
	case 1:
		return ast.TBool
	case 8, 16, 32, 64:
		return ast.IntOf(bits, signed)
	}
	return &ast.Ctype{Kind: ast.IntType, Name: fmt.Sprint("i", bits), Bits: bits, Signed: signed}
}

func floatType(t *llvm.Type) *ast.Ctype {
	switch t.Name {
	case "float":
		return ast.TFloat
	case "double":
		return ast.TDouble
	}
	return &ast.Ctype{Kind: ast.FloatType, Name: t.Name, Bits: t.Bits}
}

func number(text string) (*big.Int, bool) {
	if text == "" || text == "*" {
		return nil, false
	}
	return new(big.Int).SetString(text, 0)
}

// integer is a term of type c as a scalar: one bit is a truth.
func (l *lowerer) integer(c *ast.Ctype, t *ir.Term) scalar {
	if c.Bits == 1 {
		return scalar{typ: c, t: t, p: ir.IsTrue(t)}
	}
	return scalar{typ: c, t: t}
}

func truth(p *ir.Term) scalar { return scalar{typ: ast.TBool, t: ir.TruthValue(p), p: p} }

// num is a scalar as a number of its type; an undefined one is any.
func (l *lowerer) num(s scalar, t *llvm.Type) (*ir.Term, *ast.Ctype) {
	switch {
	case s.ptr != nil || s.slot != nil:
		l.fail("a pointer used as a number")
	case s.t != nil:
		return s.t, s.typ
	}
	c := scalarType(t, true)
	return l.Anything(c, l.at), c
}

func scalarType(t *llvm.Type, signed bool) *ast.Ctype {
	if t.Kind == llvm.Float {
		return floatType(t)
	}
	return intType(t.Bits, signed)
}

// as is a scalar as a value of type c, to which it wraps.
func (l *lowerer) as(c *ast.Ctype, s scalar) *ir.Term {
	switch {
	case s.ptr != nil || s.slot != nil:
		l.fail("a pointer used as a number")
	case s.t == nil:
		return l.Anything(c, l.at)
	case c.Kind != s.typ.Kind:
		return l.Anything(c, l.at)
	case c.Kind == ast.FloatType:
		if c.Bits != s.typ.Bits {
			return l.Anything(c, l.at)
		}
		return s.t
	case c.Bits == 1 && s.typ.Bits > 1: // the lowest bit, not whether it is 0
		return lowBit(s.typ, s.t)
	case s.typ.Bits == c.Bits && s.typ.Signed == c.Signed:
		return s.t
	}
	return ir.Into(c, s.t)
}

func (l *lowerer) truthOf(s scalar) *ir.Term {
	if s.p != nil {
		return s.p
	}
	if s.t != nil && s.typ.Bits == 1 {
		return ir.IsTrue(s.t)
	}
	if s.undefined() {
		return ir.Compare(ir.PNe, l.Anything(ast.TBool, l.at), ir.Number(0))
	}
	l.fail("a number used as a Boolean")
	return nil
}

// scalars are the types of the scalars of a value.
func (l *lowerer) scalars(t *llvm.Type) (out []*llvm.Type, ok bool) {
	if l.m.Layout.Size(t) < 0 {
		return nil, false
	}
	switch t.Kind {
	case llvm.Int, llvm.Float, llvm.Pointer:
		return []*llvm.Type{t}, true
	case llvm.Vector, llvm.Array:
		inner, ok := l.scalars(t.Elem)
		if !ok || t.N > 1024 || int64(len(inner))*t.N > 1024 {
			return nil, false
		}
		for range t.N {
			out = append(out, inner...)
		}
		return out, true
	case llvm.Struct:
		for _, f := range t.Fields {
			inner, ok := l.scalars(f)
			if !ok || len(out) > 1024 {
				return nil, false
			}
			out = append(out, inner...)
		}
		return out, true
	}
	return nil, false
}

// value is what an operand stands for.
func (l *lowerer) value(v *llvm.Value) *value {
	out := &value{typ: v.Type}
	switch v.Kind {
	case llvm.Register:
		got := l.frame.values[v.Name]
		if got == nil {
			l.fail("%%%s, which is used before it is defined", v.Name)
		}
		return got
	case llvm.GlobalName:
		out.parts = []scalar{{ptr: l.global(v.Name)}}
		return out
	case llvm.IntConstant:
		c := intType(v.Type.Bits, true)
		if v.Type.Bits == 1 {
			p := ir.Falsity
			if v.Int.Sign() != 0 {
				p = ir.Truth
			}
			out.parts = []scalar{truth(p)}
			return out
		}
		out.parts = []scalar{{typ: c, t: ir.BigNumber(v.Int)}}
		return out
	case llvm.FloatConstant:
		c := floatType(v.Type)
		out.parts = []scalar{{typ: c, t: l.FloatConstant(v.Name, c)}}
		return out
	case llvm.NullPointer:
		out.parts = []scalar{{ptr: nullPointer()}}
		return out
	// Undefined values may be anything, and each use may see something else.
	case llvm.Undef, llvm.Poison, llvm.Zero:
		leaves, ok := l.scalars(v.Type)
		if !ok {
			l.fail("a value of type %s", v.Type)
		}
		for _, t := range leaves {
			s := scalar{}
			if v.Kind == llvm.Zero {
				s = l.zero(t)
			}
			out.parts = append(out.parts, s)
		}
		return out
	case llvm.Aggregate:
		for _, e := range v.Elems {
			out.parts = append(out.parts, l.value(e).parts...)
		}
		return out
	case llvm.Bytes:
		for _, b := range []byte(v.Name) {
			out.parts = append(out.parts, scalar{typ: intType(8, true), t: ir.Number(int64(int8(b)))})
		}
		return out
	case llvm.Expression:
		return l.compute(v.Expr)
	case llvm.AssemblyText:
		l.fail("inline assembly %q", v.Name)
	}
	l.fail("the operand %s", v.Name)
	return nil
}

func (l *lowerer) zero(t *llvm.Type) scalar {
	switch {
	case t.Kind == llvm.Pointer:
		return scalar{ptr: nullPointer()}
	case t.Kind == llvm.Float:
		c := floatType(t)
		return scalar{typ: c, t: l.FloatConstant(floatZero, c)}
	case t.Bits == 1:
		return truth(ir.Falsity)
	}
	return scalar{typ: intType(t.Bits, true), t: ir.Number(0)}
}

const floatZero = "0.000000e+00"

// one is the single scalar of a value.
func (l *lowerer) one(v *value) scalar {
	if len(v.parts) != 1 {
		l.fail("a value of type %s as a scalar", v.typ)
	}
	return v.parts[0]
}

func single(t *llvm.Type, s scalar) *value { return &value{typ: t, parts: []scalar{s}} }

// mentions reports whether a term mentions a variable that may change: any, or v.
func (l *lowerer) mentions(t *ir.Term, v *ir.Variable) bool {
	if t == nil {
		return false
	}
	return slices.ContainsFunc(ir.VariablesOf(t), func(x *ir.Variable) bool { return l.mutable[x] && (v == nil || x == v) })
}

// changes reports whether a value mentions a variable that may change: any, or v.
func (l *lowerer) changes(x *value, v *ir.Variable) bool {
	return slices.ContainsFunc(x.parts, func(s scalar) bool {
		if l.mentions(s.t, v) || l.mentions(s.p, v) {
			return true
		}
		for _, p := range []*pointer{s.ptr, s.from} {
			if p != nil && (l.mentions(p.off, v) || l.mentions(p.which, v)) {
				return true
			}
		}
		return s.slot != nil && s.slot.mutable
	})
}

// kept is a value as it is now, for uses behind a change of v, or of any variable if v is nil. Terms mention variables, so
// a term that is used behind an assignment has to mention a copy from before it.
func (l *lowerer) kept(x *value, v *ir.Variable) *value {
	if !l.changes(x, v) {
		return x
	}
	// One copy of each variable serves all parts of the value.
	copies := map[*ir.Variable]*ir.Term{}
	keep := func(t *ir.Term) *ir.Term {
		if !l.mentions(t, v) {
			return t
		}
		return ir.MapTerm(t, func(leaf *ir.Term) *ir.Term {
			if leaf.Op != ir.Local_ || !l.mutable[leaf.V] || v != nil && leaf.V != v {
				return nil
			}
			if copies[leaf.V] == nil {
				c := l.NewVariable(leaf.V.Name+"_was", leaf.V.Typ)
				l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: c, E: leaf})
				copies[leaf.V] = ir.VariableTerm(c)
			}
			return copies[leaf.V]
		})
	}
	out := &value{typ: x.typ}
	for _, s := range x.parts {
		if s.slot != nil && s.slot.mutable {
			s = scalar{ptr: l.pointerOf(s)}
		}
		s.t, s.p = keep(s.t), keep(s.p)
		for _, p := range []**pointer{&s.ptr, &s.from} {
			if *p != nil {
				q := **p
				q.off, q.which = keep(q.off), keep(q.which)
				*p = &q
			}
		}
		out.parts = append(out.parts, s)
	}
	return out
}

// set gives a variable that may change a value: values that mention it, and are used later, keep the old one.
func (l *lowerer) set(v *ir.Variable, e *ir.Term) {
	l.before(v)
	l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: v, E: l.light(v, e)})
}

// before keeps what mentions v, or any variable that may change, and is used later.
func (l *lowerer) before(v *ir.Variable) {
	fr := l.frame
	var left []string
	for _, n := range fr.tracked {
		if fr.last[n] > fr.index {
			fr.values[n] = l.kept(fr.values[n], v)
			if l.changes(fr.values[n], nil) {
				left = append(left, n)
			}
		}
	}
	fr.tracked = left
}

// maxTerm is how many leaves the term of a value may have: a register that is used twice at each step would
// otherwise grow without bound.
const maxTerm = 64

// bounded is a value whose terms are small: a larger one is that of a variable.
func (l *lowerer) bounded(v *value) *value {
	// Terms would grow with each use in straight code, and proofs with them.
	large := func(t *ir.Term) bool {
		n := 0
		if t != nil {
			ir.Leaves(t, func(*ir.Term) { n++ })
		}
		return n > maxTerm
	}
	if !slices.ContainsFunc(v.parts, func(s scalar) bool { return large(s.t) || s.ptr != nil && large(s.ptr.off) }) {
		return v
	}
	fix := func(t *ir.Term, c *ast.Ctype) *ir.Term {
		x := l.NewVariable("v", c)
		l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: x, E: l.light(x, t)})
		return ir.VariableTerm(x)
	}
	out := &value{typ: v.typ}
	for _, s := range v.parts {
		switch {
		case large(s.t) && s.p != nil:
			s = l.integer(ast.TBool, fix(s.t, ast.TBool))
		case large(s.t):
			s.t = fix(s.t, s.typ)
		case s.ptr != nil && large(s.ptr.off):
			g := alignment(s.ptr.off)
			off := fix(ir.Into(ast.TLong, divided(s.ptr.off, g)), ast.TLong)
			s.ptr = s.ptr.moved(ir.Product(ir.Number(g), off))
		}
		out.parts = append(out.parts, s)
	}
	return out
}

// maxWeight is how many leaves a term may have if all variables in it stand for their values since the last loop began.
const maxWeight = 2000

// light is what v is set to: t, or any value where t is too heavy. Paths write the value of a variable in the place
// of it, so that a chain of steps that use one twice would double at each.
func (l *lowerer) light(v *ir.Variable, t *ir.Term) *ir.Term {
	weight := 0
	ir.Leaves(t, func(x *ir.Term) {
		if x.Op == ir.Local_ && l.weights[x.V] > 0 {
			weight += l.weights[x.V]
		} else {
			weight++
		}
	})
	if weight > maxWeight {
		delete(l.weights, v)
		return l.Anything(v.Typ, l.at)
	}
	l.weights[v] = weight
	return t
}

// put gives a register its value.
func (l *lowerer) put(i *llvm.Instr, v *value) {
	if i.Name == "" {
		return
	}
	v = l.bounded(v)
	v.typ = i.Type
	l.frame.values[i.Name] = v
	if l.changes(v, nil) {
		l.frame.tracked = append(l.frame.tracked, i.Name)
	}
}
