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
// Formulas are evaluated left to right, as their well-definedness conditions
// are: what stands behind a false conjunct is not evaluated. An application
// outside the domain, a division by zero and the like mark the evaluation as
// undefined, which is a finding of its own and never a value.
//
// # Reductions
//
// A search can take states together that differ by a symmetry, and follow one
// order only of events that are known to commute: the essays stand in symmetry.go
// and stubborn.go. What commutes is told by the caller, see Independence.
package explore
