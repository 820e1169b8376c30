package interp

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// hostCall runs a function of the host's libraries; most give 0, which stands for success.
func (r *runner) hostCall(n string, e *ast.Expr) result {
	args := e.Args[1:]
	switch n {
	case "assert", "__ESBMC_assert":
		return r.assert(args[0])
	case "malloc", "calloc":
		return r.hostMemory(n, args, e.At)
	case "cudaGetDeviceCount":
		r.store(r.target(r.value(args[0]), e.At), intValue(ast.TInt, 1), e.At)
	case "cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc":
		r.deviceMemory(n, args, e.At)
	case "free", "cudaFree", "cudaFreeHost":
		r.hostFree(n, args, e.At)
	case "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol":
		return r.symbol(n, args, e.At)
	case "cudaMemcpy", "memcpy":
		r.hostCopy(n, args, e.At)
	case "cudaMemset", "memset", "__builtin_memset":
		r.hostSet(n, args, e.At)
	case "cudaEventRecord":
		if vs := r.values(args); len(vs) > 0 {
			r.use.recorded[event(vs[0])] = r.number
		}
	case "fopen":
		r.answers(args)
		return intValue(ast.TLong, 1) // files can be opened
	case "__ESBMC_assume":
		if !r.truth(args[0]) {
			panic(exited{})
		}
	case "exit":
		panic(exited{})
	case "abort":
		r.undecided(e.At, "the program aborts")
	default:
		return r.familyCall(n, e)
	}
	return intValue(ast.TInt, 0)
}

// familyCall runs a function that does as many others do.
func (r *runner) familyCall(n string, e *ast.Expr) result {
	args := e.Args[1:]
	switch {
	case waits[n]:
		r.awaitLaunches(n, args)
	// Of these, arguments tell where they leave an answer.
	case harmless[n]:
		r.answers(args)
	case begins(n, "CUT_", "CUDA_", "cut"):
		r.filled(args)
	case prints[n]:
		return r.printed(args, e.At)
	case n == "cudaGetDeviceProperties" && len(args) == 2:
		r.properties(r.target(r.value(args[0]), e.At))
	case inputs[n], begins(n, "nondet", "__VERIFIER"):
		r.answers(args)
		return result{ast.TInt, []scalar{r.input()}}
	default:
		return r.arithmetic(n, e)
	}
	return intValue(ast.TInt, 0)
}

// waits are the functions that come back when launches have ended; prints, those that say something to people; inputs, those
// whose value is one of the program's inputs.
var (
	waits  = setOf("cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaDeviceReset", "cudaThreadExit")
	prints = setOf("printf", "fprintf", "puts", "putchar", "fclose", "fflush", "srand", "perror", "fputs", "system")
	inputs = setOf("rand", "random", "atoi", "getchar", "time", "clock")
)

func setOf(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

// begins reports whether a name has one of the prefixes.
func begins(n string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(n, p) })
}

// bytes is the number of bytes that an argument says.
func (r *runner) bytes(e *ast.Expr, at preproc.Place) int64 {
	return r.integer(r.convert(r.value(e), ast.TLong, at), at)
}

// hostMemory is a pointer to new memory of the host.
func (r *runner) hostMemory(n string, args []*ast.Expr, at preproc.Place) result {
	size := r.bytes(args[0], at)
	if n == "calloc" {
		size *= r.integer(r.value(args[1]), at)
	}
	o := r.allocate(size, at)
	o.side, o.freed = ofHost, "free"
	void := &ast.Ctype{Kind: ast.PointerType, Elem: ast.TVoid}
	return result{void, []scalar{{kind: pointerScalar, to: o, typ: ast.TVoid}}}
}

// deviceMemory leaves a pointer to new memory that the device sees where the first argument points.
func (r *runner) deviceMemory(n string, args []*ast.Expr, at preproc.Place) {
	p := r.place(&ast.Expr{Kind: ast.Unary, Op: "*", At: at, Args: []*ast.Expr{uncast(args[0])}})
	o := r.allocate(r.bytes(args[1], at), at)
	o.freed = "cudaFree"
	r.use.device = append(r.use.device, o)
	switch n {
	case "cudaMalloc":
		o.side = ofDevice
	case "cudaMallocHost", "cudaHostAlloc":
		o.freed = "cudaFreeHost"
	}
	if p.typ.Kind == ast.PointerType {
		r.give(o, p.typ.Elem)
		r.store(p, result{p.typ, []scalar{{kind: pointerScalar, to: o, typ: p.typ.Elem}}}, at)
	}
}

