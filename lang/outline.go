package lang

import (
	"strings"

	"github.com/gradine/gradine/lang/internal/scan"
)

// Outline lists what the components of a text file may be called, and what they may build on,
// without parsing it: the names behind the words that such lists begin with. It has all names but those
// with hyphens and those after a component that is called like such a word, and it has
// others next to them, because the words are names elsewhere.
func Outline(src string) (defined, mentioned []string) {
	var list *[]string
	for at := 0; at < len(src); {
		if char, n := scan.Decode(src, at); scan.IsBlank(char) {
			at += n
			continue
		}
		if to := labelEnd(src, at); to > at {
			list, at = nil, to
			continue
		}
		tok := scan.Next(src, at, scan.Text)
		at = tok.To
		switch text := src[tok.From:tok.To]; {
		case tok.Kind == scan.Comment:
		case tok.Kind != scan.Name:
			list = nil
		case strings.EqualFold(text, "context"), strings.EqualFold(text, "machine"):
			list = &defined
		case strings.EqualFold(text, "extends"), strings.EqualFold(text, "refines"), strings.EqualFold(text, "sees"):
			list = &mentioned
		case list == &defined:
			defined, list = append(defined, scan.Unquote(text)), nil
		case list != nil:
			mentioned = append(mentioned, scan.Unquote(text))
		}
	}
	return defined, mentioned
}
