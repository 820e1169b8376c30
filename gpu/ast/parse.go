package ast

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
	"modernc.org/cc/v4"
	"modernc.org/token"
)

// externals reads what a file declares: functions last, for what they call may stand behind them. Names are tied to
// variables once all of them are known, and only then can the order of evaluation be checked, which depends on whether two
// names mean one variable.
func (r *reader) externals(l *cc.TranslationUnit) {
	var functions []*cc.ExternalDeclaration
	for ; l != nil; l = l.TranslationUnit {
		if x := l.ExternalDeclaration; x.Case == cc.ExternalDeclarationFuncDef {
			functions = append(functions, x)
		} else {
			r.external(x)
		}
	}
	for _, x := range functions {
		r.external(x)
	}
	r.resolvedGlobals()
	for _, f := range r.fresh {
		r.resolved(f)
	}
	for _, f := range r.fresh {
		r.ordered(f)
	}
}

// The texts before and behind that of a file.
const (
	toolchain = "<toolchain>"
	behind    = "<end>"
)

// reader turns the parser's tree into ours.
type reader struct {
	unit      *Unit
	cuda      bool
	types     map[string]*Ctype // typedefs
	tags      map[string]*Ctype
	values    map[string]*Expr // constants, for the lengths of arrays
	kinds     map[string]bool  // names of types and constants that are declared, see once
	synonyms  map[string]bool  // names of types that tagTypes declares
	complete  map[*Ctype]bool  // structures of which all members are known
	realigned bool             // the file changes how structures lie in memory
	depth     int

	moved preproc.Columns
	acts  map[*Function]acts // of functions that are called, see order
	fresh []*Function        // with bodies
}

// outer notes a name that is declared outside of functions.
func (r *reader) outer(name string, where preproc.Place) {
	r.known(name, where)
	r.noType(name, where)
}

// noType refuses what has the name of a type that the parser takes for one in all of the file: in C++ it hides that type, or
// there is none.
func (r *reader) noType(name string, where preproc.Place) {
	if r.cuda && (r.synonyms[name] || slices.Contains(typeNames(true), name)) {
		r.fail(where, "%s, which is also the name of a type", name)
	}
}

// once notes what a name stands for. Types, tags and constants are known by name in all of
// the file: one that a block declares again, to hide another, would be taken for that one.
func (r *reader) once(kind, name string, where preproc.Place) {
	if name == "" {
		return
	}
	if r.kinds[kind+" "+name] {
		r.fail(where, "%s %s, which is declared twice", kind, name)
	}
	r.kinds[kind+" "+name] = true
}

// header is what precedes a file: the declarations of its language, and the macros that are defined.
func (r *reader) header(defines []string) string {
	var b strings.Builder
	if r.cuda {
		b.WriteString(preproc.CUDA)
	} else {
		b.WriteString(preproc.OpenCL)
	}
	b.WriteString(preproc.Common)
	for _, d := range defines {
		n, v, ok := strings.Cut(d, "=")
		if !ok {
			v = "1"
		}
		fmt.Fprintf(&b, "#define %s %s\n", n, v)
	}
	// That a name is a type is all the parser must know: (uint4)(x) is a cast only then. Named says what it is.
	for _, n := range typeNames(r.cuda) {
		fmt.Fprintf(&b, "typedef int %s;\n", n)
	}
	return b.String()
}

// tagTypes declares the tags of a CUDA file as types, which they are in C++.
func (r *reader) tagTypes(text []byte) string {
	if !r.cuda {
		return ""
	}
	var b strings.Builder
	r.synonyms = map[string]bool{}
	for _, m := range tagged.FindAllSubmatch(preproc.CodeOnly(text), -1) {
		fmt.Fprintf(&b, "typedef %s %s %s;\n", m[1], m[2], m[2])
		r.synonyms[string(m[2])] = true
	}
	return b.String()
}

// syntax is the first error of the parser, at its place in the source.
func (r *reader) syntax(err error, text []byte) *preproc.Problem {
	last := r.unit.origin.PlaceIn(text, len(text))
	var list interface{ Unwrap() []error }
	// The first error alone: the others tend to follow from it.
	if errors.As(err, &list) && len(list.Unwrap()) > 0 {
		err = list.Unwrap()[0]
	}
	msg, _, _ := strings.Cut(err.Error(), "\n")
	p := &preproc.Problem{File: r.unit.File, Line: 1, Col: 1, Construct: msg}
	if rest, ok := strings.CutPrefix(msg, r.unit.File+":"); ok {
		parts := strings.SplitN(rest, ":", 3)
		if len(parts) == 3 {
			p.Line, _ = strconv.Atoi(parts[0])
			p.Col, _ = strconv.Atoi(parts[1])
			p.Construct = strings.TrimSpace(parts[2])
			if name := r.unknownType(text, preproc.Place{Line: p.Line, Col: p.Col}, p.Construct); r.unit.lost[name] != nil {
				p.Construct = r.unit.lost.why(name, r.unit.File)
			} else if name != "" {
				p.Construct = fmt.Sprintf("the undeclared type %s; declare it in the file or in an included one", name)
			} else if r.cuda {
				p.Construct = plus(preproc.CodeOnly(text), preproc.OffsetOf(text, preproc.Place{Line: p.Line, Col: p.Col}), p.Construct)
			}
			at := r.unit.origin.Of(r.moved.Source(preproc.Place{Line: p.Line, Col: p.Col}))
			p.Line, p.Col = at.Line, at.Col
		}
	}
	if strings.HasPrefix(msg, behind) {
		p.Line, p.Col, p.Construct = last.Line, last.Col, "unexpected end of file"
	}
	if errors.Is(err, fs.ErrNotExist) {
		p.Construct = "a file outside the project"
	}
	return p
}

