package spin

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Larger problems are asked for by name: they cost SPIN minutes and gigabytes.
var (
	tuningSizes  = flag.String("sizes", "8,16", "sizes of the abstract model")
	tuningLimit  = flag.Duration("limit", 2*time.Minute, "what one search of SPIN may take")
	tuningMemory = flag.Int("memory", 4096, "megabytes that one search of SPIN may take")
)

// problem is an entry of gradine.toml, an instance of it, and the Promela model
// of the same.
type problem struct {
	entry    string
	instance string // NAME=VALUE,…
	size     int
	file     string
	ordered  bool // the elements move in one order only
}

func (p problem) String() string {
	if p.ordered {
		return p.file + ", ordered"
	}
	return p.file
}

// published is the hardware of the published table.
const published = "NP=4,NU=2,ND=1,GMT=4"

func abstract(size int, hardware, file string, ordered bool) problem {
	return problem{"spin_abstract", fmt.Sprintf("size=%d,%s", size, hardware), size, file, ordered}
}

func minimum(size, elements int, ordered bool) problem {
	return problem{"spin_minimum", fmt.Sprintf("size=%d,NP=%d,GMT=4", size, elements), size, "minimum.pml", ordered}
}

// sizesAsked are those of the flag.
func sizesAsked(t *testing.T) (sizes []int) {
	for s := range strings.SplitSeq(*tuningSizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// later are models that the papers describe or announce without a table, and whose machines are newer.
func later() []problem {
	return []problem{
		{"spin_units", "size=8,NP=4,NU=2,ND=1,GMT=4", 8, "abstract.pml", false},
		{"spin_units", "size=16,NP=2,NU=2,ND=2,GMT=3", 16, "abstract.pml", false},
		{"spin_matrix", "n=4,NP=2,NU=2,GMT=2,sync=1,memory=64", 4, "matrix.pml", false},
		{"spin_outlook", "size=4,NP=2,NU=2,GMT=3,COM=2,tick_energy=1,access_energy=1", 4, "outlook.pml", false},
		{"spin_outlook", "size=8,NP=2,NU=3,GMT=2,COM=0,tick_energy=1,access_energy=1", 8, "outlook.pml", false},
	}
}

// end is the end of a run: the point and the time. What a model does not choose is 0.
type end struct{ WG, TS, T, WI int }

// search is what one search of SPIN brought.
type search struct {
	ends     []end
	states   int
	memory   float64       // megabytes
	took     time.Duration // of the processor
	complete bool          // no limit stopped it
}

var (
	endLine   = regexp.MustCompile(`(?m)^\s*T (\d+) (\d+) (\d+)(?: (\d+))?$`)
	stored    = regexp.MustCompile(`(\d+) states, stored`)
	megabytes = regexp.MustCompile(`([\d.]+)\s+total actual memory usage`)
	stopped   = regexp.MustCompile(`max search depth too small|MEMLIM|out of memory|[Ii]nterrupted`)
)

func ends(out []byte) (found []end) {
	for _, m := range endLine.FindAllSubmatch(out, -1) {
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(string(m[i+1]))
		}
		found = append(found, end{n[0], n[1], n[2], n[3]})
	}
	return found
}

// verifier is a Promela model in a directory where SPIN works on it.
type verifier struct {
	t      *testing.T
	p      problem
	dir    string
	source string
	built  time.Duration // by spin and the C compiler
}

func newVerifier(t *testing.T, p problem) *verifier {
	source, err := filepath.Abs(p.file)
	if err != nil {
		t.Fatal(err)
	}
	return &verifier{t: t, p: p, dir: t.TempDir(), source: source}
}

// command also returns the processor time of the tool and of its children.
func (v *verifier) command(limit time.Duration, name string, args ...string) ([]byte, time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = v.dir
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // pan then says how far it came
	out, err := c.CombinedOutput()
	return out, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), err
}

// spin runs spin on the model.
func (v *verifier) spin(args ...string) ([]byte, time.Duration) {
	for c := range strings.SplitSeq(v.p.instance, ",") {
		args = append(args, "-D"+strings.Replace(c, "size", "SIZE", 1))
	}
	if v.p.ordered {
		args = append(args, "-DORDERED")
	}
	out, took, err := v.command(time.Hour, "spin", append(args, v.source)...)
	if err != nil {
		v.t.Fatalf("spin: %v\n%s", err, out)
	}
	return out, took
}

