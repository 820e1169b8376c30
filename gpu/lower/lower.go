package lower

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// Kernel turns kernel f of m into a program.
//
// It fails on what it does not understand, with its place in the source where the module says
// one, and otherwise its line in the text of the module.
func Kernel(m *llvm.Module, f *llvm.Function, opts launch.Options) (p *ir.Program, problem *preproc.Problem) {
	known := &knowledge{granule: map[string]int64{}, array: map[string]bool{}, targets: map[string][]string{}, units: map[string]int64{}, offsets: map[string]string{}, insides: map[string]*inside{}, escaped: map[string]bool{}}
	// What is known only grows, and is bounded by the text: this ends. The bound is a fuse.
	for range maxAttempts {
		l := &lowerer{m: m, opts: opts, knowledge: known, bases: map[string]*base{}, mutable: map[*ir.Variable]bool{}, weights: map[*ir.Variable]int{}}
		problem := l.run(f)
		m = l.m      // with all that calls through pointers may reach
		if l.again { // what is known now may be what was missing
			continue
		}
		if problem != nil {
			return nil, problem
		}
		cfg.DropUnread(l.Prog)
		return l.Prog, nil
	}
	return nil, preproc.Refuse(m.File, preproc.Place{Line: f.Line, Col: 1}, "pointers with unboundedly many targets")
}

const (
	maxAttempts = 200
	maxCalls    = 64 // within one another
	maxCells    = 64 // of a variable that is taken apart, and of one access
)

// knowledge is what an attempt to lower a kernel has found that the next one begins with.
type knowledge struct {
	granule map[string]int64    // bytes of the cells of memories
	array   map[string]bool     // variables of functions that are arrays with computed indices
	targets map[string][]string // what pointers in variables may point at, by slot
	units   map[string]int64    // … and how many bytes their offsets count
	offsets map[string]string   // … and the one offset that they all have, "" if there are several
	insides map[string]*inside  // of the pointers in memories
	escaped map[string]bool     // memories that threads allocate, and that other threads may learn of
}

// lowerer holds what lowering one kernel needs.
type lowerer struct {
	ir.Builder
	*knowledge
	m         *llvm.Module
	opts      launch.Options
	again     bool
	bases     map[string]*base
	mutable   map[*ir.Variable]bool // variables of functions, which change; all others stand for one value
	weights   map[*ir.Variable]int  // see light
	frame     *frame
	main      string              // the file that the kernel stands in
	at        preproc.Place       // of the instruction that is lowered
	addresses map[string]*ir.Term // of memories, as numbers
}

// frame is a call that is being inlined.
type frame struct {
	f       *llvm.Function
	up      *frame
	key     string // tells it from other calls
	site    preproc.Place
	values  map[string]*value
	nodes   map[string]*ir.Node
	phis    map[*llvm.Instr]*value
	loops   *loops
	exit    *ir.Node
	results *value // what it gives, in variables, where it returns in several places
	result  *value // … where it returns in one
	names   map[string]llvm.Variable
	last    map[string]int // where a value is used last in its block; beyond if elsewhere
	block   *llvm.Block
	index   int
	tracked []string // values of the block that mention variables which may change
}

const beyond = 1 << 30

func (l *lowerer) fail(format string, args ...any) { l.Fail(l.at, format, args...) }

// claim notes something that the verdict takes for granted.
func (l *lowerer) claim(text string) {
	if !slices.Contains(l.Prog.Taken, text) {
		l.Prog.Taken = append(l.Prog.Taken, text)
	}
}

// run lowers a function with all that it calls.
func (l *lowerer) run(f *llvm.Function) (problem *preproc.Problem) {
	defer preproc.Catch(&problem)
	at := preproc.Place{Line: f.Line, Col: 1}
	if p, ok := f.At(); ok {
		at, l.main = p.Place, p.File
	}
	l.at = at
	l.Builder = ir.NewBuilder(f.SourceName(), l.m.File, at, l.opts, nil)
	exit := l.NewNode(at)
	exit.End = true
	fr := l.newFrame(f, "", at)
	fr.exit = exit
	l.frame = fr
	if !f.Final() {
		l.claim("no other file replaces this kernel (" + f.Linkage + ")")
	}
	l.parameters(fr)
	l.axioms(fr)
	l.function(fr)
	return nil
}

