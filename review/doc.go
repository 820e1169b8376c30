// Package review reports what the difference between two revisions means. It finds changed
// elements of the models, and obligations that appeared, vanished, changed, kept their proof or
// lost it. It shows how far a change reaches down the refinement. Package review/git reads the
// files, and package review/gate decides which findings fail a review.
//
// Obligations are matched by content, not by name. An obligation is unchanged if its sequent is
// the same, possibly after renaming identifiers. Verdicts are those of `gradine prove` at each
// revision. Lockfiles are compared with them and never trusted.
package review
