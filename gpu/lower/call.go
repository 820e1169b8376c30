package lower

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/llvm"
)

// columns are those of the table that hold for modules of a target.
var columns = map[llvm.Target][]builtin.Language{
	llvm.NVPTX:  {builtin.LLVM, builtin.NVPTX, builtin.CUDA},
	llvm.AMDGPU: {builtin.LLVM, builtin.AMDGPU, builtin.OpenCL, builtin.CUDA, builtin.HIP},
	llvm.SPIR:   {builtin.LLVM, builtin.SPIR, builtin.OpenCL},
}

// call lowers a call: of a function with a body, which is inlined, or of one with a row in the table.
func (l *lowerer) call(fr *frame, i *llvm.Instr) {
	switch i.Callee.Kind {
	case llvm.AssemblyText:
		if i.Callee.Name == "" && i.Type.Kind == llvm.Void && len(i.Args) == 0 {
			return // it keeps compilers from moving accesses
		}
		if l.m.Target() != llvm.NVPTX || !computes(i.Callee.Name, i.Callee.Requires) {
			l.fail("inline assembly %q", i.Callee.Name)
		}
		l.put(i, l.anyValue(i.Type))
		return
	case llvm.GlobalName:
	default:
		l.indirect(fr, i)
		return
	}
	if i.Callee.Name == llvm.Extent {
		l.extend(fr, i)
		return
	}
	f := l.m.Function(i.Callee.Name)
	if f == nil {
		l.fail("a call of @%s, which is no function", i.Callee.Name)
	}
	switch {
	case f.Final():
		l.put(i, l.inline(fr, i, f, ""))
		return
	case f.Defined: // whatever the table says of its name: the file does not mean a function of the toolchain
		l.fail("function %s, which another file may replace (%s)", f.SourceName(), f.Linkage)
	}
	row := builtin.Find(f.Name, columns[l.m.Target()]...)
	if row == nil {
		if why := touches(f, i); why != "" {
			name, _, _ := builtin.Demangle(f.Name)
			l.fail("function %s, %s", name, why)
		}
		l.put(i, l.anyValue(i.Type))
		return
	}
	if row.Means == builtin.Nothing {
		return
	}
	l.known(fr, i, row)
}

// registerOps are the instructions of PTX that read and write registers alone, whatever follows the dot (PTX ISA, "Instruction Set").
var registerOps = regexp.MustCompile(`^(abs|add|addc|and|bfe|bfi|bfind|brev|clz|cnot|copysign|cos|cvt|cvta|div|dp2a|dp4a|ex2|fma|lg2|lop3|mad|mad24|madc|max|min|mov|mul|mul24|neg|not|or|popc|prmt|rcp|rem|rsqrt|sad|selp|set|setp|shf|shl|shr|sin|slct|sqrt|sub|subc|szext|tanh|testp|xor)(\.[a-z0-9]+)*$`)

var guarded = regexp.MustCompile(`^@!?[A-Za-z_][A-Za-z0-9_]*\s+`)

// computes reports whether inline assembly of PTX accesses no memory and goes nowhere, so that all it does is give numbers. An operand in
// memory has brackets in the text, or no register among the constraints.
func computes(text, constraints string) bool {
	if strings.ContainsAny(text, "[(:/") || strings.ContainsAny(strings.ReplaceAll(constraints, "~{memory}", ""), "*m") {
		return false
	}
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		words := strings.Fields(guarded.ReplaceAllString(strings.TrimLeft(s, "{} \t\r"), ""))
		if len(words) > 0 && words[0] != ".reg" && !registerOps.MatchString(words[0]) {
			return false
		}
	}
	return true
}

// indirect lowers a call through a pointer: of any function whose address is taken somewhere in the module, and which has the
// types of the call. All of these must have a body.
func (l *lowerer) indirect(fr *frame, i *llvm.Instr) {
	var names []string
	for _, name := range l.m.AddressTaken() {
		f := l.m.Function(name)
		if f.Varargs || f.Ret.String() != i.Type.String() || !slices.EqualFunc(f.Params, i.Args, func(p llvm.Param, a *llvm.Value) bool { return p.Type.String() == a.Type.String() }) {
			continue
		}
		switch {
		case !f.Defined:
			l.fail("a call through a pointer that may lead to %s, which has no body in this file", f.SourceName())
		case !f.Final():
			l.fail("a call through a pointer that may lead to %s, which another file may replace (%s)", f.SourceName(), f.Linkage)
		}
		names = append(names, name)
	}
	switch {
	case len(names) == 0:
		l.fail("a call through a pointer, and this file takes the address of no function of its type")
	case len(names) > maxCells:
		l.fail("a call through a pointer that may lead to %d functions", len(names))
	}
	l.m = l.m.Reading(names...)
	l.claim("a call through a pointer reaches a function of its type whose address this file takes")
	made := l.variables(i.Type, "given", nil, fmt.Sprint(fr.key, "given ", fr.block.Name, " ", fr.index), false)
	// What is kept in one branch would be missing in the others.
	l.before(nil)
	after := l.NewNode(l.at)
	for k, name := range names {
		next := after
		if k < len(names)-1 {
			here := l.NewNode(l.at)
			next = l.NewNode(l.at)
			l.Branch(ir.Compare(ir.PNe, l.Anything(ast.TBool, l.at), ir.Number(0)), here, next)
			l.Now = here
		}
		got := l.inline(fr, i, l.m.Function(name), name)
		if i.Type.Kind != llvm.Void {
			l.assign([]*value{made}, []*value{got})
		}
		if l.Now.Then == nil {
			l.Now.Then = after
		}
		l.Now = next
	}
	l.put(i, made)
}

