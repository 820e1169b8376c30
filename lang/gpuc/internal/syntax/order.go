package syntax

import (
	"maps"
	"slices"
)

// effects are the variables, by name, that an expression reads and changes. An array counts
// as one variable.
type effects struct{ reads, changes map[string]bool }

// ordered refuses expressions whose meaning depends on an order of evaluation that C leaves
// open: whoever compiles them may choose another one than we would.
func (r *reader) ordered(ss []*Stmt) {
	for _, s := range ss {
		if s.Init != nil {
			r.ordered([]*Stmt{s.Init})
		}
		for _, e := range []*Expr{s.Cond, s.Post} {
			r.effects(e)
		}
		for _, d := range s.Decls {
			r.effects(d.Init)
		}
		r.ordered(s.Body)
		r.ordered(s.Other)
	}
}

func (r *reader) effects(e *Expr) (out effects) {
	if e == nil || e.Kind == SizeOf {
		return out
	}
	changed, target := "", (*Expr)(nil)
	args := e.Args
	switch {
	case e.Kind == Name:
		return effects{reads: map[string]bool{e.Name: true}}
	case e.Kind == Assign, e.Kind == Step:
		target = e.Args[0]
		changed = baseName(target)
		r.designates(target)
	case e.Kind == Unary && e.Op == "&":
		r.designates(e.Args[0])
	case e.Kind == Call:
		args = args[1:] // the function is not a variable
	}
	// Only these have a sequence point between operands (C11 6.5.13 to 6.5.15, 6.5.17).
	sequenced := e.Kind == Comma || e.Kind == Ternary || e.Kind == Binary && (e.Op == "&&" || e.Op == "||")
	for _, a := range args {
		var of effects
		if a == target && a.Kind == Name || e.Kind == Unary && e.Op == "&" && a.Kind == Name {
			continue // its place is meant, not its value
		}
		of = r.effects(a)
		if !sequenced {
			r.apart(e, out.changes, of.reads, of.changes)
			r.apart(e, of.changes, out.reads, out.changes)
		}
		out.reads, out.changes = union(out.reads, of.reads), union(out.changes, of.changes)
	}
	if target != nil && target.Kind == Name { // of elements, it would matter which they are
		r.apart(e, out.changes, map[string]bool{changed: true})
	}
	if e.Kind == Call {
		for _, a := range args {
			// Whoever gets the address of a variable may write it.
			if a.Kind == Unary && a.Op == "&" {
				out.changes = union(out.changes, map[string]bool{baseName(a.Args[0]): true})
			}
		}
	}
	if changed != "" {
		out.changes = union(out.changes, map[string]bool{changed: true})
	}
	return out
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
		r.fail(e.At, "an assignment to, or the address of, what is no variable")
	}
}

// apart refuses e if something of changes is in one of the others.
func (r *reader) apart(e *Expr, changes map[string]bool, others ...map[string]bool) {
	for _, o := range others {
		few, many := changes, o
		if len(few) > len(many) {
			few, many = many, few
		}
		for _, n := range slices.Sorted(maps.Keys(few)) {
			if n != "" && many[n] {
				r.fail(e.At, "an expression that changes %s and uses it, in no fixed order", n)
			}
		}
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
