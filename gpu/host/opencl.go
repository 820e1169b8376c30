package host

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// A host of OpenCL makes a kernel by its name, sets its arguments one by one, and enqueues it. The kernel, and what its arguments are,
// is known where all of this stands in one function, and in what clang inlines into it.

// quietCL are functions of OpenCL's host API that keep no address that they are given, and set nothing but what they are given.
var quietCL = func() map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields("GetPlatformIDs GetPlatformInfo GetDeviceIDs GetDeviceInfo RetainContext ReleaseContext GetContextInfo ReleaseDevice CreateContext " +
		"CreateContextFromType CreateCommandQueue CreateCommandQueueWithProperties ReleaseCommandQueue RetainCommandQueue CreateSampler ReleaseSampler " +
		"RetainMemObject ReleaseMemObject GetMemObjectInfo CreateProgramWithSource CreateProgramWithBinary ReleaseProgram GetProgramInfo GetProgramBuildInfo " +
		"CreateKernel RetainKernel ReleaseKernel SetKernelArg GetKernelInfo GetKernelWorkGroupInfo WaitForEvents GetEventInfo ReleaseEvent " +
		"RetainEvent GetEventProfilingInfo Flush Finish EnqueueFillBuffer EnqueueCopyBuffer EnqueueNDRangeKernel EnqueueBarrier EnqueueMarker " +
		"EnqueueMarkerWithWaitList EnqueueBarrierWithWaitList CreateUserEvent EnqueueUnmapMemObject") {
		out["cl"+n] = true
	}
	return out
}()

// knownCL reports whether a function of OpenCL's host API is understood, and tells by what it returns whether it has succeeded.
func knownCL(name string) bool {
	return quietCL[name] || name == "clBuildProgram" || strings.HasPrefix(name, "clEnqueue")
}

// calmCL reports whether a call of OpenCL's host API keeps no address: of some functions, with these arguments.
func (r *reader) calmCL(i *llvm.Instr) bool {
	switch name := calleeName(i); name {
	case "clCreateBuffer": // the device may write to memory of the host
		flags, ok := r.constant(i, 1)
		return ok && flags&useHostPtr == 0
	case "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueReadImage", "clEnqueueWriteImage":
		blocking, ok := r.constant(i, 2)
		return ok && blocking != 0
	case "clBuildProgram":
		return len(i.Args) == 6 && i.Args[4].Kind == llvm.NullPointer
	default:
		return quietCL[name]
	}
}

// Bits of flags.
const (
	useHostPtr = 1 << 3
	outOfOrder = 1 << 0
)

// constant is an argument of a call that is a constant, as the call has it.
func (r *reader) constant(i *llvm.Instr, n int) (int64, bool) {
	if n >= len(i.Args) || i.Args[n].Kind != llvm.IntConstant || !i.Args[n].Int.IsInt64() {
		return 0, false
	}
	return i.Args[n].Int.Int64(), true
}

// null reports whether an operand is the null pointer.
func null(v *llvm.Value) bool { return v.Kind == llvm.NullPointer || v.Kind == llvm.Zero }

// text is the string that an operand points to; ok says whether it is constant.
func (r *reader) text(v *llvm.Value) (s string, ok bool) {
	if v.Kind == llvm.Expression && v.Expr.Op == llvm.GetElementPtr && !slices.ContainsFunc(v.Expr.Args[1:], func(n *llvm.Value) bool { return n.Kind != llvm.IntConstant || n.Int.Sign() != 0 }) {
		v = v.Expr.Args[0] // its first character
	}
	if v.Kind != llvm.GlobalName {
		return "", false
	}
	g := r.m.Global(v.Name)
	if g == nil || !g.Settled() {
		return "", false
	}
	if g.Init.Kind == llvm.Zero {
		return "", true
	}
	if g.Init.Kind == llvm.Bytes {
		s, _, ok = strings.Cut(g.Init.Name, "\x00")
		return s, ok
	}
	var b strings.Builder
	for _, e := range g.Init.Elems {
		if e.Kind != llvm.IntConstant {
			return "", false
		}
		c := byte(e.Int.Int64())
		if c == 0 {
			return b.String(), true
		}
		b.WriteByte(c)
	}
	return "", false
}

// buffer is the allocation that clCreateBuffer makes.
func (r *reader) buffer(at where) value {
	i := at.instr()
	if flags, ok := r.constant(i, 1); !ok || flags&useHostPtr != 0 || len(i.Args) != 5 {
		return value{}
	}
	root := &Root{Name: r.names[i.Name], Bytes: unknown(64, ""), made: at}
	r.known[i.Name] = value{ptr: &Pointer{root, constant(64, new(big.Int))}} // a size may mention it
	if n := r.value(i.Args[2]); n.num != nil && n.num.Bits == 64 {
		root.Bytes = n.num
	}
	return r.known[i.Name]
}

