package lang

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
)

func TestUnmerged(t *testing.T) {
	const head, tail = "context c\nconstants a\naxioms\n", "  @b a > 0\nend\n"
	conflict := "<<<<<<< ours\n  @a a ∈ ℕ\n||||||| base\n  @a a ∈ ℤ\n=======\n  @a a ∈ ℕ1\n>>>>>>> theirs\n"
	var problems diag.List
	f := Parse("m.eventb", []byte(head+conflict+conflict[:0]+tail), &problems)
	list := problems.Sorted()
	if len(list) != 1 || list[0].Span.Line != 4 || !strings.Contains(list[0].Message, "unmerged") || f.Complete || !f.Components[0].Faulty {
		t.Error(list, f.Complete)
	}
	if axioms := f.Components[0].Axioms; len(axioms) != 2 || axioms[0].Source.Text != "a ∈ ℕ" || axioms[1].Label.Span.Line != 11 {
		t.Error(axioms)
	}
	// Rows of signs in comments are not markers.
	for _, text := range []string{"// =======\ncontext c\nend\n", "/*\n<<<<<<< \n>>>>>>> \n*/\ncontext c\nend\n", "/*\n=======\n*/ context c\nend\n"} {
		var problems diag.List
		if Parse("m.eventb", []byte(text), &problems); problems.HasErrors() {
			t.Error(text, problems.Sorted())
		}
	}
}
