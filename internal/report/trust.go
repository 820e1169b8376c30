package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/prover/cert"
)

// TrustRow says how many verdicts of a project rest on something.
type TrustRow struct {
	What  string
	Count int
}

// TrustRows counts what the verdicts of a project rest on.
func TrustRows(findings Findings) []TrustRow {
	count := map[verdict.Verdict]int{}
	lemmas := map[string]int{}
	wd := 0
	for _, result := range findings.Results {
		count[result.Verdict]++
		// Most proofs do without well-definedness: it is worth knowing which rest on other obligations.
		if len(result.UsedWD) > 0 || result.Rests.WDGoal {
			wd++
		}
		for _, l := range result.Rests.Lemmas {
			lemmas[l]++
		}
	}
	rows := []TrustRow{
		{"certificates checked by the proof kernel", count[verdict.Proved] + count[verdict.Vacuous]},
		{"of these certificates: proofs that do not use the goal (vacuous)", count[verdict.Vacuous]},
		{"of these certificates: proofs that assume well-definedness, which is proved separately", wd},
		{"counterexamples confirmed by the evaluator", count[verdict.Refuted]},
		{"searches without a result", count[verdict.Open]},
	}
	// A lemma has a proof of its own that the kernel has checked; who doubts one finds its users here.
	for _, name := range slices.Sorted(maps.Keys(lemmas)) {
		rows = append(rows, TrustRow{"certificates that use lemma " + name, lemmas[name]})
	}
	return rows
}

// Trust writes the ledger: what is trusted, the kernel's axioms, and what the
// verdicts of each project rest on.
func Trust(out io.Writer, style Style, projects []Findings) {
	fmt.Fprintln(out, style.Bold("Trusted by every verdict"))
	fmt.Fprint(out, `  the static checker and the obligation generator
  logic and prover/kernel, with the axioms below
  for counterexamples and for optima found by running: logic/eval and explore
`)
	fmt.Fprintf(out, "\n%s\n", style.Bold("Axioms of the proof kernel, and lemmas it has checked"))
	for line := range strings.Lines(cert.Table()) {
		fmt.Fprint(out, "  "+line)
	}
	for _, findings := range projects {
		fmt.Fprintf(out, "\n%s\n", style.Bold("Project "+findings.Name))
		for _, r := range TrustRows(findings) {
			if r.Count > 0 {
				fmt.Fprintf(out, "  %6d  %s\n", r.Count, r.What)
			}
		}
		for _, status := range findings.Status {
			if status.Verified {
				fmt.Fprintf(out, "  %s %s\n", style.Green("verified"), status.Component)
			} else {
				fmt.Fprintf(out, "  %s %s: %s\n", style.Yellow("not verified"), status.Component, status.Why)
			}
		}
	}
}
