package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
)

// fates lists the fates in the order of reports.
var fates = []review.Fate{
	review.Lost, review.BecameVacuous, review.NoLongerVacuous, review.Unproved, review.Untried, review.Unclear, review.Appeared, review.NewlyProved, review.Reproved, review.Kept, review.Same, review.Vanished,
}

// ReviewSummary is the review in one line.
func ReviewSummary(r *review.Review) string {
	if unchanged(r) {
		return "no change"
	}
	byFate := map[review.Fate][]*review.ObligationChange{}
	for _, obligation := range r.Obligations {
		byFate[obligation.Fate] = append(byFate[obligation.Fate], obligation)
	}
	var parts []string
	for _, f := range fates {
		if list := byFate[f]; len(list) > 0 {
			part := fmt.Sprintf("%d %s", len(list), f)
			if f == review.Appeared {
				part += verdictCounts(list)
			}
			parts = append(parts, part)
		}
	}
	s := Count(len(r.Changes), "change")
	if len(parts) > 0 {
		s += "; obligations: " + strings.Join(parts, ", ")
	}
	if r.Interrupted {
		s += "; interrupted: some verdicts are missing"
	}
	return s
}

func unchanged(r *review.Review) bool {
	return len(r.Changes) == 0 && len(r.Waived) == 0 && len(r.Problems) == 0 && len(r.Scenarios) == 0 && len(beware(r)) == 0 &&
		!slices.ContainsFunc(r.Obligations, func(o *review.ObligationChange) bool { return o.Fate != review.Same })
}

