package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report/sample"
	"github.com/gradine/gradine/review"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// sampleFindings are those of the sample: one obligation is false, and one is open.
func sampleFindings(t *testing.T) Findings {
	t.Helper()
	p, results := sample.Proved(t)
	return Findings{Name: p.Name, Dev: p.Dev, Results: results, Status: judgement.Components(p.Dev, results)}
}

func TestSARIF(t *testing.T) {
	f := sampleFindings(t)
	var out bytes.Buffer
	if err := SARIF(&out, Report{Projects: []Findings{f}}); err != nil {
		t.Fatal(err)
	}
	run := sample.ReadSARIF(t, out.String())
	if len(run.Results) != 2 {
		t.Fatalf("not two results: %s", out.String())
	}
	x := run.Results[0]
	if *x.RuleID != "INV" || x.Level != "error" || x.PartialFingerprints["obligation/v1"] == "" {
		t.Errorf("rule %s, level %s, fingerprints %v", *x.RuleID, x.Level, x.PartialFingerprints)
	}
	if uri := *x.Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "sample/a%20b.eventb" {
		t.Errorf("file %s", uri)
	}
	steps := x.CodeFlows[0].ThreadFlows[0].Locations
	if len(steps) != 3 || *steps[0].State["n"].Text == "" {
		t.Errorf("%d steps of the counterexample", len(steps))
	}
}

func TestSARIFLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 25,000 results")
	}
	f := sampleFindings(t)
	var found []finding
	for i := range maxResults + 5 {
		found = append(found, finding{obligation: f.Results[i%len(f.Results)].Obligation, level: "note", text: "x"})
	}
	var out bytes.Buffer
	if err := writeSARIF(&out, "", "gradine/report", found, nil); err != nil {
		t.Fatal(err)
	}
	r, err := sarif.FromBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Runs[0].Results); n != maxResults || !strings.Contains(out.String(), "5 more findings") {
		t.Errorf("%d results", n)
	}
}

