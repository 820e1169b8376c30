package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// publishedRow is a row of a table of the published work: the instance, the configuration, and its model time.
type publishedRow struct {
	given  map[string]int64
	WG, TS int64
	time   int64
}

// published1 is table 1: one device, two units, four processing elements.
func published1() (out []publishedRow) {
	for _, r := range [][4]int64{{8, 4, 4, 44}, {16, 8, 4, 156}, {32, 16, 4, 584}, {64, 32, 8, 2224}, {128, 64, 64, 9344}, {256, 4, 4, 36234}, {512, 4, 4, 142090}, {1024, 16, 32, 549912}} {
		out = append(out, publishedRow{map[string]int64{"size": r[0], "NP": 4, "NU": 2, "ND": 1, "GMT": 4}, r[1], r[2], r[3]})
	}
	return out
}

// published3 is table 3: the minimum.
func published3() (out []publishedRow) {
	for _, r := range [][5]int64{
		{4, 16, 8, 2, 20}, {4, 16, 4, 4, 24}, {4, 16, 2, 4, 25}, {64, 64, 16, 4, 36}, {64, 64, 8, 8, 44}, {64, 64, 4, 4, 75},
		{64, 128, 8, 16, 76}, {64, 128, 4, 16, 137}, {64, 128, 4, 8, 139}, {64, 256, 4, 8, 271}, {64, 256, 4, 4, 279}, {64, 256, 2, 4, 295},
	} {
		out = append(out, publishedRow{map[string]int64{"size": r[1], "NP": r[0], "GMT": 4}, r[2], r[3], r[4]})
	}
	return out
}

// compared is a row of the page: what the row of the published table comes to with the proved closed form.
func compared(t *testing.T, p *project.Project, entry string, r publishedRow) (here string, best int64, where, verdict string) {
	t.Helper()
	conf := p.Config.Tune[entry]
	opened := entryOf(t, p, entry, r.given)
	if entry == "spin_minimum" { // two rows have groups of two, which the entry does not search
		for i, c := range opened.Choices {
			if c.Name == "WG" {
				var sizes []int64
				for wg := int64(2); wg < r.given["size"]; wg *= 2 {
					sizes = append(sizes, wg)
				}
				opened.Choices[i].Set = setOf(opened, sizes)
			}
		}
	}
	answer, optima := bestOf(t, opened, conf.Theorem)
	best = answer.Worth(&answer.Points[answer.Best[0]], 0).Int64()
	name := func(p *tune.Point) string {
		var parts []string
		for i, n := range answer.Names {
			parts = append(parts, n+"="+p.Values[i].Text)
		}
		return strings.Join(parts, " ")
	}
	where = name(optima[0])
	if len(optima) > 1 {
		where += fmt.Sprintf(" and %d more", len(optima)-1)
	}
	valueAt := func(wg, ts int64) (value int64, ok bool) {
		at := slices.IndexFunc(answer.Points, func(p tune.Point) bool { return name(&p) == fmt.Sprintf("WG=%d TS=%d", wg, ts) })
		if at < 0 || answer.Points[at].Illegal != "" {
			return 0, false
		}
		point := &answer.Points[at]
		if !point.Known() && point.SameAs >= 0 {
			point = &answer.Points[point.SameAs]
		}
		if !point.Known() {
			t.Fatalf("%s: the value of %s is not known", entry, name(point))
		}
		return answer.Worth(point, 0).Int64(), true
	}
	value, ok := valueAt(r.WG, r.TS)
	if here = fmt.Sprint(value); !ok {
		here = "—"
	}
	switch exchanged, valid := valueAt(r.TS, r.WG); {
	case ok && value == r.time && best < value:
		verdict = fmt.Sprintf("reproduced; the optimum is %.1f %% less", 100*float64(value-best)/float64(value))
	case ok && value == r.time:
		verdict = "reproduced, and optimal"
	case r.time < best:
		verdict = "different: less than the proved optimum, so that no configuration has this time"
	case valid && exchanged == r.time:
		verdict = fmt.Sprintf("different: it is the time of WG=%d TS=%d, the row has both exchanged; the optimum is %.1f %% less", r.TS, r.WG, 100*float64(r.time-best)/float64(r.time))
	default:
		t.Errorf("%s %v: %d here, and no reason is known", entry, r, value)
		verdict = "different"
	}
	return here, best, where, verdict
}

