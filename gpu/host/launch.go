package host

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// Launch is a place where the host launches a kernel.
type Launch struct {
	File      string // as clang names it, without ./
	Line, Col int
	Symbol    string // of the kernel, in the IR of the device; "" if it is not known which kernel it is
	Name      string // of the kernel in the text, where the symbol is not known; "" for any kernel
	Why       string // why the launch is not understood; "" if it is

	Grid, Block [3]*Expr // 32 bits each
	Shared      *Expr    // bytes of shared memory
	Args        []Argument
	ArgsKnown   bool // Args are all arguments, in order

	stream handle   // that it is made in
	Beside []Beside // launches of one function that nothing orders, see streams.go

	Together bool // all groups run at the same time: the launch is cooperative

	Overlap string // a pointer that may lead into the array of another one, which Args do not say; "" if there is none

	Assumed []string // of what other functions of the host have made

	Released string // an array that the host may have given back before; "" if there is none

	Facts   []*Expr // of one bit: conditions of the host that hold wherever it launches
	Certain bool    // whatever the values that are not known are, the host launches with them if the facts hold
}

// InStream reports whether a launch is made in another stream than the default one.
func (l *Launch) InStream() bool { return !l.stream.isDefault() }

// Argument is what a launch gives as one parameter.
type Argument struct {
	Size int64    // bytes
	Num  *Expr    // of an integer
	Ptr  *Pointer // of a pointer

	inside []*Pointer // those in a structure
	group  bool       // the host gives a number of bytes alone: memory of a group, or no array
}

// pointers are those that an argument is made of.
func (a *Argument) pointers() []*Pointer {
	if a.Ptr != nil {
		return []*Pointer{a.Ptr}
	}
	return a.inside
}

const stubMark = "__device_stub__"

// kernelOf is the symbol of the kernel that a stub of the host launches, by the rules of Itanium's C++ ABI; "" if a function
// is no stub.
func kernelOf(stub string) string {
	if rest, ok := strings.CutPrefix(stub, stubMark); ok { // extern "C"
		return rest
	}
	at := strings.Index(stub, stubMark)
	if at < 0 {
		return ""
	}
	// The length of the name stands before it, behind whatever else may end in digits.
	for from := at - 1; from >= 0 && '0' <= stub[from] && stub[from] <= '9'; from-- {
		n, err := strconv.Atoi(stub[from:at])
		if err != nil || at+n > len(stub) {
			return ""
		}
		if stub[from] != '0' && n > len(stubMark) {
			return stub[:from] + strconv.Itoa(n-len(stubMark)) + stub[at+len(stubMark):]
		}
	}
	return ""
}

// maxBlocks bounds the basic blocks of a function that is read.
const maxBlocks = 1500

// Launches are the launches of a module of the host, in the order of its text. Launches that are not understood are among
// them.
func Launches(file string, ir []byte) ([]Launch, *preproc.Problem) {
	m, problem := llvm.ParseHost(file, ir)
	if problem != nil {
		return nil, problem
	}
	if !strings.HasPrefix(m.Triple, "x86_64") {
		return nil, preproc.Refuse(file, preproc.Place{Line: 1, Col: 1}, "the host is not x86-64: "+m.Triple)
	}
	var out []Launch
	unbuilt := unbuilt(m, ir)
	for _, f := range m.Functions {
		if f.Defined && f.Problem == nil && len(f.Blocks) > 0 {
			some := launchesOf(m, f, unbuilt)
			for i := range some {
				for k := range some[i].Beside {
					some[i].Beside[k].Other += len(out)
				}
			}
			out = append(out, some...)
		}
	}
	return out, nil
}

