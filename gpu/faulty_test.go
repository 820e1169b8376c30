package gpu_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
)

// faulty are kernels with a fault each, of kinds that labelled kernels hardly have:
// pointers with several targets, logs, contents of arrays, orders of atomic operations,
// what barriers do not order, values that are remembered or wrap.
var faulty = []struct{ name, file, src string }{
	{"either array", "k.cl", `__kernel void k(__global int *a, __global int *b, int n) {
		__global int *p = n > 3 ? a : b; p[get_local_id(0)] = 1; a[get_local_id(0) + 1] = 2; }`},
	{"pointer set in a loop", "k.cl", `__kernel void k(__global int *a, __global int *b) {
		__global int *p = a; for (int i = 0; i < 2; i++) { p[get_global_id(0)] = i; p = b; } b[get_global_id(0) + 1] = 5; }`},
	{"swapped pointers", "k.cl", `__kernel void k(__local int *x, __local int *y) {
		__local int *in = x; __local int *out = y; int t = get_local_id(0);
		for (int i = 0; i < 3; i++) { out[t] = in[t + 1]; __local int *z = in; in = out; out = z; } }`},
	{"pointer from a function", "k.cl", `__global int *pick(__global int *a, __global int *b, int c) { if (c) return a; return b; }
		__kernel void k(__global int *a, __global int *b, int c) { pick(a, b, c)[get_global_id(0) / 2] = get_global_id(0); }`},
	{"pointer in a structure", "k.cl", `struct s { __global int *p; int n; };
		__kernel void k(__global int *a) { struct s x; x.p = a; x.n = 1; struct s y; y = x; y.p[0] = get_global_id(0); }`},
	{"lane by a computed pointer", "k.cl", `__kernel void k(__local int *a) { int4 v = (int4)(0, 1, 2, 2); int *p = (int *)&v; a[p[get_local_id(0) & 3]] = get_local_id(0); }`},
	{"part of a place", "k.cl", `struct s { int x; int y; }; __kernel void k(__local int *a) { struct s v; int *p = &v.x; int *q = &v.y; *p = 1; *q = 2; a[*p] = get_local_id(0); }`},
	{"null on one way", "k.cl", `__kernel void k(__global int *a, int c) { __global int *p = 0; if (c != 7) p = a; p[get_global_id(0)] = 1; }`},
	{"same array twice", "k.cl", `__kernel void k(__global int *a, int c) { __global int *p = a; if (c) p = a + 1; p[get_global_id(0)] = get_global_id(0); a[get_global_id(0)] = 3; }`},
	{"log", "k.cl", `__kernel void k(__local int *a) { a[get_local_id(0)] = 1; __assert(!__write(a)); }`},
	{"log on one way", "k.cl", `__kernel void k(__local int *a, int c) { a[get_local_id(0)] = 1; if (c > 2) { __assert(__no_write(a)); } }`},
	{"log behind a loop", "k.cl", `__kernel void k(__local int *a) { for (int i = 0; i < 4; i++) a[get_local_id(0) + 64 * i] = 1; __assert(__implies(__write(a), __write_offset_bytes(a) / 4 < 64)); }`},
	{"contract with a body", "k.cl", `void g(__local int *a) { __ensures(__write_implies(a, 0)); a[0] = 1; a[get_local_id(0)] = 2; }
		__kernel void k(__local int *a) { g(a); }`},
	{"precondition of a call", "k.cl", `void g(__local int *a) { __requires(__no_write(a)); a[get_local_id(0)] = 2; }
		__kernel void k(__local int *a) { a[get_local_id(0)] = 1; g(a); }`},
	{"constant array", "k.cl", `__constant int c[4] = {0, 2, 4, 4}; __kernel void k(__global int *a) { a[c[get_global_id(0) % 4]] = get_global_id(0); }`},
	{"end of a progression", "k.cl", `__constant int c[4] = {0, 1, 2, 4}; __kernel void k(__global int *a) { __assert(c[get_local_id(0) & 3] < 4); }`},
	{"precondition too weak", "k.cl", `__kernel void k(__global int *a, int n) { __requires(n >= 0); if (get_local_id(0) < 8) a[get_local_id(0) * n] = get_local_id(0); }`},
	{"precondition that wraps", "k.cl", `__kernel void k(__global int *a, uint n) { __requires(n + 1 > 0); a[get_local_id(0)] = 1; __assert(n < 1000); }`},
	{"local fence for global memory", "k.cl", `__kernel void k(__global int *a) { a[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); int x = a[get_local_id(0) + 1]; }`},
	{"barrier under a condition of the group", "k.cl", `__kernel void k(__local int *s) { if (s[0]) barrier(CLK_LOCAL_MEM_FENCE); s[get_local_id(0)] = 1; }`},
	{"barrier in a loop of unequal rounds", "k.cl", `__kernel void k(__local int *s) { for (int i = 0; i < get_local_id(0) + 1; i++) barrier(CLK_LOCAL_MEM_FENCE); }`},
	{"return before a barrier", "k.cl", `__kernel void k(__local int *s, int n) { if (get_local_id(0) >= n) return; barrier(CLK_LOCAL_MEM_FENCE); }`},
	{"break before a barrier", "k.cl", `__kernel void k(__local int *s) { for (int i = 0; i < 9; i++) { if (s[i] == 3) break; barrier(CLK_LOCAL_MEM_FENCE); } }`},
	{"barrier missing in a reduction", "k.cl", `__kernel void k(__local int *s) { for (int d = 1; d < 8; d *= 2) { if (get_local_id(0) % (2 * d) == 0) s[get_local_id(0)] += s[get_local_id(0) + d]; } }`},
	{"stride one too small", "k.cl", `__kernel void k(__global int *a) { for (int i = 0; i < 8; i++) a[get_global_id(0) * 7 + i] = i; }`},
	{"index that wraps", "k.cl", `__kernel void k(__global int *a) { uchar i = 2 * get_global_id(0); a[i] = get_global_id(0); }`},
	{"atomic and plain", "k.cl", `__kernel void k(__global int *a) { atomic_inc(&a[0]); if (get_global_id(0) == 5) a[0] = 0; }`},
	{"result of an atomic operation", "k.cl", `__kernel void k(__global int *a, __global int *n) { int i = atomic_add(n, 1); a[i / 2] = get_global_id(0); }`},
	{"lane of a vector", "k.cl", `__kernel void k(__global int4 *v) { v[get_global_id(0) / 2].x = get_global_id(0); }`},
	{"lane by its address", "k.cl", `__kernel void k(__global int4 *v) { __global int *p = (__global int *)v; p[get_global_id(0) * 3] = get_global_id(0); v[get_global_id(0)].y = 1; }`},
	{"value read before", "k.cl", `__kernel void k(__global int *a) { int x = a[get_global_id(0)]; a[x] = get_global_id(0); }`},
	{"order of atomic operations", "k.cu", `#include <assert.h>
		__global__ void k(int *a) { if (threadIdx.x == 0) atomicAdd(a, 1); else atomicAnd(a, 0); }
		int main() { int *d; int h = 0; cudaMalloc((void **)&d, 4); cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
		k<<<1, 2>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); assert(h == 0); return 0; }`},
	{"order of a warp", "k.cu", `__global__ void k(int *a) { __shared__ int s[64]; s[threadIdx.x] = threadIdx.x; __syncwarp(); a[threadIdx.x] = s[(threadIdx.x + 33) % 64]; }`},
	{"value of another lane", "k.cu", `__global__ void k(int *a) { int i = __shfl_down_sync(0xffffffff, (int)threadIdx.x, 1); a[i] = threadIdx.x; }`},
	{"vote of a warp", "k.cu", `__global__ void k(int *a) { if (__any_sync(0xffffffff, a[0] > 1)) __syncthreads(); }`},
	{"sum of a subgroup", "k.cl", `__kernel void k(__global int *a) { a[sub_group_reduce_add((int)get_local_id(0))] = get_local_id(0); }`},
	{"cast of C++", "k.cu", `__global__ void k(int *a) { a[static_cast<unsigned char>(threadIdx.x * 2)] = threadIdx.x; }`},
	{"cast of C++ of a pointer", "k.cu", `__global__ void k(int *a) { reinterpret_cast<unsigned int *>(a)[threadIdx.x / 2] = threadIdx.x; }`},
	{"read by __ldg", "k.cu", `__global__ void k(int *a) { a[threadIdx.x] = __ldg(&a[threadIdx.x + 1]); }`},
	{"race between two groups of a launch", "k.cu", `__global__ void k(int *a) { a[threadIdx.x] = blockIdx.x; }
		int main() { int *d; cudaMalloc((void **)&d, 64); k<<<2, 4>>>(d); return 0; }`},
	{"not enough groups", "k.cl", `__kernel void k(__global int *a, int n) { int i = get_global_id(0); if (i < n) a[(i + 1) % n] = a[i]; }`},
	{"switch that falls through", "k.cl", `__kernel void k(__local int *s) { switch (get_local_id(0) & 3) { case 0: s[0] = 1; case 1: s[1] = get_local_id(0); break; default: s[get_local_id(0)] = 2; } }`},
	{"extern arrays of the group", "k.cl", `extern __local int x[]; extern __local int y[]; __kernel void k(void) { x[get_local_id(0)] = 1; y[get_local_id(0) / 2] = get_local_id(0); }`},
	{"array of the group in a function", "k.cl", `void f(int i, int x) { __local int z[65]; z[i] = x; } __kernel void k(void) { int t = get_local_id(0); f(t, t); f(t + 1, t); }`},
	{"static variable of a function", "k.cl", `void f(int x) { static int n; n = x; } __kernel void k(void) { f(get_local_id(0)); }`},
	{"static variable of a thread", "k.cu", `#include <assert.h>
		__global__ void k(int *a) { static int n; n = threadIdx.x; a[threadIdx.x] = n; }
		int main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); return 0; }`},
	{"no fixed order", "k.cl", `__kernel void k(__local int *s) { int i = get_local_id(0); s[i] = i = i / 2; }`},
	{"no fixed order of arguments", "k.cl", `void f(__local int *s, int i, int x) { s[i] = x; } __kernel void k(__local int *s) { int i = get_local_id(0); f(s, i, i = i / 2); }`},
	{"defined elsewhere", "k.cu", `#include <assert.h>
		extern __device__ int n;
		__global__ void k(int *a) { if (n) a[0] = threadIdx.x; else a[threadIdx.x] = 1; }
		int main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); return 0; }`},
	{"places of a vector of three", "k.cu", `//--blockDim=64 --gridDim=4
		__global__ void k(float3 *v) { int t = blockIdx.x * blockDim.x + threadIdx.x; float *p = (float *)v; v[t].x = 1.0f; p[4 * t] = t; }`},
	{"vector of three in a structure", "k.cu", `//--blockDim=64 --gridDim=4
		struct s { int3 v; int n; };
		__global__ void k(struct s *v) { int t = blockIdx.x * blockDim.x + threadIdx.x; int *p = (int *)v; v[t].n = 1; p[5 * t + 4] = t; }`},
	{"size of a vector of three", "k.cu", `//--blockDim=64 --gridDim=4
		__global__ void k(int3 *v) { assert(sizeof(int3) == 16); v[blockIdx.x * blockDim.x + threadIdx.x].x = 1; }`},
	{"filled by two threads", "k.cu", `__global__ void k(int *a) { memset(a + threadIdx.x, 0, 8); a[threadIdx.x] = threadIdx.x; }
		int main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); return 0; }`},
	{"copied by two threads", "k.cu", `__global__ void k(int *a) { int x[2]; x[0] = threadIdx.x; x[1] = 7; memcpy(a + threadIdx.x, x, 8); }
		int main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); return 0; }`},
	{"all come here or none", "k.cl", `__kernel void k(__global int *s) { if (s[0] == 3) { __assert(!__uniform_bool(__enabled())); } }`},
	{"if all come here", "k.cl", `__kernel void k(__global int *s) { if (s[0] == 3) { __assert(__implies(__uniform_bool(__enabled()), get_local_id(0) < 3)); } }`},
	{"assumed that not all come here", "k.cl", `__kernel void k(__global int *a, __global int *s) { if (s[get_local_id(0)] == 3) { __assume(!__uniform_bool(__enabled())); a[0] = get_local_id(0); } }`},
	{"invariant if all come here", "k.cl", `__kernel void k(__global int *s) { int i = 0; while (__invariant(__implies(__uniform_bool(__enabled()), i < 3)), i < s[0]) { i++; } }`},
	{"division behind a loop that cannot end at once", "k.cl", `struct S { int x; int y[2]; int z; };
		__kernel void k(__global struct S *o) { int i = get_global_id(0); for (int z = 0; z < 2; z++) { o[i].x = 1; } o[i].y[0] = 2; o[i / 2].y[i & 1] = 3; }`},
	{"pointer in a structure that is a parameter", "k.cu", `//--blockDim=64 --gridDim=2
		struct S { int *p; int n; };
		__global__ void k(struct S s) { s.p[threadIdx.x / 2 + s.n] = threadIdx.x; }`},
	{"calls without arguments", "k.cu", `__global__ void k(int *a) { a[0] = threadIdx.x; }
		int main() { int *d; cudaMalloc((void **)&d, 64); free(); k<<<1, 2>>>(d); return 0; }`},
	{"atomic within a group", "k.cu", `__global__ void k(int *a) { atomicAdd_block(a, 1); }`},
	{"read of a function without body", "k.cl", `int g(const __global int *a, int i); __kernel void k(__global int *a) { int t = get_local_id(0); int x = g(a, t); a[t] = x; }`},
	{"write of a function without body", "k.cl", `struct S { __global int *p; }; int g(struct S s); __kernel void k(__global int *a) { struct S s; s.p = a; int x = g(s); }`},
	{"contract that nothing satisfies", "k.cl", `void g(__global int *a) { __writes_to(a); __ensures(false); } __kernel void k(__global int *a) { g(a); a[0] = get_local_id(0); }`},
	{"jump over a barrier", "k.cl", `__kernel void k(__local int *s) { if (get_local_id(0) == 0) goto l; barrier(CLK_LOCAL_MEM_FENCE); l: s[get_local_id(0)] = 1; }`},
}