// TestPublishedTables writes docs/published-tables.md: each model time of the published tables next to the one of the
// proved closed form, and the proved optimum.
func TestPublishedTables(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	r := &run{ctx: t.Context(), out: io.Discard, err: io.Discard, dir: root}
	projects, _, err := r.projects(nil)
	must(err)
	opened, err := project.Tuned(projects, projects[0].Config.Tune["spin_abstract"])
	must(err)
	var out strings.Builder
	verdicts := map[string]int{}
	table := func(entry string, rows []publishedRow) {
		fmt.Fprintf(&out, "\n| no. | instance | WG | TS | model time, published | here | proved optimum | at | result |\n|---|---|---|---|---|---|---|---|---|\n")
		for i, r := range rows {
			here, best, where, verdict := compared(t, opened, entry, r)
			instance := fmt.Sprintf("size=%d NP=%d", r.given["size"], r.given["NP"])
			fmt.Fprintf(&out, "| %d | %s | %d | %d | %d | %s | %d | %s | %s |\n", i+1, instance, r.WG, r.TS, r.time, here, best, where, verdict)
			verdicts[strings.FieldsFunc(verdict, func(c rune) bool { return c == ':' || c == ';' || c == ',' })[0]]++
		}
	}
	out.WriteString("## Table 1: the abstract model\n\nEntry `spin_abstract`, with one device of two units (`ND = 1`, `NU = 2`) and a global memory of four ticks (`GMT = 4`). The paper speaks of one unit;\nits times are those of two.\n")
	table("spin_abstract", published1())
	out.WriteString("\n## Table 2: the minimum on a GPU\n\n" + table2Page(t))
	out.WriteString("\n## Table 3: the model of the minimum\n\nEntry `spin_minimum`, with `GMT = 4`.\n")
	table("spin_minimum", published3())
	out.WriteString(columnsPage(t, opened))
	out.WriteString(announcedPage(t, opened))
	if verdicts["reproduced"] < 15 {
		t.Errorf("results %v", verdicts)
	}
	rewritten(t, filepath.Join(root, "docs/published-tables.md"), "<!-- tables: go test ./internal/cli -run PublishedTables -update -->\n", "<!-- end of tables -->\n", "\n"+out.String()+"\n")
}

// columns1 are the other columns of table 1: steps of the best trail, GB of the exhaustive search and of swarms, the
// time of verification, that of the first trail, and how near to the optimum that is.
var columns1 = []struct {
	size                                        int64
	steps, memory, verified, first, nearOptimum string
}{
	{8, "1658", "0.280 GB", "2 s", "1 s", "84 %"},
	{16, "5673", "2.081 GB", "25 s", "1 s", "65 %"},
	{32, "21011", "14.767 GB; swarm 115 MB", "25 min; swarm 1 h", "7 s; swarm 1 s", "79 %; swarm 77 %"},
	{64, "71495", "swarm 128 MB", "1 h", "1 s", "83 %"},
	{128, "267119", "swarm 172 MB", "1 h", "1 s", "94 %"},
	{256, "1300634", "swarm 1.145 GB", "2 h", "3 s", "94 %"},
	{512, "5099397", "swarm 2.367 GB", "2 h", "3 s", "99 %"},
	{1024, "15973533", "swarm 16 GB", "4 h", "3 min", "99 %"},
}

// steps3 are the steps of table 3, row by row.
var steps3 = []int{1347, 1229, 1365, 4398, 4101, 4101, 7303, 7493, 7781, 15024, 16151, 18491}

// columnsPage holds the other columns of the tables against runs of the machines.
func columnsPage(t *testing.T, p *project.Project) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("\n## The other columns\n\nA step here is an event of the run at the published configuration: one element stands for all, and time jumps to the end of a wait. So steps\nare fewer, and by theorem no run is needed: the first answer is the proved optimum, in the memory and time of a proof.\n\n")
	out.WriteString("| table 1, size | steps, published | events here | memory, published | verification, published | first trail, published | its optimality | the first answer here |\n|---|---|---|---|---|---|---|---|\n")
	for i, r := range published1() {
		c := columns1[i]
		if c.size != r.given["size"] {
			t.Fatalf("row %d of table 1 is of size %d, and not %d", i+1, c.size, r.given["size"])
		}
		fmt.Fprintf(&out, "| %d | %s | %s: different | %s | %s | %s | %s | 100 %%: better |\n", c.size, c.steps, eventsAt(t, p, "spin_abstract", r), c.memory, c.verified, c.first, c.nearOptimum)
	}
	out.WriteString("\n| table 3, no. | steps, published | events here |\n|---|---|---|\n")
	for i, r := range published3() {
		events := eventsAt(t, p, "spin_minimum", r)
		if r.WG < 4 { // the entry searches groups of four on
			events = eventsAt(t, p, "spin_minimum", publishedRow{r.given, r.TS, r.WG, r.time})
		}
		fmt.Fprintf(&out, "| %d | %d | %s: different |\n", i+1, steps3[i], events)
	}
	return out.String()
}