// launchesOf are those of one function.
func launchesOf(m *llvm.Module, f *llvm.Function, unbuilt string) (out []Launch) {
	stub := kernelOf(f.Name) != ""
	stubOf := func(v *llvm.Value) string { return stubOf(m, v) }
	var r *reader
	places := map[int]where{}
	var configured, matched []where
	for _, b := range f.Blocks {
		for k, i := range b.Code {
			at := where{b, k}
			if calleeName(i) == "cudaConfigureCall" {
				configured = append(configured, at)
				continue
			}
			how, symbol := launchedBy(i, stubOf)
			if how == afterConfiguration && symbol != "" && symbol == kernelOf(f.Name) {
				continue // its callers launch
			}
			if how == noLaunch {
				if l, ok := passedOn(i, stub, stubOf); ok {
					out = append(out, l)
				}
				continue
			}
			l := placed(i)
			l.Symbol, l.Together = symbol, how == together
			if how == enqueued {
				l.Why = unbuilt
			}
			switch {
			case l.Why != "":
			case how != enqueued && symbol == "":
				l.Why = "the kernel that it launches is unknown"
			case len(f.Blocks) > maxBlocks:
				l.Why = fmt.Sprintf("a function of more than %d basic blocks", maxBlocks)
			default:
				if r == nil {
					r = newReader(m, f)
				}
				switch how {
				case atOnce, together:
					r.direct(&l, at)
				case enqueued: // which kernel it is, is read here
					r.enqueue(&l, at)
				case afterConfiguration:
					matched = append(matched, r.launch(&l, at, configurations(f))...)
				}
				r.conditions(&l, at)
				l.Released = r.released(&l, at)
				for _, a := range l.Args {
					if a.Ptr != nil && r.severalAllocations(a.Ptr.Root) && l.Why == "" {
						l.Why = "which allocation " + cmp.Or(a.Ptr.Root.Name, "a pointer") + " points to is unknown"
					}
				}
				l.Overlap = r.overlaps(&l)
			}
			places[len(out)] = at
			out = append(out, l)
		}
	}
	if r != nil {
		r.compareStreams(out, places)
	}
	for _, c := range configured {
		if !slices.Contains(matched, c) && !stub {
			l := placed(c.instr())
			l.Why = "the kernel that it launches is unknown"
			if !slices.ContainsFunc(out, func(o Launch) bool { return o.File == l.File && o.Line == l.Line && o.Why != "" }) {
				out = append(out, l)
			}
		}
	}
	return out
}

// launching is how an instruction launches a kernel.
type launching int

const (
	noLaunch           launching = iota
	afterConfiguration           // with the sizes of a call before it
	atOnce                       // with its sizes
	together                     // like atOnce, and cooperative
	enqueued                     // by OpenCL, where the host names the kernel elsewhere
)

// launchedBy says how an instruction launches a kernel, and the symbol of the kernel, "" if that is not known here.
func launchedBy(i *llvm.Instr, stubOf func(*llvm.Value) string) (how launching, symbol string) {
	switch name := calleeName(i); name {
	case "cudaLaunch":
		return afterConfiguration, stubOf(i.Args[0])
	case "gradine_launch":
		return atOnce, stubOf(i.Args[0])
	case "gradine_launch_together":
		return together, stubOf(i.Args[0])
	case "clEnqueueNDRangeKernel", "clEnqueueTask":
		return enqueued, ""
	default:
		if symbol = kernelOf(name); symbol != "" { // the stub is called
			return afterConfiguration, symbol
		}
		return noLaunch, ""
	}
}

// placed is a launch where an instruction stands.
func placed(i *llvm.Instr) Launch {
	l := Launch{Line: i.Line, Col: 1}
	if p, ok := i.Place(); ok {
		l.File, l.Line, l.Col = strings.TrimPrefix(p.File, "./"), p.Line, p.Col
	}
	return l
}

// stubOf is the symbol of the kernel whose stub an operand is, or holds: HIP has a variable for each stub, by the name of the kernel.
func stubOf(m *llvm.Module, v *llvm.Value) string {
	if v.Kind != llvm.GlobalName {
		return ""
	}
	if g := m.Global(v.Name); g != nil && g.Init != nil && g.Init.Kind == llvm.GlobalName {
		return kernelOf(g.Init.Name)
	}
	return kernelOf(v.Name)
}

// passedOn is a launch that may be made by whatever an instruction hands a kernel to.
func passedOn(i *llvm.Instr, stub bool, stubOf func(*llvm.Value) string) (l Launch, ok bool) {
	if i.Declared() != nil || stub {
		return l, false
	}
	name := calleeName(i)
	if name != "" && (quietAPI(name) || strings.HasPrefix(name, "__cudaRegister") || strings.HasPrefix(name, "__hipRegister")) {
		return l, false
	}
	i.EachValue(func(v *llvm.Value) {
		if s := stubOf(v); s != "" && !ok {
			l, ok = placed(i), true
			l.Symbol, l.Why = s, "the kernel is passed as a pointer, so it may be launched elsewhere"
		}
	})
	return l, ok
}

