package page

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"math/big"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/internal/report/sample"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/git"
)

// sampleReport proves the sample: one of its obligations is false, one stays open.
func sampleReport(t *testing.T) Report {
	t.Helper()
	p, results := sample.Proved(t)
	f := report.Findings{Name: p.Name, Dev: p.Dev, Results: results, Status: judgement.Components(p.Dev, results), Listings: p.Listings(), Searched: map[int]*report.Search{}}
	for i, r := range results {
		if r.Verdict == verdict.Open {
			tried := prover.Prove(r.Sequent(), prover.Options{Steps: sample.Steps})
			f.Searched[i] = &report.Search{Tried: &tried, Parts: explain.Parts(r.Sequent(), sample.Steps, func() bool { return false })}
		}
	}
	tunings, err := figures.ReadTunings(strings.NewReader(sampleTuning))
	if err != nil {
		t.Fatal(err)
	}
	var commits []project.TrendPoint
	for i := range 30 {
		commits = append(commits, project.TrendPoint{
			Commit: git.Commit{Hash: fmt.Sprintf("%040d", i), Date: "2026-01-02", Subject: "<b>change</b>"}, Components: 4, Verified: i % 5,
			Totals: judgement.Totals{Asked: 100 + i, Proved: 80 + i}, Debt: review.Debt{Open: 20, Axioms: i},
			Optima: []project.Optimum{{Entry: "tiling size=8", Best: fmt.Sprintf("WG=%d", 1+i/7), Objective: "T_ev", Low: big.NewInt(int64(40 - i/7)), High: big.NewInt(int64(40 - i/7)), Complete: true}},
		})
	}
	return Report{
		Origin: Origin{Title: "sample", Revision: "0123456", Date: "2026-01-02", Tool: "v1"}, Report: report.Report{Projects: []report.Findings{f}}, Tunings: tunings,
		Trend: &project.Trend{Points: commits, Passed: 3},
	}
}

// sampleTuning has two answers: a map with all kinds of cells, and one with more
// points than a table shows.
var sampleTuning = func() string {
	w := `{"tune":"tiling","instance":{"size":8000},"objective":"T_ev","complete":true,"by":"run","best":[{"WG":4,"TS":2}],"T_ev":20,"points":3,"table":[` +
		`{"point":{"WG":2,"TS":2},"T_ev":40000000000},{"point":{"WG":4,"TS":2},"T_ev":20},{"point":{"WG":2,"TS":4},"invalid":"violates c/a"},{"point":{"WG":4,"TS":4},"above":20}]}` + "\n" +
		`{"tune":"large","instance":{"size":8},"objective":"T_ev","complete":true,"by":"run","best":[{"WG":7,"TS":9}],"T_ev":20,"points":900,"table":[`
	for x := range 30 {
		for y := range 30 {
			if x+y > 0 {
				w += ","
			}
			w += fmt.Sprintf(`{"point":{"WG":%d,"TS":%d},"T_ev":%d}`, x, y, 20+(x-7)*(x-7)+(y-9)*(y-9))
		}
	}
	return w + "]}"
}()

// samplePages are pages of all kinds.
func samplePages(t *testing.T) map[string]string {
	t.Helper()
	r := sampleReport(t)
	out := map[string]string{}
	put := func(name string, write func(w *bytes.Buffer) error) {
		var w bytes.Buffer
		if err := write(&w); err != nil {
			t.Fatal(name, err)
		}
		out[name] = w.String()
	}
	put("report", func(w *bytes.Buffer) error { return WriteReport(w, r) })
	put("model", func(w *bytes.Buffer) error { return WriteModels(w, r.Origin, r.Projects[0].Listings) })
	put("coverage", func(w *bytes.Buffer) error {
		return WriteCoverage(w, r.Origin, &model.Machine{Name: "counter"}, &explore.Instance{}, &explore.Result{Machine: "counter", Verdict: explore.Complete, States: 3, Coverage: &explore.Coverage{}})
	})
	put("review", func(w *bytes.Buffer) error {
		return WriteReviews(w, r.Origin, "gradine review main", []*review.Review{{Project: "quiet"}, {Project: "sample <b>", Claims: []review.Claim{{Loss: review.Weakened, Text: "invariant m/<i> is weakened"}}, Changes: []*review.Change{{What: review.Added, New: &review.Element{Kind: "invariant", Component: "m", Label: "a", Text: "x < 1"}}}}})
	})
	return out
}

