package report

import (
	"io"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/review"
)

type jsonChange struct {
	Project string      `json:"project"`            // name of the project
	Change  review.What `json:"change"`             // kind of the change, such as added, removed or changed
	Kind    string      `json:"kind"`               // kind of the element
	Old     string      `json:"old,omitempty"`      // path before the change
	New     string      `json:"new,omitempty"`      // path after the change
	OldFile string      `json:"old_file,omitempty"` // file before the change
	NewFile string      `json:"new_file,omitempty"` // file after the change
	Line    int         `json:"line,omitempty"`     // line after the change, or before the change if the element was removed
	Text    string      `json:"text,omitempty"`     // text of an added or removed element
	Parts   []string    `json:"parts,omitempty"`    // parts of the element that differ
	Effect  string      `json:"effect,omitempty"`   // effect of the change, such as weakened or strengthened
	Diff    [][2]string `json:"diff,omitempty"`     // pieces of text, each with a sign: -, + or none
}

type jsonFate struct {
	Project     string          `json:"project"`                 // name of the project
	Obligation  string          `json:"obligation"`              // path after the change, or before the change if the obligation was removed
	Was         string          `json:"was,omitempty"`           // path before the change, if it differs
	Fate        review.Fate     `json:"status"`                  // status, as in docs/review.md
	OldVerdict  verdict.Verdict `json:"old_verdict,omitempty"`   // verdict before the change
	Verdict     verdict.Verdict `json:"verdict,omitempty"`       // verdict after the change
	OldSteps    int64           `json:"old_steps,omitempty"`     // search steps before the change
	Steps       int64           `json:"steps,omitempty"`         // search steps after the change
	Expected    string          `json:"expected,omitempty"`      // the reason for this verdict in gradine.toml
	Recorded    bool            `json:"recorded,omitempty"`      // the verdict is recorded in proofs.lock, but not confirmed
	Unconfirmed bool            `json:"lock_mismatch,omitempty"` // proofs.lock records a verdict that nothing confirms
	Brief       int64           `json:"brief_steps,omitempty"`   // steps after which an unsuccessful search ended early
	Hint        []string        `json:"hint,omitempty"`          // old hints that prove the obligation, with the new names
	Behind      []string        `json:"cuts,omitempty"`          // lemmas that make the old proof valid for the new sequent
	Certificate string          `json:"certificate,omitempty"`   // certificate of the old proof with these lemmas, which counts once it is committed
}

type jsonAffected struct {
	Project   string `json:"project"`           // name of the project
	Component string `json:"affected"`          // name of the component
	Refines   string `json:"refines,omitempty"` // component that it refines or extends
	Changed   bool   `json:"changed"`           // the change edits the component itself
	Touched   int    `json:"touched"`           // number of obligations of the component that the change affects
	Total     int    `json:"obligations"`       // number of obligations of the component
}

type jsonReviewProblem struct {
	Project  string          `json:"project"`           // name of the project
	Problem  review.Presence `json:"problem"`           // new, gone or as before
	Severity string          `json:"severity"`          // error or warning
	Code     string          `json:"code"`              // code of the diagnostic
	Element  string          `json:"element,omitempty"` // path of the element
	File     string          `json:"file"`              // file of the element
	Line     int             `json:"line"`              // line of the element
	Message  string          `json:"message"`           // text of the diagnostic
}

type jsonClaim struct {
	Project string      `json:"project"`           // name of the project
	Claim   review.Loss `json:"claim"`             // gate that the change breaks, as in docs/review.md
	Element string      `json:"element,omitempty"` // path of the element
	Text    string      `json:"text"`              // the lost claim or the new assumption
	Waived  string      `json:"waived,omitempty"`  // reason of the waiver in gradine.toml
}

type jsonRequirement struct {
	Project     string                   `json:"project"`     // name of the project
	Requirement string                   `json:"requirement"` // name of the requirement
	What        review.RequirementChange `json:"status"`      // how the change affects the requirement
	Elements    []string                 `json:"elements"`    // paths of the elements that mention the requirement
}

type jsonScenario struct {
	Project  string `json:"project"`           // name of the project
	Scenario string `json:"scenario"`          // name of the scenario
	Was      string `json:"was,omitempty"`     // outcome before the change; absent if there was none
	Outcome  string `json:"outcome,omitempty"` // outcome after the change; absent if the scenario is gone
	Why      string `json:"why,omitempty"`     // reason of the outcome after the change
	Lost     bool   `json:"lost,omitempty"`    // the scenario passed before the change, and does not after it
	File     string `json:"file"`              // file of the scenario
	Line     int    `json:"line"`              // line of the scenario
}

type jsonWaiver struct {
	Project string             `json:"project"`         // project of the element; gradine.toml for a setting
	Waiver  review.WaiverState `json:"waiver"`          // state of the waiver
	Gate    review.Loss        `json:"gate"`            // gate that is waived
	Element string             `json:"element"`         // path of the element
	Says    string             `json:"says,omitempty"`  // text of the element for which the waiver is valid
	Until   string             `json:"until,omitempty"` // last day of the waiver
	Why     string             `json:"why"`             // reason in gradine.toml
}