func configurations(f *llvm.Function) (out []where) {
	for _, b := range f.Blocks {
		for k, i := range b.Code {
			if calleeName(i) == "cudaConfigureCall" {
				out = append(out, where{b, k})
			}
		}
	}
	return out
}

// launch reads a launch that follows a configuration.
func (r *reader) launch(l *Launch, at where, all []where) (used []where) {
	var c where
	for _, o := range all {
		if r.before(o, at) && (c.b == nil || r.before(c, o)) {
			c = o
		}
	}
	if c.b == nil {
		l.Why = "its configuration is unknown"
		return nil
	}
	// No other configuration may come to pass between the two.
	for _, o := range all {
		if o != c && r.between(c, o, at) {
			l.Why = "it may use one of several configurations"
			return append(used, c)
		}
	}
	if p, ok := c.instr().Place(); ok {
		l.File, l.Line, l.Col = strings.TrimPrefix(p.File, "./"), p.Line, p.Col
	}
	if !r.configured(l, c.instr(), 0) {
		return append(used, c)
	}
	i := at.instr()
	if calleeName(i) != "cudaLaunch" { // the stub is called
		r.called(l, i)
		return append(used, c)
	}
	// The arguments are set up between the two, each on the way of the next one.
	last := c
	end := int64(0)
	l.ArgsKnown = true
	for _, b := range r.f.Blocks {
		for k, s := range b.Code {
			setup := where{b, k}
			if calleeName(s) != "cudaSetupArgument" || !r.before(c, setup) || !r.may(setup, at) {
				continue
			}
			size, ok1 := r.fixedNumber(s.Args[1])
			off, ok2 := r.fixedNumber(s.Args[2])
			if !r.before(setup, at) || !r.before(last, setup) || !ok1 || !ok2 || off < end {
				if r.between(c, setup, at) {
					l.ArgsKnown = false
				}
				continue
			}
			last, end = setup, off+size
			l.Args = append(l.Args, r.argument(setup, s.Args[0], size))
		}
	}
	return append(used, c)
}

// between reports whether o may come to pass after c and before at, without another c.
func (r *reader) between(c, o, at where) bool {
	return r.way(c, o, c) && r.way(o, at, c)
}

// way reports whether a way leads from a to b on which not, the instruction, does not stand again.
func (r *reader) way(a, b, not where) bool {
	if a.b == b.b && a.k < b.k && !(not.b == a.b && a.k < not.k && not.k < b.k) {
		return true
	}
	if not.b == a.b && not.k > a.k {
		return false
	}
	seen := map[string]bool{}
	todo := successors(a.b)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next := r.blocks[n]
		if seen[n] || next == nil {
			continue
		}
		seen[n] = true
		if next == b.b && !(not.b == next && not.k < b.k) {
			return true
		}
		if next == not.b {
			continue
		}
		todo = append(todo, successors(next)...)
	}
	return false
}

func (r *reader) fixedNumber(v *llvm.Value) (int64, bool) {
	if x := r.value(v); x.num != nil {
		return x.num.Number()
	}
	return 0, false
}

// argument is what a local holds, whose address is given before an instruction.
func (r *reader) argument(at where, address *llvm.Value, size int64) Argument {
	out := Argument{Size: size}
	t, ok := r.target(address)
	if !ok || t.at < 0 || t.l.size < 0 || t.at+size > t.l.size {
		return out
	}
	alloca, ok := r.at[t.l.register]
	if !ok {
		return out
	}
	switch typ := alloca.instr().Source; {
	case typ.Kind == llvm.Int && r.m.Layout.Store(typ) == size && t.at == 0:
		out.Num = r.read(at, t, size, typ).num
	case typ.Kind == llvm.Pointer && t.at == 0:
		out.Ptr = r.read(at, t, size, typ).ptr
	case typ.Kind == llvm.Struct:
		for k, f := range typ.Fields {
			off := r.m.Layout.Offset(typ, k) - t.at
			if f.Kind == llvm.Pointer && 0 <= off && off+8 <= size {
				out.inside = append(out.inside, r.read(at, target{t.l, t.at + off}, 8, f).ptr)
			}
		}
	}
	return out
}

