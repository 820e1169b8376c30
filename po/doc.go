// Package po owns proof obligations: which ones a development has, under which names,
// with which goals and hypotheses. They are Rodin's, with the few deviations that
// docs/obligations.md lists, and a few more kinds on request. It knows nothing of how
// they are proved.
//
// All makes them, as a pure function of the checked model and in Rodin's order; an ID
// tells each from all others, which a name does not. Obligations of one component
// share a frozen bank, a child of the development's, and the lists of their
// hypotheses. Interleaving makes claims about the order of events, which package order
// describes; they are not among the obligations of the model.
package po
