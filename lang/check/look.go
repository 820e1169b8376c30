package check

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// drawnAs has letters of other alphabets that fonts draw like Latin ones, in pairs.
var drawnAs = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "х", "x", "у", "y", "і", "i", "ј", "j", "ѕ", "s", "һ", "h", "ԁ", "d", "ԛ", "q", "ԝ", "w",
	"А", "A", "В", "B", "Е", "E", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "Х", "X", "І", "I", "Ј", "J", "Ѕ", "S",
	"Α", "A", "Β", "B", "Ε", "E", "Ζ", "Z", "Η", "H", "Ι", "I", "Κ", "K", "Μ", "M", "Ν", "N", "Ο", "O", "Ρ", "P", "Τ", "T", "Υ", "Y", "Χ", "X", "ο", "o",
)

// looks is how a name is drawn: two names of one look are told apart by no reader.
func looks(name string) string {
	// A letter with an accent may be one character or two.
	return drawnAs.Replace(norm.NFC.String(strings.Map(func(letter rune) rune {
		switch {
		case unicode.Is(unicode.Cf, letter), unicode.Is(unicode.Variation_Selector, letter):
			return -1 // not drawn
		case letter >= 0xFF21 && letter <= 0xFF5A: // letters as wide as ideographs
			return letter - 0xFF21 + 'A'
		}
		return letter
	}, name)))
}

// double is a symbol of the scope that looks like x and has another name; nil if there is none.
func (s *symbols) double(x *symbol) *symbol {
	look := looks(x.name)
	for ; s != nil; s = s.parent {
		if other := s.byLook[look]; other != nil && other.name != x.name {
			return other
		}
	}
	return nil
}
