package host

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// Applied is a kernel as a launch uses it.
type Applied struct {
	Module        *llvm.Module
	Kernel        *llvm.Function
	Local, Groups [3]int64 // sizes that are constants, 0 for others
	Arguments     []string // values of the parameters other than pointers: constants, "*" for others
	Assumed       []string // what is not known of the launch
	Why           string   // why it cannot be: the launch does not succeed
}

// threadSizes are the functions of a target that give the sizes of a group and of the grid: one for each dimension in CUDA, and
// those of OpenCL and HIP take the dimension and give 64 bits.
func threadSizes(triple string) (names [2]string, takes bool) {
	switch arch, _, _ := strings.Cut(triple, "-"); {
	case arch == "amdgcn":
		return [2]string{"__ockl_get_local_size", "__ockl_get_num_groups"}, true
	case strings.HasPrefix(arch, "spir"):
		return [2]string{"_Z14get_local_sizej", "_Z14get_num_groupsj"}, true
	}
	return [2]string{"llvm.nvvm.read.ptx.sreg.ntid.", "llvm.nvvm.read.ptx.sreg.nctaid."}, false
}

// sizeIs says that the size of a group (0) or of the grid (1) in a dimension is a number of 32 bits.
func (a *applier) sizeIs(which, d int, x *llvm.Value) {
	names, takes := threadSizes(a.m.Triple)
	if !takes {
		a.require("eq", a.call(names[which]+"xyz"[d:d+1], llvm.IntType(32)), x)
		return
	}
	wide := a.emit(&llvm.Instr{Op: llvm.ZExt, Type: llvm.IntType(64), Args: []*llvm.Value{x}})
	a.require("eq", a.call(names[which], llvm.IntType(64), number(32, big.NewInt(int64(d)))), wide)
}

// Apply makes of a kernel one that is launched as l says: at its entry it owes what the launch keeps, and its parameters
// are what the launch gives. Values of the host that are not known become further parameters.
func Apply(m *llvm.Module, f *llvm.Function, l *Launch) *Applied {
	a := &applier{m: m, made: map[*Expr]*llvm.Value{}, out: &Applied{}}
	k := *f
	k.Params = slices.Clone(f.Params)
	k.Blocks = slices.Clone(f.Blocks)
	a.f = &k
	args := l.Args
	if !l.ArgsKnown || !a.fits(args) {
		args = make([]Argument, len(k.Params))
		if len(k.Params) > 0 {
			a.assume("the arguments of the launch are not read")
		}
	}
	for n, arg := range args {
		if arg.Num != nil && arg.Num.IsUnknown() && a.made[arg.Num] == nil && k.Params[n].Type.Kind == llvm.Int && k.Params[n].Type.Bits == arg.Num.Bits { // the parameter stands for it
			a.made[arg.Num] = register(k.Params[n])
		}
	}
	a.sizes(l)
	a.arguments(args)
	a.pointers(args)
	a.shared(l.Shared)
	for _, e := range l.Facts {
		a.call(requires, voidType, a.value(e))
	}
	entry := *k.Blocks[0]
	shift := len(a.code)
	entry.Code = append(a.code, entry.Code...)
	entry.Debug = slices.Clone(entry.Debug)
	for i, d := range entry.Debug {
		moved := *d
		moved.Before += shift
		entry.Debug[i] = &moved
	}
	k.Blocks[0] = &entry
	declared := func(name string, ret *llvm.Type) *llvm.Function {
		return &llvm.Function{Name: name, Ret: ret}
	}
	more := []*llvm.Function{&k, declared(requires, voidType), declared(llvm.Extent, voidType)}
	names, takes := threadSizes(m.Triple)
	for _, size := range names {
		if takes {
			more = append(more, declared(size, llvm.IntType(64)))
			continue
		}
		for d := range 3 {
			more = append(more, declared(size+"xyz"[d:d+1], llvm.IntType(32)))
		}
	}
	a.out.Module, a.out.Kernel = m.With(more...), &k
	return a.out
}

// maxAllocation is the largest power of two of bytes that may be allocated: no device has more addresses.
const maxAllocation = 47

// groupSpace is the number of the address space of a group, in all targets.
const groupSpace = 3

const requires = "__requires"

var voidType = &llvm.Type{Kind: llvm.Void}

// applier writes what a kernel does at its entry.
type applier struct {
	m    *llvm.Module
	f    *llvm.Function
	code []*llvm.Instr
	made map[*Expr]*llvm.Value
	next int
	out  *Applied
}

