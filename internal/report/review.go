package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/review"
)

// Reviews writes reviews in one of the formats text, markdown, jsonl, sarif and
// github.
func Reviews(w io.Writer, style Style, format string, reviews []*review.Review) error {
	switch format {
	case "jsonl":
		return reviewsJSON(w, reviews)
	case "sarif":
		return reviewsSARIF(w, reviews)
	case "github":
		return reviewsGitHub(w, reviews)
	case "markdown":
		for _, r := range reviews {
			reviewMarkdown(w, r)
		}
		return nil
	}
	for _, r := range reviews {
		reviewText(w, style, r)
	}
	return nil
}

// fates lists the fates in the order of reports.
var fates = []review.Fate{
	review.Lost, review.Unproved, review.Untried, review.Appeared, review.Gained, review.Reproved, review.Kept, review.Same, review.Vanished,
}

func countFates(r *review.Review) map[review.Fate]int {
	out := map[review.Fate]int{}
	for _, o := range r.Obligations {
		out[o.Fate]++
	}
	return out
}

// summary is the review in one line.
func summary(r *review.Review) string {
	if len(r.Changes) == 0 && len(r.Obligations) == 0 {
		return "no change"
	}
	var parts []string
	count := countFates(r)
	for _, f := range fates {
		if n := count[f]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, f))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no obligations"}
	}
	return fmt.Sprintf("%d changes; obligations: %s", len(r.Changes), strings.Join(parts, ", "))
}

// changeText says what became of an element.
func changeText(c *review.Change) string {
	e := c.Element()
	what := e.Kind + " " + e.Path()
	switch c.What {
	case review.Renamed:
		what = fmt.Sprintf("%s %s → %s", e.Kind, c.Old.Path(), e.Path())
	case review.Moved:
		if c.Old.Path() != e.Path() {
			what = fmt.Sprintf("%s %s → %s", e.Kind, c.Old.Path(), e.Path())
		} else {
			what += fmt.Sprintf(" from %s to %s", c.Old.File, e.File)
		}
	case review.Changed:
		if c.Old.Path() != e.Path() {
			what = fmt.Sprintf("%s %s → %s", e.Kind, c.Old.Path(), e.Path())
		}
	case review.Reformatted:
		what += ": layout and comments only"
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
		return false
	case review.Appeared, review.Reproved:
		if r, ok := o.Cost(); o.Is.Proved() && (!ok || r > 0.8 && r < 1.2) {
			return false
		}
	}
	return true
}

// obligationText says what became of an obligation.
func obligationText(o *review.ObligationChange) string {
	x := o.Obligation()
	s := x.Component + "/" + x.Name
	if o.Old != nil && o.New != nil && o.Old.Component+"/"+o.Old.Name != s {
		s += " (was " + o.Old.Component + "/" + o.Old.Name + ")"
	}
	if o.Is.Verdict != "" {
		s += ": " + stateText(o.Is)
	}
	if o.Was.Verdict != "" {
		s += ", before " + stateText(o.Was)
	}
	if r, ok := o.Cost(); ok && r >= 1.2 {
		s += ", dearer"
	} else if ok && r <= 0.8 {
		s += ", cheaper"
	}
	return s
}

func stateText(s review.State) string { return fmt.Sprintf("%s (%d steps)", s.Verdict, s.Steps) }

// affectedText says how much of a component the change touches.
func affectedText(a review.Affected) string {
	s := a.Component
	if a.Refines != "" {
		s += " refines " + a.Refines
	}
	why := "builds on what changed"
	if a.Changed {
		why = "changed"
	}
	return fmt.Sprintf("%s: %s, %d of %d obligations touched", s, why, a.Touched, a.Total)
}

