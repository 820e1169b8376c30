// Package lsp implements the language server. On each pause in typing it checks the project
// with unsaved buffers in place of files, generates the obligations, and runs proofs in the
// background.
//
// A verdict is keyed by the exact sequent that the prover was asked. The server shows a
// verdict only for a text whose obligations have that sequent. So verdicts do not flicker, and
// none is shown for a text that it was not computed for.
package lsp
