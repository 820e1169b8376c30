// Package explore owns the animation and explicit-state checking of machines:
// set-ups, compiled events over packed states, searches, traces and coverage.
// It knows nothing of syntax and obligations.
//
// Its rooms, from the ground: internal/unwind (what ends an evaluation from within),
// internal/value (values in a word), internal/formula (formulas as closures),
// internal/program (a machine compiled for a set-up), internal/symmetry
// (interchangeable identifiers) and internal/stubborn (which of the enabled events to
// follow); on top, here, set-ups, search, store, traces and coverage.
//
// What has no value (an application outside the domain, a division by zero) is a
// finding of its own, and never a value. An event that has none in a state has no
// transitions there. Axioms are only evaluated as far as needed.
package explore
