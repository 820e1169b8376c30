package check

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// Events, labels and parameters that look alike are warned of where both are in use.
func TestLooksOfLabels(t *testing.T) {
	const text = "machine m\nvariables x\ninvariants\n  @é x ∈ ℤ\n  @i x = x\nevents\n  event INITIALISATION then @i x ≔ 0 end\n  event a where @a 1 = 1 @c 2 = 2 then @b x ≔ 1 end\n  event d end\nend\n"
	for _, test := range []struct {
		old, now string
		warnings int
	}{
		{"event d", "event а", 1},         // Cyrillic
		{"@i x = x", "@e\u0301 x = x", 1}, // the accent by itself
		{"@c 2", "@а 2", 1},               // Cyrillic
		{"@b x", "@а x", 1},               // an action next to a guard
		{"@c 2", "@é 2", 0},               // elsewhere
		{"@c 2", "@A 2", 0},
	} {
		var problems diag.List
		changed := strings.Replace(text, test.old, test.now, 1)
		Development("p", []*lang.File{lang.Parse("m.eventb", []byte(changed), &problems)}, &problems)
		found := 0
		for _, p := range problems.Sorted() {
			if p.Code == "GR0153" {
				found++
			} else if p.Severity == diag.Error {
				t.Fatal(p.Message)
			}
		}
		if found != test.warnings {
			t.Errorf("%q: %d warnings, want %d", test.now, found, test.warnings)
		}
	}
}

// Names of one look are those that fonts draw alike.
func TestLooks(t *testing.T) {
	for _, same := range [][2]string{
		{"a", "а"},                  // Cyrillic
		{"x", "x\u200b"},            // not drawn
		{"A", "Ａ"},                  // wide
		{"\u00e9", "e\u0301"},       // é as one character, and as two
		{"\u1ed9", "o\u0323\u0302"}, // two accents
		{"\u1ed9", "\u1ecd\u0302"},  // one of them part of the letter
		{"\u212b", "\u00c5"},        // the unit and the letter
	} {
		if looks(same[0]) != looks(same[1]) {
			t.Errorf("%q and %q look different", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"a", "b"}, {"e", "é"}, {"x2", "x²"}, {"a", "A"}} {
		if looks(other[0]) == looks(other[1]) {
			t.Errorf("%q and %q look the same", other[0], other[1])
		}
	}
}
