package gpu_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/corpus"
)

// threadFault is a fault that a public thread reports, in code of our own: the kernel with the fault, the kernel without it, and what
// fails where.
type threadFault struct {
	thread string // owner/repository#number
	file   string
	bad    string
	fixed  string
	kind   string // of a check that fails
	line   int    // of that check
	missed bool   // the answer about one side is not the one that is wanted yet
}

const oneBlock = "//--local_size=64 --num_groups=1\n"

var threadFaults = []threadFault{
	{thread: "ORNL/HeCBench#261", file: "k.cu", kind: "race-rw", line: 7, // a tile is updated while others read it
		bad: oneBlock + `__global__ void k(int *d) {
  __shared__ int s[65];
  int t = threadIdx.x;
  s[t] = d[t];
  if (t == 0) s[64] = d[64];
  __syncthreads(); for (int i = 0; i < 64; i++) {
    int v = s[i] + 1; if (v < s[t]) s[t] = v;
  }
  d[t] = s[t];
}`,
		fixed: oneBlock + `__global__ void k(int *d) {
  __shared__ int s[65];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  for (int i = 0; i < 64; i++) {
    int v = s[i] + 1; __syncthreads(); if (v < s[t]) s[t] = v;
    __syncthreads();
  }
  d[t] = s[t];
}`},
	{thread: "ORNL/HeCBench#133", file: "k.cu", kind: "race-rw", line: 5, // a prefix sum without barriers
		bad: oneBlock + `__global__ void k(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x; s[t] = d[t]; __syncthreads();
  for (int o = 1; o < 64; o *= 2) if (t >= o)
    s[t] += s[t - o];
  d[t] = s[t];
}`,
		fixed: oneBlock + `__global__ void k(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x; s[t] = d[t]; __syncthreads();
  for (int o = 1; o < 64; o *= 2) { int v = 0; if (t >= o)
    v = s[t - o]; __syncthreads(); s[t] += v; __syncthreads(); }
  d[t] = s[t];
}`},
	{thread: "gtcasl/gpuocelot#36", file: "k.cu", kind: "race-rw", line: 5, // a butterfly whose two halves are not separated
		bad: oneBlock + `__global__ void k(float *d) {
  __shared__ float s[64];
  int t = threadIdx.x; s[t] = d[t]; __syncthreads();
  for (int b = 32; b > 0; b /= 2) {
    float v = s[t] + s[t ^ b]; s[t] = v; __syncthreads();
  }
  d[t] = s[t];
}`,
		fixed: oneBlock + `__global__ void k(float *d) {
  __shared__ float s[64];
  int t = threadIdx.x; s[t] = d[t]; __syncthreads();
  for (int b = 32; b > 0; b /= 2) {
    float v = s[t] + s[t ^ b]; __syncthreads(); s[t] = v; __syncthreads();
  }
  d[t] = s[t];
}`},
	{thread: "doe300/VC4C#30", file: "k.cl", kind: "race-rw", line: 6, // a thread adds its neighbour's cell, which that one may have reset
		bad: oneBlock + `__kernel void k(__global float *a, __local float *l) {
  int t = get_local_id(0);
  l[t] = a[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t % 2 == 0)
    l[t] += l[t + 1]; else l[t] = 0;
  a[t] = l[t];
}`,
		fixed: oneBlock + `__kernel void k(__global float *a, __local float *l) {
  int t = get_local_id(0);
  l[t] = a[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t % 2 == 0)
    l[t] += l[t + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t % 2 != 0) l[t] = 0;
  a[t] = l[t];
}`},
	{thread: "KhronosGroup/OpenCL-CTS#1437", file: "k.cl", kind: "bounds", line: 4, // cells behind the array of the group
		bad: oneBlock + `__kernel void k(__global int *a) {
  __local int v[64];
  int t = get_local_id(0);
  v[t + 1] = t;
  barrier(CLK_LOCAL_MEM_FENCE); a[t] = v[t];
}`,
		fixed: oneBlock + `__kernel void k(__global int *a) {
  __local int v[65];
  int t = get_local_id(0);
  v[t + 1] = t;
  barrier(CLK_LOCAL_MEM_FENCE); a[t] = v[t];
}`},
	{thread: "KhronosGroup/OpenCL-CTS#2089", file: "k.cl", kind: "race-rw", line: 4, // some threads sum what the others write
		bad: oneBlock + `__kernel void k(__global int *a, __global const int *src) {
  int i = get_global_id(0), s = 0;
  a[i] = src[i];
  if (i < 2) for (int j = 0; j < 10; j++) s += a[j];
  a[i + 64] = s;
}`,
		fixed: oneBlock + `__kernel void k(__global int *a, __global const int *src) {
  int i = get_global_id(0), s = 0;
  a[i] = src[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i < 2) for (int j = 0; j < 10; j++) s += a[j];
  a[i + 64] = s;
}`},
	{thread: "pocl/pocl#2156", file: "k.cl", kind: "divergence", line: 6, // a barrier for the first thread of each subgroup alone
		bad: oneBlock + `__kernel void k(__global int *a, __local int *s) {
  int t = get_local_id(0);
  s[t] = a[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t % 16 == 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[t] = s[t] + 1;
  }
}`,
		fixed: oneBlock + `__kernel void k(__global int *a, __local int *s) {
  int t = get_local_id(0);
  s[t] = a[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t % 16 == 0) a[t] = s[t] + 1;
}`},
	{thread: "ROCm/legacy-rocm-build#234", file: "k.cl", kind: "race-rw", line: 5, // memory of the group is used again too early
		bad: oneBlock + `__kernel void k(__global int *a, __local int *s) {
  int t = get_local_id(0), v = a[t];
  for (int i = 0; i < 4; i++) {
    s[t] = v; barrier(CLK_LOCAL_MEM_FENCE);
    v = s[63 - t] + i;
  }
  a[t] = v;
}`,
		fixed: oneBlock + `__kernel void k(__global int *a, __local int *s) {
  int t = get_local_id(0), v = a[t];
  for (int i = 0; i < 4; i++) {
    s[t] = v; barrier(CLK_LOCAL_MEM_FENCE);
    v = s[63 - t] + i; barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[t] = v;
}`},
	{thread: "1bit-MONSTER/1bit-MONSTER#1262", missed: true, file: "k.cu", kind: "divergence", line: 6, // a continue that skips a barrier
		bad: oneBlock + `__global__ void k(float *a, const int *expert, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) {
    if (expert[t] < 0) continue;
    s[t] = a[t]; __syncthreads();
    a[t] = s[63 - t]; __syncthreads();
  }
}`,
		fixed: oneBlock + `__global__ void k(float *a, const int *expert, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) {
    s[t] = a[t]; __syncthreads();
    if (expert[t] >= 0) a[t] = s[63 - t]; __syncthreads();
  }
}`},
	{thread: "pytorch/FBGEMM#5857", file: "k.cu", kind: "divergence", line: 5, // threads behind the end return before the barriers
		bad: oneBlock + `__global__ void k(float *a, int total) {
  __shared__ float s[64];
  int t = threadIdx.x; if (t >= total) return;
  s[t] = a[t];
  __syncthreads();
  a[t] = s[t] + s[0];
}`,
		fixed: oneBlock + `__global__ void k(float *a, int total) {
  __shared__ float s[64];
  int t = threadIdx.x; bool active = t < total;
  s[t] = active ? a[t] : 0;
  __syncthreads();
  if (active) a[t] = s[t] + s[0];
}`},
	{thread: "tile-ai/tilelang#1026", file: "k.cu", kind: "divergence", line: 5, // a barrier for every second thread
		bad: oneBlock + `__global__ void k(float *a) {
  __shared__ float s[64];
  int t = threadIdx.x; s[t] = a[t]; __syncthreads();
  if (t % 2 == 0) { float v = s[t];
    __syncthreads();
    s[t ^ 1] = v; }
}`,
		fixed: oneBlock + `__global__ void k(float *a) {
  __shared__ float s[64];
  int t = threadIdx.x; s[t] = a[t]; __syncthreads();
  float v = s[t];
  __syncthreads();
  if (t % 2 == 0) s[t ^ 1] = v;
}`},
	{thread: "numba/numba#2655", missed: true, file: "k.cu", kind: "divergence", line: 5, // a jump over the barrier
		bad: oneBlock + `__global__ void k(int *p) {
  int t = threadIdx.x;
  if (t < 14) { if (p[t] == 7) goto end; }
  p[t] = 1;
  __syncthreads();
  p[64 + t] = p[63 - t];
end:;
}`,
		fixed: oneBlock + `__global__ void k(int *p) {
  int t = threadIdx.x; bool skip = false;
  if (t < 14) { if (p[t] == 7) skip = true; }
  if (!skip) p[t] = 1;
  __syncthreads();
  if (!skip) p[64 + t] = p[63 - t];
}`},
	{thread: "triton-lang/triton#4", missed: true, file: "k.cl", kind: "divergence", line: 4, // a loop over rows, whose rounds differ between threads, with a barrier
		bad: "//--local_size=64 --num_groups=4\n" + `__kernel void k(__global int *a, __local int *s, int m) {
  int t = get_local_id(0);
  for (int r = get_global_id(0); r < m; r += 256) {
    s[t] = r; barrier(CLK_LOCAL_MEM_FENCE);
    a[r] = s[63 - t]; barrier(CLK_LOCAL_MEM_FENCE);
  }
}`,
		fixed: "//--local_size=64 --num_groups=4\n" + `__kernel void k(__global int *a, __local int *s, int m) {
  int t = get_local_id(0);
  for (int b = 0; b < m && b < 1000000; b += 256) {
    int r = b + get_global_id(0);
    s[t] = r; barrier(CLK_LOCAL_MEM_FENCE);
    if (r < m) a[r] = s[63 - t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}`},
	{thread: "ComputationalRadiationPhysics/picongpu#2231", file: "k.cu", kind: "race-atomic", line: 5, // groups add to one histogram without atomic operations
		bad: "//--local_size=64 --num_groups=4\n" + `__global__ void k(int *all, const int *bin) {
  __shared__ int h[64];
  int t = threadIdx.x; h[t] = 0; __syncthreads();
  atomicAdd(&h[bin[blockIdx.x * 64 + t] & 63], 1); __syncthreads();
  all[t] += h[t]; if (t == 0) atomicAdd(&all[0], 1);
}`,
		fixed: "//--local_size=64 --num_groups=4\n" + `__global__ void k(int *all, const int *bin) {
  __shared__ int h[64];
  int t = threadIdx.x; h[t] = 0; __syncthreads();
  atomicAdd(&h[bin[blockIdx.x * 64 + t] & 63], 1); __syncthreads();
  atomicAdd(&all[t], h[t]);
}`},
	{thread: "tpruvot/ccminer#75", file: "k.cu", kind: "race-rw", line: 5, // levels of a tree in one warp, without __syncwarp
		bad: "//--local_size=32 --num_groups=1\n" + `__global__ void k(int *a) {
  __shared__ int s[64];
  int t = threadIdx.x; s[t] = a[t];
  if (t % 8 == 0)
    s[t] = s[t + 4];
  a[t] = s[t];
}`,
		fixed: "//--local_size=32 --num_groups=1\n" + `__global__ void k(int *a) {
  __shared__ int s[64];
  int t = threadIdx.x; s[t] = a[t]; __syncwarp();
  if (t % 8 == 0)
    s[t] = s[t + 4]; __syncwarp();
  a[t] = s[t];
}`},
	{thread: "ORNL/HeCBench#264", file: "k.cu", kind: "race-rw", line: 5, // a queue's tail is reset while others read it
		bad: oneBlock + `__global__ void k(int *a, int rounds) {
  __shared__ int tail;
  int t = threadIdx.x; if (t == 0) tail = 1; __syncthreads();
  for (int i = 0; i < rounds; i++) {
    if (t < tail) a[t] += i;
    if (t == 0) tail = i;
    __syncthreads();
  }
}`,
		fixed: oneBlock + `__global__ void k(int *a, int rounds) {
  __shared__ int tail;
  int t = threadIdx.x; if (t == 0) tail = 1; __syncthreads();
  for (int i = 0; i < rounds; i++) {
    if (t < tail) a[t] += i;
    __syncthreads();
    if (t == 0) tail = i;
    __syncthreads();
  }
}`},
	{thread: "flashinfer-ai/flashinfer#614", file: "k.cu", kind: "race-rw", line: 4, // a buffer for partial results holds the next ones before all have read it
		bad: oneBlock + `__global__ void k(float *a, float *b) {
  __shared__ float s[64];
  int t = threadIdx.x; s[t] = a[t]; __syncthreads();
  float m = s[t ^ 1];
  s[t] = b[t] * m; __syncthreads();
  a[t] = s[t ^ 2];
}`,
		fixed: oneBlock + `__global__ void k(float *a, float *b) {
  __shared__ float s[64];
  int t = threadIdx.x; s[t] = a[t]; __syncthreads();
  float m = s[t ^ 1]; __syncthreads();
  s[t] = b[t] * m; __syncthreads();
  a[t] = s[t ^ 2];
}`},
	{thread: "risc0/risc0#3803", file: "k.cu", kind: "bounds", line: 2, // a kernel without a count, in a grid of whole blocks
		bad: oneBlock + `__global__ void k() { __shared__ int e[90];
  for (int i = threadIdx.x; i < 128; i += 64) e[i] = 0;
}`,
		fixed: oneBlock + `__global__ void k() { __shared__ int e[90];
  for (int i = threadIdx.x; i < 128; i += 64) if (i < 90) e[i] = 0;
}`},
	{thread: "alicevision/popsift#82", file: "k.cu", kind: "race-atomic", line: 4, // a histogram counts before all its cells are 0
		bad: oneBlock + `__global__ void k(const int *w, int *o) {
  __shared__ int h[36];
  int t = threadIdx.x; if (t < 36) h[t] = 0;
  atomicAdd(&h[w[t] % 36u], 1); __syncthreads();
  if (t < 36) o[t] = h[t];
}`,
		fixed: oneBlock + `__global__ void k(const int *w, int *o) {
  __shared__ int h[36];
  int t = threadIdx.x; if (t < 36) h[t] = 0; __syncthreads();
  atomicAdd(&h[w[t] % 36u], 1); __syncthreads();
  if (t < 36) o[t] = h[t];
}`},
	{thread: "paradigms-of-intelligence/cubff#54", file: "k.cu", kind: "bounds", line: 3, // a guard lets the thread behind the last one through
		bad: oneBlock + `__global__ void k(int *o) {
  __shared__ int s[48]; int t = threadIdx.x; if (t > 48) return;
  s[t] = 2 * t; o[t] = s[t];
}`,
		fixed: oneBlock + `__global__ void k(int *o) {
  __shared__ int s[48]; int t = threadIdx.x; if (t >= 48) return;
  s[t] = 2 * t; o[t] = s[t];
}`},
}

