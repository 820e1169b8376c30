package syntax

import (
	"fmt"
	"regexp"
)

// several says which types of C++ that are one type here a file has: where C++ chooses by types, it tells them apart.
type several struct {
	chars bool // char and signed char
	longs bool // long and long long
	ints  bool // int and enumerations
}

var (
	signedChars  = regexp.MustCompile(`\bsigned\b|\bint8_t\b|\b(make_)?char[1-4]\b`)
	longLongs    = regexp.MustCompile(`\blong\s+(\w+\s+)?long\b|longlong|[0-9a-fA-F][uU]?(ll|LL)|64\b`)
	enumerations = regexp.MustCompile(`\benum\b`)
)

func severalIn(code []byte) several {
	return several{signedChars.Match(code), longLongs.Match(code), enumerations.Match(code)}
}

// mixed reports whether t stands for several types.
func (s several) mixed(t *Ctype) bool {
	switch {
	case t.Kind == PointerType, t.Kind == ArrayType: // to constants, too
		return true
	case t.Kind != IntType:
		return false
	case t.Bits == 8:
		return s.chars && t.Signed
	case t.Bits == 64:
		return s.longs
	}
	return s.ints && t.Bits == 32 && t.Signed
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

// owned refuses an instance with variables of its own, of which C++ may have several where one is read.
func (r *reader) owned(t *template, f *Function, args []argument) {
	mixed := false
	for _, a := range args {
		mixed = mixed || a.typ != nil && r.unit.several.mixed(a.typ)
	}
	if !mixed || f.Kernel {
		return
	}
	Stmts(f.Body, func(s *Stmt) {
		for _, d := range s.Decls {
			if d.Static || d.Typ.Where == Local && !d.Extern {
				r.fail(d.At, "a variable of an instance of %s for a type that C++ tells apart from others that are one here", t.name)
			}
		}
	})
}
