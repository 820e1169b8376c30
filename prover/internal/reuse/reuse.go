// Package reuse recycles memory between proof attempts. Reset a list or a slab only when its old
// contents are no longer needed.
package reuse

// Extend lengthens list by an empty list, in the memory of the one that stood there before list
// was shortened.
func Extend[T any](list [][]T) [][]T {
	n := len(list)
	if n == cap(list) {
		return append(list, nil)
	}
	list = list[:n+1]
	list[n] = list[n][:0]
	return list
}

// Reach lengthens list by zeros until it has a place n.
func Reach[T any](list []T, n int) []T {
	if n < len(list) {
		return list
	}
	return append(list, make([]T, n+1-len(list))...)
}

// Slab hands out short lists from one long one.
type Slab[T any] struct{ free []T }

// leastSlab is the length of the first long list; each further one is twice as long.
const leastSlab = 1 << 10

// Take returns a list of n values; what is in them is left from earlier use.
func (s *Slab[T]) Take(n int) []T {
	at := len(s.free)
	if cap(s.free)-at < n {
		at = 0
		s.free = make([]T, 0, max(leastSlab, 2*cap(s.free), n))
	}
	s.free = s.free[:at+n]
	return s.free[at : at+n : at+n]
}

// Reset takes back all that was handed out since the last long list was begun, and lets go of
// what was in it.
func (s *Slab[T]) Reset() {
	clear(s.free)
	s.free = s.free[:0]
}
