// Package states stores reached states. It keeps them in memory with an index, on disk in
// sorted runs once they exceed memory, or inexactly as a few bits each. A state has one word
// per variable, in the shape of the variable's values.
package states
