package ast

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/preproc"
)

// Space is an address space.
type Space uint8

// The address spaces.
const (
	Private Space = iota
	Global
	Local
	Constant
)

func (s Space) String() string {
	return [...]string{"private", "global", "local", "constant"}[s]
}

// typeKind sorts types.
type typeKind uint8

// The kinds of types.
const (
	VoidType typeKind = iota
	IntType           // bool, char … long, enumerations: bits, signed
	FloatType
	PointerType
	ArrayType
	StructType
	VectorType
	OpaqueType // images, samplers, streams: nothing is known of their values
)

// Ctype is a type of C, as far as it matters here.
type Ctype struct {
	Kind   typeKind
	Name   string
	Bits   int // of integers and floats
	Signed bool
	// Pointerwide are integers whose width is that of pointers; 64 bits are assumed.
	Pointerwide bool
	// Unsettled are floating types that are narrower for some toolchains: nothing may depend on which it is.
	Unsettled bool
	Elem      *Ctype // of pointers, arrays, vectors
	N         int64  // elements of an array (−1: unknown), lanes of a vector
	Packed    bool   // of vectors: three lanes take no more room than they need
	Space     Space  // of what a pointer points at
	Alone     bool   // of a pointer: no other one leads to what is written through it (restrict)
	Fields    []field
	Spaced    bool // the address space was written, in a declaration
	Where     Space
}

// holds reports whether x is a value of the integer type t.
func (t *Ctype) holds(x *big.Int) bool {
	if !t.Signed {
		return x.Sign() >= 0 && x.BitLen() <= t.Bits
	}
	if x.Sign() < 0 {
		x = new(big.Int).Not(x) // −2ⁿ has the bits of 2ⁿ−1
	}
	return x.BitLen() < t.Bits
}

type field struct {
	Name string
	Typ  *Ctype
}

// The types that have one name.
var (
	TVoid   = &Ctype{Kind: VoidType, Name: "void"}
	TBool   = &Ctype{Kind: IntType, Name: "bool", Bits: 1}
	TInt    = &Ctype{Kind: IntType, Name: "int", Bits: 32, Signed: true}
	TUint   = &Ctype{Kind: IntType, Name: "uint", Bits: 32}
	TLong   = &Ctype{Kind: IntType, Name: "long", Bits: 64, Signed: true}
	TUlong  = &Ctype{Kind: IntType, Name: "ulong", Bits: 64}
	TFloat  = &Ctype{Kind: FloatType, Name: "float", Bits: 32}
	TDouble = &Ctype{Kind: FloatType, Name: "double", Bits: 64}
	// unsettled is a float or a double.
	unsettled = &Ctype{Kind: FloatType, Name: "float or double", Bits: 64, Unsettled: true}
)

// Cells is how many scalars a value of the type has in memory.
func (t *Ctype) Cells() int64 {
	switch t.Kind {
	case VectorType:
		// Three lanes take the room of four in OpenCL, of three in CUDA.
		if t.N == 3 && !t.Packed {
			return 4
		}
		return t.N
	case ArrayType:
		return t.N * t.Elem.Cells()
	case StructType:
		var sum int64
		for _, f := range t.Fields {
			sum += f.Typ.Cells()
		}
		return sum
	}
	return 1
}

// maxParts bounds the parts of a structure, for whatever asks for one goes through them: a structure of two of the one before has 2ⁿ.
const maxParts = 10_000

// parts is how many types a type is made of; an array is made of one element.
func (t *Ctype) parts() int64 {
	switch t.Kind {
	case ArrayType:
		return 1 + t.Elem.parts()
	case StructType:
		sum := int64(1)
		for _, f := range t.Fields {
			sum += f.Typ.parts()
		}
		return sum
	}
	return 1
}

// Size is sizeof, in bytes.
func (t *Ctype) Size() int64 {
	switch t.Kind {
	case IntType, FloatType:
		return int64(max(1, t.Bits/8))
	case PointerType:
		return 8
	case ArrayType:
		return t.N * t.Elem.Size()
	case VectorType:
		return t.Cells() * t.Elem.Size()
	case StructType:
		var sum, most int64 = 0, 1
		for _, f := range t.Fields {
			align := f.Typ.align()
			most = max(most, align)
			sum = (sum+align-1)/align*align + f.Typ.Size()
		}
		return (sum + most - 1) / most * most
	}
	return 1
}

// align is the alignment of a type in bytes.
func (t *Ctype) align() int64 {
	switch t.Kind {
	case ArrayType:
		return t.Elem.align()
	case StructType:
		most := int64(1)
		for _, f := range t.Fields {
			most = max(most, f.Typ.align())
		}
		return most
	case VectorType:
		switch {
		case t.Packed && t.N == 3:
			return t.Elem.align()
		case t.Packed: // CUDA aligns to 16 bytes at most
			return min(16, t.Size())
		}
	}
	return t.Size()
}

