package gpuc

import (
	"slices"
	"strings"
)

// call runs a call: of a launch, of a function of the toolchains, of one of the program.
func (r *runner) call(e *expr) result {
	callee := e.args[0]
	if callee.kind == call && callee.args[0].kind == name && len(callee.args) >= 3 {
		if f := r.u.function(callee.args[0].name); f != nil && f.kernel && f.defined {
			grid, block := r.value(callee.args[1]), r.value(callee.args[2])
			r.launch(f, r.asDim(grid), r.asDim(block), r.values(e.args[1:]), e.at)
			return result{tVoid, nil}
		}
	}
	if callee.kind != name {
		r.undecided(e.at, "a call through a pointer")
	}
	n, args := callee.name, e.args[1:]
	if strings.HasPrefix(n, "ESBMC_verify_kernel") && len(args) >= 3 && args[0].kind == name {
		f := r.u.function(args[0].name)
		if f == nil || !f.defined {
			r.undecided(e.at, "kernel %s", args[0].name)
		}
		grid, block := r.value(args[1]), r.value(args[2])
		r.launch(f, r.asDim(grid), r.asDim(block), r.values(args[3:]), e.at)
		return result{tVoid, nil}
	}
	if f := r.u.function(n); f != nil && f.defined {
		return r.invoke(f, r.values(args), e.at)
	}
	if r.t != nil {
		return r.deviceCall(n, e)
	}
	return r.hostCall(n, e)
}

func (r *runner) asDim(v result) result {
	if len(v.c) == 1 {
		return result{v.typ, append(slices.Clone(v.c), scalar{kind: intScalar, i: 1}, scalar{kind: intScalar, i: 1})}
	}
	return v
}

func (r *runner) values(args []*expr) (out []result) {
	for _, a := range args {
		out = append(out, r.value(a))
	}
	return out
}

func (r *runner) assert(e *expr) result {
	if !r.truth(e) {
		r.fault("assert", e.at, "assertion")
	}
	return result{tVoid, nil}
}

// deviceCall runs a function that kernels may call.
func (r *runner) deviceCall(n string, e *expr) result {
	args := e.args[1:]
	nothing := result{tVoid, nil}
	switch {
	case n == "__syncthreads":
		r.wait(3, e.at)
		return nothing
	case n == "barrier" || n == "work_group_barrier":
		r.wait(r.integer(r.value(args[0]), e.at), e.at)
		return nothing
	case n == "assert" || n == "__assert":
		return r.assert(args[0])
	case n == "printf" || strings.HasSuffix(n, "mem_fence") || strings.HasPrefix(n, "__threadfence"):
		return nothing
	case n == "__requires" || n == "__assume":
		if !r.truth(args[0]) {
			r.undecided(e.at, "an assumption that does not hold")
		}
		return nothing
	case n == "__invariant" || strings.HasPrefix(n, "__candidate") || strings.HasPrefix(n, "__function_wide") || n == "__ensures":
		return intValue(tInt, 1)
	case atomicCall.MatchString(n):
		return r.atomic(n, e)
	case strings.HasSuffix(n, "memset") && len(args) == 3:
		r.filling(r.value(uncast(args[0])), r.integer(r.value(args[1]), e.at), r.integer(r.convert(r.value(args[2]), tLong, e.at), e.at), e.at)
		return nothing
	case strings.HasPrefix(n, "get_") && len(args) == 1:
		d := r.integer(r.value(args[0]), e.at)
		if d < 0 || d > 2 {
			return intValue(tUlong, asInt(strings.HasSuffix(n, "size") || strings.HasSuffix(n, "groups")))
		}
		v, ok := map[string]int64{"get_local_id": r.t.lid[d], "get_group_id": r.t.gid[d], "get_local_size": r.local[d], "get_num_groups": r.groups[d],
			"get_global_size": r.local[d] * r.groups[d], "get_global_id": r.t.gid[d]*r.local[d] + r.t.lid[d], "get_global_offset": 0}[n]
		if ok {
			return intValue(scalars["size_t"], v)
		}
	}
	return r.arithmetic(n, e)
}

