package interp

import (
	"fmt"
	"math"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// deviceCall runs a function that kernels may call.
func (r *runner) deviceCall(n string, e *ast.Expr) result {
	args := e.Args[1:]
	nothing := result{ast.TVoid, nil}
	switch {
	case n == "__syncthreads":
		r.wait(3, e.At)
		return nothing
	case n == "barrier" || n == "work_group_barrier":
		r.wait(r.integer(r.value(args[0]), e.At), e.At)
		return nothing
	case n == "assert" || n == "__assert":
		return r.assert(args[0])
	case n == "printf":
		return r.printed(args, e.At)
	case strings.HasSuffix(n, "mem_fence") || strings.HasPrefix(n, "__threadfence"):
		r.use.signals.fence(r.t)
		return nothing
	// A run outside of what was assumed says nothing about the kernel.
	case n == "__requires" || n == "__assume":
		if !r.truth(args[0]) {
			r.undecided(e.At, "an assumption that does not hold")
		}
		return nothing
	case n == "__invariant" || strings.HasPrefix(n, "__candidate") || strings.HasPrefix(n, "__function_wide") || n == "__ensures":
		return intValue(ast.TInt, 1)
	case ir.AtomicCall.MatchString(n):
		return r.atomic(n, e)
	case strings.HasSuffix(n, "memset") && len(args) == 3:
		r.filling(r.value(uncast(args[0])), r.integer(r.value(args[1]), e.At), r.integer(r.convert(r.value(args[2]), ast.TLong, e.At), e.At), e.At)
		return nothing
	case strings.HasSuffix(n, "memcpy") && len(args) == 3:
		r.copying(r.value(uncast(args[0])), r.value(uncast(args[1])), r.integer(r.convert(r.value(args[2]), ast.TLong, e.At), e.At), e.At)
		return nothing
	case strings.HasPrefix(n, "get_") && len(args) == 1:
		d := r.integer(r.value(args[0]), e.At)
		if d < 0 || d > 2 {
			return intValue(ast.TUlong, asInt(strings.HasSuffix(n, "size") || strings.HasSuffix(n, "groups")))
		}
		v, ok := map[string]int64{"get_local_id": r.t.lid[d], "get_group_id": r.t.gid[d], "get_local_size": r.local[d], "get_num_groups": r.groups[d],
			"get_global_size": r.local[d] * r.groups[d], "get_global_id": r.t.gid[d]*r.local[d] + r.t.lid[d], "get_global_offset": 0}[n]
		if ok {
			return intValue(ast.Scalars["size_t"], v)
		}
	}
	return r.arithmetic(n, e)
}

func (r *runner) atomic(n string, e *ast.Expr) result {
	vs := r.values(e.Args[1:])
	p := r.target(vs[0], e.At)
	r.within(p, e.At)
	r.inside(p.o, p.off, e.At)
	// Atomic accesses do not race with each other, but with plain ones.
	r.touch(p.o, p.off, ir.IsAtomic, scalar{}, e.At)
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
		now = r.turned(op, was, vs, e.At)
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
		r.undecided(at, "an atomic sum of floats, which depends on the order of threads")
	}
	if was := p.o.changed[p.off]; was != "" && was != class && !r.ordered {
		r.undecided(at, "different atomic operations on one place, whose order may matter")
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

// turned is a counter one up or down; with a bound, it goes round: behind the bound
// comes 0, and before 0, or of what lies beyond it, the bound.
func (r *runner) turned(op string, was result, vs []result, at preproc.Place) result {
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
