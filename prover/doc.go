// Package prover searches for proofs of sequents. It runs attempts of increasing effort
// (prover/internal/search) on selections of hypotheses near the goal. Package prover/kernel
// checks every proof, so nothing here is trusted.
package prover
