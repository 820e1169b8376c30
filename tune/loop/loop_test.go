package loop_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/loop"
)

// errKilled is how a fake device ends the program that measures.
var errKilled = errors.New("killed")

// fake is a device whose configurations are pairs of digits. Its times are known, and so is what goes wrong.
type fake struct {
	r       *rand.Rand
	noise   float64
	clock   func(call int) float64 // factor of all times
	fails   map[string]string      // causes by configuration
	unsafe  map[string]bool
	kill    int                     // the call during which the program is killed; 0: none
	broken  int                     // the call at which the device is gone; 0: none
	deadly  string                  // a configuration that kills the program each time
	calls   int                     // of Measure
	ran     map[string]int          // configurations that Measure was asked for
	seconds time.Duration           // how long it has measured
	cancel  context.CancelCauseFunc // is called at call kill instead, if there is one
}

func newFake(seed uint64) *fake {
	return &fake{r: rand.New(rand.NewPCG(seed, 1)), ran: map[string]int{}, fails: map[string]string{}, unsafe: map[string]bool{}}
}

// reference is the configuration that others are compared with.
var reference = []string{"0", "0"}

// truth is the time of a configuration without noise: the least is at 4 2.
func truth(at []string) float64 {
	x, y := float64(at[0][0]-'0'), float64(at[1][0]-'0')
	return 1 + 0.3*math.Abs(x-4) + 0.2*math.Abs(y-2)
}

func (f *fake) Judge(_ context.Context, at []string) (string, string, error) {
	if f.unsafe[strings.Join(at, " ")] {
		return loop.Unsafe, "race in line 3", nil
	}
	return "safe", "", nil
}

func (f *fake) Measure(ctx context.Context, at []string) (loop.Result, error) {
	f.calls++
	f.seconds += time.Second
	name := strings.Join(at, " ")
	if f.calls == f.kill && f.cancel != nil {
		f.cancel(errKilled)
		return loop.Result{}, context.Cause(ctx)
	}
	if f.calls == f.kill || name == f.deadly {
		panic(errKilled)
	}
	if f.calls == f.broken {
		return loop.Result{}, errors.New("no device")
	}
	f.ran[name]++
	if why := f.fails[name]; why != "" {
		return loop.Result{Failed: why}, nil
	}
	factor := 1.0
	if f.clock != nil {
		factor = f.clock(f.calls)
	}
	var out loop.Result
	for range 5 {
		out.Times = append(out.Times, truth(at)*factor*math.Exp(f.noise*f.r.NormFloat64()))
	}
	return out, nil
}

// guesser proposes configurations by a guess of their times.
type guesser struct {
	size  int
	wrong float64 // factor by which guesses are wrong, at most
}

func (g guesser) guess(at []string) float64 {
	h := rand.New(rand.NewPCG(uint64(at[0][0]), uint64(at[1][0])))
	return truth(at) * math.Exp(math.Log(g.wrong)*(2*h.Float64()-1))
}

func (g guesser) Plan(_ context.Context, rows []tune.Measurement, n int) (*loop.Plan, error) {
	known := map[string]bool{}
	best := math.Inf(1)
	for _, r := range rows {
		known[strings.Join(r.At, " ")] = true
		if r.Failed == "" {
			best = min(best, r.Time)
		}
	}
	var left [][]string
	for x := range g.size {
		for y := range g.size {
			if at := []string{fmt.Sprint(x), fmt.Sprint(y)}; !known[strings.Join(at, " ")] {
				left = append(left, at)
			}
		}
	}
	slices.SortStableFunc(left, func(a, b []string) int { return cmp.Compare(g.guess(a), g.guess(b)) })
	out := &loop.Plan{Left: len(left), Next: left[:min(n, len(left))]}
	if len(left) > 0 {
		out.Best, out.Faster = left[0], 1-g.guess(left[0])/best
		out.AtMost, out.Expected = max(0, out.Faster), max(0, out.Faster)
	}
	return out, nil
}

// options are those of a loop on a fake device.
func options(t *testing.T, f *fake, path string) loop.Options {
	t.Helper()
	log, err := loop.OpenLog(path, nil, []string{"x", "y"}, "digest")
	if err != nil {
		t.Fatal(err)
	}
	return loop.Options{Reference: reference, Runner: f, Planner: guesser{6, 1}, Log: log, Every: 5, Clock: func() time.Duration { return f.seconds }}
}

