package check

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
)

// Rule is one static rule.
type Rule struct {
	Code        string
	Severity    diag.Severity
	Rodin       string // Rodin's identifier of the same problem, without its prefix; "" if it has none
	Title       string
	Explanation string
	Example     string // a file that breaks this rule, and no other
}

// RodinID is Rodin's identifier of the problem, or "".
func (r Rule) RodinID() string {
	if r.Rodin == "" {
		return ""
	}
	return "org.eventb.core." + r.Rodin
}

// RuleOf returns the rule with the given code.
func RuleOf(code string) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(Rules, code, func(r Rule, code string) int { return strings.Compare(r.Code, code) })
	if !ok {
		return Rule{}, false
	}
	return Rules[i], true
}

// Rules is the catalogue of all rules that this package checks, by code.
var Rules = []Rule{
	{Code: "GR0100", Rodin: "TypesDoNotMatchError"},
	{Code: "GR0101", Rodin: "TypeUnknownError"},
	{Code: "GR0102", Rodin: "CircularityError"},
	{Code: "GR0103", Rodin: "MinusAppliedToSetError"},
	{Code: "GR0104", Rodin: "MulAppliedToSetError"},
	{Code: "GR0105", Rodin: "TypeCheckError"},
	{Code: "GR0106", Rodin: "SyntaxError"},
	{Code: "GR0107"},
}