// hostFree releases memory; the functions of the device wait for launches first.
func (r *runner) hostFree(n string, args []*ast.Expr, at preproc.Place) {
	r.use.running = r.use.running && n == "free"
	if v := r.value(args[0]); len(v.c) == 1 {
		r.released(v.c[0], n, at)
	}
}

// hostCopy copies memory: cudaMemcpy waits for launches, memcpy must not meet one that runs.
func (r *runner) hostCopy(n string, args []*ast.Expr, at preproc.Place) {
	to, from := r.value(uncast(args[0])), r.value(uncast(args[1]))
	if n == "cudaMemcpy" {
		r.directed(to, from, args[3:], at)
		r.waited(to, from)
	}
	r.copying(to, from, r.bytes(args[2], at), at)
	if n == "memcpy" {
		r.reach(to.c[0].to, at)
		r.reach(from.c[0].to, at)
	}
}

// hostSet fills memory with a byte.
func (r *runner) hostSet(n string, args []*ast.Expr, at preproc.Place) {
	to := r.value(uncast(args[0]))
	if n != "cudaMemset" && to.c[0].to != nil {
		r.reach(to.c[0].to, at)
	}
	fill := r.integer(r.value(args[1]), at)
	r.filling(to, fill, r.bytes(args[2], at), at)
}

// awaitLaunches waits for launches, as many as the function says.
func (r *runner) awaitLaunches(n string, args []*ast.Expr) {
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
}

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
var harmless = setOf(
	"cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString", "cudaGetErrorName", "cudaSetDevice", "cudaGetDevice", "cudaSetDeviceFlags",
	"cudaEventCreate", "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventElapsedTime", "cudaStreamCreate", "cudaStreamDestroy",
	"cudaFuncSetCacheConfig", "cudaDeviceSetCacheConfig", "cudaDeviceSetLimit", "cudaRuntimeGetVersion", "cudaDriverGetVersion", "cudaMemGetInfo",
	"cudaProfilerStart", "cudaProfilerStop",
)

// answers evaluates the arguments of a function that leaves answers behind those that are pointers.
func (r *runner) answers(args []*ast.Expr) {
	for _, v := range r.values(args) {
		if s := v.c[0]; len(v.c) == 1 && s.kind == pointerScalar && s.to != nil && s.i >= 0 && s.i < int64(len(s.to.cells)) {
			s.to.cells[s.i] = r.unknown("")
		}
	}
}

// filled evaluates the arguments of a function that may leave answers anywhere behind those that are pointers.
func (r *runner) filled(args []*ast.Expr) {
	for _, v := range r.values(args) {
		if s := v.c[0]; len(v.c) == 1 && s.kind == pointerScalar && s.to != nil {
			r.forget(s.to)
		}
	}
}

// forget makes what memory holds unknown.
func (r *runner) forget(o *object) {
	for i := range o.cells {
		o.cells[i] = r.unknown("")
	}
}

// symbol copies to a variable of the device, or from it: such a function alone may name one. Behind the bytes stand
// where they begin in it, and the direction.
func (r *runner) symbol(n string, args []*ast.Expr, at preproc.Place) result {
	to := n == "cudaMemcpyToSymbol"
	// The two directions have their arguments in opposite order.
	name, other := args[0], args[1]
	if !to {
		name, other = other, name
	}
	if name.Kind != ast.Name {
		r.undecided(at, "%s of something that is not the name of a variable", n)
	}
	p := r.place(name)
	if p.o.side != ofDevice || p.o.bytes > 0 {
		r.undecided(at, "%s of %s, which is not a device variable", n, p.o.name)
	}
	if !ir.Dense(p.typ) {
		r.undecided(at, "a copy of structures with elements of different sizes")
	}
	if len(args) > 3 {
		// The fourth argument is an offset in bytes.
		leaf := p.typ.Leaf(0).Size()
		skip := r.integer(r.convert(r.value(args[3]), ast.TLong, at), at)
		if skip%leaf != 0 {
			r.undecided(at, "a copy of a part of an element")
		}
		p.off += skip / leaf
	}
	size := r.integer(r.convert(r.value(args[2]), ast.TLong, at), at)
	symbol := result{&ast.Ctype{Kind: ast.PointerType, Elem: p.typ.Leaf(0)}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ.Leaf(0)}}}
	target, source := symbol, r.value(uncast(other))
	if !to {
		target, source = source, target
	}
	r.directed(target, source, args[min(4, len(args)):], at)
	r.waited(target, source)
	r.copying(target, source, size, at)
	return intValue(ast.TInt, 0)
}