// touches says why a function without body and without row may do anything; "" if its declaration
// says that it touches no memory, always returns, and does not depend on which threads call it together: a barrier does.
func touches(f *llvm.Function, i *llvm.Instr) string {
	has := func(w string) bool { return f.Attrs.Has(w) || i.Attrs.Has(w) }
	none := has("readnone") || f.Attrs.Words["memory"] == "none" || i.Attrs.Words["memory"] == "none"
	switch {
	case strings.HasPrefix(f.Name, "llvm."):
		return "which gradine does not know"
	case !none || !has("willreturn"):
		return "which has no body here, and is not declared to touch no memory and always return"
	case has("convergent"):
		return "which has no body here, and may wait for other threads (convergent)"
	}
	return ""
}

func (l *lowerer) anyValue(t *llvm.Type) *value {
	out := &value{typ: t}
	if t.Kind == llvm.Void {
		return out
	}
	leaves, ok := l.scalars(t)
	if !ok {
		l.fail("a value of type %s", t)
	}
	for _, leaf := range leaves {
		out.parts = append(out.parts, l.any(leaf))
	}
	return out
}

// inline puts the body of a function in place of a call, and gives what it returns. Which tells apart the calls that one place makes.
func (l *lowerer) inline(fr *frame, i *llvm.Instr, f *llvm.Function, which string) *value {
	depth := 0
	for up := fr; up != nil; up = up.up {
		if up.f == f {
			l.fail("recursion: %s calls itself", f.SourceName())
		}
		if depth++; depth > maxCalls {
			l.fail("calls nested more than %d deep", maxCalls)
		}
	}
	if len(i.Args) != len(f.Params) || f.Varargs {
		l.fail("%s with %d arguments", f.SourceName(), len(i.Args))
	}
	var args []*value
	for _, a := range i.Args {
		args = append(args, l.value(a))
	}
	in := l.newFrame(f, fmt.Sprintf("%s%s:%d%s/", fr.key, fr.block.Name, fr.index, which), l.at)
	for k, a := range f.Params {
		v := args[k]
		leaves, ok := l.scalars(a.Type)
		if !ok || len(leaves) != len(v.parts) {
			l.fail("an argument of %s of another type", f.SourceName())
		}
		if a.Attrs.ByVal != nil {
			b := l.local(in.key+"argument "+a.Name, a.Attrs.ByVal, 1, in.names[a.Name])
			p := &pointer{targets: []*base{b}, off: ir.Number(0)}
			l.copyMemory(p, l.pointerOf(l.one(v)), l.m.Layout.Size(a.Attrs.ByVal))
			v = single(a.Type, scalar{ptr: p})
		}
		args[k] = v
	}
	l.before(nil)
	for k, a := range f.Params {
		v := args[k]
		if l.changes(v, nil) {
			if in.last[a.Name] == beyond {
				v = l.kept(v, nil)
			} else {
				in.tracked = append(in.tracked, a.Name)
			}
		}
		in.values[a.Name] = v
	}
	in.exit = l.NewNode(l.at)
	if f.Ret.Kind != llvm.Void && returns(f) != 1 {
		in.results = l.variables(f.Ret, f.SourceName(), nil, in.key+"result", false)
	}
	at := l.at
	l.frame = in
	l.function(in)
	l.frame, l.at = fr, at
	switch {
	case in.results != nil:
		v := *in.results
		return &v
	case in.result != nil:
		v := *in.result
		return &v
	}
	return l.anyValue(i.Type) // nothing, or it does not return
}

// axioms are what the author assumes of every thread: clang has made functions of them.
func (l *lowerer) axioms(fr *frame) {
	for k, f := range Axioms(l.m) {
		l.Prog.Granted, l.Prog.Believes = true, true
		if l.opts.NoAssumptions {
			continue
		}
		fr.block, fr.index = fr.f.Blocks[0], -1-k
		p := l.said(l.inline(fr, &llvm.Instr{Op: llvm.Call, Type: f.Ret}, f, ""))
		if len(ir.VariablesOf(p)) > 0 {
			l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: p})
			continue
		}
		l.Prog.Axioms = append(l.Prog.Axioms, p)
	}
}

