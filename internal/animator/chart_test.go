package animator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/gradine/gradine/internal/animator"
)

// client asks the questions of a page without a browser.
type client struct {
	testing.TB
	url   string
	known int
	// what answers have told
	values []json.RawMessage
	model  struct {
		Levels   []struct{ Vars []struct{ N string } }
		Pictures []struct{ Name, SVG, Of string }
	}
}

// shown is a state as the page knows it.
type shown struct {
	Number int
	Vals   [][]int
	Moves  []json.RawMessage
	Drawn  [][]struct {
		ID, K string
		At    map[string]string
	}
	bytes int
}

func (c *client) ask(q map[string]any) (out shown) {
	c.Helper()
	q["count"], q["known"] = 1, c.known
	data, _ := json.Marshal(q)
	r, _ := http.NewRequest("POST", c.url+"ask", bytes.NewReader(data))
	r.Header.Set("Origin", c.url[:strings.LastIndex(strings.TrimSuffix(c.url, "/"), "/")])
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	var told struct {
		State  int
		Values []json.RawMessage
		From   int
		Model  json.RawMessage
		States map[int]*shown
		Error  string
	}
	if err := json.Unmarshal(body, &told); err != nil || told.Error != "" || told.States[told.State] == nil {
		c.Fatalf("%v %s", err, body)
	}
	if told.Model != nil {
		if err := json.Unmarshal(told.Model, &c.model); err != nil {
			c.Fatal(err)
		}
	}
	if len(told.Values) > 0 {
		c.values = append(c.values[:told.From], told.Values...)
		c.known = len(c.values)
	}
	out = *told.States[told.State]
	out.Number, out.bytes = told.State, len(body)
	return out
}

// function reads the values of a variable of a level that is a function of numbers.
func (c *client) function(s shown, level int, name string) map[string]string {
	at := slices.IndexFunc(c.model.Levels[level].Vars, func(v struct{ N string }) bool { return v.N == name })
	var set struct{ S []struct{ P [2]string } }
	if err := json.Unmarshal(c.values[s.Vals[level][at]], &set); err != nil {
		c.Fatal(name, err)
	}
	out := map[string]string{}
	for _, pair := range set.S {
		out[pair.P[0]] = pair.P[1]
	}
	return out
}

// A chart shows the state: at the end of a run, the bars are what the functions of the machine say. That of an abstract
// machine follows the abstract state, of whose variables the concrete one has lost some.
func TestGanttFollowsState(t *testing.T) {
	root, _ := filepath.Abs("../..")
	for _, x := range []struct {
		machine   string
		level     int
		constants map[string]string
	}{
		{"timing", 0, map[string]string{"launches": "1", "blocks": "5", "slots": "2", "threads": "2", "steps": "1", "ports": "1", "min_cost": "2", "max_cost": "3", "max_sync": "1"}},
		{"in_order", 1, map[string]string{"launches": "1", "blocks": "5", "slots": "2", "threads": "2", "steps": "1", "ports": "1", "min_cost": "2", "max_cost": "3", "max_sync": "1"}},
	} {
		c := &client{TB: t, url: serve(t, animator.Options{Open: opener(root, x.machine, x.constants)})}
		c.ask(map[string]any{"op": "model", "state": -1})
		chart := slices.IndexFunc(c.model.Pictures, func(p struct{ Name, SVG, Of string }) bool { return p.SVG == "" })
		if chart < 0 || (c.model.Pictures[chart].Of == "") != (x.level == 0) {
			t.Fatalf("%s: the charts are %+v", x.machine, c.model.Pictures)
		}
		// Whole launches: no block runs at the end.
		end := c.ask(map[string]any{"op": "until", "state": -1, "text": "finished = launches"})
		start, stop, home := c.function(end, x.level, "block_start"), c.function(end, x.level, "block_end"), c.function(end, x.level, "home")
		bars := 0
		for _, d := range end.Drawn[chart] {
			if d.ID != "bar" {
				continue
			}
			bars++
			want := map[string]string{"item": "block " + d.K, "lane": "SM " + home[d.K], "start": start[d.K], "end": stop[d.K], "open": "false"}
			if fmt.Sprint(d.At) != fmt.Sprint(want) {
				t.Errorf("%s: block %s is drawn as %v, want %v", x.machine, d.K, d.At, want)
			}
		}
		if bars != len(start) {
			t.Errorf("%s: %d bars, want %d", x.machine, bars, len(start))
		}
	}
}

