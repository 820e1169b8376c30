package lower

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/llvm"
)

// base is what a pointer points into: a memory, a variable of a function, nothing, or something of which
// only the name of what is wrong is known.
type base struct {
	key      string
	name     string
	mem      *ir.Memory
	place    *place
	null     bool
	heap     bool   // a kernel allocates it: all that one call allocates, in whatever round and by whatever thread; what it holds is not known
	unknown  string // why it cannot be followed
	size     int64  // bytes, −1 if not known
	unsigned bool   // its integers have no sign, says the source
	constant bool
	of       *llvm.Metadata // the type of its elements, as the source says it; nil if it does not
	extent   *extent        // how far it reaches, nil if that is not known, or is its size
}

// extent are offsets in bytes between which all accesses must lie.
type extent struct{ from, to *ir.Term }

// pointer is the value of a pointer: one target, or a choice among several, and an offset in bytes
// that counts for whichever it is.
type pointer struct {
	targets []*base
	which   *ir.Term // the number of the target, where there are several
	off     *ir.Term
}

// slot is a pair of variables that holds a pointer.
type slot struct {
	key        string
	which, off *ir.Variable
	used       bool
	mutable    bool
}

func nullPointer() *pointer {
	return &pointer{targets: []*base{{key: "null", null: true}}, off: ir.Number(0)}
}

func unknownPointer(why string) *pointer {
	return &pointer{targets: []*base{{key: "unknown " + why, unknown: why}}, off: ir.Number(0)}
}

// later is what a pointer leads to that is made further on, or never: then it says why.
func later(key string) *base {
	if n := nullPointer().targets[0]; key == n.key {
		return n
	}
	why, ok := strings.CutPrefix(key, "unknown ")
	if !ok {
		why = "a pointer used before its target is declared"
	}
	return &base{key: key, unknown: why}
}

// is says that p points at target k.
func (p *pointer) is(k int) *ir.Term {
	if len(p.targets) == 1 {
		return ir.Truth
	}
	return ir.Compare(ir.PEq, p.which, ir.Number(int64(k)))
}

func (p *pointer) moved(off *ir.Term) *pointer { return &pointer{p.targets, p.which, off} }

func (l *lowerer) newSlot(name, key string) *slot {
	return &slot{key: key, which: l.NewVariable(name+"_of", ast.TInt), off: l.NewVariable(name+"_at", ast.TLong)}
}

// slotted notes what a slot may point at, and gives what its variables are set to.
func (l *lowerer) slotted(s *slot, p *pointer) (which, off *ir.Term) {
	keys := l.targets[s.key]
	which = ir.Number(0)
	for i, b := range p.targets {
		l.bases[b.key] = b
		k := slices.Index(keys, b.key)
		if k < 0 {
			k, keys = len(keys), append(keys, b.key)
			// A use before it has been lowered without this target: it would miss its accesses.
			l.again = l.again || s.used
		}
		if i == 0 {
			which = ir.Number(int64(k))
		} else {
			which = ir.Choose(p.is(i), ir.Number(int64(k)), which)
		}
	}
	l.targets[s.key] = keys
	if was, ok := l.offsets[s.key]; !ok || was != "" && was != p.off.Key() {
		l.offsets[s.key] = ""
		if !ok && p.off.IsNum() {
			l.offsets[s.key] = p.off.Key()
		}
		l.again = l.again || s.used
	}
	// Offsets are counted in the largest unit that divides all of them.
	unit := l.unit(s.key)
	if g := min(unit, alignment(p.off)); g < unit {
		unit, l.units[s.key], l.again = g, g, true
	}
	if len(keys) > maxCells {
		l.fail("a pointer to one of more than %d places", maxCells)
	}
	return which, ir.Into(ast.TLong, divided(p.off, unit))
}

// unit is how many bytes the offset of a slot counts.
func (l *lowerer) unit(key string) int64 {
	if u := l.units[key]; u > 0 {
		return u
	}
	return 16
}

// pointerOf is a scalar as a pointer.
func (l *lowerer) pointerOf(s scalar) *pointer {
	switch {
	case s.ptr != nil:
		return s.ptr
	case s.slot != nil:
		s.slot.used = true
		out := &pointer{off: ir.Product(ir.Number(l.unit(s.slot.key)), ir.VariableTerm(s.slot.off))}
		if n, ok := number(l.offsets[s.slot.key]); ok { // there is no other
			out.off = ir.BigNumber(n)
		}
		for _, k := range l.targets[s.slot.key] {
			b := l.bases[k]
			if b == nil {
				// It is made further on: the next attempt knows as much, and this one goes on without.
				b = later(k)
			}
			out.targets = append(out.targets, b)
		}
		if len(out.targets) == 0 {
			return unknownPointer("an uninitialised pointer")
		}
		if len(out.targets) > 1 {
			out.which = ir.VariableTerm(s.slot.which)
		}
		return out
	case s.undefined():
		return unknownPointer("an uninitialised pointer")
	}
	return unknownPointer("an integer as a pointer")
}

