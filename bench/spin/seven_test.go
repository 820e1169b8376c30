package spin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// seven are the models of the comparison: those that stand here, and three of the trials, whose
// invariants SPIN checks as assertions. small has the same program and next to no states.
var seven = []struct{ model, consts, small string }{
	{"philosophers", "N=16", "N=3"},
	{"peterson", "N=5", "N=2"},
	{"buffer", "K=7 P=3 C=3", "K=1 P=1 C=1"},
	{"blocks", "B=10 M=7 D=4", "B=1 M=1 D=1"},
	{"queue", "K=5 P=3 M=7", "K=1 P=1 M=1"},
	{"bakery", "N=4 T=4", "N=2 T=1"},
	{"window", "M=16 W=4 S=5 C=5", "M=1 W=1 S=2 C=1"},
}

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
			explore := func(consts string) (cost, int) {
				args := []string{"explore", "--no-deadlock", "--workers", "1", "--format", "jsonl", file}
				if m.model == "bakery" {
					args = append(args, "--const", "BUG=FALSE")
				}
				for c := range strings.FieldsSeq(consts) {
					args = append(args, "--const", c)
				}
				run := exec.Command(program, args...)
				out, err := run.Output()
				if err != nil {
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
			base, _ := explore(m.small)
			ours, width := explore(m.consts)
			theirs := pan(t, source, m.consts)
			if ours.states != theirs.states {
				t.Errorf("%d states, SPIN has %d", ours.states, theirs.states)
			}
			// What the process takes without states is not theirs; few states do not show what one takes.
			each := float64(ours.memory-base.memory) / float64(ours.states)
			if ours.states > 200_000 && each > 60 {
				t.Errorf("%.1f bytes a state, more than 60", each)
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
