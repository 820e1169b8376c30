package page

import (
	"fmt"
	"io"

	"github.com/gradine/gradine/explore"
)

var coveragePage = newPage("coverage.html")

// WriteCoverage writes what a search exercised.
func WriteCoverage(w io.Writer, o Origin, r *explore.Result) error {
	h := head{Title: o.Title, Facts: o.facts(), Verdict: "none"}
	h.Sentence = string(r.Verdict)
	if r.Why != "" {
		h.Sentence += " by " + r.Why
	}
	h.Sentence += fmt.Sprintf(": %d states, %d transitions, depth %d.", r.States, r.Transitions, r.Depth)
	switch r.Verdict {
	case explore.Complete:
		h.Verdict = "proved"
	case explore.Bounded:
		h.Verdict = "open"
	default:
		h.Verdict = "refuted"
	}
	return write(w, coveragePage, struct {
		Head head
		*explore.Coverage
	}{h, r.Coverage})
}
