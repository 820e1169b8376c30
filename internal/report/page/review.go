package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/review"
)

var reviewPage = newPage("review.html")

// WriteReviews writes the reviews of projects as one page. again is the command that
// makes them.
func WriteReviews(w io.Writer, o Origin, again string, reviews []*review.Review) error {
	v := reviewView{Again: again, Head: head{Title: o.Title, Facts: o.facts(), Verdict: "proved"}}
	changed := 0
	for i, r := range reviews {
		if report.Unchanged(r) {
			v.Quiet = append(v.Quiet, r.Project)
			continue
		}
		x := reviewProject{ID: fmt.Sprintf("r%d", i), Title: report.ReviewTitle(r), Summary: report.ReviewSummary(r), Debt: report.Debt(r), Sections: report.ReviewSections(r)}
		for _, s := range x.Sections {
			for _, item := range s.Items {
				// The verdict at the top is the gravest of all findings.
				if item.Verdict != "" && grave[item.Verdict] > grave[v.Head.Verdict] {
					v.Head.Verdict = item.Verdict
				}
			}
		}
		v.Projects = append(v.Projects, x)
		v.Head.Nav = append(v.Head.Nav, link{x.ID, r.Project})
		changed++
	}
	parts := losses(reviews)
	// Not every grave finding is a loss, so that the sentence has a case for findings alone.
	switch v.Head.Sentence = fmt.Sprintf("%s changed", report.Count(changed, "project")); {
	case changed == 0:
		v.Head.Sentence = "No change."
	case v.Head.Verdict == "proved":
		v.Head.Sentence += ": no proof was lost and no claim was weakened."
	case len(parts) == 0:
		v.Head.Sentence += ": read the findings below."
	default:
		v.Head.Sentence += ": " + strings.Join(parts, ", ") + "."
	}
	switch v.Head.Verdict {
	case "refuted":
		v.Head.Next = []string{"correct the findings marked ✗ below (docs/review-a-pull-request.md lists remedies)"}
	case "open":
		v.Head.Next = []string{"agree to each finding marked ? below, or ask the author for a change (docs/review-a-pull-request.md)"}
	}
	return write(w, reviewPage, v)
}

// losses counts what may keep a change from being merged, the gravest first.
func losses(reviews []*review.Review) (parts []string) {
	var lost, refuted, errors, contradictions, scenarios, claims, open int
	for _, r := range reviews {
		errors += r.Errors(review.OnlyNow)
		for _, o := range r.Obligations {
			switch {
			// Expected verdicts and old debts do not keep this change from being merged.
			case o.Expected != nil || o.Fate == review.Same:
			case o.Fate == review.Lost:
				lost++
			case o.Is.Verdict == verdict.Refuted:
				refuted++
			case o.Is.Verdict == verdict.Open:
				open++
			}
		}
		for _, c := range r.Contradictions {
			if c.What == review.OnlyNow && !r.Intended(c) {
				contradictions++
			}
		}
		for _, s := range r.Scenarios {
			if s.Lost {
				scenarios++
			}
		}
		for _, c := range r.Claims {
			if c.Waiver == nil {
				claims++
			}
		}
	}
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, what)
		}
	}
	add(lost, report.Count(lost, "proof")+" lost")
	add(contradictions, report.Count(contradictions, "new contradiction"))
	add(refuted, fmt.Sprintf("%d refuted", refuted))
	add(errors, report.Count(errors, "new error"))
	add(scenarios, report.Count(scenarios, "scenario")+" lost")
	add(claims, report.Count(claims, "claim")+" to agree to")
	add(open, fmt.Sprintf("%d open", open))
	return parts
}

type reviewView struct {
	Head     head
	Again    string
	Quiet    []string
	Projects []reviewProject
}

type reviewProject struct {
	ID, Title, Summary, Debt string
	Sections                 []report.ReviewSection
}
