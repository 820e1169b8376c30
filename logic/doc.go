// Package logic represents formulas: types, hash-consed terms, capture-free substitution, the
// well-definedness operator D, and sequents. All of it is trusted.
//
// # Terms
//
// A Term is an index into a Bank. Every operator of Event-B is represented as it is; nothing
// is desugared. Bound variables are de Bruijn indices. Under a binder with k declarations,
// declaration j (counted from 0) has index k-1-j. So index 0 is the last declaration, as in
// Rodin.
//
// A binder may carry a Hint: the names and the concrete form that its author wrote. A term
// without hints is bare. Two terms of one bank are α-equal iff their Bare terms are the same
// index. Provers, kernel and evaluators use only bare terms, so there equal indices mean
// α-equality. Printing uses the hints.
//
// # Banks
//
// A bank only grows. A frozen bank may be read by many goroutines. Each goroutine builds its
// own terms in a private child bank (Extend), whose indices continue those of its parent.
// Indices depend on the order of construction and never leave the process.
//
// # Construction
//
// Terms are well-typed by construction. App, Quant and the other short constructors panic on
// an ill-typed term, which is a bug in the caller. The Try forms return an error; use them for
// foreign input.
package logic
