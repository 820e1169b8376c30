package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"slices"
	"testing"

	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// entryFor reads an entry of this repository's gradine.toml for an instance.
func entryFor(t testing.TB, name string, given map[string]int64) *tune.Entry {
	t.Helper()
	r := &run{ctx: context.Background(), in: nil, out: io.Discard, err: io.Discard, dir: "../.."}
	projects, _, err := r.projects(nil)
	if err != nil {
		t.Fatal(err)
	}
	conf := projects[0].Config.Tune[name]
	p, err := project.Tuned(projects, conf)
	if err != nil {
		t.Fatal(err)
	}
	var list []project.Assignment
	for _, k := range slices.Sorted(maps.Keys(given)) {
		list = append(list, project.Assignment{Name: k, Value: fmt.Sprint(given[k])})
	}
	e, err := p.Entry(name, conf, list)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// runEntry searches an entry by running, unless opt says otherwise.
func runEntry(t testing.TB, name string, given map[string]int64, opt tune.Options) *tune.Answer {
	t.Helper()
	e := entryFor(t, name, given)
	a, err := tune.Search(context.Background(), e, opt)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// wait is the published way to spend c units from start on: it ends at the first
// tick at which time > start + c.
func wait(time *int64, start, c int64) {
	for *time <= start+c {
		*time++
	}
}

// publishedAbstract ticks through the published abstract model; ok is false
// where its barrier blocks.
func publishedAbstract(size, wg, ts, np, nu, nd, gmt int64) (t int64, ok bool) {
	rounds := int64(1)
	if wg > np {
		if wg%np != 0 {
			return 0, false
		}
		rounds = wg / np
	}
	groups := size / wg
	device := groups/nd + groups%nd
	unit := device/nu + device%nu
	if unit != 1 {
		unit++
	}
	var time int64
	for range unit * rounds {
		start := time
		for range size / ts {
			wait(&time, start, gmt*ts)
			start = time
			wait(&time, start, ts)
		}
		start = time
		wait(&time, start, gmt)
	}
	return time, true
}

// publishedMinimum ticks through the published model of the minimum.
func publishedMinimum(size, wg, ts, np, gmt int64) (t int64, ok bool) {
	rounds, lanes := int64(1), wg
	if wg > np {
		if wg%np != 0 {
			return 0, false
		}
		rounds, lanes = wg/np, np
	}
	tile := min(ts, size/wg)
	var time int64
	for range size / (wg * tile) * rounds {
		start := time
		for range tile {
			wait(&time, start, gmt*tile)
		}
	}
	return time + (lanes - 1) + gmt, true
}

// compare checks every point of an answer against an oracle, and that exactly
// the points with the oracle's least value are called best.
func compare(t *testing.T, a *tune.Answer, oracle func(wg, ts int64) (int64, bool)) {
	t.Helper()
	least := int64(-1)
	var best []string
	for _, p := range a.Points {
		wg, ts := p.Values[0].Int.Int64(), p.Values[1].Int.Int64()
		want, ok := oracle(wg, ts)
		switch {
		case ok != (p.Illegal == ""):
			t.Errorf("WG=%d TS=%d: oracle legal %t, ours %q", wg, ts, ok, p.Illegal)
			continue
		case !ok:
			continue
		case !p.Known() || p.Ranges[0].Low.Cmp(p.Ranges[0].High) != 0 || p.Ranges[0].Low.Cmp(big.NewInt(want)) != 0:
			t.Errorf("WG=%d TS=%d: oracle %d, ours %v", wg, ts, want, p.Ranges)
		}
		switch name := fmt.Sprint(wg, ts); {
		case least < 0 || want < least:
			least, best = want, []string{name}
		case want == least:
			best = append(best, name)
		}
	}
	var ours []string
	for i, p := range a.Points {
		if slices.Contains(a.Best, i) || slices.Contains(a.Best, p.SameAs) {
			ours = append(ours, fmt.Sprint(p.Values[0].Text, " ", p.Values[1].Text))
		}
	}
	if !a.Complete || fmt.Sprint(ours) != fmt.Sprint(best) {
		t.Errorf("best by the oracle %v, ours %v, complete %t", best, ours, a.Complete)
	}
}

func TestPublishedAbstractModel(t *testing.T) {
	everyPoint := tune.Options{NoPruning: true}
	for _, in := range []map[string]int64{
		{"size": 8, "NP": 4, "NU": 2, "ND": 1, "GMT": 4},
		{"size": 16, "NP": 4, "NU": 2, "ND": 1, "GMT": 4},
		{"size": 32, "NP": 4, "NU": 2, "ND": 1, "GMT": 4},
		{"size": 64, "NP": 4, "NU": 2, "ND": 1, "GMT": 4},
		{"size": 128, "NP": 4, "NU": 2, "ND": 1, "GMT": 4},
		{"size": 64, "NP": 8, "NU": 1, "ND": 1, "GMT": 16},
		{"size": 128, "NP": 2, "NU": 3, "ND": 2, "GMT": 1},
		{"size": 256, "NP": 16, "NU": 2, "ND": 2, "GMT": 7},
	} {
		t.Run(fmt.Sprint(in), func(t *testing.T) {
			a := runEntry(t, "spin_abstract", in, everyPoint)
			compare(t, points(a, "WG", "TS"), func(wg, ts int64) (int64, bool) {
				return publishedAbstract(in["size"], wg, ts, in["NP"], in["NU"], in["ND"], in["GMT"])
			})
		})
	}
}

// points checks what is shown of the points.
func points(a *tune.Answer, names ...string) *tune.Answer {
	if fmt.Sprint(a.Names) != fmt.Sprint(names) {
		panic(fmt.Sprintf("parameters %v, want %v", a.Names, names))
	}
	return a
}

func TestPublishedMinimum(t *testing.T) {
	for _, in := range []map[string]int64{
		{"size": 16, "NP": 4, "GMT": 4}, {"size": 64, "NP": 64, "GMT": 4}, {"size": 128, "NP": 64, "GMT": 4},
		{"size": 256, "NP": 64, "GMT": 4}, {"size": 64, "NP": 8, "GMT": 9},
	} {
		t.Run(fmt.Sprint(in), func(t *testing.T) {
			a := runEntry(t, "spin_minimum", in, tune.Options{NoPruning: true})
			compare(t, points(a, "WG", "TS"), func(wg, ts int64) (int64, bool) {
				return publishedMinimum(in["size"], wg, ts, in["NP"], in["GMT"])
			})
		})
	}
}

// TestPublishedTable holds the values that the paper prints against the machine:
// each is right at its point, and some are not optimal.
func TestPublishedTable(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	for _, row := range []struct {
		size, wg, ts, published int64
		optimal                 bool
	}{
		{8, 4, 4, 44, true}, {16, 8, 4, 156, true}, {32, 16, 4, 584, true}, {64, 32, 8, 2224, true},
		{128, 64, 64, 9344, false}, {256, 4, 4, 36234, false}, {512, 4, 4, 142090, false}, {1024, 16, 32, 549912, false},
	} {
		if testing.Short() && row.size > 128 {
			continue
		}
		a := runEntry(t, "spin_abstract", map[string]int64{"size": row.size, "NP": 4, "NU": 2, "ND": 1, "GMT": 4}, tune.Options{NoPruning: row.size <= 128})
		for _, p := range a.Points {
			if p.Values[0].Int.Int64() == row.wg && p.Values[1].Int.Int64() == row.ts && p.Known() && p.Ranges[0].Low.Int64() != row.published {
				t.Errorf("size %d: T %v at (%d,%d), the paper has %d", row.size, p.Ranges[0].Low, row.wg, row.ts, row.published)
			}
		}
		if low, high := a.Value(); !a.Complete || low.Cmp(high) != 0 || (low.Int64() == row.published) != row.optimal || low.Int64() > row.published {
			t.Errorf("size %d: least T %v, published %d", row.size, low, row.published)
		}
	}
}

// TestRunAgreesWithTheorem holds the two ways to find values against each other,
// at every legal point.
func TestRunAgreesWithTheorem(t *testing.T) {
	largest := int64(128)
	switch {
	case os.Getenv("GRADINE_SWEEP") != "":
		largest = 2048
	case testing.Short():
		largest = 32
	}
	for _, c := range []struct {
		name  string
		given map[string]int64
	}{
		{"tiling", map[string]int64{"NP": 4, "NU": 2, "ND": 1, "GMT": 4, "barrier": 2}},
		{"tiling", map[string]int64{"NP": 2, "NU": 3, "ND": 2, "GMT": 7, "barrier": 0}},
		{"minimum", map[string]int64{"NP": 4, "NU": 1, "ND": 1, "GMT": 4, "barrier": 1}},
		{"minimum", map[string]int64{"NP": 2, "NU": 3, "ND": 1, "GMT": 9, "barrier": 5}},
		{"warp", map[string]int64{"warp": 2, "dispatchers": 2, "NU": 2, "ND": 1, "GMT": 4, "barrier": 2}},
		{"spin_abstract", map[string]int64{"NP": 4, "NU": 2, "ND": 1, "GMT": 4}},
		{"spin_minimum", map[string]int64{"NP": 4, "GMT": 4}},
	} {
		for size := int64(8); size <= largest && (size <= 32 || c.name != "warp"); size *= 2 {
			given := maps.Clone(c.given)
			given["size"] = size
			e := entryFor(t, c.name, given)
			closed, err := e.ClosedForm("closed_form")
			if err != nil {
				t.Fatal(err)
			}
			var answers [2]*tune.Answer
			for i, opt := range []tune.Options{{NoPruning: true}, {Closed: closed}} {
				if answers[i], err = tune.Search(context.Background(), e, opt); err != nil {
					t.Fatal(err)
				}
			}
			ran, proved := answers[0], answers[1]
			if legal, _ := ran.Legal(); legal == 0 || !ran.Complete {
				t.Fatalf("%s %v: %d legal points, complete %t", c.name, given, legal, ran.Complete)
			}
			for i, p := range ran.Points {
				q := proved.Points[i]
				if p.Illegal != q.Illegal || p.Illegal == "" && (p.Ranges[0].Low.Cmp(p.Ranges[0].High) != 0 || fmt.Sprint(p.Ranges) != fmt.Sprint(q.Ranges)) {
					t.Errorf("%s %v at %v: by %s %v %q, by theorem %v %q", c.name, given, p.Values, p.By, p.Ranges, p.Illegal, q.Ranges, q.Illegal)
				}
			}
			if !slices.Equal(ran.Best, proved.Best) {
				t.Errorf("%s %v: best are %v, by theorem %v", c.name, given, ran.Best, proved.Best)
			}
		}
	}
}

// BenchmarkRun shows how the cost of an answer by run grows with the size.
func BenchmarkRun(b *testing.B) {
	for size := int64(8); size <= 1024; size *= 2 {
		b.Run(fmt.Sprint("size=", size), func(b *testing.B) {
			e := entryFor(b, "spin_abstract", map[string]int64{"size": size, "NP": 4, "NU": 2, "ND": 1, "GMT": 4})
			benchmark(b, e, tune.Options{})
		})
	}
}

// BenchmarkTheorem shows how the cost of an answer by theorem grows.
func BenchmarkTheorem(b *testing.B) {
	for bits := 10; bits <= 40; bits += 10 {
		b.Run(fmt.Sprint("size=2^", bits), func(b *testing.B) {
			e := entryFor(b, "tiling", map[string]int64{"size": 1 << bits, "NP": 4, "NU": 2, "ND": 1, "GMT": 4, "barrier": 2})
			closed, err := e.ClosedForm("closed_form")
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, e, tune.Options{Closed: closed})
		})
	}
}

func benchmark(b *testing.B, e *tune.Entry, opt tune.Options) {
	var a *tune.Answer
	for b.Loop() {
		var err error
		if a, err = tune.Search(context.Background(), e, opt); err != nil || !a.Complete {
			b.Fatal(err, a)
		}
	}
	b.ReportMetric(float64(len(a.Points)), "points")
	b.ReportMetric(float64(a.Steps), "events")
}