func reviewText(w io.Writer, style Style, r *review.Review) {
	fmt.Fprintf(w, "%s  %s\n", style.Bold(r.Project), summary(r))
	for _, c := range r.Changes {
		fmt.Fprintf(w, "  %-11s %s", c.What, changeText(c))
		if c.Effect != "" {
			fmt.Fprintf(w, " (%s)", style.Yellow(string(c.Effect)))
		}
		fmt.Fprintln(w)
		switch {
		case len(c.Diff) > 0:
			fmt.Fprintf(w, "                %s\n", pieces(c.Diff, style.Red, style.Green))
		case (c.What == review.Added || c.What == review.Removed) && c.Element().Text != "":
			fmt.Fprintf(w, "                %s\n", strings.Join(strings.Fields(c.Element().Text), " "))
		}
	}
	for _, f := range fates {
		for _, o := range r.Obligations {
			if o.Fate == f && notable(o) {
				paint := style.Yellow
				switch {
				case f == review.Lost || o.Is.Verdict == discharge.Refuted:
					paint = style.Red
				case o.Is.Proved():
					paint = style.Green
				}
				fmt.Fprintf(w, "  %s %s\n", paint(string(f)), obligationText(o))
				if v := counterexample(o); v != nil {
					for _, line := range v {
						fmt.Fprintf(w, "      %s\n", line)
					}
				}
			}
		}
	}
	for _, a := range r.Affected {
		fmt.Fprintf(w, "  %s\n", style.Dim(affectedText(a)))
	}
	if r.Interrupted {
		fmt.Fprintln(w, "  interrupted: not all verdicts were found")
	}
}

// counterexample is the counterexample of a refuted obligation, in lines.
func counterexample(o *review.ObligationChange) []string {
	if o.New == nil || o.Is.Verdict != discharge.Refuted {
		return nil
	}
	return violationLines(discharge.Lift(discharge.Result{Obligation: o.New, Outcome: o.Outcome}))
}

// code writes text as code of Markdown.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	pad := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		pad = " "
	}
	return fence + pad + strings.ReplaceAll(text, "|", "\\|") + pad + fence
}

