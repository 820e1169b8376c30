// Package po generates proof obligations: their names, goals and hypotheses. They are those of
// Rodin, with a few deviations that docs/obligations.md lists, and some additional kinds on
// request.
//
// All generates them in Rodin's order, as a pure function of the checked model. Names need not
// be unique; an ID identifies each obligation. Obligations of one component share a frozen
// bank, a child of the development's bank, and their lists of hypotheses. Interleaving
// generates claims about the order of events (see package order), which are not obligations of
// the model.
package po
