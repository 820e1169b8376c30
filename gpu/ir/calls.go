package ir

import (
	"math/big"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/preproc"
)

// Names of calls that are recognised by their form.
var (
	convertCall = regexp.MustCompile(`^(convert_|as_)([a-z]+)(\d*)(_sat)?(_rt[ezpn])?$`)
	MakeCall    = regexp.MustCompile(`^make_([a-z]+\d)$`)
	relation    = regexp.MustCompile(`^__(other|uniform|distinct)_(int|uint|bool|long|ulong|size_t|float|ptr|char|short|int4|unsigned)$`)
	oldCall     = regexp.MustCompile(`^__(old|return_val)_([a-z]+\d*)$`)
	accessCall  = regexp.MustCompile(`^__(read|write|atomic|no_read|no_write|no_atomic|read_implies|write_implies|atomic_implies|read_offset_bytes|write_offset_bytes|atomic_offset_bytes|read_offset|write_offset)$`)
)

// called is a call of a function of the toolchains.
type called struct {
	*builtin.Call
	args []*ast.Expr
	at   preproc.Place
}

// meanings are what functions of the toolchains do and give, in C; what is not here is refused.
var meanings map[builtin.Meaning]func(*lowerer, called) *value

func init() {
	meanings = map[builtin.Meaning]func(*lowerer, called) *value{
		builtin.LocalID:      ofGrid((*lowerer).LocalID, 0),
		builtin.GroupID:      ofGrid((*lowerer).GroupID, 0),
		builtin.LocalSize:    ofGrid((*lowerer).LocalSize, 1),
		builtin.NumGroups:    ofGrid((*lowerer).Groups, 1),
		builtin.GlobalSize:   ofGrid((*lowerer).GlobalSize, 1),
		builtin.GlobalID:     ofGrid((*lowerer).GlobalID, 0),
		builtin.GlobalOffset: ofGrid(func(*lowerer, int) *Term { return Number(0) }, 0),
		builtin.Dimensions:   func(l *lowerer, _ called) *value { return one(ast.TUint, l.dimensions()) },
		builtin.Barrier: func(l *lowerer, c called) *value {
			l.barrier(Number(3), c.at)
			return nothing()
		},
		builtin.BarrierFlags:  (*lowerer).barrierFlags,
		builtin.BarrierVote:   (*lowerer).barrierVote,
		builtin.Fence:         (*lowerer).forEffects, // it orders the accesses of one thread; without a barrier it takes no race away
		builtin.Nothing:       (*lowerer).forEffects,
		builtin.Print:         (*lowerer).print,
		builtin.Atomic:        (*lowerer).atomic,
		builtin.AtomicBlock:   (*lowerer).atomic,
		builtin.Warp:          (*lowerer).ofWarp,
		builtin.WarpFence:     (*lowerer).warpBarrier,
		builtin.AnyNumber:     func(l *lowerer, c called) *value { return l.anyResult(c) },
		builtin.CountBits:     (*lowerer).countBits,
		builtin.Minimum:       (*lowerer).extreme,
		builtin.Maximum:       (*lowerer).extreme,
		builtin.Clamp:         (*lowerer).clamp,
		builtin.Absolute:      (*lowerer).absolute,
		builtin.Multiply24:    (*lowerer).product24,
		builtin.MultiplyAdd24: (*lowerer).product24,
		builtin.Convert:       (*lowerer).converting,
		builtin.Reinterpret:   (*lowerer).converting,
		builtin.CopyMemory:    func(l *lowerer, c called) *value { return l.copying(c, false) },
		builtin.SetMemory:     func(l *lowerer, c called) *value { return l.copying(c, true) },
		builtin.Assume:        (*lowerer).assume,
		builtin.Assert:        (*lowerer).assert,
		builtin.Require:       (*lowerer).require,
		builtin.Invariant:     (*lowerer).invariant,
		// Candidates are guesses of another tool: nothing may rest on them unproved.
		builtin.Candidate: func(*lowerer, called) *value { return one(ast.TInt, Number(1)) },
		builtin.Implies: func(l *lowerer, c called) *value {
			l.need(c, 2)
			return one(ast.TBool, truthValue(implies(l.truth(c.args[0]), l.truth(c.args[1]))))
		},
		builtin.Opaque: func(l *lowerer, c called) *value {
			l.fail(c.at, "%s: %s", c.Name, c.Doc)
			return nil
		},
	}
}

func nothing() *value { return &value{typ: ast.TVoid, parts: []*Term{Number(0)}} }

// call lowers a call: of a function of the toolchains, or of the file, which is inlined.
func (l *lowerer) call(e *ast.Expr) *value {
	callee := e.Args[0]
	if callee.Kind != ast.Name {
		l.fail(e.At, "a call through a pointer")
	}
	n, args := callee.Name, e.Args[1:]
	// A body in the file wins over a function of the toolchains of that name; without one the latter does.
	if f := l.callee(n, e); f != nil && (f.Defined || l.ofToolchain(n) == nil) {
		return l.inline(f, e)
	}
	if strings.HasPrefix(n, "__global_") {
		l.ofAllThreads(n, e.At)
	}
	if c := l.ofToolchain(n); c != nil {
		return meanings[c.Means](l, called{c, args, e.At})
	}
	for _, known := range []func(string, []*ast.Expr, preproc.Place) *value{l.typedCall, l.annotationCall} {
		if v := known(n, args, e.At); v != nil {
			return v
		}
	}
	l.undeclared(n, e.At)
	return nil
}

