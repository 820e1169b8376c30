// Package lsp is the language server: the protocol of editors in, calls of package
// project out. On each pause the project is checked with the open texts laid over its
// files, its obligations are generated, and proofs run in the background.
//
// What is shown of proofs is keyed by the question that was asked of the prover, which
// is the sequent to the letter: an answer is shown for a text whose obligations ask that
// very question, and for no other. So nothing flickers, and no text is shown as proved
// that is not.
package lsp
