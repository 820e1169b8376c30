// Package check resolves names, infers the types of formulas, and applies the static rules of
// contexts and machines. It turns syntax into a model.Development.
//
// A formula is typed by unification, in an environment of the identifiers declared before it.
// Identifiers without a type get theirs from this formula alone. Clauses are checked in source
// order. Invalid elements are dropped, and missing ones are repaired where Rodin repairs them.
// At the end, the model is compared with its source: a component is accurate only if nothing
// was lost or added.
//
// Every diagnostic has a rule in package rules, with a stable code, Rodin's identifier for the
// same problem, and an example. A diagnostic caused by another one is marked as a follow-on
// (diag.Diagnostic.Follows).
package check