// again runs a loop, which may be killed.
func again(t *testing.T, o loop.Options) (report *loop.Report, err error) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			if p != errKilled {
				panic(p)
			}
			err = errKilled
		}
	}()
	return loop.Run(t.Context(), o)
}

// TestStops: each budget ends a loop, and no more is measured than it allows.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		budget loop.Budget
		stop   loop.Stop
		points int // at most
	}{
		{loop.Budget{Points: 7}, loop.NoPoints, 7},
		{loop.Budget{Points: 1}, loop.NoPoints, 1},
		{loop.Budget{Time: 9 * time.Second}, loop.NoTime, 12},
		{loop.Budget{Gain: 0.05}, loop.NoGain, 6},
		{loop.Budget{}, loop.Everything, 35},
		{loop.Budget{Points: 100, Time: time.Hour, Gain: 1e-12}, loop.NoGain, 6},
	} {
		f := newFake(1)
		o := options(t, f, filepath.Join(t.TempDir(), "log"))
		o.Budget = c.budget
		r, err := loop.Run(t.Context(), o)
		if err != nil || r.Stopped != c.stop || r.Points > c.points || c.stop == loop.NoPoints && r.Points != c.points {
			t.Errorf("%+v: stopped by %q after %d configurations, %v", c.budget, r.Stopped, r.Points, err)
		}
		if got := strings.Join(r.Best[0].At, " "); got != "4 2" {
			t.Errorf("%+v: best %s", c.budget, got)
		}
	}
}

// TestResume kills the program during each measurement once. What was measured before is still there, and is not
// measured again; the loop ends with as many configurations as without.
func TestResume(t *testing.T) {
	whole := newFake(1)
	o := options(t, whole, filepath.Join(t.TempDir(), "log"))
	o.Budget.Points = 12
	want, err := loop.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for kill := 1; kill <= whole.calls; kill++ {
		path := filepath.Join(t.TempDir(), "log")
		first := newFake(1)
		first.kill = kill
		o := options(t, first, path)
		o.Budget.Points = 12
		if _, err := again(t, o); err != errKilled {
			t.Fatalf("%d: %v", kill, err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		second := newFake(2)
		o = options(t, second, path)
		o.Budget.Points = 12
		got, err := loop.Run(t.Context(), o)
		if err != nil {
			t.Fatalf("%d: %v", kill, err)
		}
		after, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(after), string(before)) {
			t.Fatalf("%d: the log has lost what it had:\n%s\n%s", kill, before, after)
		}
		if got.Points != want.Points || !slices.Equal(got.Best[0].At, want.Best[0].At) || len(got.Failed) != 0 {
			t.Errorf("%d: %d configurations, best %v, failed %v; want %d, %v", kill, got.Points, got.Best[0].At, got.Failed, want.Points, want.Best[0].At)
		}
		for _, row := range o.Log.Rows() {
			name := strings.Join(row.At, " ")
			if row.Role == loop.Planned && first.ran[name]+second.ran[name] > 4 { // once planned, at most twice to tell it apart, in each run
				t.Errorf("%d: %s was measured %d and %d times", kill, name, first.ran[name], second.ran[name])
			}
		}
	}
}

// TestDeadly: a configuration that ends the program whenever it runs is a failure the third time.
func TestDeadly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for n := range 3 {
		f := newFake(1)
		f.deadly = "4 1"
		o := options(t, f, path)
		o.Budget.Points = 8
		r, err := again(t, o)
		if n < 2 {
			if err != errKilled {
				t.Fatalf("%d: %v", n, err)
			}
			continue
		}
		if err != nil || r.Failed["it ended the program twice"] != 1 || r.Points != 8 {
			t.Errorf("%v: %+v", err, r)
		}
	}
}

// TestCancel: a user who ends the program loses the measurement under way, and no other; it is no failure.
func TestCancel(t *testing.T) {
	for kill := 1; kill < 12; kill++ {
		f := newFake(1)
		ctx, cancel := context.WithCancelCause(t.Context())
		f.kill, f.cancel = kill, cancel
		path := filepath.Join(t.TempDir(), "log")
		o := options(t, f, path)
		o.Budget.Points = 12
		r, err := loop.Run(ctx, o)
		if !errors.Is(err, errKilled) {
			t.Fatalf("%d: %v", kill, err)
		}
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), "\n") != kill || strings.Contains(string(text), "interrupted") || len(r.Failed) > 0 {
			t.Errorf("%d: %+v\n%s", kill, r, text)
		}
	}
}

