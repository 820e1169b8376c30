// Package rules is the catalogue of diagnostic codes. Each code has a meaning, a fix and an
// example. Each rule is a text file, written and reviewed like a document.
package rules

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/gradine/gradine/diag"
)

//go:embed *.txtar
var files embed.FS

// All returns the rules, by code.
var All = sync.OnceValue(func() []diag.Rule {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("rules: " + err.Error())
	}
	all := make([]diag.Rule, 0, len(entries))
	for _, e := range entries { // by name
		data, err := files.ReadFile(e.Name())
		if err == nil {
			var r diag.Rule
			r, err = read(strings.TrimSuffix(e.Name(), ".txtar"), string(data))
			all = append(all, r)
		}
		if err != nil {
			panic("rules: " + e.Name() + ": " + err.Error())
		}
	}
	return all
})

// read reads the file of a rule: a head of keys, the explanation, a paragraph that
// starts with "fix: ", and the example as a txtar archive. Empty lines separate them.
func read(code, text string) (diag.Rule, error) {
	r := diag.Rule{Code: code}
	head, rest, _ := strings.Cut(text, "\n\n")
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch key {
		case "title":
			r.Title = value
		case "severity":
			if value == diag.Warning.String() {
				r.Severity = diag.Warning
			} else if value != diag.Error.String() {
				return r, fmt.Errorf("severity %q", value)
			}
		case "rodin":
			r.Rodin = value
		case "also":
			r.Also = strings.Fields(value)
		default:
			return r, fmt.Errorf("unknown key %q", key)
		}
	}
	// The example is cut off as text: it may hold bytes that are no UTF-8 on purpose.
	explanation, example, found := strings.Cut(rest, "\n-- ")
	explanation, fix, _ := strings.Cut(explanation, "\n\nfix: ")
	r.Explanation, r.Fix = strings.TrimSpace(explanation), strings.TrimSpace(fix)
	if found {
		r.Example = strings.TrimPrefix("-- "+example, "-- example.eventb --\n")
	}
	if r.Title == "" || r.Explanation == "" || r.Fix == "" {
		return r, fmt.Errorf("the title, the explanation or the fix is missing")
	}
	return r, nil
}

var byCode = sync.OnceValue(func() map[string]diag.Rule {
	m := map[string]diag.Rule{}
	for _, r := range All() {
		m[r.Code] = r
	}
	return m
})

// Of returns the rule with a code.
func Of(code string) (diag.Rule, bool) {
	r, ok := byCode()[code]
	return r, ok
}

// RodinID returns Rodin's identifier of the problem with a code, or "".
func RodinID(code string) string { return byCode()[code].RodinID() }
