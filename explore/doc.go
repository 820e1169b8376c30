// Package explore owns the animation and explicit-state checking of machines:
// set-ups, compiled events over packed states, searches, traces and coverage.
// It knows nothing of syntax and obligations.
//
// # Values
//
// A value is one machine word whose reading depends on its type, for a given
// set-up (sizes of carrier sets). Elements of finite types are numbered; a set
// over a type of at most 64 elements is a bit mask; everything else (pairs and
// sets over infinite or large types, integers of 2^62 and more) is interned, so
// equal values are equal words. Interned numbers depend on the order of events
// in a run; whatever is ordered or printed goes by structure instead.
//
// # Definedness
//
// Formulas have a value where their well-definedness condition holds: left to
// right, so that what stands behind a false conjunct does not count, but with all
// instances of a quantifier and all parts of a set, also those that an evaluation
// could pass over. An application outside the domain, a division by zero and the
// like mark the evaluation as undefined, which is a finding of its own and never a
// value. Axioms are only evaluated as far as needed.
package explore