func (a *applier) assume(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(a.out.Assumed, text) {
		a.out.Assumed = append(a.out.Assumed, text)
	}
}

func register(p llvm.Param) *llvm.Value {
	return &llvm.Value{Kind: llvm.Register, Type: p.Type, Name: p.Name}
}

// fits reports whether arguments are those of the parameters, one by one.
func (a *applier) fits(args []Argument) bool {
	if len(args) != len(a.f.Params) {
		return false
	}
	for n, p := range a.f.Params {
		t := p.Type
		if p.Attrs.ByVal != nil {
			t = p.Attrs.ByVal
		}
		if a.m.Layout.Size(t) != args[n].Size && a.m.Layout.Store(t) != args[n].Size {
			return false
		}
	}
	return true
}

// emit appends an instruction.
func (a *applier) emit(i *llvm.Instr) *llvm.Value {
	i.Line = a.f.Line
	if i.Type.Kind != llvm.Void && i.Name == "" {
		i.Name = fmt.Sprintf("host.%d", a.next)
		a.next++
	}
	a.code = append(a.code, i)
	return &llvm.Value{Kind: llvm.Register, Type: i.Type, Name: i.Name}
}

func (a *applier) call(name string, ret *llvm.Type, args ...*llvm.Value) *llvm.Value {
	return a.emit(&llvm.Instr{Op: llvm.Call, Type: ret, Source: ret, Callee: &llvm.Value{Kind: llvm.GlobalName, Name: name, Type: &llvm.Type{Kind: llvm.Pointer}}, Args: args, Given: make([]llvm.Attributes, len(args))})
}

// require says that a comparison holds of the launch.
func (a *applier) require(pred string, x, y *llvm.Value) {
	a.call(requires, voidType, a.emit(&llvm.Instr{Op: llvm.ICmp, Type: llvm.IntType(1), Pred: pred, Args: []*llvm.Value{x, y}}))
}

func number(bits int, n *big.Int) *llvm.Value {
	return &llvm.Value{Kind: llvm.IntConstant, Type: llvm.IntType(bits), Int: n}
}

// value writes an expression.
func (a *applier) value(e *Expr) *llvm.Value {
	if v := a.made[e]; v != nil {
		return v
	}
	var v *llvm.Value
	switch {
	case e.Const != nil && e.Bits > 1: // as the text of a module has it
		v = number(e.Bits, e.signed())
	case e.Const != nil:
		v = number(e.Bits, e.Const)
	case e.IsUnknown():
		p := llvm.Param{Name: a.free(e.Name), Type: llvm.IntType(e.Bits), Attrs: llvm.Attributes{Words: map[string]string{}}}
		a.f.Params = append(a.f.Params, p)
		v = register(p)
	default:
		i := &llvm.Instr{Op: e.Op, Type: llvm.IntType(e.Bits), Pred: e.Pred}
		for _, x := range e.Args {
			i.Args = append(i.Args, a.value(x))
		}
		if divides(e.Op) && i.Args[1].Kind != llvm.IntConstant { // the host has divided by it
			a.require("ne", i.Args[1], number(e.Bits, new(big.Int)))
		}
		v = a.emit(i)
	}
	a.made[e] = v
	return v
}

// free is a name that no parameter has.
func (a *applier) free(name string) string {
	if name == "" || strings.Trim(name, "0123456789") == "" {
		name = "host"
	}
	out := name
	for k := 2; slices.ContainsFunc(a.f.Params, func(p llvm.Param) bool { return p.Name == out }) || a.named(out); k++ {
		out = fmt.Sprintf("%s.%d", name, k)
	}
	return out
}

// named reports whether a name is that of a parameter in the source, or of a register.
func (a *applier) named(name string) bool {
	for k := range a.f.Params {
		if a.f.ParamName(k) == name {
			return true
		}
	}
	for _, b := range a.f.Blocks {
		for _, i := range b.Code {
			if i.Name == name {
				return true
			}
		}
	}
	return false
}

