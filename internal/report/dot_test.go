package report_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/report"
)

// Two nodes have one arrow in each direction, with all its labels.
func TestDOTMergesArrows(t *testing.T) {
	var out strings.Builder
	edges := []explore.Edge{{From: 0, To: 0, Label: "a"}, {From: 0, To: 1, Label: "a"}, {From: 0, To: 0, Label: "b"}, {From: 0, To: 0, Label: "a"}, {From: 1, To: 0, Label: "c"}}
	report.DOT(&out, "m", &explore.Graph{States: [][]explore.Binding{nil, nil}, Edges: edges}, nil)
	for _, want := range []string{`s0 -> s0 [label="a\nb"]`, `s0 -> s1 [label="a"]`, `s1 -> s0 [label="c"]`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
	if n := strings.Count(out.String(), "->"); n != 3 {
		t.Errorf("%d arrows, want 3", n)
	}
}
