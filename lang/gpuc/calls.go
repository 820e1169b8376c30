package gpuc

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// known are functions of the toolchains without effect whose values are arbitrary
// here; the type of the value is that of the first argument, or what is said.
var known = func() map[string]*ctype {
	out := map[string]*ctype{}
	for _, n := range strings.Fields("sqrt rsqrt exp exp2 exp10 log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh pow pown powr fabs floor ceil round trunc rint fmod fma mad fmax fmin fdim hypot erf erfc native_sqrt native_rsqrt native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_sin native_cos native_tan native_powr native_recip native_divide half_sqrt half_rsqrt half_exp half_log half_sin half_cos half_recip half_divide half_powr sign step smoothstep mix radians degrees cbrt ldexp logb nextafter remainder copysign maxmag minmag normalize cross fast_normalize popcount clz rotate hadd rhadd mul_hi mad_hi mad_sat add_sat sub_sat abs_diff bitselect rsqrtf sqrtf expf exp2f logf log2f log10f sinf cosf tanf powf fabsf floorf ceilf roundf truncf fmodf fmaf fmaxf fminf hypotf erff erfcf cbrtf acosf asinf atanf atan2f exp10f __expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __powf __fdividef __saturatef saturate __fmul_rn __fadd_rn __fsub_rn __clz __popc __brev __sad __usad __mulhi __umulhi __ffs") {
		out[n] = nil
	}
	for _, n := range strings.Fields("dot length distance fast_length fast_distance __int_as_float int_as_float rand_float curand_uniform curand_normal curand_uniform_double") {
		out[n] = tFloat
	}
	for _, n := range strings.Fields("isnan isinf isfinite isnormal signbit isequal isnotequal isless isgreater islessequal isgreaterequal any all ilogb __float_as_int float_as_int __float2int_rn __float2int_rz rand __double2int_rz") {
		out[n] = tInt
	}
	for _, n := range strings.Fields("__float2uint_rn __float2uint_rz curand clock") {
		out[n] = tUint
	}
	return out
}()

var (
	atomicCall  = regexp.MustCompile(`^(atomic|atom)_(add|sub|xchg|min|max|and|or|xor|inc|dec|cmpxchg)$|^atomic(Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(_system|_block)?$`)
	convertCall = regexp.MustCompile(`^(convert_|as_)([a-z]+)(\d*)(_sat)?(_rt[ezpn])?$`)
	makeCall    = regexp.MustCompile(`^make_([a-z]+\d)$`)
	relation    = regexp.MustCompile(`^__(other|uniform|distinct)_(int|uint|bool|long|ulong|size_t|float|ptr|char|short|int4|unsigned)$`)
	oldCall     = regexp.MustCompile(`^__(old|return_val)_([a-z]+\d*)$`)
	accessCall  = regexp.MustCompile(`^__(read|write|atomic|no_read|no_write|no_atomic|read_implies|write_implies|atomic_implies|read_offset_bytes|write_offset_bytes|atomic_offset_bytes|read_offset|write_offset)$`)
)

