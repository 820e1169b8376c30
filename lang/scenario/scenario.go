// Package scenario parses and formats scenarios (NAME.scenario): runs that a machine must have,
// or must not have. Parse and Format are inverses of each other.
//
//	scenario crossing of lights
//	    with N = 3
//	    INITIALISATION
//	    peds_go  then peds = TRUE
//	    not cars_go
//	    ... 4
//	    cars_go(lane = 2)  then peds = FALSE
//	end
package scenario

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// Ext is the ending of the names of files of scenarios.
const Ext = ".scenario"

// File is one file of scenarios.
type File struct {
	Path      string
	Scenarios []*Scenario
	Last      []string // comments behind all else
}

// Scenario is a list of lines that a run of a machine meets one after the other.
type Scenario struct {
	Name, Machine Word
	With          []*Line // predicates over constants
	Impossible    bool    // no run meets the lines
	Breaks        *Breaks
	Lines         []*Line
	Span          diag.Span // of its first line
	notes
	impossible notes
	end        notes
}

// Breaks names the invariant that the last state violates.
type Breaks struct {
	Invariant Word
	Why       string // as its author says
	notes
}

// Word is a name, without quotes.
type Word struct {
	Text string
	Span diag.Span
}

// Kind says what a line is.
type Kind uint8

// The kinds of line.
const (
	Step  Kind = iota // an event happens
	Not               // an event is not enabled
	Can               // an event is enabled
	Check             // a predicate holds
	Gap               // events happen that no line names
	With              // a predicate over the constants
)

// Any is the number of a gap that is not bounded.
const Any = -1

// Line is one line of a scenario.
type Line struct {
	Kind  Kind
	Every bool     // it is demanded of all runs that have met the lines before
	Event Word     // Step, Not, Can
	Given *Formula // what the parameters satisfy; nil: anything
	Holds *Formula // Check and With; what holds after a Step, or nil
	Most  int      // of a Gap: steps at most, or Any
	Span  diag.Span
	notes
}

// Formula is a predicate with its text.
type Formula struct {
	*lang.Formula
	Text string
	Span diag.Span
}

// notes are the comments at a line.
type notes struct {
	above  []string
	behind string
}

// What names the line as its author sees it.
func (l *Line) What() string { return writer{lang.Options{Width: wide}}.line(l) }
