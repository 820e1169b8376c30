package spin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// seven are the models of the comparison: those that stand here, and three of the trials, whose
// invariants SPIN checks as assertions.
var seven = []sizes{
	{"philosophers", "N=16"},
	{"peterson", "N=5"},
	{"buffer", "K=7 P=3 C=3"},
	{"blocks", "B=10 M=7 D=4"},
	{"queue", "K=5 P=3 M=7"},
	{"bakery", "N=4 T=4"},
	{"window", "M=16 W=4 S=5 C=5"},
}

// few is how many states a search has that shows what the program itself takes, with the pages that a search touches.
const few = 10_000

// place finds a model here or among those of the trials; a test without it is skipped.
func place(t *testing.T, name string) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, "../../../../shared/trials/models/explore", name), filepath.Join(dir, "../../../shared/trials/models/explore", name)} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skip("no model " + name)
	return ""
}

// cost is what a process took.
type cost struct {
	states int
	time   time.Duration // of the processor
	memory int           // bytes resident, at most
}

func costOf(state *os.ProcessState) cost {
	used := state.SysUsage().(*syscall.Rusage)
	return cost{time: state.UserTime() + state.SystemTime(), memory: int(used.Maxrss) << 10}
}

// TestSeven compares states, time and memory on models of both languages. It checks what does not depend on
// the load of the machine, the counts and the memory; the time is for the reader. GRADINE_SPIN=1 runs it.
func TestSeven(t *testing.T) {
	needSpin(t)
	program := filepath.Join(t.TempDir(), "gradine")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gradine").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, m := range seven {
		t.Run(m.model, func(t *testing.T) {
			file, source := place(t, m.model+".eventb"), place(t, m.model+".pml")
			explore := func(most int) (cost, int) {
				args := []string{"explore", "--no-deadlock", "--workers", "1", "--format", "jsonl", "--max-states", strconv.Itoa(most), file}
				if m.model == "bakery" {
					args = append(args, "--const", "BUG=FALSE")
				}
				for c := range strings.FieldsSeq(m.consts) {
					args = append(args, "--const", c)
				}
				run := exec.Command(program, args...)
				out, err := run.Output()
				if bounded := run.ProcessState.ExitCode() == 4; err != nil && (most == 0 || !bounded) {
					t.Fatal(err)
				}
				var r struct {
					States int
					Width  int `json:"bytes_per_state"`
				}
				if err := json.Unmarshal(out, &r); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				c := costOf(run.ProcessState)
				c.states = r.States
				return c, r.Width
			}
			theirs := pan(t, source, m.consts)
			ours, width := explore(0)
			if ours.states != theirs.states {
				t.Errorf("%d states, SPIN has %d", ours.states, theirs.states)
			}
			// How many pages of the program are resident, and how much garbage is when it is, differs from run to run: of few
			// states the median tells more.
			var all []float64
			for range 5 {
				base, _ := explore(few)
				all = append(all, float64(ours.memory-base.memory)/float64(ours.states-base.states))
				if ours.states < 1_000_000 {
					again, _ := explore(0)
					ours.memory = again.memory
				}
			}
			slices.Sort(all)
			each := all[len(all)/2]
			if most := 1.25*float64(width) + 16; each > most {
				t.Errorf("%.1f bytes a state, more than %.1f", each, most)
			}
			t.Logf("%d states; %v, SPIN %v: %.2f; %.1f bytes a state, %d packed", ours.states, ours.time.Round(10*time.Millisecond), theirs.time.Round(10*time.Millisecond),
				ours.time.Seconds()/theirs.time.Seconds(), each, width)
		})
	}
}

// pan runs SPIN's verifier, compiled for all states.
func pan(t *testing.T, source, consts string) cost {
	dir := t.TempDir()
	args := []string{"-o1", "-o2", "-a", "-DCHECK"}
	for c := range strings.FieldsSeq(consts) {
		args = append(args, "-D"+c)
	}
	run := func(name string, args ...string) (*exec.Cmd, []byte) {
		c := exec.Command(name, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return c, out
	}
	run("spin", append(args, source)...)
	run("cc", "-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c")
	c, out := run("./pan", "-m10000000", "-w24")
	result := costOf(c.ProcessState)
	found := counts.FindSubmatch(out)
	if found == nil {
		t.Fatalf("pan says\n%s", out)
	}
	if err := json.Unmarshal(found[1], &result.states); err != nil {
		t.Fatal(err)
	}
	return result
}
