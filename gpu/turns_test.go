package gpu_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// turns are kernels whose threads go through an array in turns, and how often each has a
// fault: no step, a step that is too small, an index that wraps.
var turns = []struct {
	name, file, src string
	safe, long      bool
}{
	{"64 bits", "k.cu", `__global__ void k(unsigned n, float *y) {
		for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = 2 * y[i]; }`, true, false},
	{"a step with a name", "k.cu", `__global__ void k(float *y) { unsigned stride = gridDim.x * blockDim.x;
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 1000; i += stride) y[i] = 2 * y[i]; }`, true, true},
	{"what the launch demands", "k.cl", `__kernel void k(int n, __global float *y) { __requires(n <= 0x7fffffff - (int)get_global_size(0));
		for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = 2 * y[i]; }`, true, true},
	{"steps on several ways", "k.cu", `__global__ void k(unsigned n, int *y) { unsigned long long i = threadIdx.x + blockIdx.x * blockDim.x;
		while (i < n) { if (y[i] < 0) { i += gridDim.x * blockDim.x; continue; } y[i]++; i += blockDim.x * gridDim.x; } }`, true, true},
	{"rows by groups, columns by threads", "k.cu", `__global__ void k(unsigned n, unsigned m, float *y) {
		for (size_t r = blockIdx.x; r < n; r += gridDim.x) for (size_t c = threadIdx.x; c < m; c += blockDim.x) y[r * m + c] = 1; }`, true, false},
	{"an int, which does not overflow", "k.cu", `__global__ void k(int n, float *y) {
		for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = 2 * y[i]; }`, true, false},
	{"unsigned wraps near 2^32", "k.cl", `__kernel void k(uint n, __global float *y) { __requires(n <= 0xffffffffu - (uint)get_local_size(0));
		for (uint i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = 2 * y[i]; }`, false, true},
	{"numbers", "k.cu", `//--blockDim=256 --gridDim=1024
		__global__ void k(float *y, unsigned n) { for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = 2 * y[i]; }`, true, false},
	{"a power of two survives a wrap", "k.cu", `//--blockDim=256 --gridDim=1024
		__global__ void k(float *y, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = 2 * y[i]; }`, true, false},
	{"another number does not", "k.cu", `//--blockDim=192 --gridDim=1024
		__global__ void k(float *y, unsigned n) { for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = 2 * y[i]; }`, false, true},
	{"one thread too few", "k.cu", `//--blockDim=256 --gridDim=1024
		__global__ void k(float *y, unsigned n) { for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x - 1) y[i] = 2 * y[i]; }`, false, true},
	{"step of one group", "k.cu", `__global__ void k(unsigned n, float *y) {
		for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) y[i] = 2 * y[i]; }`, false, false},
	{"start beyond the first turn", "k.cu", `__global__ void k(unsigned n, float *y) {
		for (size_t i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += blockDim.x * gridDim.x) y[i] = 2 * y[i]; }`, false, true},
	{"two steps on one way", "k.cu", `__global__ void k(unsigned n, float *y) {
		for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) { y[i] = 2 * y[i]; if (y[i] > 3) i++; } }`, false, true},
}

// TestTurns: threads that take turns are safe for every size of the launch, where nothing
// wraps; GRADINE_SWEEP=1 takes all of the list.
func TestTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	o := gpu.Options{}
	o.Launch.Local, o.Launch.Groups = [3]int64{0, 1, 1}, [3]int64{0, 1, 1}
	for _, k := range turns {
		if k.long && os.Getenv("GRADINE_SWEEP") == "" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			o := o
			if strings.HasPrefix(k.src, "//--") {
				o = gpu.Options{} // the text gives sizes
			}
			for _, r := range gpu.File(context.Background(), k.file, []byte(k.src), o) {
				if (r.Verdict == gpu.Safe) != k.safe || r.Verdict == gpu.Unsupported {
					t.Errorf("%s, and safe should be %v: %s %+v", r.Verdict, k.safe, r.Why, r.Checks)
				}
			}
		})
	}
}
