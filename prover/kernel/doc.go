// Package kernel checks proofs. It defines the calculus: clauses, the steps of a proof and
// their conclusions, the axiom table, the library of certified lemmas, and the text form of
// certificates. All of it is trusted, together with package logic.
//
// # The calculus
//
// A proof refutes a sequent. From the hypotheses, the negated goal and the well-definedness
// conditions D of all of these, it derives the empty clause. A clause is a disjunction of
// signed formulas of any shape. Formulas are closed bare terms of the sequent's own bank. RUP
// with hints is the only rule with premises. Every other step states a clause that is valid or
// that the sequent grants. Skolem functions are choice terms (logic.Eps), so no step has a side
// condition on freshness. docs/proofs.md explains the calculus and argues that it is sound.
//
// # Meaning
//
// Formulas are interpreted in typed classical logic with choice. Types are non-empty, and every
// operator is a total function. An ill-defined term denotes an unspecified value of its type.
// Free identifiers and carrier sets are constants.
package kernel
