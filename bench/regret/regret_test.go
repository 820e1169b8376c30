// Package regret measures what the choices of gradine tune cost on measured devices, next to those of others.
package regret

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/scaffold"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// measured is a space that somebody has measured: a kernel with its table, and the times of a device.
type measured struct {
	kernel, device, times string
	table                 string // "": the one next to the kernel
}

// spaces are those of the reference data and of this repository, and those that GRADINE_SPACES adds: kernel, device,
// times and table, separated by commas, one space after another, separated by colons.
func spaces(t *testing.T) (out []measured) {
	kernel := filepath.Join("..", "gpu", "convolution.cu")
	dir := corpus.Path(t, "tuning")
	for _, x := range [][2]string{{"a100-pcie-40gb", "A100"}, {"rtx-a6000", "A6000"}, {"radeon-pro-w6600", "W6600"}} {
		out = append(out, measured{kernel: kernel, device: x[0], times: filepath.Join(dir, "convolution-"+x[1]+".tsv.gz")})
	}
	out = append(out, measured{kernel: kernel, device: "h200-sxm", times: filepath.Join("..", "gpu", "convolution-H200.tsv")})
	for _, x := range strings.FieldsFunc(os.Getenv("GRADINE_SPACES"), func(r rune) bool { return r == ':' }) {
		f := append(strings.Split(x, ","), "", "", "")
		out = append(out, measured{f[0], f[1], f[2], f[3]})
	}
	return out
}

// TestRegret prints, for each measured space, the rank correlation of the prediction from source and data sheet, and
// the time of choices divided by the least time: from the data sheet, with 20 points that the plan proposes, and with 20
// points of other methods.
func TestRegret(t *testing.T) {
	wanted := os.Getenv("GRADINE_REGRET")
	if wanted == "" {
		t.Skip("set GRADINE_REGRET=all, or to a pattern of the names of devices, to measure regrets: it takes minutes")
	}
	devices, err := regexp.Compile(wanted)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]*project.Counted{}
	for _, m := range spaces(t) {
		if wanted != "all" && !devices.MatchString(m.device) {
			continue
		}
		s := open(t, m, counts)
		sheet := s.calibrated(t)
		rank, regret := s.against(sheet)
		planned := "most planned points are not in the table"
		if s.covered(sheet) {
			points, said := s.planned(t, 8, 4, 4, 4)
			planned = fmt.Sprintf("with 20 points %.2f (said rank %.2f, %.2f to %.2f; regret at most %.2f)", points, said.Rank.Value, said.Rank.Low, said.Rank.High, said.Regret.High)
		}
		t.Logf("%s on %s: %d points, rank %.2f; regret from the data sheet %.2f, %s; 20 random points %.2f, Gaussian process %.2f%s",
			filepath.Base(m.kernel), m.device, len(s.time), rank, regret, planned, s.random(20), s.bayesian(20), s.portfolio(t, m))
	}
}

