package ast

import (
	"maps"
	"slices"

	"github.com/gradine/gradine/gpu/builtin"
)

// effects are what an expression reads and changes: variables, by name, of which an array
// counts as one, and memory that pointers lead to.
type effects struct {
	reads, changes       map[string]bool
	readsMem, changesMem reach
}

// reach is how much of memory is meant.
type reach uint8

const (
	nowhere  reach = iota
	namedMem       // of arrays whose names are known, and variables that have an address
	anywhere       // where an unfollowed pointer leads
)

// order looks at the expressions of one function.
type order struct {
	*reader
	known   map[string]bool // arrays, and arrays that a kernel is given: two names do not overlap
	exposed map[string]bool // variables whose address is taken
}

// ordered refuses expressions whose meaning depends on an order of evaluation that C leaves
// open: a compiler may choose another one than we would.
func (r *reader) ordered(f *Function) {
	o := &order{reader: r, known: map[string]bool{}, exposed: map[string]bool{}}
	for _, p := range f.Params {
		o.known[p.Name] = f.Kernel && p.Typ.Kind == PointerType
	}
	for _, d := range r.unit.Globals {
		o.known[d.Name] = separate(d)
	}
	o.declared(f.Body)
	o.statements(f.Body)
}

// declared notes which names are arrays, and which variables have an address. A pointer may
// be assigned, so that its name says nothing.
func (o *order) declared(ss []*Stmt) {
	Stmts(ss, func(s *Stmt) {
		for _, d := range s.Decls {
			_, twice := o.known[d.Name]
			o.known[d.Name] = separate(d) && (!twice || o.known[d.Name])
		}
	})
	Exprs(ss, func(e *Expr) {
		switch {
		case e.Kind == Unary && e.Op == "&":
			o.exposed[baseName(e.Args[0])] = true
		case (e.Kind == Assign || e.Kind == Step) && e.Args[0].Kind == Name:
			o.known[e.Args[0].Name] = false
		}
	})
}

// separate reports whether d is an array that no other name stands for: those that are extern
// begin at one place.
func separate(d *Decl) bool { return d.Typ.Kind == ArrayType && !d.Extern }

func (o *order) statements(ss []*Stmt) {
	Stmts(ss, func(s *Stmt) {
		o.effects(s.Cond)
		o.effects(s.Post)
		for _, d := range s.Decls {
			o.effects(d.Init)
		}
	})
}

// effects are what an expression reads and changes, in an order that C leaves open.
func (o *order) effects(e *Expr) (out effects) {
	if e == nil || e.Kind == SizeOf {
		return out
	}
	changed, target := "", (*Expr)(nil)
	args := e.Args
	switch {
	case e.Kind == Cast && e.Typ.Kind == VectorType && e.Args[0].Kind == Comma:
		args = separated(e.Args[0]) // no operator stands between lanes
	case e.Kind == Name:
		out.reads = map[string]bool{e.Name: true}
		if o.exposed[e.Name] {
			out.readsMem = namedMem
		}
		return out
	case e.Kind == Assign, e.Kind == Step:
		target = e.Args[0]
		changed = baseName(target)
		o.designates(target)
	case e.Kind == Unary && e.Op == "&":
		o.designates(e.Args[0])
	case e.Kind == Call:
		args = args[1:] // the function is not a variable
	}
	// Only these have a sequence point between operands (C11 6.5.13 to 6.5.15, 6.5.17).
	sequenced := e.Kind == Comma || e.Kind == Ternary || e.Kind == Binary && (e.Op == "&&" || e.Op == "||")
	for _, a := range args {
		meant := e.Kind == Unary && e.Op == "&" || a == target && e.Kind == Assign && e.Op == ""
		if meant && a.Kind == Name {
			continue // its place is meant, not its value
		}
		of := o.effects(a)
		if meant {
			of.readsMem = o.onTheWay(a)
		}
		if !sequenced {
			o.apart(e, out, of)
			o.apart(e, of, out)
		}
		out.reads, out.changes = union(out.reads, of.reads), union(out.changes, of.changes)
		out.readsMem, out.changesMem = max(out.readsMem, of.readsMem), max(out.changesMem, of.changesMem)
	}
	out.readsMem = max(out.readsMem, o.place(e))
	if target != nil {
		if target.Kind == Name { // of elements, it would matter which they are
			o.apart(e, out, effects{reads: map[string]bool{changed: true}})
		}
		out.changesMem = max(out.changesMem, o.place(target))
	}
	if e.Kind == Call {
		o.call(e, args, &out)
	}
	if changed != "" {
		out.changes = union(out.changes, map[string]bool{changed: true})
	}
	return out
}

// separated are the values that commas separate.
func separated(e *Expr) (out []*Expr) {
	if e.Kind != Comma {
		return []*Expr{e}
	}
	for _, a := range e.Args {
		out = append(out, separated(a)...)
	}
	return out
}

// onTheWay is what is read to find the place e, but not there.
func (o *order) onTheWay(e *Expr) (read reach) {
	for i, a := range e.Args {
		if i == 0 && (e.Kind == Member && e.Op != "->" || e.Kind == Index && a.Kind == Index) {
			read = max(read, o.onTheWay(a))
			continue
		}
		read = max(read, o.effects(a).readsMem)
	}
	return read
}