// TestFaultsOfThreads: what a public thread reports is found, where it says, and what mends it is safe.
func TestFaultsOfThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	right, every := 0, corpus.Effort(9, 4, 1)
	for n, f := range threadFaults {
		if n%every != 0 {
			continue
		}
		var opts encode.Options
		if f.kind == "bounds" {
			opts.Bounds = true
		}
		bad := gpu.File(context.Background(), f.file, []byte(f.bad), gpu.Options{Launch: opts})
		fixed := gpu.File(context.Background(), f.file, []byte(f.fixed), gpu.Options{Launch: opts})
		placed := false
		for _, c := range bad[0].Checks {
			placed = placed || !c.Verdict.Holds() && c.Kind == f.kind && c.Line == f.line+1 // behind the line of the sizes
		}
		ok := bad[0].Verdict == gpu.Unsafe && placed && fixed[0].Verdict == gpu.Safe
		if bad[0].Verdict == gpu.Safe {
			t.Errorf("%s: the fault is safe", f.thread)
		}
		if ok == f.missed {
			t.Errorf("%s: with the fault %s (%s), placed %v; without it %s (%s)", f.thread, bad[0].Verdict, bad[0].Why, placed, fixed[0].Verdict, fixed[0].Why)
			for _, c := range bad[0].Checks {
				t.Logf("  %s %d %s", c.Kind, c.Line, c.Verdict)
			}
		}
		if ok {
			right++
		}
	}
	t.Logf("%d of %d right on both sides", right, len(threadFaults))
}