// unknownType is the word in front of a place where the parser has stopped, if it stands where the name of a type does and
// is none; "" otherwise.
func (r *reader) unknownType(text []byte, at preproc.Place, said string) string {
	if !strings.HasPrefix(said, "unexpected identifier") && !strings.HasPrefix(said, "unexpected '*'") {
		return ""
	}
	code := preproc.CodeOnly(text)
	offset := preproc.OffsetOf(code, at)
	if offset < 0 {
		return ""
	}
	end := preproc.SpaceBefore(code, offset)
	name := preproc.WordBefore(code, end)
	types := typeWords(code)
	if name == "" || types[name] || slices.Contains(preproc.Keywords, name) || slices.Contains(preproc.Qualifiers, name) {
		return ""
	}
	before := preproc.SpaceBefore(code, end-len(name))
	word := preproc.WordBefore(code, before)
	if before > 0 && word == "" && strings.IndexByte("(,;{}", code[before-1]) < 0 || word != "" && !slices.Contains(preproc.Keywords, word) && !slices.Contains(preproc.Qualifiers, word) {
		return ""
	}
	return name
}

func (r *reader) fail(at preproc.Place, format string, args ...any) {
	panic(preproc.Refuse(r.unit.File, at, fmt.Sprintf(format, args...)))
}

// at is a place in the file: its beginning, for what stands before or behind its text.
func (r *reader) at(p token.Position) preproc.Place {
	if p.Filename != r.unit.File {
		return preproc.Place{Line: 1, Col: 1}
	}
	return r.unit.origin.Of(r.moved.Source(preproc.Place{Line: p.Line, Col: p.Column}))
}

// external reads a function or a declaration of the file.
func (r *reader) external(x *cc.ExternalDeclaration) {
	switch x.Case {
	case cc.ExternalDeclarationFuncDef:
		d := x.FunctionDefinition
		f := r.Function(r.specifiers(d.DeclarationSpecifiers), d.Declarator)
		f.Defined = true
		r.body(f, d.CompoundStatement)
		r.outer(f.Name, f.At)
		r.declares(f)
		r.fresh = append(r.fresh, f)
	case cc.ExternalDeclarationDecl:
		if x.Declaration == nil {
			return
		}
		file := x.Declaration.Position().Filename
		for _, d := range r.declaration(x.Declaration) {
			switch {
			case file == toolchain, file == behind:
				continue
			case d.Name == preproc.AxiomName:
				r.unit.Axioms = append(r.unit.Axioms, d.Init)
				continue
			}
			r.outer(d.Name, d.At)
			r.unit.Globals = append(r.unit.Globals, d)
		}
	case cc.ExternalDeclarationEmpty:
	default:
		r.fail(r.at(x.Position()), "a declaration of this kind")
	}
}

// body reads the body of f. Its constants are not those of other functions.
func (r *reader) body(f *Function, b *cc.CompoundStatement) {
	keep := maps.Clone(r.values)
	f.Body = r.block(b)
	r.values = keep
}

// declares notes a function, which has one form: C++ would choose among several by the types of a call.
func (r *reader) declares(f *Function) {
	for _, g := range r.unit.functions[f.Name] {
		switch {
		case r.cuda && !alikeParameters(f, g):
			r.fail(f.At, "overloaded function %s: C++, %s", f.Name, throughClang)
		case f.Defined && g.Defined:
			r.fail(f.At, "function %s, which is declared twice", f.Name)
		}
	}
	r.unit.add(f)
}

// specs are declaration specifiers.
type specs struct {
	typ      *Ctype
	where    Space
	spaced   bool
	kernel   bool
	noreturn bool
	bound    *Expr // of __launch_bounds__
	typedef  bool
	extern   bool
	static   bool
	konst    bool
	signed   bool
	unsigned bool
	long     int
	short    bool
	base     string
	typed    bool // a type was written
	group    [3]int64
	at       preproc.Place
}

// specifiers reads the words in front of a declarator: type, storage, qualifiers and attributes.
func (r *reader) specifiers(d *cc.DeclarationSpecifiers) specs {
	var s specs
	if d != nil {
		s.at = r.at(d.Position())
	}
	marks := 0
	for ; d != nil; d = d.DeclarationSpecifiers {
		switch d.Case {
		case cc.DeclarationSpecifiersStorage:
			switch d.StorageClassSpecifier.Case {
			case cc.StorageClassSpecifierTypedef:
				s.typedef = true
			case cc.StorageClassSpecifierExtern:
				s.extern = true
			case cc.StorageClassSpecifierStatic:
				s.static = true
			case cc.StorageClassSpecifierRegister:
			case cc.StorageClassSpecifierAuto:
				r.fail(s.at, "storage class auto")
			default:
				r.fail(s.at, "storage class %s", d.StorageClassSpecifier.Token.SrcStr())
			}
		case cc.DeclarationSpecifiersTypeSpec:
			r.typeSpecifier(&s, d.TypeSpecifier)
		case cc.DeclarationSpecifiersTypeQual:
			marks += r.qualifier(&s, d.TypeQualifier)
		case cc.DeclarationSpecifiersAttr:
			r.attributes(&s, d.AttributeSpecifierList)
		case cc.DeclarationSpecifiersFunc: // inline
		default:
			r.fail(s.at, "a declaration of this kind")
		}
	}
	r.finish(&s, marks)
	return s
}

func (r *reader) qualifier(s *specs, q *cc.TypeQualifier) int {
	switch q.Case {
	case cc.TypeQualifierNonnull:
		return 1
	case cc.TypeQualifierConst:
		s.konst = true
	case cc.TypeQualifierAttr:
		r.attributes(s, q.AttributeSpecifierList)
	case cc.TypeQualifierRestrict, cc.TypeQualifierVolatile: // no reading rests on either; of the first see pointer
	default:
		r.fail(r.at(q.Position()), "qualifier %s", q.Token.SrcStr())
	}
	return 0
}

