package host

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/llvm"
)

// Root is what a pointer was made of: an allocation, a parameter of the function, or something else. Two roots
// that differ may lead to one place, unless one of them is an allocation.
type Root struct {
	Name  string
	Bytes *Expr // that an allocation has, nil of others

	mixed    bool        // it may be one of several allocations
	made     where       // of an allocation: the call
	register string      // that holds it, if all that is known of it is how that register is made
	local    *local      // that held it, if all that is known of it is what was put there
	from     *llvm.Value // the address that it was read at, if all that is known of it is that
}

// Pointer is an address: a root, and bytes behind it.
type Pointer struct {
	Root *Root
	Off  *Expr
}

// value is a number or a pointer; of anything else neither.
type value struct {
	num *Expr
	ptr *Pointer
}

func (v value) same(o value) bool {
	switch {
	case v.num != nil && o.num != nil:
		return v.num.same(o.num)
	case v.ptr != nil && o.ptr != nil:
		return v.ptr.Root == o.ptr.Root && v.ptr.Off.same(o.ptr.Off)
	}
	return false
}

// reader reads the values of one function.
type reader struct {
	m      *llvm.Module
	f      *llvm.Function
	at     map[string]where // where registers are defined
	blocks map[string]*llvm.Block
	preds  map[string][]*llvm.Block
	names  map[string]string // of variables of the source, by register
	known  map[string]value  // of registers
	busy   map[string]bool
	memory map[cell]value // at the start of a block
	locals map[string]*local
	reach  map[string]map[string]bool // blocks that a way of at least one step leads to
	dom    map[string]map[string]bool // the blocks that dominate one
	roots  []*Root                    // that have a number, in its order
}

type where struct {
	b *llvm.Block
	k int
}

func (w where) instr() *llvm.Instr { return w.b.Code[w.k] }

// newReader prepares to read a function of the host: where each register is defined, and its local variables.
func newReader(m *llvm.Module, f *llvm.Function) *reader {
	r := &reader{m: m, f: f, at: map[string]where{}, blocks: map[string]*llvm.Block{}, preds: map[string][]*llvm.Block{}, names: map[string]string{}, known: map[string]value{}, busy: map[string]bool{}, memory: map[cell]value{}}
	// Names of variables come from debug records, so that messages speak of the source.
	for _, b := range f.Blocks {
		r.blocks[b.Name] = b
		for k, i := range b.Code {
			if i.Name != "" {
				r.at[i.Name] = where{b, k}
			}
			if d := i.Declared(); d != nil {
				r.name(d)
			}
		}
		for _, d := range b.Debug {
			r.name(d)
		}
	}
	for _, b := range f.Blocks {
		for _, to := range successors(b) {
			if t := r.blocks[to]; t != nil {
				r.preds[to] = append(r.preds[to], b)
			}
		}
	}
	r.order()
	// Parameters of the host function are inputs: nothing is known of them, but each is one value.
	for k, a := range f.Params {
		n := f.ParamName(k)
		switch a.Type.Kind {
		case llvm.Int:
			r.known[a.Name] = value{num: unknown(a.Type.Bits, n)}
			r.known[a.Name].num.input = true
		case llvm.Pointer:
			r.known[a.Name] = value{ptr: &Pointer{&Root{Name: n}, constant(64, new(big.Int))}}
		}
	}
	r.findLocals()
	return r
}

func successors(b *llvm.Block) []string {
	if len(b.Code) == 0 {
		return nil
	}
	return slices.Clone(b.Code[len(b.Code)-1].To)
}

func (r *reader) name(d *llvm.DebugRecord) {
	if d.Value != nil && d.Value.Kind == llvm.Register && d.Source().Name != "" && r.names[d.Value.Name] == "" {
		r.names[d.Value.Name] = d.Source().Name
	}
}

// order works out which blocks lead to which, and which dominate which.
func (r *reader) order() {
	r.reach, r.dom = map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, b := range r.f.Blocks {
		seen := map[string]bool{}
		todo := successors(b)
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[n] || r.blocks[n] == nil {
				continue
			}
			seen[n] = true
			todo = append(todo, successors(r.blocks[n])...)
		}
		r.reach[b.Name] = seen
	}
	// What dominates a block is without what cuts it off: for functions of hosts this is quick enough.
	entry := r.f.Blocks[0]
	all := map[string]bool{entry.Name: true}
	for n := range r.reach[entry.Name] {
		all[n] = true
	}
	for _, cut := range r.f.Blocks {
		seen := map[string]bool{}
		todo := []string{entry.Name}
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[n] || n == cut.Name || r.blocks[n] == nil {
				continue
			}
			seen[n] = true
			todo = append(todo, successors(r.blocks[n])...)
		}
		for n := range all {
			if !seen[n] {
				if r.dom[n] == nil {
					r.dom[n] = map[string]bool{}
				}
				r.dom[n][cut.Name] = true
			}
		}
	}
}

// before reports whether a stands on every way to b.
func (r *reader) before(a, b where) bool {
	if a.b == b.b {
		return a.k < b.k
	}
	return r.dom[b.b.Name][a.b.Name]
}

// may reports whether a way leads from a to b.
func (r *reader) may(a, b where) bool {
	return a.b == b.b && a.k < b.k || r.reach[a.b.Name][b.b.Name]
}

