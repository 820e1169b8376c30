package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/review"
)

// maxAnnotations is how many annotations of one level a step shows on GitHub.
const maxAnnotations = 10

// annotations writes annotations, as many of each level as a step shows.
type annotations struct {
	w     io.Writer
	shown map[string]int
}

func (a *annotations) put(level string, at diag.Span, title, text string) {
	if a.shown[level]++; a.shown[level] > maxAnnotations {
		return
	}
	place := " title=" + propertyText(title)
	if at.File != "" {
		place = fmt.Sprintf(" file=%s,line=%d,title=%s", propertyText(at.File), max(1, at.Line), propertyText(title))
	}
	fmt.Fprintf(a.w, "::%s%s::%s\n", level, place, messageText(text))
}

// reviewsGitHub writes annotations. The summaries come first, for only so many
// notices are shown; a finding stands at the line that changed, which the page of
// the change shows, and names the obligation.
func reviewsGitHub(out io.Writer, x Review) error {
	a := &annotations{out, map[string]int{}}
	var total []string
	for _, r := range x.Projects {
		if !unchanged(r) {
			total = append(total, r.Project+": "+ReviewSummary(r))
		}
	}
	if len(total) == 0 {
		total = []string{"no change"}
	}
	a.put("notice", diag.Span{}, "review", strings.Join(total, "\n"))
	for _, r := range x.Projects {
		reviewGitHub(a, r)
	}
	return nil
}

// reviewGitHub writes a review as annotations of GitHub, each at its place in the sources.
func reviewGitHub(a *annotations, r *review.Review) {
	added, _ := waiverTexts(r)
	for _, s := range added {
		a.put("error", diag.Span{File: review.ConfigurationName}, "waiver", s)
	}
	for _, s := range brief(r) {
		a.put("warning", diag.Span{}, "brief search", r.Project+": "+s)
	}
	for _, x := range unmet(r) {
		a.put("error", x.at, x.What, x.Text)
	}
	for i, s := range contradictions(r) {
		if c := r.Contradictions[i]; c.What == review.OnlyNow {
			a.put("error", placeOf(c.Contradiction), "contradiction", s)
		}
	}
	for _, x := range r.Scenarios {
		a.put(scenarioLevel(x), x.Span, "scenario", x.Text())
	}
	// What is lost comes before errors, of which there may be more than a step shows.
	list := groups(r)
	slices.SortStableFunc(list, func(g, h group) int { return cmp.Compare(btoi(g.level() != "error"), btoi(h.level() != "error")) })
	other := slices.IndexFunc(list, func(g group) bool { return g.level() != "error" })
	if other < 0 {
		other = len(list)
	}
	annotateGroups(a, list[:other])
	problems, more := newsOfProblems(r)
	for _, p := range problems {
		level := "warning"
		if p.Severity == diag.Error {
			level = "error"
		}
		a.put(level, p.Span, "problem", problemText(p))
	}
	if more > 0 {
		a.put("notice", diag.Span{}, "problem", r.Project+": "+followText("problem", more))
	}
	for _, c := range r.Claims {
		a.put("warning", c.Element.Place(), string(c.Loss), claimText(c))
	}
	for _, x := range r.Requirements {
		if x.What == review.RequirementLost {
			a.put("warning", x.Span, "requirement", requirementText(x))
		}
	}
	annotateGroups(a, list[other:])
	for _, change := range r.Changes {
		if change.Effect != "" && change.New != nil {
			a.put("notice", change.New.Place(), string(change.What), changeText(change)+" ("+string(change.Effect)+")")
		}
	}
}

// scenarioLevel is how grave another outcome of a scenario is.
func scenarioLevel(x review.ScenarioChange) string {
	switch {
	case x.Lost:
		return "error"
	case x.Passes():
		return "notice"
	}
	return "warning"
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// annotateGroups writes what became of obligations.
func annotateGroups(a *annotations, list []group) {
	for _, g := range list {
		obligation := g.list[0]
		text := obligationText(obligation)
		at := diag.Span{}
		if len(obligation.Obligation().Sources) > 0 {
			at = obligation.Obligation().Sources[0].Span()
		}
		// The annotation stands at the line that was changed, not at the obligation's own:
		// that is where the reviewer looks, and all that the host shows.
		if g.cause != nil && g.cause.New != nil {
			text += "\nbecause of " + string(g.cause.What) + " " + changeText(g.cause)
			at = g.cause.New.Place()
		}
		for _, line := range details(obligation) {
			text += "\n" + line
		}
		if s := g.rest(); s != "" {
			text += "\n" + s
		}
		a.put(g.level(), at, string(g.fate), text)
	}
}

// messageText escapes the message of an annotation.
func messageText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// propertyText escapes a property of an annotation.
func propertyText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