func TestJUnit(t *testing.T) {
	f := sampleFindings(t)
	var out bytes.Buffer
	if err := JUnit(&out, Report{Projects: []Findings{f}}); err != nil {
		t.Fatal(err)
	}
	var all junitSuites
	if err := xml.Unmarshal(out.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if all.Tests != len(f.Results) || all.Failures != 1 || !strings.Contains(out.String(), "false: n + 1 ≤ most") {
		t.Errorf("%d tests, %d failures:\n%s", all.Tests, all.Failures, out.String())
	}
}

func TestTable(t *testing.T) {
	f := sampleFindings(t)
	var out bytes.Buffer
	table(&out, []Findings{f}, nil)
	for _, want := range []string{"| counter | 4 | 3 | 0 | 1 |", "| **total** |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestRequirements(t *testing.T) {
	got := ""
	f := sampleFindings(t)
	for _, r := range RequirementsOf(f) {
		got += r.ID + ":"
		for _, e := range r.Elements {
			got += fmt.Sprintf(" %s %d", e.Path, len(e.Obligations))
		}
		got += "\n"
	}
	want := "P1: limits/most 0\nREQ-3: counter/type 2\nL2: counter/limit 2\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRequirementsTable(t *testing.T) {
	var out bytes.Buffer
	requirements(&out, []Findings{sampleFindings(t)})
	for _, want := range []string{"### Requirements of sample", "| `limits/most` |  | no obligations |", "| `counter/type` | `"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	got := ""
	for _, r := range requirementsIn("Text.\nA1: one\n  and more\nA2: two\n\nnothing of it") {
		got += r.ID + "=" + r.Text + ";"
	}
	if want := "A1=one and more;A2=two;"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// All formats show the same: what is not proved, and what else speaks against success.
func TestRenderers(t *testing.T) {
	x := Report{Projects: []Findings{sampleFindings(t)}, Against: []Against{{What: "contradiction", Text: "axioms of limits"}}}
	for format, render := range Reports {
		var out, again bytes.Buffer
		if err := errors.Join(render(&out, x), render(&again, x)); err != nil {
			t.Fatal(format, err)
		}
		for _, want := range []string{"axioms of limits", "n + 1", "REQ-3"} {
			if !strings.Contains(out.String(), want) && !(want == "REQ-3" && format != "markdown") {
				t.Errorf("%s: no %q in\n%s", format, want, out.String())
			}
		}
		if out.String() != again.String() {
			t.Errorf("%s: two reports of the same differ", format)
		}
	}
	limit := review.Element{Kind: "invariant", Component: "counter", Label: "limit", Text: "n ≤ most"}
	changes := Review{Again: "gradine review main", Projects: []*review.Review{{
		Project: "sample",
		Changes: []*review.Change{{What: review.Changed, Effect: review.Weaker, Old: &limit, New: &limit}},
		Claims:  []review.Claim{{Loss: review.Weakened, Text: "invariant counter/limit is weakened"}},
	}}}
	for format, render := range Reviews {
		var out bytes.Buffer
		if err := render(&out, changes); err != nil {
			t.Fatal(format, err)
		}
		if !strings.Contains(out.String(), "is weakened") {
			t.Errorf("%s: the claim is not shown:\n%s", format, out.String())
		}
	}
}

// TestReviewLimits wants scenarios, lost requirements and brief searches in each format of a review, with the same
// fingerprint whatever becomes of a scenario and wherever it stands.
func TestReviewLimits(t *testing.T) {
	place := diag.Span{File: "m/counter.scenario", Line: 7}
	lost := review.ScenarioChange{Name: "scenario up of counter", Was: "passed", Is: "failed", Why: "no guard", Lost: true, Span: place}
	gone := review.ScenarioChange{Name: "scenario down of counter", Was: "passed", Lost: true, Span: place}
	better := review.ScenarioChange{Name: "scenario far of counter", Was: "failed", Is: "passed", Span: place}
	_, results := sample.Proved(t)
	hard := &review.ObligationChange{New: results[0].Obligation, Old: results[0].Obligation, Fate: review.Same, Brief: 40_000}
	hard.Is.Verdict, hard.Was.Verdict = verdict.Open, verdict.Open
	x := Review{Again: "gradine review main", Projects: []*review.Review{{
		Project: "sample", Scenarios: []review.ScenarioChange{lost, gone, better}, Obligations: []*review.ObligationChange{hard},
		Requirements: []review.Requirement{
			{ID: "REQ-3", What: review.RequirementLost, Elements: []string{"m/e/g"}, Span: place},
			{ID: "REQ-4", What: review.RequirementTouched, Elements: []string{"m/e/g"}, Span: place},
		},
	}}}
	for format, render := range Reviews {
		var out bytes.Buffer
		if err := render(&out, x); err != nil {
			t.Fatal(format, err)
		}
		wants := []string{"scenario up of counter", "scenario down of counter", "searched only briefly", "requirement REQ-3 is lost: m/e/g"}
		if format == "jsonl" {
			wants[2], wants[3] = "brief_steps", `"requirement":"REQ-3","status":"lost"`
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", format, want, out.String())
			}
		}
		if format == "github" && strings.Count(out.String(), "::error file=m/counter.scenario,line=7,title=scenario::") != 2 || format == "github" && strings.Count(out.String(), "::warning file=m/counter.scenario,line=7,title=requirement::") != 1 {
			t.Errorf("annotations:\n%s", out.String())
		}
	}
	read := func() []*sarif.Result {
		var out bytes.Buffer
		if err := Reviews["sarif"](&out, x); err != nil {
			t.Fatal(err)
		}
		return sample.ReadSARIF(t, out.String()).Results
	}
	first := read()
	if len(first) != 3 {
		t.Fatalf("%d results", len(first))
	}
	if last := first[2]; *last.RuleID != "requirement" || last.Level != "warning" || *last.Locations[0].PhysicalLocation.Region.StartLine != 7 {
		t.Errorf("rule %s, level %s", *last.RuleID, last.Level)
	}
	for _, r := range first[:2] {
		if *r.RuleID != "scenario" || r.Level != "error" || *r.Locations[0].PhysicalLocation.Region.StartLine != 7 {
			t.Errorf("rule %s, level %s", *r.RuleID, r.Level)
		}
	}
	x.Projects[0].Scenarios[0].Span.Line, x.Projects[0].Scenarios[0].Is = 9, "unclear"
	for i, r := range read() {
		if r.PartialFingerprints["obligation/v1"] != first[i].PartialFingerprints["obligation/v1"] {
			t.Errorf("result %d has another fingerprint", i)
		}
	}
}

// A report lists the errors that check lists: those that follow from no others.
func TestErrorLines(t *testing.T) {
	list := []diag.Diagnostic{{Message: "cause", Severity: diag.Error}, {Message: "effect", Severity: diag.Error, Follows: true}}
	lines := ErrorLines(list)
	if len(lines) != 2 || !strings.Contains(lines[0], "cause") || !strings.HasPrefix(lines[1], "and 1 more") {
		t.Errorf("%q", lines)
	}
	if lines := ErrorLines(list[1:]); len(lines) != 1 || !strings.Contains(lines[0], "effect") {
		t.Errorf("an error alone: %q", lines)
	}
}