func reviewMarkdown(w io.Writer, r *review.Review) {
	fmt.Fprintf(w, "### %s\n\n%s\n\n", r.Project, summary(r))
	if len(r.Changes) > 0 {
		fmt.Fprint(w, "| change | element | effect |\n|---|---|---|\n")
	}
	for _, c := range r.Changes {
		fmt.Fprintf(w, "| %s | %s | %s |\n", c.What, code(changeText(c)), c.Effect)
	}
	diffs := false
	for _, c := range r.Changes {
		if len(c.Diff) == 0 {
			continue
		}
		if !diffs {
			fmt.Fprint(w, "\n```diff\n")
			diffs = true
		}
		fmt.Fprintf(w, "@ %s\n", c.Element().Path())
		for _, sign := range []byte("-+") {
			var line strings.Builder
			for _, p := range c.Diff {
				if p.Sign == ' ' || p.Sign == sign {
					line.WriteString(p.Text)
				}
			}
			fmt.Fprintf(w, "%c %s\n", sign, line.String())
		}
	}
	if diffs {
		fmt.Fprint(w, "```\n")
	}
	fmt.Fprintln(w)
	for _, f := range fates {
		for _, o := range r.Obligations {
			if o.Fate == f && notable(o) {
				fmt.Fprintf(w, "- **%s** %s\n", f, code(obligationText(o)))
				for _, line := range counterexample(o) {
					fmt.Fprintf(w, "  - %s\n", code(line))
				}
			}
		}
	}
	if len(r.Affected) > 0 {
		fmt.Fprint(w, "\n| reached | refines | itself changed | touched | obligations |\n|---|---|---|---:|---:|\n")
	}
	for _, a := range r.Affected {
		own := ""
		if a.Changed {
			own = "yes"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %d | %d |\n", a.Component, a.Refines, own, a.Touched, a.Total)
	}
	fmt.Fprintln(w)
}

type jsonChange struct {
	Project string      `json:"project"`
	Change  review.What `json:"change"`
	Kind    string      `json:"kind"`
	Old     string      `json:"old,omitempty"`
	New     string      `json:"new,omitempty"`
	OldFile string      `json:"old_file,omitempty"`
	NewFile string      `json:"new_file,omitempty"`
	Line    int         `json:"line,omitempty"`
	Effect  string      `json:"effect,omitempty"`
	Diff    [][2]string `json:"diff,omitempty"`
}

type jsonFate struct {
	Project    string            `json:"project"`
	Obligation string            `json:"obligation"`
	Was        string            `json:"was,omitempty"`
	Fate       review.Fate       `json:"fate"`
	OldVerdict discharge.Verdict `json:"old_verdict,omitempty"`
	Verdict    discharge.Verdict `json:"verdict,omitempty"`
	OldSteps   int64             `json:"old_steps,omitempty"`
	Steps      int64             `json:"steps,omitempty"`
	Searched   bool              `json:"searched,omitempty"`
}

type jsonAffected struct {
	Project   string `json:"project"`
	Component string `json:"affected"`
	Refines   string `json:"refines,omitempty"`
	Changed   bool   `json:"changed"`
	Touched   int    `json:"touched"`
	Total     int    `json:"obligations"`
}

func reviewsJSON(w io.Writer, reviews []*review.Review) error {
	out := newLines(w)
	for _, r := range reviews {
		for _, c := range r.Changes {
			j := jsonChange{Project: r.Project, Change: c.What, Kind: c.Element().Kind, Effect: string(c.Effect), Line: c.Element().Span.Line}
			if c.Old != nil {
				j.Old, j.OldFile = c.Old.Path(), c.Old.File
			}
			if c.New != nil {
				j.New, j.NewFile = c.New.Path(), c.New.File
			}
			for _, p := range c.Diff {
				j.Diff = append(j.Diff, [2]string{strings.TrimSpace(string(p.Sign)), p.Text})
			}
			out.put(j)
		}
		for _, o := range r.Obligations {
			x := o.Obligation()
			j := jsonFate{
				Project: r.Project, Obligation: x.Component + "/" + x.Name, Fate: o.Fate,
				OldVerdict: o.Was.Verdict, Verdict: o.Is.Verdict, OldSteps: o.Was.Steps, Steps: o.Is.Steps,
				Searched: o.Outcome.Verdict != "" && !o.Outcome.Stored,
			}
			if o.Old != nil && o.New != nil {
				if was := o.Old.Component + "/" + o.Old.Name; was != j.Obligation {
					j.Was = was
				}
			}
			out.put(j)
		}
		for _, a := range r.Affected {
			out.put(jsonAffected{r.Project, a.Component, a.Refines, a.Changed, a.Touched, a.Total})
		}
	}
	return out.err
}

// maxAnnotations is how many annotations of one level a step shows on GitHub.
const maxAnnotations = 10

func reviewsGitHub(w io.Writer, reviews []*review.Review) error {
	for _, r := range reviews {
		shown := map[string]int{}
		for _, f := range fates {
			for _, o := range r.Obligations {
				if o.Fate != f || !notable(o) {
					continue
				}
				level := "notice"
				switch {
				case f == review.Lost || o.Is.Verdict == discharge.Refuted:
					level = "error"
				case o.Is.Verdict == discharge.Open:
					level = "warning"
				}
				if shown[level]++; shown[level] > maxAnnotations {
					continue
				}
				x := o.Obligation()
				place := ""
				if len(x.Sources) > 0 {
					s := x.Sources[0].Span()
					place = fmt.Sprintf(" file=%s,line=%d,title=%s", propertyText(s.File), max(1, s.Line), propertyText(string(f)))
				}
				text := obligationText(o)
				for _, line := range counterexample(o) {
					text += "\n" + line
				}
				fmt.Fprintf(w, "::%s%s::%s\n", level, place, messageText(text))
			}
		}
		fmt.Fprintf(w, "::notice title=%s::%s\n", propertyText("review of "+r.Project), messageText(summary(r)))
	}
	return nil
}

// messageText escapes the message of an annotation.
func messageText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// propertyText escapes a property of an annotation.
func propertyText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
