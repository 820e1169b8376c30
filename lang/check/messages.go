package check

import (
	"fmt"

	"github.com/gradine/gradine/diag"
)

// place is where a problem is: a range of the source and a model element.
type place struct {
	span    diag.Span
	element string
}

// findings are the problems found so far. Its methods are all the messages of
// the checker, one method each.
type findings []diag.Diagnostic

func (f *findings) add(code string, at place, message, help string, notes ...diag.Note) {
	r, ok := RuleOf(code)
	if !ok {
		panic("check: no rule " + code)
	}
	*f = append(*f, diag.Diagnostic{
		Code: code, Severity: r.Severity, Span: at.span, Element: at.element, Message: message, Help: help, Notes: notes,
	})
}

func quote(name string) string { return "`" + name + "`" }

// Types of formulas.

func (f *findings) typesDoNotMatch(at place, got, want string) {
	f.add("GR0100", at, fmt.Sprintf("types %s and %s do not match", got, want),
		"compare the declarations of the identifiers used here; a type follows from the first clause that mentions a name")
}

func (f *findings) typeUnknown(at place, name string) {
	what := "the type of this expression"
	if name != "" {
		what = "the type of " + quote(name)
	}
	f.add("GR0101", at, what+" does not follow from this formula",
		"state the type: x ∈ T before the use of x, or ⦂ T behind a bound variable or a generic atom such as ∅")
}

func (f *findings) circularType(at place) {
	f.add("GR0102", at, "the type would have to contain itself",
		"a set is no element of itself; check the sides of ∈ and ↦")
}

func (f *findings) minusAppliedToSet(at place) {
	f.add("GR0103", at, "− subtracts integers, but an operand is a set", `for the difference of sets write ∖ (in ASCII \)`)
}

func (f *findings) timesAppliedToSet(at place) {
	f.add("GR0104", at, "∗ multiplies integers, but an operand is a set", "for the Cartesian product write × (in ASCII **)")
}

func (f *findings) typeNameUsed(at place, name string) {
	f.add("GR0105", at, quote(name)+" is used as a type, but is another identifier here",
		"only carrier sets are types; rename one of the two")
}

func (f *findings) predicateVariable(at place, name string) {
	f.add("GR0106", at, fmt.Sprintf("predicate variable $%s in a model", name), "predicate variables are for proof rules only; write the predicate")
}

func (f *findings) typeTooLarge(at place) {
	f.add("GR0107", at, "the type is too large", "name the parts of nested pairs and sets by carrier sets")
}