// TestFailures: what a configuration does wrong is a failure with its cause, which is not proposed again; unsafe
// launches are not run; a device that is gone ends the loop, and so does a reference that fails.
func TestFailures(t *testing.T) {
	f := newFake(1)
	f.fails["4 2"], f.fails["4 1"], f.fails["3 2"] = "wrong results: out: element 3 is 1, and not 2", "time limit: stopped after 30s", "7\tlines\nof it"
	f.unsafe["4 3"] = true
	o := options(t, f, filepath.Join(t.TempDir(), "log"))
	o.Budget.Points = 15
	r, err := loop.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"wrong results": 1, "time limit": 1, "failed": 1, "unsafe launch, not run": 1}
	if fmt.Sprint(r.Failed) != fmt.Sprint(want) || r.Points != 15 {
		t.Errorf("%v, %d configurations", r.Failed, r.Points)
	}
	if f.ran["4 3"] != 0 || f.ran["4 2"] != 1 || r.Launches["safe"] != 15 || r.Launches["unsafe"] != 1 {
		t.Errorf("ran %v, launches %v", f.ran, r.Launches)
	}
	if strings.Join(r.Best[0].At, " ") != "5 2" {
		t.Errorf("best %v", r.Best[0].At)
	}

	f = newFake(1)
	f.fails["0 0"] = "crash: signal: segmentation fault"
	r, err = loop.Run(t.Context(), options(t, f, filepath.Join(t.TempDir(), "log")))
	if !errors.Is(err, loop.ErrReference) || !strings.Contains(err.Error(), "segmentation fault") || f.calls != 1 || len(r.Best) != 0 {
		t.Errorf("%v after %d calls: %+v", err, f.calls, r)
	}

	f = newFake(1)
	f.broken = 4
	path := filepath.Join(t.TempDir(), "log")
	r, err = loop.Run(t.Context(), options(t, f, path))
	if err == nil || err.Error() != "no device" || r.Points != 2 {
		t.Errorf("%v: %+v", err, r)
	}
}

// TestDrift: a device whose clock falls is noticed, and times are compared as if it had not; noise is no drift.
func TestDrift(t *testing.T) {
	for name, c := range map[string]struct {
		clock   func(call int) float64
		noise   float64
		noticed bool
	}{
		"steady":  {nil, 0, false},
		"noisy":   {nil, 0.03, false},
		"heating": {func(call int) float64 { return 1 + 0.03*float64(call) }, 0.001, true},
		"step": {func(call int) float64 {
			if call > 6 {
				return 1.5
			}
			return 1
		}, 0.001, true},
	} {
		f := newFake(3)
		f.clock, f.noise = c.clock, c.noise
		o := options(t, f, filepath.Join(t.TempDir(), "log"))
		o.Budget.Points = 20
		r, err := loop.Run(t.Context(), o)
		if err != nil || r.Drift.Noticed != c.noticed || r.Drift.Controls < 4 {
			t.Errorf("%s: %+v, %v", name, r.Drift, err)
		}
		if s := r.Best[0]; math.Abs(math.Log(s.MS/truth(s.At))) > 0.1 || truth(s.At) > 1.01 && name != "noisy" {
			t.Errorf("%s: %v takes %v, where it truly takes %v", name, s.At, s.MS, truth(s.At))
		}
	}
}

// TestTies: what is not told apart is a tie, and what differs by more than noise is none.
func TestTies(t *testing.T) {
	f := newFake(5)
	f.noise = 0.2 // more than the neighbours of the best differ by
	o := options(t, f, filepath.Join(t.TempDir(), "log"))
	o.Budget.Points = 20
	r, err := loop.Run(t.Context(), o)
	if err != nil || len(r.Best) < 2 {
		t.Errorf("noise of 20 %%: best %v, noise %v, %v", r.Best, r.Noise, err)
	}
	f = newFake(5)
	f.noise = 0.001
	o = options(t, f, filepath.Join(t.TempDir(), "log"))
	o.Budget.Points = 20
	if r, err = loop.Run(t.Context(), o); err != nil || len(r.Best) != 1 || r.Noise > 0.01 {
		t.Errorf("noise of 0.1 %%: best %v, noise %v, %v", r.Best, r.Noise, err)
	}
}

