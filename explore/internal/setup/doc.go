// Package setup owns what makes a machine finite: the elements of its carrier sets, and
// values of its constants that satisfy the axioms. It knows nothing of events.
package setup
