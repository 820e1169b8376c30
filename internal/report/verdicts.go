package report

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report/chart"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/logic/eval"
)

// Verdict is the outcome for one obligation or sequent.
type Verdict struct {
	ID             any                `json:"id,omitempty"`             // id of the sequent in the file of --sequents
	Project        string             `json:"project,omitempty"`        // name of the project
	Component      string             `json:"component,omitempty"`      // name of the context or machine
	Name           string             `json:"name,omitempty"`           // name of the obligation, without its component
	Verdict        verdict.Verdict    `json:"verdict"`                  // proved, vacuous, refuted or open
	End            verdict.End        `json:"end,omitempty"`            // why the search for an open obligation ended: exhausted or budget
	By             verdict.By         `json:"by,omitempty"`             // basis of a refutation: evaluation, or evaluation+certificate
	Steps          *int64             `json:"steps"`                    // search steps; null if the answer is not signed with the reader's key
	Certificate    string             `json:"certificate,omitempty"`    // the proof, for cmd/recheck
	Committed      bool               `json:"committed,omitempty"`      // the proof is a certificate from proofs.certs
	Hints          string             `json:"hints,omitempty"`          // outcome of the proof hints: needed, unneeded or failed
	Expected       string             `json:"expected,omitempty"`       // the reason for this verdict in gradine.toml
	Recorded       verdict.Verdict    `json:"recorded,omitempty"`       // verdict recorded in proofs.lock, which is not trusted
	Used           []string           `json:"used"`                     // hypotheses that the proof uses
	Accurate       bool               `json:"accurate"`                 // the obligation and its component are accurate
	Uncertified    int                `json:"uncertified,omitempty"`    // number of certificates that the proof kernel rejected: a defect of gradine
	Counterexample *verdict.Violation `json:"counterexample,omitempty"` // values of the counterexample, and a run that reaches its state
	Countermodel   *eval.Model        `json:"countermodel,omitempty"`   // for --sequents: sizes of carrier sets, values of identifiers
	Fault          string             `json:"error,omitempty"`          // internal error of gradine, the reason for a missing verdict
	MS             *float64           `json:"ms,omitempty"`             // with --timing: duration of the search in milliseconds
}

// VerdictOf is what was found of an obligation; timing adds the time it took.
func VerdictOf(result verdict.Result, timing bool) Verdict {
	v := VerdictOfSequent(result.Outcome, timing)
	v.Project, v.Component, v.Name, v.Accurate = result.Project, result.Component, result.Name, result.Accurate && result.Of().Whole()
	for _, i := range result.Used {
		v.Used = append(v.Used, result.HypothesisLabel(i))
	}
	if result.Expected != nil {
		v.Expected = cmp.Or(result.Expected.Why, "yes")
	}
	if result.Recorded != nil {
		v.Recorded = result.Recorded.Verdict
	}
	v.Counterexample = explain.Lift(result)
	return v
}

// VerdictOfSequent is what was found of a lone sequent.
func VerdictOfSequent(o verdict.Outcome, timing bool) Verdict {
	v := Verdict{Verdict: o.Verdict, By: o.By(), End: o.End, Certificate: o.Certificate, Committed: o.Committed, Hints: o.Hints, Uncertified: o.Uncertified, Fault: o.Fault}
	if !o.Uncounted {
		v.Steps = &o.Steps
	}
	if timing {
		ms := float64(o.Elapsed.Microseconds()) / 1000
		v.MS = &ms
	}
	return v
}

// Verdicts writes one verdict a line.
type Verdicts struct{ out *Lines }

// NewVerdicts returns a writer to w.
func NewVerdicts(w io.Writer) *Verdicts { return &Verdicts{NewLines(w)} }

// Put writes one verdict.
func (v *Verdicts) Put(x Verdict) error {
	if x.Used == nil {
		x.Used = []string{}
	}
	v.out.Put(x)
	return v.out.Err
}

// mostComponents is how many verified components of a project have a line each in a brief table.
const mostComponents = 12

// Components writes a line for each component: its obligations by verdict, whether it is verified, and what
// another tool recorded of it, by component. A brief table has one line for all verified components of a large project.
func Components(out io.Writer, style Style, project string, list []judgement.Status, recorded map[string]string, brief bool) {
	plain := func(s judgement.Status) bool { return s.Verified && s.Total == s.Count[verdict.Proved] }
	if verified := slices.DeleteFunc(slices.Clone(list), func(s judgement.Status) bool { return !plain(s) }); brief && len(recorded) == 0 && len(verified) > mostComponents {
		n := 0
		for _, s := range verified {
			n += s.Total
		}
		list = slices.DeleteFunc(slices.Clone(list), plain)
		fmt.Fprintf(out, "%s %5d  %s  %s\n", style.Bold(fmt.Sprintf("%-32s", project)), n, style.Green(fmt.Sprintf("%d proved", n)), style.Green(Count(len(verified), "component")+" verified"))
	}
	for _, status := range list {
		name := fmt.Sprintf("%-32s", project+"/"+status.Component)
		fmt.Fprintf(out, "%s %5d", style.Bold(name), status.Total)
		count := func(v verdict.Verdict, paint func(string) string) {
			n, expected := status.Count[v], status.Expected[v]
			switch {
			case n == 0:
			case expected == n:
				fmt.Fprintf(out, "  %d %s, as expected", n, v)
			case expected > 0:
				fmt.Fprintf(out, "  %s", paint(fmt.Sprintf("%d %s, %d of them as expected", n, v, expected)))
			default:
				fmt.Fprintf(out, "  %s", paint(fmt.Sprintf("%d %s", n, v)))
			}
		}
		count(verdict.Proved, style.Green)
		count(verdict.Vacuous, style.Yellow)
		count(verdict.Refuted, style.Red)
		count(verdict.Open, style.Yellow)
		// What another tool has recorded, such as Rodin, is shown next to what was found here.
		if other := recorded[status.Component]; other != "" && status.Total > 0 {
			fmt.Fprintf(out, "  (%s)", other)
		}
		switch {
		case status.Verified:
			fmt.Fprintf(out, "  %s\n", style.Green("verified"))
		case status.Unknown:
			fmt.Fprintf(out, "  %s\n", style.Dim(status.Why))
		case asExpected(status):
			fmt.Fprintln(out) // the counts say so
		default:
			fmt.Fprintf(out, "  %s\n", style.Dim("not verified: "+status.Why))
		}
	}
}

