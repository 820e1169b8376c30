// Package recheck is a second checker of certificates, written from docs/proofs.md alone. It
// imports nothing of the project and shares no code with the kernel. So a mistake in one of
// them shows as a disagreement. Tests compare their answers on certificates from the search and
// on mutated ones. No verdict depends on it.
//
// The kernel builds axioms with Go functions over de Bruijn indices; this package reads them
// from a text table with named variables (axioms.txt). The kernel keeps polynomials as sorted
// lists; this package keeps them as maps.
package recheck

import "fmt"

// refusal is what the checker panics with when it refuses something; the exported
// functions turn it into an error.
type refusal struct{ error }

// refuse ends the check.
func refuse(format string, args ...any) { panic(refusal{fmt.Errorf(format, args...)}) }

// need refuses unless ok.
func need(ok bool, format string, args ...any) {
	if !ok {
		refuse(format, args...)
	}
}

// catch turns a refusal into an error.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case refusal:
		*err = r.error
	default:
		panic(r)
	}
}
