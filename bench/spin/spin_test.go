// Package spin compares explore with SPIN on the same models, written in both
// languages: the counts of reachable states and of transitions, and the speed.
// The comparisons take minutes: they run if GRADINE_SPIN is set, where `spin` and a C
// compiler are installed.
package spin

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// sizes are the values of the constants of a model.
type sizes struct {
	model  string
	consts string // NAME=N …
}

var models = []sizes{
	{"philosophers", "N=10"},
	{"philosophers", "N=14"},
	{"peterson", "N=4"},
	{"peterson", "N=5"},
	{"buffer", "K=6 P=3 C=3"},
	{"blocks", "B=8 M=6 D=4"},
}

// open reads a model and gives its constants their values.
func open(t testing.TB, s sizes) (*model.Machine, *explore.Instance) {
	file := s.model + ".eventb"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var problems diag.List
	dev := check.Development(s.model, []*lang.File{lang.Parse(file, data, &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(file, problems)
	}
	m := dev.Machine(s.model)
	setup := explore.Setup{Bank: dev.Bank.Extend()}
	for c := range strings.FieldsSeq(s.consts) {
		name, text, _ := strings.Cut(c, "=")
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		id := setup.Bank.Free(name, logic.IntType)
		setup.Given = append(setup.Given, setup.Bank.App(logic.Eq, id, setup.Bank.Int64(int64(n))))
	}
	ins, _, err := explore.Solve(context.Background(), dev, m, setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m, ins[0]
}

func run(t testing.TB, s sizes, workers int) *explore.Result {
	m, in := open(t, s)
	r, err := explore.Run(context.Background(), m, in, explore.Options{NoDeadlock: true, NoInvariants: true, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var counts = regexp.MustCompile(`(?s)(\d+) states, stored.*?(\d+) transitions`)

// spin returns SPIN's counts and the processor time that its search took.
func spin(t *testing.T, s sizes) (states, transitions int, took time.Duration) {
	dir := t.TempDir()
	source, err := filepath.Abs(s.model + ".pml")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-o1", "-o2", "-a"} // no state is left out
	for c := range strings.FieldsSeq(s.consts) {
		args = append(args, "-D"+c)
	}
	command := func(name string, args ...string) ([]byte, *os.ProcessState) {
		c := exec.Command(name, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return out, c.ProcessState
	}
	command("spin", append(args, source)...)
	command("cc", "-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c")
	out, state := command("./pan", "-m1000000", "-w24")
	found := counts.FindSubmatch(out)
	if found == nil {
		t.Fatalf("pan says\n%s", out)
	}
	states, _ = strconv.Atoi(string(found[1]))
	transitions, _ = strconv.Atoi(string(found[2]))
	return states, transitions, state.UserTime() + state.SystemTime()
}

// processorTime is what this process has used so far.
func processorTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestAgainstSpin(t *testing.T) {
	needSpin(t)
	for _, s := range models {
		began := processorTime(t)
		r := run(t, s, 1)
		ours := processorTime(t) - began
		states, transitions, theirs := spin(t, s)
		if r.States != states || r.Transitions != transitions {
			t.Errorf("%s %s: %d states, %d transitions; SPIN has %d and %d", s.model, s.consts, r.States, r.Transitions, states, transitions)
		}
		// Short runs measure the start only.
		if states > 100_000 && ours > 5*theirs {
			t.Errorf("%s %s: %v of processor time, SPIN %v", s.model, s.consts, ours, theirs)
		}
		t.Logf("%s %s: %d states; %v, SPIN %v", s.model, s.consts, states, ours.Round(time.Millisecond), theirs.Round(time.Millisecond))
	}
}

func BenchmarkExplore(b *testing.B) {
	for _, s := range models {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%s/workers=%d", s.model, strings.ReplaceAll(s.consts, " ", ","), workers), func(b *testing.B) {
				m, in := open(b, s)
				began := processorTime(b)
				var r *explore.Result
				for b.Loop() {
					var err error
					if r, err = explore.Run(context.Background(), m, in, explore.Options{NoDeadlock: true, NoInvariants: true, Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
				used := processorTime(b) - began
				all := float64(r.States) * float64(b.N)
				b.ReportMetric(all/b.Elapsed().Seconds(), "states/s")
				b.ReportMetric(all/used.Seconds(), "states/cpu-s")
				b.ReportMetric(float64(r.Memory)/float64(r.States)-float64(r.Width), "extra-B/state")
			})
		}
	}
}
