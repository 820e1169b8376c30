package interp

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
)

// value evaluates an expression.
func (r *runner) value(e *ast.Expr) result {
	r.burn(e.At)
	switch e.Kind {
	case ast.Literal:
		return result{e.Typ, []scalar{{kind: intScalar, i: narrow(e.Typ, int64(new(big.Int).And(e.Value, new(big.Int).SetUint64(math.MaxUint64)).Uint64()))}}}
	case ast.FloatLiteral:
		text := strings.TrimRight(strings.ToLower(e.Name), "fl")
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(f, 0) { // what is too large is infinite
			r.undecided(e.At, "number %s", e.Name)
		}
		t := &ast.Ctype{Kind: ast.FloatType, Name: "double", Bits: 64}
		if strings.HasSuffix(strings.ToLower(e.Name), "f") {
			t = ast.TFloat
		}
		return result{t, []scalar{{kind: floatScalar, f: single(t, f)}}}
	case ast.StringLiteral:
		return result{&ast.Ctype{Kind: ast.PointerType, Elem: ast.IntOf(8, true)}, []scalar{r.unknown("")}}
	case ast.Comma:
		r.value(e.Args[0])
		return r.value(e.Args[1])
	case ast.SizeOf:
		t := e.Typ
		if t == nil {
			t = r.typeOf(e.Args[0]) // it is not evaluated
			if strings.HasSuffix(r.u.File, ".cu") {
				t = ast.Valued(e.Args[0], r.typeOf)
			}
		}
		if t == nil || !t.Sized() {
			r.undecided(e.At, "the size of an unknown type")
		}
		return intValue(ast.Scalars["size_t"], t.Size())
	case ast.Assign:
		// The place first, then the value; where the order would matter, the parser refuses.
		to := r.place(e.Args[0])
		v := r.value(e.Args[1])
		if e.Op != "" {
			v = r.operate(e.Op, r.load(to, e.At), v, e.At)
		}
		v = r.convert(v, to.typ, e.At)
		r.store(to, v, e.At)
		return v
	case ast.Step:
		to := r.place(e.Args[0])
		was := r.load(to, e.At)
		now := r.convert(r.operate(e.Op, was, intValue(ast.TInt, 1), e.At), to.typ, e.At)
		r.store(to, now, e.At)
		if e.Postfix {
			return was
		}
		return now
	case ast.Ternary:
		chosen, other := e.Args[1], e.Args[2]
		if !r.truth(e.Args[0]) {
			chosen, other = other, chosen
		}
		v := r.value(chosen)
		// Both have one type, also what is not evaluated.
		if t := r.typeOf(other); t != nil && t.Kind <= ast.FloatType && v.typ.Kind <= ast.FloatType && t.Kind != ast.VoidType && v.typ.Kind != ast.VoidType {
			return r.convert(v, ast.CommonType(v.typ, t), e.At)
		} else if t == nil && (v.typ.Kind == ast.IntType || v.typ.Kind == ast.FloatType) {
			r.undecided(e.At, "a conditional expression of unknown type")
		}
		return v
	case ast.Cast:
		return r.casted(e)
	case ast.Unary:
		return r.unary(e)
	case ast.Binary:
		switch e.Op {
		case "&&":
			return intValue(ast.TInt, asInt(r.truth(e.Args[0]) && r.truth(e.Args[1])))
		case "||":
			return intValue(ast.TInt, asInt(r.truth(e.Args[0]) || r.truth(e.Args[1])))
		}
		x := r.value(e.Args[0])
		return r.operate(e.Op, x, r.value(e.Args[1]), e.At)
	case ast.Call:
		return r.call(e)
	}
	if v, ok := r.builtin(e); ok {
		return v
	}
	return r.load(r.place(e), e.At)
}

