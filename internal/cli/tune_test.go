package cli

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"testing"

	"github.com/gradine/gradine/tune"
)

// answer searches an entry of this repository's gradine.toml by running.
func runEntry(t *testing.T, name string, given map[string]int64, opt tune.Options) *tune.Answer {
	t.Helper()
	r := &run{ctx: context.Background(), in: nil, out: io.Discard, err: io.Discard, dir: "../.."}
	projects, _, err := r.projects(nil)
	if err != nil {
		t.Fatal(err)
	}
	conf := projects[0].config.Tune[name]
	p, err := projectOf(projects, conf)
	if err != nil {
		t.Fatal(err)
	}
	var list []tune.Given
	for _, k := range []string{"size", "NP", "NU", "ND", "GMT"} {
		if v, ok := given[k]; ok {
			list = append(list, tune.Given{Name: k, Value: big.NewInt(v)})
		}
	}
	e, err := entryOf(p, name, conf, list)
	if err != nil {
		t.Fatal(err)
	}
	a, err := tune.Search(context.Background(), e, list, opt)
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
		wg, ts := p.Values[0].Int64(), p.Values[1].Int64()
		want, ok := oracle(wg, ts)
		switch {
		case ok != (p.Illegal == ""):
			t.Errorf("WG=%d TS=%d: oracle legal %t, ours %q", wg, ts, ok, p.Illegal)
			continue
		case !ok:
			continue
		case !p.Known() || p.Low.Cmp(p.High) != 0 || p.Low.Cmp(big.NewInt(want)) != 0:
			t.Errorf("WG=%d TS=%d: oracle %d, ours %v", wg, ts, want, p.Low)
		}
		switch name := fmt.Sprint(wg, ts); {
		case least < 0 || want < least:
			least, best = want, []string{name}
		case want == least:
			best = append(best, name)
		}
	}
	var ours []string
	for _, i := range a.Best {
		ours = append(ours, fmt.Sprint(a.Points[i].Values[0], a.Points[i].Values[1]))
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
			if p.Values[0].Int64() == row.wg && p.Values[1].Int64() == row.ts && p.Known() && p.Low.Int64() != row.published {
				t.Errorf("size %d: T %v at (%d,%d), the paper has %d", row.size, p.Low, row.wg, row.ts, row.published)
			}
		}
		if low, high := a.Value(); !a.Complete || low.Cmp(high) != 0 || (low.Int64() == row.published) != row.optimal || low.Int64() > row.published {
			t.Errorf("size %d: least T %v, published %d", row.size, low, row.published)
		}
	}
}