// ofToolchain is what a function of the toolchains means that C is read with, nil if n is none.
func (l *lowerer) ofToolchain(n string) *builtin.Call {
	c := builtin.Source(n, l.cuda())
	if c == nil || meanings[c.Means] == nil || c.Means == builtin.AnyNumber && c.Gives == builtin.Undeclared {
		return nil
	}
	return c
}

// assert is a check of the author's.
func (l *lowerer) assert(c called) *value {
	l.need(c, 1)
	if !l.opts.OnlyRequires {
		l.logged++
		p := l.ofLog(c.args[0], l.truth)
		l.logged--
		l.Emit(&Instr{Op: DoAssert, At: c.at, Kind: "assert", Why: "assertion", E: p})
	}
	return nothing()
}

// assume is what the author takes for granted.
func (l *lowerer) assume(c called) *value {
	l.need(c, 1)
	l.Prog.Granted, l.Prog.Believes = true, true
	if !l.opts.NoAssumptions {
		l.Emit(&Instr{Op: DoAssume, At: c.at, E: l.annotation(c.args[0])})
	}
	return nothing()
}

// invariant is the author's, of a loop.
func (l *lowerer) invariant(c called) *value {
	l.need(c, 1)
	// Threads that have left the loop are held to it as well, which nothing here says.
	if strings.HasPrefix(c.Name, "__global_") {
		l.fail(c.at, "%s for threads that have left the loop; use __invariant, which is about those in it", c.Name)
	}
	if !l.opts.OnlyRequires {
		l.Emit(&Instr{Op: DoInvariant, At: c.at, Kind: "invariant", Why: "loop invariant", E: l.logAnnotation(c.args[0])})
	}
	return one(ast.TInt, Number(1))
}

// require is what callers owe. As an axiom of the launch it is known in every loop, as an assumption at the entry
// alone. For an inlined function neither would do: there its caller owes the precondition.
func (l *lowerer) require(c called) *value {
	l.need(c, 1)
	p := l.logAnnotation(c.args[0])
	l.Prog.Granted = l.Prog.Granted || len(l.calls) == 0
	if a := l.ofLaunch(p); a != nil {
		l.Prog.Axioms = append(l.Prog.Axioms, a)
	} else if len(l.calls) == 0 {
		l.Emit(&Instr{Op: DoAssume, At: c.at, E: p})
	} else {
		l.Emit(&Instr{Op: DoAssert, At: c.at, Kind: "requires", Why: "precondition", E: p})
	}
	return nothing()
}

// ofAllThreads refuses what is said of all threads where not all of them come: those that do would be held to it alone.
func (l *lowerer) ofAllThreads(n string, at preproc.Place) {
	if len(l.calls) > 0 || n != "__global_ensures" && l.Now != l.Prog.Entry {
		l.fail(at, "%s in code that not all threads reach; use %s", n, strings.Replace(n, "global_", "", 1))
	}
}

// need refuses a call with fewer arguments.
func (l *lowerer) need(c called, k int) {
	if len(c.args) < k {
		l.fail(c.at, "%s with %d arguments", c.Name, len(c.args))
	}
}

// barrierFlags is a barrier whose first argument says what it orders.
func (l *lowerer) barrierFlags(c called) *value {
	l.need(c, 1)
	l.wholeGroup(c.Name, c.args[1:], c.at)
	l.barrier(l.scalar(l.value(c.args[0]), c.at), c.at)
	return nothing()
}

// barrierVote is a barrier that gives what all threads say together: any number here.
func (l *lowerer) barrierVote(c called) *value {
	if l.pure > 0 {
		l.fail(c.at, "%s where no side effect is allowed", c.Name)
	}
	l.need(c, 1)
	l.effect(c.args[0])
	l.barrier(Number(3), c.at)
	return l.anyValue(ast.TInt, c.at)
}

// forEffects evaluates arguments for what they do.
func (l *lowerer) forEffects(c called) *value {
	for _, a := range c.args {
		if a.Kind != ast.StringLiteral {
			l.effect(a)
		}
	}
	return nothing()
}

// print evaluates its arguments, and reads the text that they lead to.
func (l *lowerer) print(c called) *value {
	for _, a := range c.args {
		switch {
		case PrintsText(c.args) && l.isPointer(a):
			l.readAnywhere(l.value(a).ptr, c.at)
		case a.Kind != ast.StringLiteral:
			l.effect(a)
		}
	}
	return nothing()
}

// PrintsText reports whether printf may read text that its arguments lead to, or leave a number there.
func PrintsText(args []*ast.Expr) bool {
	return len(args) > 0 && (args[0].Kind != ast.StringLiteral || textIn.MatchString(args[0].Name))
}

var textIn = regexp.MustCompile(`%[^%a-zA-Z]*[hlLqjzt]*[sn]`)

// isPointer reports whether an expression leads to memory of an array.
func (l *lowerer) isPointer(e *ast.Expr) bool {
	if e.Kind == ast.StringLiteral {
		return false
	}
	t := l.sizedType(e)
	return t != nil && (t.Kind == ast.PointerType || t.Kind == ast.ArrayType)
}

// wholeGroup refuses a barrier whose scope is less than the group: it orders less.
func (l *lowerer) wholeGroup(n string, scope []*ast.Expr, at preproc.Place) {
	if len(scope) > 0 && (scope[0].Kind != ast.Name || !slices.Contains([]string{"memory_scope_work_group", "memory_scope_device", "memory_scope_all_svm_devices"}, scope[0].Name)) {
		l.fail(at, "%s with a scope smaller than the group", n)
	}
}

// ofCUDA are names like those of the toolchain's own functions.
var ofCUDA = regexp.MustCompile(`^(__|atomic|tex|surf)`)