// TestFaultyKernels: none of them is safe. The short form takes every third,
// GRADINE_SWEEP=1 all.
func TestFaultyKernels(t *testing.T) {
	step := 3
	if os.Getenv("GRADINE_SWEEP") != "" {
		step = 1
	}
	for i := 0; i < len(faulty); i += step {
		f := faulty[i]
		src := f.src
		if f.file == "k.cl" {
			src = "//--local_size=64 --num_groups=4\n" + src
		}
		for _, r := range gpu.File(context.Background(), f.file, []byte(src), gpu.Options{}) {
			if r.Verdict == gpu.Safe {
				t.Errorf("%s is safe", f.name)
			}
			if strings.Contains(r.Why, "defect of gradine") {
				t.Errorf("%s: %s", f.name, r.Why)
			}
			t.Logf("%s: %s %s", f.name, r.Verdict, r.Why)
		}
	}
}

// TestNothingToCheck: a program of which nothing is checked is not safe, also if its kernel, which touches no array, is.
func TestNothingToCheck(t *testing.T) {
	const src = `__global__ void k(int *a, int *b) { b = a + threadIdx.x; }
		int main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d, d); return 0; }`
	if verdict, why := worst(gpu.File(context.Background(), "k.cu", []byte(src), gpu.Options{})); verdict != gpu.Open || !strings.Contains(why, "nothing to check") {
		t.Errorf("%s:%s", verdict, why)
	}
}