// call lowers a call: of a builtin, or of a function, which is inlined.
func (l *lowerer) call(e *expr) *value {
	callee := e.args[0]
	if callee.kind != name {
		l.fail(e.at, "a call through a pointer")
	}
	n, args := callee.name, e.args[1:]
	nothing := &value{typ: tVoid, parts: []*term{number(0)}}
	if f := l.unit.function(n); f != nil && (f.defined || !isBuiltin(n)) {
		return l.inline(f, e)
	}
	if v := l.gridCall(n, args, e.at); v != nil {
		return v
	}
	need := func(k int) {
		if len(args) < k {
			l.fail(e.at, "%s with %d arguments", n, len(args))
		}
	}
	switch {
	case n == "barrier" || n == "work_group_barrier":
		need(1)
		l.barrier(l.scalar(l.value(args[0]), e.at), e.at)
		return nothing
	case n == "__syncthreads":
		l.barrier(number(3), e.at)
		return nothing
	case slices.Contains([]string{"mem_fence", "read_mem_fence", "write_mem_fence", "__threadfence", "__threadfence_block", "__threadfence_system", "printf", "prefetch", "__prof_trigger"}, n):
		for _, a := range args {
			if a.kind != stringLiteral && n != "mem_fence" {
				l.effect(a)
			}
		}
		return nothing
	case n == "assert" || n == "__assert" || n == "__global_assert":
		need(1)
		if !l.opts.OnlyRequires {
			l.emit(&instr{op: doAssert, at: e.at, kind: "assert", why: "assertion", e: l.truth(args[0])})
		}
		return nothing
	case n == "__assume" || n == "__global_assume":
		need(1)
		l.emit(&instr{op: doAssume, at: e.at, e: l.annotation(args[0])})
		return nothing
	case n == "__invariant" || n == "__global_invariant":
		need(1)
		if !l.opts.OnlyRequires {
			l.emit(&instr{op: doInvariant, at: e.at, kind: "invariant", why: "loop invariant", e: l.annotation(args[0])})
		}
		return one(tInt, number(1))
	case strings.HasPrefix(n, "__candidate_") || strings.HasPrefix(n, "__function_wide_"):
		return one(tInt, number(1))
	case n == "__requires" || n == "__global_requires":
		need(1)
		p := l.annotation(args[0])
		if len(l.calls) == 0 {
			l.emit(&instr{op: doAssume, at: e.at, e: p})
		} else if !l.opts.OnlyRequires || true {
			l.emit(&instr{op: doAssert, at: e.at, kind: "requires", why: "precondition", e: p})
		}
		return nothing
	case n == "__ensures" || n == "__global_ensures":
		need(1)
		l.frame.ensures = append(l.frame.ensures, args[0])
		return nothing
	case n == "__reads_from" || n == "__writes_to" || strings.HasPrefix(n, "__requires_fresh_array") || n == "__reads_from_local" || n == "__writes_to_local":
		return nothing // see contract
	case atomicCall.MatchString(n):
		need(1)
		return l.atomic(e)
	}
	if v := l.arithmeticCall(n, args, e.at); v != nil {
		return v
	}
	if v := l.annotationCall(n, args, e.at); v != nil {
		return v
	}
	l.fail(e.at, "function %s, which is not declared", n)
	return nil
}

func isBuiltin(n string) bool {
	_, ok := known[n]
	return ok || strings.HasPrefix(n, "get_") || n == "barrier" || n == "__syncthreads" || n == "assert" || atomicCall.MatchString(n) ||
		strings.HasPrefix(n, "__assert") || strings.HasPrefix(n, "__invariant") || strings.HasPrefix(n, "__requires") || n == "min" || n == "max"
}

// gridCall is the value of get_local_id and its kin, or nil.
func (l *lowerer) gridCall(n string, args []*expr, at place) *value {
	size := scalars["size_t"]
	if n == "get_work_dim" {
		return one(tUint, l.anything(tUint, at))
	}
	rest, ok := strings.CutPrefix(n, "get_")
	if !ok || len(args) != 1 {
		return nil
	}
	v, isConstant := l.constantOf(args[0])
	if !isConstant {
		l.fail(at, "%s of a dimension that is no constant", n)
	}
	d, beyond := int(v.Int64()), !v.IsInt64() || v.Sign() < 0 || v.Int64() > 2
	pick := func(f func(int) *term, outside int64) *value {
		if beyond {
			return one(size, number(outside))
		}
		return one(size, f(d))
	}
	switch rest {
	case "local_id":
		return pick(l.localID, 0)
	case "group_id":
		return pick(l.groupID, 0)
	case "local_size":
		return pick(l.localSize, 1)
	case "num_groups":
		return pick(l.groups, 1)
	case "global_size":
		return pick(l.globalSize, 1)
	case "global_offset":
		return one(size, number(0))
	case "global_id":
		return pick(func(d int) *term { return sum(product(l.groupID(d), l.localSize(d)), l.localID(d)) }, 0)
	}
	return nil
}

