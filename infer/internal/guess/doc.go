// Package guess proposes candidate invariants of a machine: a table of rules, their inputs, and
// the candidates, each a predicate over variables and constants.
//
// A rule reads the machine through a view: its variables, the values that events give
// them, the vocabulary of its text, and clues such as states that runs met. It is cheap
// and bold, for a wrong guess costs time and nothing else. Nothing here proves or refutes;
// the package knows neither provers nor runs.
package guess
