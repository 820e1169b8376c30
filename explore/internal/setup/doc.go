// Package setup makes a machine finite. It chooses the elements of carrier sets, and values of
// constants that satisfy the axioms.
package setup
