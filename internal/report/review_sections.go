package report

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/review"
)

// ReviewSection is a part of a review as comments and pages show it.
type ReviewSection struct {
	Title string
	Items []ReviewItem
	Diff  []string // lines of a diff, with their sign; instead of items
}

// ReviewItem is one finding: a word for it, where it is, what it is.
type ReviewItem struct {
	Verdict string // how grave it is: the class of a verdict, "" for none
	Word    string
	Place   string
	Text    string // as code
	Plain   string // or as words
	Lines   []ReviewLine
}

// ReviewLine is something more about a finding.
type ReviewLine struct {
	Because bool // it is the cause
	Text    string
}

func (l ReviewLine) lead() string {
	if l.Because {
		return "because of "
	}
	return ""
}

// ReviewTitle names the project of a review.
func ReviewTitle(r *review.Review) string {
	if r.Was != "" {
		return r.Project + " (was " + r.Was + ")"
	}
	return r.Project
}

// Unchanged reports whether a review found nothing.
func Unchanged(r *review.Review) bool { return unchanged(r) }

// Debt says what is unproved or assumed, before and now.
func Debt(r *review.Review) string { return debtText(r) }

// ReviewSections are the parts of a review, what may keep a change from being merged
// first: a comment of a code host is cut off at its end.
func ReviewSections(r *review.Review) []ReviewSection {
	var out []ReviewSection
	add := func(title string, items []ReviewItem) {
		if len(items) > 0 {
			out = append(out, ReviewSection{Title: title, Items: items})
		}
	}
	var problems []ReviewItem
	for _, p := range newsOfProblems(r) {
		x := ReviewItem{Place: p.Span.String(), Text: problemText(p)}
		if p.Severity == diag.Error && p.What == review.OnlyNow {
			x.Verdict = "refuted"
		}
		problems = append(problems, x)
	}
	if s := problemsAsBefore(r); s != "" {
		problems = append(problems, ReviewItem{Plain: s})
	}
	// The order is that of what may keep a change from being merged.
	add("Problems", problems)
	var against []ReviewItem
	for _, s := range beware(r) {
		against = append(against, ReviewItem{Verdict: "refuted", Text: s})
	}
	add("Beware", against)
	var claims []ReviewItem
	for _, c := range r.Claims {
		// A claim that is gone need not be wrong, but somebody has to agree to it.
		claims = append(claims, ReviewItem{Verdict: "open", Word: string(c.Loss), Text: c.Text})
	}
	add("Claims", claims)
	add("Obligations", obligationItems(r))
	if lines := changeDiff(r); len(lines) > 0 {
		out = append(out, ReviewSection{Title: "Changes", Diff: lines})
	}
	var reached []ReviewItem
	for _, a := range r.Affected {
		reached = append(reached, ReviewItem{Plain: affectedText(a)})
	}
	add("Reached", reached)
	return out
}

// obligationItems are the obligations that a reader wants to see, with their causes.
func obligationItems(r *review.Review) []ReviewItem {
	var out []ReviewItem
	for _, g := range groups(r) {
		o := g.list[0]
		// One stands for its group: what has one cause is one finding, however often it is repeated.
		x := ReviewItem{Word: string(g.fate), Text: obligationText(o)}
		switch {
		case g.level() == "error":
			x.Verdict = "refuted"
		case g.level() == "warning":
			x.Verdict = "open"
		case o.Is.Verdict == verdict.Proved:
			x.Verdict = "proved"
		}
		if g.cause != nil {
			x.Lines = append(x.Lines, ReviewLine{true, string(g.cause.What) + " " + changeText(g.cause)})
		}
		for _, line := range details(o) {
			x.Lines = append(x.Lines, ReviewLine{Text: line})
		}
		if s := g.rest(); s != "" {
			x.Lines = append(x.Lines, ReviewLine{Text: s})
		}
		out = append(out, x)
	}
	if gone := goneText(r); gone != "" {
		out = append(out, ReviewItem{Word: "gone", Text: gone})
	}
	return out
}
