package cli

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pictures is a machine whose names and labels need escaping: two jobs begin and
// end over a clock. Quotes ' stand for those of names, which a Go string cannot hold.
const pictures = `
machine pictures
variables now begun ended
invariants
  @now now ∈ 0‥4
  @begun begun ⊆ 1‥2
  @ended ended ⊆ begun
  @'<never> & "x"' now > 9 ⇒ begun = ∅
events
  event INITIALISATION
  then
    @a now ≔ 0
    @b begun ≔ ∅
    @c ended ≔ ∅
  end
  event start
  any j lane where
    @j j ∈ {1, 2}
    @new j ∉ begun
    @lane lane = 3 − j
    @early now < 4
    @order j = 2 ⇒ 1 ∈ begun
  then
    @a begun ≔ begun ∪ {j}
  end
  event 'end'
  any j where
    @j j ∈ begun
    @open j ∉ ended
    @late now > 0
    @positive j > 0
  then
    @a ended ≔ ended ∪ {j}
  end
  event tick
  where
    @g now < 3
  then
    @a now ≔ now + 1
  end
  event dead
  where
    @g now > 7
  then
    @a now ≔ 0
  end
end
`

// drawn runs explore on the machine above and returns what it says.
func drawn(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	file := filepath.Join(dir, "m.eventb")
	text := strings.ReplaceAll(pictures, "'", "`")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	Main(append([]string{"explore", "--no-deadlock", file}, flags...), strings.NewReader(""), &out, &out)
	return out.String()
}

// The graph has the states and transitions that the search counts.
func TestGraphOfStates(t *testing.T) {
	dir := t.TempDir()
	said := drawn(t, dir, "--dot", filepath.Join(dir, "g.dot"))
	numbers := regexp.MustCompile(`complete: (\d+) states, (\d+) transitions`).FindStringSubmatch(said)
	data, err := os.ReadFile(filepath.Join(dir, "g.dot"))
	if err != nil || numbers == nil {
		t.Fatal(err, said)
	}
	text := string(data)
	if !strings.HasPrefix(text, "digraph \"pictures\" {\n") || !strings.HasSuffix(text, "}\n") {
		t.Errorf("no graph: %s", text)
	}
	label := `label="((?:[^"\\]|\\.)*)"`
	node := regexp.MustCompile(`^  s(\d+) \[` + label + `(, style=bold)?\];$`)
	edge := regexp.MustCompile(`^  s(\d+) -> s(\d+) \[` + label + `\];$`)
	states, initial, edges := map[string]string{}, 0, 0
	for _, line := range strings.Split(text, "\n")[2:] {
		switch n, e := node.FindStringSubmatch(line), edge.FindStringSubmatch(line); {
		case n != nil:
			states[n[1]] = n[2]
			if n[3] != "" {
				initial++
				if n[2] != `now = 0\nbegun = ∅\nended = ∅` {
					t.Errorf("the first state is shown as %s", n[2])
				}
			}
		case e != nil:
			edges++
			from, to := states[e[1]], states[e[2]]
			if from == "" || to == "" {
				t.Errorf("%s leads from or to no state", line)
			}
			if e[3] == "start(1, 2)" && (strings.Contains(from, "begun = {1") || !strings.Contains(to, "begun = {1")) {
				t.Errorf("job 1 begins from %s to %s", from, to)
			}
		case line != "}" && line != "":
			t.Errorf("line %q", line)
		}
	}
	if fmt.Sprint(len(states)) != numbers[1] || initial != 1 {
		t.Errorf("%d states, %d of them initial; the search says %s", len(states), initial, said)
	}
	if want, _ := strconv.Atoi(numbers[2]); edges != want-1 { // the initialisation is not an edge
		t.Errorf("%d edges; the search says %s", edges, said)
	}
}