// attributes reads those attributes that matter for kernels.
func (r *reader) attributes(s *specs, l *cc.AttributeSpecifierList) {
	for ; l != nil; l = l.AttributeSpecifierList {
		for v := l.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			switch v.AttributeValue.Token.SrcStr() {
			case "gpu_kernel":
				s.kernel = true
			case "reqd_work_group_size", "__reqd_work_group_size__":
				r.required(s, v.AttributeValue)
			case "gpu_bounds":
				if l := v.AttributeValue.ArgumentExpressionList; l != nil {
					s.bound = r.expression(l.AssignmentExpression)
				}
			case "noreturn", "__noreturn__":
				s.noreturn = true
			}
		}
	}
}

// required reads the sizes of the groups that a kernel is compiled for.
func (r *reader) required(s *specs, a *cc.AttributeValue) {
	d := 0
	for l := a.ArgumentExpressionList; l != nil && d < 3; l = l.ArgumentExpressionList {
		s.group[d] = r.constant(r.expression(l.AssignmentExpression))
		d++
	}
	if d != 3 || slices.Min(s.group[:]) < 1 {
		r.fail(r.at(a.Position()), "a group size that is not three numbers")
	}
}

// finish makes one type of the words that were read.
func (r *reader) finish(s *specs, marks int) {
	if marks > 0 {
		s.where, s.spaced = Space(min(marks, 3)), true
	}
	if s.typ != nil {
		return
	}
	if !s.typed {
		r.fail(s.at, "a declaration without a type")
	}
	bits, signed := 32, !s.unsigned
	switch s.base {
	// Plain char is signed: OpenCL C says so (6.1.1), and CUDA does as its host.
	case "char":
		bits = 8
	case "double":
		if s.long > 0 {
			r.fail(s.at, "long double, which is a double on the device but not on the host")
		}
		s.typ = &Ctype{Kind: FloatType, Name: "double", Bits: 64}
		return
	case "float":
		s.typ = TFloat
		return
	case "void":
		s.typ = TVoid
		return
	case "bool":
		s.typ = TBool
		return
	}
	switch {
	case s.short:
		bits = 16
	// Not 32 bits, as on some hosts: OpenCL C fixes 64 (6.1.1), CUDA has them on Linux.
	case s.long == 1, s.long == 2:
		bits = 64
	}
	s.typ = IntOf(bits, signed)
}

// typeSpecifier reads one word of a type.
func (r *reader) typeSpecifier(s *specs, t *cc.TypeSpecifier) {
	s.typed = true
	switch t.Case {
	case cc.TypeSpecifierVoid:
		s.base = "void"
	case cc.TypeSpecifierChar:
		s.base = "char"
	case cc.TypeSpecifierShort:
		s.short = true
	case cc.TypeSpecifierInt:
	case cc.TypeSpecifierLong:
		s.long++
	case cc.TypeSpecifierFloat:
		s.base = "float"
	case cc.TypeSpecifierDouble:
		s.base = "double"
	case cc.TypeSpecifierSigned:
		s.signed = true
	case cc.TypeSpecifierUnsigned:
		s.unsigned = true
	case cc.TypeSpecifierBool:
		s.base = "bool"
	case cc.TypeSpecifierStructOrUnion:
		s.typ = r.structure(t.StructOrUnionSpecifier)
	case cc.TypeSpecifierEnum:
		s.typ = r.enumeration(t.EnumSpecifier)
	case cc.TypeSpecifierTypeName:
		n := t.Token.SrcStr()
		// Typedefs of the file hide names of the library, and in C++ a tag is a type by itself.
		r.known(n, r.at(t.Position()))
		if s.typ = r.types[n]; s.typ == nil {
			s.typ = Named(n, r.cuda)
		}
		if s.typ == nil && r.cuda {
			s.typ = r.tags[n]
		}
		if s.typ == nil {
			r.fail(r.at(t.Position()), "type %s", n)
		}
	default:
		r.fail(r.at(t.Position()), "type %s", t.Token.SrcStr())
	}
}

// structure reads a structure, or finds the one of its tag.
func (r *reader) structure(t *cc.StructOrUnionSpecifier) *Ctype {
	if t.Position().Filename != toolchain {
		r.known(t.Token.SrcStr(), r.at(t.Position()))
	}
	if t.StructOrUnion.Case == cc.StructOrUnionUnion {
		// Members would become variables of their own, and a write of one not be seen by another.
		r.fail(r.at(t.Position()), "a union")
	}
	tag := t.Token.SrcStr()
	if t.Case == cc.StructOrUnionSpecifierTag {
		// A pointer may name the tag before its members are known: they are added to this type.
		if c := r.tags[tag]; c != nil {
			return c
		}
		c := &Ctype{Kind: StructType, Name: tag}
		r.tags[tag] = c
		return c
	}
	if r.realigned {
		r.fail(r.at(t.Position()), "a structure in a file that changes the layout of types")
	}
	r.once("tag", tag, r.at(t.Position()))
	c := r.tags[tag]
	if c == nil || tag == "" {
		c = &Ctype{Kind: StructType, Name: tag}
	}
	parts := int64(1)
	for l := t.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		d := l.StructDeclaration
		if d.Case != cc.StructDeclarationDecl {
			r.fail(r.at(d.Position()), "a member of this kind")
		}
		s := r.qualifiers(d.SpecifierQualifierList)
		for m := d.StructDeclaratorList; m != nil; m = m.StructDeclaratorList {
			if m.StructDeclarator.Case == cc.StructDeclaratorBitField {
				// Adjacent bit fields are one memory location (C11 3.14): writes to two of them race.
				r.fail(r.at(m.Position()), "a bit field")
			}
			name, typ, _ := r.declarator(s.typ, s, m.StructDeclarator.Declarator)
			whole := typ
			for whole.Kind == ArrayType {
				whole = whole.Elem
			}
			if whole.Kind == StructType && whole != deviceProperties && !r.complete[whole] {
				r.fail(r.at(m.Position()), "a member of incomplete structure type")
			}
			c.Fields = append(c.Fields, field{name, typ})
			if parts += typ.parts(); parts > maxParts {
				r.fail(r.at(m.Position()), "a structure with more than %d parts, nested ones included", maxParts)
			}
		}
	}
	r.complete[c] = true
	if tag != "" {
		r.tags[tag] = c
		if r.cuda {
			r.types[tag] = c
		}
	}
	return c
}

