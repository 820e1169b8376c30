package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gradine/gradine/discharge"
)

// Verdict is the outcome for one obligation or sequent.
type Verdict struct {
	ID             any                  `json:"id,omitempty"`
	Project        string               `json:"project,omitempty"`
	Component      string               `json:"component,omitempty"`
	Name           string               `json:"name,omitempty"`
	Verdict        discharge.Verdict    `json:"verdict"`
	Steps          int64                `json:"steps"`
	Certificate    string               `json:"certificate,omitempty"`
	Committed      bool                 `json:"committed,omitempty"` // by a certificate of proofs.certs
	Expected       string               `json:"expected,omitempty"`  // why gradine.toml expects the verdict
	Recorded       discharge.Verdict    `json:"recorded,omitempty"`  // in proofs.lock, which nobody believes
	Used           []string             `json:"used"`
	Accurate       bool                 `json:"accurate"` // the obligation is, and its component is whole
	Uncertified    int                  `json:"uncertified,omitempty"`
	Counterexample *discharge.Violation `json:"counterexample,omitempty"`
	Fault          string               `json:"fault,omitempty"` // an error of this program, the reason why there is no verdict
	MS             *float64             `json:"ms,omitempty"`
}

// Verdicts writes one verdict a line.
type Verdicts struct{ out *lines }

// NewVerdicts returns a writer to w.
func NewVerdicts(w io.Writer) *Verdicts { return &Verdicts{newLines(w)} }

// Put writes one verdict.
func (v *Verdicts) Put(x Verdict) error {
	if x.Used == nil {
		x.Used = []string{}
	}
	v.out.put(x)
	return v.out.err
}

// Components writes a line for each component: its obligations by verdict, and
// whether it is verified; beside it what another tool recorded, by component.
func Components(w io.Writer, style Style, project string, list []discharge.Status, recorded map[string]string) {
	for _, s := range list {
		name := fmt.Sprintf("%-32s", project+"/"+s.Component)
		fmt.Fprintf(w, "%s %5d", style.Bold(name), s.Total)
		count := func(v discharge.Verdict, paint func(string) string) {
			if n := s.Count[v]; n > 0 {
				fmt.Fprintf(w, "  %s", paint(fmt.Sprintf("%d %s", n, v)))
			}
		}
		count(discharge.Proved, style.Green)
		count(discharge.Vacuous, style.Yellow)
		count(discharge.Refuted, style.Red)
		count(discharge.Open, style.Yellow)
		if other := recorded[s.Component]; other != "" && s.Total > 0 {
			fmt.Fprintf(w, "  (%s)", other)
		}
		switch {
		case s.Verified:
			fmt.Fprintf(w, "  %s\n", style.Green("verified"))
		case s.Unknown:
			fmt.Fprintf(w, "  %s\n", style.Dim(s.Why))
		default:
			fmt.Fprintf(w, "  %s\n", style.Dim("not verified: "+s.Why))
		}
	}
}

// Unproved lists the obligations that are not proved, against expectation, and the
// totals.
func Unproved(w io.Writer, style Style, results []discharge.Result) {
	for _, r := range results {
		if r.Expected != nil {
			continue
		}
		switch r.Verdict {
		case discharge.Proved:
			continue
		case discharge.Refuted:
			fmt.Fprint(w, style.Red("refuted"))
		default:
			fmt.Fprint(w, style.Yellow(string(r.Verdict)))
		}
		fmt.Fprintf(w, " %s/%s/%s\n", r.Project, r.Component, r.Name)
		if r.Fault != "" {
			fmt.Fprintf(w, "    internal fault: %s; please report it with the model\n", r.Fault)
		}
		violation(w, style, discharge.Lift(r))
	}
	t := discharge.Count(results)
	fmt.Fprintln(w, provedText(t))
	if t.Expected > 0 {
		fmt.Fprintln(w, expectedText(t))
	}
	next(w, style, results)
}

// provedText is the total of what is proved.
func provedText(t discharge.Totals) string {
	return fmt.Sprintf("%d of %d obligations proved", t.Proved, t.Asked)
}

// expectedText is the total of what is as expected.
func expectedText(t discharge.Totals) string {
	if t.Expected == 1 {
		return "1 obligation has the verdict that gradine.toml expects"
	}
	return fmt.Sprintf("%d obligations have the verdict that gradine.toml expects", t.Expected)
}

// ReplayedProofs says how many results committed certificates prove, and what is recorded of
// the others.
func ReplayedProofs(w io.Writer, results []discharge.Result) {
	proved, recorded := 0, 0
	for _, r := range results {
		switch {
		case r.Verdict.Holds():
			proved++
		case r.Recorded != nil && r.Recorded.Verdict.Holds():
			recorded++
		}
	}
	fmt.Fprintf(w, "%d of %s proved by committed certificates; proofs.lock records %d of the others as proved; --replay does not check them\n",
		proved, Count(len(results), "obligation"), recorded)
}

// Committed lists the results that hold by committed certificates: a default search
// does not find their proofs.
func Committed(w io.Writer, style Style, results []discharge.Result) {
	for _, r := range results {
		if r.Committed {
			fmt.Fprintf(w, "%s %s/%s/%s: proved by its certificate in proofs.certs (%d steps)\n", style.Dim("committed"), r.Project, r.Component, r.Name, r.Steps)
		}
	}
}

// Unconfirmed lists results of which proofs.lock says more than was found.
func Unconfirmed(w io.Writer, style Style, results []discharge.Result) {
	for _, r := range results {
		fmt.Fprintf(w, "%s %s/%s/%s: proofs.lock claims %s, but neither a search nor a certificate confirms it; rewrite it with `gradine prove --lock`, or search longer with --steps N\n",
			style.Red("unconfirmed"), r.Project, r.Component, r.Name, r.Recorded.Verdict)
	}
}

// longest is how many obligations Times names.
const longest = 5

// Times says how long results took, and which of them the longest.
func Times(w io.Writer, results []discharge.Result) {
	var sum time.Duration
	for _, r := range results {
		sum += r.Elapsed
	}
	fmt.Fprintf(w, "%.2f s of searching; the longest:\n", sum.Seconds())
	slow := slices.Clone(results)
	slices.SortStableFunc(slow, func(a, b discharge.Result) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	for _, r := range slow[:min(longest, len(slow))] {
		fmt.Fprintf(w, "  %8.2f s  %s/%s/%s\n", r.Elapsed.Seconds(), r.Project, r.Component, r.Name)
	}
}