// Axioms are the functions of a module that clang has made of __axiom.
func Axioms(m *llvm.Module) (out []*llvm.Function) {
	for _, f := range m.Functions {
		if n, _, _ := builtin.Demangle(f.Name); f.Defined && strings.HasPrefix(n, "__axiom_") && len(f.Params) == 0 && f.Ret.Kind == llvm.Int {
			out = append(out, f)
		}
	}
	return out
}

func returns(f *llvm.Function) (n int) {
	for _, b := range f.Blocks {
		if b.Code[len(b.Code)-1].Op == llvm.Ret {
			n++
		}
	}
	return n
}

// site is a call of a function that has a row in the table.
type site struct {
	*builtin.Call
	fr *frame
	i  *llvm.Instr
}

func (l *lowerer) arg(s site, k int) *value {
	if k >= len(s.i.Args) {
		l.fail("%s with %d arguments", s.Name, len(s.i.Args))
	}
	return l.value(s.i.Args[k])
}

func (l *lowerer) ptr(s site, k int) *pointer {
	v := l.arg(s, k)
	if s.i.Args[k].Type.Kind != llvm.Pointer {
		l.fail("%s of a number", s.Name)
	}
	return l.pointerOf(l.one(v))
}

func (l *lowerer) fixed(s site, k int) int64 {
	n, ok := l.constant(l.one(l.arg(s, k)))
	if !ok {
		l.fail("%s with an argument that is not a constant", s.Name)
	}
	return n
}

// known lowers a call of a function that has a row in the table.
func (l *lowerer) known(fr *frame, i *llvm.Instr, c *builtin.Call) {
	s := site{c, fr, i}
	if t, outside := l.ids(c.Means); t != nil {
		d := c.Dim
		if d < 0 {
			if n := l.fixed(s, 0); n >= 0 && n < 3 {
				d = int(n)
			}
		}
		// As many bits as the result has hold ids of launches that are allowed.
		x := ir.Number(outside)
		if d >= 0 {
			x = t(d)
		}
		l.put(i, single(i.Type, scalar{typ: intType(i.Type.Bits, false), t: x}))
		return
	}
	do := meanings[c.Means]
	if do == nil {
		l.fail("%s", c.Name)
	}
	do(l, s)
}

// meanings are what calls become, by what they mean.
var meanings map[builtin.Meaning]func(*lowerer, site)

