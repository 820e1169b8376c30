package lang

import (
	"strings"

	"github.com/gradine/gradine/lang/internal/scan"
)

// level is the part of a file that a name stands in. Each has its own keywords.
type level uint8

const (
	inContext level = 1 << iota
	inMachine
	inEvent
)

// keywords lists the words that end a formula or a list of names, with the
// levels where they do. Elsewhere they are names. Status is none of them: it is
// a keyword where ordinary, convergent or anticipated follows.
var keywords = map[string]level{
	"extends": inContext | inEvent, "sets": inContext, "constants": inContext, "axioms": inContext,
	"theorems": inContext | inMachine, "theorem": inContext | inMachine | inEvent,
	"refines": inMachine | inEvent, "sees": inMachine, "variables": inMachine, "vars": inMachine,
	"invariants": inMachine, "invariant": inMachine, "invs": inMachine, "variant": inMachine,
	"events": inMachine, "event": inMachine | inEvent,
	"ordinary": inMachine, "convergent": inMachine, "anticipated": inMachine,
	"any": inEvent, "where": inEvent, "when": inEvent, "with": inEvent,
	"witness": inEvent, "then": inEvent, "begin": inEvent,
	"end": inContext | inMachine | inEvent,
}

func isKeyword(word string, at level) bool { return keywords[strings.ToLower(word)]&at != 0 }

// quoteName is name as it must be written at a level.
func quoteName(name string, at level) string {
	if isPlain(name) && !isKeyword(name, at) {
		return name
	}
	primed := strings.HasSuffix(name, "'") && name != "'"
	if primed {
		name = strings.TrimSuffix(name, "'")
	}
	name = quote(name)
	if primed {
		name += "'"
	}
	return name
}

// quoteListed is name as it must be written in a list, where the next name may
// make a clause of status.
func quoteListed(name string, at level) string {
	if strings.EqualFold(name, "status") {
		return quote(name)
	}
	return quoteName(name, at)
}

func quote(text string) string { return "`" + strings.ReplaceAll(text, "`", "``") + "`" }

// isPlain reports whether word reads as one identifier of the text dialect.
func isPlain(word string) bool {
	if word == "" || word[0] == '`' {
		return false
	}
	tokens := scan.All(word, scan.Text)
	return len(tokens) == 2 && tokens[0].Kind == scan.Name && tokens[0].From == 0 && tokens[0].To == len(word)
}

// quoteRef is the name of a component or event as it must be written: parts
// joined by hyphens need no quotes.
func quoteRef(name string, at level) string {
	for i, part := range strings.Split(name, "-") {
		plain := isPlain(part) && !strings.HasSuffix(part, "'")
		if i > 0 && !plain {
			plain = part != "" && strings.Trim(part, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") == "" && part[0] <= '9'
		}
		if !plain || keywords[strings.ToLower(part)] != 0 || isHeading(part) {
			return quoteListed(name, at)
		}
	}
	return name
}

// isHeading reports whether word may follow a name and begin what comes next.
func isHeading(word string) bool {
	return strings.EqualFold(word, "machine") || strings.EqualFold(word, "context") || strings.EqualFold(word, "status")
}

// quoteLabel is a label with its @.
func quoteLabel(label string) string {
	odd := func(r rune) bool { return scan.IsBlank(r) || strings.ContainsRune("`:@", r) || r < ' ' }
	if label == "" || strings.ContainsFunc(label, odd) {
		return "@" + quote(label)
	}
	return "@" + label
}
