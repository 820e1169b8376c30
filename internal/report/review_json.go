package report

import (
	"io"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/review"
)

type jsonChange struct {
	Project string      `json:"project"`            // its name
	Change  review.What `json:"change"`             // such as new, gone or changed
	Kind    string      `json:"kind"`               // of the element
	Old     string      `json:"old,omitempty"`      // its path before
	New     string      `json:"new,omitempty"`      // its path now
	OldFile string      `json:"old_file,omitempty"` // its file before
	NewFile string      `json:"new_file,omitempty"` // its file now
	Line    int         `json:"line,omitempty"`     // in its file now, or before if it is gone
	Text    string      `json:"text,omitempty"`     // of an added or removed element
	Parts   []string    `json:"parts,omitempty"`    // what of it is different
	Effect  string      `json:"effect,omitempty"`   // such as weakened or strengthened
	Diff    [][2]string `json:"diff,omitempty"`     // pieces of text: a sign (-, + or none), and the piece
}

type jsonFate struct {
	Project     string          `json:"project"`                 // its name
	Obligation  string          `json:"obligation"`              // its path now, or before if it is gone
	Was         string          `json:"was,omitempty"`           // its path before, if that was another
	Fate        review.Fate     `json:"status"`                  // what became of it
	OldVerdict  verdict.Verdict `json:"old_verdict,omitempty"`   // before
	Verdict     verdict.Verdict `json:"verdict,omitempty"`       // now
	OldSteps    int64           `json:"old_steps,omitempty"`     // of the search before
	Steps       int64           `json:"steps,omitempty"`         // of the search now
	Expected    string          `json:"expected,omitempty"`      // why gradine.toml expects the verdict
	Recorded    bool            `json:"recorded,omitempty"`      // the verdict is that of proofs.lock, and nothing confirms it
	Unconfirmed bool            `json:"lock_mismatch,omitempty"` // proofs.lock says more than was found
	Hint        []string        `json:"hint,omitempty"`          // hints of before that prove it, under the names of now
	Behind      []string        `json:"cuts,omitempty"`          // facts behind which the old proof holds
	Certificate string          `json:"certificate,omitempty"`   // of that proof, which counts once it is committed
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
