package page

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/model"
)

var coveragePage = newPage("coverage.html")

// WriteCoverage writes what a search of machine m under a set-up found, and what it exercised.
func WriteCoverage(w io.Writer, o Origin, m *model.Machine, in *explore.Instance, r *explore.Result) error {
	h := head{Title: o.Title, Facts: o.facts(), Verdict: "none"}
	h.Sentence = string(r.Verdict)
	if r.Why != "" {
		h.Sentence += " by " + r.Why
	}
	h.Sentence += fmt.Sprintf(": %s, %s, depth %d.", report.Count(r.States, "state"), report.Count(r.Transitions, "transition"), r.Depth)
	switch r.Verdict {
	case explore.Complete:
		h.Verdict = "proved"
	case explore.Bounded:
		h.Verdict = "open"
	default:
		h.Verdict = "refuted"
	}
	var found strings.Builder
	without := *r
	without.Coverage = nil // it is shown as tables
	report.Exploration(&found, report.Style{}, m, in, &without)
	return write(w, coveragePage, struct {
		Head  head
		Found string
		*explore.Coverage
		NeverFalse bool // of some event
	}{h, found.String(), r.Coverage, slices.ContainsFunc(r.Coverage.Events, func(e explore.EventCoverage) bool { return len(e.NeverFalse) > 0 })})
}