// eitherPointer is x where p holds, otherwise y.
func (l *lowerer) eitherPointer(p *ir.Term, x, y *pointer) *pointer {
	out := &pointer{off: ir.Choose(p, x.off, y.off)}
	index := func(q *pointer) *ir.Term {
		which := ir.Number(0)
		for i, b := range q.targets {
			k := slices.IndexFunc(out.targets, func(o *base) bool { return o.key == b.key })
			if k < 0 {
				k, out.targets = len(out.targets), append(out.targets, b)
			}
			if i == 0 {
				which = ir.Number(int64(k))
			} else {
				which = ir.Choose(q.is(i), ir.Number(int64(k)), which)
			}
		}
		return which
	}
	a, b := index(x), index(y)
	if len(out.targets) > 1 {
		out.which = ir.Choose(p, a, b)
	}
	return out
}

// element is a getelementptr.
func (l *lowerer) element(i *llvm.Instr) *value {
	out := &value{typ: i.Type}
	start := l.value(i.Args[0])
	address := intType(8*int(l.m.Layout.Size(elem(i.Args[0].Type))), true)
	lanes := 1
	if i.Type.Kind == llvm.Vector {
		lanes = int(i.Type.N)
	}
	for lane := range lanes {
		pick := func(v *value) scalar { return v.parts[min(lane, len(v.parts)-1)] }
		p := l.pointerOf(pick(start))
		off := p.off
		t := i.Source
		for k, a := range i.Args[1:] {
			x := pick(l.value(a))
			width := elem(a.Type).Bits
			if k > 0 && t.Kind == llvm.Struct {
				f, ok := l.constant(x)
				if !ok || l.m.Layout.Offset(t, int(f)) < 0 {
					l.fail("a member that %s does not have", t)
				}
				off = ir.Sum(off, ir.Number(l.m.Layout.Offset(t, int(f))))
				t = t.Fields[f]
				continue
			}
			if k > 0 {
				if t.Kind != llvm.Array && t.Kind != llvm.Vector {
					l.fail("a part of a value of type %s", t)
				}
				t = t.Elem
			}
			size := l.m.Layout.Size(t)
			if t.Kind != llvm.Array && t.Kind != llvm.Struct && k > 0 && i.Source.Kind == llvm.Vector {
				size = l.m.Layout.Store(t)
			}
			if size < 0 {
				l.fail("steps of the size of %s", t)
			}
			index := l.as(intType(width, true), x)
			if width > 64 {
				l.fail("an index of %d bits", width)
			}
			if width > address.Bits { // it is cut first
				index = ir.Into(address, index)
			}
			off = ir.Sum(off, ir.Product(ir.Number(size), index))
		}
		// Addresses have 32 or 64 bits; only where the instruction promises it, what it adds does not wrap.
		if i.Flags&(llvm.InBounds|llvm.NUSW) == 0 && !off.IsNum() {
			off = ir.Into(address, off)
		}
		out.parts = append(out.parts, scalar{ptr: p.moved(off)})
	}
	return out
}

// comparePointers compares pointers: memories are different things, the order of which is not
// known; parameters may be null, several of them as well.
func (l *lowerer) comparePointers(pred string, p, q *pointer) *ir.Term {
	unknown := func() *ir.Term { return ir.Compare(ir.PNe, l.Anything(ast.TBool, l.at), ir.Number(0)) }
	mayBeNull := func(b *base) bool { return b.heap || b.mem != nil && b.mem.Space == ast.Global && b.size < 0 }
	equal := pred == "eq" || pred == "ne"
	var ways []*ir.Term
	for i, s := range p.targets {
		for j, t := range q.targets {
			holds := ir.Falsity
			switch {
			case s.unknown != "" || t.unknown != "":
				holds = unknown()
			case s.null && t.null && p.off.Is(0) && q.off.Is(0):
				if equal || pred[1:] == "ge" || pred[1:] == "le" {
					holds = ir.Truth
				}
			case s.heap && t.heap: // of one call, too: of different rounds they differ
				holds = unknown()
			case s.key == t.key && !s.null:
				switch pred {
				case "eq", "ne":
					holds = ir.Compare(ir.PEq, p.off, q.off)
				case "ult", "slt":
					holds = ir.Compare(ir.PLt, p.off, q.off)
				case "ule", "sle":
					holds = ir.Compare(ir.PLe, p.off, q.off)
				case "ugt", "sgt":
					holds = ir.Compare(ir.PLt, q.off, p.off)
				default:
					holds = ir.Compare(ir.PLe, q.off, p.off)
				}
			case !equal, s.null && (mayBeNull(t) || t.null), t.null && mayBeNull(s), mayBeNull(s) && mayBeNull(t):
				holds = unknown()
			// One past the end of a thing may be where another one begins.
			case !s.null && !t.null && !(p.off.Is(0) && q.off.Is(0)):
				holds = unknown()
			}
			ways = append(ways, ir.Both(p.is(i), q.is(j), holds))
		}
	}
	out := ir.Either(ways...)
	if pred == "ne" {
		return ir.Not(out)
	}
	return out
}

