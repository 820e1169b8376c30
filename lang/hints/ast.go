// Package hints parses and formats proof hints (NAME.hints). Parse and Format are inverses of
// each other. A hint may help to prove an obligation; it proves nothing.
//
//	for search/*/cap_ok/INV          // names of obligations, * for any text
//	    have i + B = (i÷B + 1)∗B + t
//	        cases B = 1              // helps to prove the line above
//	    use inv3 grd1
package hints

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// Ext is the ending of the names of files of hints.
const Ext = ".hints"

// File is one file of hints.
type File struct {
	Path   string
	Blocks []*Block
	Last   []string // comments behind all else
}

// Append adds a block. Comments behind all else stand above it then.
func (f *File) Append(b *Block) {
	b.above = append(f.Last, b.above...)
	f.Last = nil
	f.Blocks = append(f.Blocks, b)
}

// Block is a list of hints for the obligations that a pattern names.
type Block struct {
	Patterns []Word
	Hints    []*Hint
	Span     diag.Span // of its first line
	notes
}

// Word is a name in a hint, without quotes.
type Word struct {
	Text string
	Span diag.Span
}

// Kind is the word that a hint begins with.
type Kind uint8

// The kinds of hint.
const (
	Have    Kind = iota // a fact on the way, proved before it is used
	Inst                // values for the variables of a hypothesis ∀x·P
	Witness             // values for the variables of a goal ∃x·P, or names for those of a hypothesis
	Cases               // the predicate holds, or it does not
	Use                 // hypotheses to search with
	Unfold              // identifiers to be replaced by what they are defined as
	Induct              // a variable of the goal to induct on
)

// words are the kinds as they are written.
var words = [...]string{"have", "inst", "witness", "cases", "use", "unfold", "induct"}

func (k Kind) String() string { return words[k] }

// Words lists the words that a line may begin with.
func Words() []string { return append([]string{"for"}, words[:]...) }

// Hint is one line of hints, with those below it that are for what it adds: the fact of
// have, the case of cases, the base of induct.
type Hint struct {
	Kind   Kind
	Label  Word          // inst, witness of a hypothesis
	Words  []Word        // use, unfold, induct; witness: names for what a hypothesis says exists
	Fact   *lang.Formula // have, cases
	Values []Value       // inst, witness of a goal
	Below  []*Hint
	Span   diag.Span // of its text
	notes
	text string // of the formula, if it holds comments
}

// Value is the value of a variable: x ≔ E.
type Value struct {
	Name Word
	Expr *lang.Formula
	text string
}

// notes are the comments at a line.
type notes struct {
	above  []string
	behind string
}
