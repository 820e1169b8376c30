package emulate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// call runs a call: of a launch, of a function of the toolchains, of one of the program.
func (r *runner) call(e *syntax.Expr) result {
	callee := e.Args[0]
	if callee.Kind == syntax.Call && callee.Args[0].Kind == syntax.Name && len(callee.Args) >= 3 {
		if f := r.u.Function(callee.Args[0].Name); f != nil && f.Kernel && f.Defined {
			grid, block := r.value(callee.Args[1]), r.value(callee.Args[2])
			r.values(callee.Args[3:]) // memory of the group, stream
			if rest := callee.Args[min(4, len(callee.Args)):]; len(rest) > 0 && (rest[0].Kind != syntax.Literal || rest[0].Value.Sign() != 0) {
				r.doubt(e.At, "a launch in a stream, in which others may run at the same time")
			}
			r.launch(f, r.asDim(grid), r.asDim(block), r.values(e.Args[1:]), e.At)
			return result{syntax.TVoid, nil}
		}
	}
	if callee.Kind != syntax.Name {
		r.undecided(e.At, "a call through a pointer")
	}
	n, args := callee.Name, e.Args[1:]
	if strings.HasPrefix(n, "ESBMC_verify_kernel") && len(args) >= 3 && args[0].Kind == syntax.Name {
		f := r.u.Function(args[0].Name)
		if f == nil || !f.Defined {
			r.undecided(e.At, "kernel %s", args[0].Name)
		}
		grid, block := r.value(args[1]), r.value(args[2])
		r.launch(f, r.asDim(grid), r.asDim(block), r.values(args[3:]), e.At)
		return result{syntax.TVoid, nil}
	}
	f, why := r.u.Callee(n, len(args), syntax.Types(e, r.typeOf))
	if why != "" {
		r.undecided(e.At, "%s", why)
	}
	if f != nil && f.Defined {
		return r.invoke(f, r.passed(f, args), e.At)
	}
	if len(args) < arguments[n] || len(args) < 1 && flow.AtomicCall.MatchString(n) {
		r.undecided(e.At, "%s with %d arguments", n, len(args))
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

func (r *runner) values(args []*syntax.Expr) (out []result) {
	for _, a := range args {
		out = append(out, r.value(a))
	}
	return out
}

// passed are the values of the parameters of f: of references, pointers to what they stand for.
func (r *runner) passed(f *syntax.Function, args []*syntax.Expr) (out []result) {
	for i, a := range r.u.Complete(f, args) {
		if i >= len(f.Params) || !f.Params[i].Ref() {
			out = append(out, r.value(a))
			continue
		}
		var p ref
		if syntax.Lasting(a) {
			p = r.place(a)
		}
		if t := f.Params[i].Typ.Elem; p.o == nil || !syntax.Same(t, p.typ) {
			if !f.Params[i].Konst || !syntax.Lasting(a) && !syntax.Passing(a) {
				r.undecided(a.At, "a reference to what is no variable of its type")
			}
			v := r.convert(r.value(a), t, a.At)
			p = ref{o: r.newObject("value", t, syntax.Private), typ: t}
			copy(p.o.cells, v.c)
		}
		out = append(out, result{f.Params[i].Typ, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ}}})
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

// deviceCall runs a function that kernels may call.
func (r *runner) deviceCall(n string, e *syntax.Expr) result {
	args := e.Args[1:]
	nothing := result{syntax.TVoid, nil}
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
		return r.printed(args)
	case strings.HasSuffix(n, "mem_fence") || strings.HasPrefix(n, "__threadfence"):
		return nothing
	// A run outside of what was assumed says nothing about the kernel.
	case n == "__requires" || n == "__assume":
		if !r.truth(args[0]) {
			r.undecided(e.At, "an assumption that does not hold")
		}
		return nothing
	case n == "__invariant" || strings.HasPrefix(n, "__candidate") || strings.HasPrefix(n, "__function_wide") || n == "__ensures":
		return intValue(syntax.TInt, 1)
	case flow.AtomicCall.MatchString(n):
		return r.atomic(n, e)
	case strings.HasSuffix(n, "memset") && len(args) == 3:
		r.filling(r.value(uncast(args[0])), r.integer(r.value(args[1]), e.At), r.integer(r.convert(r.value(args[2]), syntax.TLong, e.At), e.At), e.At)
		return nothing
	case strings.HasSuffix(n, "memcpy") && len(args) == 3:
		r.copying(r.value(uncast(args[0])), r.value(uncast(args[1])), r.integer(r.convert(r.value(args[2]), syntax.TLong, e.At), e.At), e.At)
		return nothing
	case strings.HasPrefix(n, "get_") && len(args) == 1:
		d := r.integer(r.value(args[0]), e.At)
		if d < 0 || d > 2 {
			return intValue(syntax.TUlong, asInt(strings.HasSuffix(n, "size") || strings.HasSuffix(n, "groups")))
		}
		v, ok := map[string]int64{"get_local_id": r.t.lid[d], "get_group_id": r.t.gid[d], "get_local_size": r.local[d], "get_num_groups": r.groups[d],
			"get_global_size": r.local[d] * r.groups[d], "get_global_id": r.t.gid[d]*r.local[d] + r.t.lid[d], "get_global_offset": 0}[n]
		if ok {
			return intValue(syntax.Scalars["size_t"], v)
		}
	}
	return r.arithmetic(n, e)
}

func (r *runner) atomic(n string, e *syntax.Expr) result {
	vs := r.values(e.Args[1:])
	p := r.target(vs[0], e.At)
	r.within(p, e.At)
	r.inside(p.o, p.off, e.At)
	// Atomic accesses do not race with each other, but with plain ones.
	r.touch(p.o, p.off, flow.IsAtomic, scalar{}, e.At)
	was := result{p.typ, []scalar{*r.cell(p.o, p.off)}}
	r.use.atomics = true
	op := strings.ToLower(strings.NewReplacer("atomic_", "", "atom_", "", "atomic", "").Replace(n))
	arg := intValue(syntax.TInt, 1)
	if len(vs) > 1 {
		arg = vs[1]
	}
	r.commutes(p, op, vs, e.At)
	now := r.wrapping(func() result { return r.changed(op, was, arg, vs, e) })
	*r.cell(p.o, p.off) = r.convert(now, p.typ, e.At).c[0]
	if r.ordered {
		return was
	}
	// What it was depends on the order of the threads.
	return result{p.typ, []scalar{r.unknown("")}}
}

// changed is what an atomic operation makes of what was.
func (r *runner) changed(op string, was, arg result, vs []result, e *syntax.Expr) (now result) {
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
func (r *runner) commutes(p ref, op string, vs []result, at syntax.Place) {
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
	if class == "add" && p.typ.Kind == syntax.FloatType && !(exact(*r.cell(p.o, p.off)) && len(vs) > 1 && exact(vs[1].c[0])) {
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
func (r *runner) turned(op string, was result, vs []result, at syntax.Place) result {
	one := intValue(syntax.TUint, 1)
	if len(vs) == 1 {
		return r.operate(map[string]string{"inc": "+", "dec": "-"}[op], was, one, at)
	}
	zero, bound := intValue(syntax.TUint, 0), vs[1]
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

// arithmetic runs a function of numbers; a value that is not worked out has the name
// of the function and its arguments.
func (r *runner) arithmetic(n string, e *syntax.Expr) result {
	vs := r.values(e.Args[1:])
	switch {
	case (n == "min" || n == "max" || n == "umin" || n == "umax") && len(vs) == 2 && len(vs[0].c) == 1:
		if n[0] == 'u' {
			vs[0], vs[1] = r.convert(vs[0], syntax.TUint, e.At), r.convert(vs[1], syntax.TUint, e.At)
		}
		less := r.truthOf(r.operate("<", vs[0], vs[1], e.At), e.At)
		t := syntax.CommonType(vs[0].typ, vs[1].typ)
		if less == strings.HasSuffix(n, "min") {
			return r.convert(vs[0], t, e.At)
		}
		return r.convert(vs[1], t, e.At)
	case n == "abs" && len(vs) == 1:
		v := vs[0]
		if r.truthOf(r.operate("<", v, intValue(syntax.TInt, 0), e.At), e.At) {
			v = r.operate("-", intValue(syntax.TInt, 0), v, e.At)
		}
		if !strings.HasSuffix(r.u.File, ".cu") && vs[0].typ.Kind == syntax.IntType { // in OpenCL it gives no sign
			v = r.convert(v, syntax.IntOf(vs[0].typ.Bits, false), e.At)
		}
		return v
	case strings.HasSuffix(n, "mul24") || n == "mad24":
		return r.wrapping(func() result { return r.product24(n, vs, e.At) })
	case n == "__implies" && len(vs) == 2:
		return intValue(syntax.TInt, asInt(!r.truthOf(vs[0], e.At) || r.truthOf(vs[1], e.At)))
	}
	if flow.MakeCall.MatchString(n) || n == "dim3" {
		t := syntax.Named(strings.TrimPrefix(n, "make_"), true)
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
	if t, ok := flow.Known[n]; ok {
		if t == nil && len(vs) > 0 {
			var types []*syntax.Ctype
			for _, v := range vs {
				types = append(types, v.typ)
			}
			t = flow.KnownType(n, types)
		}
		if t == nil || t.Kind == syntax.VectorType {
			r.undecided(e.At, "%s", n)
		}
		key := n
		if r.t != nil {
			key += " on the device" // which may round otherwise
		}
		for _, v := range vs {
			for _, c := range v.c {
				key += " " + c.key()
			}
		}
		// Each call gives another value, whatever the arguments.
		if strings.HasPrefix(n, "rand") || strings.HasPrefix(n, "curand") || strings.HasPrefix(n, "clock") {
			key = ""
		}
		return result{t, []scalar{r.unknown(key)}}
	}
	r.undecided(e.At, "function %s, which is not declared", n)
	return result{}
}

// product24 multiplies the low 24 bits of two operands, as devices do it in one step;
// mad24 adds a third one to all 32 bits of the product.
func (r *runner) product24(n string, vs []result, at syntax.Place) result {
	part := &syntax.Ctype{Kind: syntax.IntType, Name: "24", Bits: 24, Signed: n == "__mul24" || n != "__umul24" && vs[0].typ.Signed}
	a, b := r.convert(vs[0], part, at), r.convert(vs[1], part, at)
	// Of operands beyond 24 bits OpenCL says nothing.
	if !strings.HasPrefix(n, "__") && (len(a.c) != 1 || len(b.c) != 1 || !a.c[0].equals(vs[0].c[0]) || !b.c[0].equals(vs[1].c[0])) {
		return result{vs[0].typ, []scalar{r.unknown("")}}
	}
	wide := syntax.IntOf(32, part.Signed)
	a.typ, b.typ = wide, wide
	if n == "mad24" {
		return r.operate("+", r.operate("*", a, b, at), vs[2], at)
	}
	return r.operate("*", a, b, at)
}

// arguments is how many the functions of the toolchains need at least.
var arguments = map[string]int{
	"barrier": 1, "work_group_barrier": 1, "__assert": 1, "__requires": 1, "__assume": 1, "cudaGetDeviceCount": 1,
	"assert": 1, "__ESBMC_assert": 1, "__ESBMC_assume": 1, "malloc": 1, "calloc": 2, "free": 1, "cudaFree": 1,
	"cudaHostAlloc": 2, "cudaMalloc": 2, "cudaMallocManaged": 2, "cudaMallocHost": 2, "cudaMemcpy": 3, "memcpy": 3, "cudaMemcpyToSymbol": 3,
	"cudaMemcpyFromSymbol": 3, "cudaMemset": 3, "memset": 3, "__builtin_memset": 3,
}

// hostCall runs a function of the host's libraries.
func (r *runner) hostCall(n string, e *syntax.Expr) result {
	args := e.Args[1:]
	zero := intValue(syntax.TInt, 0)
	void := &syntax.Ctype{Kind: syntax.PointerType, Elem: syntax.TVoid}
	switch n {
	case "assert", "__ESBMC_assert":
		return r.assert(args[0])
	case "__ESBMC_assume":
		if !r.truth(args[0]) {
			panic(exited{})
		}
		return zero
	case "malloc", "calloc":
		size := r.integer(r.convert(r.value(args[0]), syntax.TLong, e.At), e.At)
		if n == "calloc" {
			size *= r.integer(r.value(args[1]), e.At)
		}
		o := r.allocate(size, e.At)
		o.side, o.freed = ofHost, "free"
		return result{void, []scalar{{kind: pointerScalar, to: o, typ: syntax.TVoid}}}
	case "cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc":
		p := r.place(&syntax.Expr{Kind: syntax.Unary, Op: "*", At: e.At, Args: []*syntax.Expr{uncast(args[0])}})
		size := r.integer(r.convert(r.value(args[1]), syntax.TLong, e.At), e.At)
		o := r.allocate(size, e.At)
		o.freed = "cudaFree"
		r.use.device = append(r.use.device, o)
		switch n {
		case "cudaMalloc":
			o.side = ofDevice
		case "cudaMallocHost", "cudaHostAlloc":
			o.freed = "cudaFreeHost"
		}
		if p.typ.Kind == syntax.PointerType {
			r.give(o, p.typ.Elem)
			r.store(p, result{p.typ, []scalar{{kind: pointerScalar, to: o, typ: p.typ.Elem}}}, e.At)
		}
		return zero
	case "free", "cudaFree", "cudaFreeHost":
		r.use.running = r.use.running && n == "free"
		if v := r.value(args[0]); len(v.c) == 1 {
			r.released(v.c[0], n, e.At)
		}
		return zero
	case "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol":
		return r.symbol(n, args, e.At)
	case "cudaMemcpy", "memcpy":
		to, from := r.value(uncast(args[0])), r.value(uncast(args[1]))
		if n == "cudaMemcpy" {
			r.directed(to, from, args[3:], e.At)
		}
		if n == "cudaMemcpy" {
			r.waited(to, from)
		}
		r.copying(to, from, r.integer(r.convert(r.value(args[2]), syntax.TLong, e.At), e.At), e.At)
		if n == "memcpy" {
			r.reach(to.c[0].to, e.At)
			r.reach(from.c[0].to, e.At)
		}
		return zero
	case "cudaMemset", "memset", "__builtin_memset":
		to := r.value(uncast(args[0]))
		if n != "cudaMemset" && to.c[0].to != nil {
			r.reach(to.c[0].to, e.At)
		}
		fill := r.integer(r.value(args[1]), e.At)
		size := r.integer(r.convert(r.value(args[2]), syntax.TLong, e.At), e.At)
		r.filling(to, fill, size, e.At)
		return zero
	case "abort":
		r.undecided(e.At, "the program aborts")
	case "exit":
		panic(exited{})
	}
	switch {
	case n == "fopen":
		r.answers(args)
		return intValue(syntax.TLong, 1) // files can be opened
	case waits[n]:
		vs := r.values(args)
		switch {
		case n == "cudaEventSynchronize": // for what was launched before the event
			r.use.running = r.use.running && (len(vs) == 0 || r.use.recorded[event(vs[0])] < r.number)
		case n == "cudaStreamSynchronize": // for one stream; launches are in that which has no name
			r.use.running = r.use.running && (len(vs) == 0 || !null(vs[0]))
		default:
			r.use.running = false
		}
		if n == "cudaDeviceReset" || n == "cudaThreadExit" {
			for _, o := range r.use.device {
				o.dead = true
			}
		}
		return zero
	case n == "cudaEventRecord":
		if vs := r.values(args); len(vs) > 0 {
			r.use.recorded[event(vs[0])] = r.number
		}
		return zero
	// Of these, arguments tell where they leave an answer.
	case harmless[n], strings.HasPrefix(n, "CUT_"), strings.HasPrefix(n, "CUDA_"), strings.HasPrefix(n, "cut"):
		r.answers(args)
		return zero
	case slices.Contains([]string{"printf", "fprintf", "puts", "putchar", "fclose", "fflush", "srand", "perror", "fputs", "system"}, n):
		return r.printed(args)
	case n == "cudaGetDeviceCount":
		r.store(r.target(r.value(args[0]), e.At), intValue(syntax.TInt, 1), e.At)
		return zero
	case n == "cudaGetDeviceProperties" && len(args) == 2:
		r.properties(r.target(r.value(args[0]), e.At))
		return zero
	case strings.HasPrefix(n, "nondet"), strings.HasPrefix(n, "__VERIFIER"), n == "rand", n == "random", n == "atoi", n == "getchar", n == "time", n == "clock":
		r.answers(args)
		return result{syntax.TInt, []scalar{r.input()}}
	}
	return r.arithmetic(n, e)
}

// waits are the functions that come back when the launches have ended.
var waits = map[string]bool{"cudaDeviceSynchronize": true, "cudaThreadSynchronize": true, "cudaStreamSynchronize": true, "cudaEventSynchronize": true, "cudaDeviceReset": true, "cudaThreadExit": true}

// null reports whether a value is 0.
func null(v result) bool {
	return len(v.c) == 1 && (v.c[0].kind == intScalar && v.c[0].i == 0 || v.c[0].kind == pointerScalar && v.c[0].to == nil)
}

// waited notes that the host has waited for all launches, as it does to copy between its memory and that of the device.
func (r *runner) waited(to, from result) {
	host, device := false, false
	for _, v := range []result{to, from} {
		if len(v.c) == 1 && v.c[0].to != nil {
			host, device = host || v.c[0].to.side == ofHost, device || v.c[0].to.side != ofHost
		}
	}
	r.use.running = r.use.running && !(host && device)
}

// event is the name of an event.
func event(v result) string {
	if len(v.c) != 1 {
		return ""
	}
	return v.c[0].key()
}

// harmless are functions of the host that change no memory but what they leave their answers in.
var harmless = map[string]bool{
	"cudaGetLastError": true, "cudaPeekAtLastError": true, "cudaGetErrorString": true, "cudaGetErrorName": true, "cudaSetDevice": true, "cudaGetDevice": true, "cudaSetDeviceFlags": true,
	"cudaEventCreate": true, "cudaEventCreateWithFlags": true, "cudaEventDestroy": true, "cudaEventElapsedTime": true, "cudaStreamCreate": true, "cudaStreamDestroy": true,
	"cudaFuncSetCacheConfig": true, "cudaDeviceSetCacheConfig": true, "cudaDeviceSetLimit": true, "cudaRuntimeGetVersion": true, "cudaDriverGetVersion": true, "cudaMemGetInfo": true, "cudaProfilerStart": true, "cudaProfilerStop": true,
}

// answers evaluates the arguments of a function that leaves answers behind those that are pointers.
func (r *runner) answers(args []*syntax.Expr) {
	for _, v := range r.values(args) {
		if s := v.c[0]; len(v.c) == 1 && s.kind == pointerScalar && s.to != nil && s.i >= 0 && s.i < int64(len(s.to.cells)) {
			s.to.cells[s.i] = r.unknown("")
		}
	}
}

// symbol copies to a variable of the device, or from it: such a function alone may name one. Behind the bytes stand
// where they begin in it, and the direction.
func (r *runner) symbol(n string, args []*syntax.Expr, at syntax.Place) result {
	to := n == "cudaMemcpyToSymbol"
	name, other := args[0], args[1]
	if !to {
		name, other = other, name
	}
	if name.Kind != syntax.Name {
		r.undecided(at, "%s of what is no name of a variable", n)
	}
	p := r.place(name)
	if p.o.side != ofDevice || p.o.bytes > 0 {
		r.undecided(at, "%s of %s, which is no variable of the device", n, p.o.name)
	}
	if !flow.Dense(p.typ) {
		r.undecided(at, "a copy of structures with elements of different sizes")
	}
	if len(args) > 3 {
		leaf := p.typ.Leaf(0).Size()
		skip := r.integer(r.convert(r.value(args[3]), syntax.TLong, at), at)
		if skip%leaf != 0 {
			r.undecided(at, "a copy of a part of an element")
		}
		p.off += skip / leaf
	}
	size := r.integer(r.convert(r.value(args[2]), syntax.TLong, at), at)
	symbol := result{&syntax.Ctype{Kind: syntax.PointerType, Elem: p.typ.Leaf(0)}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ.Leaf(0)}}}
	target, source := symbol, r.value(uncast(other))
	if !to {
		target, source = source, target
	}
	r.directed(target, source, args[min(4, len(args)):], at)
	r.waited(target, source)
	r.copying(target, source, size, at)
	return intValue(syntax.TInt, 0)
}

// printed evaluates the arguments of a function that prints them.
func (r *runner) printed(args []*syntax.Expr) result {
	r.values(args)
	return result{syntax.TInt, []scalar{r.unknown("")}}
}

// directed doubts a copy of the device whose direction is not that from one memory to the other: it fails.
func (r *runner) directed(to, from result, kind []*syntax.Expr, at syntax.Place) {
	if len(kind) == 0 || len(to.c) != 1 || len(from.c) != 1 || to.c[0].to == nil || from.c[0].to == nil {
		return
	}
	k := r.integer(r.value(kind[0]), at)
	fits := func(o *object, device bool) bool {
		return o.side == ofBoth || k == constants["cudaMemcpyDefault"] || (o.side == ofDevice) == device
	}
	if !fits(to.c[0].to, k&1 == 1) || !fits(from.c[0].to, k&2 == 2) {
		r.doubt(at, "a copy in a direction that its arrays do not have")
	}
}

// properties are those of the one device that programs see.
func (r *runner) properties(p ref) {
	known := map[string]int64{"major": 7, "minor": 0, "warpSize": 32, "maxThreadsPerBlock": 1024}
	skip := p.off
	for _, f := range p.typ.Fields {
		if v, ok := known[f.Name]; ok {
			p.o.cells[skip] = scalar{kind: intScalar, i: v}
		}
		skip += f.Typ.Cells()
	}
}

// uncast is what is cast to a pointer: the type of what it points at is its own.
func uncast(e *syntax.Expr) *syntax.Expr {
	for e.Kind == syntax.Cast && e.Typ.Kind == syntax.PointerType {
		e = e.Args[0]
	}
	return e
}

// span is a run of cells that a pointer begins.
func (r *runner) span(v result, size int64, at syntax.Place) (*object, int64, int64) {
	s := v.c[0]
	switch {
	case len(v.c) != 1 || s.kind != pointerScalar:
		r.undecided(at, "a pointer that is not known")
	case s.to == nil:
		r.fault("null", at, "a null pointer")
	case s.to.dead:
		r.fault("bounds", at, "%s is used after it was freed", s.to.name)
	case s.to.shared == syntax.Constant && r.t != nil:
		r.undecided(at, "a copy of constant memory")
	}
	if s.to.typ == nil {
		r.give(s.to, syntax.TInt)
	}
	if !flow.Dense(s.to.typ) {
		r.undecided(at, "a copy of structures with elements of different sizes")
	}
	leaf := s.to.typ.Leaf(0).Size()
	n := size / leaf
	if !s.to.vast && (s.i < 0 || size < 0 || n > int64(len(s.to.cells))-s.i) {
		r.fault("bounds", at, "%d bytes of %s, which has %d", size, s.to.name, int64(len(s.to.cells))*leaf)
	}
	if n*leaf != size || s.i < 0 || n > int64(len(s.to.cells))-s.i {
		r.undecided(at, "a copy of a part of an element, or beyond what is known")
	}
	return s.to, s.i, n
}

func (r *runner) copying(to, from result, size int64, at syntax.Place) {
	// A copy to an allocation without type gives it that of the source.
	if to.c[0].to != nil && from.c[0].to != nil {
		if to.c[0].to.typ == nil && from.c[0].to.typ != nil {
			r.give(to.c[0].to, from.c[0].to.typ.Leaf(0))
		}
		if from.c[0].to.typ == nil && to.c[0].to.typ != nil {
			r.give(from.c[0].to, to.c[0].to.typ.Leaf(0))
		}
	}
	// Both ends are checked before anything moves.
	a, i, n := r.span(to, size, at)
	b, j, m := r.span(from, size, at)
	if n != m || a.typ.Leaf(0).Kind != b.typ.Leaf(0).Kind {
		r.undecided(at, "a copy between elements of different types")
	}
	if a == b && i != j && max(i, j)-min(i, j) < n {
		r.doubt(at, "a copy between places that overlap")
	}
	// In a kernel each cell is read and written as by an assignment, and may race.
	for k := range n {
		r.touch(b, j+k, flow.IsRead, scalar{}, at)
		r.touch(a, i+k, flow.IsWrite, b.cells[j+k], at)
	}
	copy(a.cells[i:i+n], b.cells[j:j+n])
}

func (r *runner) filling(to result, fill, size int64, at syntax.Place) {
	o, i, n := r.span(to, size, at)
	for k := i; k < i+n; k++ {
		leaf := o.typ.Leaf(k)
		switch {
		case fill == 0 && leaf.Kind == syntax.FloatType:
			o.cells[k] = scalar{kind: floatScalar}
		case leaf.Kind == syntax.IntType:
			v := fill & 255
			for range leaf.Size() - 1 {
				v = v<<8 | fill&255
			}
			o.cells[k] = scalar{kind: intScalar, i: narrow(leaf, v)}
		default:
			o.cells[k] = r.unknown("")
		}
		r.touch(o, k, flow.IsWrite, o.cells[k], at)
	}
}
