package check

import (
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
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

// AllRules returns the rules of this package and of package lang, by code.
func AllRules() []Rule {
	all := make([]Rule, 0, len(lang.Rules)+len(Rules))
	for _, r := range lang.Rules {
		all = append(all, Rule{Code: r.Code, Rodin: r.Rodin, Title: r.Title, Explanation: r.Explanation, Example: r.Example})
	}
	all = append(all, Rules...)
	slices.SortFunc(all, func(a, b Rule) int { return strings.Compare(a.Code, b.Code) })
	return all
}

var byCode = sync.OnceValue(func() map[string]Rule {
	m := map[string]Rule{}
	for _, r := range AllRules() {
		m[r.Code] = r
	}
	return m
})

// RuleOf returns the rule with the given code, be it of this package or of
// package lang.
func RuleOf(code string) (Rule, bool) {
	r, ok := byCode()[code]
	return r, ok
}

// RodinID returns Rodin's identifier of the problem with the given code, or "".
func RodinID(code string) string {
	r, _ := RuleOf(code)
	return r.RodinID()
}