// TestPages checks what needs no browser: nothing is fetched, links lead somewhere,
// names are text, headings and tables are in order.
func TestPages(t *testing.T) {
	for name, page := range samplePages(t) {
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(`\bid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("%s: id %s twice", name, m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`\b(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if id, ok := strings.CutPrefix(m[1], "#"); m[1] != "data:," && (!ok || !ids[id]) {
				t.Errorf("%s: link to %s", name, m[1])
			}
		}
		for _, banned := range []string{"url(", "@import", "ZgotmplZ", "<b>", "<i>", "http-equiv"} {
			if strings.Contains(page, banned) {
				t.Errorf("%s: it has %s", name, banned)
			}
		}
		level := 0
		for _, m := range regexp.MustCompile(`<h([1-6])[ >]`).FindAllStringSubmatch(page, -1) {
			now := int(m[1][0] - '0')
			if now > level+1 {
				t.Errorf("%s: a heading of level %d follows one of level %d", name, now, level)
			}
			level = now
		}
		if strings.Count(page, "<h1") != 1 || strings.Count(page, "<main") != 1 {
			t.Errorf("%s: not one title and one main part", name)
		}
		// The time of day is in no page: the same findings make the same bytes.
		if strings.Contains(page, fmt.Sprint(time.Now().Year())+"-"+time.Now().Format("01-02")) {
			t.Errorf("%s: it has the date of today", name)
		}
	}
}

func TestReportPage(t *testing.T) {
	page := html.UnescapeString(samplePages(t)["report"])
	for _, want := range []string{
		"Not verified: 1 refuted, 1 open. ", "Next:", "revision", "0123456", "2026-01-02", // the first screen
		"n + 1 ≤ most is false with n = ", "REQ-3", "certificate sha256:",
		"Try: ", "a ^ 3", // of the open one
		"nothing to prove in", "invariants by events", "events by kinds", "row", "WG = 4, TS = 2", "T_ev = 20", "4·10¹⁰", "40,000,000,000", "violates c/a",
		"Optima, where they change", "3 other commits",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	// What fails stands before everything else.
	if fails, all := strings.Index(page, `id="fails"`), strings.Index(page, `id="status"`); fails < 0 || fails > all {
		t.Errorf("what fails stands at %d, behind the components at %d", fails, all)
	}
	if again := html.UnescapeString(samplePages(t)["report"]); len(again) != len(page) {
		t.Error("the same findings make another page")
	}
}

// probe is put into the page under test. It says of the page whether it is dark, as
// wide as its window, and whether everything that can be used is reached by keyboard;
// whether the verdict and the next step are on the first screen, signs stay on the line of
// their words, names break at slashes only, and charts are seen whole; and of a report,
// whether a link opens the details it leads to, and a filter hides.
const probe = `<script>addEventListener("load", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const wide = document.documentElement.scrollWidth <= innerWidth;
  const all = [...document.querySelectorAll("details")], was = all.map(d => d.open);
  all.forEach(d => { d.open = true; });
  const wideOpen = document.documentElement.scrollWidth <= innerWidth;
  const line = e => { const r = document.createRange(); r.selectNodeContents(e); return new Set([...r.getClientRects()].filter(x => x.width).map(x => Math.round(x.bottom / 8))).size < 2; };
  const first = [...document.querySelectorAll(".verdict, .next")].every(e => e.getBoundingClientRect().bottom <= 900);
  const parts = [...document.querySelectorAll(".links a, .said")].flatMap(e => [...e.childNodes]).filter(n => n.nodeType === 3 && !/\s/.test(n.data.trim()));
  const charts = [...document.querySelectorAll(".chart")].every(e => innerWidth > 640 || e.getBoundingClientRect().right <= innerWidth);
  const tidy = first && charts && [...document.querySelectorAll(".joined"), ...parts].every(line);
  const keys = [...document.querySelectorAll("a, summary, .wide, button, input, select")].every(e => { e.focus(); return document.activeElement === e; });
  const named = [...document.querySelectorAll("svg, input, select, .wide")].every(e => e.ariaLabel || e.getAttribute("aria-label"));
  all.forEach((d, i) => { d.open = was[i]; });
  const inner = document.querySelector("details.all details[id]"), word = document.querySelector(".tools input");
  let opens = true, filters = true;
  if (word) {
    word.value = "never-met"; word.dispatchEvent(new Event("input"));
    filters = [...document.querySelectorAll("details[data-name]")].every(d => d.hidden);
    word.value = ""; word.dispatchEvent(new Event("input"));
    filters = filters && [...document.querySelectorAll("details[data-name]")].every(d => !d.hidden);
  }
  if (inner) location.hash = inner.id;
  setTimeout(() => {
    if (inner) opens = inner.open && inner.checkVisibility();
    parent.postMessage([innerWidth, dark, wide && wideOpen, tidy, keys && named, opens, filters].join(" "), "*");
  }, 50);
});</script></body>`

const frame = `<!doctype html><title></title><body><script>addEventListener("message", e => { document.title = e.data; });</script><iframe src="page.html" width="%d" height="900" style="border: 0"></iframe></body>`

// browse runs the browser.
func browse(t *testing.T, browser string, dark bool, args ...string) (out []byte, complaints string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), corpus.Fuse)
	defer cancel()
	all := []string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", "--virtual-time-budget=3000", "--user-data-dir=" + t.TempDir()}
	if dark {
		all = append(all, "--blink-settings=preferredColorScheme=0")
	}
	c := exec.CommandContext(ctx, browser, append(all, args...)...)
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return out, errs.String()
}