// enumeration reads an enumeration, whose constants become names.
func (r *reader) enumeration(t *cc.EnumSpecifier) *Ctype {
	tag := t.Token2.SrcStr()
	if t.Position().Filename != toolchain {
		r.known(tag, r.at(t.Position()))
	}
	if t.EnumTypeSpecifier != nil {
		r.fail(r.at(t.Position()), "an enumeration that names its type")
	}
	if t.EnumeratorList == nil {
		if c := r.tags[tag]; c != nil {
			return c
		}
		if t.Position().Filename == toolchain {
			return TInt // see tagTypes
		}
		r.fail(r.at(t.Position()), "an enumeration that is not declared yet")
	}
	where := r.at(t.Position())
	r.once("tag", tag, where)
	next, least := int64(0), int64(0)
	for l := t.EnumeratorList; l != nil; l = l.EnumeratorList {
		e := l.Enumerator
		if e.ConstantExpression != nil {
			next = r.constant(r.expression(e.ConstantExpression))
		}
		if !TInt.holds(big.NewInt(next)) {
			r.fail(where, "an enumeration beyond the range of int")
		}
		n := e.Token.SrcStr()
		r.known(n, where)
		r.once("variable or enumerator", n, where)
		r.noType(n, where)
		r.unit.Enums[n] = next
		least = min(least, next)
		next++
	}
	typ := TInt
	// The toolchains of OpenCL take an unsigned type where no value is negative. In C++ such a
	// value is an int in all arithmetic.
	if !r.cuda && least == 0 {
		typ = TUint
	}
	if tag != "" {
		r.tags[tag] = typ
		if r.cuda {
			r.types[tag] = typ
		}
	}
	return typ
}

func (r *reader) qualifiers(l *cc.SpecifierQualifierList) specs {
	var s specs
	marks := 0
	for ; l != nil; l = l.SpecifierQualifierList {
		switch l.Case {
		case cc.SpecifierQualifierListTypeSpec:
			r.typeSpecifier(&s, l.TypeSpecifier)
		case cc.SpecifierQualifierListTypeQual:
			marks += r.qualifier(&s, l.TypeQualifier)
		default:
			r.fail(r.at(l.Position()), "a type of this kind")
		}
	}
	r.finish(&s, marks)
	return s
}

func (r *reader) pointer(t *Ctype, s specs, p *cc.Pointer) *Ctype {
	for ; p != nil; p = p.Pointer {
		alone := false
		for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
			alone = alone || q.TypeQualifier.Case == cc.TypeQualifierRestrict
			if r.qualifier(&specs{}, q.TypeQualifier) > 0 {
				r.fail(r.at(p.Position()), "a pointer variable in a non-private address space")
			}
		}
		t = &Ctype{Kind: PointerType, Elem: t, Space: s.where, Spaced: s.spaced, Alone: alone}
		// The qualifier before the first star is that of what is pointed at, not of the pointer.
		s.spaced, s.where = false, Private
	}
	return t
}

// declarator wraps type t in what the declarator says, and names it.
func (r *reader) declarator(t *Ctype, s specs, d *cc.Declarator) (string, *Ctype, *cc.DirectDeclarator) {
	if d == nil {
		return "", t, nil
	}
	t = r.pointer(t, s, d.Pointer)
	return r.direct(t, s, d.DirectDeclarator)
}

// direct reads a declarator without its pointers: the name, its type, and its parameters if it is a function.
func (r *reader) direct(t *Ctype, s specs, d *cc.DirectDeclarator) (string, *Ctype, *cc.DirectDeclarator) {
	switch d.Case {
	case cc.DirectDeclaratorIdent:
		return d.Token.SrcStr(), t, nil
	case cc.DirectDeclaratorDecl:
		return r.declarator(t, s, d.Declarator)
	case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic:
		n := int64(-1)
		if d.AssignmentExpression != nil {
			n = r.constant(r.expression(d.AssignmentExpression))
			if n < 0 || n > 1<<40 {
				r.fail(r.at(d.Position()), "an array of %d elements", n)
			}
		}
		return r.direct(&Ctype{Kind: ArrayType, Elem: t, N: n}, s, d.DirectDeclarator)
	case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
		n, _, inner := r.direct(t, s, d.DirectDeclarator)
		if d.DirectDeclarator.Case == cc.DirectDeclaratorDecl || inner != nil {
			// A call through it could not be inlined: which body would it be?
			r.fail(r.at(d.Position()), "a pointer to a function")
		}
		return n, t, d
	}
	r.fail(r.at(d.Position()), "a declarator of this kind")
	return "", nil, nil
}

