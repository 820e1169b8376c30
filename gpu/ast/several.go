package ast

import "regexp"

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
