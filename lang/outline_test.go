package lang_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// An outline has every name that a parser finds at the head of a component.
func TestOutline(t *testing.T) {
	texts := map[string]string{
		"upper case":     "CONTEXT A EXTENDS B C SETS S END MACHINE M REFINES N SEES A INVARIANTS @i ⊤ END",
		"comments":       "context /* machine x */ A // context y\nextends \"sees z\" B\nend",
		"quoted":         "context `a b` extends `c``d` constants machine axioms @extends machine ∈ ℤ end",
		"names of words": "machine kernel sees c\nvariables extends\nevents event e refines e any sees where @g ⊤ end end",
		"labels":         "machine M sees @a b C invariants @machine ⊤ end machine N refines M end",
	}
	for _, pattern := range []string{"../contexts/*/*.eventb", "../machines/*/*.eventb", "../*/testdata/*.eventb", "../internal/*/testdata/*/*.eventb"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(data)
		}
	}
	components := 0
	for name, text := range texts {
		var problems diag.List
		defined, mentioned := lang.Outline(text)
		for _, c := range lang.Parse(name, []byte(text), &problems).Components {
			components++
			if !slices.Contains(defined, c.Name.Text) {
				t.Errorf("%s: %s is not among the components %q", name, c.Name.Text, defined)
			}
			for _, other := range slices.Concat(c.Extends, c.Refines, c.Sees) {
				if !slices.Contains(mentioned, other.Text) {
					t.Errorf("%s: %s is not among what components build on, %q", name, other.Text, mentioned)
				}
			}
		}
	}
	if components < 40 {
		t.Errorf("%d components", components)
	}
}