// eventsAt is how many events the run of a machine has at a configuration.
func eventsAt(t *testing.T, p *project.Project, entry string, r publishedRow) string {
	t.Helper()
	e := entryOf(t, p, entry, r.given)
	for i, c := range e.Choices {
		if c.Name == "WG" {
			e.Choices[i].Set = setOf(e, []int64{r.WG})
		} else if c.Name == "TS" {
			e.Choices[i].Set = setOf(e, []int64{r.TS})
		}
	}
	answer, _ := bestOf(t, e, "closed_form")
	trace, err := e.Witness(t.Context(), &answer.Points[answer.Best[0]], tune.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(len(trace.Steps) - 1) // without the initialisation
}

// table2Page holds the measurements of table 2 against the model of the GPU development, from the data sheet alone and
// after a fit to all of them.
func table2Page(t *testing.T) string {
	t.Helper()
	conf := entryConf(t, "resident_minimum")
	rows, err := tune.ReadMeasurements("table 2", []byte(table2), conf.Shown, nil)
	if err != nil {
		t.Fatal(err)
	}
	unknown, entry := instanceOf(t, "resident_minimum", "P104")
	wantBlocks(entry, 10, 15, 20, 25)
	closed, err := entry.ClosedForm(conf.Theorem)
	if err != nil {
		t.Fatal(err)
	}
	predict := func(rows []tune.Measurement) map[string]float64 {
		found, err := tune.Calibrate(t.Context(), entry, closed, unknown, conf.Calibrate.Unit, rows)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]float64{}
		for values, log := range found.Predictions() {
			out[joined(values)] = math.Exp(log)
		}
		return out
	}
	sheet, fitted := predict(nil), predict(rows)
	var out strings.Builder
	out.WriteString("The times are measurements of a device, which no model reproduces exactly. Entry `resident_minimum` predicts them from the data\nsheet of the P104-100, and after a fit to all nine launches. The twelve rows are nine launches: the published tile sizes make no difference.\n\n")
	out.WriteString("| global size | WG | measured, ms | data sheet, ms | fitted, ms | result |\n|---|---|---|---|---|---|\n")
	for _, r := range rows {
		at := strings.Join(r.At, " ")
		if sheet[at] == 0 {
			t.Fatalf("no prediction at %s", at)
		}
		fmt.Fprintf(&out, "| %s | %s | %g | %.0f | %.0f | different: %.2f × the measured time, fitted %.2f × |\n", r.At[0], r.At[1], r.Time, sheet[at], fitted[at], sheet[at]/r.Time, fitted[at]/r.Time)
	}
	out.WriteString("\nThe published bandwidth is the size of the array, 4 GB, divided by the published time, which is rounded:\n\n| no. | global size | WG | TS | bandwidth, published, GB/s | 4 GB ÷ published time | result |\n|---|---|---|---|---|---|---|\n")
	for i, b := range bandwidth2 {
		row := slices.IndexFunc(rows, func(r tune.Measurement) bool { return r.At[0] == b.global })
		if row < 0 {
			t.Fatalf("table 2 has no global size %s", b.global)
		}
		r := rows[row]
		here := 4000 / r.Time
		if off := math.Abs(here/b.published - 1); off > 0.01 {
			t.Errorf("the bandwidth of row %d of table 2 is %.2f, and %.2f by its time", i+1, b.published, here)
		}
		fmt.Fprintf(&out, "| %d | %s | %s | %d | %.2f | %.2f | reproduced within 1 %% |\n", i+1, b.global, r.At[1], b.TS, b.published, here)
	}
	return out.String()
}

// bandwidth2 are the tile sizes and bandwidths of the twelve rows of table 2.
var bandwidth2 = []struct {
	global    string
	TS        int
	published float64
}{
	{"960", 64, 28.40}, {"960", 128, 28.40}, {"960", 256, 28.40}, {"1280", 128, 25.60}, {"1280", 256, 25.60}, {"1600", 64, 25.61},
	{"1920", 64, 29.18}, {"2560", 64, 28.46}, {"3200", 64, 32}, {"5120", 64, 32}, {"6400", 64, 36.57}, {"7680", 64, 42.67},
}

// wantBlocks lets the blocks of a launch be some numbers.
func wantBlocks(entry *tune.Entry, blocks ...int64) {
	for i, c := range entry.Choices {
		if c.Name == "blocks" {
			entry.Choices[i] = simulate.Choice{Name: c.Name, Type: c.Type, Set: setOf(entry, blocks)}
		}
	}
}

// rewritten compares, or with -update writes, what stands between two marks of a document.
func rewritten(t *testing.T, file, begin, end, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	is, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the tables", file)
	case is == want:
	case !*update:
		t.Errorf("the tables of %s are others; go test ./internal/cli -run PublishedTables -update writes them", file)
	default:
		must(os.WriteFile(file, []byte(before+begin+want+end+after), 0o666))
	}
}

// setOf is a set of numbers.
func setOf(entry *tune.Entry, numbers []int64) logic.Term {
	var terms []logic.Term
	for _, n := range numbers {
		terms = append(terms, entry.Bank.Int64(n))
	}
	return entry.Bank.App(logic.SetExt, terms...)
}