// TestFailures prints how many launches that fail on a device are said to fail, or to be likely to, and how many that run.
// Launches that exceed shared memory, and rows that no compiler takes, are told apart by the columns' words.
func TestFailures(t *testing.T) {
	if os.Getenv("GRADINE_REGRET") == "" {
		t.Skip("set GRADINE_REGRET=all to measure predicted failures: it takes minutes")
	}
	var counted *project.Counted
	for _, m := range spaces(t) {
		device, err := project.Device(".", m.device)
		if err != nil {
			t.Fatal(err)
		}
		if device.Figures["warp"].Value != 32 {
			continue
		}
		if counted == nil {
			all, err := (project.KernelSource{File: m.kernel, Table: strings.TrimSuffix(m.kernel, ".cu") + ".toml", Device: m.device}).Count(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			counted = all[0]
		}
		here := *counted
		here.Device, here.Figures = device, map[string]int64{}
		for name, f := range device.Figures {
			here.Figures[name] = f.Value
		}
		var shown []string
		for _, p := range here.Space.Parameters {
			shown = append(shown, p.Name)
		}
		byName := map[string]project.Row{}
		for _, r := range here.Rows {
			var texts []string
			for _, v := range r.Values {
				texts = append(texts, fmt.Sprint(v))
			}
			r.Promised = cmp.Or(r.Counts.Promised, here.Figures["promised_threads"])
			byName[strings.Join(texts, "\t")] = r
		}
		var found, missed, falsely, ran int
		for _, row := range rows(t, m.times, shown) {
			r, ok := byName[strings.Join(row.At, "\t")]
			if !ok || strings.HasPrefix(strings.ToLower(row.Failed), "compilation") {
				continue
			}
			switch may := here.Registers(r).MayFail(); {
			case row.Failed != "" && may:
				found++
			case row.Failed != "":
				missed++
			case may:
				falsely++
				ran++
			default:
				ran++
			}
		}
		t.Logf("%s: %d of %d launches that fail may need too many registers, and %d of %d that run", m.device, found, found+missed, falsely, ran)
	}
}

// space is an opened one.
type space struct {
	entry   *tune.Entry
	closed  *tune.Closed
	unknown []tune.Unknown
	unit    float64
	time    map[string]float64 // by the values of the parameters, separated by tabs
	names   []string           // of the points with times, in order
	best    float64
	shown   []string // the parameters
	rows    int      // of the table
}

func open(t *testing.T, m measured, counts map[string]*project.Counted) *space {
	t.Helper()
	table := cmp.Or(m.table, strings.TrimSuffix(m.kernel, filepath.Ext(m.kernel))+".toml")
	device, err := project.Device(".", m.device)
	if err != nil {
		t.Fatal(err)
	}
	// What is counted depends on few figures of the device.
	key := fmt.Sprint(m.kernel, table, device.Figures["warp"].Value, device.Figures["unroll_limit"].Value)
	counted := counts[key]
	if counted == nil {
		all, err := (project.KernelSource{File: m.kernel, Table: table, Device: m.device}).Count(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		counted = all[0] // the table has one size
		counts[key] = counted
	}
	here := *counted
	here.Device, here.Figures = device, map[string]int64{}
	for name, f := range device.Figures {
		here.Figures[name] = f.Value
	}
	dir := t.TempDir()
	if err := scaffold.Files(project.Counts{&here}.Text()).Write(dir); err != nil {
		t.Fatal(err)
	}
	opener := project.Opener{Context: t.Context()}
	projects, err := opener.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	conf := projects[0].Config.Tune[here.Name]
	instance, err := project.InstanceOf(conf, here.Device.Name)
	if err != nil {
		t.Fatal(err)
	}
	s := &space{unit: conf.Calibrate.Unit, shown: conf.Shown, time: map[string]float64{}, best: math.Inf(1)}
	if s.entry, err = projects[0].Entry(here.Name, conf, instance.Given); err != nil {
		t.Fatal(err)
	}
	if s.unknown, err = project.Unknowns(conf, instance.Given); err != nil {
		t.Fatal(err)
	}
	if s.closed, err = s.entry.ClosedForm(conf.Theorem); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows(t, m.times, conf.Shown) {
		s.rows++
		if row.Failed == "" {
			name := strings.Join(row.At, "\t")
			s.time[name] = row.Time
			s.names = append(s.names, name)
			s.best = min(s.best, row.Time)
		}
	}
	return s
}

// rows are those of a table, whose columns may have the names of macros in lower case.
func rows(t *testing.T, file string, parameters []string) []tune.Measurement {
	t.Helper()
	data, err := door.File(file)
	if err != nil {
		t.Fatal(err)
	}
	found, err := tune.ReadMeasurements(file, data, parameters, nil)
	if err != nil {
		var lower []string
		for _, p := range parameters {
			lower = append(lower, strings.ToLower(p))
		}
		if found, err = tune.ReadMeasurements(file, data, lower, nil); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func (s *space) calibrated(t *testing.T, known ...tune.Measurement) *tune.Calibration {
	t.Helper()
	c, err := tune.Calibrate(t.Context(), s.entry, s.closed, s.unknown, s.unit, known)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// against holds predictions against the measured times.
func (s *space) against(c *tune.Calibration) (rank, regret float64) {
	var guesses, times []float64
	for values, guess := range c.Predictions() {
		var texts []string
		for _, v := range values {
			texts = append(texts, v.Text)
		}
		if time, ok := s.time[strings.Join(texts, "\t")]; ok {
			guesses, times = append(guesses, guess), append(times, time)
		}
	}
	return tune.Spearman(guesses, times), times[slices.Index(guesses, slices.Min(guesses))] / s.best
}

// covered reports whether the table has a row for most points that may be planned.
func (s *space) covered(c *tune.Calibration) bool {
	points := 0
	for range c.Predictions() {
		points++
	}
	return 2*s.rows > points
}

// planned measures points as plans propose them: what the fastest of them, or one that is predicted to be faster, costs.
func (s *space) planned(t *testing.T, rounds ...int) (regret float64, said *tune.Calibration) {
	t.Helper()
	var known []tune.Measurement
	took := map[string]float64{}
	for _, n := range rounds {
		plan, err := s.calibrated(t, known...).Plan(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plan {
			var m tune.Measurement
			for _, v := range p {
				m.At = append(m.At, v.Text)
			}
			if time, ok := s.time[strings.Join(m.At, "\t")]; ok {
				m.Time = time
				took[strings.Join(m.At, "\t")] = math.Log(time)
			} else {
				m.Failed = "not measured"
			}
			known = append(known, m)
		}
	}
	said = s.calibrated(t, known...)
	best := math.Inf(1)
	failed := map[string]bool{}
	for _, m := range known {
		failed[strings.Join(m.At, "\t")] = m.Failed != ""
	}
	for values, guess := range said.Predictions() {
		var texts []string
		for _, v := range values {
			texts = append(texts, v.Text)
		}
		name := strings.Join(texts, "\t")
		if time, ok := took[name]; ok {
			guess = time
		}
		if guess < best && !failed[name] {
			if time, ok := s.time[name]; ok {
				best, regret = guess, time/s.best
			}
		}
	}
	return regret, said
}

// random is the median of the best of n points, of 1,000 draws.
func (s *space) random(n int) float64 {
	r := rand.New(rand.NewPCG(20, 25))
	var out []float64
	for range 1000 {
		least := math.Inf(1)
		for _, i := range r.Perm(len(s.names))[:n] {
			least = min(least, s.time[s.names[i]])
		}
		out = append(out, least/s.best)
	}
	slices.Sort(out)
	return out[len(out)/2]
}

// bayesian is the median, over 11 draws, of the best of n points: 8 at random, and then those that a Gaussian process
// over the parameters expects to improve most on the best.
func (s *space) bayesian(n int) float64 {
	places := make([][]float64, len(s.names))
	var most []float64
	for i, name := range s.names {
		for _, f := range strings.Split(name, "\t") {
			var v float64
			fmt.Sscan(f, &v)
			places[i] = append(places[i], math.Log2(1+v))
		}
		if most == nil {
			most = make([]float64, len(places[i]))
		}
		for k, v := range places[i] {
			most[k] = max(most[k], v, 1e-9)
		}
	}
	alike := func(i, k int) float64 {
		far := 0.0
		for p := range places[i] {
			d := (places[i][p] - places[k][p]) / most[p]
			far += d * d
		}
		return math.Exp(-far / (2 * 0.3 * 0.3))
	}
	var out []float64
	for draw := range uint64(11) {
		r := rand.New(rand.NewPCG(draw, 25))
		seen := r.Perm(len(s.names))[:8]
		for len(seen) < n {
			seen = append(seen, s.next(seen, alike))
		}
		least := math.Inf(1)
		for _, i := range seen {
			least = min(least, s.time[s.names[i]])
		}
		out = append(out, least/s.best)
	}
	slices.Sort(out)
	return out[len(out)/2]
}

// next is the point with the greatest expected improvement, of the logarithm of the time.
func (s *space) next(seen []int, alike func(i, k int) float64) int {
	var mean, spread float64
	least := math.Inf(1)
	for _, i := range seen {
		mean += math.Log(s.time[s.names[i]]) / float64(len(seen))
		least = min(least, math.Log(s.time[s.names[i]]))
	}
	for _, i := range seen {
		spread += math.Pow(math.Log(s.time[s.names[i]])-mean, 2) / float64(len(seen))
	}
	var columns [][]float64 // of Cholesky's factor
	means, variances := make([]float64, len(s.names)), make([]float64, len(s.names))
	for i := range variances {
		variances[i] = spread
	}
	for _, at := range seen {
		scale := math.Sqrt(max(0, variances[at]) + 0.01*spread + 1e-12)
		surprise := (math.Log(s.time[s.names[at]]) - mean - means[at]) / scale
		column := make([]float64, len(s.names))
		for i := range column {
			shared := spread * alike(i, at)
			for _, c := range columns {
				shared -= c[i] * c[at]
			}
			column[i] = shared / scale
		}
		for i, c := range column {
			means[i] += c * surprise
			variances[i] -= c * c
		}
		columns = append(columns, column)
	}
	best, gain := 0, -1.0
	for i := range s.names {
		deviation := math.Sqrt(max(1e-12, variances[i]))
		u := (least - mean - means[i]) / deviation
		g := deviation * (u*math.Erfc(-u/math.Sqrt2)/2 + math.Exp(-u*u/2)/math.Sqrt(2*math.Pi))
		if g > gain && !slices.Contains(seen, i) {
			best, gain = i, g
		}
	}
	return best
}

// portfolio is what the best of 20 configurations costs that are the best of the other devices: those with the least
// mean slowdown there.
func (s *space) portfolio(t *testing.T, m measured) string {
	slow, on := map[string]float64{}, map[string]int{}
	devices := 0
	for _, o := range spaces(t) {
		if o.kernel != m.kernel || o.device == m.device {
			continue
		}
		devices++
		least := math.Inf(1)
		var all []tune.Measurement
		for _, row := range rows(t, o.times, s.shown) {
			if row.Failed == "" {
				all = append(all, row)
				least = min(least, row.Time)
			}
		}
		for _, row := range all {
			name := strings.Join(row.At, "\t")
			slow[name] += row.Time / least
			on[name]++
		}
	}
	if devices == 0 {
		return ""
	}
	var names []string
	for name, n := range on {
		if n == devices {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(slow[a], slow[b]), cmp.Compare(a, b)) })
	least := math.Inf(1)
	for _, name := range names[:min(20, len(names))] {
		if time, ok := s.time[name]; ok {
			least = min(least, time)
		}
	}
	return fmt.Sprintf(", best 20 of %d other devices %.2f", devices, least/s.best)
}
