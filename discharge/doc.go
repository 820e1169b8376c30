// Package discharge is where obligations meet the prover: it runs searches in
// parallel, keeps certificates in a store, lifts countermodels of sequents to
// states and events, and finds out which events commute. It knows nothing of
// rendering.
package discharge
