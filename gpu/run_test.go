package gpu_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
)

// TestRunsOfFlags: a run that confirms a counterexample looks for what the proof looks for.
func TestRunsOfFlags(t *testing.T) {
	for _, k := range []struct {
		name, file, src string
		verdict         gpu.Verdict
		why             string
	}{
		{"races within groups alone", "k.cl", "//--local_size=32 --num_groups=3 --only-intra-group\n__kernel void k(__global int *list, __local unsigned *used, int v) { unsigned slot = atomic_add(used, 1u); list[slot] = v + get_local_id(0); }", gpu.Safe, ""},
		{"two lines of flags", "k.cl", "//--local_size=4 --num_groups=2\n//--only-intra-group\n__kernel void k(__global int *a) { a[get_local_id(0)] = get_group_id(0); }", gpu.Safe, ""},
		{"value of a structure", "k.cl", "//--local_size=4 --num_groups=1 --kernel-args=k,0x0000000700000005\nstruct range { int low, high; };\n__kernel void k(struct range r) { __assert(r.high + r.low == 12); }", gpu.Unsupported, "a value of r, which is not an integer"},
		{"value behind a float", "k.cl", "//--local_size=4 --num_groups=1 --kernel-args=k,*,5\n__kernel void k(float f, int n) { __assert(n == 5); }", gpu.Safe, ""},
		{"values of no kernel", "k.cl", "//--local_size=4 --num_groups=1 --kernel-args=other,5\n__kernel void k(int n) { __assert(n == 5); }", gpu.Unsupported, "other, which is not a kernel"},
		{"too many values", "k.cl", "//--local_size=4 --num_groups=1 --kernel-args=k,5,6\n__kernel void k(int n) { __assert(n == 5); }", gpu.Unsupported, "more values than k has"},
		{"one array for two parameters", "k.cu", "//--blockDim=4 --gridDim=2\n__global__ void k(const float *a, float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i + 1 < n) b[i] = a[i + 1]; }\nvoid host(float *p, int n) { k<<<n / 64, 64>>>(p, p, n); }", gpu.Open, "one array for both a and b"},
		{"two arrays for two parameters", "k.cu", "//--blockDim=4 --gridDim=2\n__global__ void k(const float *a, float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i + 1 < n) b[i] = a[i + 1]; }\nvoid host(float *p, float *q, int n) { k<<<n / 64, 64>>>(p, q, n); }", gpu.Safe, ""},
		{"lock", "k.cu", "//--blockDim=4 --gridDim=2\n__global__ void k(int *lock, int *a) { if (threadIdx.x == 0) { while (atomicCAS(lock, 0, 1)) ; __threadfence(); a[0] += 1 + blockIdx.x; __threadfence(); atomicExch(lock, 0); } }", gpu.Possible, "a fence and atomic operations"},
		{"last of the groups", "k.cu", "//--blockDim=2 --gridDim=2\n__device__ unsigned done;\n__global__ void k(const float *in, volatile float *part, float *out) { __shared__ bool last; if (threadIdx.x == 0) { part[blockIdx.x] = in[blockIdx.x]; __threadfence(); unsigned ticket = atomicInc(&done, gridDim.x); last = ticket == gridDim.x - 1; } __syncthreads(); if (last && threadIdx.x == 0) { float s = 0.0f; for (int i = 0; i < gridDim.x; i++) s += part[i]; *out = s; } }", gpu.Possible, ""},
		{"lock without fences", "k.cu", "//--blockDim=4 --gridDim=2\n__global__ void k(int *lock, int *a) { if (threadIdx.x == 0) { while (atomicCAS(lock, 0, 1)) ; a[0] += 1 + blockIdx.x; atomicExch(lock, 0); } }", gpu.Unsafe, ""},
	} {
		t.Run(k.name, func(t *testing.T) {
			verdict, why := worst(gpu.File(context.Background(), k.file, []byte(k.src), gpu.Options{}))
			if verdict != k.verdict || !strings.Contains(why, k.why) {
				t.Errorf("%s:%s; %s was to be expected: %s", verdict, why, k.verdict, k.why)
			}
		})
	}
}

// TestRunAndScene: below a run stands what that run shows, not the state that led to it.
func TestRunAndScene(t *testing.T) {
	src := "__global__ void k(int *a, int n) { int s = 0; for (int base = 0; base < n; base += 2) s += base; a[threadIdx.x / 2] = s + threadIdx.x; }"
	opts := gpu.Options{}
	if err := opts.Launch.Set("--local_size=8"); err != nil {
		t.Fatal(err)
	}
	for _, r := range gpu.File(context.Background(), "k.cu", []byte(src), opts) {
		for _, c := range r.Checks {
			s := c.Counterexample
			if c.Replayed == "" || s == nil {
				continue
			}
			if s.Threads[0].Variables != nil || s.Threads[0].Group != s.Threads[1].Group || !strings.Contains(c.Replayed, "thread "+s.Threads[0].Id[0]+" ") || !strings.Contains(c.Replayed, "thread "+s.Threads[1].Id[0]+" ") {
				t.Errorf("%s is shown as %+v", c.Replayed, *s)
			}
			return
		}
	}
	t.Error("no run was shown")
}

// TestIncludeInItself: a file that includes itself is named.
func TestIncludeInItself(t *testing.T) {
	opts := gpu.Options{Launch: encode.Options{Include: func(path string) []byte {
		if path == "a.h" {
			return []byte("#include \"a.h\"\n")
		}
		return nil
	}}}
	verdict, why := worst(gpu.File(context.Background(), "k.cl", []byte("#include \"a.h\"\n__kernel void k(__global int *a) { a[0] = 1; }"), opts))
	if verdict != gpu.Unsupported || !strings.Contains(why, "includes itself") {
		t.Errorf("%s:%s", verdict, why)
	}
}
