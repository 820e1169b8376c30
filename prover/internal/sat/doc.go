// Package sat owns propositional search: conflict-driven clause learning with
// two watched literals, first-UIP learning with minimisation, activities,
// phases and restarts. It knows nothing of formulas or proofs; it records of
// every learned clause from which clauses it follows by unit propagation, and
// it lets a Theory take part in propagation and decision.
//
// Clauses may be added at any time, in the middle of a search too. A clause
// that is unit when it comes is propagated at the current level and again
// after each backjump that leaves it unit.
package sat
