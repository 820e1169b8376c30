package chart

import (
	"slices"
	"strings"
	"testing"
)

// Marks that read the same are told apart by their distance from the best value.
func TestMarkTexts(t *testing.T) {
	for _, test := range []struct {
		marks []float64
		best  float64
		want  []string
	}{
		{[]float64{1, 20, 300}, 1, []string{"1", "20", "300"}},
		{[]float64{8832574413, 8832574500, 8832580000}, 8832574413, []string{"8.833·10⁹", "+87", "+5,587"}},
		{[]float64{8832574413, 8832574500}, 8832574500, []string{"−87", "8.833·10⁹"}},
	} {
		if got := markTexts(test.marks, test.best); !slices.Equal(got, test.want) {
			t.Errorf("%v: got %q, want %q", test.marks, got, test.want)
		}
	}
}

// Powers of two are written as such where some are long, and all are.
func TestPowersOfTwo(t *testing.T) {
	for _, test := range []struct{ list, want string }{
		{"1 2 4", "1 2 4"},
		{"4 1099511627776", "2² 2⁴⁰"},
		{"4 1099511627777", "4 1.1·10¹²"},
		{"-4 1048576", "−4 1,048,576"},
	} {
		if got := strings.Join(BriefTexts(strings.Fields(test.list)), " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.list, got, test.want)
		}
	}
}

// The best values of curves have a ring.
func TestCurvesBest(t *testing.T) {
	l := Lines{Columns: []string{"1", "2"}, Series: []Series{{Values: map[int]float64{0: 3, 1: 5}, Best: map[int]bool{0: true}}}}
	if n := strings.Count(l.SVG(), `class="ring"`); n != 1 {
		t.Errorf("%d rings, want 1", n)
	}
}

// A heat map none of whose cells has a value is drawn without marks.
func TestHeatWithoutValues(t *testing.T) {
	h := Heat{Columns: []string{"1"}, Rows: []string{"a"}}
	if svg := h.SVG(); !strings.HasPrefix(svg, "<svg") {
		t.Errorf("drawn as %q", svg)
	}
}
