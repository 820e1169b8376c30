package chart

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// element is what tests read of a picture.
type element struct {
	XMLName  xml.Name
	Class    string    `xml:"class,attr"`
	X        float64   `xml:"x,attr"`
	Y        float64   `xml:"y,attr"`
	Width    float64   `xml:"width,attr"`
	Height   float64   `xml:"height,attr"`
	Text     string    `xml:",chardata"`
	Elements []element `xml:",any"`
}

// read parses a picture, and wants all of it to be within its frame, and no two
// texts of one line to touch.
func read(t *testing.T, svg string) element {
	t.Helper()
	var e element
	if err := xml.Unmarshal([]byte(svg), &e); err != nil {
		t.Fatalf("%v\n%s", err, svg)
	}
	type span struct{ y, from, to float64 }
	var spans []span
	var visit func(x element)
	visit = func(x element) {
		if x.XMLName.Local == "rect" && (x.X < 0 || x.Y < 0 || x.X+x.Width > e.Width+1 || x.Y+x.Height > e.Height+1) {
			t.Errorf("%v is not within %v × %v", x, e.Width, e.Height)
		}
		if x.XMLName.Local == "text" && x.X > 0 && x.Text != "" {
			w := widthOf(x.Text)
			from := x.X
			switch {
			case strings.Contains(x.Class, "mid"):
				from -= w / 2
			case strings.Contains(x.Class, "end"):
				from -= w
			}
			if from < -1 || from+w > e.Width+1 || x.Y > e.Height {
				t.Errorf("text %q at %v,%v is not within %v × %v", x.Text, x.X, x.Y, e.Width, e.Height)
			}
			spans = append(spans, span{x.Y, from, from + w})
		}
		for _, y := range x.Elements {
			visit(y)
		}
	}
	visit(e)
	for i, a := range spans {
		for _, b := range spans[:i] {
			if math.Abs(a.y-b.y) < 9 && a.from < b.to && b.from < a.to {
				t.Errorf("texts overlap at %v: %v and %v\n", a.y, a, b)
			}
		}
	}
	return e
}

// Pictures of random data stay within their frames, and their texts apart.
func TestRandomPictures(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	names := func(n int) []string {
		var out []string
		for i := range n {
			out = append(out, []string{fmt.Sprint(i), Grouped(big.NewInt(1 << min(i, 62))), "x" + fmt.Sprint(i*i)}[r.IntN(3)])
		}
		return out
	}
	for range 30 {
		scale := math.Pow(10, float64(r.IntN(14)))
		h := Heat{Title: "<t> & size=8", X: "WG", Y: "TS", Unit: "T_ev", Columns: names(1 + r.IntN(40)), Rows: names(1 + r.IntN(60)), Cells: map[[2]int]Cell{}}
		l := Lines{Title: "curves", X: "WG", Y: "T_ev", Columns: h.Columns}
		for row := range h.Rows {
			s := Series{Name: h.Rows[row], Values: map[int]float64{}}
			for c := range h.Columns {
				if v := math.Trunc(r.Float64() * scale); r.IntN(4) > 0 {
					h.Cells[[2]int{c, row}] = Cell{Value: v, Text: short(v), Best: r.IntN(30) == 0}
					s.Values[c] = v
				}
			}
			l.Series = append(l.Series, s)
		}
		a, b := h.SVG(), l.SVG()
		read(t, a)
		read(t, b)
		if a != h.SVG() || b != l.SVG() {
			t.Fatal("the same data make another picture")
		}
		if alone := Alone(a); !strings.Contains(alone, "prefers-color-scheme: dark") {
			t.Error("a picture of its own without its style")
		} else {
			read(t, alone)
		}
	}
}

func TestStack(t *testing.T) {
	l := Lines{Title: "one", X: "commit", Y: "number", Columns: []string{"a", "b"}, Series: []Series{{Name: "s", Values: map[int]float64{0: 1, 1: 100}}}}
	one, both := read(t, l.SVG()), Stack([]Lines{l, l})
	var e element
	if err := xml.Unmarshal([]byte(both), &e); err != nil || e.Height != 2*one.Height || e.Width != one.Width {
		t.Errorf("%v: %v × %v, not twice %v × %v", err, e.Width, e.Height, one.Width, one.Height)
	}
}

// A scale keeps the order, and shows the differences of most values.
func TestScale(t *testing.T) {
	for want, values := range map[string][]float64{
		"":        {1, 2, 3, 4, 5, 6, 7, 8, 9},
		"log":     {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8},
		"by rank": {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1e9},
	} {
		s := NewScale(values)
		if s.Name != want {
			t.Errorf("%v: scale %q, want %q", values, s.Name, want)
		}
		for i := range values[1:] {
			if s.At(values[i]) > s.At(values[i+1]) {
				t.Errorf("%v: the scale does not rise at %v", values, values[i])
			}
		}
		if marks := s.marks(5); marks[0] != values[0] || !slices.Contains(marks, values[len(values)-1]) || len(marks) > 6 {
			t.Errorf("%v: marks %v", values, marks)
		}
	}
	if s := NewScale([]float64{5}); s.At(5) != 0 {
		t.Error("a scale of one value")
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", -1234: "−1,234", 999: "999", 1000: "1,000", 123456789: "123,456,789", 5497558138880: "5.498·10¹²", 1e12: "10¹²"} {
		if got := Brief(big.NewInt(n)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if got := Grouped(new(big.Int).Exp(big.NewInt(10), big.NewInt(21), nil)); got != "1,000,000,000,000,000,000,000" {
		t.Error(got)
	}
}
