package gpu_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/internal/corpus"
)

// TestGridBarriers: barriers of the whole grid order what groups do, for any launch and for a given one; barriers of a group do not.
// Each correct kernel is next to ones with a fault, which are never safe. It takes some of them, or with GRADINE_SWEEP all.
func TestGridBarriers(t *testing.T) {
	step := corpus.Effort(0, 10, 1)
	if step == 0 {
		t.Skip("kernels with barriers of the grid are compiled in the long form of the tests")
	}
	kernels := []struct {
		name, body string
		safe       bool
	}{
		{"reversed", "a[i] = i; g.sync(); b[i] = a[n - 1 - i];", true},
		{"stages", "a[i] = i; g.sync(); b[i] = a[n - 1 - i]; g.sync(); a[i] = b[n - 1 - i];", true},
		{"one writes, all read", "if (i == 0) *c = 7; g.sync(); a[i] = *c;", true},
		{"all read, one writes", "int x = *c; g.sync(); if (i == 0) *c = x + 1;", true},
		{"rounds", "for (int r = 0; r < 5; r++) { a[i] = r; g.sync(); b[i] = a[n - 1 - i]; g.sync(); }", true},
		{"rounds of a parameter", "for (int r = 0; r < m; r++) { a[i] = r; g.sync(); b[i] = a[n - 1 - i]; g.sync(); }", true},
		{"groups meet besides", "__shared__ int s[64]; s[threadIdx.x] = i; __syncthreads(); a[i] = s[63 - threadIdx.x]; g.sync(); b[i] = a[n - 1 - i];", true},
		{"free function", "a[i] = i; cooperative_groups::sync(g); b[i] = a[n - 1 - i];", true},
		{"no barrier", "a[i] = i; b[i] = a[n - 1 - i];", false},
		{"barrier of the group", "a[i] = i; __syncthreads(); b[i] = a[n - 1 - i];", false},
		{"barrier of the group, then of the grid", "a[i] = i; __syncthreads(); b[i] = a[n - 1 - i]; g.sync();", false},
		{"grid, then the group alone", "a[i] = i; g.sync(); b[i] = a[n - 1 - i]; __syncthreads(); a[i] = 1 + b[n - 1 - i];", false},
		{"behind the barrier", "g.sync(); a[i] = i; b[i] = a[n - 1 - i];", false},
		{"two writers before", "*c = i; g.sync(); a[i] = *c;", false},
		{"read and write before", "int x = *c; if (i == 0) *c = x + 1; g.sync(); a[i] = x;", false},
		{"rounds without the second", "for (int r = 0; r < 5; r++) { a[i] = r; g.sync(); b[i] = a[n - 1 - i]; }", false},
		{"a group does not come", "if (blockIdx.x != 0) g.sync(); a[i] = i;", false},
		{"a thread does not come", "if (i == 5) return; g.sync(); a[i] = i;", false},
		{"groups at different barriers", "if (blockIdx.x == 0) { a[i] = i; g.sync(); } else { g.sync(); } b[i] = a[n - 1 - i];", false},
		{"rounds of a group", "for (int r = 0; r < (int)blockIdx.x; r++) g.sync(); a[i] = i;", false},
		{"what another group has read", "if (*c > 3) g.sync(); a[i] = i; if (i == 0) *c = 9;", false},
		{"rounds of what is written", "for (int r = 0; r < *c; r++) { if (i == 0) *c = *c - 1; g.sync(); }", false},
		{"one value that changes", "int x = *c; g.sync(); if (i == 0) *c = x + 1; g.sync(); int y = *c; a[(y - x) * i] = i;", false}, // x and y are not compared
		{"shared memory of groups", "__shared__ int s; s = i; g.sync(); a[i] = s;", false},
		{"one tile for two groups", "a[threadIdx.x] = i; g.sync(); b[i] = a[threadIdx.x];", false},
	}
	src := "//--blockDim=64\n#include <cooperative_groups.h>\n"
	var names []string
	for k := 0; k < len(kernels); k += step {
		names = append(names, kernels[k].name)
		src += fmt.Sprintf("__global__ void k%d(int *a, int *b, int *c, int m) { cooperative_groups::grid_group g = cooperative_groups::this_grid(); int n = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x; %s }\n", k, kernels[k].body)
	}
	ir, _ := compiledText(t, compiler(t), "k.cu", src)
	for _, groups := range []int64{3, 0} {
		reports := gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: launch.Options{Local: [3]int64{64, 1, 1}, Groups: [3]int64{groups, 1, 1}}})
		if len(reports) != len(names) {
			t.Errorf("%d reports about %d kernels", len(reports), len(names))
		}
		for _, r := range reports {
			var k int
			if _, err := fmt.Sscanf(r.Kernel, "k%d", &k); err != nil {
				t.Fatal(r)
			}
			said := fmt.Sprintf("%d groups: %s: %s %s %v", groups, kernels[k].name, r.Verdict, r.Why, failing(r))
			t.Log(said)
			switch {
			case r.Verdict == gpu.Safe && !kernels[k].safe, r.Verdict == gpu.Unsupported, r.Fault != "", kernels[k].safe && groups > 0 && r.Verdict != gpu.Safe:
				t.Error(said)
			case strings.Contains(kernels[k].body, "g.sync") && !slices.ContainsFunc(r.Assumed, func(s string) bool { return strings.Contains(s, "cooperative") }):
				t.Errorf("%s: assumed %v", kernels[k].name, r.Assumed)
			}
		}
	}
}
