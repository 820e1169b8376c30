// Package states stores reached states: in memory, with an index; on disk, in sorted runs, if
// they exceed the memory; or as a few bits each, which is not exact. A state is one word for
// each variable, of the shape of its values.
package states
