package follow

import (
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Kind says what a line of a script is.
type Kind uint8

// The kinds of line.
const (
	Step  Kind = iota // an event happens
	Not               // an event is not enabled
	Can               // an event is enabled
	Check             // a predicate holds
	Gap               // events happen that no line names
)

// Any is the number of a gap that is not bounded.
const Any = -1

// Script says what a run of a machine meets, line by line. Terms are of the bank of the instance.
type Script struct {
	Machine    *model.Machine // that the lines are about
	Impossible bool           // no run meets the lines
	Breaks     string         // the label of the invariant that the last state violates; ""
	Lines      []Line
}

// Line is one line of a script.
type Line struct {
	Kind  Kind
	Every bool         // demanded of all runs that have met the lines before
	Event *model.Event // of Script.Machine: Step, Not, Can
	Given logic.Term   // about the parameters and the state before, 0: nothing
	Holds logic.Term   // Check; after a Step, 0: nothing; about the state, and the parameters of the step
	Most  int          // of a Gap
}

// Verdict says what became of a script.
type Verdict string

// The verdicts of a script.
const (
	Passed    Verdict = "passed"
	Failed    Verdict = "failed"
	Bounded   Verdict = "bounded"   // a limit ended the search first
	Undecided Verdict = "undecided" // something cannot be evaluated
)