func init() {
	atomic := func(scope string) func(*lowerer, site) {
		return func(l *lowerer, s site) {
			var adds *ir.Term
			switch {
			case s.Call.Adds == builtin.AddOne:
				adds = ir.Number(1)
			case s.Call.Adds == builtin.AddSecond && len(s.i.Args) == 2:
				adds = l.addend(s.i.Args[1])
			}
			l.put(s.i, l.atomic(l.ptr(s, 0), s.i.Type, scope, adds))
		}
	}
	number := func(n int64) func(*lowerer, site) {
		return func(l *lowerer, s site) {
			l.put(s.i, single(s.i.Type, scalar{typ: intType(s.i.Type.Bits, true), t: ir.Number(n)}))
		}
	}
	numbers := func(l *lowerer, s site) { l.numbers(s.i, s.Call) }
	always := func(l *lowerer, s site) { l.truthResult(s.i, ir.Truth) }
	vectors := func(l *lowerer, s site) { l.vectors(s.i, s.Call) }
	meanings = map[builtin.Meaning]func(*lowerer, site){
		builtin.Opaque:       func(l *lowerer, s site) { l.fail("%s: %s", s.Name, s.Doc) },
		builtin.AnyNumber:    func(l *lowerer, s site) { l.anyNumber(s.i, s.Call) },
		builtin.GlobalOffset: number(0),
		builtin.Dimensions:   func(l *lowerer, s site) { l.put(s.i, l.anyValue(s.i.Type)) },
		builtin.WarpSize:     number(32),
		builtin.Barrier:      (*lowerer).barrier,
		builtin.BarrierVote:  (*lowerer).barrier,
		builtin.BarrierFlags: (*lowerer).barrierFlags,
		builtin.ScratchWrite: func(l *lowerer, s site) {
			l.scratch(s, func(b *base, off *ir.Term, cell *llvm.Type) {
				before := len(l.Now.Code)
				l.store(b, off, cell, scalar{})
				for _, i := range l.Now.Code[before:] {
					i.Inner = i.Op == ir.DoStore
				}
			})
		},
		builtin.BarrierGrid: func(l *lowerer, _ site) { l.GridBarrier(l.at) },
		builtin.ScratchMeet: func(l *lowerer, _ site) { l.InnerBarrier(l.at) },
		builtin.ScratchRead: func(l *lowerer, s site) {
			l.scratch(s, func(b *base, off *ir.Term, cell *llvm.Type) { l.load(b, off, cell) })
		},
		builtin.BarrierBare: (*lowerer).barrierBare,
		builtin.Fence:       func(*lowerer, site) {}, // without a barrier it takes no race away
		builtin.Warp: func(l *lowerer, s site) {
			l.Prog.Warps = true
			l.pointerless(s.i, s.Call)
			l.put(s.i, l.anyValue(s.i.Type))
		},
		builtin.Texel:         (*lowerer).texel,
		builtin.WarpFence:     (*lowerer).warpBarrier,
		builtin.Atomic:        atomic(""),
		builtin.AtomicBlock:   atomic("block"),
		builtin.Minimum:       numbers,
		builtin.Maximum:       numbers,
		builtin.Clamp:         numbers,
		builtin.Absolute:      numbers,
		builtin.AbsoluteFlag:  numbers,
		builtin.Multiply24:    numbers,
		builtin.MultiplyAdd24: numbers,
		builtin.CountBits:     (*lowerer).countBits,
		builtin.Argument:      (*lowerer).argument,
		builtin.Convert:       func(l *lowerer, s site) { l.convert(s.i, s.Call) },
		builtin.Reinterpret: func(l *lowerer, s site) {
			as := *s.i
			as.Op = llvm.BitCast
			l.put(s.i, l.bits(&as))
		},
		builtin.VectorLoad:  vectors,
		builtin.VectorStore: vectors,
		builtin.ReadCell:    func(l *lowerer, s site) { l.put(s.i, l.read(l.ptr(s, 0), s.i.Type)) },
		builtin.CopyMemory: func(l *lowerer, s site) {
			to, from := l.ptr(s, 0), l.ptr(s, 1)
			if n, ok := l.length(s.i, s.Call); ok && !(long(n, to) && long(n, from)) {
				l.copyMemory(to, from, n)
			} else {
				l.overRange(to, from, l.lengthTerm(s))
			}
			l.argument(s)
		},
		builtin.SetMemory: func(l *lowerer, s site) {
			to := l.ptr(s, 0)
			if n, ok := l.length(s.i, s.Call); ok && !long(n, to) {
				l.setMemory(to, l.one(l.arg(s, 1)), n)
			} else {
				l.overRange(to, nil, l.lengthTerm(s))
			}
			l.argument(s)
		},
		builtin.Allocate:  (*lowerer).allocate,
		builtin.Release:   (*lowerer).release,
		builtin.LifeStart: (*lowerer).life,
		builtin.LifeEnd:   (*lowerer).life,
		builtin.Assume:    (*lowerer).assume,
		builtin.Assert: func(l *lowerer, s site) {
			l.ofAll(s)
			l.claimed(s, ir.DoAssert, "assert", "assertion")
		},
		builtin.AssertFail: func(l *lowerer, s site) { l.never("assert", "assertion") },
		builtin.Trap:       func(l *lowerer, s site) { l.never("assert", "the kernel ends with an error") },
		builtin.Require: func(l *lowerer, s site) {
			l.ofAll(s)
			l.require(s.fr, l.said(l.arg(s, 0)))
		},
		builtin.Invariant: func(l *lowerer, s site) {
			// Threads that have left the loop are held to it as well, which nothing here says.
			if strings.HasPrefix(s.Name, "__global_") {
				l.fail("%s for threads that have left the loop; use __invariant, which is about those in it", s.Name)
			}
			l.claimed(s, ir.DoInvariant, "invariant", "loop invariant")
			always(l, s)
		},
		builtin.Candidate: always,
		builtin.Implies: func(l *lowerer, s site) {
			l.truthResult(s.i, ir.Either(ir.Not(l.said(l.arg(s, 0))), l.said(l.arg(s, 1))))
		},
		builtin.Print: func(l *lowerer, s site) { l.print(s.i, s.Call) },
	}
}

// argument is a call that gives its first argument, or nothing.
func (l *lowerer) argument(s site) {
	if s.i.Type.Kind != llvm.Void {
		v := *l.arg(s, 0)
		l.put(s.i, &v)
	}
}

// life is where a variable begins or ends: it has no value then.
func (l *lowerer) life(s site) {
	if p := l.ptr(s, len(s.i.Args)-1); len(p.targets) == 1 && p.off.Is(0) {
		l.undefine(p.targets[0])
	}
}

// texel is a value of a texture. One that it is stored to through its first argument is written there.
func (l *lowerer) texel(s site) {
	l.claim("no thread of a launch writes to memory that a texture is bound to")
	if s.i.Type.Kind != llvm.Void {
		l.put(s.i, l.anyValue(s.i.Type))
		return
	}
	l.fail("%s: use the overload that returns the value", s.Name)
}

func (l *lowerer) assume(s site) {
	l.Prog.Granted, l.Prog.Believes = true, true
	if !l.opts.NoAssumptions {
		l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: l.said(l.arg(s, 0))})
	}
}

