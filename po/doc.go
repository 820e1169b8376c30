// Package po owns proof obligations: which a development has, under which names,
// with which goals and hypotheses. They are Rodin's, with the few deviations
// that docs/obligations.md lists, and a few kinds more on request. It knows
// nothing of how they are proved.
//
// Generation is a pure function of the checked model; the order is Rodin's.
// Obligations of one component share a frozen bank, a child of the
// development's, and the lists of their hypotheses.
package po
