package notation

import (
	"unicode"
	"unicode/utf8"

	"github.com/gradine/gradine/logic"
)

// Shape says where the arguments of an operator stand.
type Shape uint8

// The shapes.
const (
	Atom     Shape = iota // ⊤, ∅, x, 12
	Call                  // card(S), partition(S, T): a word, then arguments in parentheses
	Prefix                // ¬P, −E
	Postfix               // r∼
	Infix                 // P ∧ Q
	Function              // f(E)
	Image                 // r[S]
	Braces                // {E, F}, {x·P ∣ E}
	Binder                // ∀x·P, ⋃x·P ∣ E, λx·P ∣ E
)

// Group is a set of operators of the same binding strength.
type Group uint8

// The groups, from the loosest to the tightest. The order is the order of
// binding strength, but for Quantification, which is unrelated to the groups of
// predicates from QuantPred to AtomPred.
const (
	Loosest        Group = iota // of no operator: the end of a formula, inside of brackets
	QuantPred                   // ∀ ∃
	InfixPred                   // ⇒ ⇔
	LogicPred                   // ∧ ∨
	NotPred                     // ¬
	AtomPred                    // ⊤ ⊥ finite partition
	Quantification              // λ ⋃ ⋂
	Relational                  // = ∈ ⊆ …
	Pair                        // ↦
	Typed                       // ⦂
	Arrow                       // ↔ → …
	SetOp                       // ∪ ∩ ∖ × ; ◁ …
	Interval                    // ‥
	Sum                         // + −
	Product                     // ∗ ÷ mod
	Power                       // ^
	Functional                  // f(E) r[S]
	Conversion                  // ∼
	ClosedCall                  // card ℙ dom …
	BoolCall                    // bool
	BraceSet                    // { }
	AtomExpr                    // identifiers, literals, ℤ, ∅, id …
)

// Tighter reports whether operators of g bind tighter than those of h. Neither
// g.Tighter(h) nor h.Tighter(g) holds of unrelated groups.
func (g Group) Tighter(h Group) bool {
	if g == Quantification && QuantPred <= h && h <= AtomPred ||
		h == Quantification && QuantPred <= g && g <= AtomPred {
		return false
	}
	return g > h
}

// Signs that are operators of a formula's text only.
const (
	// Lambda is Compr written as λ.
	Lambda = logic.NumOps + 1 + iota
	// NegLit is Int with a value below zero.
	NegLit
	// OfType is ⦂, which gives a type to a generic atom or a declaration.
	OfType
	numOps
)

// Entry describes one operator.
type Entry struct {
	Op      logic.Op
	Shape   Shape
	Group   Group
	Spaced  bool     // blanks around it in canonical text
	Unicode string   // empty for identifiers, literals, f(E), r[S] and braces
	ASCII   []string // ASCII spellings, the preferred one first; nil: like Unicode
	// Before lists the operators of the same group that may follow without
	// parentheses: a Op b f c is (a Op b) f c for every f in Before.
	Before []logic.Op
}

// PreferredASCII is the spelling to print in ASCII.
func (e *Entry) PreferredASCII() string {
	if len(e.ASCII) > 0 {
		return e.ASCII[0]
	}
	return e.Unicode
}

// Readable is the spelling for people: few fonts have the private characters of
// Unicode that Rodin gives to some operators, so these are shown in ASCII.
func (e *Entry) Readable() string {
	if r, _ := utf8.DecodeRuneInString(e.Unicode); unicode.Is(unicode.Co, r) {
		return e.PreferredASCII()
	}
	return e.Unicode
}

// Of returns the entry of op. Every operator has one, Eps and Invalid apart.
func Of(op logic.Op) *Entry {
	if int(op) < len(table) && table[op].Group != Loosest {
		return &table[op]
	}
	panic("notation: no such operator")
}

// All returns the table, ordered by operator.
func All() []*Entry {
	var all []*Entry
	for i := range table {
		if table[i].Group != Loosest {
			all = append(all, &table[i])
		}
	}
	return all
}

// NumOps bounds the operators that have an entry.
const NumOps = numOps

func ops(op ...logic.Op) []logic.Op { return op }

var table = func() (t [numOps]Entry) {
	for _, e := range entries {
		t[e.Op] = e
	}
	return t
}()

