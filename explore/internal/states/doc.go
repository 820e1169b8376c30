// Package states owns where reached states are kept: in memory, with an index; on disk,
// in sorted runs, if they are more than memory holds; or as a few bits each, which is
// not exact. What a state is it does not know: a word for each variable, of the
// shape of its values.
package states
