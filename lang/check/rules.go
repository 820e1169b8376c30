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
	Also        []string // codes that come with it, in the example at least

	// Example is a text file that breaks this rule, and none besides it and
	// Also; or several files, as an archive with lines -- name -- between them.
	Example string
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

// RodinID returns Rodin's identifier of the problem with the given code, which
// may be one of package lang, or "".
func RodinID(code string) string {
	if r, ok := RuleOf(code); ok {
		return r.RodinID()
	}
	switch {
	case code == lexerCode:
		return "org.eventb.core.LexerError"
	case code < "GR0100":
		return "org.eventb.core.SyntaxError"
	}
	return ""
}

// lexerCode is the syntax error of a character that begins no token.
const lexerCode = "GR0004"
