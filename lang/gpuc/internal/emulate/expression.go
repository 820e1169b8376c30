package emulate

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

func (r *runner) value(e *syntax.Expr) result {
	r.burn(e.At)
	switch e.Kind {
	case syntax.Literal:
		return result{e.Typ, []scalar{{kind: intScalar, i: narrow(e.Typ, int64(new(big.Int).And(e.Value, new(big.Int).SetUint64(math.MaxUint64)).Uint64()))}}}
	case syntax.FloatLiteral:
		var f float64
		text := strings.TrimRight(strings.ToLower(e.Name), "fl")
		if _, err := fmt.Sscan(text, &f); err != nil {
			r.undecided(e.At, "number %s", e.Name)
		}
		t := &syntax.Ctype{Kind: syntax.FloatType, Name: "double", Bits: 64}
		if strings.HasSuffix(strings.ToLower(e.Name), "f") {
			t = syntax.TFloat
		}
		return result{t, []scalar{{kind: floatScalar, f: single(t, f)}}}
	case syntax.StringLiteral:
		return result{&syntax.Ctype{Kind: syntax.PointerType, Elem: syntax.IntOf(8, true)}, []scalar{r.unknown("")}}
	case syntax.Comma:
		r.value(e.Args[0])
		return r.value(e.Args[1])
	case syntax.SizeOf:
		t := e.Typ
		if t == nil {
			t = r.typeOf(e.Args[0]) // it is not evaluated
			if strings.HasSuffix(r.u.File, ".cu") {
				t = syntax.Valued(e.Args[0], r.typeOf)
			}
		}
		if t == nil || !t.Sized() {
			r.undecided(e.At, "the size of what has a type that is not known")
		}
		return intValue(syntax.Scalars["size_t"], t.Size())
	case syntax.Assign:
		// The place first, then the value; where the order would matter, the parser refuses.
		to := r.place(e.Args[0])
		v := r.value(e.Args[1])
		if e.Op != "" {
			v = r.operate(e.Op, r.load(to, e.At), v, e.At)
		}
		v = r.convert(v, to.typ, e.At)
		r.store(to, v, e.At)
		return v
	case syntax.Step:
		to := r.place(e.Args[0])
		was := r.load(to, e.At)
		now := r.convert(r.operate(e.Op, was, intValue(syntax.TInt, 1), e.At), to.typ, e.At)
		r.store(to, now, e.At)
		if e.Postfix {
			return was
		}
		return now
	case syntax.Ternary:
		chosen, other := e.Args[1], e.Args[2]
		if !r.truth(e.Args[0]) {
			chosen, other = other, chosen
		}
		v := r.value(chosen)
		// Both have one type, also what is not evaluated.
		if t := r.typeOf(other); t != nil && t.Kind <= syntax.FloatType && v.typ.Kind <= syntax.FloatType && t.Kind != syntax.VoidType && v.typ.Kind != syntax.VoidType {
			return r.convert(v, syntax.CommonType(v.typ, t), e.At)
		} else if t == nil && (v.typ.Kind == syntax.IntType || v.typ.Kind == syntax.FloatType) {
			r.undecided(e.At, "a choice of what has a type that is not known")
		}
		return v
	case syntax.Cast:
		return r.casted(e)
	case syntax.Unary:
		return r.unary(e)
	case syntax.Binary:
		switch e.Op {
		case "&&":
			return intValue(syntax.TInt, asInt(r.truth(e.Args[0]) && r.truth(e.Args[1])))
		case "||":
			return intValue(syntax.TInt, asInt(r.truth(e.Args[0]) || r.truth(e.Args[1])))
		}
		x := r.value(e.Args[0])
		return r.operate(e.Op, x, r.value(e.Args[1]), e.At)
	case syntax.Call:
		return r.call(e)
	}
	if v, ok := r.builtin(e); ok {
		return v
	}
	return r.load(r.place(e), e.At)
}

