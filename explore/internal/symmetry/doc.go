// Package symmetry owns which identifiers of a program are interchangeable: sorts,
// which tell apart the integers that never meet, the group of permutations that
// keeps what formulas name, and the state that stands for all those of its orbit. It
// knows nothing of searches.
package symmetry
