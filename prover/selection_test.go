package prover

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// TestSelections lists what each selection takes of one sequent, in its order.
func TestSelections(t *testing.T) {
	s, err := (&check.Reader{}).Sequent(
		map[string]string{"S": "ℙ(S)", "a": "ℙ(S)", "b": "ℙ(S)", "c": "ℙ(S)", "d": "ℙ(S)", "e": "ℙ(S)", "x": "S"},
		[]string{
			0: "x∈a",
			1: "a⊆b",
			2: "∀y·y∈b⇒y∈c",
			3: "c⊆d",
			4: "d⊆e",
			5: "b⊆d",
			6: "e≠∅",
		},
		[]int{3}, "x∈d")
	if err != nil {
		t.Fatal(err)
	}
	n := newNeighbourhood(s.Bare())
	for _, c := range []struct {
		name string
		take selection
		want []int
	}{
		{"selected", selected, []int{3}},
		{"near 1", near(1), []int{0, 3, 4, 5}},
		{"near 2", near(2), []int{0, 3, 4, 5, 1, 2, 6}},
		{"lasso 1", lasso(1), []int{3, 0, 4, 5, 2}},
		{"plain 1", plain(1), []int{3, 0, 4, 5}},
		{"plain 2", plain(2), []int{3, 0, 4, 5, 1, 6}},
		{"enclosed", enclosed, []int{3}},
		{"everything", everything, []int{3, 0, 4, 5, 2, 1, 6}},
		{"recent 2", recent(2), []int{5, 4}},
		{"recent 1 typed", typed(recent(1)), []int{5, 0, 4}}, // x∈a and d⊆e are about x and d
		{"part", part(everything, 1, 3), []int{0, 2}},
		// d stands in three hypotheses, as b does, but c and e in fewer: d triggers 5 alone.
		{"triggered", triggered(1.2, 2), []int{0, 5, 1}},
		// x∈a and d⊆e are about identifiers of the goal.
		{"relevant 2", relevant(2), []int{0, 4}},
	} {
		if got := c.take(n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