// unbuilt says why programs of a module may be other than the source: the host builds them with options, or keeps no order in its
// queues; "" if it does neither.
func unbuilt(m *llvm.Module, ir []byte) string {
	r := &reader{m: m}
	seen := map[string]int{}
	for _, f := range m.Functions {
		for _, b := range f.Blocks {
			for _, i := range b.Code {
				name := calleeName(i)
				seen[name]++
				switch name {
				case "clBuildProgram":
					if len(i.Args) != 6 || !r.plainOptions(i.Args[3]) {
						return "the host builds its program with options, which may change what the kernel does"
					}
				case "clCompileProgram", "clLinkProgram":
					return "the host compiles and links its program in parts"
				case "clCreateCommandQueue":
					if flags, ok := r.constant(i, 2); !ok || flags&outOfOrder != 0 {
						return "the host makes queues that may not keep the order of commands"
					}
				case "clCreateCommandQueueWithProperties":
					if len(i.Args) != 4 || !null(i.Args[2]) {
						return "the host makes queues that may not keep the order of commands"
					}
				}
			}
		}
	}
	// What a function does that is not read, or does through a pointer, is not known: the text of the module names more than these calls.
	for _, name := range []string{"clBuildProgram", "clCompileProgram", "clLinkProgram", "clCreateCommandQueue", "clCreateCommandQueueWithProperties"} {
		if n := bytes.Count(ir, []byte("@"+name+"(")); n > seen[name]+1 || n != bytes.Count(ir, []byte("@"+name))-bytes.Count(ir, []byte("@"+name+"With")) && name == "clCreateCommandQueue" {
			return "the host makes its program or its queues in a way that is not read"
		}
	}
	return ""
}

// plainCL are options of a build that change neither values nor what macros say.
var plainCL = strings.Fields("-w -Werror -g -cl-opt-disable -cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-denorms-are-zero " +
	"-cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info -cl-uniform-work-group-size -cl-strict-aliasing -cl-std=CL1.2")

// plainOptions reports whether options of a build change nothing that a proof is about. Another version of the language is another program
// where the source asks for it.
func (r *reader) plainOptions(v *llvm.Value) bool {
	if null(v) {
		return true
	}
	text, ok := r.text(v)
	return ok && !slices.ContainsFunc(strings.Fields(text), func(o string) bool { return !slices.Contains(plainCL, o) })
}

// enqueue reads a launch by clEnqueueNDRangeKernel.
func (r *reader) enqueue(l *Launch, at where) {
	i := at.instr()
	if len(i.Args) != 9 {
		l.Why = "its configuration is passed in an unsupported way"
		return
	}
	made, root := r.kernelMade(i.Args[1])
	if made == nil {
		l.Why = "the kernel that it launches is unknown"
		return
	}
	name, ok := r.text(made.Args[1])
	if !ok {
		l.Why = "the kernel that it launches is unknown"
		return
	}
	l.Symbol = name
	l.stream = r.handle(i.Args[0])
	l.Shared = constant(64, new(big.Int))
	l.Assumed = r.madeElsewhere(made, i)
	if r.ranges(l, at); l.Why == "" && !r.setArguments(l, at, root) {
		l.Why = "its arguments are set in a way that is not followed"
	}
}

// What is assumed of a queue and of a program that the function of a launch does not make: of those that a file makes, unbuilt knows.
const (
	queueInOrder = "the queue of the launch is made elsewhere: it keeps the order of its commands"
	plainProgram = "the program of the launch is built elsewhere: from this file, without options that change values or macros"
)

// madeElsewhere is what is assumed of the program that a kernel is made of, and of the queue of a launch.
func (r *reader) madeElsewhere(kernel, launch *llvm.Instr) (out []string) {
	from := func(v *llvm.Value) (*Root, string) {
		p := r.value(v).ptr
		if p == nil || p.Root.register == "" {
			return nil, ""
		}
		return p.Root, calleeName(r.instrOf(p.Root.register))
	}
	if _, by := from(launch.Args[0]); by != "clCreateCommandQueue" && by != "clCreateCommandQueueWithProperties" {
		out = append(out, queueInOrder)
	}
	built := false
	if program, by := from(kernel.Args[0]); by == "clCreateProgramWithSource" || by == "clCreateProgramWithBinary" {
		for _, b := range r.f.Blocks {
			for _, i := range b.Code {
				if calleeName(i) == "clBuildProgram" && len(i.Args) == 6 {
					other, _ := from(i.Args[0])
					built = built || other == program
				}
			}
		}
	}
	if !built {
		out = append(out, plainProgram)
	}
	return out
}

