// Package symmetry finds the interchangeable identifiers of a program: sorts,
// which separate integers that never meet, the group of permutations that
// preserves the constants named in formulas, and the representative state of each orbit.
package symmetry
