package interp

import (
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// arithmetic runs a function of numbers; a value that is not worked out has the name
// of the function and its arguments.
func (r *runner) arithmetic(n string, e *ast.Expr) result {
	vs := r.values(e.Args[1:])
	if ir.MakeCall.MatchString(n) || n == "dim3" {
		if t := ast.Named(strings.TrimPrefix(n, "make_"), true); t != nil {
			return r.gathered(t, vs, e.At)
		}
	}
	c := builtin.Source(n, r.cuda())
	if c == nil {
		r.undecided(e.At, "function %s, which is not declared", n)
	}
	switch c.Means {
	case builtin.Minimum, builtin.Maximum:
		if len(vs) == 2 && len(vs[0].c) == 1 {
			return r.extreme(c, vs, e.At)
		}
	case builtin.Absolute:
		if len(vs) == 1 {
			return r.absolute(c, vs[0], e.At)
		}
	case builtin.Clamp:
		if len(vs) == 3 && len(vs[0].c) == 1 {
			return r.clamp(vs, e.At)
		}
	case builtin.Convert, builtin.Reinterpret: // of lanes and bits, which are not followed
		r.undecided(e.At, "%s, which the interpreter does not evaluate", n)
	case builtin.Multiply24, builtin.MultiplyAdd24:
		if len(vs) >= 2 && (len(vs) == 3 || c.Means == builtin.Multiply24) {
			return r.wrapping(func() result { return r.product24(c, vs, e.At) })
		}
	case builtin.Implies:
		if len(vs) == 2 {
			return intValue(ast.TInt, asInt(!r.truthOf(vs[0], e.At) || r.truthOf(vs[1], e.At)))
		}
	case builtin.WarpFence: // what it orders is not followed, so that a run would show races that there are not
		r.undecided(e.At, "%s, which synchronises the threads of a warp", n)
	case builtin.Dimensions:
		return result{ast.TUint, []scalar{r.unknown("")}}
	case builtin.AnyNumber, builtin.CountBits, builtin.Warp:
		if c.Gives != builtin.Undeclared {
			return r.unfollowed(c, vs, e.At)
		}
	}
	r.undecided(e.At, "function %s", n)
	return result{}
}

// cuda reports whether the program is one of CUDA.
func (r *runner) cuda() bool { return strings.HasSuffix(r.u.File, ".cu") }

// extreme is the smaller or the larger of two numbers.
func (r *runner) extreme(c *builtin.Call, vs []result, at preproc.Place) result {
	if r.cuda() && c.Signed == 0 && !ast.OneWidth(vs[0].typ, vs[1].typ) {
		r.undecided(at, "%s of integers of two widths", c.Name)
	}
	if c.Signed < 0 {
		vs[0], vs[1] = r.convert(vs[0], ast.TUint, at), r.convert(vs[1], ast.TUint, at)
	}
	less := r.truthOf(r.operate("<", vs[0], vs[1], at), at)
	t := ast.CommonType(vs[0].typ, vs[1].typ)
	if !r.cuda() && ast.Same(vs[0].typ, vs[1].typ) { // OpenCL has it for narrow types, too
		t = vs[0].typ
	}
	if less == (c.Means == builtin.Minimum) {
		return r.convert(vs[0], t, at)
	}
	return r.convert(vs[1], t, at)
}

// clamp is a number, or the bound that it is beyond.
func (r *runner) clamp(vs []result, at preproc.Place) result {
	t := ast.CommonType(ast.CommonType(vs[0].typ, vs[1].typ), vs[2].typ)
	if ast.Same(vs[0].typ, vs[1].typ) && ast.Same(vs[0].typ, vs[2].typ) { // narrow types have it, too
		t = vs[0].typ
	}
	for i := range vs {
		vs[i] = r.convert(vs[i], t, at)
	}
	switch {
	case r.truthOf(r.operate("<", vs[0], vs[1], at), at):
		return vs[1]
	case r.truthOf(r.operate("<", vs[2], vs[0], at), at):
		return vs[2]
	}
	return vs[0]
}

func (r *runner) absolute(c *builtin.Call, v result, at preproc.Place) result {
	t := v.typ
	if r.truthOf(r.operate("<", v, intValue(ast.TInt, 0), at), at) {
		v = r.operate("-", intValue(ast.TInt, 0), v, at)
	}
	if c.Signed == 0 && t.Kind == ast.IntType { // in OpenCL it gives no sign
		v = r.convert(v, ast.IntOf(t.Bits, false), at)
	}
	return v
}

// gathered is a vector of values, or a size of a grid, whose dimensions that are not given are 1.
func (r *runner) gathered(t *ast.Ctype, vs []result, at preproc.Place) result {
	out := result{typ: t}
	for _, v := range vs {
		out.c = append(out.c, r.convert(v, t.Elem, at).c...)
	}
	for int64(len(out.c)) < t.Cells() {
		out.c = append(out.c, scalar{kind: intScalar, i: 1})
	}
	return out
}

// unfollowed is a number that is not worked out.
func (r *runner) unfollowed(c *builtin.Call, vs []result, at preproc.Place) result {
	var types []*ast.Ctype
	for _, v := range vs {
		types = append(types, v.typ)
	}
	t, why := ast.Result(c, r.cuda(), types)
	if why != "" {
		r.undecided(at, "%s", why)
	}
	if t.Kind == ast.VectorType {
		r.undecided(at, "%s", c.Name)
	}
	key := c.Name
	if r.t != nil {
		key += onDevice // which may round otherwise
	}
	for _, v := range vs {
		for _, x := range v.c {
			key += " " + x.key()
		}
	}
	// Each call gives another value, whatever the arguments: it depends on a state, or on other threads.
	if c.Fresh || c.Means == builtin.Warp {
		key = ""
	}
	return result{t, []scalar{r.unknown(key)}}
}

// product24 multiplies the low 24 bits of two operands, as devices do it in one step;
// mad24 adds a third one to all 32 bits of the product.
func (r *runner) product24(c *builtin.Call, vs []result, at preproc.Place) result {
	for i, v := range vs {
		vs[i] = r.convert(v, ast.Promoted(v.typ), at)
	}
	part := &ast.Ctype{Kind: ast.IntType, Name: "24", Bits: 24, Signed: c.Signed > 0 || c.Signed == 0 && vs[0].typ.Signed}
	a, b := r.convert(vs[0], part, at), r.convert(vs[1], part, at)
	// Of operands beyond 24 bits OpenCL says nothing.
	if c.Signed == 0 && (len(a.c) != 1 || len(b.c) != 1 || !a.c[0].equals(vs[0].c[0]) || !b.c[0].equals(vs[1].c[0])) {
		return result{vs[0].typ, []scalar{r.unknown("")}}
	}
	wide := ast.IntOf(32, part.Signed)
	a.typ, b.typ = wide, wide
	if c.Means == builtin.MultiplyAdd24 {
		return r.operate("+", r.operate("*", a, b, at), vs[2], at)
	}
	return r.operate("*", a, b, at)
}