func (l *lowerer) newFrame(f *llvm.Function, key string, site preproc.Place) *frame {
	if f.Problem != nil {
		panic(f.Problem)
	}
	fr := &frame{f: f, up: l.frame, key: key, site: site, values: map[string]*value{}, nodes: map[string]*ir.Node{}, phis: map[*llvm.Instr]*value{}, names: map[string]llvm.Variable{}}
	fr.uses()
	return fr
}

// uses finds where each value of a function is used last, and how the source names variables.
func (fr *frame) uses() {
	fr.last = map[string]int{}
	defined := map[string]*llvm.Block{}
	for _, a := range fr.f.Params {
		defined[a.Name] = fr.f.Blocks[0]
	}
	for _, b := range fr.f.Blocks {
		for _, i := range b.Code {
			if i.Name != "" {
				defined[i.Name] = b
			}
		}
	}
	for _, b := range fr.f.Blocks {
		for k, i := range b.Code {
			if d := i.Declared(); d != nil {
				fr.named(d)
				continue
			}
			if i.Op == llvm.Phi {
				for j, a := range i.Args {
					if a.Kind == llvm.Register {
						if defined[a.Name] == nil || defined[a.Name].Name != i.To[j] {
							fr.last[a.Name] = beyond
						} else {
							fr.last[a.Name] = max(fr.last[a.Name], beyond-1) // at the end of its block
						}
					}
				}
				continue
			}
			i.EachValue(func(v *llvm.Value) {
				if v.Kind != llvm.Register {
					return
				}
				if defined[v.Name] != b {
					fr.last[v.Name] = beyond
				} else {
					fr.last[v.Name] = max(fr.last[v.Name], k)
				}
			})
		}
		for _, d := range b.Debug {
			fr.named(d)
		}
	}
}

func (fr *frame) named(d *llvm.DebugRecord) {
	if d.Value != nil && d.Value.Kind == llvm.Register && d.Source().Name != "" {
		if _, ok := fr.names[d.Value.Name]; !ok {
			fr.names[d.Value.Name] = d.Source()
		}
	}
}

// place sets where what is lowered stands: in the file of the kernel, or there where it leads to another file.
func (l *lowerer) place(i *llvm.Instr) {
	p, ok := i.Place()
	switch {
	case ok && (p.File == l.main || l.frame.up == nil):
		l.at = p.Place
	case ok || l.frame.up != nil:
		for fr := l.frame; fr.up != nil; fr = fr.up {
			l.at = fr.site
		}
	case l.main == "":
		l.at = preproc.Place{Line: i.Line, Col: 1}
	}
}

// parameters gives a kernel its arguments.
func (l *lowerer) parameters(fr *frame) {
	given := l.opts.Arguments[fr.f.SourceName()]
	if given == nil {
		given = l.opts.Arguments[fr.f.Name]
	}
	for k, a := range fr.f.Params {
		v := fr.f.ParamSource(k)
		text := ""
		if (a.Type.Kind != llvm.Pointer || a.Attrs.ByVal != nil) && len(given) > 0 {
			text, given = given[0], given[1:]
		}
		switch {
		case a.Attrs.ByRef != nil, a.Attrs.SRet != nil:
			l.fail("parameter %s, which is given by reference", v.Name)
		case a.Attrs.ByVal != nil:
			fr.values[a.Name] = l.byValue(fr, k, a, v)
		default:
			fr.values[a.Name] = l.parameter(fr, k, a.Type, v, text)
		}
	}
}

// parameter is a number, vector or pointer that a kernel is given.
func (l *lowerer) parameter(fr *frame, k int, t *llvm.Type, v llvm.Variable, text string) *value {
	out := &value{typ: t}
	leaves, ok := l.m.Layout.Leaves(t, maxCells)
	if !ok {
		l.fail("parameter %s of type %s", v.Name, t)
	}
	if len(leaves) > 1 {
		text = ""
	}
	for i, leaf := range leaves {
		out.parts = append(out.parts, l.parameterLeaf(leaf.Type, fr.f.LeafName(k, i, len(leaves), leaf.At), v.Type, text))
	}
	return out
}

// parameterLeaf is a scalar that a kernel is given; text is its value, "" if it may have any.
func (l *lowerer) parameterLeaf(t *llvm.Type, n string, di *llvm.Metadata, text string) scalar {
	switch t.Kind {
	case llvm.Pointer:
		return scalar{ptr: &pointer{targets: []*base{l.givenArray(n, t, di)}, off: ir.Number(0)}}
	case llvm.Int:
		unsigned, _ := llvm.Unsigned(di)
		c := intType(t.Bits, !unsigned)
		if x, ok := number(text); ok {
			return l.integer(c, ir.Into(c, ir.BigNumber(x)))
		}
		return l.integer(c, l.Parameter(n, c))
	case llvm.Float:
		c := floatType(t)
		return scalar{typ: c, t: l.Parameter(n, c)}
	}
	l.fail("parameter %s of type %s", n, t)
	return scalar{}
}