// configured reads the sizes of a launch: two pairs of numbers and two more, as x86-64 passes two dim3.
func (r *reader) configured(l *Launch, i *llvm.Instr, first int) bool {
	if len(i.Args) < first+5 {
		l.Why = "its configuration is passed in an unsupported way"
		return false
	}
	var v [5]*Expr
	for k := range v {
		v[k] = r.value(i.Args[first+k]).num
	}
	if first > 0 { // with the array of arguments between
		v[4] = r.value(i.Args[first+5]).num
	}
	for k, bits := range []int{64, 32, 64, 32, 64} {
		if v[k] == nil || v[k].Bits != bits {
			l.Why = "its configuration is passed in an unsupported way"
			return false
		}
	}
	l.Grid = [3]*Expr{v[0].low(32), v[0].upper(), v[1]}
	l.Block = [3]*Expr{v[2].low(32), v[2].upper(), v[3]}
	l.Shared = v[4]
	stream := first + 5
	if first > 0 {
		stream++
	}
	if stream < len(i.Args) {
		l.stream = r.handle(i.Args[stream])
	}
	return true
}

// direct reads a launch that says all at once.
func (r *reader) direct(l *Launch, at where) {
	i := at.instr()
	if len(i.Args) < 7 || !r.configured(l, i, 1) {
		l.Why = "its configuration is passed in an unsupported way"
		return
	}
	t, ok := r.target(i.Args[5])
	if !ok || t.at < 0 || t.l.size < 0 {
		return
	}
	// Each element is the address of a local.
	for k := range (t.l.size - t.at) / 8 {
		address := r.stored(at, target{t.l, t.at + 8*k})
		if address == nil {
			return
		}
		to, ok := r.target(address)
		if !ok {
			return
		}
		l.Args = append(l.Args, r.argument(at, address, to.l.size-to.at))
	}
	l.ArgsKnown = true
}

// stored is the operand of the one store that sets a pointer in a local before an instruction, in its block or in those that
// lead to it alone; nil if there is none.
func (r *reader) stored(at where, t target) *llvm.Value {
	b, k := at.b, at.k
	// The search goes back through blocks with one predecessor. Where ways meet there may be several stores.
	for range maxBlocks {
		for k--; k >= 0; k-- {
			here := where{b, k}
			if !r.sets(here, t.l) {
				continue
			}
			i := here.instr()
			if i.Op != llvm.Store {
				return nil
			}
			to, ok := r.target(i.Args[1])
			if !ok || to.at < 0 {
				return nil
			}
			n := r.m.Layout.Store(i.Args[0].Type)
			if to.at == t.at && n == 8 {
				return i.Args[0]
			}
			// A store that overlaps in part leaves a value that was never written.
			if to.at < t.at+8 && t.at < to.at+n {
				return nil
			}
		}
		preds := r.preds[b.Name]
		if len(preds) != 1 {
			return nil
		}
		b, k = preds[0], len(preds[0].Code)
	}
	return nil
}

// called reads the arguments of a stub that is called: its parameters are those of the kernel where all are numbers
// or pointers.
func (r *reader) called(l *Launch, i *llvm.Instr) {
	for _, a := range i.Args {
		v := r.value(a)
		arg := Argument{Size: r.m.Layout.Store(a.Type), Num: v.num, Ptr: v.ptr}
		if a.Type.Kind != llvm.Int && a.Type.Kind != llvm.Pointer && a.Type.Kind != llvm.Float {
			l.Args = nil
			return
		}
		l.Args = append(l.Args, arg)
	}
	for k := range i.Args {
		if k < len(i.Given) && i.Given[k].ByVal != nil {
			l.Args = nil
			return
		}
	}
	l.ArgsKnown = true
}

// maxFacts bounds the conditions that are kept of a launch.
const maxFacts = 16

