// Package explore checks machines by explicit-state search: reachable states, violations and
// coverage.
//
// Its subpackages, lowest first:
//
//   - internal/abort: ends an evaluation from within
//   - internal/value: values in one machine word
//   - internal/formula: formulas compiled to closures
//   - internal/program: a machine compiled for an instance
//   - internal/trace: runs and their text forms
//   - internal/setup: sizes of carrier sets and values of constants
//   - internal/symmetry: interchangeable identifiers
//   - internal/stubborn: which enabled events to follow
//
// Package simulate runs machines for tuning, and package animation runs them interactively.
//
// An undefined value (an application outside the domain, a division by zero) is a finding of
// its own and never a value. An event with an undefined part in a state has no transitions
// there. Axioms are evaluated only as far as needed.
package explore