// Function reads the head of a function.
func (r *reader) Function(s specs, d *cc.Declarator) *Function {
	name, ret, params := r.declarator(s.typ, s, d)
	f := &Function{At: r.at(d.Position()), Name: name, Ret: ret, Kernel: s.kernel, Group: s.group, Bound: s.bound, Noreturn: s.noreturn, Device: s.spaced || !r.cuda}
	r.known(name, f.At)
	if params != nil && params.ParameterTypeList != nil {
		for l := params.ParameterTypeList.ParameterList; l != nil; l = l.ParameterList {
			p := l.ParameterDeclaration
			ps := r.specifiers(p.DeclarationSpecifiers)
			n, t := "", ps.typ
			if p.Declarator != nil {
				var fn *cc.DirectDeclarator
				if n, t, fn = r.declarator(ps.typ, ps, p.Declarator); fn != nil {
					r.fail(r.at(p.Position()), "a pointer to a function")
				}
			} else if p.AbstractDeclarator != nil {
				t = r.abstract(ps.typ, ps, p.AbstractDeclarator)
			}
			if t.Kind == VoidType {
				continue
			}
			r.named(n, r.at(p.Position()))
			// A parameter of array type is a pointer (C11 6.7.6.3p7): nothing is copied.
			if t.Kind == ArrayType {
				t = &Ctype{Kind: PointerType, Elem: t.Elem, Space: ps.where, Spaced: ps.spaced}
			}
			f.Params = append(f.Params, &Decl{At: r.at(p.Position()), Name: n, Typ: t, Konst: ps.konst})
		}
	}
	return f
}

// abstract is the type of a declarator without a name, which begins with t.
func (r *reader) abstract(t *Ctype, s specs, d *cc.AbstractDeclarator) *Ctype {
	if d == nil {
		return t
	}
	t = r.pointer(t, s, d.Pointer)
	for dd := d.DirectAbstractDeclarator; dd != nil; dd = dd.DirectAbstractDeclarator {
		switch dd.Case {
		case cc.DirectAbstractDeclaratorArr:
			n := int64(-1)
			if dd.AssignmentExpression != nil {
				n = r.constant(r.expression(dd.AssignmentExpression))
			}
			t = &Ctype{Kind: ArrayType, Elem: t, N: n}
		case cc.DirectAbstractDeclaratorDecl:
			return r.abstract(t, s, dd.AbstractDeclarator)
		default:
			r.fail(r.at(dd.Position()), "a type of this kind")
		}
	}
	return t
}

// declaration reads a declaration: variables, types, or functions without a body.
func (r *reader) declaration(d *cc.Declaration) (out []*Decl) {
	if d.Case != cc.DeclarationDecl {
		r.fail(r.at(d.Position()), "a declaration of this kind")
	}
	s := r.specifiers(d.DeclarationSpecifiers)
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		i := l.InitDeclarator
		n, t, fn := r.declarator(s.typ, s, i.Declarator)
		place := r.at(i.Declarator.Position())
		switch {
		case s.typedef:
			if s.spaced && t.Kind != PointerType {
				r.fail(place, "type %s, which names an address space", n)
			}
			// Those of the header say int of everything: Named knows better.
			if place.Line > 0 && i.Declarator.Position().Filename != toolchain {
				r.known(n, place)
				was := r.types[n]
				if was == nil {
					was = Named(n, r.cuda)
				}
				if was != nil && !alike(was, t) {
					r.fail(place, "type %s, which is declared twice", n)
				}
				r.types[n] = t
			}
			continue
		case fn != nil:
			f := r.Function(s, i.Declarator)
			if i.Declarator.Position().Filename == r.unit.File {
				r.outer(f.Name, place)
			}
			r.declares(f)
			continue
		}
		r.named(n, place)
		v := &Decl{At: place, Name: n, Typ: t, Extern: s.extern, Static: s.static, Konst: s.konst}
		v.Typ = r.spaced(t, s)
		if i.Initializer != nil {
			v.Init = r.initializer(i.Initializer)
			v.Typ = sized(v.Typ, v.Init)
			// C would call a length made of it variable; the toolchains take it for a constant.
			if _, hidden := r.values[n]; s.konst && t.Kind == IntType && !hidden {
				r.values[n] = v.Init
			} else if hidden {
				r.values[n] = &Expr{Kind: StringLiteral, At: place} // one of several: none has a value
			}
		}
		out = append(out, v)
	}
	return out
}

// named refuses a variable that has the name of an enumerator, which one of them hides.
func (r *reader) named(n string, where preproc.Place) {
	if _, both := r.unit.Enums[n]; both {
		r.fail(where, "variable %s, which is also an enumerator", n)
	}
	r.kinds["variable or enumerator "+n] = true
}

// spaced notes where a variable lies. In OpenCL the space before a pointer is that of what
// it points at; in CUDA it is that of the pointer.
func (r *reader) spaced(t *Ctype, s specs) *Ctype {
	if !s.spaced || t.Kind == PointerType && !r.cuda {
		return t
	}
	c := *t
	c.Where, c.Spaced = s.where, true
	return &c
}

// sized gives an array without length that of its initializer.
func sized(t *Ctype, init *Expr) *Ctype {
	if t.Kind != ArrayType || t.N >= 0 {
		return t
	}
	c := *t
	switch init.Kind {
	case InitList:
		c.N = int64(len(init.Args))
	case StringLiteral:
		if text, err := strconv.Unquote(init.Name); err == nil {
			c.N = int64(len(text)) + 1
		}
	}
	return &c
}

func (r *reader) initializer(i *cc.Initializer) *Expr {
	if i.Case == cc.InitializerExpr {
		return r.expression(i.AssignmentExpression)
	}
	return &Expr{Kind: InitList, At: r.at(i.Position()), Args: r.initializers(i.InitializerList)}
}

func (r *reader) initializers(l *cc.InitializerList) (out []*Expr) {
	for ; l != nil; l = l.InitializerList {
		if l.Designation != nil {
			r.fail(r.at(l.Position()), "a designated initializer")
		}
		out = append(out, r.initializer(l.Initializer))
	}
	return out
}

// block reads the statements of a block.
func (r *reader) block(b *cc.CompoundStatement) (out []*Stmt) {
	for l := b.BlockItemList; l != nil; l = l.BlockItemList {
		switch i := l.BlockItem; i.Case {
		case cc.BlockItemDecl:
			known := len(r.unit.Functions)
			ds := slices.DeleteFunc(r.declaration(i.Declaration), func(d *Decl) bool { return d.Name == "__func__" })
			if r.cuda && len(r.unit.Functions) > known { // it hides those of its name
				r.fail(r.at(i.Position()), "a function declaration in a block; move it out of the function")
			}
			if len(ds) > 0 {
				out = append(out, &Stmt{Kind: DeclStmt, At: r.at(i.Position()), Decls: ds})
			}
		case cc.BlockItemStmt:
			out = append(out, r.statement(i.Statement))
		default:
			r.fail(r.at(i.Position()), "a nested function, or a local label")
		}
	}
	return out
}