// vacuous is what is assumed where a verdict rests on what never happens.
var vacuous = regexp.MustCompile("never terminates|no two threads|no launch satisfies")

// TestVacuous: a verdict that rests on what never happens says so.
func TestVacuous(t *testing.T) {
	for _, c := range []struct {
		name, body string
		verdict    gpu.Verdict
		want       string
	}{
		{"preconditions", "__requires(n > 3); __requires(n < 2); a[0] = get_global_id(0);", gpu.Open, "no launch satisfies the preconditions"},
		{"sizes that are required and assumed", "__requires(n > 3); __requires(n < 2); __assume(n != 7); a[0] = get_global_id(0);", gpu.Open, "no launch satisfies the preconditions"},
		{"assumptions against each other", "__assume(n > 3); __assume(n < 3); a[0] = get_local_id(0);", gpu.Safe, "no launch satisfies the assumptions (__assume, __axiom)"},
		{"assumption", "__requires(n > 3); __assume(false); a[0] = get_global_id(0);", gpu.Safe, "no launch satisfies the assumptions (__assume, __axiom)"},
		{"assumption against a requirement", "__requires(n > 3); __assume(n < 2); a[0] = get_global_id(0);", gpu.Safe, "no launch satisfies the assumptions (__assume, __axiom)"},
		{"loop", "int i = 0; while (i < 5) { i = 3; } a[0] = get_global_id(0);", gpu.Safe, "never terminates"},
		{"loop before a barrier", "int i = 0; while (i < 5) { i = 3; } barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = n;", gpu.Open, "never terminates"},
		{"loop without end", "while (n == n) { } a[0] = get_global_id(0);", gpu.Safe, "never terminates"},
		{"loop of a barrier", "while (1) { barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = n; }", gpu.Safe, "never terminates"},
		{"loop past a barrier", "while (1) { if (get_local_id(0) == 1) barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = n; }", gpu.Open, "never terminates"},
		{"loop without end for some", "if (get_local_id(0) == 1) while (1) { } barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = n;", gpu.Open, "never terminates"},
		{"loop with the same condition in all rounds", "while (get_local_id(0) == 1) { a[get_global_id(0)] = n; } barrier(CLK_GLOBAL_MEM_FENCE);", gpu.Open, "never terminates"},
		{"loop of a jump", "int i = 0; if (get_local_id(0) == 0) { again: i++; goto again; } barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = i;", gpu.Open, "never terminates"},
		{"loop of a jump for some arguments", "if (get_local_id(0) == 0) { again: if (n > 3) goto again; } barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = n;", gpu.Open, "never terminates"},
		{"loop from the first line on", "again: if (n > 3) goto again; barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = n;", gpu.Open, "never terminates"},
		{"loop entered in two places", "int i = 0; if (get_local_id(0) == 0) { if (n > 3) goto mid; again: i++; mid: i += 2; goto again; } barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = i;", gpu.Open, "never terminates"},
		{"loop that values keep", "int i = 2; if (get_local_id(0) == 0) { do { i = i / 2 - i / 2; } while (i == 0); } barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] = i;", gpu.Open, "never terminates"},
		{"loop that is entered in its second copy", "int w = 2; while (1) { w /= 4; if (n > 3) a[get_global_id(0)] = w; if (get_local_id(0) > 70) barrier(CLK_GLOBAL_MEM_FENCE); }", gpu.Open, "never terminates"},
		{"loop of one thread with copies", "int w = 2; if (get_local_id(0) == 0) while (1) { w /= 4; if (n > 3) a[get_group_id(0)] = w; } barrier(CLK_GLOBAL_MEM_FENCE);", gpu.Open, "never terminates"},
		{"loop that a toggle keeps", "int w = 1; if (get_group_id(0) == 0) while (w) { w = 3 - w; a[get_global_id(0)] = w; } barrier(CLK_GLOBAL_MEM_FENCE);", gpu.Open, "never terminates"},
		{"loop with two such conditions", "while (n > 3) { if (get_local_id(0) == 1) break; a[get_global_id(0)] = n; } barrier(CLK_GLOBAL_MEM_FENCE);", gpu.Open, "never terminates"},
		{"loop with one round", "do { a[get_global_id(0)] = n; } while (0); barrier(CLK_GLOBAL_MEM_FENCE);", gpu.Safe, ""},
		{"loop that is left at once", "while (n > 3) { a[get_global_id(0)] = n; break; } barrier(CLK_GLOBAL_MEM_FENCE);", gpu.Safe, ""},
		{"one thread of a group", "__requires(get_local_id(0) == 3); a[0] = n; a[get_group_id(0) + 1] = get_local_id(0);", gpu.Safe, "no two threads of a group satisfy"},
		{"one thread of those that are assumed", "__assume(get_local_id(0) <= 0); a[get_group_id(0)] = get_local_id(0) + n;", gpu.Safe, "no two threads of a group satisfy"},
		{"one group", "__requires(get_group_id(0) == 1); a[get_local_id(0)] = n;", gpu.Safe, "no two threads of different groups satisfy"},
		{"two threads of a group", "__requires(get_local_id(0) < 2); a[get_global_id(0)] = n;", gpu.Safe, ""},
		{"one way", "__requires(n > 0); if (get_local_id(0) == 0) a[get_group_id(0)] = get_local_id(0);", gpu.Safe, ""},
		{"a way that a parameter opens", "__requires(n > 1); if (n > 4) a[get_global_id(0)] = n;", gpu.Safe, ""},
		{"neither", "for (int i = 0; i < n; i++) a[get_global_id(0)] = i;", gpu.Safe, ""},
	} {
		src := "//--local_size=64 --num_groups=4\n__kernel void k(__global int *a, int n) { " + c.body + " }"
		r := gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{})[0]
		assumed := strings.Join(r.Assumed, "; ")
		if r.Verdict != c.verdict || c.want != "" && !strings.Contains(assumed, c.want) || c.want == "" && vacuous.MatchString(assumed) {
			t.Errorf("%s: %s, assumed: %s", c.name, r.Verdict, assumed)
		}
	}
}

