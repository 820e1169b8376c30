package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/explore/follow"
)

// Explained says what was found of a log, which has the lines so far.
func Explained(w io.Writer, style Style, machine string, x *follow.Explanation) {
	switch x.Verdict {
	case follow.Passed:
		fmt.Fprintf(w, "%s: %s\n", machine, style.Green("the machine explains the log"))
	case follow.Failed:
		fmt.Fprintf(w, "%s: %s\n", machine, style.Red(atLine(x)))
	default:
		fmt.Fprintf(w, "%s: %s\n", machine, style.Yellow(string(x.Verdict)+": "+atLine(x)))
	}
	fmt.Fprintf(w, "  %s explained, %d of them with constraints; %s visited\n", Count(x.Lines, "line"), x.Claims, Count(x.Visited, "state"))
	for _, s := range x.States {
		var values []string
		for _, b := range s.State {
			values = append(values, b.Name+"="+Shorten(b.Value))
		}
		fmt.Fprintf(w, "  possible: %s\n    %s\n", strings.Join(values, "  "), s.Why)
	}
	if x.Line > 0 && len(x.States) > 0 {
		fmt.Fprintf(w, "  enabled there: %s\n", strings.Join(append(x.Enabled, map[bool][]string{true: {"nothing"}}[len(x.Enabled) == 0]...), ", "))
	}
}

func atLine(x *follow.Explanation) string {
	if x.Line > 0 {
		return fmt.Sprintf("%s: line %d", x.Why, x.Line)
	}
	return x.Why
}