// givenArray is the array that a pointer of the host leads to.
func (l *lowerer) givenArray(n string, t *llvm.Type, di *llvm.Metadata) *base {
	space, ok := l.space(t.Space)
	if t.Space == 0 && l.m.Target() != llvm.SPIR {
		space = ast.Global
		l.claim("pointer arguments of a kernel point to global memory")
	} else if !ok || space == ast.Private {
		l.fail("parameter %s, a pointer to address space %d", n, t.Space)
	}
	unsigned, _ := llvm.Unsigned(llvm.Pointee(di))
	b := l.newMemory("parameter "+n, n, space, -1, unsigned)
	b.of = llvm.Pointee(di)
	return b
}

// space is the address space of a number; ok says whether it is known.
func (l *lowerer) space(n int) (s ast.Space, ok bool) {
	switch l.m.Target() {
	case llvm.SPIR:
		switch n {
		case 0:
			return ast.Private, true
		case 1:
			return ast.Global, true
		case 2:
			return ast.Constant, true
		case 3:
			return ast.Local, true
		case 4: // generic
			return ast.Private, true
		}
	case llvm.NVPTX, llvm.AMDGPU: // which number their address spaces alike
		switch n {
		case 0, 5:
			return ast.Private, true
		case 1:
			return ast.Global, true
		case 3:
			return ast.Local, true
		case 4:
			return ast.Constant, true
		}
	}
	return 0, false
}

// function lowers the blocks of a function, each behind those that dominate it.
func (l *lowerer) function(fr *frame) {
	order, lp, why := findLoops(fr.f)
	if why != "" {
		l.fail("%s", why)
	}
	fr.loops = lp
	for _, b := range order {
		fr.nodes[b.Name] = l.NewNode(l.at)
		if lp.heads[b.Name] {
			n := fr.nodes[b.Name]
			n.Head = true
			if at, ok := lp.place(b.Name, l.main); ok {
				n.At = at
			} else {
				l.frameAt(fr, b.Code[0])
				n.At = l.at
			}
			n.Count = l.ghost("round")
		}
		for _, i := range b.Code {
			if i.Op == llvm.Phi {
				fr.phis[i] = l.phi(fr, i)
				fr.values[i.Name] = fr.phis[i]
			}
		}
	}
	first := order[0]
	l.edge(fr, nil, first)
	for _, b := range order {
		l.Now = fr.nodes[b.Name]
		fr.block = b
		if l.Now.Head { // paths begin again there
			clear(l.weights)
		}
		for k, i := range b.Code {
			fr.index = k
			l.place(i)
			if i.Op != llvm.Phi {
				l.instruction(fr, i)
			}
		}
	}
	l.Now = fr.exit
}

func (l *lowerer) frameAt(fr *frame, i *llvm.Instr) {
	keep := l.frame
	l.frame = fr
	l.place(i)
	l.frame = keep
}

// phi is what a phi stands for: variables that its edges set.
func (l *lowerer) phi(fr *frame, i *llvm.Instr) *value {
	name := "v"
	v, named := fr.names[i.Name]
	if named {
		name = v.Name
	}
	return l.variables(i.Type, name, v.Type, fr.key+"phi "+i.Name, fr.signs(i, named, v))
}

// signs says whether what a phi gives has no sign: as the source says, or as it is used.
func (fr *frame) signs(i *llvm.Instr, named bool, v llvm.Variable) bool {
	if unsigned, known := llvm.Unsigned(v.Type); named && known {
		return unsigned
	}
	with, without := 0, 0
	for _, b := range fr.f.Blocks {
		for _, u := range b.Code {
			uses := slices.ContainsFunc(u.Args, func(a *llvm.Value) bool { return a.Kind == llvm.Register && a.Name == i.Name })
			switch {
			case !uses:
			case u.Op == llvm.ZExt, u.Op == llvm.UDiv, u.Op == llvm.URem, u.Op == llvm.LShr, u.Op == llvm.UIToFP, u.Op == llvm.ICmp && u.Pred[0] == 'u':
				without++
			case u.Op == llvm.SExt, u.Op == llvm.SDiv, u.Op == llvm.SRem, u.Op == llvm.AShr, u.Op == llvm.SIToFP, u.Op == llvm.ICmp && u.Pred[0] == 's', u.Flags&llvm.NSW != 0:
				with++
			}
		}
	}
	return without > with
}