// kernelMade is the call of clCreateKernel that gives an operand, and the root of its pointer; nil if it is not known to be one.
func (r *reader) kernelMade(v *llvm.Value) (*llvm.Instr, *Root) {
	p := r.value(v).ptr
	if p == nil {
		return nil, nil
	}
	def, ok := r.at[p.Root.register]
	if n, known := p.Off.Number(); !ok || !known || n != 0 || calleeName(def.instr()) != "clCreateKernel" || len(def.instr().Args) != 3 {
		return nil, nil
	}
	return def.instr(), p.Root
}

// ranges reads the sizes of a launch, and what they have to keep: the grid is as many groups as the threads fill.
func (r *reader) ranges(l *Launch, at where) {
	i := at.instr()
	dims, ok := r.constant(i, 2)
	if !ok || dims < 1 || dims > 3 {
		l.Why = "the number of its dimensions is unknown"
		return
	}
	for d := range 3 {
		l.Block[d], l.Grid[d] = constant(32, big.NewInt(1)), constant(32, big.NewInt(1))
		if int64(d) >= dims {
			continue
		}
		if !null(i.Args[3]) {
			if n, ok := r.sizeAt(at, i.Args[3], d).Number(); !ok || n != 0 {
				l.Why = "its ids may begin above 0"
				return
			}
		}
		global := r.sizeAt(at, i.Args[4], d)
		local := operation(llvm.ZExt, 64, "", unknown(32, "")) // the implementation chooses
		if !null(i.Args[5]) {
			local = r.sizeAt(at, i.Args[5], d)
		}
		if global == nil || local == nil || null(i.Args[4]) {
			l.Why = "the number of its threads is unknown"
			return
		}
		if r.split(l, global, local); l.Why != "" {
			return
		}
		l.Block[d], l.Grid[d] = local.low(32), quotient(global, local).low(32)
	}
}

// split says what the numbers of threads of the grid and of a group keep: the launch fails where they do not.
func (r *reader) split(l *Launch, global, local *Expr) {
	most := constant(64, new(big.Int).Lsh(big.NewInt(1), 31)) // launches are smaller, see docs/kernels.md
	for _, n := range []*Expr{global, local} {
		if n.Const == nil {
			l.Facts = append(l.Facts, operation(llvm.ICmp, 1, "ult", n, most))
		} else if n.Const.Sign() == 0 || n.Const.Cmp(most.Const) >= 0 {
			l.Why = "the launch fails: it has no threads, or too many"
			return
		}
	}
	switch {
	case global.Const != nil && local.Const != nil:
		if new(big.Int).Rem(global.Const, local.Const).Sign() != 0 {
			l.Why = "the launch fails: its threads do not fill its groups"
		}
	default:
		l.Facts = append(l.Facts, operation(llvm.ICmp, 1, "eq", operation(llvm.URem, 64, "", global, local), constant(64, new(big.Int))))
	}
}

// quotient is how many groups threads fill.
func quotient(global, local *Expr) *Expr {
	if global.Const != nil && local.Const != nil {
		return constant(64, new(big.Int).Div(global.Const, local.Const))
	}
	return operation(llvm.UDiv, 64, "", global, local)
}

// sizeAt is an element of an array of sizes: an unknown value if it is not understood, nil if the array has no such element.
func (r *reader) sizeAt(at where, v *llvm.Value, d int) *Expr {
	t, ok := r.target(v)
	if ok && t.at >= 0 {
		if t.l.size >= 0 && t.l.size < t.at+8*int64(d+1) {
			return nil
		}
		if n := r.read(at, target{t.l, t.at + 8*int64(d)}, 8, llvm.IntType(64)).num; n != nil && n.Bits == 64 {
			return n
		}
	}
	if v.Kind == llvm.GlobalName { // a constant array
		if g := r.m.Global(v.Name); g != nil && g.Settled() {
			if g.Init.Kind == llvm.IntConstant && d == 0 && g.Init.Type.Bits == 64 {
				return constant(64, g.Init.Int)
			}
			if d < len(g.Init.Elems) && g.Init.Elems[d].Kind == llvm.IntConstant && g.Init.Elems[d].Type.Bits == 64 {
				return constant(64, g.Init.Elems[d].Int)
			}
		}
	}
	return unknown(64, "")
}

