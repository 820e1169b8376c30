// Package discharge is where obligations meet the prover: it runs searches in
// parallel, keeps certificates in a store, and lifts countermodels of sequents to
// states and events. It knows nothing of rendering.
package discharge
