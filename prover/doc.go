// Package prover owns the search for proofs of sequents. It runs attempts of
// increasing effort (prover/internal/search) over neighbourhoods of the goal
// among the hypotheses, and has every proof checked by prover/kernel. It knows
// nothing of obligations, machines or text, and nothing it does has to be trusted.
package prover
