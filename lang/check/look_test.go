package check

import "testing"

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