// scratch accesses any cell of the scratch memory of a primitive, which its first two arguments say.
func (l *lowerer) scratch(s site, access func(b *base, off *ir.Term, cell *llvm.Type)) {
	p := l.ptr(s, 0)
	n, ok := l.constant(l.one(l.arg(s, 1)))
	if !ok || len(p.targets) != 1 || p.targets[0].mem == nil || p.targets[0].mem.Space != ast.Local {
		l.fail("temporary storage of a primitive that is not in one array of shared memory")
	}
	b, g := p.targets[0], min(8, alignment(p.off))
	if known := l.granule[b.key]; known > 0 {
		g = min(g, known)
	}
	k := l.Anything(ast.TLong, l.at)
	l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: ir.Both(ir.Compare(ir.PLe, ir.Number(0), k), ir.Compare(ir.PLt, ir.Product(ir.Number(g), k), ir.Number(n)))})
	access(b, ir.Sum(p.off, ir.Product(ir.Number(g), k)), llvm.IntType(int(8*g)))
}

// barrierBare orders what the fences on both its sides order.
func (l *lowerer) barrierBare(s site) {
	code, k := s.fr.block.Code, s.fr.index
	orders := fenced(code, k, -1, "release") && fenced(code, k, 1, "acquire")
	l.Barrier(orders, orders, l.at)
}

// ofAll refuses a word that speaks of all threads where not all of them come.
func (l *lowerer) ofAll(s site) {
	if strings.HasPrefix(s.Name, "__global_") && (s.fr.up != nil || l.ofLaunch(ir.Truth) == nil) {
		l.fail("%s in code that not all threads reach; use %s", s.Name, strings.Replace(s.Name, "global_", "", 1))
	}
}

// claimed is what an author claims.
func (l *lowerer) claimed(s site, do ir.InstrOp, kind, why string) {
	if !l.opts.OnlyRequires {
		l.Emit(&ir.Instr{Op: do, At: l.at, Kind: kind, Why: why, E: l.said(l.arg(s, 0))})
	}
}

func (l *lowerer) barrier(s site) {
	if len(s.i.Args) > 0 && s.Means == builtin.Barrier {
		l.fixed(s, 0)
	}
	l.Barrier(true, true, l.at)
	l.put(s.i, l.anyValue(s.i.Type))
}

func (l *lowerer) barrierFlags(s site) {
	if len(s.i.Args) > 1 {
		if scope, ok := l.constant(l.one(l.arg(s, 1))); !ok || scope < 1 || scope > 3 {
			l.fail("%s with a scope smaller than the group", s.Name)
		}
	}
	// Of an expression it is not known what it orders, so nothing is taken for ordered.
	flags, ok := l.constant(l.one(l.arg(s, 0)))
	l.Barrier(ok && flags&1 != 0, ok && flags&2 != 0, l.at)
}

func (l *lowerer) countBits(s site) {
	l.pointerless(s.i, s.Call)
	v := l.anyValue(s.i.Type)
	most := ir.Number(int64(elem(s.i.Args[0].Type).Bits))
	for _, x := range v.parts {
		l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: ir.Both(ir.Compare(ir.PLe, ir.Number(0), x.t), ir.Compare(ir.PLe, x.t, most))})
	}
	l.put(s.i, v)
}

func (l *lowerer) truthResult(i *llvm.Instr, p *ir.Term) {
	switch {
	case i.Type.Kind == llvm.Void:
	case i.Type.Kind == llvm.Int && i.Type.Bits == 1:
		l.put(i, single(i.Type, truth(p)))
	case i.Type.Kind == llvm.Int:
		l.put(i, single(i.Type, scalar{typ: intType(i.Type.Bits, true), t: ir.TruthValue(p)}))
	default:
		l.put(i, l.anyValue(i.Type))
	}
}

// said is an argument as a formula.
func (l *lowerer) said(v *value) *ir.Term {
	s := l.one(v)
	if s.p != nil {
		return s.p
	}
	t, _ := l.num(s, v.typ)
	return ir.IsTrue(t)
}

// ids is where a thread is by a meaning, and what it is outside of three dimensions; nil for other meanings.
func (l *lowerer) ids(m builtin.Meaning) (t func(int) *ir.Term, outside int64) {
	switch m {
	case builtin.LocalID:
		return l.LocalID, 0
	case builtin.GroupID:
		return l.GroupID, 0
	case builtin.LocalSize:
		return l.LocalSize, 1
	case builtin.NumGroups:
		return l.Groups, 1
	case builtin.GlobalID:
		return l.GlobalID, 0
	case builtin.GlobalSize:
		return l.GlobalSize, 1
	}
	return nil, 0
}

