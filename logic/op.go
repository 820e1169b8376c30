package logic

// Op names the operator of a term. There is one Op for every operator of the
// Event-B mathematical language (reference: Rodin's AST classes), plus Eps, the
// choice operator of the proof calculus. The zero Op is invalid.
//
// The number of an Op is its code. Fingerprints of formulas are made of codes, and
// what is stored and locked under them lasts: no code ever changes or serves again,
// and a new operator takes the next one that is free. The order of the lines has no
// meaning.
type Op uint8

// The operators, grouped as Rodin groups them. Spellings, priorities and
// compatibilities stand in logic/notation.
const (
	Invalid Op = 0

	// Atomic predicates and connectives. And and Or are n-ary, n ≥ 2.
	True    Op = 1
	False   Op = 2
	Not     Op = 3
	And     Op = 4
	Or      Op = 5
	Implies Op = 6
	Iff     Op = 7
	Forall  Op = 8 // Forall(decls; P)
	Exists  Op = 9 // Exists(decls; P)

	// Relational predicates.
	Eq          Op = 10
	Neq         Op = 11
	Lt          Op = 12
	Le          Op = 13
	Gt          Op = 14
	Ge          Op = 15
	In          Op = 16
	NotIn       Op = 17
	Subset      Op = 18 // ⊂, strict
	NotSubset   Op = 19 // ⊄
	SubsetEq    Op = 20
	NotSubsetEq Op = 21
	Finite      Op = 22
	Partition   Op = 23 // partition(S, P1, …, Pn), n ≥ 0

	// Identifiers and literals.
	Int   Op = 24 // integer literal, any size, negative ones too
	Free  Op = 25 // free identifier; Name and Type
	Bound Op = 26 // bound variable; de Bruijn Index and Type
	Given Op = 27 // carrier set as an expression, type ℙ(S)

	// Atomic expressions. Empty, Id, Prj1 and Prj2 are generic: built with Atom.
	Integer  Op = 28 // ℤ
	Natural  Op = 29 // ℕ
	Natural1 Op = 30 // ℕ1
	Bool     Op = 31 // BOOL
	TrueE    Op = 32 // TRUE
	FalseE   Op = 33 // FALSE
	Empty    Op = 34
	Id       Op = 35
	Prj1     Op = 36
	Prj2     Op = 37
	Pred     Op = 38
	Succ     Op = 39

	BoolOf Op = 40 // bool(P)

	Maplet Op = 41
	Rel    Op = 42 // ↔
	TRel   Op = 43 // total relation
	SRel   Op = 44 // surjective relation
	STRel  Op = 45 // total surjective relation
	PFun   Op = 46 // ⇸
	TFun   Op = 47 // →
	PInj   Op = 48 // ⤔
	TInj   Op = 49 // ↣
	PSur   Op = 50 // ⤀
	TSur   Op = 51 // ↠
	TBij   Op = 52 // ⤖

	Union    Op = 53 // n-ary
	Inter    Op = 54 // n-ary
	Diff     Op = 55 // ∖
	CProd    Op = 56 // ×
	DProd    Op = 57 // ⊗
	PProd    Op = 58 // ∥
	BComp    Op = 59 // ∘, n-ary
	FComp    Op = 60 // ;, n-ary
	Ovr      Op = 61 // override, n-ary
	DomRes   Op = 62
	DomSub   Op = 63
	RanRes   Op = 64
	RanSub   Op = 65
	Converse Op = 66
	Image    Op = 67 // r[S]
	Apply    Op = 68 // f(E)

	UpTo  Op = 69
	Plus  Op = 70 // n-ary
	Minus Op = 71
	Neg   Op = 72 // unary minus
	Times Op = 73 // n-ary
	Div   Op = 74
	Mod   Op = 75
	Exp   Op = 76

	Card   Op = 77
	Pow    Op = 78
	Pow1   Op = 79
	GUnion Op = 80 // union(S)
	GInter Op = 81 // inter(S)
	Dom    Op = 82
	Ran    Op = 83
	Min    Op = 84
	Max    Op = 85

	SetExt Op = 86 // {E1, …, En}; n = 0 only in named terms, its bare form is Empty
	Compr  Op = 87 // {decls · P ∣ E}: args P, E. λ is Compr with E = pattern ↦ value
	QUnion Op = 88 // ⋃ decls · P ∣ E
	QInter Op = 89 // ⋂ decls · P ∣ E

	// Eps(decls; P) with index i: component i of a tuple of values that
	// satisfies P, if there is one; of any tuple otherwise. Hilbert's choice.
	Eps Op = 90

	// NumOps is one more than the greatest code.
	NumOps Op = 91
)

// arrow is the signature of the sets of relations.
const arrow = "Pa Pb PP*ab"

