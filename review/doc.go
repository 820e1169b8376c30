// Package review says what the difference between two revisions means: which
// elements of the models changed and how, which obligations appeared, vanished,
// changed, kept their proof or lost it, and how far down the refinement that
// reaches. It reads Git's objects (the only importer of go-git) and needs no
// checkout. It knows nothing of rendering.
//
// A proof follows content, not names: an obligation whose sequent is the same, or
// is the same once identifiers have their new names, keeps its proof. Only other
// obligations go to the prover, which asks the certificate store first.
package review
