package gpu_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

const tail = `//--local_size=8 --num_groups=1
__kernel void k(__local int *a, __local int *b) {
    int t = get_local_id(0);
    a[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[t] = a[(t + 1) % 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[t] += 1;
}`

// TestBarriers: which barriers are needed, and where one is missing.
func TestBarriers(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"two":      {tail, "5 needed, 7 not needed"},
		"one less": {strings.Replace(tail, "    barrier(CLK_LOCAL_MEM_FENCE);\n", "\n", 1), "6 missing"},
		"bounds":   {strings.Replace(tail, "t + 1", "t / 0", 1), "2 not found"},
	} {
		var got []string
		for _, a := range gpu.Barriers(context.Background(), "k.cl", []byte(c.src), gpu.Options{}) {
			got = append(got, strings.Join([]string{string(rune('0' + a.Line)), a.What}, " "))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", name, s, c.want)
		}
	}
}

// TestConditions: conditions are found, and none of them is too much.
func TestConditions(t *testing.T) {
	for _, c := range []struct{ name, src, what, want string }{
		{"k.cu", "//--blockDim=[*,1,1] --gridDim=1\n__global__ void k(unsigned *a, unsigned n) { a[threadIdx.x % n] = threadIdx.x; }", "holds", "n >= blockDim.x"},
		{"k.cl", "//--local_size=*,1,1 --num_groups=1\n__kernel void k(__local int *a, int n) { a[0] = get_local_id(0) + n; }", "holds", "local_size[0] == 1"},
		{"k.cu", "//--blockDim=[*,1,1] --gridDim=[*,1,1]\n__global__ void k(int n, int *a) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = threadIdx.x; }", "holds", "n <= 2147483647 - gridDim.x * blockDim.x"},
		{"k.cl", "//--local_size=8 --num_groups=1\n__kernel void k(__local int *a) { a[0] = get_local_id(0); }", "not found", "no conditions were found"},
		{"k.cl", "//--local_size=8 --num_groups=1\n__kernel void k(__local int *a, int n) { __requires(n == 3); a[n / 4] = get_local_id(0); }", "not found", "no conditions were found"},
	} {
		for _, a := range gpu.Conditions(context.Background(), c.name, []byte(c.src), gpu.Options{}) {
			if a.What != c.what || !strings.HasPrefix(a.Text, c.want) {
				t.Errorf("%s:\n%s: %q, want %s %q", c.src, a.What, a.Text, c.what, c.want)
			}
		}
	}
}

// TestBounded: runs show faults, and otherwise say that they are bounded.
func TestBounded(t *testing.T) {
	for src, want := range map[string]gpu.Verdict{
		tail: gpu.Bounded,
		strings.Replace(tail, "    barrier(CLK_LOCAL_MEM_FENCE);\n", "\n", 1):                                                                                         gpu.Unsafe,
		"__kernel void k(__global int *a, int n) { if (n != 3) a[get_global_id(0)] = 1; else a[0] = get_global_id(0); }":                                              gpu.Unsafe,
		"//--local_size=4 --num_groups=1\n__kernel void k(__global int *a, __global int *b) { if (b[0] > 4) a[0] = get_global_id(0); else a[get_global_id(0)] = 1; }": gpu.Unsafe,
	} {
		if r := gpu.RunBounded(context.Background(), "k.cl", []byte(src), gpu.Options{})[0]; r.Verdict != want {
			t.Errorf("%s\n%s (%s), want %s", src, r.Verdict, r.Why, want)
		}
	}
}
