// Package guess proposes candidate invariants of a machine. It has a table of rules, their
// inputs, and the candidates: predicates over variables and constants.
//
// A rule reads the machine through a view: its variables, the values that events assign, the
// vocabulary of its text, and clues such as states of runs. A wrong guess costs only time, so
// rules are cheap and not cautious. Other packages prove or reject the candidates.
package guess
