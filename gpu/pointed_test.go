package gpu_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// TestPointedCalls: calls through pointers, and copies between arrays that a condition chooses. Each correct kernel is next to
// ones with a fault, which are never safe. It takes some of them, or with GRADINE_SWEEP all.
func TestPointedCalls(t *testing.T) {
	step := corpus.Effort(0, 5, 1)
	if step == 0 {
		t.Skip("kernels with pointers to functions are compiled in the long form of the tests")
	}
	const head = `//--blockDim=64 --gridDim=2
#include <new>
typedef int (*Made)(int);
typedef void (*Put)(int *, int, int);
typedef int *(*Place)(int *, int);
__device__ int twice(int x) { return 2 * x; }
__device__ int twiceAndOne(int x) { return 2 * x + 1; }
__device__ int half(int x) { return x / 2; }
__device__ int constant(int) { return 5; }
__device__ void at(int *a, int i, int v) { a[i] = v; }
__device__ void behind(int *a, int i, int v) { a[i + 1] = v; }
__device__ void meets(int *a, int i, int v) { __syncthreads(); a[i] = v; }
__device__ int *own(int *a, int i) { return a + i; }
__device__ int *other(int *a, int i) { return a + (i ^ 1); }
struct Big { int x[4]; };
struct View { int *data; int top; };
`
	const begin = " int i = blockIdx.x * blockDim.x + threadIdx.x; "
	for k, c := range []struct {
		name, before, body string
		want               gpu.Verdict // "": anything but safe
	}{
		{"one target", "__device__ Put f = at;", "f(a, i, 1);", gpu.Safe},
		{"chosen target", "", "Made f = n > 3 ? twice : twiceAndOne; a[2 * i + (f(i) & 1)] = 1;", gpu.Safe},
		{"one place of each thread", "", "Place f = n > 3 ? own : own; *f(a, i) = 1;", gpu.Safe},
		{"from memory of the launch", "__device__ Put f = at;", "p[0](a, i, 1);", gpu.Safe},
		{"one of two races", "__device__ Put table[2] = {at, behind};", "table[n & 1](a, i, 1); int x = a[i + 1]; b[i] = x;", ""},
		{"one of two places", "", "Place f = n > 3 ? own : other; *f(a, i) = i; b[i] = a[i];", ""},
		{"half of an id", "", "Made f = n > 3 ? twice : half; a[f(i)] = i;", ""},
		{"a constant place", "__device__ Made f = constant;", "a[f(i)] = i;", ""},
		{"not the one that is named here", "__device__ Made g = half;", "Made f = m; a[f(i)] = i;", ""},
		{"a target in another kernel", "__global__ void other(Made *to) { *to = half; }", "Made f = m; a[f(i)] = i;", ""},
		{"a target in a method", "struct Op { int (*f)(int); }; __device__ Op op = {half};", "a[op.f(i)] = i;", ""},
		{"virtual", "struct B { __device__ virtual int f(int x) const { return x; } }; struct D : B { __device__ int f(int x) const override { return x / 2; } };", "D d; const B &r = d; a[r.f(i)] = i;", ""},
		{"one target without a body", "extern __device__ void there(int *a, int i, int v); __device__ Put f = at; __device__ Put g = there;", "f(a, i, 1);", ""},
		{"a barrier behind a pointer", "__device__ Put f = meets;", "if (threadIdx.x < 7) f(a, i, 1);", ""},
		{"value of the last one", "", "Made f = twice; if (n) f = constant; b[i] = f(1); a[b[i]] = i;", ""},

		{"object in shared memory", "", "__shared__ View v; __shared__ int room[64]; if (threadIdx.x == 0) { v.data = room; v.top = 0; } __syncthreads(); v.data[threadIdx.x] = i; __syncthreads(); a[i] = v.data[63 - threadIdx.x];", gpu.Safe},
		{"object in bytes of shared memory", "struct V { int *data; int top; __device__ V(int *d) : data(d), top(0) {} __device__ virtual void put(int k, int v) { data[k] = v; } };", "__shared__ __align__(8) unsigned char room[sizeof(V)]; __shared__ int s[64]; __shared__ V *v; if (threadIdx.x == 0) v = new (room) V(s); __syncthreads(); v->put(threadIdx.x, i); __syncthreads(); a[i] = s[63 - threadIdx.x];", gpu.Safe},
		{"object in shared memory, neighbour", "", "__shared__ View v; __shared__ int room[64]; if (threadIdx.x == 0) { v.data = room; v.top = 0; } __syncthreads(); v.data[threadIdx.x / 2] = i;", ""},
		{"null in shared memory", "", "__shared__ int *s, room[64]; if (threadIdx.x == 0) { if (n > 3) s = room; else s = nullptr; } __syncthreads(); if (!s) a[0] = i;", ""},
		{"access through null", "", "__shared__ int *s; if (threadIdx.x == 0) { s = a; if (n > 3) s = nullptr; } __syncthreads(); s[i] = i;", ""},
		{"number over a pointer", "union U { int *p; long long n; };", "__shared__ U u; if (threadIdx.x == 0) { u.p = a; u.n += 4 * n; } __syncthreads(); u.p[i] = 1; b[i] = a[i];", ""},
		{"half of a pointer", "union U { int *p; int h[2]; };", "__shared__ U u; if (threadIdx.x == 0) { u.p = a; u.h[0] = n; } __syncthreads(); u.p[i] = 1; b[i] = a[i];", ""},
		{"atomic over a pointer", "union U { int *p; unsigned long long n; };", "__shared__ U u; if (threadIdx.x == 0) u.p = a; __syncthreads(); atomicAdd(&u.n, 4ull); __syncthreads(); u.p[i] = 1; b[i] = a[i];", ""},
		{"second pointer of an object", "struct W { int *p, *q; };", "__shared__ W w; if (threadIdx.x == 0) { w.p = a; w.q = b; } __syncthreads(); w.q[i ^ 1] = i; w.p[i] = b[i];", ""},
		{"pointers by an index", "", "__shared__ int *s[2]; if (threadIdx.x == 0) { s[0] = a; s[1] = b; } __syncthreads(); s[n & 1][i] = 1; b[i] = s[0][i ^ 1];", ""},
		{"bytes over a pointer", "", "__shared__ View v; if (threadIdx.x == 0) { v.data = a; ((char *)&v)[n & 15] = 1; } __syncthreads(); v.data[i] = 1; b[i] = a[i];", ""},
		{"copy over a pointer", "", "__shared__ View v, w; if (threadIdx.x == 0) { w.data = b; v.data = a; memcpy(&v, &w, sizeof v); } __syncthreads(); v.data[i] = 1; c[i] = b[i ^ 1];", ""},
		{"pointer of the launch beside a number", "__device__ View v;", "v.top = 5; v.data[i] = i;", gpu.Safe},
		{"pointer of the launch beside a number, neighbour", "__device__ View v;", "v.top = 5; v.data[i / 2] = i;", ""},
		{"pointer of the launch that is set", "__device__ View v;", "if (n) v.data = a; v.data[i] = i; b[i] = a[i ^ 1];", ""},

		{"copy to either", "", "Big v = {{i, 1, 2, 3}}; Big *to = n > 3 ? (Big *)a : (Big *)b; to[i] = v;", gpu.Safe},
		{"copy from either", "", "const Big *from = n > 3 ? (Big *)a : (Big *)b; ((Big *)c)[i] = from[i];", gpu.Safe},
		{"copy between any", "", "Big *from = n > 3 ? (Big *)a : (Big *)b; Big *to = n > 5 ? (Big *)c : (Big *)b; to[i] = from[i];", gpu.Safe},
		{"copy of the same variable", "", "Big v = {{1, 2, 3, 4}}, w = v; Big *to = n > 3 ? &v : &w; *to = Big{{i, i, i, i}}; a[i] = v.x[0] + w.x[1];", gpu.Safe},
		{"copy to a neighbour of one", "", "Big v = {{i, 1, 2, 3}}; Big *to = n > 3 ? (Big *)a : (Big *)b; to[i] = v; b[4 * (i ^ 1)] = 2;", ""},
		{"copy from a neighbour", "", "Big *from = n > 3 ? (Big *)a : (Big *)b; ((Big *)a)[i] = from[i ^ 1];", ""},
		{"copy of half", "", "Big *to = n > 3 ? (Big *)a : (Big *)b; to[i / 2] = Big{{i, i, i, i}};", ""},
		{"copy that sets an index", "", "Big v = {{i, i, i, i}}, w = v; Big *to = n > 3 ? &v : &w; *to = Big{{0, 0, 0, 0}}; a[v.x[2]] = i;", ""},
		{"set in either", "", "Big *to = n > 3 ? (Big *)a : (Big *)b; memset(to + i, 0, sizeof(Big));", gpu.Safe},
		{"set in either, too much", "", "Big *to = n > 3 ? (Big *)a : (Big *)b; memset(to + i, 0, sizeof(Big) + 4);", ""},
		{"long copy to either", "", "int *to = n > 3 ? a : b; memcpy(to + 400 * i, c + 400 * i, 1600);", gpu.Safe},
		{"long copy that overlaps", "", "int *to = n > 3 ? a : b; memcpy(to + 399 * i, c + 400 * i, 1600);", ""},
	} {
		if k%step != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			judged(t, head+c.before+"\n__global__ void k(int *a, int *b, int *c, int n, Put *p, Made m) {"+begin+c.body+"}\n", c.want)
		})
	}
}

