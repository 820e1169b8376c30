package ast

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/preproc"
)

// Callee is the function that a call of name means, with what each argument's type is; nil if it is none of
// the file. C++ chooses among several that are declared above the one whose parameters fit best: one that fits exactly is
// that. Where none does, why says so.
func (u *Unit) Callee(at preproc.Place, name string, args int, typ func(int) *Ctype) (f *Function, why string) {
	var same []*Function // of which one has a body, if any has
	for _, g := range u.named(name) {
		if !slices.ContainsFunc(same, func(h *Function) bool { return alikeParameters(g, h) }) {
			same = append(same, g)
		}
	}
	t := u.templateNamed(name)
	if t == nil && len(same) <= 1 {
		return u.Function(name), ""
	}
	for _, g := range same {
		if !slices.ContainsFunc(u.named(name), func(h *Function) bool { return alikeParameters(g, h) && preproc.Before(h.At, at) }) {
			return nil, fmt.Sprintf("a call of %s, one of whose forms stands below; declare all of them above", name)
		}
	}
	viable := slices.DeleteFunc(same, func(g *Function) bool { return args > len(g.Params) || args < u.least(g) })
	if t == nil && len(viable) == 1 {
		return viable[0], ""
	}
	for _, g := range viable {
		if Exactly(g, args, typ) {
			if why := u.unclear(g, viable, t != nil, args, typ); why != "" {
				return nil, why
			}
			return g, ""
		}
	}
	if t != nil && u.deduce != nil {
		if f, why = u.deduce(name, t, args, typ); f != nil || len(viable) == 0 {
			return f, why
		}
	}
	return nil, fmt.Sprintf("a call of %s, none of whose forms takes exactly these types; cast the arguments", name)
}

// unclear says why C++ may choose another form than f, which takes the types of a call exactly as they are known here.
func (u *Unit) unclear(f *Function, viable []*Function, template bool, args int, typ func(int) *Ctype) (why string) {
	for i := range args {
		t := typ(i)
		scalar := t.Kind == IntType && t.Bits != 32 // an enumeration is taken for an int, where no template takes it as it is
		if u.several.mixed(t) && (template || scalar) {
			return fmt.Sprintf("a call of %s, one of several forms, with a type that C++ tells apart from others that are one here; give the forms different names", f.Name)
		}
		for _, g := range viable {
			if template && f.Params[i].Ref() || (g.Params[i].Ref() && !g.Params[i].Konst) != (f.Params[i].Ref() && !f.Params[i].Konst) {
				return fmt.Sprintf("a call of %s, one of several forms, of which not all take references; give the forms different names", f.Name)
			}
		}
	}
	return ""
}

// least is how many arguments a call of f has to have.
func (u *Unit) least(f *Function) int {
	for i := range f.Params {
		if u.Default(f, i) != nil {
			return i
		}
	}
	return len(f.Params)
}

// Default is the value of parameter i of f where a call has none.
func (u *Unit) Default(f *Function, i int) *Expr {
	if f.Params[i].Init != nil {
		return f.Params[i].Init
	}
	for _, g := range u.named(f.Name) {
		if alikeParameters(f, g) && g.Params[i].Init != nil {
			return g.Params[i].Init
		}
	}
	return nil
}

// Complete is the arguments of a call of f, with the defaults of those that it leaves out.
func (u *Unit) Complete(f *Function, args []*Expr) []*Expr {
	args = slices.Clone(args)
	for i := len(args); i < len(f.Params); i++ {
		e := u.Default(f, i)
		if e == nil {
			break
		}
		args = append(args, e)
	}
	return args
}

func alikeParameters(f, g *Function) bool {
	return f == g || slices.EqualFunc(f.Params, g.Params, func(p, q *Decl) bool { return Same(p.Typ, q.Typ) })
}

// Exactly reports whether arguments have the types of the parameters.
func Exactly(f *Function, args int, typ func(int) *Ctype) bool {
	for i := range args {
		if t := typ(i); t == nil || !Same(f.Params[i].taken(), decayed(t, f.Params[i].Ref())) {
			return false
		}
	}
	return true
}

// Ref reports whether d is a reference: a pointer, which nobody writes a star for.
func (d *Decl) Ref() bool { return d.Typ.Kind == PointerType && d.Typ.Ref }

// taken is the type of what a parameter stands for.
func (d *Decl) taken() *Ctype {
	if d.Ref() {
		return d.Typ.Elem
	}
	return d.Typ
}

// decayed is the type of a value: of an array, only references are more than a pointer.
func decayed(t *Ctype, whole bool) *Ctype {
	if t.Kind == ArrayType && !whole {
		return &Ctype{Kind: PointerType, Elem: t.Elem}
	}
	return t
}

// Valued is the type of an expression in C++, where typeOf is that in C: what is true or false is a bool, and
// a choice of two values of one type is of that type.
func Valued(e *Expr, typeOf func(*Expr) *Ctype) *Ctype {
	switch {
	case e.Kind == Unary && e.Op == "!", e.Kind == Binary && foldComparison(e.Op, new(big.Int), new(big.Int)) != nil:
		return TBool
	case e.Kind == Comma:
		return Valued(e.Args[1], typeOf)
	case e.Kind == Ternary:
		a, b := Valued(e.Args[1], typeOf), Valued(e.Args[2], typeOf)
		if a != nil && b != nil && (a.Kind == IntType || a.Kind == FloatType) && Same(a, b) {
			return a
		}
	}
	return typeOf(e)
}

// Deduced is what auto stands for in a declaration of type t, whose initial value is of type of; nil if it
// is no type of a value.
func Deduced(t, of *Ctype) *Ctype {
	if of == nil || of.Kind == VoidType || of.Kind == OpaqueType || of.Unsettled {
		return nil
	}
	switch {
	case t.Kind == AutoType:
		return decayed(of, false)
	case t.Kind == PointerType && t.Ref && t.Elem.Kind == AutoType: // of the address
		return of
	}
	if of = decayed(of, false); of.Kind != PointerType {
		return nil
	}
	return of
}

// Auto reports whether the initial value of d says what its type is.
func (d *Decl) Auto() bool {
	return d.Typ.Kind == AutoType || d.Typ.Kind == PointerType && d.Typ.Elem.Kind == AutoType
}

// Types gives the types of the arguments of call e, each of which typeOf finds once: calls nest.
func Types(e *Expr, typeOf func(*Expr) *Ctype) func(int) *Ctype {
	known := map[int]*Ctype{}
	return func(i int) *Ctype {
		t, ok := known[i]
		if !ok {
			t = Valued(e.Args[i+1], typeOf)
			known[i] = t
		}
		return t
	}
}

// Same reports whether two types are one.
func Same(a, b *Ctype) bool {
	if a == b {
		return !a.Unsettled
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case VoidType:
		return true
	case IntType, FloatType:
		return alike(a, b)
	case PointerType:
		return a.Ref == b.Ref && Same(a.Elem, b.Elem)
	case ArrayType, VectorType:
		return a.N == b.N && Same(a.Elem, b.Elem)
	}
	return false
}