// fenced reports whether a fence of at least the group stands next to an instruction.
func fenced(code []*llvm.Instr, k, step int, order string) bool {
	for k += step; k >= 0 && k < len(code); k += step {
		i := code[k]
		if i.Declared() != nil {
			continue
		}
		scope := i.Scope == "" || i.Scope == "workgroup" || i.Scope == "agent"
		return i.Op == llvm.Fence && scope && len(i.Meta) == 0 && (i.Order == order || i.Order == "acq_rel" || i.Order == "seq_cst")
	}
	return false
}

// pointerless refuses a pointer where the table knows of none.
func (l *lowerer) pointerless(i *llvm.Instr, c *builtin.Call) {
	for _, a := range i.Args {
		if a.Type.Kind == llvm.Pointer {
			l.fail("%s with a pointer; its effect is unknown", c.Name)
		}
	}
}

// anyNumber is a function whose result is not followed; where pointers say so, it sets what they lead to.
func (l *lowerer) anyNumber(i *llvm.Instr, c *builtin.Call) {
	var sets []int
	for k, a := range i.Args {
		if a.Type.Kind != llvm.Pointer {
			continue
		}
		writes := false
		for _, w := range c.Writes {
			writes = writes || w == k
		}
		if !writes && !c.Ignores {
			l.fail("%s with a pointer; its effect is unknown", c.Name)
		}
		if writes {
			sets = append(sets, k)
		}
	}
	for _, k := range sets {
		t := i.Args[0].Type
		if strings.Contains(c.Name, "frexp") || strings.Contains(c.Name, "remquo") || strings.Contains(c.Name, "lgamma_r") {
			whole := llvm.IntType(32)
			if t.Kind == llvm.Vector {
				whole = &llvm.Type{Kind: llvm.Vector, N: t.N, Elem: whole}
			}
			t = whole
		}
		leaves, _ := l.scalars(t)
		l.write(l.pointerOf(l.one(l.value(i.Args[k]))), t, &value{typ: t, parts: make([]scalar, len(leaves))})
	}
	l.put(i, l.anyValue(i.Type))
}

// length is the constant number of bytes of a copy; ok says whether it is one.
func (l *lowerer) length(i *llvm.Instr, c *builtin.Call) (n int64, ok bool) {
	if len(i.Args) < 3 {
		l.fail("%s with %d arguments", c.Name, len(i.Args))
	}
	n, ok = l.constant(l.one(l.value(i.Args[2])))
	return n, ok && n >= 0
}

// mostCopied bounds the bytes that are copied one by one between arrays that threads share: every two of their accesses may race.
const mostCopied = 512

// long reports whether so many bytes at p are accessed as a range, of which any part may be accessed, and not one by one.
func long(n int64, p *pointer) bool {
	return n > mostCopied && len(p.targets) == 1 && p.targets[0].place == nil
}

// lengthTerm is the number of bytes of a copy.
func (l *lowerer) lengthTerm(s site) *ir.Term {
	return l.as(intType(s.i.Args[2].Type.Bits, false), l.one(l.arg(s, 2)))
}

// numbers are the functions of integers that are followed.
func (l *lowerer) numbers(i *llvm.Instr, c *builtin.Call) {
	out := &value{typ: i.Type}
	t := elem(i.Type)
	var args []*value
	for _, a := range i.Args {
		args = append(args, l.value(a))
	}
	need := map[builtin.Meaning]int{builtin.Minimum: 2, builtin.Maximum: 2, builtin.Clamp: 3, builtin.Absolute: 1, builtin.AbsoluteFlag: 2, builtin.Multiply24: 2, builtin.MultiplyAdd24: 3}[c.Means]
	if len(args) != need {
		l.fail("%s with %d arguments", c.Name, len(args))
	}
	leaves, ok := l.scalars(i.Type)
	if !ok {
		l.fail("%s of type %s", c.Name, i.Type)
	}
	if t.Kind != llvm.Int || !c.Said {
		l.put(i, l.anyValue(i.Type))
		return
	}
	typ := intType(t.Bits, !c.Unsigned)
	for k := range leaves {
		var xs []*ir.Term
		for _, a := range args {
			xs = append(xs, l.as(typ, a.parts[min(k, len(a.parts)-1)]))
		}
		out.parts = append(out.parts, l.followed(c, typ, xs))
	}
	l.put(i, out)
}