func (r *runner) atomic(n string, e *expr) result {
	vs := r.values(e.args[1:])
	p := r.target(vs[0], e.at)
	r.inside(p.o, p.off, e.at)
	r.touch(p.o, p.off, isAtomic, scalar{}, e.at)
	was := result{p.typ, []scalar{p.o.cells[p.off]}}
	op := strings.ToLower(strings.NewReplacer("atomic_", "", "atom_", "", "atomic", "").Replace(n))
	arg := intValue(tInt, 1)
	if len(vs) > 1 {
		arg = vs[1]
	}
	var now result
	switch op {
	case "add":
		now = r.operate("+", was, arg, e.at)
	case "inc", "dec":
		if len(vs) > 1 {
			r.undecided(e.at, "%s with a bound", n)
		}
		now = r.operate(map[string]string{"inc": "+", "dec": "-"}[op], was, arg, e.at)
	case "sub":
		now = r.operate("-", was, arg, e.at)
	case "and", "or", "xor":
		now = r.operate(map[string]string{"and": "&", "or": "|", "xor": "^"}[op], was, arg, e.at)
	case "min", "max":
		less := r.truthOf(r.operate("<", was, arg, e.at), e.at)
		now = was
		if less == (op == "max") {
			now = arg
		}
	default:
		r.undecided(e.at, "%s, whose effect depends on the order of threads", n)
	}
	p.o.cells[p.off] = r.convert(now, p.typ, e.at).c[0]
	// What it was depends on the order of the threads.
	return result{p.typ, []scalar{r.unknown("")}}
}

// arithmetic runs a function of numbers; a value that is not worked out has the name
// of the function and its arguments.
func (r *runner) arithmetic(n string, e *expr) result {
	vs := r.values(e.args[1:])
	switch {
	case (n == "min" || n == "max" || n == "umin" || n == "umax") && len(vs) == 2 && len(vs[0].c) == 1:
		less := r.truthOf(r.operate("<", vs[0], vs[1], e.at), e.at)
		t := commonType(vs[0].typ, vs[1].typ)
		if less == strings.HasSuffix(n, "min") {
			return r.convert(vs[0], t, e.at)
		}
		return r.convert(vs[1], t, e.at)
	case n == "abs" && len(vs) == 1:
		if r.truthOf(r.operate("<", vs[0], intValue(tInt, 0), e.at), e.at) {
			return r.operate("-", intValue(tInt, 0), vs[0], e.at)
		}
		return vs[0]
	case n == "mul24" || n == "__mul24" || n == "__umul24":
		return r.operate("*", vs[0], vs[1], e.at)
	case n == "mad24":
		return r.operate("+", r.operate("*", vs[0], vs[1], e.at), vs[2], e.at)
	case n == "__implies" && len(vs) == 2:
		return intValue(tInt, asInt(!r.truthOf(vs[0], e.at) || r.truthOf(vs[1], e.at)))
	}
	if makeCall.MatchString(n) || n == "dim3" {
		t := named(strings.TrimPrefix(n, "make_"))
		if t != nil {
			out := result{typ: t}
			for _, v := range vs {
				out.c = append(out.c, r.convert(v, t.elem, e.at).c...)
			}
			for int64(len(out.c)) < t.cells() {
				out.c = append(out.c, scalar{kind: intScalar, i: 1})
			}
			return out
		}
	}
	if t, ok := known[n]; ok {
		if t == nil && len(vs) > 0 {
			t = vs[0].typ
		}
		if t == nil || t.kind == vectorType {
			r.undecided(e.at, "%s", n)
		}
		key := n
		for _, v := range vs {
			for _, c := range v.c {
				key += " " + c.key()
			}
		}
		if strings.HasPrefix(n, "rand") || strings.HasPrefix(n, "curand") || n == "clock" {
			key = ""
		}
		return result{t, []scalar{r.unknown(key)}}
	}
	r.undecided(e.at, "function %s, which is not declared", n)
	return result{}
}