// callee is the function of the file that a call means, nil if it is none.
func (l *lowerer) callee(n string, e *ast.Expr) *ast.Function {
	f := l.unit.Function(n)
	// In C++ the toolchain may have functions of that name for other types, too: names like those of the first form are its own.
	if f != nil && l.cuda() && (l.ofToolchain(n) != nil || ofCUDA.MatchString(n)) && !ast.Exactly(f, len(e.Args)-1, ast.Types(e, l.sizedType)) {
		l.fail(e.At, "a call of %s, which CUDA also declares for other types; rename the function", n)
	}
	return f
}

// ofGrid is the value of get_local_id and its kin: beyond the third dimension, outside.
func ofGrid(f func(*lowerer, int) *Term, outside int64) func(*lowerer, called) *value {
	return func(l *lowerer, c called) *value {
		l.need(c, 1)
		v, isConstant := l.constantOf(c.args[0])
		if !isConstant {
			l.fail(c.at, "%s of a dimension that is not a constant", c.Name)
		}
		if !v.IsInt64() || v.Sign() < 0 || v.Int64() > 2 {
			return one(ast.Scalars["size_t"], Number(outside))
		}
		return one(ast.Scalars["size_t"], f(l, int(v.Int64())))
	}
}

func (l *lowerer) barrier(flags *Term, at preproc.Place) {
	// Of an expression it is not known what it orders, so nothing is taken for ordered.
	bit := func(k int) bool { return flags.IsNum() && flags.Val.Bit(k) == 1 }
	l.Barrier(bit(0), bit(1), at)
}

// atomic lowers an atomic operation. Its value is the one before it.
func (l *lowerer) atomic(c called) *value {
	l.need(c, 1)
	v := l.value(c.args[0])
	var adds *Term
	// Slots that are handed out need to know what an atomic operation adds; for races any value will do.
	switch {
	case c.Adds == builtin.AddOne && len(c.args) == 1:
		adds = Number(1)
	case c.Adds == builtin.AddSecond && len(c.args) == 2:
		if n, ok := l.constantOf(c.args[1]); ok {
			adds = BigNumber(n)
		}
	}
	for _, a := range c.args[1:] {
		l.effect(a)
	}
	if v.ptr == nil {
		l.fail(c.at, "an atomic operation on a number")
	}
	lv := l.target(v.ptr, c.at)
	x := l.NewVariable("got", lv.typ.Leaf(0))
	do := func(lv *lvalue) {
		switch {
		case lv.null:
			l.check("null", "an atomic operation through a null pointer", Falsity, c.at)
			l.Emit(&Instr{Op: DoHavoc, At: c.at, V: x})
		case lv.mem == nil:
			l.fail(c.at, "an atomic operation on a private variable")
		// An operation that is atomic within a group races with those of other groups.
		case c.Means == builtin.AtomicBlock && lv.mem.Space != ast.Local && l.opts.Groups != [3]int64{1, 1, 1}:
			l.fail(c.at, "%s, which is atomic only within a group, on memory that groups share", c.Name)
		default:
			l.Emit(&Instr{Op: DoAtomic, At: c.at, V: x, Mem: lv.mem, Off: lv.off, E: adds})
		}
	}
	if lv.choices != nil {
		l.each(lv, c.at, do)
	} else {
		do(lv)
	}
	return one(lv.typ.Leaf(0), VariableTerm(x))
}

// values are those of the arguments.
func (l *lowerer) values(c called) (out []*value) {
	for _, a := range c.args {
		out = append(out, l.value(a))
	}
	return out
}

// inLanes is a function of numbers, lane by lane, in the type of arithmetic on them.
func (l *lowerer) inLanes(c called, vs []*value, f func(t *ast.Ctype, xs []*Term) *Term) *value {
	l.need(c, 1)
	t := vs[0].typ
	for _, v := range vs {
		if v.ptr != nil {
			l.fail(c.at, "%s of a pointer", c.Name)
		}
		switch {
		case v.typ.Kind == ast.VectorType:
			t = v.typ
		case t.Kind != ast.VectorType && (l.cuda() || !sameScalar(t, v.typ)): // OpenCL has these functions for narrow types, too
			t = ast.CommonType(t, v.typ)
		}
	}
	out := &value{typ: t}
	for i := range t.Cells() {
		var xs []*Term
		for _, v := range vs {
			xs = append(xs, l.convert(v, t, c.at).parts[i])
		}
		// Floats are not followed: any value may be the result.
		if t.Leaf(i).Kind == ast.FloatType {
			out.parts = append(out.parts, l.Anything(t.Leaf(i), c.at))
		} else {
			out.parts = append(out.parts, f(t.Leaf(i), xs))
		}
	}
	return out
}

// extreme is the smaller or the larger of two numbers.
func (l *lowerer) extreme(c called) *value {
	l.need(c, 2)
	vs := l.values(c)
	if l.cuda() && c.Signed == 0 && !ast.OneWidth(vs[0].typ, vs[1].typ) {
		l.fail(c.at, "%s of integers of two widths, for which CUDA has no overload; cast them to one type", c.Name)
	}
	for i, v := range vs {
		if c.Signed < 0 {
			vs[i] = l.convert(v, ast.TUint, c.at)
		}
	}
	return l.inLanes(c, vs, func(_ *ast.Ctype, xs []*Term) *Term {
		if c.Means == builtin.Minimum {
			return choose(Compare(PLe, xs[0], xs[1]), xs[0], xs[1])
		}
		return choose(Compare(PLe, xs[0], xs[1]), xs[1], xs[0])
	})
}

