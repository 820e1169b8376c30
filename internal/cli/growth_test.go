package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/scaled"
)

// TestGrowth runs commands on projects of n, 2n and 4n components of each shape. What a component costs
// more is what it costs, whatever the size: this counts allocations and their bytes, not time.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("it proves 1,200 components")
	}
	const n = 60
	loadOf(t, exitYes, "-C", grown(t, scaled.Families, 10), "verify", "--workers", "1") // what the first run makes for all
	for _, shape := range scaled.Shapes {
		var dirs []string
		for _, size := range []int{n, 2 * n, 4 * n} {
			dirs = append(dirs, grown(t, shape, size))
		}
		for _, c := range []struct {
			name string
			code int
			args []string
		}{
			{"check", exitYes, []string{"check"}},
			{"fmt", exitNo, []string{"fmt", "-l"}},
			{"po", exitYes, []string{"po"}},
			{"prove cold", exitYes, []string{"prove", "--workers", "1"}},
			{"prove warm", exitYes, []string{"prove", "--workers", "1"}},
			{"prove one", exitYes, []string{"prove", "--workers", "1", "base"}},
			{"verify", exitYes, []string{"verify", "--workers", "1"}},
			{"prove --lock", exitYes, []string{"prove", "--workers", "1", "--lock"}},
			{"verify locked", exitYes, []string{"verify", "--workers", "1"}},
			{"report", exitYes, []string{"report", "--workers", "1"}},
			{"report html", exitYes, []string{"report", "--workers", "1", "--format", "html"}},
			{"report junit", exitYes, []string{"report", "--workers", "1", "--format", "junit"}},
			{"report trust", exitYes, []string{"report", "trust"}},
			{"report sarif", exitYes, []string{"report", "--workers", "1", "--format", "sarif"}},
			{"review", exitYes, []string{"review", "--workers", "1", "HEAD"}},
			{"review html", exitYes, []string{"review", "--workers", "1", "HEAD", "--format", "html"}},
			{"export", exitYes, []string{"export", "--force", "-o", filepath.Join(t.TempDir(), "x.zip")}},
		} {
			var cost []load
			for _, dir := range dirs {
				t.Setenv("GRADINE_CACHE", filepath.Join(dir, "store"))
				cost = append(cost, loadOf(t, c.code, append([]string{"-C", dir}, c.args...)...))
			}
			t.Logf("%s, %s: %v", shape, c.name, cost)
			// Twice as many more components cost twice as much more. Or twice as many cost twice as much: a review shares
			// a budget, so that each component costs more in a small project than in a large one.
			for _, x := range [][3]uint64{{cost[0].count, cost[1].count, cost[2].count}, {cost[0].bytes, cost[1].bytes, cost[2].bytes}} {
				first, second := x[1]-x[0], x[2]-x[1]
				if float64(second) > 2.6*float64(first) && float64(x[2]) > 2.1*float64(x[1]) {
					t.Errorf("%s, %s: %v: %d components more cost %d, %d more after them %d", shape, c.name, cost, n, first, 2*n, second)
				}
			}
		}
	}
}

// grown is a committed project, in a repository, and one line of it changed since.
func grown(t *testing.T, shape scaled.Shape, size int) string {
	dir := t.TempDir()
	if err := scaled.Write(dir, shape, size); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("store\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "all"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git: %v: %s", err, out)
		}
	}
	name := filepath.Join(dir, "models", "m0.eventb")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, bytes.Replace(data, []byte("n0 > 0"), []byte("n0 ≥ 1"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// load is what a command allocates.
type load struct{ count, bytes uint64 }

func (l load) String() string { return fmt.Sprintf("%d (%d kB)", l.count, l.bytes>>10) }

// loadOf runs a command, which must end with that exit code.
func loadOf(t *testing.T, want int, args ...string) load {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out bytes.Buffer
	code := Main(args, strings.NewReader(""), &out, &out)
	runtime.ReadMemStats(&after)
	if code != want {
		t.Fatalf("gradine %s: exit code %d: %s", strings.Join(args, " "), code, out.String())
	}
	return load{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}
}
