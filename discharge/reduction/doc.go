// Package reduction says what proofs save an exploration of states: which invariants need no
// check in any state (Preserved), which are inductive (InductiveOf), and which events commute
// or leave guards false (Independence).
package reduction