// asExpected reports whether all that speaks against a component is that obligations of it are not proved, as expected.
func asExpected(s judgement.Status) bool {
	against, expected := s.Total-s.Count[verdict.Proved], 0
	for _, n := range s.Expected {
		expected += n
	}
	return s.Fault == "" && s.Of.Whole() && against > 0 && against == expected-s.Expected[verdict.Proved]
}

// Unproved lists the obligations that are not proved, against expectation, and the
// totals. It returns the faults that have cost the counterexample of one, which says so.
func Unproved(out io.Writer, style Style, results []verdict.Result, why string) (faults []*seam.Fault) {
	incomplete := 0
	for _, result := range results {
		switch {
		case result.Expected != nil || result.Verdict == verdict.Proved:
			continue
		case !result.Accurate && result.Fault == "":
			// What an error has taken away may be all that is missing: it says nothing of what was written.
			incomplete++
			continue
		}
		switch result.Verdict {
		case verdict.Refuted:
			fmt.Fprint(out, style.Red("refuted"))
		default:
			fmt.Fprint(out, style.Yellow(string(result.Verdict)))
		}
		fmt.Fprintf(out, " %s/%s/%s\n", result.Project, result.Component, result.Name)
		if about := inKernel(result.Obligation); about != "" {
			fmt.Fprintf(out, "    %s\n", about)
		}
		if result.Fault != "" {
			fmt.Fprintf(out, "    internal error: %s; please report it with the model\n", result.Fault)
		}
		if fault := seam.Contain(context.Background(), seam.Renderer, result.Path(), func(context.Context) { violation(out, style, explain.Lift(result)) }); fault != nil {
			fmt.Fprintf(out, "    the counterexample cannot be shown: internal error: %s; please report it with the model\n", fault)
			faults = append(faults, fault)
		}
	}
	if incomplete > 0 {
		fmt.Fprintf(out, "%s because of model errors; fix those first\n", style.Yellow(Count(incomplete, "obligation")+" not proved"))
	}
	t := judgement.Count(results)
	fmt.Fprintln(out, ProvedText(t))
	if t.Expected > 0 {
		fmt.Fprintln(out, ExpectedText(t))
	}
	next(out, style, results, why)
	return faults
}

// ProvedText is the total of what is proved.
func ProvedText(t judgement.Totals) string {
	return fmt.Sprintf("%d of %d obligations proved", t.Proved, t.Asked)
}

// ExpectedText counts by verdict what is not proved, as expected.
func ExpectedText(t judgement.Totals) string {
	var parts []string
	for _, v := range []verdict.Verdict{verdict.Refuted, verdict.Vacuous, verdict.Open, verdict.Proved} {
		if n := t.ExpectedAs[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", chart.Grouped(big.NewInt(int64(n))), v))
		}
	}
	return strings.Join(parts, " and ") + ", as expected"
}

// ReplayedProofs says how many results committed certificates prove, and what is recorded of
// the others.
func ReplayedProofs(out io.Writer, results []verdict.Result) {
	proved, recorded := 0, 0
	for _, result := range results {
		switch {
		case result.Verdict.Holds():
			proved++
		case result.Recorded != nil && result.Recorded.Verdict.Holds():
			recorded++
		}
	}
	fmt.Fprintf(out, "%d of %s proved by committed certificates; proofs.lock records %d more as proved, which --replay does not check\n",
		proved, Count(len(results), "obligation"), recorded)
	fmt.Fprintln(out, "--replay does not check the consistency of axioms, invariants and guards; `gradine prove` does")
}

// Committed lists the results that hold by committed certificates: a default search
// does not find their proofs.
func Committed(w io.Writer, style Style, results []verdict.Result) {
	for _, r := range results {
		if r.Committed {
			fmt.Fprintf(w, "%s %s/%s/%s: proved by its certificate in proofs.certs (%d steps)\n", style.Dim("committed"), r.Project, r.Component, r.Name, r.Steps)
		}
	}
}

// Unconfirmed lists results of which proofs.lock says more than was found.
func Unconfirmed(w io.Writer, style Style, results []verdict.Result) {
	for _, r := range results {
		fmt.Fprintf(w, "%s %s/%s/%s: proofs.lock records %s, but no search or certificate confirms it; run `gradine prove --lock`, or raise the budget with --steps N\n",
			style.Red("unconfirmed"), r.Project, r.Component, r.Name, r.Recorded.Verdict)
	}
}

// longest is how many obligations Times names.
const longest = 5

// Times says how long results took, and which of them the longest.
func Times(out io.Writer, results []verdict.Result) {
	var sum time.Duration
	for _, result := range results {
		sum += result.Elapsed
	}
	fmt.Fprintf(out, "%.2f s of searching; longest searches:\n", sum.Seconds())
	slow := slices.Clone(results)
	slices.SortStableFunc(slow, func(a, b verdict.Result) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	for _, result := range slow[:min(longest, len(slow))] {
		fmt.Fprintf(out, "  %8.2f s  %s/%s/%s\n", result.Elapsed.Seconds(), result.Project, result.Component, result.Name)
	}
}
