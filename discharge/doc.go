// Package discharge is where obligations meet the prover. It runs searches in parallel (Run),
// by hints where there are some (Trials), asks stores and others before it searches (Source),
// answers the questions of others (Do), and reuses the proofs of before a change (Behind).
//
// What it finds are verdicts; what follows from them is the business of the packages beside:
// judgement, explain and reduction.
package discharge
