package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
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
	for _, r := range requirements(f) {
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

const sampleTuning = `{"tune":"tiling","instance":{"size":8},"complete":true,"by":"run","best":[{"WG":4,"TS":2}],"T_ev":20,"table":[` +
	`{"point":{"WG":2,"TS":2},"T_ev":40},{"point":{"WG":4,"TS":2},"T_ev":20},{"point":{"WG":2,"TS":4},"illegal":"violates c/a"},{"point":{"WG":4,"TS":4},"above":20}]}`

func samplePage(t *testing.T) string {
	t.Helper()
	tunings, err := ReadTunings(strings.NewReader(sampleTuning))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := HTML(&out, []Findings{sampleFindings(t)}, tunings); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHTML checks what needs no browser: nothing is fetched, links lead somewhere,
// names are text.
func TestHTML(t *testing.T) {
	page := samplePage(t)
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("id %s twice", m[1])
		}
		ids[m[1]] = true
	}
	links := regexp.MustCompile(`\b(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1)
	for _, m := range links {
		if id, ok := strings.CutPrefix(m[1], "#"); m[1] != "data:," && (!ok || !ids[id]) {
			t.Errorf("link to %s", m[1])
		}
	}
	if len(links) < 10 || strings.Contains(page, "url(") || strings.Contains(page, "@import") {
		t.Errorf("%d links, or something to fetch", len(links))
	}
	if strings.Contains(page, "machine <b>") || !strings.Contains(page, "&lt;b&gt;") {
		t.Error("a name is read as markup")
	}
	for _, want := range []string{"REQ-3", "violates c/a", "n + 1 ≤ most", "certificate sha256:"} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("no %q", want)
		}
	}
}

// probe is put into the page under test: it tells the page around it whether it
// is dark, whether it is as wide as its window, whether every link can be reached
// by keyboard, and whether a link opens the details it leads to.
const probe = `<script>addEventListener("load", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const wide = document.documentElement.scrollWidth <= innerWidth;
  document.querySelectorAll("details.all").forEach(d => { d.open = true; });
  const keys = [...document.querySelectorAll("a, summary, .wide")].every(e => { e.focus(); return document.activeElement === e; });
  document.querySelectorAll("details.all").forEach(d => { d.open = false; });
  const inner = document.querySelector("details details");
  location.hash = inner.id;
  setTimeout(() => parent.postMessage([innerWidth, dark, wide, keys, inner.open && inner.checkVisibility()].join(" "), "*"), 50);
});</script></body>`

const frame = `<!doctype html><title></title><body><script>addEventListener("message", e => { document.title = e.data; });</script><iframe src="report.html" width="%d" height="900" style="border: 0"></iframe></body>`

func TestHTMLInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("report.html", strings.Replace(samplePage(t), "</body>", probe, 1))
	for _, width := range []int{400, 800, 1280} {
		file := write("frame.html", fmt.Sprintf(frame, width))
		for _, dark := range []bool{false, true} {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", "--virtual-time-budget=3000",
				"--window-size=1400,1000", "--user-data-dir=" + t.TempDir()}
			if dark {
				args = append(args, "--blink-settings=preferredColorScheme=0")
			}
			c := exec.CommandContext(ctx, browser, append(args, "--dump-dom", (&url.URL{Scheme: "file", Path: file}).String())...)
			var errs strings.Builder
			c.Stderr = &errs
			dom, err := c.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, errs.String())
			}
			if want := fmt.Sprintf("<title>%d %t true true true</title>", width, dark); !strings.Contains(string(dom), want) {
				t.Errorf("width %d: %s, want %s", width, regexp.MustCompile("<title>.*?</title>").Find(dom), want)
			}
			if strings.Contains(errs.String(), "CONSOLE") {
				t.Errorf("width %d: the console says\n%s", width, errs.String())
			}
		}
	}
}

// Where schedules differ, what is best depends on the criterion: the answer says it,
// not the page.
func TestHeatMapOfRanges(t *testing.T) {
	for criterion, want := range map[string]string{"worst": "P=2:5 ", "best": "P=1:1‥10 P=3:1‥10 "} {
		best := map[string]string{"worst": `{"P":2}`, "best": `{"P":1}`}[criterion]
		line := `{"tune":"either","instance":{"layout":"row"},"carriers":{"S":3},"complete":true,"by":"exhaustive","criterion":"` + criterion + `","best":[` + best + `],"range":[1,10],"table":[` +
			`{"point":{"P":1},"range":[1,10]},{"point":{"P":2},"T_ev":5},{"point":{"P":3},"same_as":{"P":1},"range":[1,10]}]}`
		ts, err := ReadTunings(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		h := heatMapOf(ts[0])
		got := ""
		for i, c := range h.Rows[0].Cells {
			if c.Best {
				got += "P=" + h.Columns[i] + ":" + c.Text + " "
			}
		}
		if got != want || !strings.Contains(h.Claim, "1‥10") || !strings.Contains(h.Claim, criterion) || h.Instance != "layout = row, card(S) = 3" {
			t.Errorf("%s: best %q, want %q; %q, %q", criterion, got, want, h.Claim, h.Instance)
		}
	}
}
