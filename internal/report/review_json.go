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
	Line    int         `json:"line,omitempty"`     // line after the change, or before it if the element is gone
	Text    string      `json:"text,omitempty"`     // text of an added or removed element
	Parts   []string    `json:"parts,omitempty"`    // parts of the element that differ
	Effect  string      `json:"effect,omitempty"`   // such as weakened or strengthened
	Diff    [][2]string `json:"diff,omitempty"`     // pieces of text, each with a sign: -, + or none
}

type jsonFate struct {
	Project     string          `json:"project"`                 // name of the project
	Obligation  string          `json:"obligation"`              // path after the change, or before it if the obligation is gone
	Was         string          `json:"was,omitempty"`           // path before the change, if it differs
	Fate        review.Fate     `json:"status"`                  // status, as in docs/review.md
	OldVerdict  verdict.Verdict `json:"old_verdict,omitempty"`   // verdict before the change
	Verdict     verdict.Verdict `json:"verdict,omitempty"`       // verdict after the change
	OldSteps    int64           `json:"old_steps,omitempty"`     // search steps before the change
	Steps       int64           `json:"steps,omitempty"`         // search steps after the change
	Expected    string          `json:"expected,omitempty"`      // the reason for this verdict in gradine.toml
	Recorded    bool            `json:"recorded,omitempty"`      // the verdict is only recorded in proofs.lock, unconfirmed
	Unconfirmed bool            `json:"lock_mismatch,omitempty"` // proofs.lock records a verdict that nothing confirms
	Hint        []string        `json:"hint,omitempty"`          // old hints that prove it, with the new names
	Behind      []string        `json:"cuts,omitempty"`          // facts that must be proved for the old proof to hold
	Certificate string          `json:"certificate,omitempty"`   // certificate of that proof, which counts once it is committed
}

type jsonAffected struct {
	Project   string `json:"project"`
	Component string `json:"affected"`
	Refines   string `json:"refines,omitempty"`
	Changed   bool   `json:"changed"`
	Touched   int    `json:"touched"`
	Total     int    `json:"obligations"`
}

type jsonReviewProblem struct {
	Project  string          `json:"project"`
	Problem  review.Presence `json:"problem"`
	Severity string          `json:"severity"`
	Code     string          `json:"code"`
	Element  string          `json:"element,omitempty"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Message  string          `json:"message"`
}

type jsonClaim struct {
	Project string      `json:"project"`
	Claim   review.Loss `json:"claim"`
	Element string      `json:"element,omitempty"`
	Text    string      `json:"text"`
	Waived  string      `json:"waived,omitempty"` // why
}

type jsonRequirement struct {
	Project     string                   `json:"project"`
	Requirement string                   `json:"requirement"`
	What        review.RequirementChange `json:"status"`
	Elements    []string                 `json:"elements"`
}

type jsonScenario struct {
	Project  string `json:"project"`
	Scenario string `json:"scenario"`
	Was      string `json:"was,omitempty"`     // its outcome before; absent if there was none
	Outcome  string `json:"outcome,omitempty"` // its outcome now; absent if it is gone
	Why      string `json:"why,omitempty"`     // of the outcome now
	Lost     bool   `json:"lost,omitempty"`    // it had to pass and did, and does not any more
	File     string `json:"file"`
	Line     int    `json:"line"`
}

type jsonWaiver struct {
	Project string             `json:"project"` // that the element is of; gradine.toml for a setting
	Waiver  review.WaiverState `json:"waiver"`
	Gate    review.Loss        `json:"gate"`
	Element string             `json:"element"`
	Says    string             `json:"says,omitempty"`
	Until   string             `json:"until,omitempty"`
	Why     string             `json:"why"`
}

type jsonContradiction struct {
	Project       string          `json:"project"`
	Contradiction review.Presence `json:"contradiction"`
	Element       string          `json:"element"`
	Core          []string        `json:"core,omitempty"` // predicates that are enough for it
}

type jsonUnmet struct {
	Project     string `json:"project"`
	Expectation string `json:"expectation"`
	Text        string `json:"text"`
}

type jsonDebt struct {
	Project     string      `json:"project"`
	Before      review.Debt `json:"debt_before"`
	After       review.Debt `json:"debt"`
	Interrupted bool        `json:"interrupted,omitempty"`
}

func reviewsJSON(w io.Writer, x Review) error {
	out := NewLines(w)
	// The order is that of the other formats: what may keep the change from being
	// merged first, what it reaches last.
	for _, r := range x.Projects {
		out.Put(jsonDebt{r.Project, r.Before, r.After, r.Interrupted})
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
		Recorded: o.Is.Recorded, Unconfirmed: o.Unconfirmed,
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
