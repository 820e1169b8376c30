package cli

import (
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// TestCalibrateMeasured calibrates the convolution with 20 points of a measured search
// space, chosen by the plan, and holds what is best then against all of it. It takes half a
// minute; script calibrate is the short form.
func TestCalibrateMeasured(t *testing.T) {
	if os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("set GRADINE_SWEEP to calibrate with all measurements")
	}
	dir := corpus.Path(t, "tuning")
	want := map[string]struct{ rank, regret float64 }{"A100": {0.85, 1.55}, "A6000": {0.75, 1.2}, "W6600": {0.8, 1.2}}
	for _, gpu := range slices.Sorted(maps.Keys(want)) {
		t.Run(gpu, func(t *testing.T) {
			rows, err := readMeasurements(filepath.Join(dir, "convolution-"+gpu+".tsv.gz"), entryConf(t, "convolution").Shown, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			unknown, entry := instanceOf(t, "convolution", gpu)
			start := simulateRounds(t, entry, unknown, rows, nil)
			end := simulateRounds(t, entry, unknown, rows, []int{8, 4, 4, 4})
			t.Logf("%s: data sheet: rank %.3f, regret %.2f (%s)", gpu, start.rank, start.regret, start.choice)
			t.Logf("%s: 20 points: rank %.3f, regret %.2f (%s), by prediction alone %.2f, best measured %.2f; %v", gpu, end.rank, end.regret, end.choice, end.predicted, end.measured, end.constants)
			if start.regret > 1.6 || end.rank < want[gpu].rank || end.regret > want[gpu].regret {
				t.Errorf("%s: want rank %v and regret %v, from the data sheet at most 1.6", gpu, want[gpu].rank, want[gpu].regret)
			}
		})
	}
}

// joined is the name of a point: the values of its parameters.
func joined(values []simulate.Constant) string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return strings.Join(out, " ")
}

type simulated struct {
	rank, regret float64
	predicted    float64 // the regret of what is best by prediction alone
	measured     float64 // of the best that was measured
	choice       string
	constants    []int64
}