// typeOf is the type of an expression that is not evaluated; nil if it is not known.
func (r *runner) typeOf(e *syntax.Expr) *syntax.Ctype {
	arg := func(i int) *syntax.Ctype {
		if t := r.typeOf(e.Args[i]); t != nil {
			return t
		}
		return &syntax.Ctype{Kind: syntax.OpaqueType}
	}
	elem := func(t *syntax.Ctype) *syntax.Ctype {
		if t.Kind == syntax.PointerType || t.Kind == syntax.ArrayType {
			return t.Elem
		}
		return nil
	}
	switch e.Kind {
	case syntax.Literal, syntax.FloatLiteral, syntax.Cast:
		return e.Typ
	case syntax.SizeOf:
		return syntax.TUlong
	case syntax.Name:
		if o := r.lookup(e.Name); o != nil {
			return o.typ
		}
		if _, ok := r.u.Enums[e.Name]; ok {
			return syntax.TInt
		}
	case syntax.Assign, syntax.Step:
		return arg(0)
	case syntax.Comma:
		return arg(1)
	case syntax.Ternary:
		return common(arg(1), arg(2))
	case syntax.Index:
		return elem(arg(0))
	case syntax.Unary:
		switch e.Op {
		case "*":
			return elem(arg(0))
		case "!":
			return syntax.TInt
		case "-", "~", "+":
			return syntax.Promoted(arg(0))
		}
	case syntax.Binary:
		switch {
		case flow.Comparisons[e.Op], e.Op == "&&", e.Op == "||":
			return syntax.TInt
		case e.Op == "<<", e.Op == ">>":
			return syntax.Promoted(arg(0))
		}
		return common(arg(0), arg(1))
	case syntax.Member:
		return r.memberType(e)
	case syntax.Call:
		return r.callType(e)
	}
	return nil
}

func (r *runner) memberType(e *syntax.Expr) *syntax.Ctype {
	if flow.IsCudaIndex(e) {
		return syntax.TUint
	}
	t := r.typeOf(e.Args[0])
	if t != nil && e.Op == "->" {
		t = t.Elem
	}
	switch {
	case t == nil:
	case t.Kind == syntax.VectorType:
		if len(flow.Swizzle(t, e.Name)) == 1 {
			return t.Elem
		}
	case t.Kind == syntax.StructType:
		for _, f := range t.Fields {
			if f.Name == e.Name {
				return f.Typ
			}
		}
	}
	return nil
}

func (r *runner) callType(e *syntax.Expr) *syntax.Ctype {
	n := e.Args[0].Name
	if f, _ := r.u.Callee(e.At, n, len(e.Args)-1, syntax.Types(e, r.typeOf)); f != nil {
		return f.Ret
	}
	switch {
	case strings.HasPrefix(n, "get_"):
		return syntax.TUlong
	case (n == "min" || n == "max") && len(e.Args) == 3:
		if a, b := r.typeOf(e.Args[1]), r.typeOf(e.Args[2]); a != nil && b != nil {
			return common(a, b)
		}
	}
	return nil
}

func (r *runner) builtin(e *syntax.Expr) (result, bool) {
	if flow.IsCudaIndex(e) && r.t != nil && r.lookup(e.Args[0].Name) == nil {
		d := flow.Dimension(e.Name)
		n := map[string]int64{"threadIdx": r.t.lid[d], "blockIdx": r.t.gid[d], "blockDim": r.local[d], "gridDim": r.groups[d]}[e.Args[0].Name]
		return intValue(syntax.TUint, n), true
	}
	if e.Kind == syntax.Name && r.lookup(e.Name) == nil {
		if v, ok := r.u.Enums[e.Name]; ok {
			return intValue(syntax.TInt, v), true
		}
		if v, ok := constants[e.Name]; ok {
			return intValue(syntax.TInt, v), true
		}
		if strings.HasPrefix(e.Name, "cuda") {
			return result{syntax.TInt, []scalar{r.unknown(e.Name)}}, true
		}
		if slices.Contains([]string{"stderr", "stdout", "stdin"}, e.Name) {
			return result{syntax.TLong, []scalar{r.unknown(e.Name)}}, true
		}
	}
	return result{}, false
}

// constants are those of the toolchains that programs ask for.
var constants = map[string]int64{
	"warpSize": 32, "cudaSuccess": 0,
	"cudaMemcpyHostToHost": 0, "cudaMemcpyHostToDevice": 1, "cudaMemcpyDeviceToHost": 2, "cudaMemcpyDeviceToDevice": 3, "cudaMemcpyDefault": 4,
}