// statement reads a statement.
func (r *reader) statement(s *cc.Statement) *Stmt {
	// prepare has bounded the brackets; else if else if … and ! ! ! … nest without any.
	if r.depth++; r.depth > 4*preproc.MaxNesting {
		r.fail(r.at(s.Position()), "statements nested more than %d deep", 4*preproc.MaxNesting)
	}
	defer func() { r.depth-- }()
	where := r.at(s.Position())
	switch s.Case {
	case cc.StatementCompound:
		return &Stmt{Kind: BlockStmt, At: where, Body: r.block(s.CompoundStatement)}
	case cc.StatementExpr:
		if s.ExpressionStatement.ExpressionList == nil {
			return &Stmt{Kind: EmptyStmt, At: where}
		}
		return &Stmt{Kind: ExprStmt, At: where, Cond: r.expression(s.ExpressionStatement.ExpressionList)}
	case cc.StatementSelection:
		x := s.SelectionStatement
		out := &Stmt{Kind: IfStmt, At: where, Cond: r.expression(x.ExpressionList), Body: []*Stmt{r.statement(x.Statement)}}
		switch x.Case {
		case cc.SelectionStatementIfElse:
			out.Other = []*Stmt{r.statement(x.Statement2)}
		case cc.SelectionStatementSwitch:
			out.Kind = SwitchStmt
			r.cases(out)
		}
		return out
	case cc.StatementIteration:
		return r.iteration(where, s.IterationStatement)
	case cc.StatementJump:
		x := s.JumpStatement
		switch x.Case {
		case cc.JumpStatementContinue:
			return &Stmt{Kind: ContinueStmt, At: where}
		case cc.JumpStatementBreak:
			return &Stmt{Kind: BreakStmt, At: where}
		case cc.JumpStatementReturn:
			out := &Stmt{Kind: ReturnStmt, At: where}
			if x.ExpressionList != nil {
				out.Cond = r.expression(x.ExpressionList)
			}
			return out
		case cc.JumpStatementGoto:
			return &Stmt{Kind: GotoStmt, At: where, Label: x.Token2.SrcStr()}
		}
	case cc.StatementLabeled:
		x := s.LabeledStatement
		inner := r.statement(x.Statement)
		switch x.Case {
		case cc.LabeledStatementLabel:
			return &Stmt{Kind: LabelStmt, At: where, Label: x.Token.SrcStr(), Body: []*Stmt{inner}}
		case cc.LabeledStatementCaseLabel:
			return &Stmt{Kind: CaseStmt, At: where, Cond: r.expression(x.ConstantExpression), Body: []*Stmt{inner}}
		case cc.LabeledStatementDefault:
			return &Stmt{Kind: CaseStmt, At: where, Body: []*Stmt{inner}}
		}
	}
	r.fail(where, "a statement of this kind")
	return nil
}

// cases refuses a switch with a case elsewhere than directly in its block: a jump into
// another statement, which would be taken for one that nothing jumps to.
func (r *reader) cases(s *Stmt) {
	if s.Body[0].Kind != BlockStmt {
		r.fail(s.At, "a switch without block")
	}
	var within func(ss []*Stmt)
	within = func(ss []*Stmt) {
		for _, b := range ss {
			switch b.Kind {
			case CaseStmt:
				r.fail(b.At, "a case inside a nested statement of its switch")
			case SwitchStmt: // which has cases of its own
			default:
				within(b.Body)
				within(b.Other)
			}
		}
	}
	for _, b := range s.Body[0].Body {
		for b.Kind == CaseStmt {
			b = b.Body[0]
		}
		within([]*Stmt{b})
	}
}

// iteration reads a loop.
func (r *reader) iteration(where preproc.Place, x *cc.IterationStatement) *Stmt {
	out := &Stmt{At: where}
	optional := func(n cc.ExpressionNode) *Expr {
		if n == nil {
			return nil
		}
		return r.expression(n)
	}
	switch x.Case {
	case cc.IterationStatementWhile:
		out.Kind, out.Cond = WhileStmt, r.expression(x.ExpressionList)
	case cc.IterationStatementDo:
		out.Kind, out.Cond = DoStmt, r.expression(x.ExpressionList)
	case cc.IterationStatementFor:
		out.Kind = ForStmt
		if e := optional(x.ExpressionList); e != nil {
			out.Init = &Stmt{Kind: ExprStmt, At: where, Cond: e}
		}
		out.Cond, out.Post = optional(x.ExpressionList2), optional(x.ExpressionList3)
	case cc.IterationStatementForDecl:
		out.Kind = ForStmt
		out.Init = &Stmt{Kind: DeclStmt, At: where, Decls: r.declaration(x.Declaration)}
		out.Cond, out.Post = optional(x.ExpressionList), optional(x.ExpressionList2)
	}
	out.Body = []*Stmt{r.statement(x.Statement)}
	return out
}

func (r *reader) pair(where preproc.Place, op string, x, y cc.ExpressionNode) *Expr {
	return &Expr{Kind: Binary, At: where, Op: op, Args: []*Expr{r.expression(x), r.expression(y)}}
}

