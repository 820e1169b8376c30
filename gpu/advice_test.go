package gpu_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
		for _, a := range gpu.Barriers(context.Background(), gpu.Source{Name: "k.cl", Text: []byte(c.src)}, gpu.Options{}) {
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
		{"k.cu", "//--blockDim=[*,1,1] --gridDim=[*,1,1]\n__global__ void k(int n, int *a) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = threadIdx.x; }", "holds", "true"},
		{"k.cl", "//--local_size=8 --num_groups=1\n__kernel void k(__local int *a) { a[0] = get_local_id(0); }", "not found", "no conditions found"},
		{"k.cl", "//--local_size=8 --num_groups=1\n__kernel void k(__local int *a, int n) { __requires(n == 3); a[n / 4] = get_local_id(0); }", "not found", "no conditions found"},
	} {
		for _, a := range gpu.Conditions(context.Background(), gpu.Source{Name: c.name, Text: []byte(c.src)}, gpu.Options{}) {
			if a.What != c.what || !strings.HasPrefix(a.Text, c.want) {
				t.Errorf("%s:\n%s: %q, want %s %q", c.src, a.What, a.Text, c.what, c.want)
			}
			// The sum of an index of type int and the size of the grid may overflow.
			if strides := strings.Contains(c.src, "i += blockDim.x"); strides != (a.Assuming == "no signed overflow") {
				t.Errorf("%s:\nassuming %q", c.src, a.Assuming)
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
		if r := gpu.RunBounded(context.Background(), gpu.Source{Name: "k.cl", Text: []byte(src)}, gpu.Options{})[0]; r.Verdict != want {
			t.Errorf("%s\n%s (%s), want %s", src, r.Verdict, r.Why, want)
		}
	}
}

// TestBoundedSteps: runs of arrays that the launch sizes, with more threads than are remembered of a place, end; those that have no end
// say so, and what was run.
func TestBoundedSteps(t *testing.T) {
	const sums = `//--local_size=320 --num_groups=1
__global__ void k(const float *a, float *b) {
  extern __shared__ float s[];
  int t = threadIdx.x; float m = -INFINITY;
  s[t] = a[t]; __syncthreads();
  for (int k = 160; k > 0; k /= 2) { if (t < k) s[t] = fmaxf(s[t], s[t + k]); __syncthreads(); }
  m = fmaxf(m, s[0]); b[t] = m;
}`
	for _, c := range []struct {
		src  string
		want gpu.Verdict
		says string
	}{
		{sums, gpu.Bounded, "no fault in 3 of 3 runs on a grid of 1 groups of 320 threads"},
		{strings.Replace(sums, "= a[t]; __syncthreads();", "= a[t];", 1), gpu.Unsafe, "on a grid of 1 groups of 320 threads"},
		{strings.Replace(sums, "float m =", "extern __shared__ float u[]; u[t] = 1; float m =", 1), gpu.Open, "line 4: u and another array whose length the host determines are one memory"},
	} {
		r := gpu.RunBounded(t.Context(), gpu.Source{Name: "k.cu", Text: []byte(c.src)}, gpu.Options{})[0]
		if r.Verdict != c.want || !strings.Contains(r.Why, c.says) {
			t.Errorf("%s\n%s (%s), want %s", c.src, r.Verdict, r.Why, c.want)
		}
		if (r.Verdict == gpu.Unsafe) != (len(r.Checks) == 1 && r.Checks[0].Counterexample != nil) {
			t.Errorf("%s\n%v: no threads that fail", c.src, r.Checks)
		}
	}
}

// TestConditionsInC: launches of which the compiler of the host says that they fulfil the conditions do not fail in a run,
// whatever signs and widths the types of sizes and parameters have.
func TestConditionsInC(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("g++ is not installed")
	}
	dir, ran := t.TempDir(), 0
	for _, k := range []struct{ typ, body string }{
		{"int", "int t = threadIdx.x; a[t % n] = t;"},
		{"int", "int t = threadIdx.x; a[t + n] = t; a[t] = 1;"},
		{"short", "int t = threadIdx.x; a[t + n] = t; a[t] = 1;"},
		{"long", "long t = threadIdx.x; a[t % n] = t;"},
		{"unsigned char", "int t = threadIdx.x; a[t % n] = t;"},
		{"unsigned", "a[threadIdx.x % n] = threadIdx.x;"},
	} {
		src := fmt.Sprintf("//--blockDim=[*,1,1] --gridDim=1\n__global__ void k(int *a, %s n) { %s }", k.typ, k.body)
		a := gpu.Conditions(t.Context(), gpu.Source{Name: "k.cu", Text: []byte(src)}, gpu.Options{})[0]
		if a.What != "holds" {
			t.Errorf("%s: %s", src, a.Text)
			continue
		}
		program := fmt.Sprintf(`#include <cstdio>
#include <initializer_list>
struct { unsigned x; } blockDim, gridDim = {1};
int main() {
	for (int b : {1, 2, 5, 300}) for (long v : {-40000, -5, -1, 0, 1, 3, 5, 8, 200, 255, 301}) {
		%s n = v;
		blockDim.x = b;
		if (n == v && (%s)) printf("%%d %%ld\n", b, v);
	}
}`, k.typ, a.Text)
		path := filepath.Join(dir, "c.cpp")
		if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := exec.Command("g++", "-w", "-o", path+".out", path).CombinedOutput(); err != nil {
			t.Fatalf("%s is no C: %s", a.Text, text)
		}
		text, err := exec.Command(path + ".out").Output()
		if err != nil || len(text) == 0 {
			t.Fatalf("no launch fulfils %s (%v)", a.Text, err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			var o gpu.Options
			size, n, _ := strings.Cut(line, " ")
			if err := o.Launch.Set("--blockDim=" + size); err != nil {
				t.Fatal(err)
			}
			if err := o.Launch.Set("--gridDim=1"); err != nil {
				t.Fatal(err)
			}
			o.Launch.Arguments = map[string][]string{"k": {n}}
			ran++
			if r := gpu.RunBounded(t.Context(), gpu.Source{Name: "k.cu", Text: []byte(src)}, o)[0]; r.Verdict == gpu.Unsafe {
				t.Errorf("%s\nunder %s fails with %s threads, n = %s: %s", src, a.Text, size, n, r.Checks[0].Why)
			}
		}
	}
	t.Logf("%d launches", ran)
}
