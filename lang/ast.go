package lang

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/logic"
)

// File is one source: a text file, or one Rodin component.
type File struct {
	Path       string
	Components []*Component
	Comments   []Comment // of the text language, in order; Format puts them back

	// Complete is set by the reader once it knows that all of the source is in the
	// tree. Of a file that is not, no component counts as checked.
	Complete bool
}

// Comment is one comment of the text language, delimiters included.
type Comment struct {
	Span diag.Span
	Text string
}

// Kind tells contexts from machines.
type Kind uint8

// The kinds of component.
const (
	ContextKind Kind = iota
	MachineKind
)

// Component is a context or a machine, as its author wrote it. Which clauses
// are allowed depends on Kind. Order is source order throughout.
type Component struct {
	Kind Kind
	Name Name
	Span diag.Span
	Doc  string // text of the comment that belongs to the component

	Extends []Name // context: extended contexts
	Refines []Name // machine: the refined machine; more than one is an error
	Sees    []Name // machine: seen contexts

	Sets       []Name
	Constants  []Name
	Axioms     []*Predicate
	Variables  []Name
	Invariants []*Predicate
	Variants   []*Variant
	Events     []*Event

	Clauses []Clause // of the text language: where its clauses begin, in order

	// Faulty marks a component of the text language that Parse has reported errors of.
	Faulty bool
	// Torn marks one among whose clauses Parse could not read something: declarations may
	// be missing from what it returns.
	Torn bool

	// NoConfiguration marks a Rodin file without configuration attribute, which
	// Rodin does not check.
	NoConfiguration bool
}

// Clause is the keyword of a clause of the text language, or end. Format puts
// comments back by it.
type Clause struct {
	Keyword string // in lower case, without synonyms: invariants, where, then, end
	Span    diag.Span
}

// Name is an identifier, label or component name, without quotes.
type Name struct {
	Text   string
	Span   diag.Span
	Doc    string // text of the comment that belongs to a declared name
	Absent bool   // a Rodin element lacks the attribute; Text is ""

	// Reserved marks a word of formulas that a text file declares as a name. Parse
	// has reported it; formulas of the file take it for a name.
	Reserved bool
}

// Predicate is a labelled predicate: axiom, invariant, guard or witness.
type Predicate struct {
	Label   Name // Absent if the author gave none
	Theorem bool
	Source  Source
	Formula *Formula // nil if Source has no meaning
	Doc     string
}

// Variant is a labelled expression; the default label is "vrn".
type Variant struct {
	Label   Name
	Source  Source
	Formula *Formula
	Doc     string
}

// Source is the text of a formula, as written, and what is wrong with it. An
// import keeps the text of a formula that does not parse, and its problems; Parse
// has reported them, and leaves Problems empty.
type Source struct {
	Text     string
	Span     diag.Span
	Problems []Problem
	Absent   bool // a Rodin element lacks the attribute; Text is ""
}

// Problem is one syntax error of a formula: a stable code, a byte range of
// Source.Text, and words. The list of codes is in problems.go.
type Problem struct {
	Code     string
	From, To int
	Message  string
	Help     string
}

// Convergence is the status of an event.
type Convergence uint8

// The statuses, in Rodin's file code.
const (
	Ordinary Convergence = iota
	Convergent
	Anticipated
)

// Event is an event of a machine. INITIALISATION is the event of that label.
type Event struct {
	Label       Name
	Span        diag.Span
	Convergence Convergence
	Extended    bool
	Refines     []Name
	Parameters  []Name
	Guards      []*Predicate
	Witnesses   []*Predicate // Label is the identifier witnessed, x or v'
	Actions     []*Action
	Doc         string
	Clauses     []Clause

	// Path is set by a reader of programs: the event is a path of the program, which may
	// turn out not to be possible.
	Path bool

	// NoConvergence and NoExtended mark a Rodin event that lacks the attribute.
	NoConvergence, NoExtended bool
}

// Action is a labelled assignment.
type Action struct {
	Label      Name
	Source     Source
	Assignment *Assignment // nil if Source has no meaning
	Doc        string
}

// AssignKind is the operator of an assignment.
type AssignKind uint8

// The assignments.
const (
	BecomesEqual AssignKind = iota // x, y ≔ E, F
	BecomesIn                      // x :∈ S
	BecomesSuch                    // x, y :∣ P
	Skip                           // skip: no assignment at all (rossi)
)

// Assignment is a parsed assignment. A function update f(E) ≔ F is Update with
// Left = [f], Index = E, Right = [F]; it means f ≔ f <+ {E ↦ F}.
type Assignment struct {
	Kind   AssignKind
	Update bool
	Left   []*Formula // Free identifiers
	Index  *Formula
	Right  []*Formula
	Span   diag.Span
}

// Formula is a node of a formula as its author wrote it: an n-ary operator of
// logic, ungrouped parentheses gone. It has no type.
//
//	identifier            Op Free, Name
//	predicate variable $P Op PredVar, Name
//	literal 12, −12       Op Int, Name holds the digits and a leading '-' if negative
//	∅⦂T id⦂T …            Op Empty …, Oftype T
//	∀x,y⦂T·P              Op Forall, Decls, Args [P]
//	{x·P∣E} {E∣P} λp·P∣E  Op Compr, Form, Decls, Args [P, E]; in a λ, E is the maplet pattern ↦ value
//	f(E)                  Op Apply, Args [f, E]
//
// Bound variables are Free nodes too, resolved by name: the checker finds the
// innermost declaration. Implicit forms have their Decls filled in by Parse.
type Formula struct {
	Op     logic.Op
	Name   string
	Args   []*Formula
	Decls  []Decl
	Form   logic.Form
	Oftype *Formula
	Span   diag.Span
}

// PredVar tags predicate variables, which no model may contain.
const PredVar = logic.NumOps

// Decl declares a bound variable.
type Decl struct {
	Name   string
	Oftype *Formula // nil if not given
	Span   diag.Span
}