// followed is the value of a function whose result is computed and not left open.
func (l *lowerer) followed(c *builtin.Call, t *ast.Ctype, xs []*ir.Term) scalar {
	smaller := func(a, b *ir.Term) *ir.Term { return ir.Choose(ir.Compare(ir.PLe, a, b), a, b) }
	larger := func(a, b *ir.Term) *ir.Term { return ir.Choose(ir.Compare(ir.PLe, a, b), b, a) }
	switch c.Means {
	case builtin.Minimum:
		return scalar{typ: t, t: smaller(xs[0], xs[1])}
	case builtin.Maximum:
		return scalar{typ: t, t: larger(xs[0], xs[1])}
	case builtin.Clamp: // where the bounds are the wrong way round, OpenCL says nothing
		least, most := xs[1], xs[2]
		inner := ir.Choose(ir.Compare(ir.PLt, xs[0], least), least, ir.Choose(ir.Compare(ir.PLt, most, xs[0]), most, xs[0]))
		if least.IsNum() && most.IsNum() && least.Val.Cmp(most.Val) <= 0 {
			return scalar{typ: t, t: inner}
		}
		return scalar{typ: t, t: ir.Choose(ir.Compare(ir.PLe, least, most), inner, l.Anything(t, l.at))}
	case builtin.Absolute, builtin.AbsoluteFlag:
		// Of the least number it is 2ⁿ⁻¹, which has no place among those with sign.
		u := intType(t.Bits, false)
		return scalar{typ: u, t: ir.Choose(ir.Compare(ir.PLe, ir.Number(0), xs[0]), xs[0], ir.Product(ir.Number(-1), xs[0]))}
	}
	part := &ast.Ctype{Kind: ast.IntType, Name: "i24", Bits: 24, Signed: t.Signed}
	if c.Name != "mul24" && c.Name != "mad24" {
		return scalar{typ: t, t: ir.Into(t, ir.Product(ir.Into(part, xs[0]), ir.Into(part, xs[1])))}
	}
	product := ir.Product(xs[0], xs[1])
	if c.Means == builtin.MultiplyAdd24 {
		product = ir.Sum(product, xs[2])
	}
	// Of operands beyond 24 bits OpenCL says nothing.
	fit := ir.Both(ir.WithinType(part, xs[0]), ir.WithinType(part, xs[1]))
	return scalar{typ: t, t: ir.Choose(fit, ir.Into(t, product), l.Anything(t, l.at))}
}

var converts = regexp.MustCompile(`^convert_(u?)(char|short|int|long|float|double|half)\d*(_sat)?(_rt[ezpn])?$`)

// convert is convert_T of OpenCL.
func (l *lowerer) convert(i *llvm.Instr, c *builtin.Call) {
	m := converts.FindStringSubmatch(c.Name)
	if m == nil || len(i.Args) != 1 {
		l.fail("unknown function %s", c.Name)
	}
	from, to := elem(i.Args[0].Type), elem(i.Type)
	v := l.value(i.Args[0])
	out := &value{typ: i.Type}
	for _, s := range v.parts {
		if from.Kind != llvm.Int || to.Kind != llvm.Int || m[3] != "" || from.Bits == 1 || to.Bits == 1 {
			out.parts = append(out.parts, l.any(to))
			continue
		}
		typ := intType(to.Bits, m[1] == "")
		out.parts = append(out.parts, scalar{typ: typ, t: ir.Into(typ, l.as(intType(from.Bits, !c.Unsigned), s))})
	}
	l.put(i, out)
}

// vectors are vloadN and vstoreN of OpenCL.
func (l *lowerer) vectors(i *llvm.Instr, c *builtin.Call) {
	at := 0
	t := i.Type
	if c.Means == builtin.VectorStore {
		at, t = 1, i.Args[0].Type
	}
	if len(i.Args) != at+2 || t.Kind != llvm.Vector || i.Args[at+1].Type.Kind != llvm.Pointer {
		l.fail("%s with these arguments", c.Name)
	}
	p := l.pointerOf(l.one(l.value(i.Args[at+1])))
	size := l.m.Layout.Store(t.Elem)
	index := l.as(intType(i.Args[at].Type.Bits, true), l.one(l.value(i.Args[at])))
	p = p.moved(ir.Sum(p.off, ir.Product(ir.Number(t.N*size), index)))
	// One lane after the other: three lanes take no more room than they need.
	out := &value{typ: t}
	for k := range t.N {
		lane := p.moved(ir.Sum(p.off, ir.Number(k*size)))
		if c.Means == builtin.VectorLoad {
			out.parts = append(out.parts, l.read(lane, t.Elem).parts...)
		} else {
			l.write(lane, t.Elem, single(t.Elem, l.value(i.Args[0]).parts[k]))
		}
	}
	l.put(i, out)
}

// require is what launches owe: an axiom where it is about parameters and sizes alone.
func (l *lowerer) require(fr *frame, p *ir.Term) {
	if fr.up != nil {
		l.Emit(&ir.Instr{Op: ir.DoAssert, At: l.at, Kind: "requires", Why: "precondition", E: p})
		return
	}
	l.Prog.Granted = true
	if a := l.ofLaunch(p); a != nil {
		l.Prog.Axioms = append(l.Prog.Axioms, a)
		return
	}
	l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: p})
}

