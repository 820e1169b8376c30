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

// WriteCoverage writes the findings and the coverage of a search of machine m on an instance.
func WriteCoverage(w io.Writer, o Origin, m *model.Machine, in *explore.Instance, r *explore.Result) error {
	h := head{Title: o.Title, Facts: o.facts(), Verdict: "none"}
	h.Sentence = string(r.Verdict)
	if r.Why != "" {
		h.Sentence += " by " + r.Why
	}
	counts := fmt.Sprintf("%s, %s, depth %d.", report.Count(r.States, "state"), report.Count(r.Transitions, "transition"), r.Depth)
	if len(r.Findings) > 0 {
		h.Sentence += ": " + report.FindingText(r.Findings[0])
		if more := len(r.Findings) - 1; more > 0 {
			h.Sentence += fmt.Sprintf(", and %s more", report.Count(more, "finding"))
		}
	}
	h.Sentence = strings.ToUpper(h.Sentence[:1]) + h.Sentence[1:] + ". " + counts
	switch r.Verdict {
	case explore.Complete:
		h.Verdict = "proved"
	case explore.Bounded:
		h.Verdict = "open"
		h.Next = []string{"raise the limit that stopped the search, or explore a smaller instance (docs/large-machines.md)"}
	default:
		h.Verdict = "refuted"
		h.Next = []string{fmt.Sprintf("correct the model; gradine explore %s --itf run.itf and gradine animate %s --run run.itf show the run", r.Machine, r.Machine)}
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
