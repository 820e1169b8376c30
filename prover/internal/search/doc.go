// Package search implements one attempt to refute a set of formulas. It combines propositional
// search, congruence closure and arithmetic, and adds the clauses of connectives, set operators
// and quantifiers when they become relevant.
//
// # Certificate or nothing
//
// Every added clause is the statement of one kernel step, or of a short list of them. A learned
// clause records its antecedents. So the empty clause is the end of a kernel proof, and nothing
// here is trusted.
//
// # Relevance
//
// An atom is a kernel formula of any shape. Its defining clauses are added only when a literal
// becomes true. For a connective, these define its parts; for a membership, the meaning of the
// operator; for a quantifier, instances. Each such clause is guarded by that literal. A
// decision is made only for an unsatisfied clause whose guard is true. Atoms that occur in no
// such clause are never decided.
//
// # Generations
//
// A term of the sequent has generation 0. A term made from terms of generation n has n+1. Work
// on literals with terms above a limit waits until all other work is done; then the limit
// rises. It starts at 0 or 1, depending on the attempt. A low limit prevents an explosion of
// many hypotheses before the first decision.
//
// # Solving
//
// If no term of the sequent matches a quantifier, values for its variables are found by solving
// its body. The body is decomposed by the meaning of connectives and operators, down to
// equations, bounds and known elements. The same method finds elements that distinguish sets
// which are said to differ. A solution is only a suggestion; the rules above then handle the
// instance or membership.
//
// # Parts
//
// engine.go has the shared parts: the sequent, the theories, the table of atoms, and how
// clauses are added. Each other part embeds the engine (rooms.go):
//
//   - frontier: what has to be decided
//   - unfolding: the meaning of literals
//   - terms: which terms are relevant; finite.go counts them
//   - memberships: new facts about elements; elements.go propagates them
//   - instances: package trigger chooses patterns, offer.go finds the patterns for a term,
//     match.go the terms for a pattern, and instance.go counts instances
//   - resorts: what to try when all other work is done
//
// They are not packages of their own. Each asks the engine for atoms, reasons and clauses, and
// is called back from its propagation. The arithmetic solver needs none of that, so it is a
// package (arith).
package search
