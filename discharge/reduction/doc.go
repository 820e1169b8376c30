// Package reduction derives from proofs what an exploration may skip: invariants that no state
// needs to check (Preserved), inductive invariants (InductiveOf), and events that commute or
// disable each other (Independence).
package reduction
