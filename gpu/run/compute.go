package run

import (
	"math"

	"github.com/gradine/gradine/gpu/llvm"
)

// compute is the value of an instruction that accesses no memory.
func (r *runner) compute(fr *frame, i *llvm.Instr) value {
	var args []value
	for _, a := range i.Args {
		args = append(args, r.value(fr, a))
	}
	switch i.Op {
	case llvm.GetElementPtr:
		return r.element(i, args)
	case llvm.ExtractValue:
		v := args[0]
		for _, k := range i.Index {
			v = v.parts[k]
		}
		return v
	case llvm.InsertValue:
		return inserted(args[0], args[1], i.Index)
	case llvm.ExtractElement:
		if args[1].unknown || args[1].u >= uint64(len(args[0].parts)) {
			return value{unknown: true}
		}
		return args[0].parts[args[1].u]
	case llvm.InsertElement:
		if args[2].unknown || args[2].u >= uint64(len(args[0].parts)) {
			return r.shaped(i.Type, func(*llvm.Type) value { return value{unknown: true} })
		}
		return inserted(args[0], args[1], []int64{int64(args[2].u)})
	case llvm.ShuffleVector:
		all := append(append([]value{}, args[0].parts...), args[1].parts...)
		out := value{parts: []value{}}
		for _, m := range args[2].parts {
			if m.unknown || m.u >= uint64(len(all)) {
				out.parts = append(out.parts, value{unknown: true})
			} else {
				out.parts = append(out.parts, all[m.u])
			}
		}
		return out
	case llvm.Select:
		if args[0].parts == nil {
			if r.holds(args[0]) {
				return args[1]
			}
			return args[2]
		}
		out := value{parts: []value{}}
		for k, c := range args[0].parts {
			if r.holds(c) {
				out.parts = append(out.parts, args[1].parts[k])
			} else {
				out.parts = append(out.parts, args[2].parts[k])
			}
		}
		return out
	case llvm.BitCast:
		return r.cast(i, args[0])
	}
	// Everything else works lane by lane.
	n := 1
	lanes := false
	for _, a := range args {
		if a.parts != nil {
			n, lanes = len(a.parts), true
		}
	}
	if !lanes {
		return r.scalar(i, i.Type, i.Args[0].Type, args)
	}
	out := value{parts: []value{}}
	for k := range n {
		var xs []value
		for _, a := range args {
			xs = append(xs, a.parts[k])
		}
		t := i.Type
		if t.Kind == llvm.Vector {
			t = t.Elem
		}
		out.parts = append(out.parts, r.scalar(i, t, i.Args[0].Type.Elem, xs))
	}
	return out
}

func inserted(v, x value, index []int64) value {
	if len(index) == 0 {
		return x
	}
	out := value{parts: append([]value{}, v.parts...)}
	out.parts[index[0]] = inserted(v.parts[index[0]], x, index[1:])
	return out
}

// cast is a bitcast between scalars, or lanes of one size.
func (r *runner) cast(i *llvm.Instr, v value) value {
	from, to := i.Args[0].Type, i.Type
	if from.Kind == llvm.Vector && to.Kind == llvm.Vector && from.N == to.N || from.Kind != llvm.Vector && to.Kind != llvm.Vector {
		return v
	}
	return r.shaped(to, func(*llvm.Type) value { return value{unknown: true} })
}

// element is an address.
func (r *runner) element(i *llvm.Instr, args []value) value {
	if i.Type.Kind == llvm.Vector {
		r.undecided("a vector of pointers")
	}
	p := r.address(args[0])
	// Each index steps over elements of the type so far, and inside a structure it names a field.
	off := p.off
	t := i.Source
	for k, a := range args[1:] {
		if a.unknown {
			return value{unknown: true}
		}
		x := signed(a.u, i.Args[k+1].Type.Bits)
		if k > 0 && t.Kind == llvm.Struct {
			off += r.m.Layout.Offset(t, int(x))
			t = t.Fields[x]
			continue
		}
		size := r.m.Layout.Size(t)
		if k > 0 {
			if t.Kind != llvm.Vector {
				size = r.m.Layout.Size(t.Elem)
			} else {
				size = r.m.Layout.Store(t.Elem)
			}
			t = t.Elem
		}
		if size < 0 {
			r.undecided("steps of the size of %s", t)
		}
		off += size * x
	}
	return value{ptr: &pointer{p.o, off}}
}

