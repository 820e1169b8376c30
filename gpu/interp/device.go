package interp

import (
	"fmt"
	"math"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// deviceCall runs a function that kernels may call.
func (r *runner) deviceCall(n string, e *ast.Expr) result {
	args := e.Args[1:]
	nothing := result{ast.TVoid, nil}
	if strings.HasPrefix(n, "__function_wide") || n == "__ensures" {
		return intValue(ast.TInt, 1)
	}
	c := builtin.Source(n, r.cuda())
	if c == nil {
		return r.arithmetic(n, e)
	}
	switch c.Means {
	case builtin.Barrier:
		r.wait(3, e.At)
		return nothing
	case builtin.BarrierFlags:
		r.wait(r.integer(r.value(args[0]), e.At), e.At)
		return nothing
	case builtin.BarrierVote:
		r.values(args)
		r.wait(3, e.At)
		return result{ast.TInt, []scalar{r.unknown("")}}
	case builtin.Assert:
		return r.assert(args[0])
	case builtin.Print:
		return r.printed(args, e.At)
	case builtin.Fence:
		r.use.signals.fence(r.t)
		return nothing
	case builtin.Nothing:
		r.values(args)
		return nothing
	// A run outside of what was assumed says nothing about the kernel.
	case builtin.Require, builtin.Assume:
		if !r.truth(args[0]) {
			r.undecided(e.At, "a false assumption")
		}
		return nothing
	case builtin.Invariant, builtin.Candidate:
		return intValue(ast.TInt, 1)
	case builtin.Atomic, builtin.AtomicBlock:
		return r.atomic(n, e)
	case builtin.SetMemory:
		if len(args) == 3 {
			r.filling(r.value(uncast(args[0])), r.integer(r.value(args[1]), e.At), r.integer(r.convert(r.value(args[2]), ast.TLong, e.At), e.At), e.At)
			return nothing
		}
	case builtin.CopyMemory:
		if len(args) == 3 && n != "memmove" {
			r.copying(r.value(uncast(args[0])), r.value(uncast(args[1])), r.integer(r.convert(r.value(args[2]), ast.TLong, e.At), e.At), e.At)
			return nothing
		}
	case builtin.LocalID, builtin.GroupID, builtin.LocalSize, builtin.NumGroups, builtin.GlobalID, builtin.GlobalSize, builtin.GlobalOffset:
		if len(args) == 1 {
			return r.ofGrid(c.Means, r.integer(r.value(args[0]), e.At))
		}
	}
	return r.arithmetic(n, e)
}

// ofGrid is an id or a size in a dimension; beyond the third one, ids are 0 and sizes 1.
func (r *runner) ofGrid(m builtin.Meaning, d int64) result {
	if d < 0 || d > 2 {
		return intValue(ast.TUlong, asInt(m == builtin.LocalSize || m == builtin.NumGroups || m == builtin.GlobalSize))
	}
	return intValue(ast.Scalars["size_t"], map[builtin.Meaning]int64{
		builtin.LocalID: r.t.lid[d], builtin.GroupID: r.t.gid[d], builtin.LocalSize: r.local[d], builtin.NumGroups: r.groups[d],
		builtin.GlobalSize: r.local[d] * r.groups[d], builtin.GlobalID: r.t.gid[d]*r.local[d] + r.t.lid[d], builtin.GlobalOffset: 0}[m])
}

// atomic does an atomic operation, and returns the value before it.
func (r *runner) atomic(n string, e *ast.Expr) result {
	vs := r.values(e.Args[1:])
	p := r.target(vs[0], e.At)
	r.within(p, e.At)
	r.inside(p.o, p.off, e.At)
	// Atomic accesses do not race with each other, but with plain ones.
	r.logAccess(p.o, p.off, ir.IsAtomic, scalar{}, e.At)
	if r.ordered && r.t != nil {
		r.use.signals.atomic(r.t, p.o, p.off)
	}
	was := result{p.typ, []scalar{r.seenAs(*r.cell(p.o, p.off), p.o.leaf(p.off), p.typ)}}
	r.use.atomics = true
	op := strings.ToLower(strings.NewReplacer("atomic_", "", "atom_", "", "atomic", "").Replace(n))
	arg := intValue(ast.TInt, 1)
	if len(vs) > 1 {
		arg = vs[1]
	}
	r.commutes(p, op, vs, e.At)
	now := r.wrapping(func() result { return r.changed(op, was, arg, vs, e) })
	s := r.convert(now, p.typ, e.At).c[0]
	if s.kind == unknownScalar {
		s = r.seenAs(s, p.typ, p.o.leaf(p.off))
	}
	*r.cell(p.o, p.off) = s
	if r.ordered {
		return was
	}
	// What it was depends on the order of the threads.
	return result{p.typ, []scalar{r.unknown("")}}
}

// changed is what an atomic operation makes of what was.
func (r *runner) changed(op string, was, arg result, vs []result, e *ast.Expr) (now result) {
	switch op {
	case "add":
		now = r.operate("+", was, arg, e.At)
	case "inc", "dec":
		now = r.wrapAround(op, was, vs, e.At)
	case "sub":
		now = r.operate("-", was, arg, e.At)
	case "and", "or", "xor":
		now = r.operate(map[string]string{"and": "&", "or": "|", "xor": "^"}[op], was, arg, e.At)
	case "min", "max":
		less := r.truthOf(r.operate("<", was, arg, e.At), e.At)
		now = was
		if less == (op == "max") {
			now = arg
		}
	case "xchg", "exch":
		now = arg
	case "cmpxchg", "cas":
		now = was
		if r.truthOf(r.operate("==", was, arg, e.At), e.At) {
			now = vs[2]
		}
	default:
		r.undecided(e.At, "the atomic operation %s", op)
	}
	return now
}

// commutes ends the run if an atomic operation follows another one on its place with
// which it does not commute: then what the place holds depends on the order of threads.
func (r *runner) commutes(p ref, op string, vs []result, at preproc.Place) {
	class := op
	switch op {
	case "add", "sub":
		class = "add"
	case "xchg", "exch", "cmpxchg", "cas":
		if !r.ordered {
			r.undecided(at, "an atomic operation whose effect depends on the order of threads")
		}
	case "inc", "dec":
		if len(vs) > 1 { // around a bound
			class = fmt.Sprint(op, " ", vs[1].c[0].key())
		} else {
			class = "add"
		}
	case "and", "or", "xor", "min", "max":
	default:
		r.undecided(at, "an atomic operation whose effect depends on the order of threads")
	}
	if class == "add" && p.typ.Kind == ast.FloatType && !(exact(*r.cell(p.o, p.off)) && len(vs) > 1 && exact(vs[1].c[0])) {
		r.undecided(at, "an atomic sum of floats, whose result depends on the order of threads")
	}
	if was := p.o.changed[p.off]; was != "" && was != class && !r.ordered {
		r.undecided(at, "different atomic operations on one location, whose order may matter")
	}
	p.o.changed[p.off] = class
}

// exact reports whether sums of numbers like s are exact as floats, in any order.
func exact(s scalar) bool {
	switch s.kind {
	case intScalar:
		return -1<<20 < s.i && s.i < 1<<20
	case floatScalar:
		return s.f == math.Trunc(s.f) && math.Abs(s.f) < 1<<20
	}
	return false
}

// wrapAround is the new value of a counter under inc or dec. OpenCL's have no bound; CUDA's atomicInc and atomicDec count
// within 0‥bound: the bound is followed by 0, and 0, like any value above the bound, is preceded by the bound.
func (r *runner) wrapAround(op string, was result, vs []result, at preproc.Place) result {
	one := intValue(ast.TUint, 1)
	if len(vs) == 1 {
		return r.operate(map[string]string{"inc": "+", "dec": "-"}[op], was, one, at)
	}
	zero, bound := intValue(ast.TUint, 0), vs[1]
	if op == "inc" {
		if r.truthOf(r.operate(">=", was, bound, at), at) {
			return zero
		}
		return r.operate("+", was, one, at)
	}
	if r.truthOf(r.operate("==", was, zero, at), at) || r.truthOf(r.operate(">", was, bound, at), at) {
		return bound
	}
	return r.operate("-", was, one, at)
}

// wait stops the thread at a barrier.
func (r *runner) wait(flags int64, at preproc.Place) {
	t := r.t
	if !t.stop(barrierAt{at, fmt.Sprint(r.way)}) {
		panic(abandoned{})
	}
	t.epochs[0] += int(flags & 1)
	t.epochs[1] += int(flags >> 1 & 1)
}
