// Package random makes random formulas, sequents and models, and random changes of
// sequents and certificates, for tests of what reads, proves and refutes sequents.
// Everything is a function of the random source that it is given. It knows the table
// of axioms and lemmas, but not how proofs are found; what a model makes true, package
// eval decides.
package random
