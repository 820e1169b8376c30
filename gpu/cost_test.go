package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// TestCost prints what kernels of n, 2n and 4n parts cost, in bytes that judging them allocates: twice as many parts cost at most five times
// as much, and all are decided. GRADINE_SWEEP takes larger ones.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "#", "%[1]d"), i)
		}
		return b.String()
	}
	const id = "int t = get_global_id(0), s = 0; "
	for _, c := range []struct {
		name string
		n    int
		src  func(n int) string
	}{
		{"structures in structures", 10, func(n int) string {
			s := "struct S { int a, b; };\n"
			for i := range n {
				inner := "struct S"
				if i > 0 {
					inner = fmt.Sprint("struct S", i-1)
				}
				s += fmt.Sprintf("struct S%d { %s p; int q; };\n", i, inner)
			}
			return s + fmt.Sprintf("__kernel void k(__global struct S%d *o) { o[get_global_id(0)].q = 1; }", n-1)
		}},
		{"parts of a structure that is copied", corpus.Effort(200, 200, 750), func(n int) string {
			return "struct S { " + repeat(n, "float f#; ") + "};\n__kernel void k(__global struct S *o, __global struct S *p) { struct S s = p[get_global_id(0)]; s.f3 = 2; o[get_global_id(0)] = s; }"
		}},
		{"choices in a choice", corpus.Effort(4, 4, 8), func(n int) string {
			return "__kernel void k(__global int *o, int n) { " + id + "o[t] = " + repeat(n, "n == # ? t + # : ") + "s; }"
		}},
		{"branches", corpus.Effort(5, 5, 10), func(n int) string {
			return "__kernel void k(__global int *o, __global int *in) { " + id + repeat(n, "if (in[t + #] > #) s ^= #; ") + "o[t] = s; }"
		}},
		{"loops", corpus.Effort(2, 2, 3), func(n int) string {
			return "__kernel void k(__global int *o, int n) { " + id + repeat(n, "for (int i# = 0; i# < n; i#++) s ^= i#; ") + "o[t] = s; }"
		}},
	} {
		twin := strings.NewReplacer("o[t] =", "o[t / 2] =", "o[get_global_id(0)]", "o[get_global_id(0) / 2]").Replace(c.src(c.n))
		if r := gpu.File(context.Background(), "k.cl", []byte("//--local_size=8 --num_groups=2\n"+twin), gpu.Options{})[0]; r.Verdict == gpu.Safe && !strings.Contains(twin, ".q = 1") {
			t.Errorf("%s: two threads write to one place, and that is safe:\n%s", c.name, twin)
		}
		var last int64
		for _, n := range []int{c.n, 2 * c.n, 4 * c.n} {
			if testing.Short() && n > 2*c.n {
				break
			}
			var r gpu.Report
			bytes := corpus.Allocated(func() {
				r = gpu.File(context.Background(), "k.cl", []byte("//--local_size=8 --num_groups=2\n"+c.src(n)), gpu.Options{})[0]
			})
			t.Logf("%4d %s: %d MB, %s", n, c.name, bytes>>20, r.Verdict)
			if r.Verdict != gpu.Safe {
				t.Errorf("%d %s: %s %s", n, c.name, r.Verdict, r.Why)
			}
			if last > 0 && bytes > 5*last {
				t.Errorf("%d %s cost %d bytes, half as many %d", n, c.name, bytes, last)
			}
			last = bytes
		}
	}
}
