// Package discharge runs the prover on obligations. It runs searches in parallel (Run) and
// follows proof hints (Trials). Before it searches, it asks caches and workers (Source). It
// answers the questions of other processes (Do), and reuses proofs of an earlier revision
// (Behind).
//
// Its results are verdicts. The packages judgement, explain and reduction draw conclusions
// from them.
package discharge
