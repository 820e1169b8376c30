package report

import (
	"strings"

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

// Rank is how grave a finding is: where not all have room, the least comes first.
type Rank int

// The ranks.
const (
	RankGrave Rank = iota // a proof is lost, something is refuted or contradicts itself
	RankError
	RankClaim
	RankOther  // another obligation
	RankDetail // more about a grave finding
	RankChange
	RankRest
	ranks
)

// ReviewItem is one finding: a word for it, where it is, what it is.
type ReviewItem struct {
	Verdict string // the class of a verdict that it is shown as, "" for none
	Rank    Rank
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
	// The order is that of what may keep a change from being merged.
	agreed, others := waiverTexts(r)
	var waivers []ReviewItem
	for _, s := range agreed {
		waivers = append(waivers, ReviewItem{Verdict: "open", Rank: RankGrave, Text: s})
	}
	for _, s := range others {
		waivers = append(waivers, ReviewItem{Rank: RankRest, Text: s})
	}
	add("Waivers", waivers)
	var searches []ReviewItem
	for _, s := range brief(r) {
		searches = append(searches, ReviewItem{Verdict: "open", Rank: RankGrave, Plain: s})
	}
	add("Brief searches", searches)
	var wrong []ReviewItem
	for _, s := range against(r) {
		x := ReviewItem{Verdict: "refuted", Rank: RankGrave, Text: s}
		if strings.HasPrefix(s, asBefore) || strings.HasPrefix(s, repaired) {
			x.Rank = RankRest
		}
		wrong = append(wrong, x)
	}
	add("Contradictions and expectations", wrong)
	grave, rest := obligationItems(r)
	add("Lost or refuted proofs", grave)
	add("Errors and warnings", problemItems(r))
	var claims []ReviewItem
	for _, c := range r.Claims {
		// A claim that is gone need not be wrong, but somebody has to agree to it.
		claims = append(claims, ReviewItem{Verdict: "open", Rank: RankClaim, Word: string(c.Loss), Text: claimText(c)})
	}
	add("Claims", claims)
	var scenarios []ReviewItem
	for _, x := range r.Scenarios {
		item := ReviewItem{Verdict: "open", Rank: RankOther, Place: x.Span.String(), Text: x.Text()}
		switch {
		case x.Lost:
			item.Verdict, item.Rank = "refuted", RankGrave
		case x.Passes():
			item.Verdict = "proved"
		}
		scenarios = append(scenarios, item)
	}
	add("Scenarios", scenarios)
	var touched []ReviewItem
	for _, x := range r.Requirements {
		touched = append(touched, ReviewItem{Verdict: "open", Rank: RankOther, Text: requirementText(x)})
	}
	add("Requirements", touched)
	add("Obligations", rest)
	if lines := changeDiff(r); len(lines) > 0 {
		out = append(out, ReviewSection{Title: "Changes", Diff: lines})
	}
	var affected []ReviewItem
	for _, a := range r.Affected {
		affected = append(affected, ReviewItem{Rank: RankRest, Plain: affectedText(a)})
	}
	add("Affected components", affected)
	return out
}

// problemItems are the errors and warnings that are new, without those that follow from others.
func problemItems(r *review.Review) (out []ReviewItem) {
	problems, more := newsOfProblems(r)
	for _, p := range problems {
		x := ReviewItem{Place: p.Span.String(), Rank: RankRest, Text: problemText(p)}
		if p.Severity == diag.Error {
			x.Verdict, x.Rank = "refuted", RankError
		}
		out = append(out, x)
	}
	gone, left := goneProblems(r)
	for _, s := range []string{followText("problem", more), problemsAsBefore(r)} {
		if s != "" {
			out = append(out, ReviewItem{Rank: RankRest, Plain: s})
		}
	}
	for _, p := range gone {
		out = append(out, ReviewItem{Place: p.Span.String(), Rank: RankRest, Text: problemText(p)})
	}
	if s := followText("gone error", left); s != "" {
		out = append(out, ReviewItem{Rank: RankRest, Plain: s})
	}
	return out
}

// obligationItems are the obligations that a reader wants to see, with their causes: first those
// that are lost or refuted.
func obligationItems(r *review.Review) (grave, out []ReviewItem) {
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
		if x.Verdict == "refuted" {
			x.Rank = RankGrave
			grave = append(grave, x)
		} else {
			x.Rank = RankOther
			out = append(out, x)
		}
	}
	if gone := goneText(r); gone != "" {
		out = append(out, ReviewItem{Word: "gone", Rank: RankRest, Text: gone})
	}
	return grave, out
}