// address is a pointer of type from as a number. A number that has fewer bits does not lead back to where the
// pointer does.
func (l *lowerer) address(t, from *llvm.Type, p *pointer) scalar {
	c := intType(t.Bits, false)
	s := scalar{typ: c}
	if int64(t.Bits) >= 8*l.m.Layout.Size(from) {
		s.from, s.space = p, from.Space
	}
	b := p.targets[0]
	switch {
	case len(p.targets) == 1 && b.null:
		s.t = ir.Into(c, p.off)
	case len(p.targets) == 1 && b.mem != nil && (b.mem.Space == ast.Global || b.mem.Space == ast.Constant) && t.Bits >= 64:
		if l.addresses == nil {
			l.addresses = map[string]*ir.Term{}
		}
		if l.addresses[b.key] == nil {
			l.addresses[b.key] = l.Parameter("address of "+b.name, ast.TUlong)
		}
		s.t = ir.Into(c, ir.Sum(l.addresses[b.key], p.off))
	default:
		s.t = l.Anything(c, l.at)
	}
	return s
}

// newMemory is a memory as what a pointer points at.
func (l *lowerer) newMemory(key, name string, space ast.Space, bytes int64, unsigned bool) *base {
	if b := l.bases[key]; b != nil {
		return b
	}
	g := max(1, l.granule[key])
	cells := bytes
	if bytes >= 0 {
		cells = bytes / g
	}
	b := &base{key: key, name: name, size: bytes, unsigned: unsigned}
	b.mem = l.NewMemory(name, key, space, intType(int(8*g), !unsigned), cells, l.at)
	l.bases[key] = b
	return b
}

// alignment returns a power of two that divides t, by the form of t. It is at most 16 bytes: no access is larger.
func alignment(t *ir.Term) int64 {
	switch t.Op {
	case ir.Num:
		if t.Val.Sign() == 0 {
			return 16
		}
		return int64(1) << min(4, t.Val.TrailingZeroBits())
	case ir.Mul:
		n := int64(1)
		for _, a := range t.Args {
			n = min(16, n*alignment(a))
		}
		return n
	case ir.Add:
		n := int64(16)
		for _, a := range t.Args {
			n = min(n, alignment(a))
		}
		return n
	case ir.Ite:
		return min(alignment(t.Args[1]), alignment(t.Args[2]))
	case ir.Wrap:
		if t.Typ.Bits > 8 { // wrapping adds a multiple of 2^Bits, which 16 divides
			return alignment(t.Args[0])
		}
	}
	return 1
}

// divided is t ÷ by, for a power of two that divides it by its form.
func divided(t *ir.Term, by int64) *ir.Term {
	if by == 1 {
		return t
	}
	switch t.Op {
	case ir.Num:
		return ir.BigNumber(new(big.Int).Quo(t.Val, big.NewInt(by)))
	case ir.Mul:
		// Each factor gives what it is divisible by, until nothing is left.
		args := slices.Clone(t.Args)
		for k := range args {
			if n := min(by, alignment(args[k])); n > 1 {
				args[k] = divided(args[k], n)
				by /= n
			}
		}
		return ir.Product(args...)
	case ir.Add:
		var out []*ir.Term
		for _, a := range t.Args {
			out = append(out, divided(a, by))
		}
		return ir.Sum(out...)
	case ir.Ite:
		return ir.Choose(t.Args[0], divided(t.Args[1], by), divided(t.Args[2], by))
	case ir.Wrap:
		// A wrapped multiple of 2^k is 2^k times a number that wraps at k bits less.
		bits := 0
		for n := by; n > 1; n /= 2 {
			bits++
		}
		c := &ast.Ctype{Kind: ast.IntType, Name: fmt.Sprint("i", t.Typ.Bits-bits), Bits: t.Typ.Bits - bits, Signed: t.Typ.Signed}
		return ir.Into(c, divided(t.Args[0], by))
	}
	return t
}