// TestConversions: values that C converts without a word make ways to a fault. Each kernel
// races, or fails its assertion, on such a way alone.
func TestConversions(t *testing.T) {
	for _, c := range []struct{ name, file, src string }{
		{"case of a uint", "k.cl", "__kernel void k(__global int *a, uint n) { switch (n) { case -1: a[0] = get_local_id(0); break; default: break; } }"},
		{"constant that wraps", "k.cl", "__constant long top = 4294967295u + 1u;\n__kernel void k(__global int *a) { if (top == 0) a[0] = get_local_id(0); }"},
		{"constant that is compared", "k.cl", "__constant int less = -1 < 1u;\n__kernel void k(__global int *a) { if (!less) a[0] = get_local_id(0); }"},
		{"fraction as a truth value", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 0; }\nint main() { int *d; cudaMalloc((void**)&d, 8); k<<<1, 2>>>(d); bool b = 0.5f; assert(!b); }"},
		{"case of an unsigned host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 0; }\nint main() { int *d; cudaMalloc((void**)&d, 8); k<<<1, 2>>>(d); unsigned n = 0xffffffff; switch (n) { case -1: assert(0); } }"},
	} {
		found := false
		for _, r := range gpu.File(context.Background(), c.file, []byte(c.src), gpu.Options{}) {
			found = found || r.Verdict == gpu.Unsafe
		}
		if !found {
			t.Errorf("%s: the fault is not found", c.name)
		}
	}
}