// build makes ./pan. With a bound, the question is whether a run ends by then.
func (v *verifier) build(bound int, options ...string) {
	args := []string{"-a"}
	if bound > 0 {
		args = append(args, fmt.Sprintf("-DBOUND=%d", bound))
	}
	_, translated := v.spin(args...)
	options = append(options, "-O2", "-w", "-DSAFETY", "-DPRINTF", "-DVECTORSZ=8192", fmt.Sprintf("-DMEMLIM=%d", *tuningMemory))
	if v.p.size > 32 && !slices.Contains(options, bitState) {
		options = append(options, "-DCOLLAPSE")
	}
	out, compiled, err := v.command(time.Hour, "cc", append(options, "-o", "pan", "pan.c")...)
	if err != nil {
		v.t.Fatalf("cc: %v\n%s", err, out)
	}
	v.built += translated + compiled
}

// bitState asks for a search that stores hashes, not states: it may miss some.
const bitState = "-DBITSTATE"

// search searches the states of the model.
func (v *verifier) search(limit time.Duration, args ...string) search {
	depth := max(100_000, 32*v.p.size*v.p.size)
	out, took, err := v.command(limit, "./pan", append(args, fmt.Sprintf("-m%d", depth), "-n")...)
	s := search{ends: ends(out), took: took, complete: err == nil && !stopped.Match(out)}
	if m := stored.FindSubmatch(out); m != nil {
		s.states, _ = strconv.Atoi(string(m[1]))
	}
	if m := megabytes.FindSubmatch(out); m != nil {
		s.memory, _ = strconv.ParseFloat(string(m[1]), 64)
	}
	return s
}

// answer is what gradine says of a problem.
type answer struct {
	Best  []struct{ WG, TS int }
	T     int    `json:"T_ev"`
	Word  string `json:"verdict"`
	Table []struct {
		Point   struct{ WG, TS, WI int }
		T       int `json:"T_ev"`
		Invalid string
	}
	took time.Duration // of the processor, for the whole process
}

// gradine builds the program and returns a function that tunes with it.
func gradine(t *testing.T) func(p problem, by string, args ...string) answer {
	program := filepath.Join(t.TempDir(), "gradine")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gradine").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(p problem, by string, args ...string) (a answer) {
		c := exec.Command(program, append([]string{"tune", "-C", "../..", p.entry, "--instance", p.instance, "--by", by, "--no-cache", "--format", "jsonl"}, args...)...)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		if err := json.Unmarshal(out, &a); err != nil {
			t.Fatal(err)
		}
		if a.took = c.ProcessState.UserTime() + c.ProcessState.SystemTime(); a.Word != "complete" {
			t.Errorf("%v: %s", c, a.Word)
		}
		return a
	}
}

// points are what gradine runs every point to, as SPIN reports it.
func (a answer) points() (found []end) {
	for _, row := range a.Table {
		if row.Invalid == "" {
			found = append(found, end{row.Point.WG, row.Point.TS, row.T, row.Point.WI})
		}
	}
	return found
}

