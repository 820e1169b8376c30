package preproc

import (
	"bytes"
	"regexp"
	"strings"
)

// Macros are those of a text, by name, with all that each is ever replaced by.
type Macros map[string]string

// defining is a definition, whose lines may be carried on anywhere.
var defining = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]|\\\r?\n)*define(?:[ \t]|\\\r?\n)+(\w+)((?:[^\\\n]|\\\r?\n|\\)*)`)

// MacrosIn are the macros of code, and those that are also defined.
func MacrosIn(code []byte, defines []string) Macros {
	out := Macros{}
	for _, m := range defining.FindAllSubmatch(code, -1) {
		out[string(m[1])] += string(m[2]) + "\n"
	}
	for _, d := range defines {
		name, value, _ := strings.Cut(d, "=")
		out[FirstWord.FindString(name)] += name + " " + value + "\n"
	}
	return out
}

// Expanded is text with all behind it that the macros in it may be replaced by, each once, and whether they put words
// together.
func (m Macros) Expanded(text []byte) (with []byte, pasted bool) {
	with = bytes.Clone(text)
	seen := map[string]bool{}
	for from := 0; from < len(with); {
		end := len(with)
		for _, w := range Identifier.FindAllString(string(with[from:end]), -1) {
			if value, ok := m[w]; ok && !seen[w] {
				seen[w] = true
				pasted = pasted || strings.Contains(value, "##")
				with = append(append(with, '\n'), value...)
			}
		}
		from = end
	}
	return with, pasted
}

// Balanced reports whether each macro closes the brackets that it opens, and no others: if not, declarations begin and
// end elsewhere than they seem to.
func (m Macros) Balanced() bool {
	for _, value := range m {
		depth := 0
		for _, c := range value {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if depth < 0 {
				return false
			}
		}
		if depth != 0 {
			return false
		}
	}
	return true
}

// redefined is a definition, or one that is taken away.
var redefined = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]|\\\r?\n)*(?:define|undef)(?:[ \t]|\\\r?\n)+(\w+)`)