// TestCutOff: a kernel whose search is cut off is open, and says why.
func TestCutOff(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("it took too long"))
	src := "__kernel void k(__global int *a, int n) { for (int i = 0; i < n; i++) a[get_global_id(0)] = i; }"
	for _, options := range []string{"", "//--local_size=8 --num_groups=1\n"} {
		for _, r := range gpu.File(ctx, "k.cl", []byte(options+src), gpu.Options{}) {
			if r.Verdict != gpu.Open || !strings.Contains(r.Why, "stopped early: it took too long") {
				t.Errorf("%s: %s", r.Verdict, r.Why)
			}
		}
	}
}

// late is cancelled once it has been asked whether it is.
type late struct {
	context.Context
	cancel context.CancelCauseFunc
	asked  bool
}

func (l *late) Err() error {
	if !l.asked {
		l.asked = true
		l.cancel(errors.New("it took too long"))
		return nil
	}
	return l.Context.Err()
}

// TestCutOffAdvice: nothing is advised by a search that is cut off.
func TestCutOffAdvice(t *testing.T) {
	src := "//--local_size=8 --num_groups=1\n__kernel void k(__local int *a, int n) { a[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE); a[get_local_id(0) + 1] = 2; }"
	for name, advise := range map[string]func(context.Context, gpu.Source, gpu.Options) []gpu.Advice{"conditions": gpu.Conditions, "barriers": gpu.Barriers} {
		ctx, cancel := context.WithCancelCause(t.Context())
		for _, a := range advise(&late{Context: ctx, cancel: cancel}, gpu.Source{Name: "k.cl", Text: []byte(src)}, gpu.Options{}) {
			if a.What != "not found" || a.Verdict != gpu.Open || a.Text != "the search stopped early: it took too long" {
				t.Errorf("%s: %s, %s: %s", name, a.What, a.Verdict, a.Text)
			}
		}
	}
}

// TestUndecidedProgram: kernels of a program whose run does not decide are reported if they are safe for all
// launches, in addition to the program, which stays open.
func TestUndecidedProgram(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"a[blockIdx.x * blockDim.x + threadIdx.x] = 1;", "main open, k safe"},
		{"a[0] = threadIdx.x;", "main possible"},
		{"if (n < 7) a[0] = threadIdx.x;", "main open, k unsafe"}, // its launch is open, and its own verdict is never left out
	} {
		src := "#include <cuda.h>\n#include <stdlib.h>\n__global__ void k(int *a, int n) { " + c.body + ` }
int main(int argc, char **argv) { int *d; cudaMalloc((void**)&d, 200000 * sizeof(int)); k<<<200, 256>>>(d, 7); return 0; }`
		var got []string
		one := [3]int64{0, 1, 1}
		for _, r := range gpu.File(t.Context(), "k.cu", []byte(src), gpu.Options{Launch: encode.Options{Local: one, Groups: one}}) {
			got = append(got, r.Kernel+" "+string(r.Verdict))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s; want %s", c.body, strings.Join(got, ", "), c.want)
		}
	}
}