// ofLaunch is a precondition as one on the launch; nil if it is not about parameters and sizes alone, or not all threads come here.
// A condition on the launch holds for both threads and at every point, so the proof need not carry it along the paths. The paths from
// the start are followed, because && and || are branches.
func (l *lowerer) ofLaunch(p *ir.Term) *ir.Term {
	out, steps := ir.Truth, 0
	var follow func(n *ir.Node, values map[*ir.Variable]*ir.Term, when *ir.Term) bool
	follow = func(n *ir.Node, values map[*ir.Variable]*ir.Term, when *ir.Term) bool {
		known := func(t *ir.Term) *ir.Term {
			ok := true
			t = ir.MapTerm(t, func(x *ir.Term) *ir.Term {
				switch {
				case x.Op == ir.Sym:
					ok = ok && !x.Own
				case x.Op == ir.Local_:
					if v := values[x.V]; v != nil {
						return v
					}
					ok = false
				}
				return nil
			})
			switch {
			case !ok:
				return nil
			case t.Op == ir.PNe && t.Args[1].Is(0): // what a variable holds may be a truth
				return ir.IsTrue(t.Args[0])
			}
			return t
		}
		if steps++; steps > 64 || n.Head {
			return false
		}
		for _, i := range n.Code {
			switch {
			case i.V == nil:
			case i.Op == ir.DoAssign:
				values[i.V] = known(i.E)
			default:
				values[i.V] = nil
			}
		}
		switch {
		case n == l.Now:
			claim := known(p)
			if claim == nil {
				return false
			}
			out = ir.Both(out, ir.Either(ir.Not(when), claim))
			return true
		case n.Then == nil:
			return false
		case n.Cond == nil:
			return follow(n.Then, values, when)
		}
		c := known(n.Cond)
		return c != nil && follow(n.Then, maps.Clone(values), ir.Both(when, c)) && follow(n.Other, values, ir.Both(when, ir.Not(c)))
	}
	if !follow(l.Prog.Entry, map[*ir.Variable]*ir.Term{}, ir.Truth) || out.Op == ir.PFalse || !ir.Plain(out) {
		return nil
	}
	return out
}

var (
	textIn  = regexp.MustCompile(`%[^%a-zA-Z]*[hlLqjzt]*s`)
	countIn = regexp.MustCompile(`%[^%a-zA-Z]*[hlLqjzt]*n`)
)

// print refuses a format that sets a number, or that reads text which is not constant.
func (l *lowerer) print(i *llvm.Instr, c *builtin.Call) {
	text := ""
	if len(i.Args) > 0 {
		text = l.constantText(i.Args[0])
	}
	switch {
	case text == "" || countIn.MatchString(text):
		l.fail("%s with an unknown format, or one that writes to an argument", c.Name)
	case textIn.MatchString(text) && !l.printsConstants(i.Args[1:]):
		l.fail("%s of text that is not constant", c.Name)
	}
	l.put(i, l.anyValue(i.Type))
}

// constantText is the constant array of characters that an operand leads to the start of.
func (l *lowerer) constantText(v *llvm.Value) string {
	if v.Kind == llvm.Expression && len(v.Expr.Args) > 0 {
		v = v.Expr.Args[0]
	}
	if v.Kind != llvm.GlobalName {
		return ""
	}
	if g := l.m.Global(v.Name); g != nil && g.Settled() && g.Init.Kind == llvm.Bytes {
		return g.Init.Name
	}
	return ""
}

// printsConstants reports whether all pointers among what is printed lead to constants: the arguments themselves,
// or a variable that holds them.
func (l *lowerer) printsConstants(args []*llvm.Value) bool {
	constant := func(s scalar) bool {
		return !slices.ContainsFunc(l.pointerOf(s).targets, func(b *base) bool { return !b.constant })
	}
	for _, a := range args {
		if a.Type.Kind != llvm.Pointer {
			continue
		}
		s := l.one(l.value(a))
		p := l.pointerOf(s)
		if len(p.targets) != 1 || p.targets[0].place == nil {
			if !constant(s) {
				return false
			}
			continue
		}
		for _, cell := range p.targets[0].place.cells {
			if cell.typ.Kind == llvm.Pointer && !constant(cell.val) {
				return false
			}
		}
	}
	return true
}

// warpBarrier is a barrier of the lanes of a warp that a mask names; of other targets than NVIDIA's it is not known which threads they are.
func (l *lowerer) warpBarrier(s site) {
	if s.Name == "__gradine_tile_sync" {
		if n, ok := l.constant(l.one(l.arg(s, 0))); ok && ir.IsTile(n) {
			l.Emit(&ir.Instr{Op: ir.DoWarp, At: l.at, E: ir.Number(0), Lanes: n})
			return
		}
		l.fail("a tile of a number of lanes that is not a power of two below 32")
	}
	if s.Name != "llvm.nvvm.bar.warp.sync" || len(s.i.Args) != 1 {
		l.Prog.Warps = true
		return
	}
	l.Emit(&ir.Instr{Op: ir.DoWarp, At: l.at, E: l.one(l.arg(s, 0)).t})
}
