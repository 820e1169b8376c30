package report

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report/chart"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Readable is a formula for people, in lines.
func Readable(b *logic.Bank, t logic.Term) string { return readable.Term(b, t) }

// Reason says in one line why an obligation is not proved; search may be nil.
func Reason(r verdict.Result, search *Search) string {
	switch {
	case r.Verdict == verdict.Vacuous:
		return "its hypotheses are inconsistent"
	case r.Obligation != nil && inKernel(r.Obligation) != "": // people know the source, not the machine that stands for it
		return inKernel(r.Obligation)
	case r.Verdict == verdict.Open:
		return openReason(search)
	}
	v := explain.Lift(r)
	if v == nil {
		return ""
	}
	text := v.Failing + " is false"
	// What changes is what a reader looks at first.
	var parts []string
	for _, row := range v.State() {
		if row.Change != nil {
			parts = append(parts, row.Name+" = "+Shorten(row.Before)+" → "+Changed(row))
		}
	}
	if len(parts) == 0 {
		for _, b := range v.Params {
			parts = append(parts, b.Name+" = "+Shorten(b.Value))
		}
	}
	const most = 3
	if n := len(parts); n > most {
		parts = append(parts[:most], "…")
	}
	if len(parts) > 0 {
		text += " with " + strings.Join(parts, ", ")
	}
	if v.Reach != nil && v.Reach.Verdict == verdict.Reached {
		text += "; the state is reachable"
	} else if v.Reach != nil && v.Reach.Verdict == verdict.Unreachable {
		text += "; the state is not reachable: an invariant is missing"
	}
	return text
}

// openReason says in one line why an obligation is open: the first part of its goal that is left.
func openReason(search *Search) string {
	if search == nil {
		return "no proof or counterexample found; `gradine report why` shows what is left"
	}
	left := 0
	first := ""
	for _, p := range search.Parts {
		if p.Proved {
			continue
		}
		if left++; left == 1 {
			first = shortText(p.Bank, p.Goal)
		}
	}
	switch {
	case left == 0 || first == "":
		return "no proof or counterexample found"
	case len(search.Parts) == 1:
		return "left: " + first
	}
	return fmt.Sprintf("%d of %d parts of the goal open, first: %s", left, len(search.Parts), first)
}

// OpenText is what `gradine report why` says of an open obligation; "" if not
// searched.
func OpenText(r verdict.Result, search *Search) string {
	if search == nil {
		return ""
	}
	var w strings.Builder
	open(&w, Style{}, r, search)
	return w.String()
}

// ContradictionText says which assumptions contradict each other.
func ContradictionText(c judgement.Contradiction) string {
	return fmt.Sprintf("%s/%s: %s", c.Project, c.Path(), whyContradictory(c))
}

// whyContradictory says what of it contradicts what.
func whyContradictory(c judgement.Contradiction) string {
	what := "its axioms are inconsistent"
	var facts []*model.Predicate
	if c.Of.Machine != nil {
		facts = c.Of.Machine.Facts()
	} else {
		facts = c.Of.Context.Facts()
	}
	// A theorem that is false is enough, and stands among what is not proved.
	theorems := slices.ContainsFunc(facts, func(p *model.Predicate) bool { return p.Theorem })
	switch {
	case c.Event != nil:
		what = "never enabled: its guards contradict the invariants"
	case c.Way != "":
		what = "vacuous: no state allowed by the invariants satisfies `from` but not `to`"
	case c.Of.Machine != nil:
		what = "its axioms and invariants are inconsistent"
	}
	if theorems && c.Event == nil && c.Way == "" {
		what += ", or one of its theorems is false"
	}
	switch core := coreText(c.Core); len(c.Core) {
	case 0:
	case 1:
		what += "; this predicate alone is a contradiction: " + core
	default:
		what += "; these are inconsistent: " + core
	}
	return what
}

// coreText names predicates with their places.
func coreText(core []*model.Predicate) string {
	var names []string
	for _, p := range core {
		name := predicatePath(p)
		if at := p.Origin.Span; at.Line > 0 {
			name += fmt.Sprintf(" (%s:%d)", at.File, at.Line)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// predicatePath is the path of a predicate: component/label or component/event/label.
func predicatePath(p *model.Predicate) string {
	parts := []string{p.Origin.Component, p.Origin.Event, p.Label}
	return strings.Join(slices.DeleteFunc(parts, func(x string) bool { return x == "" }), "/")
}

// TotalsText says how much is proved, and how much is as expected.
func TotalsText(t judgement.Totals) string {
	text := fmt.Sprintf("%s of %s proved", chart.Grouped(big.NewInt(int64(t.Proved))), chart.Grouped(big.NewInt(int64(t.Asked))))
	if t.Expected > 0 {
		text += ", " + ExpectedText(t)
	}
	return text
}