func (l *lowerer) clamp(c called) *value {
	l.need(c, 3)
	return l.inLanes(c, l.values(c), func(_ *ast.Ctype, xs []*Term) *Term {
		return choose(Compare(PLt, xs[0], xs[1]), xs[1], choose(Compare(PLt, xs[2], xs[0]), xs[2], xs[0]))
	})
}

func (l *lowerer) absolute(c called) *value {
	v := l.inLanes(c, l.values(c), func(t *ast.Ctype, xs []*Term) *Term {
		return choose(Compare(PLe, Number(0), xs[0]), xs[0], l.wrapAt(t, Product(Number(-1), xs[0]), c.at))
	})
	if c.Signed == 0 { // in OpenCL what it gives is unsigned
		v = l.convert(v, ast.WithoutSign(v.typ), c.at)
	}
	return v
}

// product24 is the product of the low 24 bits of two numbers.
func (l *lowerer) product24(c called) *value {
	l.need(c, 2)
	if c.Means == builtin.MultiplyAdd24 {
		l.need(c, 3)
	}
	vs := l.values(c)
	if c.Signed != 0 {
		// Of each operand 24 bits count, as a signed number or as an unsigned one.
		t, part := ast.IntOf(32, c.Signed > 0), &ast.Ctype{Kind: ast.IntType, Bits: 24, Signed: c.Signed > 0}
		return one(t, into(t, Product(into(part, l.scalar(vs[0], c.at)), into(part, l.scalar(vs[1], c.at)))))
	}
	// OpenCL declares these for int, uint and vectors of them alone: narrower scalars become an int.
	for i, v := range vs {
		leaf := v.typ.Leaf(0)
		if v.ptr == nil && v.typ.Kind == ast.IntType && leaf.Bits < 32 {
			vs[i] = l.convert(v, ast.TInt, c.at)
		} else if v.ptr != nil || leaf.Kind != ast.IntType || leaf.Bits != 32 {
			l.fail(c.at, "%s of numbers other than int and uint; cast them to one of these", c.Name)
		}
	}
	return l.inLanes(c, vs, func(t *ast.Ctype, xs []*Term) *Term {
		part := &ast.Ctype{Kind: ast.IntType, Bits: 24, Signed: t.Signed}
		lo, hi := interval.Within(part)
		product, fit := Product(xs[0], xs[1]), Truth
		for _, x := range xs[:2] {
			fit = Both(fit, Compare(PLe, BigNumber(lo), x), Compare(PLe, x, BigNumber(hi)))
		}
		if c.Means == builtin.MultiplyAdd24 {
			product = Sum(product, xs[2])
		}
		// Of operands beyond 24 bits OpenCL says nothing.
		return choose(fit, into(t, product), l.Anything(t, c.at))
	})
}

// anyResult is any value of the type that the row says.
func (l *lowerer) anyResult(c called) *value {
	return l.anyValue(l.resultType(c), c.at)
}

// countBits is a number of bits: there are no more than the argument has.
func (l *lowerer) countBits(c called) *value {
	v := l.anyResult(c)
	for i, x := range v.parts {
		bits := c.Bits
		if bits == 0 {
			bits = v.typ.Leaf(int64(i)).Bits
		}
		l.Emit(&Instr{Op: DoAssume, At: c.at, E: Both(Compare(PLe, Number(0), x), Compare(PLe, x, Number(int64(bits))))})
	}
	return v
}

// converting is its argument as the type that the name says.
func (l *lowerer) converting(c called) *value {
	m := convertCall.FindStringSubmatch(c.Name)
	if m == nil || len(c.args) != 1 {
		l.undeclared(c.Name, c.at)
	}
	t := ast.Scalars[m[2]]
	if t == nil {
		t = ast.Vectors[m[2]]
	}
	if m[3] != "" {
		t = ast.Named(m[2]+m[3], false)
	}
	if t == nil {
		l.undeclared(c.Name, c.at)
	}
	v := l.value(c.args[0])
	if c.Means == builtin.Reinterpret || m[4] != "" || v.typ.Leaf(0).Kind == ast.FloatType {
		return l.anyValue(t, c.at)
	}
	return l.convert(v, t, c.at)
}

// typedCall is the value of a type that is called like a function; nil if n is none.
func (l *lowerer) typedCall(n string, args []*ast.Expr, at preproc.Place) *value {
	if n == "__add_noovfl" || n == "__add_noovfl_unsigned_int" || n == "__add_noovfl_unsigned" {
		total := Number(0)
		for _, a := range args {
			total = Sum(total, l.scalar(l.value(a), at))
		}
		return one(ast.TInt, truthValue(Compare(PLe, total, BigNumber(interval.TypeInterval(ast.TUint).Hi))))
	}
	if m := MakeCall.FindStringSubmatch(n); m != nil {
		if t := ast.Named(m[1], true); t != nil {
			return l.gather(t, args, at)
		}
	}
	if n == "dim3" || ast.Named(n, false) != nil && ast.Named(n, false).Kind == ast.VectorType {
		t := ast.Named(n, false)
		for len(args) < int(t.N) && n == "dim3" {
			args = append(args, &ast.Expr{Kind: ast.Literal, At: at, Value: big.NewInt(1), Typ: ast.TUint})
		}
		return l.gather(t, args, at)
	}
	return nil
}

// resultType is the type of what a function of the toolchains gives, whose arguments are evaluated.
func (l *lowerer) resultType(c called) *ast.Ctype {
	var types []*ast.Ctype
	for _, v := range l.values(c) {
		if v.ptr != nil {
			l.fail(c.at, "%s with a pointer", c.Name)
		}
		types = append(types, v.typ)
	}
	t, why := ast.Result(c.Call, l.cuda(), types)
	if why != "" {
		l.fail(c.at, "%s", why)
	}
	return t
}