func (l *lowerer) barrier(flags *term, at place) {
	i := &instr{op: doBarrier, at: at, id: l.prog.barriers}
	l.prog.barriers++
	if !flags.isNum() {
		// An expression: what it orders is not known, so nothing is taken for ordered.
		i.local, i.glob = false, false
	} else {
		i.local, i.glob = flags.val.Bit(0) == 1, flags.val.Bit(1) == 1
	}
	l.emit(i)
}

func (l *lowerer) atomic(e *expr) *value {
	v := l.value(e.args[1])
	for _, a := range e.args[2:] {
		l.effect(a)
	}
	if v.ptr == nil {
		l.fail(e.at, "an atomic operation on a number")
	}
	lv := l.target(v.ptr, e.at)
	if lv.null {
		l.check("null", "an atomic operation through a null pointer", falsity, e.at)
		return l.anyValue(lv.typ, e.at)
	}
	if lv.mem == nil {
		l.fail(e.at, "an atomic operation on a private variable")
	}
	x := l.newVariable("got", lv.typ.leaf(0))
	l.emit(&instr{op: doAtomic, at: e.at, v: x, mem: lv.mem, off: lv.off})
	return one(lv.typ.leaf(0), variableTerm(x))
}

// arithmeticCall is the value of a function of numbers, or nil.
func (l *lowerer) arithmeticCall(n string, args []*expr, at place) *value {
	var vs []*value
	get := func() []*value {
		if vs == nil {
			for _, a := range args {
				vs = append(vs, l.value(a))
			}
		}
		return vs
	}
	lanewise := func(f func(t *ctype, xs []*term) *term) *value {
		vs := get()
		t := vs[0].typ
		for _, v := range vs {
			if v.ptr != nil {
				l.fail(at, "%s of a pointer", n)
			}
			switch {
			case v.typ.kind == vectorType:
				t = v.typ
			case t.kind != vectorType:
				t = commonType(t, v.typ)
			}
		}
		out := &value{typ: t}
		for i := range t.cells() {
			var xs []*term
			for _, v := range vs {
				xs = append(xs, l.convert(v, t, at).parts[i])
			}
			if t.leaf(i).kind == floatType {
				out.parts = append(out.parts, l.anything(t.leaf(i), at))
			} else {
				out.parts = append(out.parts, f(t.leaf(i), xs))
			}
		}
		return out
	}
	switch n {
	case "min", "umin":
		return lanewise(func(_ *ctype, xs []*term) *term { return choose(compare(pLe, xs[0], xs[1]), xs[0], xs[1]) })
	case "max", "umax":
		return lanewise(func(_ *ctype, xs []*term) *term { return choose(compare(pLe, xs[0], xs[1]), xs[1], xs[0]) })
	case "clamp":
		return lanewise(func(_ *ctype, xs []*term) *term {
			return choose(compare(pLt, xs[0], xs[1]), xs[1], choose(compare(pLt, xs[2], xs[0]), xs[2], xs[0]))
		})
	case "abs":
		return lanewise(func(t *ctype, xs []*term) *term {
			return choose(compare(pLe, number(0), xs[0]), xs[0], into(t, product(number(-1), xs[0])))
		})
	case "mul24", "__mul24", "__umul24":
		t := tInt
		if n == "__umul24" {
			t = tUint
		}
		if n == "mul24" {
			return lanewise(func(t *ctype, xs []*term) *term { return into(t, product(xs[0], xs[1])) })
		}
		vs := get()
		return one(t, into(t, product(l.scalarTo(l.scalar(vs[0], at), vs[0].typ, t, at), l.scalarTo(l.scalar(vs[1], at), vs[1].typ, t, at))))
	case "mad24":
		return lanewise(func(t *ctype, xs []*term) *term { return into(t, sum(product(xs[0], xs[1]), xs[2])) })
	case "select":
		v := get()
		t := v[0].typ
		return l.anyValue(t, at)
	case "shuffle", "shuffle2":
		v := get()
		mask := v[len(v)-1]
		return l.anyValue(vectorOf(v[0].typ.elem, mask.typ.n), at)
	case "__builtin_memset", "memset", "__builtin_memcpy", "memcpy":
		return l.copying(n, get(), at)
	case "__add_noovfl", "__add_noovfl_unsigned_int", "__add_noovfl_unsigned":
		total := number(0)
		for _, v := range get() {
			total = sum(total, l.scalar(v, at))
		}
		return one(tInt, truthValue(compare(pLe, total, bigNumber(typeInterval(tUint).hi))))
	}
	if t, ok := known[n]; ok {
		vs := get()
		for _, v := range vs {
			if v.ptr != nil {
				l.fail(at, "%s with a pointer", n)
			}
		}
		if t == nil && len(vs) > 0 {
			t = vs[0].typ
			if t.kind == intType && !strings.ContainsAny(n, "_") && !slices.Contains([]string{"popcount", "clz", "rotate", "hadd", "rhadd"}, n) {
				t = tFloat
			}
		}
		return l.anyValue(t, at)
	}
	if m := makeCall.FindStringSubmatch(n); m != nil {
		if t := named(m[1]); t != nil {
			return l.gather(t, args, at)
		}
	}
	if n == "dim3" || named(n) != nil && named(n).kind == vectorType {
		t := named(n)
		for len(args) < int(t.n) && n == "dim3" {
			args = append(args, &expr{kind: literal, at: at, value: big.NewInt(1), typ: tUint})
		}
		return l.gather(t, args, at)
	}
	if m := convertCall.FindStringSubmatch(n); m != nil && len(args) == 1 {
		t := scalars[m[2]]
		if t == nil {
			t = vectors[m[2]]
		}
		if t == nil {
			return nil
		}
		v := get()[0]
		if m[3] != "" {
			t = named(m[2] + m[3])
		}
		if m[1] == "as_" || m[4] != "" || v.typ.leaf(0).kind == floatType {
			return l.anyValue(t, at)
		}
		return l.convert(v, t, at)
	}
	return nil
}

