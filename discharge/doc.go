// Package discharge is where obligations meet the prover. It runs searches in
// parallel (Run), remembers them in a store, reads and writes what is committed of
// them (Lock, Certificates), and shows counterexamples as states and events (Lift).
//
// It also draws the conclusions that rest on proofs: which components are verified
// (Components, the only place that decides it), which assumptions contradict
// themselves (Contradictions), what was expected (Judge), which invariants a search
// of states need not check (Preserved), and which events commute (Independence).
//
// It knows nothing of rendering.
package discharge