// typeOf is the type of an expression that is not evaluated; nil if it is not known.
func (r *runner) typeOf(e *ast.Expr) *ast.Ctype {
	arg := func(i int) *ast.Ctype {
		if t := r.typeOf(e.Args[i]); t != nil {
			return t
		}
		return &ast.Ctype{Kind: ast.OpaqueType}
	}
	// Subscripts and dereferences give elements of pointers and arrays alone.
	elem := func(t *ast.Ctype) *ast.Ctype {
		if t.Kind == ast.PointerType || t.Kind == ast.ArrayType {
			return t.Elem
		}
		return nil
	}
	switch e.Kind {
	case ast.Literal, ast.FloatLiteral, ast.Cast:
		return e.Typ
	case ast.SizeOf:
		return ast.TUlong
	case ast.Name:
		if o := r.lookup(e); o != nil {
			return o.typ
		}
		if _, ok := r.u.Enums[e.Name]; ok {
			return ast.TInt
		}
	case ast.Assign, ast.Step:
		return arg(0)
	case ast.Comma:
		return arg(1)
	case ast.Ternary:
		return common(arg(1), arg(2))
	case ast.Index:
		return elem(arg(0))
	case ast.Unary:
		switch e.Op {
		case "*":
			return elem(arg(0))
		case "!":
			return ast.TInt
		case "-", "~", "+":
			return ast.Promoted(arg(0))
		}
	case ast.Binary:
		switch {
		case ir.Comparisons[e.Op], e.Op == "&&", e.Op == "||":
			return ast.TInt
		case e.Op == "<<", e.Op == ">>":
			return ast.Promoted(arg(0))
		}
		return common(arg(0), arg(1))
	case ast.Member:
		return r.memberType(e)
	case ast.Call:
		return r.callType(e)
	}
	return nil
}

// memberType is the type of a member; nil if it is not known.
func (r *runner) memberType(e *ast.Expr) *ast.Ctype {
	if ir.IsCudaIndex(e) {
		return ast.TUint
	}
	t := r.typeOf(e.Args[0])
	if t != nil && e.Op == "->" {
		t = t.Elem
	}
	switch {
	case t == nil:
	case t.Kind == ast.VectorType:
		if len(ir.Swizzle(t, e.Name)) == 1 {
			return t.Elem
		}
	case t.Kind == ast.StructType:
		for _, f := range t.Fields {
			if f.Name == e.Name {
				return f.Typ
			}
		}
	}
	return nil
}

func (r *runner) callType(e *ast.Expr) *ast.Ctype {
	n := e.Args[0].Name
	if f := r.u.Function(n); f != nil {
		return f.Ret
	}
	switch {
	case strings.HasPrefix(n, "get_"):
		return ast.TUlong
	case (n == "min" || n == "max") && len(e.Args) == 3:
		if a, b := r.typeOf(e.Args[1]), r.typeOf(e.Args[2]); a != nil && b != nil {
			return common(a, b)
		}
	}
	return nil
}

// builtin is the value of a name that the language defines; false if it defines no such name.
func (r *runner) builtin(e *ast.Expr) (result, bool) {
	if ir.IsCudaIndex(e) && r.t != nil && r.lookup(e.Args[0]) == nil {
		d := ir.Dimension(e.Name)
		n := map[string]int64{"threadIdx": r.t.lid[d], "blockIdx": r.t.gid[d], "blockDim": r.local[d], "gridDim": r.groups[d]}[e.Args[0].Name]
		return intValue(ast.TUint, n), true
	}
	if e.Kind == ast.Name && r.lookup(e) == nil {
		if v, ok := r.u.Enums[e.Name]; ok {
			return intValue(ast.TInt, v), true
		}
		if v, ok := constants[e.Name]; ok {
			return intValue(ast.TInt, v), true
		}
		if strings.HasPrefix(e.Name, "cuda") {
			return result{ast.TInt, []scalar{r.unknown(e.Name)}}, true
		}
		if slices.Contains([]string{"stderr", "stdout", "stdin"}, e.Name) {
			return result{ast.TLong, []scalar{r.unknown(e.Name)}}, true
		}
	}
	return result{}, false
}

// constants are those of the toolchains that programs ask for.
var constants = map[string]int64{
	"warpSize": 32, "cudaSuccess": 0,
	"cudaMemcpyHostToHost": 0, "cudaMemcpyHostToDevice": 1, "cudaMemcpyDeviceToHost": 2, "cudaMemcpyDeviceToDevice": 3, "cudaMemcpyDefault": 4,
}

// casted evaluates a cast, or a vector that is written as one.
func (r *runner) casted(e *ast.Expr) result {
	if parts := ast.Lanes(e.Args[0]); e.Typ.Kind == ast.VectorType && (len(parts) > 1 || e.Args[0].Kind == ast.InitList) {
		out := result{typ: e.Typ}
		var walk func(x *ast.Expr)
		walk = func(x *ast.Expr) {
			if x.Kind == ast.InitList {
				for _, a := range x.Args {
					walk(a)
				}
				return
			}
			v := r.value(x)
			for i, s := range v.c {
				if v.typ.Kind == ast.VectorType && int64(i) >= v.typ.N {
					break
				}
				out.c = append(out.c, r.convertScalar(s, v.typ.Leaf(int64(i)), e.Typ.Elem, e.At))
			}
		}
		for _, x := range parts {
			walk(x)
		}
		for int64(len(out.c)) < e.Typ.Cells() {
			out.c = append(out.c, scalar{kind: intScalar})
		}
		return out
	}
	return r.convert(r.value(e.Args[0]), e.Typ, e.At)
}