// expression converts an expression. The parser has one type of node a floor of the
// grammar, each of which may just pass on the floor below.
func (r *reader) expression(n cc.ExpressionNode) *Expr {
	// So do chains: a + b + c is a tree that leans to the left, one deeper for each operand.
	if r.depth++; r.depth > 4*preproc.MaxNesting {
		r.fail(r.at(n.Position()), "an expression nested more than %d deep", 4*preproc.MaxNesting)
	}
	defer func() { r.depth-- }()
	where := r.at(n.Position())
	// One case for each level of C's grammar, from the loosest operator to the tightest: a node
	// of a level without its operator stands for the level below.
	switch x := n.(type) {
	case *cc.ConstantExpression:
		return r.expression(x.ConditionalExpression)
	case *cc.ExpressionList:
		e := r.expression(x.AssignmentExpression)
		for l := x.ExpressionList; l != nil; l = l.ExpressionList {
			e = &Expr{Kind: Comma, At: where, Args: []*Expr{e, r.expression(l.AssignmentExpression)}}
		}
		return e
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionCond {
			return r.expression(x.ConditionalExpression)
		}
		op := strings.TrimSuffix(x.Token.SrcStr(), "=")
		return &Expr{Kind: Assign, At: r.at(x.UnaryExpression.Position()), Op: op, Args: []*Expr{r.expression(x.UnaryExpression), r.expression(x.AssignmentExpression)}}
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionLOr {
			return r.expression(x.LogicalOrExpression)
		}
		// x ?: y of GNU C evaluates x once; a choice that names x twice would do so twice.
		if x.ExpressionList == nil {
			r.fail(where, "?: without middle")
		}
		return &Expr{Kind: Ternary, At: where, Args: []*Expr{r.expression(x.LogicalOrExpression), r.expression(x.ExpressionList), r.expression(x.ConditionalExpression)}}
	case *cc.LogicalOrExpression:
		if x.Case == cc.LogicalOrExpressionLAnd {
			return r.expression(x.LogicalAndExpression)
		}
		return r.pair(where, "||", x.LogicalOrExpression, x.LogicalAndExpression)
	case *cc.LogicalAndExpression:
		if x.Case == cc.LogicalAndExpressionOr {
			return r.expression(x.InclusiveOrExpression)
		}
		return r.pair(where, "&&", x.LogicalAndExpression, x.InclusiveOrExpression)
	case *cc.InclusiveOrExpression:
		if x.Case == cc.InclusiveOrExpressionXor {
			return r.expression(x.ExclusiveOrExpression)
		}
		return r.pair(where, "|", x.InclusiveOrExpression, x.ExclusiveOrExpression)
	case *cc.ExclusiveOrExpression:
		if x.Case == cc.ExclusiveOrExpressionAnd {
			return r.expression(x.AndExpression)
		}
		return r.pair(where, "^", x.ExclusiveOrExpression, x.AndExpression)
	case *cc.AndExpression:
		if x.Case == cc.AndExpressionEq {
			return r.expression(x.EqualityExpression)
		}
		return r.pair(where, "&", x.AndExpression, x.EqualityExpression)
	case *cc.EqualityExpression:
		if x.Case == cc.EqualityExpressionRel {
			return r.expression(x.RelationalExpression)
		}
		return r.pair(where, x.Token.SrcStr(), x.EqualityExpression, x.RelationalExpression)
	case *cc.RelationalExpression:
		if x.Case == cc.RelationalExpressionShift {
			return r.expression(x.ShiftExpression)
		}
		return r.pair(where, x.Token.SrcStr(), x.RelationalExpression, x.ShiftExpression)
	case *cc.ShiftExpression:
		if x.Case == cc.ShiftExpressionAdd {
			return r.expression(x.AdditiveExpression)
		}
		return r.pair(where, x.Token.SrcStr(), x.ShiftExpression, x.AdditiveExpression)
	case *cc.AdditiveExpression:
		if x.Case == cc.AdditiveExpressionMul {
			return r.expression(x.MultiplicativeExpression)
		}
		return r.pair(where, x.Token.SrcStr(), x.AdditiveExpression, x.MultiplicativeExpression)
	case *cc.MultiplicativeExpression:
		if x.Case == cc.MultiplicativeExpressionCast {
			return r.expression(x.CastExpression)
		}
		return r.pair(where, x.Token.SrcStr(), x.MultiplicativeExpression, x.CastExpression)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionUnary {
			return r.expression(x.UnaryExpression)
		}
		return &Expr{Kind: Cast, At: where, Typ: r.typeName(x.TypeName), Args: []*Expr{r.expression(x.CastExpression)}}
	case *cc.UnaryExpression:
		return r.unary(where, x)
	case *cc.PostfixExpression:
		return r.postfix(where, x)
	case *cc.PrimaryExpression:
		return r.primary(where, x)
	}
	r.fail(where, "an expression of this kind")
	return nil
}

func (r *reader) typeName(t *cc.TypeName) *Ctype {
	s := r.qualifiers(t.SpecifierQualifierList)
	return r.abstract(s.typ, s, t.AbstractDeclarator)
}

// unary reads a unary expression.
func (r *reader) unary(where preproc.Place, x *cc.UnaryExpression) *Expr {
	switch x.Case {
	case cc.UnaryExpressionPostfix:
		return r.expression(x.PostfixExpression)
	case cc.UnaryExpressionInc:
		return &Expr{Kind: Step, At: where, Op: "+", Args: []*Expr{r.expression(x.UnaryExpression)}}
	case cc.UnaryExpressionDec:
		return &Expr{Kind: Step, At: where, Op: "-", Args: []*Expr{r.expression(x.UnaryExpression)}}
	case cc.UnaryExpressionAddrof, cc.UnaryExpressionDeref, cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
		return &Expr{Kind: Unary, At: where, Op: x.Token.SrcStr(), Args: []*Expr{r.expression(x.CastExpression)}}
	case cc.UnaryExpressionSizeofExpr:
		return &Expr{Kind: SizeOf, At: where, Args: []*Expr{r.expression(x.UnaryExpression)}}
	case cc.UnaryExpressionSizeofType:
		return &Expr{Kind: SizeOf, At: where, Typ: r.typeName(x.TypeName)}
	}
	r.fail(where, "operator %s", x.Token.SrcStr())
	return nil
}