// variables are variables for a value of a type.
func (l *lowerer) variables(t *llvm.Type, name string, di *llvm.Metadata, key string, unsigned bool) *value {
	out := &value{typ: t}
	if t.Kind == llvm.Void {
		return out
	}
	leaves, ok := l.scalars(t)
	if !ok {
		l.fail("a value of type %s", t)
	}
	for k, leaf := range leaves {
		n := name
		if len(leaves) > 1 {
			n = fmt.Sprint(name, "_", k)
		}
		switch leaf.Kind {
		case llvm.Pointer:
			s := l.newSlot(n, fmt.Sprint(key, " ", k))
			out.parts = append(out.parts, scalar{slot: s})
		case llvm.Int:
			c := intType(leaf.Bits, !unsigned)
			x := ir.VariableTerm(l.NewVariable(n, c))
			out.parts = append(out.parts, l.integer(c, x))
		default:
			c := floatType(leaf)
			out.parts = append(out.parts, scalar{typ: c, t: ir.VariableTerm(l.NewVariable(n, c))})
		}
	}
	return out
}

// assign sets the variables of a value, all at once.
func (l *lowerer) assign(to []*value, from []*value) {
	type set struct {
		v *ir.Variable
		e *ir.Term
	}
	var sets []set
	changed := map[*ir.Variable]bool{}
	for k, v := range to {
		for j, part := range v.parts {
			f := from[k].parts[j]
			if part.slot != nil {
				which, off := l.slotted(part.slot, l.pointerOf(f))
				sets = append(sets, set{part.slot.which, which}, set{part.slot.off, off})
				continue
			}
			x := part.t.V
			sets = append(sets, set{x, l.as(x.Typ, f)})
		}
	}
	// Assignments happen at once in the source. One after the other, an old value that is still needed must be saved
	// first.
	for _, s := range sets {
		changed[s.v] = true
	}
	for k, s := range sets {
		bad := false
		for _, v := range ir.VariablesOf(s.e) {
			bad = bad || changed[v] && v != s.v
		}
		if bad {
			x := l.NewVariable("next", s.v.Typ)
			l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: x, E: s.e})
			sets[k].e = ir.VariableTerm(x)
		}
	}
	for _, s := range sets {
		if s.e.Op == ir.Local_ && s.e.V == s.v {
			continue
		}
		l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: s.v, E: s.e})
	}
}

// edge goes from a block to another: it sets what phis give there, and counts the rounds of loops.
func (l *lowerer) edge(fr *frame, from, to *llvm.Block) {
	target := fr.nodes[to.Name]
	var vars, values []*value
	for _, i := range to.Code {
		if i.Op != llvm.Phi {
			break
		}
		k := -1
		if from != nil {
			k = slices.Index(i.To, from.Name)
		}
		if k < 0 {
			l.fail("a phi without a value for one of its predecessors")
		}
		vars, values = append(vars, fr.phis[i]), append(values, l.value(i.Args[k]))
	}
	l.assign(vars, values)
	if target.Head {
		count := ir.Number(0)
		if from != nil && fr.loops.inside(to.Name, from.Name) {
			count = ir.Sum(ir.VariableTerm(target.Count), ir.Number(1))
		}
		l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: target.Count, E: count})
	}
	l.Now.Then = target
}

// leave ends a block: what is used behind it and mentions variables that may change is kept.
func (l *lowerer) leave(fr *frame) {
	for _, n := range fr.tracked {
		if fr.last[n] == beyond {
			fr.values[n] = l.kept(fr.values[n], nil)
		}
	}
	fr.tracked = nil
}

// goTo ends the block with a jump.
func (l *lowerer) goTo(fr *frame, name string) {
	for _, b := range fr.f.Blocks {
		if b.Name == name {
			l.edge(fr, fr.block, b)
			return
		}
	}
}

// arm is a node from which an edge leads to a block.
func (l *lowerer) arm(fr *frame, name string) *ir.Node {
	n, keep := l.NewNode(l.at), l.Now
	l.Now = n
	l.goTo(fr, name)
	l.Now = keep
	return n
}

// ghost is a variable that counts.
func (l *lowerer) ghost(name string) *ir.Variable {
	v := l.NewVariable(name, ast.TLong)
	v.Ghost = true
	return v
}