// place is what memory the place e is in.
func (o *order) place(e *Expr) reach {
	switch base := baseName(e); {
	case e.Kind == Unary && e.Op == "*", e.Kind == Member && e.Op == "->":
		return anywhere
	case e.Kind == Index && base != "" && o.known[base]:
		return namedMem
	case e.Kind == Index:
		return anywhere
	case e.Kind == Member:
		return o.place(e.Args[0])
	case e.Kind == Name && o.exposed[base]:
		return namedMem
	}
	return nowhere
}

// call adds what a function does with memory that it gets the address of, or finds by itself.
func (o *order) call(e *Expr, args []*Expr, out *effects) {
	does := o.acting(e)
	reached := nowhere
	if does.alone {
		reached = anywhere
	}
	for i, a := range args {
		for a.Kind == Cast && len(a.Args) == 1 {
			a = a.Args[0]
		}
		switch {
		// Code that has the address of a variable may write it.
		case a.Kind == Unary && a.Op == "&":
			out.changes = union(out.changes, map[string]bool{baseName(a.Args[0]): true})
			reached = max(reached, o.place(a.Args[0]))
		case !does.pointer(i):
		case a.Kind == Name && o.known[a.Name]:
			reached = max(reached, namedMem)
			if does.writes {
				out.changes = union(out.changes, map[string]bool{a.Name: true})
			}
		default:
			reached = anywhere
		}
	}
	out.readsMem = max(out.readsMem, reached)
	if does.writes {
		out.changesMem = max(out.changesMem, reached)
	}
}

// acts is what is known of a function that is called.
type acts struct {
	writes  bool           // memory
	alone   bool           // what it reads or writes it may find without its arguments
	pointer func(int) bool // whether argument i leads to memory
}

// toolchain says whether a function of the toolchains writes to memory, and whether only by its first argument.
func (o *order) toolchain(name string) (writes, first bool) {
	c := builtin.Source(name, o.cuda)
	if c == nil {
		return false, false
	}
	switch c.Means {
	case builtin.Atomic, builtin.AtomicBlock:
		return true, true
	case builtin.CopyMemory, builtin.SetMemory, builtin.VectorStore:
		return true, false
	}
	return len(c.Writes) > 0, false
}

func (o *order) acting(e *Expr) acts {
	name := ""
	if e.Args[0].Kind == Name {
		name = e.Args[0].Name
	}
	fs := o.unit.named(name)
	if len(fs) == 0 {
		writes, first := o.toolchain(name)
		return acts{writes, false, func(i int) bool { return writes && (i == 0 || !first) }}
	}
	return o.actingAs(fs[0])
}

// actingAs is what is known of one function.
func (o *order) actingAs(f *Function) acts {
	out := acts{!f.Defined, false, func(i int) bool { return i < len(f.Params) && f.Params[i].Typ.Kind == PointerType }}
	// Each function once: calls of calls would be many, and recursion, which is refused later,
	// would not end.
	if before, ok := o.acts[f]; ok {
		return before
	}
	o.acts[f] = out
	own := map[string]bool{}
	for _, p := range f.Params {
		own[p.Name] = true
	}
	Stmts(f.Body, func(s *Stmt) {
		for _, d := range s.Decls {
			own[d.Name] = d.Typ.Where == Private && !d.Static && !d.Extern
		}
	})
	Exprs(f.Body, func(e *Expr) {
		switch {
		case e.Kind == Name && !own[e.Name] && o.unit.Global(e.Name) != nil:
			out.alone = out.alone || o.unit.Global(e.Name).Typ.Where != Constant
		case e.Kind == Assign || e.Kind == Step:
			place := e.Args[0]
			out.writes = out.writes || place.Kind != Name || !own[place.Name]
		case e.Kind == Call:
			called := o.acting(e)
			out.writes, out.alone = out.writes || called.writes, out.alone || called.alone
		}
	})
	o.acts[f] = out
	return out
}

// apart refuses e if what one part of it changes is used by the other.
func (r *reader) apart(e *Expr, one, other effects) {
	for _, o := range []map[string]bool{other.reads, other.changes} {
		few, many := one.changes, o
		if len(few) > len(many) {
			few, many = many, few
		}
		for _, n := range slices.Sorted(maps.Keys(few)) {
			if n != "" && many[n] {
				r.fail(e.At, "an expression that changes and uses %s in unspecified order", n)
			}
		}
	}
	used := max(other.readsMem, other.changesMem)
	// Of two names it is known whether they are the same; a pointer may lead to either.
	if one.changesMem != nowhere && used != nowhere && max(one.changesMem, used) == anywhere {
		r.fail(e.At, "an expression that writes memory through a pointer and reads memory in unspecified order")
	}
}

// baseName is the variable that a place belongs to; "" if a pointer leads there.
func baseName(e *Expr) string {
	switch {
	case e.Kind == Name:
		return e.Name
	case e.Kind == Index, e.Kind == Member && e.Op != "->":
		return baseName(e.Args[0])
	}
	return ""
}

// union is both sets, in the larger one: neither is used afterwards.
func union(a, b map[string]bool) map[string]bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	for n := range b {
		a[n] = true
	}
	return a
}

// designates refuses what is no place of its own: what C++ assigns there would get lost in
// a copy.
func (r *reader) designates(e *Expr) {
	for e.Kind == Member && e.Op == "" {
		e = e.Args[0]
	}
	switch {
	case e.Kind == Name, e.Kind == Index, e.Kind == Member, e.Kind == Unary && e.Op == "*", e.Kind == Cast && e.Args[0].Kind == InitList:
	default:
		r.fail(e.At, "an assignment to, or the address of, something that is not a variable")
	}
}
