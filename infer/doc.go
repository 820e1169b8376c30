// Package infer guesses invariants of a machine and keeps those that it can prove.
//
// Rules guess candidates cheaply (see Rules and package guess). Refutation engines reject most
// of the false ones, each by an under-approximation of the machine (see Engines). Houdini
// keeps the largest remaining set that the prover shows to be inductive. Every candidate in
// the set is certified by its own obligations, under the axioms, the invariants and the other
// candidates.
//
// A wrong guess costs only time.
package infer
