// Package check resolves names, infers the types of formulas, and applies the
// static rules of contexts and machines: it turns syntax into a
// model.Development.
//
// A formula is typed by unification, in an environment of the identifiers that
// stand before it; what it says of identifiers without a type is inferred from
// it alone. Clauses are checked in source order. What is wrong is dropped, and what
// is missing is repaired where Rodin repairs it. At the end, an account compares the
// model with its source: a component is whole only if nothing of it was lost or
// added, whatever the reason.
//
// Every problem has a rule in package rules, with a stable code, the identifier
// that Rodin gives to the same problem, and an example. A problem that another one
// causes is marked so (diag.Diagnostic.Follows).
package check