func (r *runner) casted(e *syntax.Expr) result {
	if parts := syntax.Lanes(e.Args[0]); e.Typ.Kind == syntax.VectorType && (len(parts) > 1 || e.Args[0].Kind == syntax.InitList) {
		out := result{typ: e.Typ}
		var walk func(x *syntax.Expr)
		walk = func(x *syntax.Expr) {
			if x.Kind == syntax.InitList {
				for _, a := range x.Args {
					walk(a)
				}
				return
			}
			v := r.value(x)
			for i, s := range v.c {
				if v.typ.Kind == syntax.VectorType && int64(i) >= v.typ.N {
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

func (r *runner) unary(e *syntax.Expr) result {
	switch e.Op {
	case "*":
		return r.load(r.place(e), e.At)
	case "&":
		p := r.place(e.Args[0])
		r.named(p.o, e.At)
		return result{&syntax.Ctype{Kind: syntax.PointerType, Elem: p.typ}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ, end: p.beyond}}}
	case "!":
		return intValue(syntax.TInt, asInt(!r.truth(e.Args[0])))
	}
	v := r.value(e.Args[0])
	switch e.Op {
	case "+":
		if v.typ.Kind == syntax.IntType {
			return r.convert(v, syntax.Promoted(v.typ), e.At)
		}
		return v
	case "-":
		zero := intValue(syntax.TInt, 0)
		if leaf := v.typ.Leaf(0); leaf.Kind == syntax.FloatType { // less than nothing is less than 0: the sign of 0 changes, too
			zero = result{leaf, []scalar{{kind: floatScalar, f: math.Copysign(0, -1)}}}
		}
		return r.operate("-", zero, v, e.At)
	case "~":
		return r.operate("^", v, intValue(syntax.TInt, -1), e.At)
	}
	r.undecided(e.At, "operator %s", e.Op)
	return result{}
}

// place is where an expression lies.
func (r *runner) place(e *syntax.Expr) ref {
	switch e.Kind {
	case syntax.Name:
		o := r.lookup(e.Name)
		if o == nil {
			r.undecided(e.At, "name %s, which is not declared", e.Name)
		}
		return ref{o: o, typ: o.typ}
	case syntax.Index:
		x, y := r.value(e.Args[0]), r.value(e.Args[1])
		to := r.target(r.pointers("+", x, y, e.At), e.At)
		if t := r.typeOf(e.Args[0]); !r.fill && t != nil && t.Kind == syntax.ArrayType && t.N >= 0 {
			to.beyond = y.c[0].i < 0 || y.c[0].i >= t.N
		}
		return to
	case syntax.Unary:
		if e.Op == "*" {
			return r.target(r.value(e.Args[0]), e.At)
		}
	case syntax.Member:
		var p ref
		if e.Op == "->" {
			p = r.target(r.value(e.Args[0]), e.At)
		} else {
			p = r.place(e.Args[0])
		}
		return r.part(p, e)
	case syntax.Cast, syntax.Call, syntax.Binary, syntax.Ternary, syntax.Assign, syntax.Step, syntax.Comma, syntax.Literal, syntax.FloatLiteral:
		v := r.value(e)
		o := r.newObject("value", v.typ, syntax.Private)
		copy(o.cells, v.c)
		return ref{o: o, typ: v.typ}
	}
	r.undecided(e.At, "an expression that designates no place")
	return ref{}
}

func (r *runner) part(p ref, e *syntax.Expr) ref {
	switch p.typ.Kind {
	case syntax.VectorType:
		ls := flow.Swizzle(p.typ, e.Name)
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
		return ref{o: p.o, off: p.off, typ: syntax.VectorOf(p.typ.Elem, int64(len(ls))), pick: ls, beyond: p.beyond}
	case syntax.StructType:
		var skip int64
		for _, f := range p.typ.Fields {
			if f.Name == e.Name {
				return ref{o: p.o, off: p.off + skip, typ: f.Typ, beyond: p.beyond}
			}
			skip += f.Typ.Cells()
		}
	}
	r.undecided(e.At, "member %s of %s", e.Name, flow.KindName(p.typ))
	return ref{}
}

func (r *runner) truth(e *syntax.Expr) bool {
	v := r.value(e)
	return r.truthOf(v, e.At)
}

func (r *runner) values(args []*syntax.Expr) (out []result) {
	for _, a := range args {
		out = append(out, r.value(a))
	}
	return out
}

func (r *runner) assert(e *syntax.Expr) result {
	r.use.touched = true
	if !r.truth(e) {
		r.fault("assert", e.At, "assertion")
	}
	return result{syntax.TVoid, nil}
}