// sharedFaults are pairs of the reference data, as their authors judged them: the fault, and what mends it, with sizes and checks.
var sharedFaults = []struct {
	file, local, groups string // NAME*EXT stands for NAME_bad.EXT and NAME_fixed.EXT
	quick, overflow     bool
	missed              bool // the fault is not safe, but no run shows it: no conversion of C overflows
}{
	{file: "tile_loop*.cu", local: "256", groups: "*,1,1"},
	{file: "late_broadcast*.cu", local: "128", groups: "*,1,1"},
	{file: "scan_in_place*.cu", local: "*,1,1", groups: "*,1,1"},
	{file: "any_of_group*.cl", groups: "*,1,1"},
	{file: "break_in_loop*.cl"},
	{file: "conditional_barrier*.cl", quick: true},
	{file: "index_wraps*.cu", local: "256", groups: "*,1,1", overflow: true, missed: true},
	{file: "missing_syncwarp*.cu", local: "256", groups: "*,1,1"},
	{file: "buffer_reused*.cu", local: "256", groups: "*,1,1"},
	{file: "max_and_sum*.cu", local: "1024", groups: "*,1,1"},
	{file: "early_return*.cu", local: "256", groups: "*,1,1", quick: true},
}

// TestSharedFaults: each pair is right on both sides. Without GRADINE_SWEEP two of them are judged: all take more than a minute.
func TestSharedFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: the full form has it")
	}
	dir := corpus.Path(t, "../trials/models/kernels/faults")
	for _, f := range sharedFaults {
		if !f.quick && os.Getenv("GRADINE_SWEEP") == "" {
			continue
		}
		for side, want := range map[string]gpu.Verdict{"_bad": gpu.Unsafe, "_fixed": gpu.Safe} {
			name := strings.Replace(f.file, "*", side, 1)
			src, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			opts := gpu.Options{Launch: encode.Options{Overflow: f.overflow}}
			for flag, sizes := range map[string]string{"--local_size=": f.local, "--num_groups=": f.groups} {
				if sizes == "" {
					continue
				}
				if strings.Contains(sizes, ",") {
					sizes = "[" + sizes + "]"
				}
				if err := opts.Launch.Set(flag + sizes); err != nil {
					t.Fatal(err)
				}
			}
			r := gpu.File(context.Background(), name, src, opts)[0]
			if missed := f.missed && want == gpu.Unsafe && (r.Verdict == gpu.Open || r.Verdict == gpu.Possible); r.Verdict != want && !missed {
				t.Errorf("%s is %s, want %s: %s", name, r.Verdict, want, r.Why)
			}
		}
	}
}

// TestOverflowOfLargeGrids: an overflow that only the largest grids have is shown by a run.
func TestOverflowOfLargeGrids(t *testing.T) {
	const src = "//--local_size=64\n__kernel void k(__global int *a) { int i = get_global_id(0); a[2 * i] = 1; }"
	r := gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{Launch: encode.Options{Overflow: true}})[0]
	if r.Verdict != gpu.Unsafe || !slices.ContainsFunc(r.Checks, func(f gpu.Finding) bool { return f.Kind == "overflow" && f.Replayed != "" }) {
		t.Errorf("%s: %v", r.Verdict, r.Checks)
	}
}
