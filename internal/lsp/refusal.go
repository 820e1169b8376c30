package lsp

import "github.com/creachadair/jrpc2"

// The codes of the protocol for what was cancelled, and for an answer that a change has
// overtaken.
const (
	requestCancelled jrpc2.Code = -32800
	contentModified  jrpc2.Code = -32801
)

// refusal is an error that an editor shows to its user.
func refusal(format string, args ...any) error {
	return jrpc2.Errorf(jrpc2.InvalidParams, format, args...)
}

// overtaken is the answer to what a change has overtaken.
func overtaken() error {
	return jrpc2.Errorf(contentModified, "a text has changed since: ask again")
}