// conditions finds what holds wherever an instruction comes to pass: the branches that lead to it.
func (r *reader) conditions(l *Launch, at where) {
	used := map[*Expr]bool{}
	l.inputs(func(e *Expr) { used[e] = true })
	l.Certain = true
	var facts []*Expr
	for _, b := range r.f.Blocks {
		last := b.Code[len(b.Code)-1]
		if len(last.To) < 2 || b != at.b && !r.reach[b.Name][at.b.Name] && b != r.f.Blocks[0] {
			continue
		}
		var leads []string
		for _, to := range last.To {
			if to == at.b.Name || r.reach[to][at.b.Name] {
				leads = append(leads, to)
			}
		}
		if len(leads) == len(last.To) && !r.dom[at.b.Name][b.Name] || len(leads) == 0 {
			continue
		}
		taken := ""
		for k, to := range last.To {
			if r.dom[at.b.Name][to] && len(r.preds[to]) == 1 && to != b.Name && !slices.Contains(last.To[:k], to) && !slices.Contains(last.To[k+1:], to) {
				taken = to
			}
		}
		if taken == "" {
			l.Certain = l.Certain && len(leads) == len(last.To)
			continue
		}
		if last.Op != llvm.Br || len(last.Args) != 1 {
			l.Certain = false
			continue
		}
		if r.ofAPI(last.Args[0]) {
			continue
		}
		e := r.value(last.Args[0]).num
		if e == nil || e.IsUnknown() {
			l.Certain = false
			continue
		}
		if taken == last.To[1] {
			e = e.not()
		}
		facts = append(facts, e)
	}
	// Those that say something of the launch, also by way of others.
	for more := true; more; {
		more = false
		for _, e := range facts {
			about := false
			e.unknowns(func(u *Expr) { about = about || used[u] })
			if !about || slices.Contains(l.Facts, e) {
				continue
			}
			if len(l.Facts) == maxFacts {
				l.Certain = false
				break
			}
			l.Facts = append(l.Facts, e)
			e.unknowns(func(u *Expr) { used[u] = true })
			more = true
		}
	}
	for e := range used {
		l.Certain = l.Certain && e.input
	}
}

// ofAPI reports whether a condition asks whether a function of the host API has succeeded: all do.
func (r *reader) ofAPI(v *llvm.Value) bool {
	at, ok := r.at[v.Name]
	if v.Kind != llvm.Register || !ok || at.instr().Op != llvm.ICmp {
		return false
	}
	x := at.instr().Args[0]
	def, ok := r.at[x.Name]
	if x.Kind != llvm.Register || !ok {
		return false
	}
	name := calleeName(def.instr())
	return strings.HasPrefix(name, "gradine_") || knownCL(name) || name == "cudaSetupArgument" || name == "cudaConfigureCall" || quietAPI(name)
}

// inputs visits the values that are not known and that a launch is given.
func (l *Launch) inputs(visit func(*Expr)) {
	for d := range 3 {
		l.Grid[d].unknowns(visit)
		l.Block[d].unknowns(visit)
	}
	l.Shared.unknowns(visit)
	for _, a := range l.Args {
		a.Num.unknowns(visit)
		if a.Ptr != nil {
			a.Ptr.Off.unknowns(visit)
			a.Ptr.Root.Bytes.unknowns(visit)
		}
	}
}

// Text says how a launch is made, and what holds of values of the host wherever it is, for people.
func (l *Launch) Text() string {
	out := fmt.Sprintf("block %s, grid %s", dims(l.Block), dims(l.Grid))
	if n, ok := l.Shared.Number(); !ok || n != 0 {
		out += ", shared memory " + l.Shared.String() + " bytes"
	}
	for _, c := range l.conditions() {
		out += ", " + c
	}
	return out
}

// conditions are the facts about values that have names, and that sizes of allocations are not negative: the proof uses them.
func (l *Launch) conditions() (out []string) {
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	// Facts come first, and a size of an allocation is only told where no fact says more of it.
	var fact func(e *Expr)
	fact = func(e *Expr) {
		if e.Op == llvm.And && e.Bits == 1 && len(e.Args) == 2 {
			fact(e.Args[0])
			fact(e.Args[1])
			return
		}
		if e.spelled() {
			add(e.String())
		}
	}
	for _, e := range l.Facts {
		fact(e)
	}
	for _, a := range l.Args {
		if a.Ptr == nil || a.Ptr.Root.Bytes == nil {
			continue
		}
		n := a.Ptr.Root.Bytes.counted()
		if n != nil && !slices.ContainsFunc(out, func(c string) bool {
			return strings.HasPrefix(c, n.String()+" >") || strings.HasPrefix(c, n.String()+" == ")
		}) {
			add(n.String() + " >= 0")
		}
	}
	return out
}
