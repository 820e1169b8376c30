// Package setup makes a machine finite: it chooses the elements of carrier sets, and
// values of constants that satisfy the axioms.
package setup
