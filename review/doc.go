// Package review says what the difference between two revisions means: which
// elements of the models changed and how, which obligations appeared, vanished,
// changed, kept their proof or lost it, and how far down the refinement that
// reaches. It knows nothing of rendering, nor of where the files of a revision come
// from: that is review/git. Which findings make a review fail says review/gate.
//
// Obligations follow content, not names: one whose sequent is the same, or is the same
// once identifiers have their new names, is unchanged. Verdicts are those that `gradine
// prove` gives at each revision; what a lock claims is compared with them, and believed
// by nobody.
package review