// setArguments reads the arguments that were set of a kernel: of each one the last setting that comes to pass before the launch. Where
// something else may set one, it reports false.
func (r *reader) setArguments(l *Launch, at where, kernel *Root) bool {
	if r.shares(kernel) {
		return false
	}
	create := r.at[kernel.register]
	var sets []where
	for _, b := range r.f.Blocks {
		for k, i := range b.Code {
			if calleeName(i) != "clSetKernelArg" || len(i.Args) != 4 {
				continue
			}
			s := where{b, k}
			if p := r.value(i.Args[0]).ptr; p == nil || p.Root.register == "" || calleeName(r.instrOf(p.Root.register)) != "clCreateKernel" {
				if r.may(s, at) {
					return false // it may be this kernel
				}
			} else if p.Root == kernel {
				sets = append(sets, s)
			}
		}
	}
	last := map[int64]where{}
	for _, s := range sets {
		n, ok := r.constant(s.instr(), 1)
		if !ok {
			if r.may(s, at) {
				return false
			}
			continue
		}
		if r.before(s, at) && r.before(create, s) && (last[n].b == nil || r.before(last[n], s)) {
			last[n] = s
		}
	}
	for _, s := range sets {
		if n, _ := r.constant(s.instr(), 1); last[n].b == nil && r.may(s, at) || last[n].b != nil && s != last[n] && r.between(last[n], s, at) {
			return false // it may be set otherwise
		}
	}
	args := make([]Argument, len(last))
	for n, s := range last {
		if n < 0 || n >= int64(len(last)) {
			return false
		}
		a, ok := r.argumentOf(s)
		if !ok || a.Ptr != nil && calleeName(r.instrOf(a.Ptr.Root.register)) == "clCreateSubBuffer" {
			return false
		}
		args[n] = a
	}
	l.Args, l.ArgsKnown = args, true
	return true
}

// instrOf is the instruction that defines a register; an empty one if none does.
func (r *reader) instrOf(register string) *llvm.Instr {
	if at, ok := r.at[register]; ok {
		return at.instr()
	}
	return &llvm.Instr{}
}

// shares reports whether something else than functions of the API is given a kernel: it may set arguments.
func (r *reader) shares(kernel *Root) bool {
	for _, b := range r.f.Blocks {
		for _, i := range b.Code {
			if t, ok := r.target(operand(i, 1)); ok && i.Op == llvm.Store && len(t.l.given) > 0 {
				if p := r.value(i.Args[0]).ptr; p != nil && p.Root == kernel {
					return true // what is given the variable may set arguments
				}
			}
			if i.Declared() != nil || i.Op == llvm.ICmp || i.Op == llvm.Call && quietCL[calleeName(i)] {
				continue
			}
			found := false
			i.EachValue(func(v *llvm.Value) {
				if v.Kind == llvm.Register && v.Type != nil && v.Type.Kind == llvm.Pointer {
					p := r.value(v).ptr
					found = found || p != nil && p.Root == kernel
				}
			})
			if _, toLocal := r.target(operand(i, 1)); found && !(i.Op == llvm.Store && toLocal || i.Op == llvm.Load) {
				return true
			}
		}
	}
	return false
}

// operand is one of an instruction, a constant where it has no such one.
func operand(i *llvm.Instr, n int) *llvm.Value {
	if n < len(i.Args) {
		return i.Args[n]
	}
	return &llvm.Value{Kind: llvm.NullPointer}
}

// argumentOf is what one call of clSetKernelArg sets; ok says whether its size is known.
func (r *reader) argumentOf(at where) (a Argument, ok bool) {
	i := at.instr()
	size, ok := r.fixedNumber(i.Args[2])
	if null(i.Args[3]) { // memory of a group
		n := r.value(i.Args[2]).num
		if n == nil || n.Bits != 64 {
			n = unknown(64, "")
		}
		return Argument{Size: 8, Ptr: &Pointer{&Root{Bytes: n}, constant(64, new(big.Int))}, group: true}, true
	}
	if !ok {
		return a, false
	}
	a = Argument{Size: size}
	t, local := r.target(i.Args[3])
	switch {
	case local && t.at >= 0 && t.l.size >= t.at+size && (size == 8 || size == 4):
		if size == 8 {
			if p := r.read(at, t, 8, &llvm.Type{Kind: llvm.Pointer}).ptr; p != nil && p.Root.local == nil { // a pointer was put there
				a.Ptr = p
				break
			}
		}
		a.Num = r.read(at, t, size, llvm.IntType(int(8*size))).num
		if a.Ptr == nil && size == 8 {
			a.Ptr = &Pointer{&Root{Name: t.l.name, from: i.Args[3]}, constant(64, new(big.Int))}
		}
	case size == 8 && !local && r.mayLeadToLocal(i.Args[3], at):
		return a, false
	case size == 8: // a handle, in memory that is not followed
		a.Ptr = &Pointer{&Root{from: i.Args[3]}, constant(64, new(big.Int))}
	}
	return a, true
}

// mayLeadToLocal reports whether an address, which is of no local by its form, may lead to one before an instruction: it was chosen, or read
// from memory, and the address of a local was, too.
func (r *reader) mayLeadToLocal(v *llvm.Value, at where) bool {
	if p := r.value(v).ptr; p != nil && p.Root.known() {
		return false
	}
	for _, l := range r.locals {
		if r.kept(at, l) {
			return true
		}
	}
	return false
}
