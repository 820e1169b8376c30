package review

import (
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// A text without types is shown under the new names, for it may name something else now.
func TestRenamedText(t *testing.T) {
	to := map[string]string{"A": "B", "x1": "y"}
	rename := func(name string) string {
		if n, ok := to[name]; ok {
			return n
		}
		return name
	}
	for text, want := range map[string]string{"x1 ∉ A": "y ∉ B", "x ∈ {x1} ∪ AA": "x ∈ {y} ∪ AA", "⊤": "⊤"} {
		var problems diag.List
		f := lang.Parse("m.eventb", []byte("context c\naxioms\n  @a "+text+"\nend\n"), &problems)
		if got := renamed(text, []*lang.Formula{f.Components[0].Axioms[0].Formula}, rename); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
