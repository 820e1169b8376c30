// Package projectfiles analyses a position in gradine.toml or in a .hints file: its
// table, its key and the word before it. The text may be incomplete.
package projectfiles

import (
	"slices"
	"strings"
)

// Place is a place in a gradine.toml.
type Place struct {
	Table  []string // the names of the table that it stands in
	Header bool     // in the header of a table
	Key    string   // whose value it stands in; "" at a key
	Quoted bool     // inside quotes
	From   int      // where the word before the place begins
}

// InConfig tells what a byte of a gradine.toml stands in.
func InConfig(text string, at int) Place {
	var place Place
	lines := slices.Collect(strings.Lines(text[:at]))
	if len(lines) == 0 || strings.HasSuffix(lines[len(lines)-1], "\n") {
		lines = append(lines, "") // the place is the first of its line
	}
	last := len(lines) - 1
	for _, line := range lines[:last] {
		if header, ok := headerOf(line); ok {
			place.Table, place.Key = header, ""
		} else if key, value, ok := assigned(line); ok {
			place.Key = key
			if strings.Count(value, "[") <= strings.Count(value, "]") {
				place.Key = ""
			}
		} else if place.Key != "" && strings.Contains(line, "]") {
			place.Key = "" // the list ends that began further up
		}
	}
	line := lines[last]
	switch trimmed := strings.TrimSpace(line); {
	case place.Key == "" && strings.HasPrefix(trimmed, "["):
		place.Header = true
	default:
		if key, _, ok := assigned(line); ok {
			place.Key = key
		}
	}
	place.Quoted = strings.Count(line, `"`)%2 == 1
	word := line[strings.LastIndexAny(line, "\"[]={}, \t")+1:]
	place.From = at - len(word)
	return place
}

// headerOf are the names of the table that a line begins.
func headerOf(line string) ([]string, bool) {
	trimmed := strings.TrimSpace(line)
	if !strings.HasPrefix(trimmed, "[") || !strings.HasSuffix(trimmed, "]") || strings.Contains(trimmed, "=") {
		return nil, false
	}
	names := strings.Split(strings.Trim(trimmed, "[]"), ".")
	for i, name := range names {
		names[i] = strings.Trim(strings.TrimSpace(name), `"'`)
	}
	return names, true
}

// assigned are the key and the value of a line.
func assigned(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, "=")
	return strings.Trim(strings.TrimSpace(key), `"'`), value, ok
}

// Hint is a place in a file of hints.
type Hint struct {
	Word string // that its line begins with; "" for the place of that word
	Text string // of the word before the place
	From int    // where that begins
}

// InHints tells what a byte of a file of hints stands in.
func InHints(text string, at int) Hint {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	word := line[strings.LastIndexAny(line, " \t,(){}=∈≔")+1:]
	// The separators above may be longer than a byte, of which the last ends at the index.
	for len(word) > 0 && word[0]&0xC0 == 0x80 {
		word = word[1:]
	}
	out := Hint{Text: word, From: at - len(word)}
	if before := strings.Fields(line[:len(line)-len(word)]); len(before) > 0 {
		out.Word = before[0]
	}
	return out
}
