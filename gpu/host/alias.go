package host

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// origins are the places that a pointer may have come from, by keys: those that it may equal, but for an offset, and
// those that calls were given that return it.
type origins struct {
	equal, given map[string]bool
	read         []place // those among equal that were read from memory, and given
	readGiven    []place
}

// place is where in memory a pointer was read: at the last offset from what was read at the one before, and so on from a root.
type place struct {
	root string
	at   []*Expr
}

// may reports whether two places may be one: they are not where offsets from one base always differ. Those of different roots are
// taken to differ.
func (p place) may(q place) bool {
	if p.root != q.root || len(p.at) != len(q.at) {
		return false
	}
	for k, a := range p.at {
		if a.differs(q.at[k]) {
			return false
		}
	}
	return true
}

// among reports whether a place may be one of some.
func (p place) among(some []place) bool { return slices.ContainsFunc(some, p.may) }

// meets reports whether what two pointers may equal may be one.
func (o *origins) meets(p *origins) bool {
	in := func(some []place, others []place) bool {
		return slices.ContainsFunc(some, func(x place) bool { return x.among(others) })
	}
	return meet(o.equal, p.equal) || meet(o.equal, p.given) || meet(o.given, p.equal) || in(o.read, p.read) || in(o.read, p.readGiven) || in(o.readGiven, p.read)
}

// overlaps names an argument that may lead into the array of another one, though nothing says that it does: what it was
// chosen from, read from or computed of is also what the other one was; "" if there is none.
func (r *reader) overlaps(l *Launch) string {
	var pointers []*Pointer
	inside := map[int]bool{} // a structure, of whose pointers nothing is passed on
	for _, a := range l.Args {
		for _, p := range a.pointers() {
			inside[len(pointers)] = a.Ptr == nil
			pointers = append(pointers, p)
		}
	}
	var all []origins
	for _, p := range pointers {
		o := origins{equal: map[string]bool{}, given: map[string]bool{}}
		r.trace(p.Root, &o, map[string]bool{}, false)
		if !p.Root.known() && r.asksForSymbols() {
			return cmp.Or(p.Root.Name, "a pointer")
		}
		all = append(all, o)
	}
	for k, p := range pointers {
		for n, q := range pointers[:k] {
			if !inside[k] && !inside[n] && (p.Root == q.Root || p.Root.known() && q.Root.known()) {
				continue
			}
			if all[k].meets(&all[n]) {
				return cmp.Or(p.Root.Name, q.Root.Name, "a pointer")
			}
		}
	}
	return ""
}

// severalAllocations reports whether a root may be one of several allocations, or one and something else.
func (r *reader) severalAllocations(root *Root) bool {
	if root.mixed || root.known() {
		return root.mixed
	}
	o := origins{equal: map[string]bool{}, given: map[string]bool{}}
	r.trace(root, &o, map[string]bool{}, false)
	return slices.ContainsFunc(r.roots, func(x *Root) bool { return x.Bytes != nil && o.equal[r.id(x)] })
}

// asksForSymbols reports whether a function asks for the address of a variable of the device, which kernels may use without
// being given it.
func (r *reader) asksForSymbols() bool {
	for _, b := range r.f.Blocks {
		for _, i := range b.Code {
			if strings.Contains(calleeName(i), "GetSymbolAddress") {
				return true
			}
		}
	}
	return false
}

