// Package search owns one attempt to refute a set of formulas: it joins
// propositional search, congruence closure and arithmetic, and brings in the
// clauses of connectives, set operators and quantifiers when they matter. It
// knows nothing of budgets across attempts, ladders of hypotheses or verdicts.
//
// # Certificate or nothing
//
// Every clause that is added is what one kernel step, or a short list of them,
// states. What is learned records its antecedents. So the empty clause is the end of a
// kernel proof, and nothing here has to be trusted.
//
// # Relevance
//
// An atom is a kernel formula of any shape. Only when a literal becomes true are
// its defining clauses added: of a connective, its parts; of a membership, what
// the operator means; of a quantifier, instances. Each such clause is guarded by
// that literal, and a decision is made only for a clause whose guard is true and
// which nothing satisfies yet. Atoms that no such clause mentions are never decided.
//
// # Generations
//
// A term of the sequent has generation 0, one made from terms of generation n
// has n+1. Work on literals with terms above a limit waits until all else is done;
// then the limit rises. Where it begins, 0 or 1, is a matter of the attempt: a low limit
// keeps many hypotheses from exploding before the first decision.
//
// # Solving
//
// Where no term of the sequent matches a quantifier, values for its variables are
// found by taking its body apart, down to equations, bounds and known elements, by
// the meaning of connectives and operators. The same finds elements in which sets
// differ that are said to be equal. What is found is only a suggestion, for an
// instance or a membership that is then a matter of the rules above.
//
// # Rooms
//
// engine.go has what all share: the sequent, the theories, the table of atoms, and how clauses
// are added. The rest is owned by one room each, which embeds the engine (rooms.go): frontier (what
// has to be decided), unfolding (what literals mean), terms (which terms matter; finite.go counts),
// memberships (what is new of elements; elements.go spreads them), instances (package trigger
// chooses patterns, offer.go finds the patterns for a term, match.go the terms for a pattern,
// instance.go keeps count) and resorts (what to try when nothing else is left). None of them is a
// package of its own, for each asks the engine for atoms, reasons and clauses, and is called back
// from its propagation: arithmetic, too, whose solver, which needs none of that, is package arith.
package search
