// Package sat implements propositional search: conflict-driven clause learning with two watched
// literals, first-UIP learning with minimisation, activities, phases and restarts. For every
// learned clause, it records the clauses from which unit propagation derives it. A Theory can
// take part in propagation and decision.
//
// Clauses may be added at any time, also during a search. A clause that is unit when added is
// propagated at the current level, and again after each backjump that leaves it unit.
package sat