// hostCall runs a function of the host's libraries.
func (r *runner) hostCall(n string, e *expr) result {
	args := e.args[1:]
	zero := intValue(tInt, 0)
	void := &ctype{kind: pointerType, elem: tVoid}
	switch n {
	case "assert", "__ESBMC_assert":
		return r.assert(args[0])
	case "__ESBMC_assume":
		if !r.truth(args[0]) {
			panic(exited{})
		}
		return zero
	case "malloc", "calloc":
		size := r.integer(r.convert(r.value(args[0]), tLong, e.at), e.at)
		if n == "calloc" {
			size *= r.integer(r.value(args[1]), e.at)
		}
		return result{void, []scalar{{kind: pointerScalar, to: r.allocate(size, e.at), typ: tVoid}}}
	case "cudaMalloc", "cudaMallocManaged", "cudaMallocHost":
		p := r.place(&expr{kind: unary, op: "*", at: e.at, args: []*expr{uncast(args[0])}})
		size := r.integer(r.convert(r.value(args[1]), tLong, e.at), e.at)
		o := r.allocate(size, e.at)
		if p.typ.kind == pointerType {
			r.give(o, p.typ.elem)
			r.store(p, result{p.typ, []scalar{{kind: pointerScalar, to: o, typ: p.typ.elem}}}, e.at)
		}
		return zero
	case "free", "cudaFree":
		if v := r.value(args[0]); len(v.c) == 1 && v.c[0].to != nil {
			v.c[0].to.dead = true
		}
		return zero
	case "cudaMemcpy", "memcpy", "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol":
		r.copying(r.value(uncast(args[0])), r.value(uncast(args[1])), r.integer(r.convert(r.value(args[2]), tLong, e.at), e.at), e.at)
		return zero
	case "cudaMemset", "memset", "__builtin_memset":
		to := r.value(uncast(args[0]))
		fill := r.integer(r.value(args[1]), e.at)
		size := r.integer(r.convert(r.value(args[2]), tLong, e.at), e.at)
		r.filling(to, fill, size, e.at)
		return zero
	case "exit", "abort":
		panic(exited{})
	}
	switch {
	case n == "fopen":
		return intValue(tLong, 1) // files can be opened
	case strings.HasPrefix(n, "CUT_"), strings.HasPrefix(n, "CUDA_"):
		r.values(args)
		return zero
	case n == "cudaGetDeviceCount":
		r.store(r.target(r.value(args[0]), e.at), intValue(tInt, 1), e.at)
		return zero
	case strings.HasPrefix(n, "nondet"), strings.HasPrefix(n, "__VERIFIER"), n == "rand", n == "random", n == "atoi", n == "getchar", n == "time", n == "clock":
		return result{tInt, []scalar{r.input()}}
	case strings.HasPrefix(n, "cuda"), strings.HasPrefix(n, "cut"), slices.Contains([]string{"printf", "fprintf", "puts", "putchar", "fclose", "fflush", "srand", "perror", "getchar", "fputs", "system", "CUT_DEVICE_INIT", "CUDA_SAFE_CALL"}, n):
		return zero
	}
	return r.arithmetic(n, e)
}

// uncast is what is cast to a pointer: the type of what it points at is its own.
func uncast(e *expr) *expr {
	for e.kind == cast && e.typ.kind == pointerType {
		e = e.args[0]
	}
	return e
}

// span is a run of cells that a pointer begins.
func (r *runner) span(v result, size int64, at place) (*object, int64, int64) {
	s := v.c[0]
	switch {
	case len(v.c) != 1 || s.kind != pointerScalar:
		r.undecided(at, "a pointer that is not known")
	case s.to == nil:
		r.fault("null", at, "a null pointer")
	case s.to.typ == nil:
		r.give(s.to, tInt)
	}
	leaf := s.to.typ.leaf(0).size()
	n := size / leaf
	if n*leaf != size {
		r.undecided(at, "a copy of a part of an element")
	}
	if s.i < 0 || s.i+n > int64(len(s.to.cells)) {
		r.fault("bounds", at, "%d bytes of %s, which has %d", size, s.to.name, int64(len(s.to.cells))*leaf)
	}
	return s.to, s.i, n
}

func (r *runner) copying(to, from result, size int64, at place) {
	// A copy to an allocation without type gives it that of the source.
	if to.c[0].to != nil && from.c[0].to != nil {
		if to.c[0].to.typ == nil && from.c[0].to.typ != nil {
			r.give(to.c[0].to, from.c[0].to.typ.leaf(0))
		}
		if from.c[0].to.typ == nil && to.c[0].to.typ != nil {
			r.give(from.c[0].to, to.c[0].to.typ.leaf(0))
		}
	}
	a, i, n := r.span(to, size, at)
	b, j, m := r.span(from, size, at)
	if n != m || a.typ.leaf(0).kind != b.typ.leaf(0).kind {
		r.undecided(at, "a copy between elements of different types")
	}
	copy(a.cells[i:i+n], b.cells[j:j+n])
}

func (r *runner) filling(to result, fill, size int64, at place) {
	o, i, n := r.span(to, size, at)
	for k := i; k < i+n; k++ {
		leaf := o.typ.leaf(k)
		switch {
		case fill == 0 && leaf.kind == floatType:
			o.cells[k] = scalar{kind: floatScalar}
		case leaf.kind == intType:
			v := fill & 255
			for range leaf.size() - 1 {
				v = v<<8 | fill&255
			}
			o.cells[k] = scalar{kind: intScalar, i: narrow(leaf, v)}
		default:
			o.cells[k] = r.unknown("")
		}
	}
}