// copying is memset and memcpy with a constant length, cell by cell.
func (l *lowerer) copying(n string, vs []*value, at place) *value {
	if len(vs) != 3 {
		l.fail(at, "%s with %d arguments", n, len(vs))
	}
	to := l.convert(vs[0], &ctype{kind: pointerType, elem: tVoid}, at).ptr
	size := l.scalar(vs[2], at)
	if !size.isNum() || !size.val.IsInt64() {
		l.fail(at, "%s of a length that is no constant", n)
	}
	if size.is(0) {
		return &value{typ: tVoid, parts: []*term{number(0)}}
	}
	fill := strings.HasSuffix(n, "memset")
	var from *pointer
	if !fill {
		from = l.convert(vs[1], &ctype{kind: pointerType, elem: tVoid}, at).ptr
	}
	if to.null || from != nil && from.null {
		l.check("null", n+" with a null pointer", falsity, at)
		return &value{typ: tVoid, parts: []*term{number(0)}}
	}
	cells := func(p *pointer) []*lvalue {
		var bytes int64
		var out []*lvalue
		switch {
		case p.to != nil:
			for i := range p.to.typ.cells() {
				out = append(out, &lvalue{typ: p.to.typ.leaf(i), vars: p.to.vars[i : i+1]})
				bytes += p.to.typ.leaf(i).size()
			}
		case p.mem != nil:
			leaf := p.mem.elem.leaf(0)
			for bytes < size.val.Int64() && len(out) < 4096 {
				out = append(out, &lvalue{typ: leaf, mem: p.mem, off: sum(p.off, number(int64(len(out))))})
				bytes += leaf.size()
			}
		}
		if bytes < size.val.Int64() || len(out) == 0 {
			l.fail(at, "%s of this length", n)
		}
		var sum int64
		for i := range out {
			if sum == size.val.Int64() {
				return out[:i]
			}
			sum += out[i].typ.size()
		}
		if sum != size.val.Int64() {
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
	for i, t := range targets {
		switch {
		case !fill:
			l.write(t, l.read(sources[i], at), at)
		case l.scalar(vs[1], at).is(0) && t.typ.kind == intType:
			l.write(t, one(t.typ, number(0)), at)
		case l.scalar(vs[1], at).is(0):
			l.write(t, one(t.typ, l.floatConstant("0.0")), at)
		default:
			l.write(t, l.anyValue(t.typ, at), at)
		}
	}
	return &value{typ: tVoid, parts: []*term{number(0)}}
}

// annotationCall is the value of a word of the annotation language, or nil.
func (l *lowerer) annotationCall(n string, args []*expr, at place) *value {
	bool_ := func(p *term) *value { return one(tBool, truthValue(p)) }
	switch {
	case n == "__implies" && len(args) == 2:
		return bool_(implies(l.truth(args[0]), l.truth(args[1])))
	case n == "__ite" && len(args) == 3:
		a, b := l.value(args[1]), l.value(args[2])
		t := commonType(a.typ, b.typ)
		return one(t, choose(l.truth(args[0]), l.convert(a, t, at).parts[0], l.convert(b, t, at).parts[0]))
	case n == "__enabled":
		return bool_(truth)
	case n == "__all" && len(args) == 1:
		return bool_(l.truth(args[0]))
	case n == "__exclusive" && len(args) == 1:
		p := l.truth(args[0])
		l.relational(p, at)
		return bool_(either(not(p), not(&term{op: other, args: []*term{p}})))
	case n == "__same_group":
		l.prog.relations = true
		return bool_(&term{op: pSame})
	case relation.MatchString(n) && len(args) == 1:
		m := relation.FindStringSubmatch(n)
		if m[2] == "bool" && args[0].kind == call && args[0].args[0].name == "__enabled" {
			if m[1] != "uniform" {
				l.fail(at, "%s of __enabled", n)
			}
			return bool_(&term{op: pUniform})
		}
		v := l.value(args[0])
		x := l.scalar(v, at)
		l.relational(x, at)
		y := &term{op: other, args: []*term{x}}
		switch m[1] {
		case "other":
			return one(v.typ, y)
		case "uniform":
			return bool_(compare(pEq, x, y))
		}
		return bool_(compare(pNe, x, y))
	case oldCall.MatchString(n):
		return l.oldValue(n, args, at)
	case accessCall.MatchString(n) && len(args) >= 1:
		return l.access(accessCall.FindStringSubmatch(n)[1], args, at)
	case n == "__atomic_has_taken_value":
		return l.anyValue(tInt, at)
	}
	return nil
}

// relational notes a check about two threads. The other thread's value is known
// only where it depends on the ids and parameters alone.
func (l *lowerer) relational(t *term, at place) {
	l.prog.relations = true
}

func (l *lowerer) oldValue(n string, args []*expr, at place) *value {
	if strings.HasPrefix(n, "__old") && len(args) == 1 && args[0].kind == name && l.frame.old != nil {
		if v := l.frame.old[args[0].name]; v != nil {
			return v
		}
	}
	if strings.HasPrefix(n, "__return_val") {
		out := &value{typ: l.frame.ret}
		for _, r := range l.frame.result {
			out.parts = append(out.parts, variableTerm(r))
		}
		return out
	}
	l.fail(at, "%s here", n)
	return nil
}

const (
	isRead = 1 + iota
	isWrite
	isAtomic
)

// access is the value of __read, __write_offset_bytes and their kin: what thread 1
// has logged.
func (l *lowerer) access(what string, args []*expr, at place) *value {
	l.pure++
	v := l.value(args[0])
	l.pure--
	if v.ptr == nil || v.ptr.mem == nil {
		l.fail(at, "an access annotation about what is no array")
	}
	l.prog.annotated = true
	m := v.ptr.mem
	kind := isRead
	switch {
	case strings.Contains(what, "write"):
		kind = isWrite
	case strings.Contains(what, "atomic"):
		kind = isAtomic
	}
	happened := compare(pEq, variableTerm(l.prog.accessed), number(accessCode(m, kind)))
	switch {
	case strings.HasSuffix(what, "_implies") && len(args) == 2:
		return one(tBool, truthValue(implies(happened, l.truth(args[1]))))
	case strings.HasSuffix(what, "_bytes"):
		return one(scalars["size_t"], product(number(m.elem.leaf(0).size()), variableTerm(l.prog.offset)))
	case strings.HasSuffix(what, "_offset"):
		return one(scalars["size_t"], variableTerm(l.prog.offset))
	case strings.HasPrefix(what, "no_"):
		return one(tBool, truthValue(not(happened)))
	}
	return one(tBool, truthValue(happened))
}

func accessCode(m *memory, kind int) int64 { return int64(4*(m.id+1) + kind) }

// inline puts the body of a function in place of a call.
func (l *lowerer) inline(f *function, e *expr) *value {
	args := e.args[1:]
	if slices.Contains(l.calls, f.name) {
		l.fail(e.at, "recursion: %s calls itself", f.name)
	}
	if len(args) != len(f.params) {
		l.fail(e.at, "%s with %d arguments", f.name, len(args))
	}
	if f.noreturn {
		for _, a := range args {
			l.effect(a)
		}
		l.emit(&instr{op: doAssert, at: e.at, kind: "assert", why: "call of " + f.name + ", which does not return", e: falsity})
		l.emit(&instr{op: doAssume, at: e.at, e: falsity})
		return &value{typ: tVoid, parts: []*term{number(0)}}
	}
	// Arguments are evaluated among the names of the caller.
	scope := map[string]*storage{}
	old := map[string]*value{}
	for i, d := range f.params {
		v := l.convert(l.value(args[i]), d.typ, args[i].at)
		st := &storage{typ: d.typ}
		if d.typ.kind == pointerType {
			st.ptr = &pointer{elem: d.typ.elem}
			l.assignPointer(st, v, e.at)
		} else {
			for j := range d.typ.cells() {
				x := l.newVariable(d.name, d.typ.leaf(j))
				st.vars = append(st.vars, x)
				l.emit(&instr{op: doAssign, at: e.at, v: x, e: v.parts[j]})
			}
			old[d.name] = l.keepConstant(v, e.at)
		}
		if d.name != "" {
			scope[d.name] = st
		}
	}
	if !f.defined {
		for i, d := range f.params {
			if d.typ.kind == pointerType && !d.konst {
				l.fail(args[i].at, "%s, which has no body, with a pointer through which it may write", f.name)
			}
		}
		return l.anyValue(f.ret, e.at)
	}
	if f.ret.kind == pointerType {
		return l.inlinePointer(f, e, scope, old)
	}
	keepScopes, keepFrame, keepWide := l.scopes, l.frame, l.wide
	exit := l.newNode(e.at)
	fr := &frame{exit: exit, ret: f.ret, labels: map[string]*node{}, old: old, inLoop: keepFrame.inLoop}
	if f.ret.kind != voidType {
		for i := range f.ret.cells() {
			fr.result = append(fr.result, l.newVariable(f.name, f.ret.leaf(i)))
		}
	}
	l.scopes, l.frame, l.wide = []map[string]*storage{scope, {}}, fr, l.wideInvariants(f.body, true)
	l.calls = append(l.calls, f.name)
	if len(l.calls) > 64 {
		l.fail(e.at, "calls nested more than 64 deep")
	}
	if reads, writes := contract(f); len(reads)+len(writes) > 0 {
		l.apply(f, reads, writes, e.at)
	} else {
		l.statements(f.body)
	}
	l.now.then2(exit)
	l.now = exit
	for _, p := range fr.ensures {
		l.emit(&instr{op: doAssert, at: p.at, kind: "requires", why: "postcondition", e: l.annotation(p)})
	}
	l.calls = l.calls[:len(l.calls)-1]
	l.scopes, l.frame, l.wide = keepScopes, keepFrame, keepWide
	out := &value{typ: f.ret}
	for _, r := range fr.result {
		out.parts = append(out.parts, variableTerm(r))
	}
	if f.ret.kind == voidType {
		out.parts = []*term{number(0)}
	}
	return out
}

func (l *lowerer) keepConstant(v *value, at place) *value {
	return l.keep(v, at)
}

// inlinePointer inlines a function that is one return of a pointer.
func (l *lowerer) inlinePointer(f *function, e *expr, scope map[string]*storage, old map[string]*value) *value {
	if len(f.body) != 1 || f.body[0].kind != returnStmt {
		l.fail(e.at, "%s, which returns a pointer", f.name)
	}
	keep := l.scopes
	l.scopes = []map[string]*storage{scope}
	l.calls = append(l.calls, f.name)
	v := l.convert(l.value(f.body[0].cond), f.ret, e.at)
	l.calls = l.calls[:len(l.calls)-1]
	l.scopes = keep
	return v
}

// contract is what a function without real body reads and writes.
func contract(f *function) (reads, writes []*expr) {
	for _, s := range f.body {
		if s.kind == exprStmt && s.cond.kind == call && s.cond.args[0].kind == name && len(s.cond.args) == 2 {
			switch s.cond.args[0].name {
			case "__reads_from", "__reads_from_local":
				reads = append(reads, s.cond.args[1])
			case "__writes_to", "__writes_to_local":
				writes = append(writes, s.cond.args[1])
			}
		}
	}
	return reads, writes
}

// apply is a call by contract: what is required is checked, then one access of each
// kind takes place anywhere that what is ensured allows.
func (l *lowerer) apply(f *function, reads, writes []*expr, at place) {
	var ensured []*expr
	for _, s := range f.body {
		if s.kind != exprStmt || s.cond.kind != call || s.cond.args[0].kind != name {
			continue
		}
		switch n := s.cond.args[0].name; {
		case strings.HasSuffix(n, "ensures"):
			ensured = append(ensured, s.cond.args[1])
		default:
			l.statement(s)
		}
	}
	do := func(es []*expr, kind int) {
		for _, e := range es {
			v := l.value(e)
			if v.ptr == nil || v.ptr.mem == nil {
				l.fail(e.at, "a contract about what is no array")
			}
			off := l.anything(tLong, at)
			acc, where := l.prog.accessed, l.prog.offset
			happened := &term{op: num, val: big.NewInt(accessCode(v.ptr.mem, kind))}
			for _, p := range ensured {
				q := mapTerm(l.annotation(p), func(x *term) *term {
					switch {
					case x.op == local_ && x.v == acc:
						return happened
					case x.op == local_ && x.v == where:
						return off
					}
					return nil
				})
				l.emit(&instr{op: doAssume, at: p.at, e: q})
			}
			i := &instr{op: doStore, at: at, mem: v.ptr.mem, off: off}
			if kind == isRead {
				i.op, i.v = doLoad, l.newVariable("in", v.ptr.mem.elem.leaf(0))
			}
			l.emit(i)
		}
	}
	do(reads, isRead)
	do(writes, isWrite)
}
