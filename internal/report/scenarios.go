package report

import (
	"fmt"
	"io"

	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/lang/scenario"
)

// Scenario says what became of a scenario on the machine on, which is its own or refines that.
func Scenario(w io.Writer, style Style, s *scenario.Scenario, on string, x *follow.Outcome) {
	name := fmt.Sprintf("scenario %s of %s", s.Name.Text, s.Machine.Text)
	if on != s.Machine.Text {
		name += ", on " + on
	}
	at := s.Span
	line := ""
	if x.Line >= 0 && x.Line < len(s.Lines) {
		at, line = s.Lines[x.Line].Span, s.Lines[x.Line].What()+": "
	}
	where := fmt.Sprintf("%s:%d", at.File, at.Line)
	switch x.Verdict {
	case follow.Passed:
		fmt.Fprintf(w, "%s: %s\n", name, style.Green("passed"))
		return
	case follow.Failed:
		fmt.Fprintf(w, "%s: %s at %s\n    %s%s\n", name, style.Red("failed"), where, line, x.Why)
	default:
		fmt.Fprintf(w, "%s: %s at %s\n    %s%s\n", name, style.Yellow(string(x.Verdict)), where, line, x.Why)
	}
	if x.Trace != nil {
		Steps(w, x.Trace.Steps, 0)
	}
}