// Sized reports whether the size of a type is known: of those of libraries it is not, nor of what is declared without parts.
func (t *Ctype) Sized() bool {
	switch t.Kind {
	case OpaqueType:
		return false
	case FloatType:
		return !t.Unsettled
	case ArrayType:
		return t.N >= 0 && t.Elem.Sized()
	case StructType:
		for _, f := range t.Fields {
			if !f.Typ.Sized() {
				return false
			}
		}
		return len(t.Fields) > 0 && t != deviceProperties // of which some are listed
	}
	return true
}

// pointerwide is an integer as wide as pointers.
func pointerwide(name string, signed bool) *Ctype {
	return &Ctype{Kind: IntType, Name: name, Bits: 64, Signed: signed, Pointerwide: true}
}

// Promoted is the type that arithmetic on a value of type t has.
func Promoted(t *Ctype) *Ctype {
	if t.Kind == IntType && t.Bits < 32 {
		return TInt
	}
	return t
}

// CommonType is the type of arithmetic on two scalars.
func CommonType(a, b *Ctype) *Ctype {
	a, b = Promoted(a), Promoted(b)
	switch {
	case a.Kind == FloatType && b.Kind == FloatType:
		if b.Bits > a.Bits {
			return b
		}
		return a
	case a.Kind == FloatType:
		return a
	case b.Kind == FloatType:
		return b
	case a.Bits > b.Bits:
		return a
	case b.Bits > a.Bits:
		return b
	case a.Pointerwide && a.Signed == b.Signed:
		return b // of 64 bits whatever the target
	case !a.Signed:
		return a
	}
	return b
}

// Leaf is the scalar that cell i of the type holds.
func (t *Ctype) Leaf(i int64) *Ctype {
	switch t.Kind {
	case VectorType:
		return t.Elem
	case ArrayType:
		return t.Elem.Leaf(i % max(1, t.Elem.Cells()))
	case StructType:
		for _, f := range t.Fields {
			if n := f.Typ.Cells(); i < n {
				return f.Typ.Leaf(i)
			} else {
				i -= n
			}
		}
	}
	return t
}

// LeftOut is what cell i of the type holds where an initial value leaves it out: 0 (C11 6.7.9p21), but 1 in a dim3, whose
// constructor says so.
func (t *Ctype) LeftOut(i int64) int64 {
	switch {
	case t.Kind == VectorType && t.Name == "dim3":
		return 1
	case t.Kind == ArrayType:
		return t.Elem.LeftOut(i % max(1, t.Elem.Cells()))
	case t.Kind == StructType:
		for _, f := range t.Fields {
			n := f.Typ.Cells()
			if i < n {
				return f.Typ.LeftOut(i)
			}
			i -= n
		}
	}
	return 0
}

// Path is how C names cell i of a value of the type.
func (t *Ctype) Path(i int64) string {
	switch t.Kind {
	case ArrayType:
		n := max(1, t.Elem.Cells())
		return fmt.Sprintf("[%d]", i/n) + t.Elem.Path(i%n)
	case StructType:
		for _, f := range t.Fields {
			n := f.Typ.Cells()
			if i < n {
				return "." + f.Name + f.Typ.Path(i)
			}
			i -= n
		}
	}
	return ""
}

// exprKind sorts expressions.
type exprKind uint8

// The kinds of expressions.
const (
	Literal exprKind = iota
	FloatLiteral
	StringLiteral
	Name
	Unary   // op x
	Binary  // x op y
	Assign  // x = y, x op= y: op is "" or the operator
	Step    // ++x, x++: op, and postfix
	Ternary // x ? y : z
	Call    // x(args…)
	Index   // x[y]
	Member  // x.name; x->name: op "->"
	Cast    // (typ)x
	SizeOf  // sizeof x, or of typ
	Comma   // x, y: op has a () for each pair of brackets around it
	InitList
)

// Expr is an expression.
type Expr struct {
	Kind    exprKind
	At      preproc.Place
	Op      string
	Name    string
	Value   *big.Int
	Typ     *Ctype
	Args    []*Expr
	Postfix bool
	Decl    *Decl // of a name: the variable that it means, nil if it means something else
}

// Lanes are the values that a vector is made of by e: those of (int4)(a, b, c, d), or e itself. What
// has brackets of its own, as in (int4)((a, b), c, d, e), is one value.
func Lanes(e *Expr) []*Expr {
	if e.Kind != Comma || e.Op == "()()" {
		return []*Expr{e}
	}
	e = &Expr{Kind: Comma, Args: e.Args}
	var out []*Expr
	for ; e.Kind == Comma && e.Op == ""; e = e.Args[0] {
		out = append(out, e.Args[1])
	}
	out = append(out, e)
	slices.Reverse(out)
	return out
}

