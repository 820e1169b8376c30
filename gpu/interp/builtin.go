package interp

import (
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// arithmetic runs a function of numbers; a value that is not worked out has the name
// of the function and its arguments.
func (r *runner) arithmetic(n string, e *ast.Expr) result {
	vs := r.values(e.Args[1:])
	switch {
	case (n == "min" || n == "max" || n == "umin" || n == "umax") && len(vs) == 2 && len(vs[0].c) == 1:
		if n[0] == 'u' {
			vs[0], vs[1] = r.convert(vs[0], ast.TUint, e.At), r.convert(vs[1], ast.TUint, e.At)
		}
		less := r.truthOf(r.operate("<", vs[0], vs[1], e.At), e.At)
		t := ast.CommonType(vs[0].typ, vs[1].typ)
		if !strings.HasSuffix(r.u.File, ".cu") && ast.Same(vs[0].typ, vs[1].typ) { // OpenCL has it for narrow types, too
			t = vs[0].typ
		}
		if less == strings.HasSuffix(n, "min") {
			return r.convert(vs[0], t, e.At)
		}
		return r.convert(vs[1], t, e.At)
	case n == "abs" && len(vs) == 1:
		v := vs[0]
		if r.truthOf(r.operate("<", v, intValue(ast.TInt, 0), e.At), e.At) {
			v = r.operate("-", intValue(ast.TInt, 0), v, e.At)
		}
		if !strings.HasSuffix(r.u.File, ".cu") && vs[0].typ.Kind == ast.IntType { // in OpenCL it gives no sign
			v = r.convert(v, ast.IntOf(vs[0].typ.Bits, false), e.At)
		}
		return v
	case strings.HasSuffix(n, "mul24") || n == "mad24":
		return r.wrapping(func() result { return r.product24(n, vs, e.At) })
	case n == "__implies" && len(vs) == 2:
		return intValue(ast.TInt, asInt(!r.truthOf(vs[0], e.At) || r.truthOf(vs[1], e.At)))
	}
	if ir.MakeCall.MatchString(n) || n == "dim3" {
		t := ast.Named(strings.TrimPrefix(n, "make_"), true)
		if t != nil {
			out := result{typ: t}
			for _, v := range vs {
				out.c = append(out.c, r.convert(v, t.Elem, e.At).c...)
			}
			for int64(len(out.c)) < t.Cells() {
				out.c = append(out.c, scalar{kind: intScalar, i: 1})
			}
			return out
		}
	}
	if cuda := strings.HasSuffix(r.u.File, ".cu"); ast.IsBuiltin(n, cuda) {
		var types []*ast.Ctype
		for _, v := range vs {
			types = append(types, v.typ)
		}
		t, why := ast.Result(n, cuda, types)
		if why != "" {
			r.undecided(e.At, "%s", why)
		}
		if t.Kind == ast.VectorType {
			r.undecided(e.At, "%s", n)
		}
		key := n
		if r.t != nil {
			key += onDevice // which may round otherwise
		}
		for _, v := range vs {
			for _, c := range v.c {
				key += " " + c.key()
			}
		}
		// Each call gives another value, whatever the arguments: it depends on a state, or on other threads.
		if strings.HasPrefix(n, "rand") || strings.HasPrefix(n, "curand") || strings.HasPrefix(n, "clock") || ir.OfWarp(n) {
			key = ""
		}
		return result{t, []scalar{r.unknown(key)}}
	}
	r.undecided(e.At, "function %s, which is not declared", n)
	return result{}
}

// product24 multiplies the low 24 bits of two operands, as devices do it in one step;
// mad24 adds a third one to all 32 bits of the product.
func (r *runner) product24(n string, vs []result, at preproc.Place) result {
	for i, v := range vs {
		vs[i] = r.convert(v, ast.Promoted(v.typ), at)
	}
	part := &ast.Ctype{Kind: ast.IntType, Name: "24", Bits: 24, Signed: n == "__mul24" || n != "__umul24" && vs[0].typ.Signed}
	a, b := r.convert(vs[0], part, at), r.convert(vs[1], part, at)
	// Of operands beyond 24 bits OpenCL says nothing.
	if !strings.HasPrefix(n, "__") && (len(a.c) != 1 || len(b.c) != 1 || !a.c[0].equals(vs[0].c[0]) || !b.c[0].equals(vs[1].c[0])) {
		return result{vs[0].typ, []scalar{r.unknown("")}}
	}
	wide := ast.IntOf(32, part.Signed)
	a.typ, b.typ = wide, wide
	if n == "mad24" {
		return r.operate("+", r.operate("*", a, b, at), vs[2], at)
	}
	return r.operate("*", a, b, at)
}
