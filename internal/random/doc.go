// Package random makes formulas, models, and changes of sequents by chance, for tests
// of what reads, proves or refutes sequents. Everything is a function of the source of
// chance it is given. It knows nothing of proofs, and, but for models, of truth.
package random