// exact is a device whose times are given: those of each configuration in turn, the last one for ever.
type exact struct {
	times map[string][]float64
	fails map[string]string
	ran   map[string]int
}

func (e *exact) Judge(context.Context, []string) (string, string, error) { return "safe", "", nil }

func (e *exact) Measure(_ context.Context, at []string) (loop.Result, error) {
	name := strings.Join(at, " ")
	if e.fails[name] != "" {
		return loop.Result{Failed: e.fails[name]}, nil
	}
	all := e.times[name]
	x := all[min(e.ran[name], len(all)-1)]
	e.ran[name]++
	return loop.Result{Times: []float64{x, x, x}}, nil
}

// listed proposes configurations in their order, and predicts the times of those that are left.
type listed struct {
	all  []string
	said map[string]float64
}

func (l listed) Plan(_ context.Context, rows []tune.Measurement, n int) (*loop.Plan, error) {
	best := math.Inf(1)
	known := map[string]bool{}
	for _, r := range rows {
		known[strings.Join(r.At, " ")] = true
		if r.Failed == "" {
			best = min(best, r.Time)
		}
	}
	out := &loop.Plan{Faster: math.Inf(-1)}
	for _, name := range l.all {
		if known[name] {
			continue
		}
		out.Left++
		if len(out.Next) < n {
			out.Next = append(out.Next, strings.Fields(name))
		}
		if faster := 1 - l.said[name]/best; faster > out.Faster {
			out.Best, out.Faster, out.AtMost, out.Expected = strings.Fields(name), faster, faster, faster
		}
	}
	return out, nil
}