// judged compares the verdict of kernel k of a CUDA source, as clang compiles it, with want: "" is anything but safe.
func judged(t *testing.T, src string, want gpu.Verdict) {
	t.Helper()
	ir, opts := compiledText(t, compiler(t), "k.cu", src)
	for _, r := range gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts}) {
		if r.Kernel != "k" {
			continue
		}
		if r.Verdict == gpu.Safe && want == "" || want != "" && r.Verdict != want {
			t.Errorf("%s %s; want %s", r.Verdict, fmt.Sprint(r.Why, failing(r)), want)
		}
		t.Log(r.Verdict, r.Why, failing(r))
		return
	}
	t.Error("no verdict")
}

// TestAllocated: memory that a kernel allocates, of one thread or of a group. Each correct kernel is next to ones with a fault,
// which are never safe. It takes some of them, or with GRADINE_SWEEP all.
func TestAllocated(t *testing.T) {
	step := corpus.Effort(0, 5, 1)
	if step == 0 {
		t.Skip("kernels that allocate are compiled in the long form of the tests")
	}
	const shared = "__shared__ int *s; if (threadIdx.x == 0) s = new int[64]; __syncthreads(); "
	for k, c := range []struct {
		name, body string
		want       gpu.Verdict // "": anything but safe
	}{
		{"of a thread", "int *p = (int *)malloc(16); if (!p) return; for (int k = 0; k < 4; k++) p[k] = k; a[i] = p[n & 3]; free(p);", gpu.Safe},
		{"an array and an object", "int *p = new int[4]; One *o = new One(i); p[0] = o->x; a[i] = p[0]; delete[] p; delete o;", gpu.Safe},
		{"of a group", shared + "s[threadIdx.x] = i; __syncthreads(); a[i] = s[63 - threadIdx.x]; __syncthreads(); if (threadIdx.x == 0) delete[] s;", gpu.Safe},
		{"a value of another round", "int *p[2]; for (int k = 0; k < 2; k++) { p[k] = new int; *p[k] = k; } a[*p[0] ? i : 0] = i;", ""},
		{"one place of each round", "int *p[2]; for (int k = 0; k < 2; k++) p[k] = new int; if (p[0] != p[1]) a[0] = i;", ""},
		{"null or not", "int *p = new int; if (!p) a[0] = i; delete p;", ""},
		{"null after all", "int *p = (int *)malloc(4); if (p) a[0] = i; free(p);", ""},
		{"unknown contents", "int *p = new int[2]; a[p[1]] = i;", ""},
		{"without a barrier", shared + "s[threadIdx.x] = i; a[i] = s[63 - threadIdx.x];", ""},
		{"one cell of a group", shared + "s[threadIdx.x / 2] = i;", ""},
		{"freed too early", shared + "s[threadIdx.x] = i; __syncthreads(); a[i] = s[63 - threadIdx.x]; if (threadIdx.x == 0) delete[] s;", ""},
		{"freed by all", shared + "s[threadIdx.x] = i; __syncthreads(); delete[] s;", ""},
		{"address before the barrier", "__shared__ int *s; if (threadIdx.x == 0) s = new int[64]; s[threadIdx.x] = i;", ""},
		{"address in the grid", "b[i] = new int[64]; __syncthreads(); b[i ^ 1][0] = i; b[i][0] = 1;", ""},
		{"address as a number", "__shared__ long long s; if (threadIdx.x == 0) s = (long long)new int; __syncthreads(); *(int *)s = i;", ""},
		{"address exchanged", "__shared__ unsigned long long s; atomicExch(&s, (unsigned long long)new int); __syncthreads(); *(int *)s = i;", ""},
		{"address inside", "__shared__ int **s; if (threadIdx.x == 0) { s = new int *[1]; *s = new int; } __syncthreads(); **s = i;", ""},
		{"memory of the launch is freed", "if (i == 0) free(a);", ""},
	} {
		if k%step != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			judged(t, "//--blockDim=64 --gridDim=2\n#include <new>\nstruct One { int x; __device__ One(int y) : x(y) {} };\n"+
				"__global__ void k(int *a, int **b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "+c.body+" }\n", c.want)
		})
	}
}
