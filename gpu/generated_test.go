package gpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// mutation changes a text at a place where it fits.
type mutation struct {
	name string
	at   *regexp.Regexp
	by   string
}

var mutations = []mutation{
	{"barrier dropped", regexp.MustCompile(`(?:barrier|work_group_barrier)\([^;]*\);|__syncthreads\(\);`), ";"},
	{"index shifted", regexp.MustCompile(`(\w)\[([^\[\]]+)\](\s*[-+*|^]?=[^=]|;|\s*[-+*])`), "$1[($2) + 1]$3"},
	{"guard weakened", regexp.MustCompile(`if\s*\(([^<>()]*)<([^<>=()]*)\)`), "if ($1<=$2)"},
	{"guard dropped", regexp.MustCompile(`if\s*\(([^()]*)\)`), "if (1)"},
	{"off by one", regexp.MustCompile(`([-+*/%]=?\s*)([2-9]|[1-9][0-9]+)\b`), "$1($2 - 1)"},
	{"id of the group's thread", regexp.MustCompile(`get_global_id\(`), "get_local_id("},
	{"half the id", regexp.MustCompile(`get_local_id\(0\)|get_global_id\(0\)|threadIdx\.x`), "($0 / 2)"},
	{"loop one longer", regexp.MustCompile(`(for\s*\([^;]*;[^;<>]*)<([^;<>=]*;)`), "$1<=$2"},
}

// headOf is where the comments end that a text begins with: options and expectations of suites stand there.
func headOf(src string) (end int) {
	for strings.HasPrefix(src[end:], "//") {
		end = min(end+strings.Index(src[end:]+"\n", "\n")+1, len(src))
	}
	return end
}

// mutantsOf are texts of a kernel with one change each.
func mutantsOf(src string, most int) (out [][2]string) {
	head := headOf(src)
	for _, m := range mutations {
		for n, at := range m.at.FindAllStringSubmatchIndex(src[head:], most) {
			text := src[:head+at[0]] + string(m.at.ExpandString(nil, m.by, src[head:], at)) + src[head+at[1]:]
			out = append(out, [2]string{fmt.Sprintf("%s, %d", m.name, n+1), text})
		}
	}
	return out
}

// tally counts what became of mutants.
type tally struct{ kernels, mutants, faulty, unsafe, weaker int }

// try judges the mutants of a kernel that is safe, and runs them: none that fails in a run
// may be safe. The run knows nothing of machines.
func (y *tally) try(t *testing.T, name, src string, most int) {
	judged := func(src string) (gpu.Verdict, string) {
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		defer cancel()
		return worst(gpu.File(ctx, name, []byte(src), gpu.Options{}))
	}
	y.kernels++
	for _, m := range mutantsOf(src, most) {
		y.mutants++
		fault := ""
		for _, r := range gpu.RunBounded(context.Background(), gpu.Source{Name: name, Text: []byte(m[1])}, gpu.Options{}) {
			// Bounds are not checked unless that is asked for.
			if r.Verdict == gpu.Unsafe && r.Checks[0].Kind != "bounds" {
				fault = fmt.Sprintf("%d: %s %s %s", r.Checks[0].Line, r.Checks[0].Kind, r.Checks[0].Why, r.Why)
			}
		}
		if fault == "" {
			continue
		}
		y.faulty++
		switch verdict, why := judged(m[1]); verdict {
		case gpu.Safe:
			t.Errorf("%s, %s, is safe, but fails in a run: %s\n%s", name, m[0], fault, m[1])
		case gpu.Unsafe:
			y.unsafe++
		default:
			y.weaker++
			t.Logf("%s, %s, is %s, and fails in a run: %s (%.200s)", name, m[0], verdict, fault, why)
		}
	}
}

// TestGeneratedMutants changes safe kernels in all small ways. The short form takes those
// of this package; KERNEL_MUTANTS=60 takes so many that are safe: those labelled as passing, then
// random ones. With KERNEL_SEED these are drawn: as many labelled ones, in another order, as random ones.
func TestGeneratedMutants(t *testing.T) {
	var y tally
	many, _ := strconv.Atoi(os.Getenv("KERNEL_MUTANTS"))
	if many == 0 {
		for _, k := range safeKernels {
			y.try(t, k.name+".cl", k.src, 1)
		}
		if y.faulty < 8 || y.unsafe < y.faulty {
			t.Errorf("%+v: too few fail, or not all of those are unsafe", y)
		}
		t.Logf("%+v", y)
		return
	}
	take := func(name, src string) {
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		verdict, _ := worst(gpu.File(ctx, name, []byte(src), gpu.Options{}))
		cancel()
		if verdict == gpu.Safe && len(mutantsOf(src, 1)) > 1 {
			y.try(t, name, src, 3)
		}
	}
	dir := corpus.Path(t, "kernels")
	labelled, enough := readIndex(t, dir), many
	first, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	if first != 0 {
		rand.New(rand.NewPCG(uint64(first), 1)).Shuffle(len(labelled), func(i, j int) { labelled[i], labelled[j] = labelled[j], labelled[i] })
		enough = many / 2
	}
	for _, k := range labelled {
		if k.expected != "pass" || !slices.Contains([]string{"1", "2", "3", "4"}, k.tier) || y.kernels == enough {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, k.path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(src), "main(") {
			continue // hosts are run, not proved
		}
		take(k.path, string(src))
	}
	for seed := uint64(first); y.kernels < many; seed++ {
		take(fmt.Sprintf("random %d.cl", seed), randomKernel(seed))
	}
	t.Logf("%d kernels, %d mutants, %d fail in a run, of these %d are unsafe and %d not decided", y.kernels, y.mutants, y.faulty, y.unsafe, y.weaker)
	if y.unsafe*100 < y.faulty*95 {
		t.Errorf("fewer than 95 of 100 are unsafe")
	}
}