// cuda reports whether the file is one of CUDA.
func (l *lowerer) cuda() bool { return pathpkg.Ext(l.unit.File) == ".cu" }

// copying is memset and memcpy with a constant length, cell by cell.
func (l *lowerer) copying(c called, fill bool) *value {
	n, at, vs := c.Name, c.at, l.values(c)
	switch {
	case len(vs) != 3:
		l.fail(at, "%s with %d arguments", n, len(vs))
	case n == "memmove":
		l.fail(at, "memmove, whose source and destination may overlap; use memcpy if they do not")
	}
	to := l.convert(vs[0], &ast.Ctype{Kind: ast.PointerType, Elem: ast.TVoid}, at).ptr
	size := l.scalar(vs[2], at)
	if !size.IsNum() || !size.Val.IsInt64() {
		l.fail(at, "%s of a length that is not a constant", n)
	}
	if size.Is(0) {
		return &value{typ: ast.TVoid, parts: []*Term{Number(0)}}
	}
	var from *pointer
	if !fill {
		from = l.convert(vs[1], &ast.Ctype{Kind: ast.PointerType, Elem: ast.TVoid}, at).ptr
	}
	if to.among != nil || from != nil && from.among != nil {
		l.fail(at, "%s with a pointer with several possible targets", n)
	}
	if to.null || from != nil && from.null {
		l.check("null", n+" with a null pointer", Falsity, at)
		return &value{typ: ast.TVoid, parts: []*Term{Number(0)}}
	}
	// Lengths are in bytes, memories in elements: a length has to end between two of them.
	cells := func(p *pointer) []*lvalue {
		var bytes int64
		var out []*lvalue
		switch {
		case p.mem != nil && !Dense(p.mem.elem), p.to != nil && (!Dense(p.to.typ) || !p.off.Is(0)):
			l.fail(at, "%s of a part of something that is not an array", n)
		case p.to != nil:
			for i := range p.to.typ.Cells() {
				out = append(out, &lvalue{typ: p.to.typ.Leaf(i), vars: p.to.vars[i : i+1]})
				bytes += p.to.typ.Leaf(i).Size()
			}
		case p.mem != nil:
			leaf := p.mem.elem.Leaf(0)
			for bytes < size.Val.Int64() && len(out) < 4096 {
				out = append(out, &lvalue{typ: leaf, mem: p.mem, off: Sum(p.off, Number(int64(len(out))))})
				bytes += leaf.Size()
			}
		}
		if bytes < size.Val.Int64() || len(out) == 0 {
			l.fail(at, "%s of this length", n)
		}
		// A length that ends within a cell would write a part of it, for which there is no term.
		var sum int64
		for i := range out {
			if sum == size.Val.Int64() {
				return out[:i]
			}
			sum += out[i].typ.Size()
		}
		if sum != size.Val.Int64() {
			l.fail(at, "%s of a part of an element", n)
		}
		return out
	}
	targets := cells(to)
	var sources []*lvalue
	if from != nil {
		if sources = cells(from); len(sources) != len(targets) {
			l.fail(at, "%s between elements of different sizes", n)
		}
	}
	// Bytes other than 0 make numbers that depend on the width of an element: any will do.
	// Cell by cell, so that every one counts as an access and may race.
	for i, t := range targets {
		switch {
		case !fill:
			v := l.read(sources[i], at)
			l.write(t, one(t.typ, l.seenAs(l.scalar(v, at), v.typ, t.typ, at)), at)
		case l.scalar(vs[1], at).Is(0) && t.typ.Kind == ast.IntType:
			l.write(t, one(t.typ, Number(0)), at)
		case l.scalar(vs[1], at).Is(0):
			l.write(t, one(t.typ, l.FloatConstant("0.0", t.typ)), at)
		default:
			l.write(t, l.anyValue(t.typ, at), at)
		}
	}
	return &value{typ: ast.TVoid, parts: []*Term{Number(0)}}
}

// dimensions is of how many dimensions the launch is: as many as sizes were given for, or a number of its own.
func (l *lowerer) dimensions() *Term {
	if l.opts.Dims > 0 {
		l.Prog.Dimensions = true
		return Number(l.opts.Dims)
	}
	const name = "get_work_dim()"
	for _, p := range l.Prog.Params {
		if p.Name == name {
			return p.Term
		}
	}
	p := &parameter{Name: name, Typ: ast.TUint, Term: &Term{Op: Sym, Name: l.SymbolName("dimensions")}}
	l.Prog.Params = append(l.Prog.Params, p)
	l.Prog.Axioms = append(l.Prog.Axioms, Compare(PLe, Number(1), p.Term), Compare(PLe, p.Term, Number(3)))
	return p.Term
}

