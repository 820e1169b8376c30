package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// chain joins n copies of f with sep.
func chain(n int, sep, f string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(strings.NewReplacer("%0", fmt.Sprint(i), "%1", fmt.Sprint(i+1)).Replace(f))
	}
	return b.String()
}

// Large and contrived formulas take work in proportion to their size, and fail
// with a message at worst.
func TestHostileFormulas(t *testing.T) {
	n := corpus.Effort(10_000, 20_000, 100_000)
	for _, c := range []struct{ name, in, code string }{
		{"equalities", "x0 = 1 ∧ " + chain(n, " ∧ ", "x%0 = x%1"), ""},
		{"reversed", chain(n, " ∧ ", "x%0 = x%1") + fmt.Sprintf(" ∧ x%d = 1", n), ""},
		{"memberships", chain(n, " ∧ ", "x%0 ∈ x%1"), "GR0101"},
		{"typed memberships", "x0 = 1 ∧ " + chain(n, " ∧ ", "x%0 ∈ x%1"), "GR0107"},
		{"pairs", "x0 = 1 ∧ " + chain(n, " ∧ ", "x%1 = x%0 ↦ x%0"), "GR0107"},
		{"circle", chain(n, " ∧ ", "x%0 ∈ x%1") + fmt.Sprintf(" ∧ x%d ∈ x0", n), "GR0107"},
		{"small circle", chain(900, " ∧ ", "x%0 ∈ x%1") + " ∧ x900 ∈ x0", "GR0102"},
		{"declarations", "∀" + chain(100_000, ",", "x%0") + "·x0 = 1 ∧ " + chain(99_999, " ∧ ", "x%0 = x%1"), "GR0107"},
		{"sets", "{" + chain(n, ",", "{%0}") + "} = x", ""},
		{"sum", chain(n, "+", "x%0") + " = 0", ""},
		{"binders", strings.Repeat("∀x·", 500) + "x = 1", "GR0101"},
	} {
		f, problems := lang.ParsePredicate(c.in, lang.Stored)
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.name, problems[0])
			continue
		}
		var found []diag.Diagnostic
		bytes := corpus.Allocated(func() { _, _, found = check.Formula(logic.NewBank(), nil, f) })
		if each := bytes / int64(len(c.in)); each > 500 {
			t.Errorf("%s: %d bytes are allocated for each of the text", c.name, each)
		}
		code := ""
		if len(found) > 0 {
			code = found[0].Code
		}
		if code != c.code || len(found) > 20 {
			t.Errorf("%s: %d problems, the first %q", c.name, len(found), code)
		}
	}
}