// TestTiesOfTimes: which configurations tie follows from their times, and from what times of one configuration differ by.
func TestTiesOfTimes(t *testing.T) {
	for _, c := range []struct {
		what  string
		times map[string][]float64
		fails string
		want  string // the fastest, and those that tie with it
	}{
		{"equal", map[string][]float64{"0": {9}, "1": {5}, "2": {5}, "3": {6}}, "", "1 2"},
		{"clocks are no finer", map[string][]float64{"0": {9}, "1": {5}, "2": {5.01}, "3": {6}}, "", "1 2"},
		{"finer than the noise, which is least", map[string][]float64{"0": {9}, "1": {5}, "2": {5.05}, "3": {6}}, "", "1"},
		{"all, and the reference", map[string][]float64{"0": {5}, "1": {5}, "2": {5}, "3": {5}}, "", "0 1 2 3"},
		{"the slower one is first", map[string][]float64{"0": {9}, "1": {5.01}, "2": {5}, "3": {6}}, "", "2 1"},
		{"one that fails is no tie", map[string][]float64{"0": {9}, "2": {5}, "3": {6}}, "1", "2"},
		// Times of one configuration deviate by 4 %: a difference of 4 % is none, and one of 12 % is.
		{"noisy", map[string][]float64{"0": {9, 9.9, 9, 9.9}, "1": {5, 5.5, 5}, "2": {5.2, 4.7, 5.2}, "3": {12}}, "", "1 2"},
		{"noisy, and farther", map[string][]float64{"0": {9, 9.9, 9, 9.9}, "1": {5, 5.5, 5}, "2": {5.6, 5.1, 5.6}, "3": {12}}, "", "1"},
		// What was fast once is slow when it is measured again.
		{"lucky", map[string][]float64{"0": {9}, "1": {4, 5, 5}, "2": {4.9, 4.9, 4.9}, "3": {9}}, "", "2 1"},
	} {
		device := &exact{c.times, map[string]string{c.fails: "crash"}, map[string]int{}}
		log, err := loop.OpenLog(filepath.Join(t.TempDir(), "log"), nil, []string{"x"}, "digest")
		if err != nil {
			t.Fatal(err)
		}
		r, err := loop.Run(t.Context(), loop.Options{Reference: []string{"0"}, Runner: device, Planner: listed{[]string{"1", "2", "3"}, nil}, Log: log, Every: 9})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range r.Best {
			got = append(got, strings.Join(s.At, " "))
			if s.Failed != "" {
				t.Errorf("%s: %v has failed, and is among the best", c.what, s.At)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s; noise %.3f", c.what, got, c.want, r.Noise)
		}
	}
}

// TestPromise: what is said of the configurations that are left compares them with the fastest as it was measured last,
// and not with what it seemed to be when the loop decided to stop; those that failed are not among them.
func TestPromise(t *testing.T) {
	device := &exact{map[string][]float64{"0": {9}, "1": {4, 5, 5}, "2": {6}}, map[string]string{"3": "crash"}, map[string]int{}}
	log, err := loop.OpenLog(filepath.Join(t.TempDir(), "log"), nil, []string{"x"}, "digest")
	if err != nil {
		t.Fatal(err)
	}
	planner := listed{[]string{"1", "2", "3", "4", "5"}, map[string]float64{"3": 1, "4": 4.5, "5": 4.9}}
	r, err := loop.Run(t.Context(), loop.Options{Reference: []string{"0"}, Runner: device, Planner: planner, Log: log, Every: 9, Budget: loop.Budget{Gain: 0.05}})
	if err != nil {
		t.Fatal(err)
	}
	// Of 1 the median of 4, 5 and 5 milliseconds counts: 4.5 is 10 % less, and 4.9 2 %.
	if want := 1 - 4.5/r.Best[0].MS; r.Stopped != loop.NoGain || r.Plan.Left != 2 || strings.Join(r.Plan.Best, "") != "4" || math.Abs(r.Plan.Faster-want) > 1e-9 || r.Best[0].MS == 4 {
		t.Errorf("stopped by %q, best %+v, plan %+v", r.Stopped, r.Best, r.Plan)
	}
}

// TestReference: a reference that reaches its limit of time counts as a failure, and ends the loop; when it has more
// time, the loop goes on, and the reference is one that has run.
func TestReference(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f := newFake(1)
	f.fails["0 0"] = "time limit: stopped after 1s"
	r, err := loop.Run(t.Context(), options(t, f, path))
	if !errors.Is(err, loop.ErrReference) || !strings.Contains(err.Error(), "time limit: stopped after 1s") || r.Failed["time limit"] != 1 || r.Launches["safe"] != 1 || f.calls != 1 {
		t.Errorf("%v after %d calls: %+v", err, f.calls, r)
	}
	f = newFake(1)
	o := options(t, f, path)
	o.Budget.Points = 4
	r, err = loop.Run(t.Context(), o)
	if err != nil || r.Reference.Failed != "" || r.Reference.Measured == 0 || len(r.Failed) != 0 || r.Points != 4 {
		t.Errorf("%v: %+v", err, r)
	}
	// It may reach the limit later as well: then the loop ends, and keeps what it has.
	f = newFake(1)
	o = options(t, f, filepath.Join(t.TempDir(), "log"))
	o.Progress = func(loop.Row) { f.fails["0 0"] = "time limit: stopped after 1s" }
	r, err = loop.Run(t.Context(), o)
	if !errors.Is(err, loop.ErrReference) || r.Failed["time limit"] != 1 || r.Points != 5 || f.calls != 7 {
		t.Errorf("%v after %d calls: %+v", err, f.calls, r)
	}
}

// TestLog: a log is read as it was written; what is of something else is kept; a line that cannot be read is named,
// and a log that somebody else writes is not overwritten.
func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f := newFake(1)
	f.fails["4 2"] = "compilation: error: \"x\"\tis\nunknown"
	o := options(t, f, path)
	o.Budget.Points = 5
	if _, err := loop.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	same, err := loop.OpenLog(path, nil, []string{"x", "y"}, "digest")
	if err != nil || len(same.Rows()) != len(o.Log.Rows()) || same.Others != 0 {
		t.Fatalf("%v: %v", err, same)
	}
	for i, row := range same.Rows() {
		text := func(r loop.Row) string {
			return fmt.Sprintf("%v %s %.6g %.6g %.6g %d %s %s", r.At, r.Role, r.MS, r.Low, r.High, r.Runs, r.Failed, r.Launch)
		}
		if a, b := text(row), text(o.Log.Rows()[i]); a != b {
			t.Errorf("%s is read as %s", b, a)
		}
	}
	// The commands that read measurements read this table, too.
	rows, err := tune.ReadMeasurements(path, text, []string{"x", "y"}, nil)
	if err != nil || len(rows) != len(same.Rows()) {
		t.Errorf("%d measurements, %v", len(rows), err)
	}
	other, err := loop.OpenLog(path, nil, []string{"x", "y"}, "another")
	if err != nil || len(other.Rows()) != 0 || other.Others != len(rows) {
		t.Fatalf("%v: %+v", err, other)
	}
	o = options(t, newFake(1), path)
	o.Log, o.Budget.Points = other, 2
	if _, err := loop.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(now), string(text)) {
		t.Errorf("measurements of something else are lost: %v\n%s", err, now)
	}
	o = options(t, newFake(1), path)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loop.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "another program writes it") {
		t.Errorf("a log that has changed: %v", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for what, line := range map[string]string{
		"columns": "1\t2\t3", "role": strings.Replace(lines[1], "control", "guess", 1), "time": "1\t1\t-3\t-3\t-3\t5\tplanned\tsafe\tdigest",
		"runs": "1\t1\t3\t3\t3\tx\tplanned\tsafe\tdigest", "empty": "1\t1\t\t\t\t0\tplanned\tsafe\tdigest", "faster than the fastest": "1\t1\t1\t3\t3\t4\tplanned\tsafe\tdigest", "infinite": "1\t1\t+Inf\t3\t3\t4\tplanned\tsafe\tdigest",
	} {
		if err := os.WriteFile(path, []byte(lines[0]+"\n"+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loop.OpenLog(path, nil, []string{"x", "y"}, "digest"); err == nil || !strings.Contains(err.Error(), path+":2: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := loop.OpenLog(path, nil, []string{"x", "z"}, "digest"); err == nil || !strings.Contains(err.Error(), ":1: the columns are not those") {
		t.Errorf("other parameters: %v", err)
	}
}

// TestMeasurements: commands that read a log use what the loop uses. Rows of one instance are chosen by their columns,
// repeated rows come to their median, and times are scaled by the reference where the device has changed.
func TestMeasurements(t *testing.T) {
	const head = "n\tx\tms\tlow\thigh\truns\trole\tlaunch\tof\n"
	read := func(rows string, where tune.Where) string {
		found, drift, ok, err := loop.Measurements("f", []byte(head+rows), []string{"x"}, where)
		var out []string
		for _, r := range found {
			out = append(out, fmt.Sprintf("%v %.3g%s", r.At, r.Time, r.Failed))
		}
		return fmt.Sprint(out, drift.Noticed, ok, err)
	}
	const (
		slower  = "8\t1\t10\t10\t10\t7\tcontrol\tsafe\ta\n8\t2\t12\t12\t12\t7\tplanned\tsafe\ta\n8\t1\t20\t20\t20\t7\tcontrol\tsafe\ta\n"
		another = "9\t1\t70\t70\t70\t7\tcontrol\tsafe\tb\n"
	)
	for _, c := range []struct {
		rows  string
		where tune.Where
		want  string
	}{
		// In between, the device was 1.5 times as slow.
		{slower, nil, "[[1] 10 [2] 8] true true <nil>"},
		{slower + another, tune.Where{"n": "8"}, "[[1] 10 [2] 8] true true <nil>"},
		{slower + another, tune.Where{"n": "9"}, "[[1] 70] false true <nil>"},
		{slower + another, nil, "[] false true f: rows are of a and of b: keep those of one source, kernel, reference, device and data"},
		{"8\t1\t10\t10\t10\t7\tcontrol\tsafe\ta\n8\t2\tcrash: x\t\t\t0\tplanned\tsafe\ta\n8\t3\tinterrupted\t\t\t0\tplanned\tsafe\ta\n", nil, "[[1] 10 [2] 0crash: x] false true <nil>"},
		{"8\t1\t10\t10\t10\t7\tunknown\tsafe\ta\n", nil, "[] false true f:2: \"unknown\" is not a role: control, planned or again"},
	} {
		if got := read(c.rows, c.where); got != c.want {
			t.Errorf("%v: %s, want %s", c.where, got, c.want)
		}
	}
	if _, _, ok, err := loop.Measurements("f", []byte("x\tms\n1\t2\n"), []string{"x"}, nil); ok || err != nil {
		t.Errorf("a plain table is taken for a log: %v", err)
	}
	if _, _, ok, err := loop.Measurements("f", []byte(head), []string{"y"}, nil); !ok || err == nil {
		t.Errorf("a log without a parameter: %v", err)
	}
}