// unary evaluates a unary expression.
func (r *runner) unary(e *ast.Expr) result {
	switch e.Op {
	case "*":
		return r.load(r.place(e), e.At)
	case "&":
		p := r.place(e.Args[0])
		r.named(p.o, e.At)
		return result{&ast.Ctype{Kind: ast.PointerType, Elem: p.typ}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ, end: p.beyond}}}
	case "!":
		return intValue(ast.TInt, asInt(!r.truth(e.Args[0])))
	}
	v := r.value(e.Args[0])
	switch e.Op {
	case "+":
		if v.typ.Kind == ast.IntType {
			return r.convert(v, ast.Promoted(v.typ), e.At)
		}
		return v
	case "-":
		zero := intValue(ast.TInt, 0)
		if leaf := v.typ.Leaf(0); leaf.Kind == ast.FloatType { // less than nothing is less than 0: the sign of 0 changes, too
			zero = result{leaf, []scalar{{kind: floatScalar, f: math.Copysign(0, -1)}}}
		}
		return r.operate("-", zero, v, e.At)
	case "~":
		return r.operate("^", v, intValue(ast.TInt, -1), e.At)
	}
	r.undecided(e.At, "operator %s", e.Op)
	return result{}
}

// place is where an expression lies.
func (r *runner) place(e *ast.Expr) ref {
	switch e.Kind {
	case ast.Name:
		o := r.lookup(e)
		if o == nil {
			r.undecided(e.At, "name %s, which is not declared", e.Name)
		}
		return ref{o: o, typ: o.typ}
	case ast.Index:
		x, y := r.value(e.Args[0]), r.value(e.Args[1])
		to := r.target(r.pointers("+", x, y, e.At), e.At)
		if t := r.typeOf(e.Args[0]); !r.fill && t != nil && t.Kind == ast.ArrayType && t.N >= 0 {
			to.beyond = y.c[0].i < 0 || y.c[0].i >= t.N
		}
		return to
	case ast.Unary:
		if e.Op == "*" {
			return r.target(r.value(e.Args[0]), e.At)
		}
	case ast.Member:
		var p ref
		if e.Op == "->" {
			p = r.target(r.value(e.Args[0]), e.At)
		} else {
			p = r.place(e.Args[0])
		}
		return r.part(p, e)
	// Values without a place get one of their own, so that members of results can be read.
	case ast.Cast, ast.Call, ast.Binary, ast.Ternary, ast.Assign, ast.Step, ast.Comma, ast.Literal, ast.FloatLiteral:
		v := r.value(e)
		o := r.newObject("value", v.typ, ast.Private)
		copy(o.cells, v.c)
		return ref{o: o, typ: v.typ}
	}
	r.undecided(e.At, "an expression that denotes no memory location")
	return ref{}
}

// part is a member of a structure, or lanes of a vector.
func (r *runner) part(p ref, e *ast.Expr) ref {
	switch p.typ.Kind {
	case ast.VectorType:
		ls := ir.Swizzle(p.typ, e.Name)
		if ls == nil {
			r.undecided(e.At, "part %s", e.Name)
		}
		if p.pick != nil {
			for i := range ls {
				ls[i] = p.pick[ls[i]]
			}
		}
		if len(ls) == 1 {
			return ref{o: p.o, off: p.off + ls[0], typ: p.typ.Elem, beyond: p.beyond}
		}
		return ref{o: p.o, off: p.off, typ: ast.VectorOf(p.typ.Elem, int64(len(ls))), pick: ls, beyond: p.beyond}
	case ast.StructType:
		var skip int64
		for _, f := range p.typ.Fields {
			if f.Name == e.Name {
				return ref{o: p.o, off: p.off + skip, typ: f.Typ, beyond: p.beyond}
			}
			skip += f.Typ.Cells()
		}
	}
	r.undecided(e.At, "member %s of %s", e.Name, ir.KindName(p.typ))
	return ref{}
}

func (r *runner) truth(e *ast.Expr) bool {
	v := r.value(e)
	return r.truthOf(v, e.At)
}

func (r *runner) values(args []*ast.Expr) (out []result) {
	for _, a := range args {
		out = append(out, r.value(a))
	}
	return out
}

func (r *runner) assert(e *ast.Expr) result {
	r.use.touched = true
	if !r.truth(e) && !r.checks.NoAsserts {
		r.fault("assert", e.At, "assertion")
	}
	return result{ast.TVoid, nil}
}
