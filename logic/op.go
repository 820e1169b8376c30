package logic

// Op names the operator of a term. There is one Op for every operator of the
// Event-B mathematical language (reference: Rodin's AST classes), plus Eps, the
// choice operator of the proof calculus. The zero Op is invalid.
type Op uint8

// The operators, grouped as Rodin groups them. Spellings, priorities and
// compatibilities stand in logic/notation.
const (
	Invalid Op = iota

	// Atomic predicates and connectives. And and Or are n-ary, n ≥ 2.
	True
	False
	Not
	And
	Or
	Implies
	Iff
	Forall // Forall(decls; P)
	Exists // Exists(decls; P)

	// Relational predicates.
	Eq
	Neq
	Lt
	Le
	Gt
	Ge
	In
	NotIn
	Subset    // ⊂, strict
	NotSubset // ⊄
	SubsetEq
	NotSubsetEq
	Finite
	Partition // partition(S, P1, …, Pn), n ≥ 0

	// Identifiers and literals.
	Int   // integer literal, any size, negative ones too
	Free  // free identifier; Name and Type
	Bound // bound variable; de Bruijn Index and Type
	Given // carrier set as an expression, type ℙ(S)

	// Atomic expressions. Empty, Id, Prj1 and Prj2 are generic: built with Atom.
	Integer  // ℤ
	Natural  // ℕ
	Natural1 // ℕ1
	Bool     // BOOL
	TrueE    // TRUE
	FalseE   // FALSE
	Empty
	Id
	Prj1
	Prj2
	Pred
	Succ

	BoolOf // bool(P)

	Maplet
	Rel   // ↔
	TRel  // total relation
	SRel  // surjective relation
	STRel // total surjective relation
	PFun  // ⇸
	TFun  // →
	PInj  // ⤔
	TInj  // ↣
	PSur  // ⤀
	TSur  // ↠
	TBij  // ⤖

	Union // n-ary
	Inter // n-ary
	Diff  // ∖
	CProd // ×
	DProd // ⊗
	PProd // ∥
	BComp // ∘, n-ary
	FComp // ;, n-ary
	Ovr   // override, n-ary
	DomRes
	DomSub
	RanRes
	RanSub
	Converse
	Image // r[S]
	Apply // f(E)

	UpTo
	Plus // n-ary
	Minus
	Neg   // unary minus
	Times // n-ary
	Div
	Mod
	Exp

	Card
	Pow
	Pow1
	GUnion // union(S)
	GInter // inter(S)
	Dom
	Ran
	Min
	Max

	SetExt // {E1, …, En}; n = 0 only in named terms, its bare form is Empty
	Compr  // {decls · P ∣ E}: args P, E. λ is Compr with E = pattern ↦ value
	QUnion // ⋃ decls · P ∣ E
	QInter // ⋂ decls · P ∣ E

	// Eps(decls; P) with index i: component i of a tuple of values that
	// satisfies P, if there is one; of any tuple otherwise. Hilbert's choice.
	Eps

	NumOps
)

// IsBinder reports whether op binds variables.
func (op Op) IsBinder() bool {
	switch op {
	case Forall, Exists, Compr, QUnion, QInter, Eps:
		return true
	}
	return false
}

// IsAssociative reports whether op is n-ary (n ≥ 2) in Rodin's syntax trees.
func (op Op) IsAssociative() bool {
	switch op {
	case And, Or, Union, Inter, BComp, FComp, Ovr, Plus, Times:
		return true
	}
	return false
}

// IsPredicate reports whether terms of op are predicates.
func (op Op) IsPredicate() bool { return True <= op && op <= Partition }