// TestPictures draws the pictures of docs/report.md, if GRADINE_PICTURES is set.
func TestPictures(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil || os.Getenv("GRADINE_PICTURES") == "" {
		t.Skip("no chromium, or GRADINE_PICTURES is not set")
	}
	docs, err := filepath.Abs("../../../docs")
	if err != nil {
		t.Fatal(err)
	}
	page := samplePages(t)["report"] // in another working directory
	const alone = `<script>const e = document.querySelector("details[data-verdict=refuted]"); e.open = true; document.querySelector("main").replaceChildren(e); document.querySelector("header").remove();</script></body>`
	for name, x := range map[string]struct {
		text, size string
		dark       bool
	}{
		"report.png":                {page, "1000,620", false},
		"report-counterexample.png": {strings.Replace(page, "</body>", alone, 1), "760,640", true},
	} {
		file := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(file, []byte(x.text), 0o666); err != nil {
			t.Fatal(err)
		}
		browse(t, browser, x.dark, "--window-size="+x.size, "--screenshot="+filepath.Join(docs, name), (&url.URL{Scheme: "file", Path: file}).String())
	}
}

// TestPagesInBrowser looks at pages of all kinds in three widths and both schemes;
// without GRADINE_SWEEP at a report, narrow and dark, and wide and light, and at the others as
// narrow as a telephone.
func TestPagesInBrowser(t *testing.T) {
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
	look := func(name string, width int, dark bool) {
		file := write("frame.html", fmt.Sprintf(frame, width))
		dom, complaints := browse(t, browser, dark, "--window-size=1500,1000", "--dump-dom", (&url.URL{Scheme: "file", Path: file}).String())
		if want := fmt.Sprintf("<title>%d %t true true true true true</title>", width, dark); !strings.Contains(string(dom), want) {
			t.Errorf("%s, width %d: %s, want %s", name, width, regexp.MustCompile("<title>.*?</title>").Find(dom), want)
		}
		if strings.Contains(complaints, "CONSOLE") {
			t.Errorf("%s, width %d: the console says\n%s", name, width, complaints)
		}
	}
	long := os.Getenv("GRADINE_SWEEP") != ""
	for name, page := range samplePages(t) {
		write("page.html", strings.Replace(page, "</body>", probe, 1))
		for i, width := range []int{400, 900, 1400} {
			for _, dark := range []bool{false, true} {
				if long || i == 0 && dark || name == "report" && i == 2 && !dark {
					look(name, width, dark)
				}
			}
		}
	}
}
