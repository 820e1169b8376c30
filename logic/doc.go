// Package logic owns formulas: types, hash-consed terms, capture-free
// substitution, the well-definedness operator D, and sequents. It is trusted as
// a whole. It knows nothing of text, machines, proofs or search.
//
// # Terms
//
// A Term is an index into a Bank. Every operator of Event-B is kept as it is;
// nothing is desugared. Bound variables are de Bruijn indices: under a binder
// with k declarations, declaration j (counted from 0) has index k-1-j, so index
// 0 is the one declared last, as in Rodin.
//
// A binder may carry a Hint: the names and the concrete form its author wrote.
// A term without hints is bare. Two terms of one bank are α-equal iff their
// Bare terms are the same index. Provers, kernel and evaluators see bare terms
// only, so there equality of indices is α-equality; printing wants the hints.
//
// # Banks
//
// A bank only grows. A frozen bank may be read by many goroutines; each of them
// builds what it needs in a private child bank (Extend), whose indices continue
// those of its parent. Indices depend on the order of construction and never
// leave the process.
//
// # Construction
//
// Terms are well-typed by construction. App, Quant and the other short
// constructors panic on an ill-typed term, which is a defect of the caller; the
// Try forms return an error and are for readers of foreign input.
package logic
