package lsp

import (
	"strings"
	"testing"
	"unicode"

	"github.com/gradine/gradine/logic/notation"
)

// TestOperatorNames: each operator that no keyboard has can be found by a name of letters behind a backslash.
func TestOperatorNames(t *testing.T) {
	named := map[string]bool{}
	for name, spelling := range operatorNames {
		if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
			t.Errorf("\\%s is no name of letters", name)
		}
		named[spelling] = true
	}
	for _, e := range notation.All() {
		typed := func(spelling string) bool {
			return !strings.ContainsFunc(spelling, func(r rune) bool { return r > unicode.MaxASCII })
		}
		word := strings.ContainsFunc(e.PreferredASCII(), unicode.IsLetter)
		if !typed(e.Readable()) && !named[e.Unicode] && !word {
			t.Errorf("%s has no name behind a backslash: add one to operatorNames in internal/lsp/complete.go", e.Unicode)
		}
	}
}