// The names of copies are those of the picture, even where a refinement has a constant of the same name.
func TestPictureNamesApart(t *testing.T) {
	dir := folder(t, map[string]string{
		"m.eventb": "machine m\nvariables f\ninvariants\n@f f ∈ 0‥2 → ℤ\nevents\nevent INITIALISATION\nthen\n@a f ≔ {0 ↦ 5, 1 ↦ 6, 2 ↦ 7}\nend\nend\n" +
			"context c\nconstants k\naxioms\n@k k = 1\nend\n" +
			"machine n refines m sees c\nvariables g\ninvariants\n@g g ∈ ℤ\n@h f = {0 ↦ 5, 1 ↦ 6, 2 ↦ g}\nevents\nevent INITIALISATION\nthen\n@a g ≔ 7\nend\nend\n",
		"pictures/p.toml": "machine = \"m\"\nsvg = \"p.svg\"\n[[element]]\nid = \"x\"\neach = \"k ∈ 0‥2\"\nset.text = \"{f(k)}\"\n",
		"pictures/p.svg":  `<svg viewBox="0 0 40 40"><text id="x"/></svg>`,
	})
	for _, machine := range []string{"m", "n"} {
		c := &client{TB: t, url: serve(t, animator.Options{Open: opener(dir, machine, nil)})}
		at := c.ask(map[string]any{"op": "model", "state": -1})
		at = c.ask(map[string]any{"op": "fire", "state": at.Number, "step": at.Moves[0]})
		var got []string
		for _, d := range at.Drawn[0] {
			got = append(got, d.K+":"+d.At["text"])
		}
		if strings.Join(got, " ") != "0:5 1:6 2:7" {
			t.Errorf("%s is drawn as %v", machine, got)
		}
	}
}

// jobsFolder has a machine of three jobs, and their chart.
func jobsFolder(t testing.TB) string {
	return folder(t, map[string]string{
		"jobs.eventb": `machine jobs
variables now from till begun ended
invariants
  @a now ∈ ℕ
  @b from ∈ 0‥2 → ℕ
  @c till ∈ 0‥2 → ℕ
  @d begun ⊆ 0‥2
  @e ended ⊆ begun
events
  event INITIALISATION
    then
      @a now ≔ 0
      @b from ≔ 0‥2 × {0}
      @c till ≔ 0‥2 × {0}
      @d begun ≔ ∅
      @e ended ≔ ∅
  end
  event take
    any j
    where
      @j j = card(begun)
      @k j ∈ 0‥2
    then
      @a from(j) ≔ now
      @b begun ≔ begun ∪ {j}
  end
  event tick
    where
      @g begun ≠ ended ∧ now < 9
    then
      @a now ≔ now + 3
  end
  event stop
    any j
    where
      @j j ∈ begun ∖ ended
      @k from(j) < now
    then
      @a till(j) ≔ now
      @b ended ≔ ended ∪ {j}
  end
end
`,
		"pictures/plan.toml": `machine = "jobs"
title = "Plan"
[gantt]
each = "j ∈ begun"
item = "job {j}"
lane = ["j = 0 → first", "else → others"]
start = "{from(j)}"
end = ["j ∈ ended → {till(j)}", "else → {now}"]
open = "j ∉ ended"
clock = "{now}"
`,
	})
}

// The page and the exported file draw the same chart; a click on a bar goes to the step in which it begins; the slider
// walks the run.
func TestGantt(t *testing.T) {
	dir := jobsFolder(t)
	o := animator.Options{Open: opener(dir, "jobs", nil)}
	page, _, err := animator.Export(context.Background(), o, 500)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{serve(t, o), "file://" + written(t, page)} {
		b := open(t, url, 1280, 900)
		b.step(1)
		b.shows(".chart", "Nothing has started yet")
		for i, event := range []string{"take", "tick", "stop", "take", "tick"} {
			first := fmt.Sprintf("[...document.querySelectorAll('.enabled > li')].find(x => x.innerText.includes(%q))?.querySelector('.move')", event)
			b.wait(first)
			b.eval(first + ".click()")
			b.step(i + 2)
		}
		const bars = `[...document.querySelectorAll('.chart .bar')].map(x => [x.className, x.innerText, x.closest('.lane').querySelector('.name').innerText, x.style.left, x.style.width])`
		b.wait(bars + ".length === 2")
		if got, want := b.eval(bars), `[["bar","job 0","first","0%","50%"],["bar open","job 1","others","50%","50%"]]`; got != want {
			t.Errorf("the chart of %s: %s, want %s", url, got, want)
		}
		b.shows("#clock", "6")
		b.key(kb.ArrowLeft)
		b.step(5)
		b.wait(`document.querySelectorAll('.bar.pale').length === 1`)
		b.eval("document.querySelector('.bar.open').click()")
		b.step(5)
		b.eval("document.querySelector('.chart .bar').click()")
		b.step(2)
		b.wait(`document.querySelectorAll('.bar.pale').length >= 1`)
		b.eval("(() => { const r = document.querySelector('.steps input'); r.value = 4; r.dispatchEvent(new Event('input', {bubbles: true})) })()")
		b.step(4)
		b.shows(".chart", "Time 3 of 6")
		b.do(phone)
		b.press("State")
		if wide := b.eval("document.documentElement.scrollWidth"); wide != "400" {
			t.Errorf("the chart makes the page %s pixels wide on a screen of 400", wide)
		}
	}
}