// annotationCall is the value of a word of the annotation language, or nil.
func (l *lowerer) annotationCall(n string, args []*ast.Expr, at preproc.Place) *value {
	bool_ := func(p *Term) *value { return one(ast.TBool, truthValue(p)) }
	switch {
	case strings.HasPrefix(n, "__function_wide_"): // a guess of another tool
		return one(ast.TInt, Number(1))
	case n == "__ensures" || n == "__global_ensures":
		l.need(called{&builtin.Call{Name: n}, args, at}, 1)
		l.frame.ensures = append(l.frame.ensures, args[0])
		return nothing()
	case n == "__reads_from" || n == "__writes_to" || strings.HasPrefix(n, "__requires_fresh_array") || n == "__reads_from_local" || n == "__writes_to_local":
		return nothing() // see contract
	case n == "__ite" && len(args) == 3:
		a, b := l.value(args[1]), l.value(args[2])
		t := ast.CommonType(a.typ, b.typ)
		return one(t, choose(l.truth(args[0]), l.convert(a, t, at).parts[0], l.convert(b, t, at).parts[0]))
	case n == "__enabled":
		return bool_(Truth)
	case n == "__exclusive" && len(args) == 1:
		p := l.truth(args[0])
		l.relational(p, at)
		return bool_(Either(Not(p), Not(&Term{Op: Other, Args: []*Term{p}})))
	case n == "__same_group":
		l.Prog.Relations = true
		return bool_(&Term{Op: PSame})
	case relation.MatchString(n) && len(args) == 1:
		m := relation.FindStringSubmatch(n)
		if m[2] == "bool" && args[0].Kind == ast.Call && args[0].Args[0].Name == "__enabled" {
			if m[1] != "uniform" {
				l.fail(at, "%s of __enabled", n)
			}
			return bool_(&Term{Op: PUniform})
		}
		v := l.value(args[0])
		x := l.scalar(v, at)
		l.relational(x, at)
		y := &Term{Op: Other, Args: []*Term{x}}
		switch m[1] {
		case "other":
			return one(v.typ, y)
		case "uniform":
			return bool_(Compare(PEq, x, y))
		}
		return bool_(Compare(PNe, x, y))
	case oldCall.MatchString(n):
		return l.oldValue(n, args, at)
	case accessCall.MatchString(n) && len(args) >= 1:
		return l.access(accessCall.FindStringSubmatch(n)[1], args, at)
	case (n == "__ptr_offset_bytes" || n == "__ptr_offset") && len(args) == 1:
		// The address is asked for, not what lies there: no access may be logged for it.
		l.pure++
		v := l.value(args[0])
		l.pure--
		if v.ptr.onlyMemory() == nil {
			l.fail(at, "%s of a pointer that points into no array", n)
		}
		return one(ast.Scalars["size_t"], Product(Number(v.ptr.mem.elem.Leaf(0).Size()), v.ptr.off))
	case n == "__atomic_has_taken_value":
		return l.anyValue(ast.TInt, at)
	}
	return nil
}

// relational notes a check about two threads. The other thread's value is known
// only where it depends on the ids and parameters alone.
func (l *lowerer) relational(t *Term, at preproc.Place) {
	l.Prog.Relations = true
}

// oldValue is the value that a postcondition speaks of: that of a parameter before the call, or the result.
func (l *lowerer) oldValue(n string, args []*ast.Expr, at preproc.Place) *value {
	if strings.HasPrefix(n, "__old") && len(args) == 1 && args[0].Kind == ast.Name && l.frame.old != nil {
		if v := l.frame.old[args[0].Name]; v != nil {
			return v
		}
	}
	// Postconditions stand behind the exit of the inlined body, where result is set.
	if strings.HasPrefix(n, "__return_val") {
		out := &value{typ: l.frame.ret}
		for _, r := range l.frame.result {
			out.parts = append(out.parts, VariableTerm(r))
		}
		return out
	}
	l.fail(at, "%s here", n)
	return nil
}

// ofLaunch is a precondition at the start of the kernel as one on the launch, if it is
// about parameters and sizes alone; nil otherwise.
func (l *lowerer) ofLaunch(p *Term) *Term {
	if len(l.calls) > 0 || l.Now != l.Prog.Entry || !plain(p) {
		return nil
	}
	ok := true
	out := MapTerm(p, func(x *Term) *Term {
		if x.Op == Sym {
			ok = ok && !x.Own
		}
		if x.Op != Local_ {
			return nil
		}
		var given *Term // what the parameter was given, if nothing else was done with it
		for _, i := range l.Prog.Entry.Code {
			switch {
			case i.V != x.V:
			case given == nil && i.Op == DoAssign && (i.E.Op == Sym && !i.E.Own || i.E.IsNum()):
				given = i.E
			default:
				ok = false
			}
		}
		ok = ok && given != nil
		return given
	})
	if !ok || out.Op == PFalse {
		return nil
	}
	return out
}

// plain reports whether a formula is arithmetic without choices and bit operations.
func plain(t *Term) bool {
	switch t.Op {
	case Num, Sym, Local_, Add, Mul, Quo, Rem, Wrap, PTrue, PFalse, PEq, PNe, PLe, PLt, PAnd, POr, PNot:
		return !slices.ContainsFunc(t.Args, func(a *Term) bool { return !plain(a) })
	}
	return false
}

// logAnnotation is an annotation that may speak of logged accesses.
func (l *lowerer) logAnnotation(e *ast.Expr) *Term {
	l.logged++
	defer func() { l.logged-- }()
	return l.ofOffset(l.ofLog(e, l.annotation))
}

// ofOffset is a condition on logged accesses whose offsets are numbers, which nothing wraps: they are those of an array.
// Of an access in front of the array, which C leaves undefined, it says nothing.
func (l *lowerer) ofOffset(p *Term) *Term {
	off := l.Prog.Offset
	if !Mentions(p, off) {
		return p
	}
	var plain func(t *Term) *Term
	plain = func(t *Term) *Term {
		if len(t.Args) == 0 || !Mentions(t, off) {
			return t
		}
		args := make([]*Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = plain(a)
		}
		switch by := args[len(args)-1]; {
		case t.Op == Wrap && t.Typ.Bits == 64:
			return args[0]
		case t.Op == Quo && by.IsNum() && by.Val.Sign() > 0 && args[0].Op == Mul && args[0].Args[0].IsNum() && args[0].Args[0].Val.Cmp(by.Val) == 0:
			return Product(args[0].Args[1:]...)
		}
		return Rebuild(t, args)
	}
	return Either(Compare(PLt, VariableTerm(off), Number(0)), plain(p))
}