type jsonContradiction struct {
	Project       string          `json:"project"`        // name of the project
	Contradiction review.Presence `json:"contradiction"`  // new, gone or as before
	Element       string          `json:"element"`        // path of the component or event with inconsistent hypotheses
	Core          []string        `json:"core,omitempty"` // paths of predicates that suffice for the contradiction
}

type jsonUnmet struct {
	Project     string `json:"project"`     // name of the project
	Expectation string `json:"expectation"` // new, gone or as before
	Text        string `json:"text"`        // expectation of gradine.toml that is not met
}

type jsonDebt struct {
	Project     string      `json:"project"`               // name of the project
	Before      review.Debt `json:"debt_before"`           // debt before the change
	After       review.Debt `json:"debt"`                  // debt after the change
	Interrupted bool        `json:"interrupted,omitempty"` // the review was interrupted, so that obligations are missing
	// BriefChanged and BriefOthers are paths, as those of contradictions.
	BriefChanged []string `json:"brief_contradictions,omitempty"`        // changed components and events whose contradictions were searched only briefly
	BriefOthers  []string `json:"brief_contradictions_before,omitempty"` // unchanged and removed components and events whose contradictions were searched only briefly
}

// reviewsJSON writes reviews as JSON lines.
func reviewsJSON(w io.Writer, x Review) error {
	out := NewLines(w)
	// The order is that of the other formats: what may keep the change from being
	// merged first, what it reaches last.
	for _, r := range x.Projects {
		out.Put(jsonDebt{r.Project, r.Before, r.After, r.Interrupted, r.BriefAssumptions, r.BriefBefore})
		for _, w := range r.Waived {
			out.Put(jsonWaiver{w.Project, w.State, w.Gate, w.Element, w.Says, w.Until, w.Why})
		}
		for _, p := range r.Problems {
			out.Put(jsonReviewProblem{r.Project, p.What, p.Diagnostic.Severity.String(), p.Code, p.Diagnostic.Element, p.Span.File, p.Span.Line, p.Message})
		}
		for _, x := range unmet(r) {
			out.Put(jsonUnmet{r.Project, x.What, x.Text})
		}
		for _, c := range r.Contradictions {
			out.Put(contradictionOf(r, c))
		}
		for _, c := range r.Claims {
			line := jsonClaim{r.Project, c.Loss, c.Path, c.Text, ""}
			if c.Waiver != nil {
				line.Waived = c.Waiver.Why
			}
			out.Put(line)
		}
		for _, x := range r.Scenarios {
			out.Put(jsonScenario{r.Project, x.Name, x.Was, x.Is, x.Why, x.Lost, x.Span.File, x.Span.Line})
		}
		for _, x := range r.Requirements {
			out.Put(jsonRequirement{r.Project, x.ID, x.What, x.Elements})
		}
		for _, change := range r.Changes {
			j := jsonChange{Project: r.Project, Change: change.What, Kind: change.Element().Kind, Effect: string(change.Effect), Line: change.Element().Span.Line}
			if change.What == review.Added || change.What == review.Removed {
				j.Text, j.Parts = change.Element().Text, content(change)
			}
			if change.Old != nil {
				j.Old, j.OldFile = change.Old.Path(), change.Old.File
			}
			if change.New != nil {
				j.New, j.NewFile = change.New.Path(), change.New.File
			}
			for _, p := range change.Diff {
				j.Diff = append(j.Diff, [2]string{strings.TrimSpace(string(p.Sign)), p.Text})
			}
			out.Put(j)
		}
		// All obligations are written, unchanged ones too: who reads lines selects himself.
		for _, o := range r.Obligations {
			out.Put(fateOf(r, o))
		}
		for _, a := range r.Affected {
			out.Put(jsonAffected{r.Project, a.Component, a.Refines, a.Changed, a.Touched, a.Total})
		}
	}
	return out.Err
}

// contradictionOf is the line of a contradiction.
func contradictionOf(r *review.Review, c review.Contradiction) jsonContradiction {
	line := jsonContradiction{Project: r.Project, Contradiction: c.What, Element: c.Path()}
	for _, p := range c.Core {
		line.Core = append(line.Core, predicatePath(p))
	}
	return line
}

// fateOf is the line of an obligation.
func fateOf(r *review.Review, o *review.ObligationChange) jsonFate {
	x := o.Obligation()
	j := jsonFate{
		Project: r.Project, Obligation: x.Path(), Fate: o.Fate,
		OldVerdict: o.Was.Verdict, Verdict: o.Is.Verdict, OldSteps: o.Was.Steps, Steps: o.Is.Steps,
		Recorded: o.Is.Recorded, Unconfirmed: o.Unconfirmed, Brief: o.Brief,
	}
	if o.Expected != nil {
		j.Expected = o.Expected.Why
	}
	if o.Repair != nil {
		j.Hint = o.Repair.Lines
	}
	if o.Behind != nil {
		j.Behind, j.Certificate = o.Behind.Facts, o.Behind.Outcome.Certificate
	}
	if o.Old != nil && o.New != nil {
		if was := o.Old.Path(); was != j.Obligation {
			j.Was = was
		}
	}
	return j
}