// sizes says what the launch keeps of its sizes.
func (a *applier) sizes(l *Launch) {
	// A size that nothing else depends on may be any. One that is linked to other values keeps its expression.
	linked := map[*Expr]int{}
	count := func(e *Expr) { e.unknowns(func(u *Expr) { linked[u]++ }) }
	for d := range 3 {
		count(l.Block[d])
		count(l.Grid[d])
	}
	for _, arg := range l.Args {
		count(arg.Num)
		if arg.Ptr != nil {
			count(arg.Ptr.Off)
			count(arg.Ptr.Root.Bytes)
		}
	}
	for _, e := range l.Facts {
		count(e)
	}
	for which, of := range [2][3]*Expr{l.Block, l.Grid} {
		fixed := [2]*[3]int64{&a.out.Local, &a.out.Groups}[which]
		word := [2]string{"block", "grid"}[which]
		for d, e := range of {
			if n, ok := e.Number(); ok {
				if n < 1 || n >= 1<<31 {
					a.out.Why = fmt.Sprintf("the launch fails: its %s has %s in %s", word, e, "xyz"[d:d+1])
				}
				fixed[d] = n
				continue
			}
			if e.IsUnknown() && linked[e] == 1 {
				a.assume("the size of the %s in %s is unknown, so any size is assumed", word, "xyz"[d:d+1])
				continue
			}
			a.sizeIs(which, d, a.value(e))
		}
	}
}

// arguments gives parameters that are numbers their values.
func (a *applier) arguments(args []Argument) {
	for n, arg := range args {
		p := &a.f.Params[n]
		if p.Type.Kind == llvm.Pointer && p.Attrs.ByVal == nil {
			continue
		}
		said := "*"
		if v, ok := arg.Num.Number(); ok && p.Type.Kind == llvm.Int {
			said = fmt.Sprint(v)
		} else if p.Type.Kind == llvm.Int && arg.Num != nil && !arg.Num.IsUnknown() && arg.Num.Bits == p.Type.Bits {
			x := a.value(arg.Num)
			a.replace(&a.f.Params[n], &llvm.Instr{Op: llvm.Freeze, Type: p.Type, Args: []*llvm.Value{x}})
		} else if p.Type.Kind == llvm.Int && arg.Num != nil && arg.Num.IsUnknown() && arg.Num.Bits == p.Type.Bits {
			if v := a.made[arg.Num]; v != nil && v.Name != p.Name { // two parameters are given one value
				a.replace(p, &llvm.Instr{Op: llvm.Freeze, Type: p.Type, Args: []*llvm.Value{v}})
			}
		}
		a.out.Arguments = append(a.out.Arguments, said)
	}
}

// replace makes an instruction of a parameter: what the host gives is not what the kernel works with.
func (a *applier) replace(p *llvm.Param, i *llvm.Instr) {
	i.Name = p.Name
	p.Name += ".given"
	a.emit(i)
}

// pointers says of pointers which lead to one array, and how large arrays are.
func (a *applier) pointers(args []Argument) {
	first := map[*Root]int{}
	for n, arg := range args {
		p := &a.f.Params[n]
		if p.Type.Kind != llvm.Pointer || p.Attrs.ByVal != nil {
			continue
		}
		if arg.group && p.Type.Space != groupSpace {
			a.out.Why = "parameter " + a.f.ParamName(n) + " is given a null pointer"
			return
		}
		if arg.Ptr == nil {
			a.assume("the array of parameter %s is unknown", a.f.ParamName(n))
			continue
		}
		if k, ok := first[arg.Ptr.Root]; ok {
			off := operation(llvm.Sub, 64, "", arg.Ptr.Off, args[k].Ptr.Off)
			a.replace(p, &llvm.Instr{Op: llvm.GetElementPtr, Type: p.Type, Source: llvm.IntType(8), Args: []*llvm.Value{register(a.f.Params[k]), a.value(off)}})
			continue
		}
		first[arg.Ptr.Root] = n
		if bytes := arg.Ptr.Root.Bytes; bytes != nil && !bytes.IsUnknown() {
			off := a.value(arg.Ptr.Off)
			a.require("ule", a.value(bytes), number(64, new(big.Int).Lsh(big.NewInt(1), maxAllocation))) // more is not given
			a.call(llvm.Extent, voidType, register(*p), off, a.value(operation(llvm.Sub, 64, "", bytes, arg.Ptr.Off)))
		} else {
			a.assume("the size of the array of parameter %s is unknown", a.f.ParamName(n))
		}
	}
}

// shared says how much memory of a group the launch gives: all arrays without a size begin at one place.
func (a *applier) shared(bytes *Expr) {
	for _, g := range a.m.Globals {
		if g.Space != groupSpace || g.Init != nil || g.Alias {
			continue
		}
		if bytes.IsUnknown() && bytes.Name == "" {
			a.assume("the amount of dynamic shared memory is unknown")
			return
		}
		at := &llvm.Value{Kind: llvm.GlobalName, Name: g.Name, Type: &llvm.Type{Kind: llvm.Pointer, Space: groupSpace}}
		a.call(llvm.Extent, voidType, at, number(64, new(big.Int)), a.value(bytes))
	}
}