// ofLog is a condition on logged accesses, as read makes it of an expression. One access
// is remembered, so that each conjunct may speak of one kind of access to one array.
func (l *lowerer) ofLog(e *ast.Expr, read func(*ast.Expr) *Term) *Term {
	if e.Kind == ast.Binary && (e.Op == "&&" || e.Op == "&" && isTruth(e.Args[0]) && isTruth(e.Args[1])) && l.simple(e.Args[1]) {
		return Both(l.ofLog(e.Args[0], read), l.ofLog(e.Args[1], read))
	}
	l.accesses = map[int64]bool{}
	p := read(e)
	if len(l.accesses) > 1 {
		l.fail(e.At, "an annotation about several accesses at once")
	}
	return p
}

// access is the value of __read, __write_offset_bytes and their kin: what thread 1
// has logged.
func (l *lowerer) access(what string, args []*ast.Expr, at preproc.Place) *value {
	// The argument is only looked at: evaluating it must not count as an access.
	l.pure++
	v := l.value(args[0])
	l.pure--
	if v.ptr.onlyMemory() == nil {
		l.fail(at, "an access annotation about something that is not an array")
	}
	if l.logged == 0 {
		l.fail(at, "an access annotation outside of an assertion, an invariant or a contract")
	}
	l.Prog.Annotated = true
	m := v.ptr.mem
	// The kind is part of the name of the annotation.
	kind := IsRead
	switch {
	case strings.Contains(what, "write"):
		kind = IsWrite
	case strings.Contains(what, "atomic"):
		kind = IsAtomic
	}
	l.accesses[AccessCode(m, kind)] = true
	happened := Compare(PEq, VariableTerm(l.Prog.Accessed), Number(AccessCode(m, kind)))
	switch {
	case strings.HasSuffix(what, "_implies") && len(args) == 2:
		return one(ast.TBool, truthValue(implies(happened, l.truth(args[1]))))
	case strings.HasSuffix(what, "_bytes"):
		return one(ast.Scalars["size_t"], Product(Number(m.elem.Leaf(0).Size()), VariableTerm(l.Prog.Offset)))
	case strings.HasSuffix(what, "_offset"):
		return one(ast.Scalars["size_t"], VariableTerm(l.Prog.Offset))
	case strings.HasPrefix(what, "no_"):
		return one(ast.TBool, truthValue(Not(happened)))
	}
	return one(ast.TBool, truthValue(happened))
}

// inline puts the body of a function in place of a call.
func (l *lowerer) inline(f *ast.Function, e *ast.Expr) *value {
	args := e.Args[1:]
	if slices.Contains(l.calls, f.Name) {
		l.fail(e.At, "recursion: %s calls itself", f.Name)
	}
	if len(args) != len(f.Params) {
		l.fail(e.At, "%s with %d arguments", f.Name, len(args))
	}
	if f.Noreturn {
		for _, a := range args {
			l.effect(a)
		}
		l.Emit(&Instr{Op: DoAssert, At: e.At, Kind: "assert", Why: "call of " + f.Name + ", which does not return", E: Falsity})
		// Nothing behind the call is reached; that the call itself is not reached is the check.
		l.Emit(&Instr{Op: DoAssume, At: e.At, E: Falsity})
		return &value{typ: ast.TVoid, parts: []*Term{Number(0)}}
	}
	// Arguments are evaluated among the names of the caller.
	scope := map[string]*storage{}
	old := map[string]*value{}
	for i, d := range f.Params {
		v := l.taken(l.value(args[i]), d.Typ, args[i].At)
		st := &storage{decl: d, typ: d.Typ}
		if d.Typ.Kind == ast.PointerType {
			st.ptr = l.newSlot(d.Name, e.At)
			l.assignPointer(st, v, e.At)
		} else {
			for j := range d.Typ.Cells() {
				x := l.leafVariable(d.Name, d.Typ.Leaf(j), e.At)
				st.vars = append(st.vars, x)
				l.set(x, v.parts[j], e.At)
			}
			st.key = d.Name + " " + l.where(e.At)
			old[d.Name] = l.keepConstant(v, e.At)
		}
		if d.Name != "" {
			scope[d.Name] = st
		}
	}
	if !f.Defined {
		if !slices.Contains(l.Prog.Bodiless, f.Name) {
			l.Prog.Bodiless = append(l.Prog.Bodiless, f.Name)
		}
		for i, d := range f.Params {
			// What it wrote could race, and would not be examined.
			if d.Typ.Kind == ast.PointerType && (!d.Konst || hasPointer(d.Typ.Elem)) || d.Typ.Kind == ast.StructType && hasPointer(d.Typ) {
				l.fail(args[i].At, "%s, which has no body, with a pointer that it may write through", f.Name)
			}
			if d.Typ.Kind == ast.PointerType {
				l.readAnywhere(l.pointerValue(scope[d.Name], e.At).ptr, e.At)
			}
		}
		return l.anyValue(f.Ret, e.At)
	}
	keepScopes, keepFrame, keepWide := l.scopes, l.frame, l.wide
	exit := l.NewNode(e.At)
	fr := &frame{exit: exit, ret: f.Ret, labels: map[string]*Node{}, old: old, inLoop: keepFrame.inLoop}
	switch f.Ret.Kind {
	case ast.VoidType:
	case ast.PointerType:
		fr.ptr = &storage{typ: f.Ret, ptr: l.newSlot(f.Name, e.At)}
	default:
		for i := range f.Ret.Cells() {
			x := l.leafVariable(f.Name, f.Ret.Leaf(i), e.At)
			l.Emit(&Instr{Op: DoUndef, At: e.At, V: x}) // it may end without return
			fr.result = append(fr.result, x)
		}
	}
	l.scopes, l.frame, l.wide = []map[string]*storage{scope, {}}, fr, l.wideInvariants(f.Body)
	l.calls, l.sites = append(l.calls, f.Name), append(l.sites, e.At)
	if len(l.calls) > 64 {
		l.fail(e.At, "calls nested more than 64 deep")
	}
	if reads, writes := contract(f); len(reads)+len(writes) > 0 {
		l.apply(f, reads, writes, e.At)
	} else {
		l.statements(f.Body)
	}
	l.Now.then2(exit)
	l.Now = exit
	l.ensured()
	l.calls, l.sites = l.calls[:len(l.calls)-1], l.sites[:len(l.sites)-1]
	for _, s := range l.scopes {
		l.leave(s)
	}
	l.scopes, l.frame, l.wide = keepScopes, keepFrame, keepWide
	if fr.ptr != nil {
		return l.pointerValue(fr.ptr, e.At)
	}
	out := &value{typ: f.Ret}
	for _, r := range fr.result {
		out.parts = append(out.parts, VariableTerm(r))
	}
	if f.Ret.Kind == ast.VoidType {
		out.parts = []*Term{Number(0)}
	}
	return out
}