// stmtKind sorts statements.
type stmtKind uint8

// The kinds of statements.
const (
	EmptyStmt stmtKind = iota
	ExprStmt
	DeclStmt
	BlockStmt
	IfStmt
	WhileStmt
	DoStmt
	ForStmt
	SwitchStmt
	CaseStmt // cond nil: default
	LabelStmt
	GotoStmt
	BreakStmt
	ContinueStmt
	ReturnStmt
)

// Stmt is a statement. Of a for statement, init and post are set.
type Stmt struct {
	Kind  stmtKind
	At    preproc.Place
	Cond  *Expr
	Init  *Stmt
	Post  *Expr
	Body  []*Stmt
	Other []*Stmt // else
	Decls []*Decl
	Label string
}

// Stmts visits statements and those within them.
func Stmts(ss []*Stmt, visit func(*Stmt)) {
	for _, s := range ss {
		visit(s)
		if s.Init != nil {
			Stmts([]*Stmt{s.Init}, visit)
		}
		Stmts(s.Body, visit)
		Stmts(s.Other, visit)
	}
}

// Exprs visits all expressions in statements, each before its operands.
func Exprs(ss []*Stmt, visit func(*Expr)) {
	var within func(e *Expr)
	within = func(e *Expr) {
		if e == nil {
			return
		}
		visit(e)
		for _, a := range e.Args {
			within(a)
		}
	}
	Stmts(ss, func(s *Stmt) {
		within(s.Cond)
		within(s.Post)
		for _, d := range s.Decls {
			within(d.Init)
		}
	})
}

// Decl declares a variable or parameter.
type Decl struct {
	At     preproc.Place
	Name   string
	Typ    *Ctype
	Init   *Expr
	Extern bool
	Static bool
	Konst  bool
}

// Function is a function, with a body or without.
type Function struct {
	At       preproc.Place
	Name     string
	Ret      *Ctype
	Params   []*Decl
	Body     []*Stmt
	Defined  bool
	Kernel   bool
	Noreturn bool
	Device   bool     // may run on the device
	Group    [3]int64 // of a kernel: the size of groups that it is compiled for, or 0
	Bound    *Expr    // of a kernel: how many threads its groups have at most; nil if that is not said
}

// IsBarrier reports whether a statement is a barrier of a group, and nothing else.
func IsBarrier(s *Stmt) bool {
	if s.Kind != ExprStmt || s.Cond == nil || s.Cond.Kind != Call || s.Cond.Args[0].Kind != Name {
		return false
	}
	for _, cuda := range []bool{false, true} {
		if c := builtin.Source(s.Cond.Args[0].Name, cuda); c != nil && (c.Means == builtin.Barrier || c.Means == builtin.BarrierFlags) {
			return true
		}
	}
	return false
}

// IntOf returns the integer type of a size in bits.
func IntOf(bits int, signed bool) *Ctype {
	n := map[int]string{1: "bool", 8: "char", 16: "short", 32: "int", 64: "long"}[bits]
	if !signed && bits > 1 {
		n = "u" + n
	}
	return &Ctype{Kind: IntType, Name: n, Bits: bits, Signed: signed}
}

// deviceProperties is cudaDeviceProp, as far as programs ask for it.
var deviceProperties = func() *Ctype {
	t := &Ctype{Kind: StructType, Name: "cudaDeviceProp", Fields: []field{{"name", &Ctype{Kind: ArrayType, Elem: IntOf(8, true), N: 256}}}}
	for _, n := range strings.Fields("major minor warpSize maxThreadsPerBlock multiProcessorCount regsPerBlock clockRate maxThreadsPerMultiProcessor deviceOverlap") {
		t.Fields = append(t.Fields, field{n, TInt})
	}
	for _, n := range strings.Fields("maxThreadsDim maxGridSize") {
		t.Fields = append(t.Fields, field{n, &Ctype{Kind: ArrayType, Elem: TInt, N: 3}})
	}
	for _, n := range strings.Fields("totalGlobalMem sharedMemPerBlock totalConstMem memPitch textureAlignment") {
		t.Fields = append(t.Fields, field{n, TUlong})
	}
	return t
}()

// alike reports whether two types are one, as far as that can be told at once.
func alike(a, b *Ctype) bool {
	return a == b || a.Kind == b.Kind && (a.Kind == IntType || a.Kind == FloatType) && a.Bits == b.Bits && a.Signed == b.Signed && !a.Unsettled && !b.Unsettled
}
