package report

import (
	"fmt"
	"io"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/review"
)

type jsonTried struct {
	jsonFate
	Counterexample *verdict.Violation `json:"counterexample,omitempty"`
}

type jsonCost struct {
	Project  string `json:"project"`
	Touched  int    `json:"touched"`
	Kept     int    `json:"kept"`
	Cost     int64  `json:"cost"`
	CostWas  int64  `json:"cost_before"`
	Complete bool   `json:"complete"`
}

// Tried writes what a trial differs in: problems, obligations, and the cost of proofs.
func Tried(w io.Writer, style Style, format string, reviews []*review.Review) error {
	if format == "jsonl" {
		return triedJSON(w, reviews)
	}
	for _, r := range reviews {
		// Errors from before stand for obligations that could not be generated, so they are counted even when nothing
		// differs.
		differs, left := false, 0
		for _, p := range r.Problems {
			switch {
			case p.What != review.Both:
				differs = true
				fmt.Fprintf(w, "%s %s %s: %s [%s]\n", p.What, p.Severity, p.Span, p.Message, p.Code)
			case p.Severity == diag.Error && !p.Follows:
				left++
			}
		}
		if left > 0 {
			fmt.Fprintf(w, "%s: %s as before; affected obligations were not checked; run `gradine check`\n", r.Project, Count(left, "error"))
		}
		for _, s := range beware(r) {
			differs = true
			fmt.Fprintln(w, style.Red(s))
		}
		touched, kept := 0, 0
		for _, o := range r.Obligations {
			switch o.Fate {
			case review.Same:
				continue
			case review.Kept:
				touched, kept = touched+1, kept+1
				continue
			case review.Vanished:
				fmt.Fprintf(w, "%s %s\n", style.Yellow(string(o.Fate)), pathOf(o.Old))
			default:
				touched++
				groupLines(w, style, group{fate: o.Fate, list: []*review.ObligationChange{o}})
			}
			differs = true
		}
		if !differs && touched == 0 {
			continue
		}
		was, is := r.Cost()
		fmt.Fprintf(w, "%s: %s affected, %s kept; proof cost %d steps, previously %d\n", r.Project, Count(touched, "obligation"), Count(kept, "proof"), is, was)
	}
	return nil
}

// triedJSON writes what a trial changes as JSON lines, and at last what the proofs cost.
func triedJSON(w io.Writer, reviews []*review.Review) error {
	out := NewLines(w)
	for _, r := range reviews {
		cost := jsonCost{Project: r.Project, Complete: !r.Interrupted}
		for _, p := range r.Problems {
			if p.What != review.Both || p.Severity == diag.Error {
				out.Put(jsonReviewProblem{r.Project, p.What, p.Severity.String(), p.Code, p.Element, p.Span.File, p.Span.Line, p.Message})
			}
		}
		for _, x := range unmet(r) {
			out.Put(jsonUnmet{r.Project, x.What, x.Text})
		}
		for _, c := range r.Contradictions {
			out.Put(contradictionOf(r, c))
		}
		for _, o := range r.Obligations {
			switch o.Fate {
			// Obligations that are as before are left out, and proofs that were kept are only counted.
			case review.Same:
				continue
			case review.Kept:
				cost.Touched++
				cost.Kept++
				continue
			case review.Vanished:
			default:
				cost.Touched++
			}
			line := jsonTried{jsonFate: fateOf(r, o)}
			if o.New != nil && o.Is.Verdict == verdict.Refuted {
				line.Counterexample = explain.Lift(verdict.Result{Obligation: o.New, Outcome: o.Outcome})
			}
			out.Put(line)
		}
		if cost.CostWas, cost.Cost = r.Cost(); cost.Touched > 0 {
			out.Put(cost)
		}
	}
	return out.Err
}