// ensured checks what the function that ends here ensures.
func (l *lowerer) ensured() {
	for _, p := range l.frame.ensures {
		l.Emit(&Instr{Op: DoAssert, At: p.At, Kind: "requires", Why: "postcondition", E: l.logAnnotation(p)})
	}
}

// readAnywhere is a read of any place that p may lead to.
func (l *lowerer) readAnywhere(p *pointer, at preproc.Place) {
	for _, t := range p.targets() {
		if t.mem != nil {
			l.Emit(&Instr{Op: DoLoad, At: at, V: l.NewVariable("in", t.mem.elem.Leaf(0)), Mem: t.mem, Off: l.Anything(ast.TLong, at)})
		}
	}
}

// hasPointer reports whether a value of type t holds pointers.
func hasPointer(t *ast.Ctype) bool {
	for i := range t.Cells() {
		if t.Leaf(i).Kind == ast.PointerType {
			return true
		}
	}
	return false
}

func (l *lowerer) keepConstant(v *value, at preproc.Place) *value {
	return l.keep(v, at)
}

// contract is what a function without real body reads and writes. One statement that
// is not an annotation makes a body real: then it is what counts.
func contract(f *ast.Function) (reads, writes []*ast.Expr) {
	for _, s := range f.Body {
		if s.Kind != ast.ExprStmt || s.Cond.Kind != ast.Call || s.Cond.Args[0].Kind != ast.Name {
			return nil, nil
		}
		switch n := s.Cond.Args[0].Name; {
		case len(s.Cond.Args) == 2 && (n == "__reads_from" || n == "__reads_from_local"):
			reads = append(reads, s.Cond.Args[1])
		case len(s.Cond.Args) == 2 && (n == "__writes_to" || n == "__writes_to_local"):
			writes = append(writes, s.Cond.Args[1])
		case !strings.HasSuffix(n, "_requires") && !strings.HasSuffix(n, "_ensures"):
			return nil, nil
		}
	}
	return reads, writes
}

// apply is a call by contract: what is required is checked, then one access of each
// kind takes place anywhere that what is ensured allows.
func (l *lowerer) apply(f *ast.Function, reads, writes []*ast.Expr, at preproc.Place) {
	l.Prog.Contracts = true
	var ensured []*ast.Expr
	for _, s := range f.Body {
		switch n := s.Cond.Args[0].Name; {
		case strings.HasSuffix(n, "ensures"):
			ensured, l.Prog.Granted = append(ensured, s.Cond.Args[1]), true
		default:
			l.statement(s)
		}
	}
	// One access at any offset that the postconditions allow stands for all of them: a race
	// is between two accesses, and it may be any.
	do := func(es []*ast.Expr, kind int) {
		for _, e := range es {
			v := l.value(e)
			if v.ptr.onlyMemory() == nil {
				l.fail(e.At, "a contract about something that is not an array")
			}
			off := l.Anything(ast.TLong, at)
			l.Emit(&Instr{Op: DoAssume, At: at, E: Compare(PLe, Number(0), off)}) // no array begins before 0
			acc, where := l.Prog.Accessed, l.Prog.Offset
			happened := &Term{Op: Num, Val: big.NewInt(AccessCode(v.ptr.mem, kind))}
			for _, p := range ensured {
				q := MapTerm(l.logAnnotation(p), func(x *Term) *Term {
					switch {
					case x.Op == Local_ && x.V == acc:
						return happened
					case x.Op == Local_ && x.V == where:
						return off
					}
					return nil
				})
				l.Emit(&Instr{Op: DoAssume, At: p.At, E: q})
			}
			i := &Instr{Op: DoStore, At: at, Mem: v.ptr.mem, Off: off}
			if kind == IsRead {
				i.Op, i.V = DoLoad, l.NewVariable("in", v.ptr.mem.elem.Leaf(0))
			}
			l.Emit(i)
		}
	}
	do(reads, IsRead)
	do(writes, IsWrite)
}