// scalar applies an instruction to scalars.
func (r *runner) scalar(i *llvm.Instr, t, from *llvm.Type, xs []value) value {
	switch i.Op {
	case llvm.Freeze, llvm.AddrSpaceCast:
		return xs[0]
	case llvm.ICmp:
		return r.compare(i, from, xs[0], xs[1])
	case llvm.PtrToInt, llvm.PtrToAddr:
		return value{unknown: true, ptr: nil}
	case llvm.IntToPtr:
		if !xs[0].unknown && xs[0].u == 0 {
			return value{ptr: &pointer{}}
		}
		return value{unknown: true}
	}
	for _, x := range xs {
		if x.unknown || x.ptr != nil || x.parts != nil {
			return value{unknown: true}
		}
	}
	if from.Kind == llvm.Float || t.Kind == llvm.Float {
		return floats(i, t, from, xs)
	}
	if from.Bits > 64 || t.Bits > 64 {
		return value{unknown: true}
	}
	return r.integers(i, t, from, xs)
}

func (r *runner) compare(i *llvm.Instr, t *llvm.Type, a, b value) value {
	truth := func(p bool) value {
		if p {
			return value{u: 1}
		}
		return value{}
	}
	if t.Kind == llvm.Pointer {
		switch {
		case a.ptr == nil || b.ptr == nil:
		case i.Pred == "eq" || i.Pred == "ne":
			// Where different objects lie is not known, unless both addresses are at the beginning of one.
			if a.ptr.o != b.ptr.o && a.ptr.o != nil && b.ptr.o != nil && (a.ptr.off != 0 || b.ptr.off != 0) {
				return value{unknown: true}
			}
			return truth((a.ptr.o == b.ptr.o && a.ptr.off == b.ptr.off) == (i.Pred == "eq"))
		case a.ptr.o == b.ptr.o:
			x, y := a.ptr.off, b.ptr.off
			return truth(map[string]bool{"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[i.Pred[1:]])
		}
		return value{unknown: true}
	}
	if a.unknown || b.unknown {
		return value{unknown: true}
	}
	x, y := signed(a.u, t.Bits), signed(b.u, t.Bits)
	switch i.Pred {
	case "eq":
		return truth(a.u == b.u)
	case "ne":
		return truth(a.u != b.u)
	case "ult":
		return truth(a.u < b.u)
	case "ule":
		return truth(a.u <= b.u)
	case "ugt":
		return truth(a.u > b.u)
	case "uge":
		return truth(a.u >= b.u)
	case "slt":
		return truth(x < y)
	case "sle":
		return truth(x <= y)
	case "sgt":
		return truth(x > y)
	}
	return truth(x >= y)
}

// integers are operations on integers; what the flags rule out is not known, or a fault where that is asked for.
func (r *runner) integers(i *llvm.Instr, t, from *llvm.Type, xs []value) value {
	n := t.Bits
	a := xs[0].u
	var b uint64
	if len(xs) > 1 {
		b = xs[1].u
	}
	// Floating-point numbers tell whether the exact result differs from the wrapped one, at all widths.
	fits := func(exact float64, got uint64) value {
		if i.Flags&llvm.NSW != 0 && math.Abs(exact-float64(signed(got&mask(n), n))) > math.Abs(exact)/1e6+0.5 {
			if r.Overflow {
				r.fault("overflow", "signed overflow")
			}
		}
		return number(t, got)
	}
	x, y := signed(a, from.Bits), signed(b, from.Bits)
	switch i.Op {
	case llvm.Add:
		return fits(float64(x)+float64(y), a+b)
	case llvm.Sub:
		return fits(float64(x)-float64(y), a-b)
	case llvm.Mul:
		return fits(float64(x)*float64(y), a*b)
	case llvm.UDiv, llvm.URem, llvm.SDiv, llvm.SRem:
		if b == 0 {
			r.fault("division", "division by zero")
		}
		switch i.Op {
		case llvm.UDiv:
			return number(t, a/b)
		case llvm.URem:
			return number(t, a%b)
		}
		// The quotient by −1 overflows for the smallest number, and the machine must not trap.
		if y == -1 {
			if i.Op == llvm.SRem {
				return value{}
			}
			return fits(-float64(x), -a)
		}
		if i.Op == llvm.SDiv {
			return number(t, uint64(x/y))
		}
		return number(t, uint64(x%y))
	case llvm.Shl, llvm.LShr, llvm.AShr:
		if b >= uint64(n) {
			return value{unknown: true}
		}
		switch i.Op {
		case llvm.Shl:
			return fits(float64(x)*math.Pow(2, float64(b)), a<<b)
		case llvm.LShr:
			return number(t, a>>b)
		}
		return number(t, uint64(x>>b))
	case llvm.And:
		return number(t, a&b)
	case llvm.Or:
		return number(t, a|b)
	case llvm.Xor:
		return number(t, a^b)
	case llvm.Trunc, llvm.ZExt:
		return number(t, a)
	case llvm.SExt:
		return number(t, uint64(x))
	}
	r.undecided("the instruction %s", i.Op)
	return value{}
}

func floats(i *llvm.Instr, t, from *llvm.Type, xs []value) value {
	switch i.Op {
	case llvm.UIToFP:
		return asFloat(t, float64(xs[0].u))
	case llvm.SIToFP:
		return asFloat(t, float64(signed(xs[0].u, from.Bits)))
	}
	var fs []float64
	for _, x := range xs {
		f, ok := x.float(from)
		if !ok {
			return value{unknown: true}
		}
		fs = append(fs, f)
	}
	a := fs[0]
	b := math.NaN()
	if len(fs) > 1 {
		b = fs[1]
	}
	switch i.Op {
	case llvm.FPExt, llvm.FPTrunc:
		return asFloat(t, a)
	case llvm.FPToSI, llvm.FPToUI:
		if math.IsNaN(a) || math.Abs(a) > 1e15 || i.Op == llvm.FPToUI && a <= -1 || math.Abs(a) >= math.Pow(2, float64(t.Bits-1)) {
			return value{unknown: true}
		}
		return number(t, uint64(int64(a)))
	case llvm.FNeg:
		return asFloat(t, -a)
	case llvm.FAdd:
		return asFloat(t, a+b)
	case llvm.FSub:
		return asFloat(t, a-b)
	case llvm.FMul:
		return asFloat(t, a*b)
	case llvm.FDiv:
		return asFloat(t, a/b)
	case llvm.FRem: // of numbers towards zero, as math.Mod has it: exact in either width
		return asFloat(t, math.Mod(a, b))
	case llvm.FCmp:
		return ordered(i.Pred, a, b)
	}
	return value{unknown: true}
}

func ordered(pred string, a, b float64) value {
	nan := math.IsNaN(a) || math.IsNaN(b)
	p := false
	switch pred {
	case "true":
		p = true
	case "ord":
		p = !nan
	case "uno":
		p = nan
	case "oeq", "ueq":
		p = a == b
	case "one", "une":
		p = a != b && !nan
	case "ogt", "ugt":
		p = a > b
	case "oge", "uge":
		p = a >= b
	case "olt", "ult":
		p = a < b
	case "ole", "ule":
		p = a <= b
	}
	if nan && pred[0] == 'u' {
		p = true
	}
	if p {
		return value{u: 1}
	}
	return value{}
}