// simulateRounds calibrates in rounds: each plans some points and looks their times up. What is
// best by the objective is compared with all rows.
func simulateRounds(t *testing.T, entry *tune.Entry, unknown []tune.Unknown, rows []tune.Measurement, rounds []int) simulated {
	t.Helper()
	conf := entryConf(t, "convolution")
	closed, err := entry.ClosedForm(conf.Theorem)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]tune.Measurement{}
	best := math.Inf(1)
	for _, row := range rows {
		at[strings.Join(row.At, " ")] = row
		if row.Failed == "" {
			best = min(best, row.Time)
		}
	}
	var known []tune.Measurement
	fit := func() *tune.Calibration {
		found, err := tune.Calibrate(t.Context(), entry, closed, unknown, conf.Calibrate.Unit, known)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	out := simulated{measured: math.Inf(1)}
	for _, n := range rounds {
		plan, err := fit().Plan(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plan {
			row, ok := at[joined(p)]
			if !ok {
				row = tune.Measurement{At: strings.Fields(joined(p)), Failed: "not measured"}
			}
			if row.Failed == "" {
				out.measured = min(out.measured, row.Time/best)
			}
			t.Logf("  %v %.2f %s", row.At, row.Time/best, row.Failed)
			known = append(known, row)
		}
	}
	found := fit()
	for _, k := range found.Constants {
		out.constants = append(out.constants, k.Value)
	}
	out.predicted, out.rank = heldAgainst(found, rows)
	// What is certified is the answer of the search: measured times count where there are some.
	opened := *entry
	opened.Given = found.Given(entry)
	again, err := closed.Again(&opened)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := tune.Search(t.Context(), &opened, tune.Options{Closed: again, Measured: known, Unit: conf.Calibrate.Unit})
	if err != nil {
		t.Fatal(err)
	}
	out.choice = joined(answer.Points[answer.Best[0]].Values)
	out.regret = at[out.choice].Time / best
	return out
}

// entryConf is an entry of this repository's gradine.toml.
func entryConf(t *testing.T, name string) config.Tune {
	t.Helper()
	conf, err := config.Read("../../gradine.toml")
	if err != nil {
		t.Fatal(err)
	}
	return conf.Tune[name]
}

// table2 is table 2 of the published work: milliseconds that the minimum of about 4 GB took on
// a P104-100, by the threads of a launch and of a block. The published tile sizes made no
// difference.
const table2 = `global	WG	ms
960	64	140
1280	64	156
1600	64	156
1920	128	137
2560	128	140
3200	128	124
5120	512	124
6400	256	109
7680	512	93
`

// TestPublishedMeasurements calibrates the minimum with each choice of four of the nine rows
// of table 2; what it predicts to be the fastest of the nine is held against what was.
func TestPublishedMeasurements(t *testing.T) {
	conf := entryConf(t, "resident_minimum")
	rows, err := tune.ReadMeasurements("table 2", []byte(table2), conf.Shown, nil)
	if err != nil {
		t.Fatal(err)
	}
	unknown, entry := instanceOf(t, "resident_minimum", "P104")
	for i, c := range entry.Choices {
		if c.Name == "blocks" {
			bank := entry.Bank
			entry.Choices[i].Set = bank.App(logic.SetExt, bank.Int64(10), bank.Int64(15), bank.Int64(20), bank.Int64(25)) // those of the table
		}
	}
	closed, err := entry.ClosedForm(conf.Theorem)
	if err != nil {
		t.Fatal(err)
	}
	var regrets, ranks []float64
	for set := range 1 << len(rows) {
		if bits.OnesCount(uint(set)) != 4 {
			continue
		}
		var known []tune.Measurement
		for i, row := range rows {
			if set>>i&1 == 1 {
				known = append(known, row)
			}
		}
		found, err := tune.Calibrate(t.Context(), entry, closed, unknown, conf.Calibrate.Unit, known)
		if err != nil {
			t.Fatal(err)
		}
		regret, rank := heldAgainst(found, rows)
		regrets, ranks = append(regrets, regret), append(ranks, rank)
	}
	slices.Sort(regrets)
	slices.Sort(ranks)
	middle := len(regrets) / 2
	t.Logf("%d calibrations: regret %.2f, the median, %.2f at most; rank correlation %.2f, the median", len(regrets), regrets[middle], regrets[len(regrets)-1], ranks[middle])
	if len(regrets) != 126 || regrets[middle] > 1.1 {
		t.Errorf("%d calibrations of 126; median regret %.2f, want 1.10 at most", len(regrets), regrets[middle])
	}
}

// instanceOf is a named instance of an entry of gradine.toml, what is to be calibrated of it,
// and the entry there.
func instanceOf(t *testing.T, name, instance string) ([]tune.Unknown, *tune.Entry) {
	t.Helper()
	conf := entryConf(t, name)
	found, err := project.InstanceOf(conf, instance)
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := project.Unknowns(conf, found.Given)
	if err != nil {
		t.Fatal(err)
	}
	return unknown, entryFor(t, name, numbersOf(t, name, instance))
}

// TestMeasuredAfterwards holds the model of two kernels against a device that was measured after the model was made: from its
// data sheet, and calibrated with twenty points drawn at random.
func TestMeasuredAfterwards(t *testing.T) {
	type want struct{ regret, rank, calibrated float64 }
	for name, want := range map[string]want{"resident_minimum": {1.05, 0.98, 0.98}, "convolution": {1.2, 0.4, 0.75}} {
		conf := entryConf(t, name)
		rows, err := readMeasurements(filepath.Join("../../bench/gpu", name+"-H200.tsv"), conf.Shown, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		unknown, entry := instanceOf(t, name, "H200")
		closed, err := entry.ClosedForm(conf.Theorem)
		if err != nil {
			t.Fatal(err)
		}
		predict := func(known []tune.Measurement) (regret, rank float64) {
			found, err := tune.Calibrate(t.Context(), entry, closed, unknown, conf.Calibrate.Unit, known)
			if err != nil {
				t.Fatal(err)
			}
			return heldAgainst(found, rows)
		}
		regret, rank := predict(nil)
		t.Logf("%s: data sheet: regret %.3f, rank %.3f", name, regret, rank)
		if regret > want.regret || rank < want.rank {
			t.Errorf("%s: regret %.2f, rank %.2f; want %v", name, regret, rank, want)
		}
		var regrets, ranks []float64
		for draw := range uint64(5) {
			var known []tune.Measurement
			for _, i := range rand.New(rand.NewPCG(7, draw)).Perm(len(rows))[:20] {
				known = append(known, rows[i])
			}
			regret, rank := predict(known)
			regrets, ranks = append(regrets, regret), append(ranks, rank)
		}
		slices.Sort(ranks)
		t.Logf("%s: 20 points: regret %.3f at most, rank %.3f, the median", name, slices.Max(regrets), ranks[2])
		if slices.Max(regrets) > want.regret || ranks[2] < want.calibrated {
			t.Errorf("%s: regrets %.2f, ranks %.2f; want %v", name, regrets, ranks, want)
		}
	}
}

// heldAgainst holds predictions against the rows that were measured: the time of what is predicted to be fastest of these,
// divided by the least of all, and the rank correlation. Of several best points the first counts: it is the one that the answer
// begins with.
func heldAgainst(found *tune.Calibration, rows []tune.Measurement) (regret, rank float64) {
	times := map[string]float64{}
	best := math.Inf(1)
	for _, row := range rows {
		if row.Failed == "" {
			times[strings.Join(row.At, " ")] = row.Time
			best = min(best, row.Time)
		}
	}
	var guesses, measured []float64
	for values, guess := range found.Predictions() {
		if time, ok := times[joined(values)]; ok {
			guesses, measured = append(guesses, guess), append(measured, time)
		}
	}
	chosen := slices.Index(guesses, slices.Min(guesses))
	return measured[chosen] / best, tune.Spearman(guesses, measured)
}
