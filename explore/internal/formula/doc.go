// Package formula compiles predicates, expressions and binders to
// closures over a frame of values.
//
// # Definedness
//
// Formulas have a value where their well-definedness condition holds: left to
// right, so that what stands behind a false conjunct does not count, but with all
// instances of a quantifier and all parts of a set, also those that an evaluation
// could pass over. What has no value ends its evaluation (see package abort); the
// methods of Frame that catch that are Try, Value and Visit.
package formula
