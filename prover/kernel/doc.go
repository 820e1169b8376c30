// Package kernel checks proofs. It owns the calculus: clauses, the steps of a
// proof and what each of them asserts, the axiom table, the library of certified
// lemmas, and the text form of certificates. It knows nothing of search, of
// obligations or of machines. It is trusted as a whole, together with logic.
//
// # The calculus
//
// A proof refutes a sequent: from the hypotheses, the negated goal and the
// well-definedness conditions D of all of these it derives the empty clause. A
// clause is a disjunction of signed formulas of any shape; formulas are closed
// bare terms of the sequent's own bank. RUP with hints is the only rule with
// premises; every other step states a clause that is valid, or that the sequent
// grants. Skolem functions are choice terms (logic.Eps), so no step has a side
// condition on freshness. docs/proofs.md explains the whole and argues why it is
// sound.
//
// # Meaning
//
// Formulas are read in typed classical logic with choice. Types are not empty,
// every operator is a total function, and an ill-defined term denotes an
// unspecified value of its type. Free identifiers and carrier sets are constants.
package kernel