func meet(a, b map[string]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

// known reports whether a root is itself where its pointers come from.
func (o *Root) known() bool { return o.register == "" && o.local == nil && o.from == nil }

// trace collects the origins of a root.
func (r *reader) trace(root *Root, out *origins, seen map[string]bool, called bool) {
	switch {
	case root.register != "":
		r.traceValue(&llvm.Value{Kind: llvm.Register, Name: root.register}, out, seen, called)
	case root.local != nil:
		r.traceLocal(root.local, out, seen, called)
	case root.from != nil:
		r.traceRead(root.from, out, seen, called)
	default:
		out.add(r.id(root), called)
	}
}

func (o *origins) add(key string, called bool) {
	if called {
		o.given[key] = true
	} else {
		o.equal[key] = true
	}
}

// traceLocal collects the origins of all that is ever put into a local.
func (r *reader) traceLocal(l *local, out *origins, seen map[string]bool, called bool) {
	if key := "local " + l.register + strconv.FormatBool(called); seen[key] {
		return
	} else {
		seen[key] = true
	}
	for _, b := range r.f.Blocks {
		for k, i := range b.Code {
			if i.Op == llvm.Store {
				if t, ok := r.target(i.Args[1]); ok && t.l == l {
					r.traceValue(i.Args[0], out, seen, called)
				}
			} else if calleeName(i) == "gradine_allocate" {
				if t, ok := r.target(i.Args[0]); ok && t.l == l {
					r.trace(r.allocated(where{b, k}).ptr.Root, out, seen, called)
				}
			}
		}
	}
}

// traceValue collects the origins of an operand.
func (r *reader) traceValue(v *llvm.Value, out *origins, seen map[string]bool, called bool) {
	switch v.Kind {
	case llvm.GlobalName:
		out.add(r.id(r.value(v).ptr.Root), called)
		return
	case llvm.Register:
	default:
		return
	}
	// A value can be traced once as it is and once as what a call was given.
	if key := v.Name + strconv.FormatBool(called); seen[key] {
		return
	} else {
		seen[key] = true
	}
	if got, ok := r.known[v.Name]; ok && got.ptr != nil && got.ptr.Root.register != v.Name {
		r.trace(got.ptr.Root, out, seen, called)
		return
	}
	def, ok := r.at[v.Name]
	if !ok {
		return
	}
	switch i := def.instr(); i.Op {
	case llvm.Load:
		r.traceRead(i.Args[0], out, seen, called)
	case llvm.Call:
		out.add(r.key(v, maxExpr), called)
		for _, a := range i.Args {
			r.traceValue(a, out, seen, true)
		}
	default:
		for _, a := range i.Args {
			r.traceValue(a, out, seen, called)
		}
	}
}

// traceRead collects the origins of what is read at an address.
func (r *reader) traceRead(address *llvm.Value, out *origins, seen map[string]bool, called bool) {
	if t, ok := r.target(address); ok {
		r.traceLocal(t.l, out, seen, called)
		return
	}
	at := r.place(address, maxExpr)
	if called {
		out.readGiven = append(out.readGiven, at)
	} else {
		out.read = append(out.read, at)
	}
	// Any store that may reach the place is a possible origin of the value.
	for _, b := range r.f.Blocks {
		for _, s := range b.Code {
			if s.Op == llvm.Store && at.may(r.place(s.Args[1], maxExpr)) {
				r.traceValue(s.Args[0], out, seen, called)
			}
		}
	}
}

// key says how a value is made: two values with one key may be equal.
func (r *reader) key(v *llvm.Value, depth int) string {
	if v.Kind == llvm.Register && depth > 0 {
		if t, ok := r.target(v); ok {
			return "local " + t.l.register + " " + strconv.FormatInt(t.at, 10)
		}
	}
	x := r.value(v)
	switch {
	case x.num != nil:
		return x.num.String()
	case x.ptr == nil || depth == 0:
		return "?"
	}
	return r.pointerKey(x.ptr, depth)
}

// pointerKey says how a pointer is made.
func (r *reader) pointerKey(p *Pointer, depth int) string {
	base := r.id(p.Root)
	if def, ok := r.at[p.Root.register]; ok {
		i := def.instr()
		var args []string
		for _, a := range i.Args {
			args = append(args, r.key(a, depth-1))
		}
		switch i.Op {
		case llvm.Load:
			base = "read " + args[0]
		case llvm.Call:
			base = calleeName(i) + "(" + strings.Join(args, ", ") + ")"
		}
	}
	return base + " + " + p.Off.String()
}

// place is where a pointer leads.
func (r *reader) place(v *llvm.Value, depth int) place {
	x := r.value(v)
	if x.ptr == nil || depth == 0 {
		return place{root: "?"}
	}
	p := place{root: r.id(x.ptr.Root)}
	if def, ok := r.at[x.ptr.Root.register]; ok {
		switch i := def.instr(); i.Op {
		case llvm.Load:
			p = r.place(i.Args[0], depth-1)
		case llvm.Call:
			p = place{root: r.key(&llvm.Value{Kind: llvm.Register, Name: x.ptr.Root.register, Type: i.Type}, depth-1)}
		}
	}
	p.at = append(slices.Clone(p.at), x.ptr.Off)
	return p
}

// id names a root apart from all others of its function.
func (r *reader) id(root *Root) string {
	n := slices.Index(r.roots, root)
	if n < 0 {
		n = len(r.roots)
		r.roots = append(r.roots, root)
	}
	return "root " + strconv.Itoa(n)
}
