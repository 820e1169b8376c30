package gpu_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// labelled is one line of the index of labelled kernels.
type labelled struct{ path, expected, tier string }

func readIndex(t *testing.T, dir string) (out []labelled) {
	data, err := os.ReadFile(filepath.Join(dir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, "\t")
		out = append(out, labelled{f[0], f[1], f[3]})
	}
	return out
}

// worst is the verdict of a file: the one that says most against it.
func worst(reports []gpu.Report) (verdict gpu.Verdict, why string) {
	order := []gpu.Verdict{gpu.Safe, gpu.Open, gpu.Unsupported, gpu.Possible, gpu.Unsafe}
	verdict = gpu.Safe
	for _, r := range reports {
		if slices.Index(order, r.Verdict) > slices.Index(order, verdict) {
			verdict = r.Verdict
		}
		if r.Verdict == gpu.Safe {
			continue
		}
		why += fmt.Sprintf(" %d:%d %s", r.Line, r.Col, r.Why)
		for _, c := range r.Checks {
			if !c.Verdict.Holds() {
				why += fmt.Sprintf(" [%s %d:%d %s]", c.Kind, c.Line, c.Col, c.Verdict)
			}
		}
	}
	return verdict, why
}

// fuse ends what hangs. No verdict is decided by it: what gradine looks for ends after so many steps, and programs of tests end by
// themselves. Where oclgrind runs kernels that may be endless, it is shorter, and one that is late is not judged.
const fuse = corpus.Fuse

// TestLabelledKernels prints by tier which labels the verdicts agree with: right,
// wrong, open, unsupported. No kernel that is labelled as failing may be safe. The
// short form takes some of tier 1; KERNELS=12 takes tiers 1 and 2, KERNELS_ONLY those
// whose path holds a text.
func TestLabelledKernels(t *testing.T) {
	dir := corpus.Path(t, "kernels")
	tiers, only := os.Getenv("KERNELS"), os.Getenv("KERNELS_ONLY")
	step := 1
	if tiers == "" && only == "" {
		tiers, step = "1", 4
	}
	type row struct{ right, wrong, falseSafe, open, unsupported int }
	table := map[string]*row{}
	var times []time.Duration
	n := 0
	for _, k := range readIndex(t, dir) {
		if !strings.Contains(k.path, only) || tiers != "" && !strings.Contains(tiers, k.tier) {
			continue
		}
		if n++; n%step != 0 {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, k.path))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		start := time.Now()
		verdict, why := worst(gpu.File(ctx, k.path, src, gpu.Options{}))
		times = append(times, time.Since(start))
		cancel()
		if table[k.tier] == nil {
			table[k.tier] = &row{}
		}
		r := table[k.tier]
		switch {
		case verdict == gpu.Unsupported:
			r.unsupported++
		case verdict == gpu.Open:
			r.open++
		case (k.expected == "pass") == (verdict == gpu.Safe):
			r.right++
			continue
		default:
			r.wrong++
			if verdict == gpu.Safe && k.tier != "X" {
				r.falseSafe++
				t.Errorf("%s is safe, but labelled as failing", k.path)
			}
		}
		if len(why) > 300 {
			why = why[:300]
		}
		t.Logf("tier %s %s: %s, labelled %s:%s", k.tier, k.path, verdict, k.expected, why)
	}
	for _, tier := range slices.Sorted(maps.Keys(table)) {
		r := table[tier]
		t.Logf("tier %s: right %d, wrong %d (safe though failing %d), open %d, unsupported %d", tier, r.right, r.wrong, r.falseSafe, r.open, r.unsupported)
	}
	if len(times) > 0 {
		slices.Sort(times)
		t.Logf("median %v, longest %v", times[len(times)/2], times[len(times)-1])
	}
}