// postfix reads a postfix expression.
func (r *reader) postfix(where preproc.Place, x *cc.PostfixExpression) *Expr {
	switch x.Case {
	case cc.PostfixExpressionPrimary:
		return r.expression(x.PrimaryExpression)
	case cc.PostfixExpressionIndex:
		return &Expr{Kind: Index, At: where, Args: []*Expr{r.expression(x.PostfixExpression), r.expression(x.ExpressionList)}}
	case cc.PostfixExpressionCall:
		e := &Expr{Kind: Call, At: where, Args: []*Expr{r.expression(x.PostfixExpression)}}
		for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
			e.Args = append(e.Args, r.expression(l.AssignmentExpression))
		}
		return e
	case cc.PostfixExpressionSelect:
		return &Expr{Kind: Member, At: where, Name: x.Token2.SrcStr(), Args: []*Expr{r.expression(x.PostfixExpression)}}
	case cc.PostfixExpressionPSelect:
		return &Expr{Kind: Member, At: where, Op: "->", Name: x.Token2.SrcStr(), Args: []*Expr{r.expression(x.PostfixExpression)}}
	case cc.PostfixExpressionInc:
		return &Expr{Kind: Step, At: where, Op: "+", Postfix: true, Args: []*Expr{r.expression(x.PostfixExpression)}}
	case cc.PostfixExpressionDec:
		return &Expr{Kind: Step, At: where, Op: "-", Postfix: true, Args: []*Expr{r.expression(x.PostfixExpression)}}
	case cc.PostfixExpressionComplit:
		e := &Expr{Kind: InitList, At: where}
		e.Args = r.initializers(x.InitializerList)
		return &Expr{Kind: Cast, At: where, Typ: r.typeName(x.TypeName), Args: []*Expr{e}}
	}
	r.fail(where, "an expression of this kind")
	return nil
}

// primary reads a name, a literal, or an expression in parentheses.
func (r *reader) primary(where preproc.Place, x *cc.PrimaryExpression) *Expr {
	text := x.Token.SrcStr()
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		r.known(text, where)
		return &Expr{Kind: Name, At: where, Name: text}
	case cc.PrimaryExpressionInt:
		return r.integer(where, text)
	case cc.PrimaryExpressionFloat:
		t := Vectors["double"]
		if strings.HasSuffix(strings.ToLower(text), "f") {
			t = TFloat
		}
		return &Expr{Kind: FloatLiteral, At: where, Name: text, Typ: t}
	case cc.PrimaryExpressionChar:
		return r.character(where, text)
	case cc.PrimaryExpressionString:
		return &Expr{Kind: StringLiteral, At: where, Name: text}
	case cc.PrimaryExpressionExpr:
		e := r.expression(x.ExpressionList)
		if e.Kind == Comma {
			e.Op += "()"
		}
		return e
	}
	r.fail(where, "an expression of this kind")
	return nil
}

// character is the value of a character constant: of one byte, which is signed.
func (r *reader) character(where preproc.Place, text string) *Expr {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "'"), "'")
	if inner == `\0` {
		inner = `\000` // as strconv has it
	}
	c, wide, rest, err := strconv.UnquoteChar(inner, '\'')
	if err != nil || wide || rest != "" || c > 255 {
		r.fail(where, "character %s", text)
	}
	t := TInt
	if r.cuda {
		t = Vectors["char"] // as C++ has it
	}
	return &Expr{Kind: Literal, At: where, Value: big.NewInt(int64(int8(c))), Typ: t}
}

// integer reads an integer literal, whose type follows from its value and suffix (C11 6.4.4.1).
func (r *reader) integer(where preproc.Place, text string) *Expr {
	digits := strings.TrimRight(text, "uUlL")
	suffix := strings.ToLower(text[len(digits):])
	v, ok := new(big.Int).SetString(digits, 0)
	if !ok {
		r.fail(where, "number %s", text)
	}
	t := TInt
	hex := strings.HasPrefix(digits, "0") && len(digits) > 1
	switch {
	case strings.Contains(suffix, "u") && strings.Contains(suffix, "l"):
		t = TUlong
	case strings.Contains(suffix, "u"):
		t = TUint
	case strings.Contains(suffix, "l"):
		t = TLong
	// A decimal number without suffix never becomes unsigned, another may (C11 6.4.4.1p5):
	// 0xffffffff > −1 is false, 4294967295 > −1 is true.
	case v.BitLen() > 31 && hex && v.BitLen() <= 32:
		t = TUint
	case v.BitLen() > 31:
		t = TLong
	}
	if t == TUint && v.BitLen() > 32 || t == TLong && v.BitLen() > 63 {
		t = TUlong
	}
	if v.BitLen() > 64 {
		r.fail(where, "number %s", text)
	}
	return &Expr{Kind: Literal, At: where, Value: v, Typ: t}
}

// constant is the value of a constant expression.
func (r *reader) constant(e *Expr) int64 {
	v, ok := Fold(e, func(e *Expr) (*big.Int, bool) {
		n := e.Name
		if i, ok := r.unit.Enums[n]; ok {
			return big.NewInt(i), true
		}
		if i, ok := r.values[n]; ok {
			delete(r.values, n) // in its own initial value it has none
			defer func() { r.values[n] = i }()
			return big.NewInt(r.constant(i)), true
		}
		return nil, false
	})
	if !ok || !v.IsInt64() {
		r.fail(e.At, "a length that is not a constant")
	}
	return v.Int64()
}

// known refuses a name that is lost.
func (r *reader) known(name string, at preproc.Place) {
	if r.unit.lost[name] != nil {
		r.fail(at, "%s", r.unit.lost.why(name, r.unit.File))
	}
}