// printed evaluates the arguments of a function that prints them.
func (r *runner) printed(args []*ast.Expr, at preproc.Place) result {
	for _, v := range r.values(args) {
		if len(v.c) == 1 && v.c[0].to != nil && ir.PrintsText(args) {
			r.reach(v.c[0].to, at)
			if r.t != nil {
				r.undecided(at, "output printed by a kernel")
			}
			if text := args[0].Name; args[0].Kind != ast.StringLiteral || strings.Contains(text, "n") { // perhaps %n
				r.forget(v.c[0].to)
			}
		}
	}
	return result{ast.TInt, []scalar{r.unknown("")}}
}

// directed doubts a copy of the device whose direction is not that from one memory to the other: it fails.
func (r *runner) directed(to, from result, kind []*ast.Expr, at preproc.Place) {
	if len(kind) == 0 || len(to.c) != 1 || len(from.c) != 1 || to.c[0].to == nil || from.c[0].to == nil {
		return
	}
	k := r.integer(r.value(kind[0]), at)
	fits := func(o *object, device bool) bool {
		return o.side == ofBoth || k == constants["cudaMemcpyDefault"] || (o.side == ofDevice) == device
	}
	if !fits(to.c[0].to, k&1 == 1) || !fits(from.c[0].to, k&2 == 2) {
		r.doubt(at, "a copy in the wrong direction for its arrays")
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
func uncast(e *ast.Expr) *ast.Expr {
	for e.Kind == ast.Cast && e.Typ.Kind == ast.PointerType {
		e = e.Args[0]
	}
	return e
}

// span is a run of cells that a pointer begins.
func (r *runner) span(v result, size int64, at preproc.Place) (*object, int64, int64) {
	s := v.c[0]
	switch {
	case len(v.c) != 1 || s.kind != pointerScalar:
		r.undecided(at, "an unknown pointer")
	case s.to == nil:
		r.fault("null", at, "a null pointer")
	case s.to.dead:
		r.fault("bounds", at, "%s is used after it was freed", s.to.name)
	case s.to.shared == ast.Constant && r.t != nil:
		r.undecided(at, "a copy of constant memory")
	}
	if s.to.typ == nil {
		r.give(s.to, ast.TInt)
	}
	if !ir.Dense(s.to.typ) {
		r.undecided(at, "a copy of structures with elements of different sizes")
	}
	leaf := s.to.typ.Leaf(0).Size()
	n := size / leaf
	if !s.to.vast && (s.i < 0 || size < 0 || n > int64(len(s.to.cells))-s.i) {
		r.fault("bounds", at, "%d bytes of %s, which has %d", size, s.to.name, int64(len(s.to.cells))*leaf)
	}
	if n*leaf != size || s.i < 0 || n > int64(len(s.to.cells))-s.i {
		r.undecided(at, "a copy of a part of an element, or of unknown memory")
	}
	return s.to, s.i, n
}

// copying copies bytes between two places, which must have elements of one kind.
func (r *runner) copying(to, from result, size int64, at preproc.Place) {
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
		r.doubt(at, "a copy between overlapping memory")
	}
	// In a kernel each cell is read and written as by an assignment, and may race.
	for k := range n {
		r.logAccess(b, j+k, ir.IsRead, scalar{}, at)
		r.logAccess(a, i+k, ir.IsWrite, b.cells[j+k], at)
	}
	moved := slices.Clone(b.cells[j : j+n])
	for k := range moved {
		if moved[k].kind == unknownScalar {
			moved[k] = r.seenAs(moved[k], b.leaf(j+int64(k)), a.leaf(i+int64(k)))
		}
	}
	copy(a.cells[i:i+n], moved)
}

// filling fills bytes with one value.
func (r *runner) filling(to result, fill, size int64, at preproc.Place) {
	o, i, n := r.span(to, size, at)
	for k := i; k < i+n; k++ {
		leaf := o.typ.Leaf(k)
		switch {
		case fill == 0 && leaf.Kind == ast.FloatType:
			o.cells[k] = scalar{kind: floatScalar}
		case leaf.Kind == ast.IntType:
			v := fill & 255
			for range leaf.Size() - 1 {
				v = v<<8 | fill&255
			}
			o.cells[k] = scalar{kind: intScalar, i: narrow(leaf, v)}
		default:
			o.cells[k] = r.unknown("")
		}
		r.logAccess(o, k, ir.IsWrite, o.cells[k], at)
	}
}
