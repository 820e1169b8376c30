// Package infer guesses invariants of a machine and keeps those that it can prove.
//
// Rules guess candidates, cheaply and boldly: see Rules, and package guess. Refutation engines kill
// most of the false ones, each by an under-approximation of the machine: see
// Engines. Houdini keeps, of what is left, the largest set that the prover shows
// to be inductive: every candidate in it is certified by its own obligations, under
// the axioms, the invariants and the other candidates of the set.
//
// A wrong guess costs time and nothing else. The package knows nothing of syntax.
package infer
