package report

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/report/latex"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

const sample = `context limits
constants most
axioms
  @most most ∈ ℕ1 // P1: there is a limit.
end

machine counter sees limits
variables n
invariants
  // REQ-3: the counter is no less than 0.
  @type n ∈ ℕ
  @limit n ≤ most // L2: it does not pass the limit.
events
  event INITIALISATION
  then
    @start n ≔ 0
  end

  event up
  then
    @more n ≔ n + 1
  end
end

machine` + " `<b>` " + `refines counter sees limits
variables n
events
  event INITIALISATION extends INITIALISATION
  end

  event up extends up
  where
    @below n < most
  end
end
`

// sampleFindings proves the sample; one of its obligations is false.
func sampleFindings(t *testing.T) Findings {
	t.Helper()
	var problems diag.List
	dev := check.Development("sample", []*lang.File{lang.Parse("models/a b.eventb", []byte(sample), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := Findings{Name: "sample", Dev: dev}
	opts := discharge.Options{RefuteSteps: 1_000_000, Store: discharge.OpenStore(t.TempDir())}
	for range 2 { // the second time from the store, as reports do
		f.Results = nil
		discharge.Run(context.Background(), len(obligations), func(i int) logic.Sequent { return obligations[i].Sequent() }, opts, func(i int, o discharge.Outcome) {
			f.Results = append(f.Results, discharge.Result{Obligation: obligations[i], Outcome: o})
		})
	}
	f.Status = discharge.Components(dev, f.Results)
	return f
}

func TestSARIF(t *testing.T) {
	f := sampleFindings(t)
	var out bytes.Buffer
	if err := SARIF(&out, f.Results); err != nil {
		t.Fatal(err)
	}
	r, err := sarif.FromBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
	if len(r.Runs) != 1 || len(r.Runs[0].Results) != 1 {
		t.Fatalf("not one run with one result: %s", out.String())
	}
	x := r.Runs[0].Results[0]
	if *x.RuleID != "INV" || x.Level != "error" || x.PartialFingerprints["obligation/v1"] == "" {
		t.Errorf("rule %s, level %s, fingerprints %v", *x.RuleID, x.Level, x.PartialFingerprints)
	}
	if uri := *x.Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "models/a%20b.eventb" {
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
		found = append(found, finding{obligation: f.Results[i%len(f.Results)].Obligation, level: sarif.LevelNote, text: "x"})
	}
	var out bytes.Buffer
	if err := writeSARIF(&out, "gradine/report", found); err != nil {
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
	if err := JUnit(&out, f.Results); err != nil {
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
	Table(&out, []Findings{f})
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
	Requirements(&out, []Findings{sampleFindings(t)})
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

// Where schedules differ, what is best depends on the criterion: the answer says it,
// not the page.
func TestGridOfRanges(t *testing.T) {
	for criterion, want := range map[string]string{"worst": "P=2:5 ", "best": "P=1:1 P=3:1 "} {
		best := map[string]string{"worst": `{"P":2}`, "best": `{"P":1}`}[criterion]
		line := `{"tune":"either","instance":{"layout":"row"},"carriers":{"S":3},"complete":true,"by":"exhaustive","criterion":"` + criterion + `","best":[` + best + `],"range":[1,10],"table":[` +
			`{"point":{"P":1},"range":[1,10]},{"point":{"P":2},"T_ev":5},{"point":{"P":3},"same_as":{"P":1},"range":[1,10]}]}`
		ts, err := ReadTunings(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		g := GridOf(ts[0])
		got := ""
		for c, name := range g.Columns {
			if x := g.Cells[[2]int{c, 0}]; x.Best {
				got += "P=" + name + ":" + x.Worth.String() + " "
			}
		}
		if got != want || g.Given() != "layout = row, card(S) = 3" {
			t.Errorf("%s: best %q, want %q; %q", criterion, got, want, g.Given())
		}
	}
}

// A grid with more values than a picture has room for keeps its best points.
func TestThinnedGrid(t *testing.T) {
	x := Tuned{Tune: "long", Best: []json.RawMessage{json.RawMessage(`{"P":777,"Q":1}`)}}
	for p := range 1000 {
		x.Table = append(x.Table, TuningPoint{Point: json.RawMessage(fmt.Sprintf(`{"P":%d,"Q":1}`, p)), TEv: big.NewInt(int64(1000 + (p-777)*(p-777)))})
	}
	heat, note, err := GridOf(x).HeatMap()
	if err != nil || len(heat.Columns) > 2*mostTicks || !strings.Contains(note, "of 1000 values of P are shown") {
		t.Fatal(len(heat.Columns), note, err)
	}
	best := 0
	for at, c := range heat.Cells {
		if c.Best && heat.Columns[at[0]] == "777" {
			best++
		}
	}
	if best != 1 {
		t.Errorf("%d best points are drawn", best)
	}
	if _, _, err := GridOf(Tuned{Tune: "none"}).HeatMap(); err == nil {
		t.Error("a picture of nothing")
	}
}

// A document of LaTeX has balanced braces and dollars, and no character that its fonts
// lack; what a model says is no command.
func TestLaTeX(t *testing.T) {
	listings := []project.Listing{{Kind: "machine", Component: "a_b", Lines: []project.Line{
		{Keyword: "machine", Name: "a_b", Comment: "costs 5% of $10 & more\n{\\input{x}} → ☃"},
		{Depth: 1, Label: "inv_1", Theorem: true, Formula: []string{"∀x·x ∈ ℕ1 ∧ f ∈ A ⇸ ℙ(B) ⇒", "  (f <+ {x ↦ BOOL})∼[dom(g)] ⊆ 0 ‥ card(s) ∧ a' = b ÷ 2 ∧ T_ev <<->> x"}},
		{Keyword: "convergent event", Name: "go", Depth: 1},
		{Depth: 2, Label: "act", Formula: []string{"x :∣ x' > x", "y :∈ S ∖ T"}, Comment: "é"},
	}}}
	var out bytes.Buffer
	if err := latex.Write(&out, "a_b", "", listings); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(out.String(), "\\begin{document}")
	bare := strings.NewReplacer(`\\{`, "", `\\}`, "", `\{`, "", `\}`, "", `\$`, "").Replace(body)
	if strings.Count(bare, "{") != strings.Count(bare, "}") || strings.Count(bare, "$")%2 != 0 {
		t.Errorf("braces or dollars are not balanced:\n%s", body)
	}
	for _, r := range body {
		if r > 0x17f {
			t.Errorf("character %c", r)
		}
	}
	for _, want := range []string{`\mathbb{N}_1`, `\pfun`, `\mathrm{card}`, `\mathit{T\_ev}`, `\ovl`, `\bcmsuch`, `5\% of \$10 \& more`, `\textbackslash{}input`, `[U+2603]`, `\kw{CONVERGENT EVENT} \textit{go}`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
}