// cells parses a page as XML and returns the texts of its rows, with the class of
// each in front.
func cells(t *testing.T, page []byte) (title string, rows []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var open []string
	var row []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			open = append(open, x.Name.Local)
			switch x.Name.Local {
			case "tr":
				row = nil
				for _, a := range x.Attr {
					row = append(row, a.Value)
				}
			case "td":
				row = append(row, "")
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != x.Name.Local {
				t.Fatalf("%s closes %v", x.Name.Local, open)
			}
			open = open[:len(open)-1]
			if x.Name.Local == "tr" && len(row) > 0 {
				rows = append(rows, strings.Join(row, "|"))
			}
		case xml.CharData:
			switch {
			case slices.Contains(open, "h1"):
				title += string(x)
			case slices.Contains(open, "td"):
				row[len(row)-1] += string(x)
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("%v is left open", open)
	}
	return title, rows
}

// The page of the coverage shows what was met.
func TestCoveragePage(t *testing.T) {
	dir := t.TempDir()
	said := drawn(t, dir, "--html", filepath.Join(dir, "c.html"))
	page, err := os.ReadFile(filepath.Join(dir, "c.html"))
	if err != nil {
		t.Fatal(err, said)
	}
	title, rows := cells(t, page)
	if title != "Exploration of pictures in m" {
		t.Errorf("the title is %q", title)
	}
	states := regexp.MustCompile(`(\d+) states`).FindStringSubmatch(said)[1]
	for _, want := range []string{
		"never|dead|0|",
		"now|" + states,
		"never|<never> & \"x\"|0",
		"now|4 values in 0‥3",
		"begun|3 values",
	} {
		if !slices.Contains(rows, want) {
			t.Errorf("no row %s in\n%s", want, strings.Join(rows, "\n"))
		}
	}
	begin := slices.IndexFunc(rows, func(r string) bool { return strings.HasPrefix(r, "start|") })
	if begin < 0 || !strings.HasSuffix(rows[begin], "|early ") {
		t.Errorf("the guard early of start is not among those that are never false: %v", rows)
	}
}

// The chart has a bar for each job, in its lane, as long as it lasts.
func TestGanttChart(t *testing.T) {
	dir := t.TempDir()
	said := drawn(t, dir, "--goal", "ended = {1} ∧ begun = {1, 2} ∧ now = 2",
		"--svg", filepath.Join(dir, "c.svg"), "--gantt", "start=start,end=end,item=j,lane=lane,clock=now")
	data, err := os.ReadFile(filepath.Join(dir, "c.svg"))
	if err != nil {
		t.Fatal(err, said)
	}
	var svg struct {
		XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
		Width   float64  `xml:"width,attr"`
		Height  float64  `xml:"height,attr"`
		Texts   []string `xml:"text"`
		Bars    []struct {
			Title string `xml:"title"`
			Text  string `xml:"text"`
			Rect  struct {
				X      float64 `xml:"x,attr"`
				Y      float64 `xml:"y,attr"`
				Width  float64 `xml:"width,attr"`
				Height float64 `xml:"height,attr"`
				Class  string  `xml:"class,attr"`
			} `xml:"rect"`
		} `xml:"g"`
	}
	if err := xml.Unmarshal(data, &svg); err != nil {
		t.Fatal(err)
	}
	if len(svg.Bars) != 2 || svg.Texts[0] != "pictures" || !slices.Contains(svg.Texts, "now") || !slices.Contains(svg.Texts, "2") {
		t.Fatalf("bars %v, texts %q", svg.Bars, svg.Texts)
	}
	var fills []string
	for i, b := range svg.Bars {
		// A bar without room for its name has it in the title alone.
		if b.Text != "" && b.Text != fmt.Sprint(i+1) || !strings.HasPrefix(b.Title, fmt.Sprint(i+1)+": ") {
			t.Errorf("bar %d shows %q, %q", i, b.Text, b.Title)
		}
		r := b.Rect
		if r.X < 0 || r.Y < 0 || r.Width <= 0 || r.X+r.Width > svg.Width || r.Y+r.Height > svg.Height {
			t.Errorf("bar %d is not within the picture: %v", i, r)
		}
		fills = append(fills, r.Class)
	}
	if fills[0] == fills[1] {
		t.Error("a job that has ended looks like one that has not")
	}
	if svg.Bars[0].Rect.Y <= svg.Bars[1].Rect.Y { // job 1 is in lane 2
		t.Errorf("the lanes are in another order than their names: %v", svg.Bars)
	}
	var from, to [2]float64
	for i, b := range svg.Bars {
		if _, err := fmt.Sscanf(b.Title, fmt.Sprint(i+1)+": %g to %g", &from[i], &to[i]); err != nil {
			t.Fatal(b.Title, err)
		}
	}
	// Bar 2 goes on to the end of the chart, which is time 2. One that takes no time is
	// drawn as a line; the other has the scale.
	a, b := svg.Bars[0].Rect, svg.Bars[1].Rect
	longer := 0
	if to[1]-from[1] > to[0]-from[0] {
		longer = 1
	}
	scale := svg.Bars[longer].Rect.Width / (to[longer] - from[longer])
	width := func(i int) float64 { return max((to[i]-from[i])*scale, 1) }
	if to[1] != 2 || math.Abs(a.X-(b.X+(from[0]-from[1])*scale)) > 0.2 || math.Abs(a.Width-width(0)) > 0.2 || math.Abs(b.Width-width(1)) > 0.2 {
		t.Errorf("bars %v and %v from %v to %v", a, b, from, to)
	}
}
