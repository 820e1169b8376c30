// Package formula compiles predicates, expressions and binders to closures over a frame of
// values.
//
// # Definedness
//
// A formula is defined where its well-definedness condition holds. The condition reads
// conjunctions from left to right, so conjuncts after a false one need not be defined. It
// covers all instances of a quantifier and all parts of a set, including those that an
// evaluation could skip. An undefined value ends its evaluation (see package abort). The
// methods of Frame that catch this are Try, Value and Visit.
package formula
