// Package unmerged finds Git's conflict markers in a text, and keeps our side of each conflict.
package unmerged

import "strings"

// Ours is a text with our side alone of each conflict that a merge left in it, and the
// place of the first; -1 if there is none. Blanks stand for the markers and for what is
// not ours, so that all else keeps its place.
func Ours(text string) (string, int) {
	const size = len("<<<<<<<")
	if !strings.Contains(text, "<<<<<<<") || !strings.Contains(text, ">>>>>>>") {
		return text, -1
	}
	first, at := -1, 0
	var out strings.Builder
	side := byte('>') // of the last marker: < begins ours, | the base, = theirs, > ends a conflict
	for line := range strings.Lines(text) {
		next := side
		if rest := strings.TrimRight(line, "\r\n"); len(rest) >= size && strings.Count(rest[:size], rest[:1]) == size && (len(rest) == size || rest[size] == ' ') {
			switch sign := rest[0]; {
			case sign == '<' && side == '>', sign == '|' && side == '<', sign == '=' && (side == '<' || side == '|'), sign == '>' && side == '=':
				next = sign
			}
		}
		if next == '<' && side != '<' && first < 0 {
			first = at
		}
		if next != side || side == '|' || side == '=' {
			end := strings.TrimRight(line, "\r\n")
			out.WriteString(strings.Repeat(" ", len(end)) + line[len(end):])
		} else {
			out.WriteString(line)
		}
		side = next
		at += len(line)
	}
	if side != '>' {
		return text, -1 // no conflict as Git writes them
	}
	return out.String(), first
}
