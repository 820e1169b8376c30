package gpuc

import "math/big"

// place is where something stands in the source.
type place struct {
	line, col int
}

// space is an address space.
type space uint8

const (
	private space = iota
	global
	local
	constant
)

func (s space) String() string {
	return [...]string{"private", "global", "local", "constant"}[s]
}

// typeKind sorts types.
type typeKind uint8

const (
	voidType typeKind = iota
	intType           // bool, char … long, enumerations: bits, signed
	floatType
	pointerType
	arrayType
	structType
	vectorType
	opaqueType // images, samplers, streams: nothing is known of their values
)

// ctype is a type of C, as far as it matters here.
type ctype struct {
	kind   typeKind
	name   string
	bits   int // of integers and floats
	signed bool
	elem   *ctype // of pointers, arrays, vectors
	n      int64  // elements of an array (−1: unknown), lanes of a vector
	space  space  // of what a pointer points at
	fields []field
	spaced bool // the address space was written, in a declaration
	where  space
}

type field struct {
	name string
	typ  *ctype
}

var (
	tVoid  = &ctype{kind: voidType, name: "void"}
	tBool  = &ctype{kind: intType, name: "bool", bits: 1}
	tInt   = &ctype{kind: intType, name: "int", bits: 32, signed: true}
	tUint  = &ctype{kind: intType, name: "uint", bits: 32}
	tLong  = &ctype{kind: intType, name: "long", bits: 64, signed: true}
	tUlong = &ctype{kind: intType, name: "ulong", bits: 64}
	tFloat = &ctype{kind: floatType, name: "float", bits: 32}
)

// cells is how many scalars a value of the type has in memory.
func (t *ctype) cells() int64 {
	switch t.kind {
	case vectorType:
		if t.n == 3 {
			return 4
		}
		return t.n
	case arrayType:
		return t.n * t.elem.cells()
	case structType:
		var sum int64
		for _, f := range t.fields {
			sum += f.typ.cells()
		}
		return sum
	}
	return 1
}

// size is sizeof, in bytes.
func (t *ctype) size() int64 {
	switch t.kind {
	case intType, floatType:
		return int64(max(1, t.bits/8))
	case pointerType:
		return 8
	case arrayType:
		return t.n * t.elem.size()
	case vectorType:
		return t.cells() * t.elem.size()
	case structType:
		var sum, most int64 = 0, 1
		for _, f := range t.fields {
			align := f.typ.align()
			most = max(most, align)
			sum = (sum+align-1)/align*align + f.typ.size()
		}
		return (sum + most - 1) / most * most
	}
	return 1
}

func (t *ctype) align() int64 {
	switch t.kind {
	case arrayType:
		return t.elem.align()
	case structType:
		most := int64(1)
		for _, f := range t.fields {
			most = max(most, f.typ.align())
		}
		return most
	}
	return t.size()
}

// leaf is the scalar that cell i of the type holds.
func (t *ctype) leaf(i int64) *ctype {
	switch t.kind {
	case vectorType:
		return t.elem
	case arrayType:
		return t.elem.leaf(i % max(1, t.elem.cells()))
	case structType:
		for _, f := range t.fields {
			if n := f.typ.cells(); i < n {
				return f.typ.leaf(i)
			} else {
				i -= n
			}
		}
	}
	return t
}

// exprKind sorts expressions.
type exprKind uint8

const (
	literal exprKind = iota
	floatLiteral
	stringLiteral
	name
	unary   // op x
	binary  // x op y
	assign  // x = y, x op= y: op is "" or the operator
	step    // ++x, x++: op, and postfix
	ternary // x ? y : z
	call    // x(args…)
	index   // x[y]
	member  // x.name; x->name: op "->"
	cast    // (typ)x
	sizeOf  // sizeof x, or of typ
	comma   // x, y
	initList
)

// expr is an expression.
type expr struct {
	kind    exprKind
	at      place
	op      string
	name    string
	value   *big.Int
	typ     *ctype
	args    []*expr
	postfix bool
}

// stmtKind sorts statements.
type stmtKind uint8

const (
	emptyStmt stmtKind = iota
	exprStmt
	declStmt
	blockStmt
	ifStmt
	whileStmt
	doStmt
	forStmt
	switchStmt
	caseStmt // cond nil: default
	labelStmt
	gotoStmt
	breakStmt
	continueStmt
	returnStmt
)

// stmt is a statement. Of a for statement, init and post are set.
type stmt struct {
	kind  stmtKind
	at    place
	cond  *expr
	init  *stmt
	post  *expr
	body  []*stmt
	other []*stmt // else
	decls []*decl
	label string
}

// decl declares a variable or parameter.
type decl struct {
	at     place
	name   string
	typ    *ctype
	init   *expr
	extern bool
	static bool
	konst  bool
}

// function is a function, with a body or without.
type function struct {
	at       place
	name     string
	ret      *ctype
	params   []*decl
	body     []*stmt
	defined  bool
	kernel   bool
	noreturn bool
	device   bool // may run on the device
}

// unit is what one source file holds.
type unit struct {
	file      string
	functions []*function
	globals   []*decl
	enums     map[string]int64
	axioms    []*expr // __axiom(e)
}

func (u *unit) function(name string) *function {
	var found *function
	for _, f := range u.functions {
		if f.name == name && (found == nil || f.defined) {
			found = f
		}
	}
	return found
}
