package diag

import "testing"

// Lines and columns count from 1, columns in code points, whatever the order in which places are asked for.
func TestPlaces(t *testing.T) {
	p := Places{File: "f", Text: "ab\n\nx∈S\nend"}
	for _, test := range []struct{ from, line, col int }{
		{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {8, 3, 3}, {10, 4, 1}, {13, 4, 4},
		{4, 3, 1}, {1, 1, 2}, {1, 1, 2}, {8, 3, 3},
	} {
		want := Span{File: "f", From: test.from, To: test.from, Line: test.line, Col: test.col}
		if got := p.Span(test.from, test.from); got != want {
			t.Errorf("%d: %+v", test.from, got)
		}
	}
}