// value is what an operand is where it is defined.
func (r *reader) value(v *llvm.Value) value {
	switch v.Kind {
	case llvm.IntConstant:
		return value{num: constant(v.Type.Bits, v.Int)}
	case llvm.Zero:
		if v.Type.Kind == llvm.Int {
			return value{num: constant(v.Type.Bits, new(big.Int))}
		}
	case llvm.NullPointer:
		return value{ptr: &Pointer{&Root{Name: "null"}, constant(64, new(big.Int))}}
	case llvm.Register:
		return r.register(v)
	case llvm.GlobalName:
		key := "@" + v.Name
		if _, ok := r.known[key]; !ok {
			r.known[key] = value{ptr: &Pointer{&Root{Name: v.Name}, constant(64, new(big.Int))}}
		}
		return r.known[key]
	}
	return r.nothing(v.Type, "")
}

// nothing is a value of which nothing is known, another one each time.
func (r *reader) nothing(t *llvm.Type, name string) value {
	switch t.Kind {
	case llvm.Int:
		return value{num: unknown(t.Bits, name)}
	case llvm.Pointer:
		return value{ptr: &Pointer{&Root{Name: name}, constant(64, new(big.Int))}}
	}
	return value{}
}

// register is the value of a register, computed once.
func (r *reader) register(v *llvm.Value) value {
	if got, ok := r.known[v.Name]; ok {
		return got
	}
	if r.busy[v.Name] || len(r.busy) > maxExpr {
		out := r.nothing(v.Type, r.names[v.Name])
		if out.ptr != nil {
			out.ptr.Root.register = v.Name
		}
		return out
	}
	r.busy[v.Name] = true
	at, ok := r.at[v.Name]
	out := r.nothing(v.Type, r.names[v.Name])
	if out.ptr != nil {
		out.ptr.Root.register = v.Name
	}
	if ok {
		if got := r.instruction(at); got.num != nil || got.ptr != nil {
			out = got
		}
	}
	delete(r.busy, v.Name)
	if n := r.names[v.Name]; n != "" && out.num != nil && out.num.Name == "" {
		out.num.Name = n
	}
	r.known[v.Name] = out
	return out
}

// instruction is what an instruction gives; neither a number nor a pointer if nothing is known of it.
func (r *reader) instruction(at where) value {
	i := at.instr()
	switch i.Op {
	case llvm.Load:
		if !i.Volatile && i.Order == "" {
			return r.load(at, i)
		}
	case llvm.GetElementPtr:
		return r.element(i)
	case llvm.Call:
		if calleeName(i) == "clCreateBuffer" {
			return r.buffer(at)
		}
		if i.Type.Kind == llvm.Int {
			e := unknown(i.Type.Bits, "")
			e.input = true
			return value{num: e}
		}
	case llvm.Freeze, llvm.BitCast:
		if i.Op == llvm.Freeze || i.Type.Kind == llvm.Pointer {
			return r.value(i.Args[0])
		}
	case llvm.Add, llvm.Sub, llvm.Mul, llvm.UDiv, llvm.SDiv, llvm.URem, llvm.SRem, llvm.Shl, llvm.LShr, llvm.AShr, llvm.And, llvm.Or, llvm.Xor, llvm.Trunc, llvm.ZExt, llvm.SExt, llvm.Select, llvm.ICmp:
		if i.Type.Kind != llvm.Int {
			return value{}
		}
		var args []*Expr
		for _, a := range i.Args {
			v := r.value(a)
			if v.num == nil {
				return value{}
			}
			args = append(args, v.num)
		}
		if divides(i.Op) && args[1].Const != nil && args[1].Const.Sign() == 0 { // the program ends there
			return value{}
		}
		e := operation(i.Op, i.Type.Bits, i.Pred, args...)
		if i.Flags&llvm.NSW != 0 && len(e.Args) == len(args) && e.Op == i.Op && e.Const == nil {
			e.exact = true
		}
		return value{num: e}
	}
	return value{}
}

func divides(op llvm.Op) bool {
	return op == llvm.UDiv || op == llvm.SDiv || op == llvm.URem || op == llvm.SRem
}

// element is an address within what a pointer leads to.
func (r *reader) element(i *llvm.Instr) value {
	if i.Type.Kind != llvm.Pointer || i.Source == nil || len(i.Args) < 2 {
		return value{}
	}
	base := r.value(i.Args[0])
	if base.ptr == nil {
		return value{}
	}
	// Each index steps over elements of the type so far, and inside a structure over its fields, which need a number.
	off := base.ptr.Off
	t := i.Source
	for k, a := range i.Args[1:] {
		v := r.value(a)
		if v.num == nil {
			return value{}
		}
		var step *Expr
		switch {
		case k > 0 && t.Kind == llvm.Struct:
			n, ok := v.num.Number()
			if !ok || int(n) >= len(t.Fields) {
				return value{}
			}
			at := r.m.Layout.Offset(t, int(n))
			if at < 0 {
				return value{}
			}
			step, t = constant(64, big.NewInt(at)), t.Fields[n]
		default:
			if k > 0 {
				if t.Kind != llvm.Array {
					return value{}
				}
				t = t.Elem
			}
			size := r.m.Layout.Size(t)
			if size < 0 {
				return value{}
			}
			index := v.num
			if index.Bits < 64 {
				index = operation(llvm.SExt, 64, "", index)
			}
			if index.Bits != 64 {
				return value{}
			}
			step = operation(llvm.Mul, 64, "", index, constant(64, big.NewInt(size)))
		}
		off = operation(llvm.Add, 64, "", off, step)
	}
	return value{ptr: &Pointer{base.ptr.Root, off}}
}
