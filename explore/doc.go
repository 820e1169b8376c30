// Package explore checks machines by explicit-state search: reachable states, violations, and
// coverage.
//
// Its rooms, from the ground: internal/abort (what ends an evaluation from within),
// internal/value (values in a word), internal/formula (formulas as closures),
// internal/program (a machine compiled for a set-up), internal/trace (runs, and how they
// are written), internal/setup (sizes of sets and values of constants), internal/symmetry
// (interchangeable identifiers) and internal/stubborn (which of the enabled events to
// follow). Two packages stand on it: simulate, which runs machines for tuning, and
// animation, for runs that somebody leads.
//
// What has no value (an application outside the domain, a division by zero) is a
// finding of its own, and never a value. An event that has none in a state has no
// transitions there. Axioms are only evaluated as far as needed.
package explore