// rows has a row for each operator: its name in certificates and in the axiom table,
// its signature, and of a set of relations what these have to be.
//
// A signature lists the types of the arguments and that of the result (Rodin's typing
// rules, reference §2.3). Types are written as in certificates: Z, B, P and a type, *
// and two types; o is the type of predicates, and a letter stands for any other type,
// the same throughout the row. After an argument, … says that it may be repeated; the
// second argument of an operator that is applied to many from left to right has it.
// The dot of a binder comes first. Rows without a signature have constructors of
// their own.
var rows = [256]struct{ name, signature, relations string }{
	True:        {"true", "o", ""},
	False:       {"false", "o", ""},
	Not:         {"not", "o o", ""},
	And:         {"and", "o o… o", ""},
	Or:          {"or", "o o… o", ""},
	Implies:     {"implies", "o o o", ""},
	Iff:         {"iff", "o o o", ""},
	Forall:      {"forall", "·o o", ""},
	Exists:      {"exists", "·o o", ""},
	Eq:          {"eq", "a a o", ""},
	Neq:         {"neq", "a a o", ""},
	Lt:          {"lt", "Z Z o", ""},
	Le:          {"le", "Z Z o", ""},
	Gt:          {"gt", "Z Z o", ""},
	Ge:          {"ge", "Z Z o", ""},
	In:          {"in", "a Pa o", ""},
	NotIn:       {"notin", "a Pa o", ""},
	Subset:      {"subset", "Pa Pa o", ""},
	NotSubset:   {"notsubset", "Pa Pa o", ""},
	SubsetEq:    {"subseteq", "Pa Pa o", ""},
	NotSubsetEq: {"notsubseteq", "Pa Pa o", ""},
	Finite:      {"finite", "Pa o", ""},
	Partition:   {"partition", "Pa… o", ""},
	Int:         {"int", "", ""},
	Free:        {"free", "", ""},
	Bound:       {"bound", "", ""},
	Given:       {"given", "", ""},
	Integer:     {"integer", "PZ", ""},
	Natural:     {"natural", "PZ", ""},
	Natural1:    {"natural1", "PZ", ""},
	Bool:        {"bool", "PB", ""},
	TrueE:       {"TRUE", "B", ""},
	FalseE:      {"FALSE", "B", ""},
	Empty:       {"empty", "Pa", ""},
	Id:          {"id", "P*aa", ""},
	Prj1:        {"prj1", "P**aba", ""},
	Prj2:        {"prj2", "P**abb", ""},
	Pred:        {"pred", "P*ZZ", ""},
	Succ:        {"succ", "P*ZZ", ""},
	BoolOf:      {"boolof", "o B", ""},
	Maplet:      {"maplet", "a b *ab", ""},
	Rel:         {"rel", arrow, ""},
	TRel:        {"trel", arrow, "total"},
	SRel:        {"srel", arrow, "surjective"},
	STRel:       {"strel", arrow, "total surjective"},
	PFun:        {"pfun", arrow, "functional"},
	TFun:        {"tfun", arrow, "functional total"},
	PInj:        {"pinj", arrow, "functional injective"},
	TInj:        {"tinj", arrow, "functional total injective"},
	PSur:        {"psur", arrow, "functional surjective"},
	TSur:        {"tsur", arrow, "functional total surjective"},
	TBij:        {"tbij", arrow, "functional total injective surjective"},
	Union:       {"union", "Pa Pa… Pa", ""},
	Inter:       {"inter", "Pa Pa… Pa", ""},
	Diff:        {"diff", "Pa Pa Pa", ""},
	CProd:       {"product", "Pa Pb P*ab", ""},
	DProd:       {"direct", "P*ab P*ac P*a*bc", ""},
	PProd:       {"parallel", "P*ab P*cd P**ac*bd", ""},
	BComp:       {"bcomp", "P*bc P*ab… P*ac", ""},
	FComp:       {"fcomp", "P*ab P*bc… P*ac", ""},
	Ovr:         {"override", "P*ab P*ab… P*ab", ""},
	DomRes:      {"domres", "Pa P*ab P*ab", ""},
	DomSub:      {"domsub", "Pa P*ab P*ab", ""},
	RanRes:      {"ranres", "P*ab Pb P*ab", ""},
	RanSub:      {"ransub", "P*ab Pb P*ab", ""},
	Converse:    {"converse", "P*ab P*ba", ""},
	Image:       {"image", "P*ab Pa Pb", ""},
	Apply:       {"apply", "P*ab a b", ""},
	UpTo:        {"upto", "Z Z PZ", ""},
	Plus:        {"plus", "Z Z… Z", ""},
	Minus:       {"minus", "Z Z Z", ""},
	Neg:         {"neg", "Z Z", ""},
	Times:       {"times", "Z Z… Z", ""},
	Div:         {"div", "Z Z Z", ""},
	Mod:         {"mod", "Z Z Z", ""},
	Exp:         {"power", "Z Z Z", ""},
	Card:        {"card", "Pa Z", ""},
	Pow:         {"pow", "Pa PPa", ""},
	Pow1:        {"pow1", "Pa PPa", ""},
	GUnion:      {"union-of", "PPa Pa", ""},
	GInter:      {"inter-of", "PPa Pa", ""},
	Dom:         {"dom", "P*ab Pa", ""},
	Ran:         {"ran", "P*ab Pb", ""},
	Min:         {"min", "PZ Z", ""},
	Max:         {"max", "PZ Z", ""},
	SetExt:      {"set", "a… Pa", ""},
	Compr:       {"comprehension", "·o a Pa", ""},
	QUnion:      {"union-over", "·o Pa Pa", ""},
	QInter:      {"inter-over", "·o Pa Pa", ""},
	Eps:         {"choose", "·o a", ""},
}
