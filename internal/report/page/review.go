package page

import (
	"fmt"
	"io"

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
				if item.Verdict != "" && grave[item.Verdict] > grave[v.Head.Verdict] {
					v.Head.Verdict = item.Verdict
				}
			}
		}
		v.Projects = append(v.Projects, x)
		v.Head.Nav = append(v.Head.Nav, link{x.ID, r.Project})
		changed++
	}
	switch v.Head.Sentence = fmt.Sprintf("%s changed.", report.Count(changed, "project")); {
	case changed == 0:
		v.Head.Sentence = "No change."
	case v.Head.Verdict == "refuted":
		v.Head.Sentence += " Proofs were lost, obligations are refuted, or models have errors."
	case v.Head.Verdict == "open":
		v.Head.Sentence += " Obligations are open or claims were weakened."
	default:
		v.Head.Sentence += " No proof was lost and no claim was weakened."
	}
	return write(w, reviewPage, v)
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
