// Package components measures what proving costs as projects grow: processor time, and memory at its peak.
package components

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/internal/scaled"
)

// most is the memory that a project may take at its peak, in MB.
const most = 500

// TestComponents proves projects of 100, 400 and 5,000 components, and prints the table of docs/evaluation/prover.md:
//
//	GRADINE_COMPONENTS=1 go test ./bench/components -v -timeout 1h
//
// Processor time depends little on what else the machine does; of five runs of a small project, the median counts.
func TestComponents(t *testing.T) {
	if os.Getenv("GRADINE_COMPONENTS") == "" {
		t.Skip("GRADINE_COMPONENTS=1 proves projects of up to 5,000 components: a minute of processor time")
	}
	program := filepath.Join(t.TempDir(), "gradine")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gradine").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, shape := range []scaled.Shape{scaled.Pairs, scaled.Families} {
		var first cost
		for _, n := range []int{100, 400, 5000} {
			dir := t.TempDir()
			if err := scaled.Write(dir, shape, n); err != nil {
				t.Fatal(err)
			}
			var costs []cost
			for range max(1, 500/n) {
				costs = append(costs, prove(t, program, dir))
			}
			slices.SortFunc(costs, func(x, y cost) int { return int(x.processor - y.processor) })
			c := costs[len(costs)/2]
			if first.megabytes == 0 {
				first = c
			}
			t.Logf("| %s | %d | %.2f | %.1f | %d | %.1f |", shape, n, c.processor.Seconds(), c.processor.Seconds()/first.processor.Seconds(), c.megabytes, float64(c.megabytes)/float64(first.megabytes))
			if c.megabytes > most {
				t.Errorf("%s of %d components: %d MB, %d are allowed", shape, n, c.megabytes, most)
			}
		}
	}
}

// cost is what a run has taken.
type cost struct {
	processor time.Duration
	megabytes int64 // at the peak
}

// prove proves all obligations of a project, without a cache.
func prove(t *testing.T, program, dir string) cost {
	t.Helper()
	c := exec.Command(program, "-C", dir, "prove", "--no-cache")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-500):])
	}
	if !bytes.Contains(out, []byte("obligations proved")) {
		t.Fatalf("%s: not all is proved", dir)
	}
	used := c.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), used.Maxrss >> 10} // kB on Linux
}
