package logic

import (
	"fmt"
	"slices"
	"strings"
)

// Pattern is a type with letters for unknown types: KindNone is a letter, counted from
// 0, KindPow and KindProd have parts.
type Pattern struct {
	Kind   TypeKind
	Letter int
	A, B   *Pattern
}

// Letters are the types that the letters of a signature stand for; NoType at first.
type Letters [4]Type

// Signature says which types an operator takes and which it makes.
type Signature struct {
	Args   []*Pattern
	Result *Pattern // nil: the operator has a constructor of its own
	More   bool     // the last argument may be repeated

	binder, generic bool
	same            int // an argument with the pattern of the result, or -1
}

// Arrow says what relations a set of relations consists of.
type Arrow struct{ Functional, Total, Injective, Surjective bool }

// signatures has the rows, taken apart, for every Op there could be.
var signatures, opNamed = func() (out [256]Signature, byName map[string]Op) {
	byName = map[string]Op{}
	patterns := map[string]*Pattern{}
	for op, r := range rows {
		byName[r.name] = Op(op)
		s := Signature{binder: strings.HasPrefix(r.signature, "·"), More: strings.Contains(r.signature, "…"), same: -1}
		for _, f := range strings.Fields(strings.NewReplacer("·", "", "…", "").Replace(r.signature)) {
			if patterns[f] == nil {
				patterns[f], _ = parsePattern(f)
			}
			s.Args = append(s.Args, patterns[f])
		}
		if n := len(s.Args) - 1; n >= 0 {
			s.Args, s.Result = s.Args[:n], s.Args[n]
			s.same = slices.Index(s.Args, s.Result)
			s.generic = n == 0 && strings.Contains(r.signature, "a")
		}
		out[op] = s
	}
	return out, byName
}()

// parsePattern reads a pattern and returns what stands after it.
func parsePattern(s string) (pattern *Pattern, rest string) {
	pattern = &Pattern{Kind: TypeKind(max(0, strings.IndexByte(" oZB P*", s[0])))}
	rest = s[1:]
	switch pattern.Kind {
	case KindNone:
		pattern.Letter = int(s[0] - 'a')
	case KindProd:
		pattern.A, rest = parsePattern(rest)
		pattern.B, rest = parsePattern(rest)
	case KindPow:
		pattern.A, rest = parsePattern(rest)
	}
	return pattern, rest
}

// Signature returns the typing rule of op. The caller must not change it.
func (op Op) Signature() *Signature { return &signatures[op] }

// String returns the name of op in certificates.
func (op Op) String() string { return rows[op].name }

// OpNamed returns the operator of that name, or Invalid.
func OpNamed(name string) Op { return opNamed[name] }

// IsBinder reports whether op binds variables.
func (op Op) IsBinder() bool { return signatures[op].binder }

// IsGeneric reports whether op has no arguments and makes sets of many types.
func (op Op) IsGeneric() bool { return signatures[op].generic }

// IsAssociative reports whether op is n-ary (n ≥ 2) in Rodin's syntax trees.
func (op Op) IsAssociative() bool { return signatures[op].More && len(signatures[op].Args) == 2 }

// IsPredicate reports whether terms of op are predicates.
func (op Op) IsPredicate() bool { r := signatures[op].Result; return r != nil && r.Kind == KindProp }

// Arrow returns what the relations in a set of relations are; ok is false if op makes
// no such set.
func (op Op) Arrow() (a Arrow, ok bool) {
	if ok = rows[op].signature == arrow; ok {
		is := func(p string) bool { return strings.Contains(rows[op].relations, p) }
		a = Arrow{is("functional"), is("total"), is("injective"), is("surjective")}
	}
	return a, ok
}

// Match reports whether t is an instance of p for some types of the letters that have
// none yet, and gives them these.
func (b *Bank) Match(p *Pattern, t Type, letters *Letters) bool {
	if p.Kind == KindNone {
		l := &letters[p.Letter]
		if *l == NoType {
			*l = t
		}
		return *l == t && t > Prop
	}
	n := b.typeNode(t)
	return n.kind == p.Kind && (p.A == nil || b.Match(p.A, n.a, letters)) && (p.B == nil || b.Match(p.B, n.b, letters))
}

// Instance returns the type that p is for the given types of its letters.
func (b *Bank) Instance(p *Pattern, letters *Letters) Type {
	switch p.Kind {
	case KindNone:
		return letters[p.Letter]
	case KindPow:
		return b.PowType(b.Instance(p.A, letters))
	case KindProd:
		return b.ProdType(b.Instance(p.A, letters), b.Instance(p.B, letters))
	}
	return Type(p.Kind) // the types that every bank has are numbered like their kinds
}

// illTyped says that an operator does not apply to its arguments. Making one
// costs nothing, as typeOf does for every term.
type illTyped Op

func (op illTyped) Error() string {
	return fmt.Sprintf("logic: operator %s does not apply to its arguments", Op(op))
}

// typeOf gives the type of op applied to arguments of types a, or an error that names
// the operator.
func (b *Bank) typeOf(op Op, types []Type) (Type, error) {
	s := &signatures[op]
	n := len(s.Args)
	if s.Result == nil || s.generic || len(types) < n || len(types) > n && !s.More {
		return NoType, illTyped(op)
	}
	var letters Letters
	for i, typ := range types {
		if i > 1 && n == 2 && s.same < 0 { // the result so far takes the place of the first argument
			first := b.Instance(s.Result, &letters)
			letters = Letters{}
			b.Match(s.Args[0], first, &letters)
		}
		if !b.Match(s.Args[min(i, n-1)], typ, &letters) {
			return NoType, illTyped(op)
		}
	}
	if s.same >= 0 {
		return types[s.same], nil
	}
	return b.Instance(s.Result, &letters), nil
}
