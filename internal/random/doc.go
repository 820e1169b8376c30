// Package random makes formulas, sequents, models, and changes of sequents and certificates by
// chance, for tests of what reads, proves or refutes sequents. Everything is a function of the
// source of chance it is given. Of proofs it knows the table of axioms and lemmas, and of
// truth what package eval says of a model.
package random