// verdictCounts says what became of new obligations.
func verdictCounts(list []*review.ObligationChange) string {
	count := map[verdict.Verdict]int{}
	for _, obligation := range list {
		count[obligation.Is.Verdict]++
	}
	var parts []string
	for _, v := range []verdict.Verdict{verdict.Proved, verdict.Vacuous, verdict.Refuted, verdict.Open, ""} {
		if n := count[v]; n > 0 {
			word := string(v)
			if v == "" {
				word = "not tried"
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// debtText says what is unproved or assumed, before and now; "" where nothing is
// unproved and nothing differs.
func debtText(r *review.Review) string {
	d := r.After
	if r.Before.Axioms == d.Axioms && r.Before.Open+r.Before.Refuted+r.Before.Vacuous+d.Open+d.Refuted+d.Vacuous == 0 {
		return ""
	}
	var parts []string
	for _, x := range []struct {
		name    string
		was, is int
	}{
		{"open", r.Before.Open, r.After.Open}, {"refuted", r.Before.Refuted, r.After.Refuted}, {"vacuous", r.Before.Vacuous, r.After.Vacuous},
		{"unknown", r.Before.Unknown, r.After.Unknown}, {"axioms", r.Before.Axioms, r.After.Axioms},
	} {
		switch {
		case x.was != x.is:
			parts = append(parts, fmt.Sprintf("%s %d → %d", x.name, x.was, x.is))
		case x.is > 0:
			parts = append(parts, fmt.Sprintf("%s %d", x.name, x.is))
		}
	}
	if r.After.Expected > 0 {
		parts = append(parts, fmt.Sprintf("%d as gradine.toml expects", r.After.Expected))
	}
	return strings.Join(parts, ", ")
}

// group is obligations with one cause, fate, kind and verdict: one finding, however
// many refinements repeat it.
type group struct {
	fate  review.Fate
	cause *review.Change
	list  []*review.ObligationChange
}

// groups lists the obligations that a reader wants to see, by fate, those that the
// same change is the cause of together.
func groups(r *review.Review) []group {
	type key struct {
		cause   *review.Change
		kind    po.Kind
		verdict verdict.Verdict
	}
	var out []group
	for _, f := range fates {
		place := map[key]int{}
		for _, obligation := range r.Obligations {
			if obligation.Fate != f || !notable(obligation) {
				continue
			}
			k := key{obligation.Cause, obligation.Obligation().Kind, obligation.Is.Verdict}
			i, there := place[k]
			if !there || obligation.Cause == nil || obligation.Repair != nil || obligation.Behind != nil {
				i = len(out)
				place[k] = i
				out = append(out, group{fate: f, cause: obligation.Cause})
			}
			out[i].list = append(out[i].list, obligation)
		}
	}
	return out
}

// level is how grave a group is: an error, a warning or a notice.
func (g group) level() string {
	obligation := g.list[0]
	switch {
	case obligation.Expected != nil:
		return "notice"
	case g.fate == review.Lost || obligation.Is.Verdict == verdict.Refuted:
		return "error"
	case obligation.Is.Verdict == verdict.Open || g.fate == review.Unclear || g.fate == review.Untried || obligation.Is.Verdict == verdict.Vacuous:
		return "warning"
	}
	return "notice"
}

// rest names the obligations of a group after the first, as far as a line holds.
func (g group) rest() string {
	if len(g.list) == 1 {
		return ""
	}
	var names []string
	for _, obligation := range g.list[1:] {
		names = append(names, pathOf(obligation.Obligation()))
	}
	return "likewise " + firstNames(names)
}

func pathOf(o *po.Obligation) string { return o.Path() }

// What is said of contradictions that are not new.
const (
	repaired = "repaired contradiction"
	asBefore = "unchanged contradiction"
)

// contradictions says which assumptions contradict themselves now or did before.
func contradictions(r *review.Review) []string {
	var out []string
	for _, c := range r.Contradictions {
		switch c.What {
		case review.OnlyNow:
			text := "new contradiction: " + c.Path() + ": " + whyContradictory(c.Contradiction)
			if r.Intended(c) {
				text += ", as gradine.toml expects"
			}
			out = append(out, text)
		case review.OnlyBefore:
			out = append(out, repaired+": "+c.Path())
		case review.Both:
			out = append(out, asBefore+": "+c.Path())
		}
	}
	return out
}

// unconfirmed names the obligations of which proofs.lock says more than was found.
func unconfirmed(r *review.Review) []string {
	var out []string
	for _, o := range r.Obligations {
		if o.Unconfirmed {
			out = append(out, "proofs.lock records an unconfirmed verdict: "+pathOf(o.New))
		}
	}
	return out
}

// firstNames lists the first names, and says how many others there are.
func firstNames(names []string) string {
	const shown = 5
	text := strings.Join(names[:min(len(names), shown)], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// brief says what was searched only briefly.
func brief(r *review.Review) (out []string) {
	touched, same := r.Brief()
	for _, x := range []struct {
		n    int
		what string
	}{{touched, "changed or new"}, {same, "unchanged"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%s searched only briefly, %s; gradine review --thorough searches longer", Count(x.n, "open obligation"), x.what))
		}
	}
	for _, x := range []struct {
		paths []string
		what  string
	}{{r.BriefAssumptions, "changed or new"}, {r.BriefBefore, "unchanged or removed"}} {
		if len(x.paths) > 0 {
			out = append(out, fmt.Sprintf("contradictions searched only briefly, %s: %s; gradine review --thorough searches longer", x.what, firstNames(x.paths)))
		}
	}
	return out
}

// unmet are the expectations of gradine.toml that are not met.
func unmet(r *review.Review) (out []Against) {
	for _, x := range AgainstSuccess(r.Judgement) {
		if x.What != contradiction {
			out = append(out, x)
		}
	}
	return out
}

// beware says what is wrong apart from diagnostics, claims and obligations, and what was searched only briefly.
func beware(r *review.Review) []string { return append(brief(r), against(r)...) }

// against says what is wrong apart from diagnostics, claims and obligations.
func against(r *review.Review) []string {
	out := unconfirmed(r)
	for _, x := range unmet(r) {
		out = append(out, x.What+": "+x.Text)
	}
	return append(out, contradictions(r)...)
}

// problemText is an error or a warning that is not as before, in one line.
func problemText(p review.Problem) string {
	return fmt.Sprintf("%s %s: %s [%s]", p.What, p.Diagnostic.Severity, p.Message, p.Code)
}

// problemsAsBefore says how many errors both revisions have; "" if there are none.
func problemsAsBefore(r *review.Review) string {
	n := r.Errors(review.Both)
	if n == 0 {
		return ""
	}
	return Count(n, "error") + " as before"
}

// newsOfProblems lists the problems that only the new revision has. What follows from others is
// counted instead, as gradine check does.
func newsOfProblems(r *review.Review) (first []review.Problem, more int) {
	all := slices.DeleteFunc(slices.Clone(r.Problems), func(p review.Problem) bool { return p.What != review.OnlyNow })
	first = withoutFollowing(all, func(p review.Problem) diag.Diagnostic { return p.Diagnostic })
	return first, len(all) - len(first)
}

// goneProblems lists the errors that only the old revision has, without those that followed from
// others.
func goneProblems(r *review.Review) (first []review.Problem, more int) {
	all := slices.DeleteFunc(slices.Clone(r.Problems), func(p review.Problem) bool {
		return p.What != review.OnlyBefore || p.Severity != diag.Error
	})
	first = withoutFollowing(all, func(p review.Problem) diag.Diagnostic { return p.Diagnostic })
	return first, len(all) - len(first)
}

// followText counts problems that follow from others; "" for none.
func followText(what string, n int) string {
	if n == 0 {
		return ""
	}
	return Count(n, what) + " more, possibly follow-on"
}

// waiverTexts says what waivers and expectations the change adds, and then which there are.
func waiverTexts(r *review.Review) (added, others []string) {
	for _, w := range r.Waived {
		text := fmt.Sprintf("%s %s %s", w.Project, w.Gate, w.Element)
		if w.Project == review.ConfigurationName { // a setting's path says where it is
			text = fmt.Sprintf("%s %s", w.Gate, w.Element)
		}
		if w.Says != "" {
			text += fmt.Sprintf(", as long as it says %q", w.Says)
		}
		if w.Until != "" {
			text += ", until " + w.Until
		}
		text += ": " + w.Why
		if w.State == review.Fresh {
			added = append(added, "new waiver: "+text)
		} else {
			others = append(others, fmt.Sprintf("waiver (%s): %s", w.State, text))
		}
	}
	for _, c := range r.Claims {
		if name, ok := strings.CutPrefix(c.Path, "expect."); ok && c.Now != nil {
			added = append(added, fmt.Sprintf("new expectation: %s is %s", name, c.Now.Text))
		}
	}
	return added, others
}

// requirementText says what a change means for a requirement.
func requirementText(x review.Requirement) string {
	return fmt.Sprintf("requirement %s is %s: %s", x.ID, x.What, firstNames(x.Elements))
}

// claimText is a claim, and whether it is waived.
func claimText(c review.Claim) string {
	if c.Waiver == nil {
		return c.Text
	}
	return fmt.Sprintf("%s (waived: %s)", c.Text, c.Waiver.Why)
}

// changeText says what became of an element.
func changeText(change *review.Change) string {
	element := change.Element()
	what := element.Kind + " " + element.Path()
	switch change.What {
	case review.Renamed:
		what = fmt.Sprintf("%s %s → %s", element.Kind, change.Old.Path(), element.Path())
	case review.Moved:
		if change.Old.Path() != element.Path() {
			what = fmt.Sprintf("%s %s → %s", element.Kind, change.Old.Path(), element.Path())
		} else {
			what += fmt.Sprintf(" from %s to %s", change.Old.File, element.File)
		}
	case review.Changed:
		if change.Old.Path() != element.Path() {
			what = fmt.Sprintf("%s %s → %s", element.Kind, change.Old.Path(), element.Path())
		}
	case review.Reformatted:
		what += ": layout and comments only"
	case review.Follows:
		what += ": renamed references only"
	}
	return what
}

// pieces writes a formula diff as words with {-old-} and {+new+}.
func pieces(ps []review.Piece, old, now func(string) string) string {
	var w strings.Builder
	for _, p := range ps {
		switch p.Sign {
		case '-':
			w.WriteString(old("{-" + p.Text + "-}"))
		case '+':
			w.WriteString(now("{+" + p.Text + "+}"))
		default:
			w.WriteString(p.Text)
		}
	}
	return w.String()
}

// notable reports whether a reader wants to see the obligation by itself.
func notable(o *review.ObligationChange) bool {
	switch o.Fate {
	case review.Same, review.Kept, review.Vanished:
		return o.Unconfirmed || o.Behind != nil
	case review.Appeared, review.Reproved:
		if r, ok := o.Cost(); o.Is.Proved() && (!ok || r > 0.8 && r < 1.2) {
			return false
		}
	}
	return true
}

// obligationText says what became of an obligation.
func obligationText(obligation *review.ObligationChange) string {
	s := pathOf(obligation.Obligation())
	if obligation.Old != nil && obligation.New != nil && obligation.Old.Path() != s {
		s += " (was " + obligation.Old.Path() + ")"
	}
	if obligation.Is.Verdict != "" {
		s += ": " + stateText(obligation.Is)
	}
	if obligation.Was.Verdict != "" {
		s += ", previously " + stateText(obligation.Was)
	}
	if obligation.Expected != nil {
		s += ", as expected: " + obligation.Expected.Why
	}
	if obligation.Brief > 0 {
		s += ", searched only briefly"
	}
	if obligation.Unconfirmed {
		s += ", but proofs.lock records another verdict"
	}
	if r, ok := obligation.Cost(); ok && r >= 1.2 {
		s += ", costs more"
	} else if ok && r <= 0.8 {
		s += ", cheaper"
	}
	return s
}

func stateText(s review.State) string {
	switch {
	case s.Recorded:
		return fmt.Sprintf("recorded as %s (%d steps)", s.Verdict, s.Steps)
	case s.Steps == 0:
		return string(s.Verdict)
	}
	return fmt.Sprintf("%s (%d steps)", s.Verdict, s.Steps)
}

// affectedText says how much of a component the change touches.
func affectedText(a review.Affected) string {
	s := a.Component
	if a.Refines != "" {
		s += " refines " + a.Refines
	}
	why := "affected"
	if a.Changed {
		why = "changed"
	}
	return fmt.Sprintf("%s: %s, %d of %d obligations touched", s, why, a.Touched, a.Total)
}

// content is what an added or removed element says, line by line: the element
// itself, or all parts of a component or an event.
func content(c *review.Change) []string {
	if c.What != review.Added && c.What != review.Removed {
		return nil
	}
	return c.Element().Lines()
}

// reviewsText writes reviews as text. Projects without a change share one line.
func reviewsText(out io.Writer, x Review) error {
	var quiet []string
	for _, r := range x.Projects {
		if unchanged(r) && r.Was == "" {
			quiet = append(quiet, r.Project)
			continue
		}
		reviewText(out, x.Style, r)
	}
	const named = 5 // more are counted
	switch {
	case len(quiet) > named:
		fmt.Fprintf(out, "no change in %s\n", Count(len(quiet), "project"))
	case len(quiet) > 0:
		fmt.Fprintf(out, "%s  no change\n", x.Style.Bold(strings.Join(quiet, ", ")))
	}
	return nil
}

// reviewText writes the review of one project as text.
func reviewText(out io.Writer, style Style, r *review.Review) {
	name := r.Project
	if r.Was != "" {
		name += " (was " + r.Was + ")"
	}
	fmt.Fprintf(out, "%s  %s\n", style.Bold(name), ReviewSummary(r))
	if debt := debtText(r); debt != "" {
		fmt.Fprintf(out, "  %s\n", style.Dim("debt: "+debt))
	}
	// What is agreed to in the change itself comes first, then what is wrong, then what was claimed
	// and is claimed less, then why.
	added, others := waiverTexts(r)
	for _, s := range added {
		fmt.Fprintf(out, "  %s\n", style.Red(s))
	}
	for _, s := range others {
		fmt.Fprintf(out, "  %s\n", style.Dim(s))
	}
	for _, s := range beware(r) {
		paint := style.Red
		if strings.HasPrefix(s, asBefore) || strings.HasPrefix(s, repaired) {
			paint = style.Dim
		}
		fmt.Fprintf(out, "  %s\n", paint(s))
	}
	problems, more := newsOfProblems(r)
	for _, p := range problems {
		paint := style.Yellow
		if p.Severity == diag.Error {
			paint = style.Red
		}
		fmt.Fprintf(out, "  %s %s\n", paint(p.Span.String()+":"), problemText(p))
	}
	if s := followText("problem", more); s != "" {
		fmt.Fprintf(out, "  %s\n", style.Dim(s))
	}
	if s := problemsAsBefore(r); s != "" {
		fmt.Fprintf(out, "  %s\n", style.Dim(s))
	}
	for _, c := range r.Claims {
		fmt.Fprintf(out, "  %s %s\n", style.Yellow(string(c.Loss)), claimText(c))
	}
	for _, x := range r.Scenarios {
		paint := style.Yellow
		if x.Lost {
			paint = style.Red
		}
		fmt.Fprintf(out, "  %s\n", paint(x.Text()))
	}
	for _, x := range r.Requirements {
		fmt.Fprintf(out, "  %s\n", style.Yellow(requirementText(x)))
	}
	for _, change := range r.Changes {
		changeLines(out, style, change)
	}
	for _, g := range groups(r) {
		groupLines(out, style, g)
	}
	if gone := goneText(r); gone != "" {
		fmt.Fprintf(out, "  gone %s\n", gone)
	}
	gone, left := goneProblems(r)
	for _, p := range gone {
		fmt.Fprintf(out, "  %s\n", style.Dim(p.Span.String()+": "+problemText(p)))
	}
	if s := followText("gone error", left); s != "" {
		fmt.Fprintf(out, "  %s\n", style.Dim(s))
	}
	for _, a := range r.Affected {
		fmt.Fprintf(out, "  %s\n", style.Dim(affectedText(a)))
	}
}

func changeLines(out io.Writer, style Style, change *review.Change) {
	fmt.Fprintf(out, "  %-11s %s", change.What, changeText(change))
	if change.Effect != "" {
		fmt.Fprintf(out, " (%s)", style.Yellow(string(change.Effect)))
	}
	fmt.Fprintln(out)
	if len(change.Diff) > 0 {
		fmt.Fprintf(out, "                %s\n", pieces(change.Diff, style.Red, style.Green))
	}
	for _, line := range content(change) {
		fmt.Fprintf(out, "                %s\n", line)
	}
}

// groupLines writes a group of obligations with one fate: its first one in detail, and the number of the others.
func groupLines(out io.Writer, style Style, g group) {
	obligation := g.list[0]
	paint := style.Yellow
	switch {
	case g.level() == "error":
		paint = style.Red
	case obligation.Is.Verdict == verdict.Proved:
		paint = style.Green
	}
	fmt.Fprintf(out, "  %s %s\n", paint(string(g.fate)), obligationText(obligation))
	for _, line := range details(obligation) {
		fmt.Fprintf(out, "      %s\n", line)
	}
	if s := g.rest(); s != "" {
		fmt.Fprintf(out, "      %s\n", s)
	}
}

// goneText names the obligations that are gone, as far as a line holds.
func goneText(r *review.Review) string {
	const shown = 8
	var names []string
	for _, obligation := range r.Obligations {
		if obligation.Fate == review.Vanished {
			names = append(names, pathOf(obligation.Old))
		}
	}
	s := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// details is what a reader wants to see of an obligation, in lines: the counterexample of a
// refuted one, what keeps or mends a proof that no search finds.
func details(o *review.ObligationChange) []string {
	if o.Behind != nil {
		lines := []string{"the old proof holds"}
		if len(o.Behind.Facts) > 0 {
			lines[0] += " with these lemmas, which follow from the new formulas:"
		}
		for _, fact := range o.Behind.Facts {
			lines = append(lines, "    "+fact)
		}
		return append(lines, "commit its certificate to keep it: gradine review BASE --keep writes it")
	}
	if o.Repair != nil {
		lines := []string{"proved with the old hints under the new names:", "for " + hints.Label(pathOf(o.New))}
		for _, line := range o.Repair.Lines {
			lines = append(lines, "    "+line)
		}
		return lines
	}
	if o.New == nil || o.Is.Verdict != verdict.Refuted {
		return nil
	}
	return violationLines(explain.Lift(verdict.Result{Obligation: o.New, Outcome: o.Outcome}))
}