var entries = []Entry{
	{logic.True, Atom, AtomPred, false, "⊤", []string{"true"}, nil},
	{logic.False, Atom, AtomPred, false, "⊥", []string{"false"}, nil},
	{logic.NumOps, Atom, AtomPred, false, "", nil, nil}, // predicate variable $P
	{logic.Not, Prefix, NotPred, false, "¬", []string{"not"}, ops(logic.Not)},
	{logic.And, Infix, LogicPred, false, "∧", []string{"&"}, ops(logic.And)},
	{logic.Or, Infix, LogicPred, false, "∨", []string{"or"}, ops(logic.Or)},
	{logic.Implies, Infix, InfixPred, false, "⇒", []string{"=>"}, nil},
	{logic.Iff, Infix, InfixPred, false, "⇔", []string{"<=>"}, nil},
	{logic.Forall, Binder, QuantPred, false, "∀", []string{"!"}, nil},
	{logic.Exists, Binder, QuantPred, false, "∃", []string{"#"}, nil},

	{logic.Eq, Infix, Relational, false, "=", nil, nil},
	{logic.Neq, Infix, Relational, false, "≠", []string{"/="}, nil},
	{logic.Lt, Infix, Relational, false, "<", nil, nil},
	{logic.Le, Infix, Relational, false, "≤", []string{"<="}, nil},
	{logic.Gt, Infix, Relational, false, ">", nil, nil},
	{logic.Ge, Infix, Relational, false, "≥", []string{">="}, nil},
	{logic.In, Infix, Relational, false, "∈", []string{":"}, nil},
	{logic.NotIn, Infix, Relational, false, "∉", []string{"/:"}, nil},
	{logic.Subset, Infix, Relational, false, "⊂", []string{"<<:"}, nil},
	{logic.NotSubset, Infix, Relational, false, "⊄", []string{"/<<:"}, nil},
	{logic.SubsetEq, Infix, Relational, false, "⊆", []string{"<:"}, nil},
	{logic.NotSubsetEq, Infix, Relational, false, "⊈", []string{"/<:"}, nil},
	{logic.Finite, Call, AtomPred, false, "finite", nil, nil},
	{logic.Partition, Call, AtomPred, false, "partition", nil, nil},

	{logic.Int, Atom, AtomExpr, false, "", nil, nil},
	{NegLit, Atom, Sum, false, "", nil, ops(logic.Plus, logic.Minus)},
	{logic.Free, Atom, AtomExpr, false, "", nil, nil},
	{logic.Bound, Atom, AtomExpr, false, "", nil, nil},
	{logic.Given, Atom, AtomExpr, false, "", nil, nil},
	{logic.Integer, Atom, AtomExpr, false, "ℤ", []string{"INT"}, nil},
	{logic.Natural, Atom, AtomExpr, false, "ℕ", []string{"NAT"}, nil},
	{logic.Natural1, Atom, AtomExpr, false, "ℕ1", []string{"NAT1"}, nil},
	{logic.Bool, Atom, AtomExpr, false, "BOOL", nil, nil},
	{logic.TrueE, Atom, AtomExpr, false, "TRUE", nil, nil},
	{logic.FalseE, Atom, AtomExpr, false, "FALSE", nil, nil},
	{logic.Empty, Atom, AtomExpr, false, "∅", []string{"{}"}, nil},
	{logic.Id, Atom, AtomExpr, false, "id", nil, nil},
	{logic.Prj1, Atom, AtomExpr, false, "prj1", nil, nil},
	{logic.Prj2, Atom, AtomExpr, false, "prj2", nil, nil},
	{logic.Pred, Atom, AtomExpr, false, "pred", nil, nil},
	{logic.Succ, Atom, AtomExpr, false, "succ", nil, nil},
	{logic.BoolOf, Call, BoolCall, false, "bool", nil, nil},

	{logic.Maplet, Infix, Pair, true, "↦", []string{"|->", ",,"}, ops(logic.Maplet)},
	{OfType, Infix, Typed, true, "⦂", []string{"oftype"}, nil},
	{logic.Rel, Infix, Arrow, true, "↔", []string{"<->"}, nil},
	{logic.TRel, Infix, Arrow, true, "\ue100", []string{"<<->"}, nil},
	{logic.SRel, Infix, Arrow, true, "\ue101", []string{"<->>"}, nil},
	{logic.STRel, Infix, Arrow, true, "\ue102", []string{"<<->>"}, nil},
	{logic.PFun, Infix, Arrow, true, "⇸", []string{"+->"}, nil},
	{logic.TFun, Infix, Arrow, true, "→", []string{"-->"}, nil},
	{logic.PInj, Infix, Arrow, true, "⤔", []string{">+>"}, nil},
	{logic.TInj, Infix, Arrow, true, "↣", []string{">->"}, nil},
	{logic.PSur, Infix, Arrow, true, "⤀", []string{"+>>", "+->>"}, nil},
	{logic.TSur, Infix, Arrow, true, "↠", []string{"->>", "-->>"}, nil},
	{logic.TBij, Infix, Arrow, true, "⤖", []string{">->>"}, nil},

	{logic.Union, Infix, SetOp, false, "∪", []string{`\/`}, ops(logic.Union)},
	{logic.Inter, Infix, SetOp, false, "∩", []string{`/\`}, ops(logic.Inter, logic.Diff, logic.RanRes, logic.RanSub)},
	{logic.Diff, Infix, SetOp, true, "∖", []string{`\`}, nil},
	{logic.CProd, Infix, SetOp, true, "×", []string{"**"}, ops(logic.CProd)},
	{logic.DProd, Infix, SetOp, true, "⊗", []string{"><"}, nil},
	{logic.PProd, Infix, SetOp, true, "∥", []string{"||"}, nil},
	{logic.BComp, Infix, SetOp, false, "∘", []string{"circ"}, ops(logic.BComp)},
	{logic.FComp, Infix, SetOp, false, ";", nil, ops(logic.FComp, logic.RanRes, logic.RanSub)},
	{logic.Ovr, Infix, SetOp, false, "\ue103", []string{"<+"}, ops(logic.Ovr)},
	{logic.DomRes, Infix, SetOp, true, "◁", []string{"<|"}, afterDomain},
	{logic.DomSub, Infix, SetOp, true, "⩤", []string{"<<|"}, afterDomain},
	{logic.RanRes, Infix, SetOp, true, "▷", []string{"|>"}, nil},
	{logic.RanSub, Infix, SetOp, true, "⩥", []string{"|>>"}, nil},

	{logic.UpTo, Infix, Interval, true, "‥", []string{".."}, nil},
	{logic.Plus, Infix, Sum, false, "+", nil, ops(logic.Plus, logic.Minus, logic.Neg)},
	{logic.Minus, Infix, Sum, true, "−", []string{"-"}, ops(logic.Plus, logic.Minus, logic.Neg)},
	{logic.Neg, Prefix, Sum, false, "−", []string{"-"}, ops(logic.Plus, logic.Minus, logic.Neg)},
	{logic.Times, Infix, Product, false, "∗", []string{"*"}, ops(logic.Times, logic.Div, logic.Mod)},
	{logic.Div, Infix, Product, true, "÷", []string{"/"}, ops(logic.Times, logic.Div, logic.Mod)},
	{logic.Mod, Infix, Product, true, "mod", nil, ops(logic.Times, logic.Div, logic.Mod)},
	{logic.Exp, Infix, Power, true, "^", nil, nil},

	{logic.Apply, Function, Functional, false, "", nil, ops(logic.Apply)},
	{logic.Image, Image, Functional, false, "", nil, ops(logic.Image)},
	{logic.Converse, Postfix, Conversion, false, "∼", []string{"~"}, ops(logic.Converse)},
	{logic.Card, Call, ClosedCall, false, "card", nil, nil},
	{logic.Pow, Call, ClosedCall, false, "ℙ", []string{"POW"}, nil},
	{logic.Pow1, Call, ClosedCall, false, "ℙ1", []string{"POW1"}, nil},
	{logic.GUnion, Call, ClosedCall, false, "union", nil, nil},
	{logic.GInter, Call, ClosedCall, false, "inter", nil, nil},
	{logic.Dom, Call, ClosedCall, false, "dom", nil, nil},
	{logic.Ran, Call, ClosedCall, false, "ran", nil, nil},
	{logic.Min, Call, ClosedCall, false, "min", nil, nil},
	{logic.Max, Call, ClosedCall, false, "max", nil, nil},

	{logic.SetExt, Braces, BraceSet, false, "", nil, nil},
	{logic.Compr, Braces, BraceSet, false, "", nil, nil},
	{Lambda, Binder, Quantification, false, "λ", []string{"%"}, nil},
	{logic.QUnion, Binder, Quantification, false, "⋃", []string{"UNION"}, nil},
	{logic.QInter, Binder, Quantification, false, "⋂", []string{"INTER"}, nil},
}

var afterDomain = ops(logic.Inter, logic.Diff, logic.FComp, logic.DProd, logic.RanRes, logic.RanSub)

// Sign is a piece of syntax that is not an operator.
type Sign struct {
	Unicode string
	ASCII   string
}

// The signs of binders and assignments.
var (
	Dot          = Sign{"·", "."}  // between declarations and predicate
	SuchThat     = Sign{"∣", "|"}  // between predicate and expression
	BecomesEqual = Sign{"≔", ":="} // x ≔ E
	BecomesIn    = Sign{":∈", "::"}
	BecomesSuch  = Sign{":∣", ":|"}
)

// Reserved are the words that no identifier of Rodin's stored language may be.
var Reserved = []string{
	"BOOL", "FALSE", "TRUE", "bool", "card", "dom", "finite", "id", "inter", "max", "min", "mod",
	"partition", "pred", "prj1", "prj2", "ran", "succ", "union", "ℕ", "ℕ1", "ℙ", "ℙ1", "ℤ",
}

// ReservedASCII are the further words that are operators where ASCII spellings
// are accepted; identifiers of these names are quoted there.
var ReservedASCII = []string{
	"INT", "INTER", "NAT", "NAT1", "POW", "POW1", "UNION", "circ", "false", "not", "oftype", "or", "true",
}