// needSpin skips a comparison with SPIN, which takes minutes, unless it is asked for.
func needSpin(t *testing.T) {
	if os.Getenv("GRADINE_SPIN") == "" {
		t.Skip("GRADINE_SPIN=1 compares with SPIN, which takes minutes")
	}
	for _, tool := range []string{"spin", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
}

// TestTuning compares T at every point, whether it depends on the schedule, and
// what an answer costs. SPIN reports every T with which a run can end, so one
// search of all its states is an answer; the paper's method is bisection.
func TestTuning(t *testing.T) {
	needSpin(t)
	tune := gradine(t)
	problems := []problem{
		minimum(16, 4, false), minimum(64, 64, true), minimum(128, 64, true), minimum(256, 64, true),
		abstract(16, "NP=2,NU=3,ND=1,GMT=7", "abstract.pml", false), abstract(16, "NP=2,NU=1,ND=3,GMT=1", "abstract.pml", false),
	}
	problems = append(problems, later()...)
	for _, size := range sizesAsked(t) {
		problems = append(problems, abstract(size, published, "abstract_jumps.pml", false), abstract(size, published, "abstract.pml", true), abstract(size, published, "abstract.pml", false))
	}
	t.Log("| instance | by | states | MB | processor seconds | of building |")
	for i, p := range problems {
		if i == 0 || p.instance != problems[i-1].instance {
			t.Run(p.instance+" gradine", func(t *testing.T) {
				for _, by := range []string{"run", "theorem"} {
					ours := tune(p, by)
					t.Logf("| %s | gradine, by %s: T = %d | | | %.2f | |", p.instance, by, ours.T, ours.took.Seconds())
				}
			})
		}
		t.Run(p.instance+" "+p.String(), func(t *testing.T) {
			v := newVerifier(t, p)
			v.build(0)
			s := v.search(*tuningLimit)
			v.row(s, "all ends")
			every := tune(p, "run", "--all-points")
			v.compare(every, s)
			if bisected := abstract(p.size, published, "abstract.pml", false); p == bisected && s.complete && s.took < *tuningLimit/10 {
				v.bisect(every)
			}
		})
	}
}

func (v *verifier) row(s search, what string) {
	if !s.complete {
		what += ", stopped"
	}
	v.t.Logf("| %s | %v, %s | %d | %.0f | %.2f | %.2f |", v.p.instance, v.p, what, s.states, s.memory, s.took.Seconds(), v.built.Seconds())
}

// compare holds SPIN's ends against gradine's points: the same if the search is
// complete, some of them if not.
func (v *verifier) compare(ours answer, s search) {
	points := ours.points()
	order := func(a, b end) int { return slices.Compare([]int{a.WI, a.WG, a.TS, a.T}, []int{b.WI, b.WG, b.TS, b.T}) }
	slices.SortFunc(points, order)
	slices.SortFunc(s.ends, order)
	s.ends = slices.Compact(s.ends) // several states may be ends of one point
	for _, e := range s.ends {
		if !slices.Contains(points, e) {
			v.t.Errorf("%v, %s: SPIN ends with %v, gradine has %v", v.p, v.p.instance, e, points)
		}
	}
	if s.complete && !slices.Equal(points, s.ends) || len(points) == 0 {
		v.t.Errorf("%v, %s: WG, TS, T by gradine\n%v\nby SPIN\n%v", v.p, v.p.instance, points, s.ends)
	}
}

// bisect finds the least T as the paper does: it begins with the end of a
// simulation and asks whether a run can end by a time, until one search finds a
// run and another none that ends a unit before.
func (v *verifier) bisect(ours answer) {
	out, _ := v.spin("-n1")
	simulated := ends(out)
	if len(simulated) != 1 {
		v.t.Fatalf("%v: a simulation ends with %v", v.p, simulated)
	}
	best := simulated[0]
	v.built = 0
	var all, last search
	asked := 0
	for low := 0; low+1 < best.T; asked++ {
		bound := (low + best.T) / 2
		v.build(bound)
		s := v.search(*tuningLimit, "-E")
		all.took += s.took
		all.states += s.states
		all.memory = max(all.memory, s.memory)
		if len(s.ends) > 0 {
			best = s.ends[0]
			continue
		}
		if !s.complete {
			v.row(s, fmt.Sprintf("whether T ≤ %d", bound))
			return
		}
		low, last = bound, s
	}
	all.complete = true
	v.row(last, "the last proof")
	v.row(all, fmt.Sprintf("bisection with %d searches: T = %d", asked, best.T))
	if best.T != ours.T || !slices.Contains(ours.Best, struct{ WG, TS int }{best.WG, best.TS}) {
		v.t.Errorf("%v, %s: SPIN's best is %v, gradine's T = %d at %v", v.p, v.p.instance, best, ours.T, ours.Best)
	}
}

// TestSwarm shows what the paper's other method finds: random searches that may
// miss states. A swarm looks for an end sooner than the best so far, and has as
// long for it as the swarm before took; the first that finds none is the last.
func TestSwarm(t *testing.T) {
	needSpin(t)
	tune := gradine(t)
	t.Log("| instance | T | least | swarms | processor seconds | of building |")
	for _, size := range sizesAsked(t) {
		v := newVerifier(t, abstract(size, published, "abstract.pml", false))
		ours := tune(v.p, "run", "--all-points")
		var best end
		var took time.Duration
		swarms, limit := 0, *tuningLimit
		for bound := math.MaxInt32; ; bound = best.T - 1 {
			v.build(bound, bitState, "-DT_RAND", "-DP_RAND")
			began := time.Now()
			found, used := v.swarm(limit)
			swarms++
			took += used
			if len(found) == 0 {
				break
			}
			best, limit = found[0], max(time.Second, time.Since(began))
			if !slices.Contains(ours.points(), best) {
				t.Errorf("size %d: SPIN ends with %v, gradine has %v", size, best, ours.points())
			}
		}
		t.Logf("| %s | %d at WG=%d TS=%d | %d | %d | %.2f | %.2f |", v.p.instance, best.T, best.WG, best.TS, ours.T, swarms, took.Seconds(), v.built.Seconds())
	}
}

// swarm runs searches with different seeds until one finds an end.
func (v *verifier) swarm(limit time.Duration) (found []end, took time.Duration) {
	const seeds = 8
	for seed := range seeds {
		s := v.search(limit/seeds, "-E", fmt.Sprintf("-RS%d", seed+1))
		took += s.took
		if len(s.ends) > 0 {
			return s.ends, took
		}
	}
	return nil, took
}
