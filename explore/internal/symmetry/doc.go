// Package symmetry finds the interchangeable identifiers of a program. It finds sorts, which
// separate integers that never meet, and the group of permutations that preserves the constants
// named in formulas. It computes the representative state of each orbit.
package symmetry
