package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
)

// misread are kernels with a fault each that only shows if the C is read to the letter:
// values of expressions, signs, widths, layouts, names that hide others, declarations that are left out. All were safe once.
var misread = []struct {
	name, file, src string
	checked         bool // bounds and overflow
}{
	{"value of an assignment", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int y = (x = x + 1); if (y == 1) a[0] = t; }`, false},
	{"two parameters that are null", "k.cl", `__kernel void k(__global int *a, __global int *b, __global int *c) { if (a == b) c[0] = get_local_id(0); }`, false},
	{"array that begins where another ends", "k.cl", `__kernel void k(__global int *a, int n) { __local int s[8], u[8]; if (s + 8 == u) a[0] = get_local_id(0); }`, false},
	{"value of a compound assignment", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int y = (x += 1); if (y == 1) a[0] = t; }`, false},
	{"condition that assigns", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; if ((x += 3) == 3) a[0] = t; }`, false},
	{"loop that assigns in its condition", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; while ((x = x + 1) < 3) { } if (x == 3) a[0] = t; }`, false},
	{"character below 0", "k.cl", `__kernel void k(__global int *a) { char c = '\xff'; if ('\xff' < 0) a[0] = get_local_id(0); }`, false},
	{"two characters", "k.cl", `__kernel void k(__global int *a) { if ('ab' != 'a') a[0] = get_local_id(0); }`, false},
	{"number without sign seen as one with", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); uint u = 0x80000000u; int *p = (int*)&u; if (*p < 0) a[0] = t; }`, false},
	{"number with sign written as one without", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); uint u; int *p = (int*)&u; *p = -1; if (u > 5) a[0] = t; }`, false},
	{"cell of a private array seen with another sign", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); char c[2]; c[0] = -1; uchar *p = (uchar*)c; if (p[0] > 5) a[0] = t; }`, false},
	{"padding behind a vector", "k.cl", `struct s { float4 v; float w; }; __kernel void k(__global struct s *v) { int t = get_global_id(0); __global float *p = (__global float *)v; v[t].w = 1; p[8 * t + 12] = t; }`, false},
	{"padding behind a char", "k.cl", `struct s { char c; int n; }; __kernel void k(__global struct s *v) { int t = get_global_id(0); __global char *p = (__global char *)v; v[t].n = 1; p[8 * t + 4] = t; }`, false},
	{"padding before a vector", "k.cl", `struct s { int a; int2 b; int c; }; __kernel void k(__global struct s *v) { int t = get_global_id(0); __global int *p = (__global int *)v; v[t].c = 1; p[6 * ((t+1)%8) + 4] = t; }`, false},
	{"pointer in memory of the group", "k.cl", `__kernel void k(__global int *a) { __global int * __local q; q = a + get_local_id(0); *q = 3; }`, false},
	{"difference without sign", "k.cl", `__kernel void k(__global int *a, int x, int y) { int t = get_local_id(0); if (abs_diff(x, y) / 2 > 1500000000) a[0] = t; }`, false},
	{"absolute value without sign", "k.cl", `__kernel void k(__global int *a, int x) { int t = get_local_id(0); if (abs(x) - 5 > 100 && x == 0) a[0] = t; }`, false},
	{"product of more than 24 bits", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); if (n > 0 && n < 1073741824 && mul24(n, 1) == 0) a[0] = t; }`, false},
	{"enumeration without sign", "k.cl", `enum E {A, B}; __kernel void k(__global int *a) { int t = get_local_id(0); enum E e = A; if (e - 1 > 0) a[0] = t; }`, false},
	{"enumerators of two functions", "k.cl", `int f(void) { enum {Q = 3}; return Q; } int g(void) { enum {Q = 7}; return Q; } __kernel void k(__global int *a) { int t = get_local_id(0); if (f() == 3) a[0] = t; }`, false},
	{"enumerator that hides a variable", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int Q = 1; { enum {Q = 3}; if (Q == 3) a[0] = t; } }`, false},
	{"type that is hidden", "k.cl", `typedef int T; void f(void) { typedef uchar T; T x = 1; } __kernel void k(__global int *a) { int t = get_local_id(0); T x = 300; if (x == 300) a[0] = t; }`, false},
	{"tag that is hidden", "k.cl", `struct S {int x[1]; int y;}; void f(void) { struct S {int x[2]; int y;}; struct S s; s.y = 1; } __kernel void k(__global struct S *a) { int t = get_local_id(0); if (sizeof(struct S) == 8) a[0].x[0] = t; }`, false},
	{"constant that is hidden", "k.cl", `const int N = 4; void f(void) { const int N = 8; int x[N]; x[0] = 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x[N]; if (sizeof(x) == 16) a[0] = t; }`, false},
	{"members initialised by name", "k.cl", `struct S {int x; int y;}; __kernel void k(__global int *a) { int t = get_local_id(0); struct S s = (struct S){.y = 1, .x = 2}; if (s.x == 2) a[0] = t; }`, false},
	{"lanes that are shifted", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); uchar4 v = (uchar4)(1); v = v << (uchar4)(9); if (v.x == 2) a[0] = t; }`, false},
	{"packed structure", "k.cl", `struct __attribute__((packed)) S {char c; int x;}; __kernel void k(__global int *a) { int t = get_local_id(0); if (sizeof(struct S) == 5) a[0] = t; }`, false},
	{"aligned structure", "k.cl", `typedef struct {int x;} __attribute__((aligned(16))) S; __kernel void k(__global int *a) { int t = get_local_id(0); if (sizeof(S) == 16) a[0] = t; }`, false},
	{"vector by attribute", "k.cl", `typedef int V __attribute__((ext_vector_type(4))); __kernel void k(__global int *a) { int t = get_local_id(0); if (sizeof(V) == 16) a[0] = t; }`, false},
	{"overloaded function", "k.cl", `__attribute__((overloadable)) int f(int x) { return 1; } __attribute__((overloadable)) int f(uint x) { return 2; } __kernel void k(__global int *a) { int t = get_local_id(0); if (f(t) == 1) a[0] = t; }`, false},
	{"double and float", "k.cl", `__kernel void k(__global double *a) { int t = get_local_id(0); if (t) a[0] = 0.1; else a[0] = 0.1f; }`, false},
	{"size of a double constant", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); if (sizeof(1.0) == 8) a[0] = t; }`, false},
	{"barrier of one thread", "k.cl", `__kernel void k(__local int *s) { int t = get_local_id(0); s[t] = 1; work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item); s[(t+1)%8] = 2; }`, false},
	{"part of a vector that is copied", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int4 v = (int4)(0); int *p = (int*)&v; int q = 1; memcpy(p + 2, &q, 4); if (v.z == 1) a[0] = t; }`, false},
	{"operand before a call that changes it", "k.cl", `int f(int *p) { *p = 5; return 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int y = x + f(p); if (y == 1) a[0] = t; }`, false},
	{"type by initial value", "k.cu", `__global__ void k(int *a) { int t = threadIdx.x; auto x = 5000000000; if (x > 4000000000) a[0] = t; }`, false},
	{"size of a character", "k.cu", `__global__ void k(int *a, int n) { int t = threadIdx.x; if (sizeof('a') == 1) a[0] = t; }`, false},
	{"time beyond 32 bits", "k.cu", `__global__ void k(int *a, int n) { int t = threadIdx.x; if (clock() > 5000000000) a[0] = t; }`, false},
	{"choice that is assigned", "k.cu", `__global__ void k(int *a, int c) { int t = threadIdx.x; (c ? a[0] : a[1]) = t; }`, false},
	{"assignment that is assigned", "k.cu", `__global__ void k(int *a, int c) { int t = threadIdx.x; ++(c = 3, a[0]) ; int x = 1; (x = 2) = 5; if (x == 5) a[1] = t; }`, false},
	{"reference that is changed", "k.cu", `__device__ void f(int &x) { x = 5; } __global__ void k(int *a) { int x = 0; f(x); if (x == 5) a[0] = threadIdx.x; }`, false},
	{"reference to an element of the group", "k.cu", `__device__ void f(int &x, int v) { x = v; } __global__ void k(int *a) { __shared__ int s[8]; f(s[threadIdx.x / 2], threadIdx.x); }`, false},
	{"reference that is a name for another", "k.cu", `__global__ void k(int *a) { int x = 1; int &r = x; int *p = &r; *p = 7; if (x + r == 14) a[0] = threadIdx.x; }`, false},
	{"reference that a block hides", "k.cu", `__global__ void k(int *a) { int x = 1; int &r = x; { int r = 4; r = 5; } if (r == 1) a[0] = threadIdx.x; }`, false},
	{"reference to a constant that changes", "k.cu", `__global__ void k(int *a) { int x = 1; const int &r = x; x = 3; if (r == 3) a[0] = threadIdx.x; }`, false},
	{"reference to a copy", "k.cu", `__global__ void k(int *a) { int x = 1; const auto &r = x + 1; x = 3; if (r == 2) a[0] = threadIdx.x; }`, false},
	{"read through a reference behind a barrier", "k.cu", `__device__ int f(const int &x) { __syncthreads(); return x; } __global__ void k(int *a) { __shared__ int s[8]; s[threadIdx.x] = 0; int v = f(s[(threadIdx.x + 1) % 8]); s[threadIdx.x] = v; }`, false},
	{"instance for a narrow type", "k.cu", `template <typename T> __device__ T f(T x) { T y = x + x; return y; } __global__ void k(int *a) { unsigned char c = 200; if (f(c) == 144) a[0] = threadIdx.x; }`, false},
	{"instance for a number", "k.cu", `template <int N> __device__ int f(int x) { return x / N; } __global__ void k(int *a) { a[f<2>(threadIdx.x)] = threadIdx.x; }`, false},
	{"instance that a function launches", "k.cu", `template <int N> __global__ void k(int *a) { a[threadIdx.x / N] = threadIdx.x; } void f(int *a) { k<2><<<1, 8>>>(a); }`, false},
	{"form for a bool", "k.cu", `__device__ int f(int x) { return 1; } __device__ int f(bool x) { return 2; } __global__ void k(int *a, int n) { if (f(n < 3) == 2) a[0] = threadIdx.x; }`, false},
	{"auto of a comparison", "k.cu", `__global__ void k(int *a, int n) { auto b = n < 3; b = 5; if (b == 1) a[0] = threadIdx.x; }`, false},
	{"auto of true", "k.cu", `__global__ void k(int *a, int n) { auto b = true; b = 5; if (b == 1 && sizeof(b) == 1) a[0] = threadIdx.x; }`, false},
	{"default of a parameter", "k.cu", `__device__ int f(int x, unsigned char y = 257) { return x + y; } __global__ void k(int *a) { if (f(2) == 3) a[0] = threadIdx.x; }`, false},
	{"cast that looks like a call", "k.cu", `__global__ void k(int *a, int n) { if (n == 300 && int(static_cast<unsigned char>(n)) == 44 && char(n) == 44) a[0] = threadIdx.x; }`, false},
	{"compiled only for other parameters", "k.cu", `template <int N> __device__ int f() { if constexpr (N > 2) return 1; else return 2; } __global__ void k(int *a) { if (f<2>() == 2) a[0] = threadIdx.x; }`, false},
	{"constant that the host overrides", "k.cu", `__constant__ int n = 1; void f(int *m) { cudaMemcpyToSymbol(n, m, 4); } __global__ void k(int *a) { if (n == 2) a[0] = threadIdx.x; }`, false},
	{"array of a structure that is a parameter", "k.cu", `struct V { int *x; int n; }; struct P { struct V v; int *m[2]; }; __global__ void k(struct P p) { int t = threadIdx.x; if (t < p.v.n) p.m[1][t / 2] = p.v.x[t]; }`, false},
	{"arrays of a structure that is copied", "k.cu", `struct V { int *x; int *y; }; __device__ void f(struct V v, int i) { v.x[i] = i; } __global__ void k(struct V p) { int t = threadIdx.x; struct V q; q.x = p.y; q.y = p.x; f(q, t); if (t == 1) p.y[0] = 3; }`, false},
	{"product of 24 bits", "k.cu", `__global__ void k(int *a, int n) { int t = threadIdx.x; if (n > 0 && n < 1073741824 && __mul24(n, 1) == 0) a[0] = t; }`, false},
	{"overloaded function", "k.cu", `__device__ int f(int x) { return 1; } __device__ int f(unsigned x) { return 2; } __global__ void k(int *a) { int t = threadIdx.x; if (f(t) == 1) a[0] = t; }`, false},
	{"pointer that the group shares", "k.cu", `__global__ void k(int *a) { __shared__ int *p; p = a + threadIdx.x; *p = 3; }`, false},
	{"two of several functions", "k.cu", `__device__ void f(int *a, int x) { a[x] = 1; } __device__ void f(int *a, unsigned x) { a[0] = x; } __global__ void k(int *a) { f(a, threadIdx.x); }`, false},
	{"upper half of a product", "k.cu", `__global__ void k(int *a, int n) { int t = threadIdx.x; if (__umulhi(n, n) / 2 > 1500000000) a[0] = t; }`, false},
	{"part of one of several places", "k.cu", `__global__ void k(int *a, int n) { int t = threadIdx.x; int2 v; v.x = 0; v.y = 0; int *p = n ? (int*)&v : a; int *q = &p[1]; if (t == 0) *q = 1; if (t == 1) a[1] = 2; }`, false},
	{"lane beyond a vector", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); int4 v = (int4)(0); int *p = (int*)&v; int i = a[t] & 7; p[i] = 1; }`, true},
	{"element beyond an array in a structure", "k.cl", `struct S {int a[4]; int b;}; __kernel void k(__global int *a, int n) { int t = get_local_id(0); struct S s; s.b = 0; int i = a[t] & 7; s.a[i] = 1; }`, true},
	{"element beyond a row", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); __local int s[4][4]; s[1][t] = t; }`, true},
	{"element beyond an array in a structure in memory", "k.cl", `struct S { int x; int y[2]; int z; }; __kernel void k(__global struct S *s) { int t = get_local_id(0); s[t].y[2] = 4; }`, true},
	{"element beyond a row of a private array", "k.cl", `__kernel void k(__global int *a, int n) { int d[2][3]; d[0][n & 3] = 4; }`, true},
	{"constant of a namespace that a variable hides", "k.cu", "namespace A { const int N = 3; }\n__global__ void k(int *a) { int N = 9; if (A::N == 3) a[0] = threadIdx.x; }", false},
	{"variable of a namespace that a parameter hides", "k.cu", "namespace A { __constant__ int N = 3; }\n__device__ int f(int N) { return A::N; }\n__global__ void k(int *a) { if (f(4) == 3) a[0] = threadIdx.x; }", false},
	{"constants of a namespace and of the file", "k.cu", "namespace A { const int N = 3; }\nconst int N = 4;\n__global__ void k(int *a) { if (N == 4) a[0] = threadIdx.x; }", false},
	{"constant that overflows", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); int x = INT_MAX + 1; }`, true},
	{"quotient that overflows", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); int x = n / -1; int y = abs(n); }`, true},
	{"choice of two types on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); long v = d != 0 ? -1 : 1u; assert(v == -1); }", false},
	{"values without braces on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); int h[2][2] = {1, 2, 3, 4}; assert(h[1][1] == 0); }", false},
	{"bits with another sign on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); unsigned u = 4000000000u; int *p = (int *)&u; assert(*p > 0); }", false},
	{"padding on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); struct s { char c; int n; } x; x.n = 7; char *p = (char *)&x; p[1] = 3; assert(x.n == 3); }", false},
	{"unknown values of two types on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); int x = rand() - rand(); assert((x < 5) == ((unsigned)x < 5)); }", false},
	{"product of 24 bits on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); assert(__mul24(1 << 24, 1) != 0); }", false},
	{"memory without type", "k.cl", `__kernel void k(__global void *a) { int t = get_local_id(0); ((__global int *)a)[t] = t; ((__global char *)a)[t + 8] = t; }`, false},
	{"last cell of a vector of three", "k.cl", `__kernel void k(__global int3 *v) { int t = get_local_id(0); v[t] = (int3)(1); ((__global int *)v)[4 * ((t + 1) % 8) + 3] = t; }`, false},
	{"packed by a pragma", "k.cl", "#pragma pack(1)\nstruct S {char c; int x;}; __kernel void k(__global int *a) { int t = get_local_id(0); if (sizeof(struct S) == 5) a[0] = t; }", false},
	{"function with the name of a builtin", "k.cl", `int get_and(__local int *p, int x) { *p = x; return x; } __kernel void k(__global int *a, __local int *s, int c) { int t = get_local_id(0); if (c == 5) { int y = c ? get_and(s + t, 1) : get_and(s + t, 2); if (s[t] == 1) a[0] = t; } }`, false},
	{"order of arguments", "k.cl", `int f(int *p) { *p = 5; return 1; } int g(int x, int y) { return x; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int y = g(x, f(p)); if (y == 5) a[0] = t; }`, false},
	{"order of lanes", "k.cl", `int f(int *p) { *p = 5; return 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int2 v = (int2)(x, f(p)); if (v.x == 5) a[0] = t; }`, false},
	{"order of initial values", "k.cl", `int f(int *p) { *p = 5; return 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int v[2] = {x, f(p)}; if (v[0] == 5) a[0] = t; }`, false},
	{"order of members", "k.cl", `struct S {int x; int y;}; int f(int *p) { *p = 5; return 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; struct S v = {x, f(p)}; if (v.x == 5) a[0] = t; }`, false},
	{"order of operands", "k.cl", `int f(int *p) { *p = 5; return 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int y = x + f(p); if (y == 6) a[0] = t; }`, false},
	{"order of two calls", "k.cl", `int f(int *p) { *p = 5; return 1; } int h(int *p) { return *p; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int y = h(p) - f(p); if (y == 4) a[0] = t; }`, false},
	{"order of an index and a value", "k.cl", `int f(int *p) { *p = 5; return 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int y[6] = {0}; y[x] = f(p); if (y[5] == 1) a[0] = t; }`, false},
	{"order of two pointers", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int *q = &x; int y = *q + (*p = 5); if (y == 10) a[0] = t; }`, false},
	{"order of a step", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; int y = x + (*p)++; if (y == 1) a[0] = t; }`, false},
	{"order of a compound assignment", "k.cl", `int f(int *p) { *p = 5; return 1; } __kernel void k(__global int *a) { int t = get_local_id(0); int x = 0; int *p = &x; x += f(p); if (x == 6) a[0] = t; }`, false},
	{"order in memory of the group", "k.cl", `int f(__local int *p) { *p = 5; return 1; } __kernel void k(__global int *a, __local int *s) { int t = get_local_id(0); s[t] = 0; int y = s[t] + f(s + t); if (y == 6) a[0] = t; }`, false},
	{"order of a global variable", "k.cu", `__device__ int c[8]; __device__ int f(int i) { c[i] = 5; return 1; } __global__ void k(int *a) { int t = threadIdx.x; c[t] = 0; int y = c[t] + f(t); if (y == 6) a[0] = t; }`, false},
	{"size of groups that is refused", "k.cl", `__attribute__((reqd_work_group_size(16, 1, 1))) __kernel void k(__global int *a) { int t = get_local_id(0); a[t % 8] = t; }`, false},
	{"preconditions that nothing fulfils: bounds", "k.cl", `__kernel void k(__global int *a, int n) { __requires(n > 3); __requires(n < 2); a[0] = get_local_id(0); }`, false},
	{"preconditions that nothing fulfils: a size", "k.cl", `__kernel void k(__global int *a, int n) { __requires(get_local_size(0) == 9); a[0] = get_local_id(0); }`, false},
	{"preconditions that nothing fulfils: nothing", "k.cl", `__kernel void k(__global int *a, int n) { __requires(0); a[0] = get_local_id(0); }`, false},
	{"preconditions that nothing fulfils: a thread", "k.cl", `__kernel void k(__global int *a, int n) { __requires(get_local_id(0) == 9); a[0] = get_local_id(0); }`, false},
	{"absolute value of a narrow number", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); char c = 1; if (abs(c) - 200 < 0) a[0] = t; }`, false},
	{"smaller one without sign", "k.cu", `__global__ void k(int *a) { int t = threadIdx.x; int m = -1; if (umin(m, 5) == 5) a[0] = t; }`, false},
	{"lanes of a relation", "k.cl", `__kernel void k(__global int *a, float4 f, float4 g) { int t = get_local_id(0); int4 v = isequal(f, g); if (v.x != v.y) a[0] = t; }`, false},
	{"address of a lane", "k.cu", `__global__ void k(int4 *v) { int t = threadIdx.x; int *p = &v[0].y; int *q = (int*)v; q[t] = t; p[t] = t; }`, false},
	{"function that ends without return", "k.cl", `int f(int n) { if (n == 3) return 1; } __kernel void k(__global int *a, int n) { int t = get_local_id(0); int x = f(n); if (x == 2) a[0] = t; }`, false},
	{"variable that is not set on all ways", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); int x; if (n == 3) x = 1; if (x == 2) a[0] = t; }`, false},
	{"variable that a case jumps past", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); switch (n) { case 0: ; int y = 5; case 1: if (y == 6) a[0] = t; } }`, false},
	{"variable that goto jumps past", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); if (n) goto in; int x = 3; in: if (x == 4) a[0] = t; }`, false},
	{"pointer that is not set on all ways", "k.cl", `__kernel void k(__global int *a, int n) { int t = get_local_id(0); __global int *p; if (n == 3) p = a + t; *p = t; }`, false},
	{"size of an array in a structure", "k.cl", `struct S { int a[4]; }; __kernel void k(__global int *a) { int t = get_local_id(0); struct S s; if (sizeof(s.a) == 16) a[0] = t; }`, false},
	{"size of a row", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int d[2][3]; if (sizeof(d[0]) == 12) a[0] = t; }`, false},
	{"size of a row by its address", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); __local int d[2][3]; if (sizeof(*d) == 12) a[0] = t; }`, false},
	{"size of a string", "k.cu", `__global__ void k(int *a) { int t = threadIdx.x; if (sizeof("abcdefgh") == 9) a[0] = t; }`, false},
	{"size of a promoted number", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); char c = 1; if (sizeof(+c) == 4) a[0] = t; }`, false},
	{"size of a comparison", "k.cu", `__global__ void k(int *a) { int t = threadIdx.x; if (sizeof(t < 3) == 1 && sizeof(true) == 1) a[0] = t; }`, false},
	{"size of a comparison of vectors", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); uchar4 v = (uchar4)(1,0,3,4); if (sizeof(v < v) == 4) a[0] = t; }`, false},
	{"index before an array", "k.cl", `__kernel void k(__global int *a) { size_t t = get_local_id(0); __global int *p = a + 8; p[t - 1] = t; if (t == 3) p[-1] = 7; }`, false},
	{"type of an address space", "k.cl", `typedef __local int L; __kernel void k(__global int *a) { L x; int t = get_local_id(0); x = t; }`, false},
	{"brackets in a vector", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int2 v = (int2)((1, 2)); if (v.x == 2) a[0] = t; }`, false},
	{"brackets around a lane", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int3 v = (int3)((1, 2), 3, 4); if (v.x == 2 && v.z == 4) a[0] = t; }`, false},
	{"directive of several lines", "k.cl", "__kernel void k(__global int *a) { int t = get_local_id(0);\n#pragma unroll \\\nif (0)\na[0] = t; }", false},
	{"constant of the file", "k.cu", `const int A = 3; const int B = A + 1; __global__ void k(int *a) { int t = threadIdx.x; static const int A = 7; if (B == 4) a[0] = t; }`, false},
	{"vectors that share their values", "k.cu", `__global__ void k(int *a) { int2 v[2] = {1, 2}; if (v[0].y == 2) a[0] = threadIdx.x; }`, false},
	{"vector that takes the first values of a structure", "k.cu", `struct S { int2 a; int b; }; __global__ void k(int *a) { struct S s = {1, 2}; if (s.b == 0) a[0] = threadIdx.x; }`, false},
	{"constant of the file that overflows", "k.cl", `__constant int c[2] = {2147483647 + 1, 2}; __kernel void k(__global int *a) { a[get_global_id(0)] = c[0]; }`, true},
	{"template that a variable hides", "k.cu", `template <int N> __device__ int f(int x) { return x; } __global__ void k(int *a) { int f = 1; if (f<3>(0)) a[0] = threadIdx.x; }`, false},
	{"template that a member is called like", "k.cu", `struct S { int f; }; template <int N> __device__ int f(int x) { return 0; } __global__ void k(int *a) { struct S s; s.f = 1; if (s.f<3>(0)) a[0] = threadIdx.x; }`, false},
	{"macro with the name of a template", "k.cu", "__device__ int g(int x) { return x; } template <int N> __device__ int f(int x) { return 0; }\n#define f(x) g\n__global__ void k(int *a) { int t = threadIdx.x; a[f<3>(t)] = t; }", false},
	{"macro with the name of a type", "k.cu", "#define uint(x) ((x) & 1)\n__global__ void k(int *a) { int t = threadIdx.x; a[uint(t)] = t; }", false},
	{"macro with the name of a type of the file", "k.cu", "typedef int word;\n# \\\n define word(x) ((x) / 2)\n__global__ void k(int *a) { int t = threadIdx.x; a[word(t)] = t; }", false},
	{"form that stands below the call", "k.cu", `__device__ int f(long x) { return 1; } __device__ int g(int x) { return f(x); } __device__ int f(int x) { return 2; } __global__ void k(int *a) { if (g(3) == 1) a[0] = threadIdx.x; }`, false},
	{"form that stands below a template", "k.cu", `__device__ int f(long x) { return 1; } template <typename T> __device__ int g(T x) { return f(x); } __device__ int f(int x) { return 2; } __global__ void k(int *a) { if (g(3) == 1) a[0] = threadIdx.x; }`, false},
	{"form below a template of its name", "k.cu", `template <typename T> __device__ int f(T x) { return 1; } __device__ int g(int x) { return f(x); } __device__ int f(int x) { return 2; } __global__ void k(int *a) { if (g(3) == 1) a[0] = threadIdx.x; }`, false},
	{"form that a block declares", "k.cu", `__device__ int f(int x) { return 1; } __device__ int f(long x) { return 2; } __global__ void k(int *a) { int f(long); if (f(3) == 2) a[0] = threadIdx.x; }`, false},
	{"comment that a directive ends", "k.cl", "__kernel void k(__global int *a) { /* about\n#pragma unroll */ a[0] = get_local_id(0); /* more */ }", false},
	{"comment that a directive begins", "k.cl", "__kernel void k(__global int *a) { int t = get_local_id(0); int i = 0;\n#pragma unroll /*\ni = t; // */\na[i] = t; }", false},
	{"comment that goes on", "k.cl", "__kernel void k(__global int *a) { int t = get_local_id(0); int i = 0;\n// so \\ \ni = t;\na[i] = t; }", false},
	{"comment whose end is on two lines", "k.cu", "__global__ void k(int *a) { int t = threadIdx.x; /* so *\\\n/ a[0] = t; /* */ }", false},
	{"trigraph", "k.cl", "__kernel void k(__global int *a) { int t = get_local_id(0); int i = 0;\n// so ??/\ni = t;\na[i] = t; }", false},
	{"enumeration that a function hides", "k.cu", "enum m { P, Q };\n__device__ int m(int x) { return 0; } __global__ void k(int *a) { int t = threadIdx.x; a[m(t)] = t; }", false},
	{"enumeration that a variable hides", "k.cu", "enum m { P, Q };\n__constant__ int m = 3; __global__ void k(int *a) { int t = threadIdx.x; int y = (m) - t; if (y + t == 3) a[0] = t; }", false},
	{"structure that an enumerator hides", "k.cu", "struct m { int x; };\nenum E { m = 4 }; __global__ void k(int *a) { int t = threadIdx.x; int y = (m) - t; if (y + t == 4) a[0] = t; }", false},
	{"function with the name of a type that CUDA has not", "k.cu", `__device__ int uchar(int x) { return 0; } __global__ void k(int *a) { int t = threadIdx.x; a[uchar(t)] = t; }`, false},
	{"variable with the name of a type that CUDA has not", "k.cu", `__constant__ int uchar = 3; __global__ void k(int *a) { int t = threadIdx.x; int y = (uchar) - t; if (y + t == 3) a[0] = t; }`, false},
	{"enumerator with the name of a type that CUDA has not", "k.cu", `__global__ void k(int *a) { enum { uint8 = 4 }; int t = threadIdx.x; int y = (uint8) - t; if (y + t == 4) a[0] = t; }`, false},
	{"function with the name of a parameter of a template", "k.cu", `template <typename f> __device__ f twice(f x) { return x + x; } __device__ int f(int x) { return 0; } __global__ void k(int *a) { int t = threadIdx.x; a[f(t)] = twice(t); }`, false},
	{"size of a reference", "k.cu", `__global__ void k(int *a) { if (sizeof(char &) == 1) a[0] = threadIdx.x; }`, false},
	{"string without escapes", "k.cu", "#define R\n__global__ void k(int *a) { int t = threadIdx.x;\nprintf(R\"(\" /*)\"); a[0] = t; // */ );\n}", false},
	{"numbers of lines", "k.cu", "__global__ void k(int *a) { __shared__ int s[2][4]; int t = threadIdx.x;\n#line 77\nint (&r)[4] = s[0]; r[1] = t; }", false},
	{"parts of a dim3 that are left out", "k.cu", `__global__ void k(int *a) { dim3 d(3); if (d.y == 1 && d.z == 1) a[0] = threadIdx.x; }`, false},
	{"parts of a dim3 in a list", "k.cu", `__global__ void k(int *a) { dim3 d = {2, 3}; if (d.z == 1) a[0] = threadIdx.x; }`, false},
	{"dim3 of a number", "k.cu", `__global__ void k(int *a) { dim3 d = 2; if (d.x == 2 && d.z == 1) a[0] = threadIdx.x; }`, false},
	{"dim3 of a structure that is left out", "k.cu", `struct L { int x; dim3 g; }; __global__ void k(int *a) { L l = {2}; if (l.g.y == 1) a[0] = threadIdx.x; }`, false},
	{"dim3 of an array that is left out", "k.cu", `__global__ void k(int *a) { dim3 l[2] = {{2}}; if (l[0].y == 1 && l[1].x == 1) a[0] = threadIdx.x; }`, false},
	{"dim3 that is constant", "k.cu", `__constant__ dim3 d = {2}; __global__ void k(int *a) { if (d.y == 1) a[0] = threadIdx.x; }`, false},
	{"form for a signed char", "k.cu", `__device__ int f(char x) { return 1; } __device__ int f(int x) { return 2; } __global__ void k(int *a) { signed char c = 1; if (f(c) == 2) a[0] = threadIdx.x; }`, false},
	{"form for a char of a vector", "k.cu", `__device__ int f(char x) { return 1; } __device__ int f(int x) { return 2; } __global__ void k(int *a) { char4 c = make_char4(1, 2, 3, 4); if (f(c.x) == 2) a[0] = threadIdx.x; }`, false},
	{"form for a long long", "k.cu", `template <typename T> __device__ int f(T x) { return 1; } __device__ int f(long x) { return 2; } __global__ void k(int *a) { if (f(1LL) == 1) a[0] = threadIdx.x; }`, false},
	{"form for an enumeration", "k.cu", `enum E { A, B }; template <typename T> __device__ int f(T x) { return 1; } __device__ int f(int x) { return 2; } __global__ void k(int *a) { E e = B; if (f(e) == 1) a[0] = threadIdx.x; }`, false},
	{"form for a pointer to a constant", "k.cu", `template <typename T> __device__ int f(T x) { return 1; } __device__ int f(int *x) { return 2; } __global__ void k(int *a, const int *b) { if (f(b) == 1) a[0] = threadIdx.x; }`, false},
	{"form for what is no constant", "k.cu", `__device__ int f(const int *x) { return 1; } template <typename T> __device__ int f(T *x) { return 3; } __global__ void k(int *a) { if (f(a) == 3) a[0] = threadIdx.x; }`, false},
	{"form for a reference to what is no constant", "k.cu", `template <typename T> __device__ int f(T &x) { return 1; } __device__ int f(const int &x) { return 2; } __global__ void k(int *a) { int t = threadIdx.x; if (f(t) == 1) a[0] = t; }`, false},
	{"form for a constant", "k.cu", `__device__ int f(int &x) { return 1; } __device__ int f(long x) { return 2; } __global__ void k(int *a) { const int t = 3; if (f(t) == 2) a[0] = threadIdx.x; }`, false},
	{"memory of two instances for chars", "k.cu", `template <typename T> __device__ T *s() { __shared__ T v[8]; return v; } __global__ void k(int *a) { int t = threadIdx.x; s<char>()[t] = 1; s<signed char>()[t] = 2; if (s<char>()[t] == 1) a[0] = t; }`, false},
	{"memory of two instances for pointers", "k.cu", `template <typename T> __device__ int *s(T x) { __shared__ int v[8]; return v; } __global__ void k(int *a, const int *b) { int t = threadIdx.x; s(a)[t] = 1; s(b)[t] = 2; if (s(a)[t] == 1) a[0] = t; }`, false},
	{"function of the toolchain for another type", "k.cu", `__device__ long __shfl_sync(unsigned m, long v, int l) { return v; } __global__ void k(int *a) { int t = threadIdx.x; int x = __shfl_sync(0xff, t, 0); a[x] = t; }`, false},
	{"function of the toolchain outside of a namespace", "k.cu", `namespace A { __device__ int __byte_perm(int x, int y, int z) { return x; } } __global__ void k(int *a) { int t = threadIdx.x; int x = __byte_perm(t, 0, 0x4444); a[x] = t; }`, false},
	{"barrier of the toolchain outside of a namespace", "k.cu", `namespace A { __device__ int __syncthreads_count(int v) { return v; } } __global__ void k(int *a) { int t = threadIdx.x; int x = __syncthreads_count(t); a[x] = t; }`, false},
	{"quotient of two integers, which is none", "k.cu", `__global__ void k(int *a) { if (__fdividef(1, 2) * 2 == 1) a[0] = threadIdx.x; }`, false},
	{"power of a truth value", "k.cu", `__global__ void k(int *a, bool b) { if (__expf(b) > 2) a[0] = threadIdx.x; }`, false},
	{"variable of a block that was left", "k.cl", `__kernel void k(__global int *a) { int *p; { int x = 1; p = &x; } if (*p == 2) a[0] = get_local_id(0); }`, false},
	{"variable of a function that has returned", "k.cl", `int *f(int n) { int x = n; return &x; } __kernel void k(__global int *a) { int *p = f(1); if (*p == 2) a[0] = get_local_id(0); }`, false},
	{"specialised template, which cannot be read", "k.cu", `template <typename T> __device__ int f(T x) { return 1; } template <> __device__ int f<int>(int x) { return 2; } __global__ void k(int *a) { if (f<int>(3) == 2) a[0] = threadIdx.x; }`, false},
	{"specialised template for a number", "k.cu", `template <int N> __device__ void f(int *p) { } template <> __device__ void f<3>(int *p) { *p = threadIdx.x; } __global__ void k(int *a) { f<3>(a); }`, false},
	{"form that a macro of two lines declares", "k.cu", "#include <vector>\n__device__ int f(long x) { return 0; }\n#define DEF(name) \\\n  __device__ int name(int x) { return 1; }\nDEF(f)\nvoid host() { std::vector<int> v; }\n__global__ void k(int *a) { if (f(3)) a[0] = threadIdx.x; }", false},
	{"form that a macro in front of another one declares", "k.cu", "__device__ int f(long x) { return 0; }\n#define PRE __device__ int f(int x) { return 1; }\nPRE __device__ int g(int x) { class X { }; return 1; }\n__global__ void k(int *a) { if (f(3)) a[0] = threadIdx.x; }", false},
	{"form whose body is in brackets of macros", "k.cu", "#include <vector>\n#define BEGIN {\n#define END }\n__device__ int f(long x) { return 0; }\n__device__ int f(int x) BEGIN return 1; END\nvoid host() { std::vector<int> v; }\n__global__ void k(int *a) { if (f(3)) a[0] = threadIdx.x; }", false},
	{"form in brackets that are not compiled", "k.cu", "__device__ int g(long x) { return 0; }\n__device__ int f(int x)\n#if 0\n{\n#endif\n{ return std::max(x, 1); }\n__device__ int g(int x) { return 1; }\n#if 0\n}\n#endif\n__global__ void k(int *a) { if (g(3)) a[0] = threadIdx.x; }", false},
	{"form of a namespace that is not read", "k.cu", "__device__ int f(long x) { return 0; }\nnamespace X { __device__ int f(int x) { return 1; } struct U { int m() { return 1; } }; }\nusing namespace X;\n__global__ void k(int *a) { if (f(3)) a[0] = threadIdx.x; }", false},
	{"constant that a function overrides, which cannot be read", "k.cu", "#include <vector>\n__constant__ int n = 1;\n__host__ __device__ void setup(int *m) { cudaMemcpyToSymbol(n, m, 4); std::vector<int> v; }\n__global__ void k(int *a) { if (n == 2) a[0] = threadIdx.x; }", false},
	{"constant that a structure overrides, which cannot be read", "k.cu", "__constant__ int n = 1;\nstruct H { H(int *m) { cudaMemcpyToSymbol(n, m, 4); } };\n__global__ void k(int *a) { if (n == 2) a[0] = threadIdx.x; }", false},
	{"macro that a pragma restores", "k.cu", "#define X 0\n#pragma push_macro(\"X\")\n#undef X\n#define X t\n#pragma pop_macro(\"X\")\n__global__ void k(int *a) { int t = threadIdx.x; a[X] = t; }", false},
	{"packed by an operator", "k.cl", `_Pragma("pack(1)") struct S {char c; int x;}; __kernel void k(__global int *a) { int t = get_local_id(0); if (sizeof(struct S) == 5) a[0] = t; }`, false},
	{"output printed by a kernel", "k.cu", `__global__ void k(char *a) { int t = threadIdx.x; if (t == 0) a[0] = 'x'; else printf("%s", a); }`, false},
	{"bits of an unknown value with another sign on a host", "k.cu", "#include <stdlib.h>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); int x = rand() - rand(); unsigned *p = (unsigned *)&x; assert((long)*p == (long)x); }", false},
	{"unknown value stored with another sign on a host", "k.cu", "#include <stdlib.h>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); unsigned u; int *q = (int *)&u; *q = rand() - rand(); int x = *q; assert((long)u == (long)x); }", false},
	{"unknown values copied to another sign on a host", "k.cu", "#include <stdlib.h>\n__global__ void k(int *a) { a[threadIdx.x]++; }\nint main() { int *d, h[2]; cudaMalloc((void **)&d, 64); h[0] = rand() - rand(); h[1] = 0; cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice); unsigned g[2]; cudaMemcpy(g, d, 8, cudaMemcpyDeviceToHost); k<<<1, 2>>>(d); assert((long)g[0] == (long)h[0]); }", false},
	{"unknown product that is added to on the device", "k.cu", "#include <stdlib.h>\n__global__ void k(float *a) { a[3] = a[0] * a[1] + a[2]; }\nint main() { float h[4], *d; for (int i = 0; i < 4; i++) h[i] = rand(); cudaMalloc((void **)&d, 16); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); k<<<1, 1>>>(d); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); assert(h[3] == h[0] * h[1] + h[2]); }", false},
	{"unknown quotient of the device", "k.cu", "#include <stdlib.h>\n__global__ void k(float *a) { a[2] = a[0] / a[1]; }\nint main() { float h[3], *d; for (int i = 0; i < 3; i++) h[i] = rand(); cudaMalloc((void **)&d, 12); cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice); k<<<1, 1>>>(d); cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost); assert(h[2] == h[0] / h[1]); }", false},
	{"unknown float made a number on the device", "k.cu", "#include <stdlib.h>\n__global__ void k(int *a, float f) { a[threadIdx.x] = f; }\nint main() { int h[2], *d; float f = rand() * 4.0f; cudaMalloc((void **)&d, 8); k<<<1, 2>>>(d, f); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == (int)f); }", false},
	{"division by an unknown value", "k.cu", "#include <stdlib.h>\n__global__ void k(int *a, int n) { a[threadIdx.x] = 5 / n; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d, rand()); }", false},
	{"shift by an unknown value", "k.cu", "#include <stdlib.h>\n__global__ void k(int *a, int n) { a[threadIdx.x] = 1 << n; }\nint main() { int h[2], *d; int n = rand(); cudaMalloc((void **)&d, 8); k<<<1, 2>>>(d, n); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1 << n); }", false},
	{"file that a library reads", "k.cu", "__global__ void k(int *a, int n) { if (n) a[threadIdx.x] = 1; else a[0] = threadIdx.x; }\nint main() { int *d; cudaMalloc((void **)&d, 64); int n[2] = {1, 1}; cutReadFile(n); k<<<1, 2>>>(d, n[1]); }", false},
	{"unknown sum that overflows on a host", "k.cu", "#include <stdlib.h>\n__global__ void k(int *a) { a[threadIdx.x] = 5; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); int y = rand() + rand(); }", true},
	{"default value with a macro that changes", "k.cu", "#define M 1\n__device__ int f(int x, int y = M) { return y; }\n#undef M\n#define M 2\n__global__ void k(int *a) { if (f(3) == 1) a[0] = threadIdx.x; }", false},
	{"default value with a macro of a macro that changes", "k.cu", "#define N M\n#define M 1\n__device__ int f(int x, int y = N) { return y; }\n#undef M\n#define M 2\n__global__ void k(int *a) { if (f(3) == 1) a[0] = threadIdx.x; }", false},
	{"default value that counts", "k.cu", "__device__ int f(int x, int y = __COUNTER__) { return y; }\n__device__ int g(int x) { return __COUNTER__; }\n__global__ void k(int *a) { if (f(3) == 0) a[0] = threadIdx.x; }", false},
	{"type behind a template that is not compiled", "k.cu", "#if 0\ntemplate <typename T> __device__ int f(T x);\n#endif\ntypedef unsigned short uchar;\n__global__ void k(int *a) { uchar x = 256; if (x == 256) a[0] = threadIdx.x; }", false},
	{"form behind a template that is not compiled", "k.cu", "#if 0\ntemplate <typename T> __device__ int f(T x);\n#endif\n__device__ int f(int x);\n__device__ int f(long x) { return 0; }\n__global__ void k(int *a) { if (f(3)) a[0] = threadIdx.x; }", false},
	{"condition of a new standard", "k.cl", "#define B\n#ifdef A\n#define X t\n#elifdef B\n#define X 0\n#else\n#define X t\n#endif\n__kernel void k(__global int *a) { int t = get_local_id(0); a[X] = t; }", false},
	{"macro with the name of the type of a number of a template", "k.cu", "#define int unsigned char\ntemplate <int N> __device__ unsigned f(unsigned x) { return N; }\n__global__ void k(unsigned *a) { if (f<300>(0) == 44) a[0] = threadIdx.x; }", false},
	{"assertions that a macro on two lines switches off", "k.cu", "#define \\\n NDEBUG\n__global__ void k(unsigned *a) { int x = 0; assert(x = 1); if (x == 0) a[0] = threadIdx.x; }", false},
	{"operator of an enumeration, which cannot be read", "k.cu", "enum E { X, Y };\n__device__ int operator|(E e, E f) { return 7; }\n__global__ void k(int *a) { if ((X | Y) == 7) a[0] = threadIdx.x; }", false},
	{"operator of the values of an enumeration, which cannot be read", "k.cu", "typedef enum { X, Y } E;\nstruct S { E e; };\n__device__ int operator+(E e, int f) { return 7; }\n__global__ void k(int *a, S s) { if (s.e + 1 == 7 && s.e == 0) a[0] = threadIdx.x; }", false},
	{"operator of a structure, which cannot be read", "k.cu", "struct S { int x; };\n__device__ S *operator&(S &s) { return 0; }\n__global__ void k(int *a) { S s; s.x = 1; S *p = &s; if (p == 0) a[0] = threadIdx.x; }", false},
	{"alignment of vectors of more than 16 bytes", "k.cu", `struct S { int a; double4 d; }; __global__ void k(int *a) { if (sizeof(S) == 48) a[0] = threadIdx.x; }`, false},
	{"size of a structure with a type of a library", "k.cu", `struct S { int a; cudaStream_t s; int b; }; __global__ void k(int *a) { if (sizeof(S) == 24) a[0] = threadIdx.x; }`, false},
	{"size of an array of a type of a library", "k.cu", `__global__ void k(int *a) { clock_t v[2]; if (sizeof(v) == 16) a[0] = threadIdx.x; }`, false},
	{"length by the size of a type of a library", "k.cu", `__global__ void k(int *a) { char v[sizeof(cudaEvent_t)]; if (sizeof(v) == 8) a[0] = threadIdx.x; }`, false},
	{"template for the size of a type of a library", "k.cu", `template <int N> __device__ int f() { return N; } __global__ void k(int *a) { if (f<sizeof(cudaStream_t)>() == 8) a[0] = threadIdx.x; }`, false},
	{"size of what is known in part", "k.cu", `__global__ void k(int *a) { const int N = sizeof(cudaDeviceProp); if (N > 600) a[0] = threadIdx.x; }`, false},
	{"directives in a comment of what is not read", "k.cu", "#define IDX 0\nclass H { /*\n#undef IDX\n#define IDX t\n*/ int x; };\n__global__ void k(int *a) { int t = threadIdx.x; a[IDX] = t; }", false},
	{"directives in a comment of a host that is left out", "k.cu", "#include <vector>\n#define IDX 0\nvoid host() { std::vector<int> v; /*\n#undef IDX\n#define IDX t\n*/ }\n__global__ void k(int *a) { int t = threadIdx.x; a[IDX] = t; }", false},
	{"directives in a text of a host that is left out", "k.cu", "#include <vector>\n#define IDX 0\nvoid host() { std::vector<int> v; puts(\"\\\n#undef IDX\\\n\"); puts(\"\\\n#define IDX t\\\n\"); }\n__global__ void k(int *a) { int t = threadIdx.x; a[IDX] = t; }", false},
	{"comment that a directive of what is not read begins", "k.cl", "union U { int x;\n#define A 1 /* so\n*/ \n};\n__kernel void k(__global int *a) { int t = get_local_id(0); a[t] = t; a[0] = t; /* so */ }", false},
	{"constant that is overridden above its value", "k.cu", "#include <vector>\nextern __constant__ int n;\nvoid host(int *m) { std::vector<int> v; cudaMemcpyToSymbol(n, m, 4); }\n__constant__ int n = 1;\n__global__ void k(int *a) { if (n == 2) a[0] = threadIdx.x; }", false},
	{"name in its own initial value", "k.cl", `#define STORE(index, value) { int i = (index); a[i] = (value); }
__kernel void k(__global int *a) { int i = get_global_id(0); STORE(i, get_global_id(0)) }`, false},
	{"size of a name in its own initial value", "k.cl", `__kernel void k(__global int *a) { char n = 0; { long n = sizeof(n); a[get_global_id(0) * (n - 8)] = get_global_id(0); } }`, false},
	{"size of a vector in its own initial value", "k.cl", `__kernel void k(__global int *a) { char n = 0; { int4 n = sizeof(n); a[get_global_id(0) * (n.y - 16)] = get_global_id(0); } }`, false},
	{"size of an array in its own initial value", "k.cl", `__kernel void k(__global int *a) { char n = 0; { int n[3] = { sizeof(n) }; a[get_global_id(0) * (n[0] - 12)] = get_global_id(0); } }`, false},
	{"size of a structure in its own initial value", "k.cl", `struct S { long x; }; __kernel void k(__global int *a) { char n = 0; { struct S n = { sizeof(n) }; a[get_global_id(0) * (n.x - 8)] = get_global_id(0); } }`, false},
	{"size of the variable of a loop in its own initial value", "k.cl", `__kernel void k(__global int *a) { char n = 0; for (long n = sizeof(n); n < 9; n++) a[get_global_id(0) * (n - 8)] = get_global_id(0); }`, false},
	{"size of a name behind a case in its own initial value", "k.cl", `__kernel void k(__global int *a, int m) { char n = 0; switch (m) { case 3: { } long n = sizeof(n); a[get_global_id(0) * (n - 8)] = get_global_id(0); } }`, false},
	{"size of a constant in its own initial value", "k.cl", `__kernel void k(__global int *a) { const char n = 0; { const long n = sizeof(n); a[get_global_id(0) * (n - 8)] = get_global_id(0); } }`, false},
	{"size of a type in the initial value of what hides it", "k.cl", `typedef char T; __kernel void k(__global int *a) { T n = 0; { long T = sizeof(T); a[get_global_id(0) * (T - 8)] = get_global_id(0); } }`, false},
	{"own initial value in a function", "k.cl", `long f(char n) { { long n = sizeof(n); return n; } } __kernel void k(__global int *a) { a[get_global_id(0) * (f(3) - 8)] = get_global_id(0); }`, false},
	{"own initial value in a template", "k.cu", `template <typename T> __device__ long f(char n) { { T n = sizeof(n); return n; } } __global__ void k(int *a) { a[threadIdx.x * (f<long>(3) - 8)] = threadIdx.x; }`, false},
	{"own initial value of what hides a reference", "k.cu", `__global__ void k(int *a) { char c = 0; char &n = c; { long n = sizeof(n); a[threadIdx.x * (n - 8)] = threadIdx.x; } }`, false},
	{"own initial value of a pointer to it", "k.cl", `__kernel void k(__global int *a) { int v = 5; int *p = &v; { int *p = p ? &v : &v; int v = (int)(p == &v); a[v * 0] = get_global_id(0); } }`, false},
	{"assignment in its own initial value", "k.cl", `__kernel void k(__global int *a) { int n = 1; { int n = (n = 5) - 5; } a[get_global_id(0) * (n - 1)] = get_global_id(0); }`, false},
	{"own initial value on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 8); k<<<1, 2>>>(d); char n = 0; { long n = sizeof(n); assert(n == 1); } return 0; }", false},
	{"own initial value in a list on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 8); k<<<1, 2>>>(d); int n = 3; { int n[2] = { 7, n[1] }; assert(n[1] == 0); } return 0; }", false},
	{"initial value of a type of the toolchain", "k.cu", `__device__ int bump(int *a) { a[0] = threadIdx.x; return 1; } __global__ void k(int *a) { clock_t t = bump(a); }`, false},
	{"initial value of a structure of the toolchain", "k.cu", `__device__ int bump(int *a) { a[0] = threadIdx.x; return 1; } __global__ void k(int *a) { curandState s = { bump(a) }; }`, false},
	{"copy that nobody waits for", "k.cl", `__kernel void k(__global const int *from, __global int *to) { __local int row[8]; int t = get_local_id(0); event_t e = async_work_group_copy(row, from, 8, 0); to[t] = row[7 - t]; }`, false},
	{"bool of a property of a float", "k.cu", `__global__ void k(int *a, const float *x) { int t = threadIdx.x; auto bad = signbit(x[t]); bad = 2; if (bad == 1) a[0] = t; }`, false},
	{"form for a property of a float", "k.cu", `__device__ int stride(bool) { return 0; } __device__ int stride(int) { return 1; } __global__ void k(int *a, float x) { int t = threadIdx.x; a[t * stride(isfinite(x))] = t; }`, false},
	{"instance for a property of a float", "k.cu", `template <typename T> __device__ int two(T v) { v = 2; return v; } __global__ void k(int *a, const float *x) { int t = threadIdx.x; a[(two(isinf(x[t])) - 1) * t] = t; }`, false},
	{"bool that is shuffled", "k.cu", `__global__ void k(int *a, bool b) { int t = threadIdx.x; auto v = __shfl_sync(~0u, b, 0); v = v + t; if (v > 1) a[0] = t; }`, false},
	{"form for a char that is shuffled", "k.cu", `__device__ int stride(char) { return 1; } __device__ int stride(int) { return 0; } __global__ void k(int *a, char c) { int t = threadIdx.x; a[t * stride(__shfl_sync(~0u, c, 0))] = t; }`, false},
	{"length of doubles", "k.cl", `__kernel void k(__global int *a, double2 v) { int t = get_local_id(0); a[t * (sizeof(length(v)) != sizeof(double))] = t; }`, false},
	{"logarithm of doubles as integers", "k.cl", `__kernel void k(__global int *a, double2 v) { int t = get_local_id(0); a[t * (sizeof(ilogb(v)) != sizeof(int2))] = t; }`, false},
	{"power of a float by an integer", "k.cl", `__kernel void k(__global int *a, float v) { int t = get_local_id(0); a[t * (sizeof(pow(v, 2)) != sizeof(float))] = t; }`, false},
	{"upper half of three lanes", "k.cl", `__kernel void k(__global int *a, __global int3 *p) { int t = get_local_id(0); int3 v = p[0]; v.z = t; int2 h = v.hi; a[h.y] = t; }`, false},
	{"odd lanes of three", "k.cl", `__kernel void k(__global int *a, int3 v) { int t = get_local_id(0); v.y = t; int2 h = v.odd; a[h.y] = t; }`, false},
	{"property of a float on a host", "k.cu", "__global__ void k(int *a, int n) { a[threadIdx.x * n] = threadIdx.x; }\nint main() { int *d; cudaMalloc((void **)&d, 8); auto b = isnan(1.0f); b = 2; k<<<1, 2>>>(d, b - 1); return 0; }", false},
	{"precondition of all threads", "k.cl", `int scaled(int k) { __global_requires(k <= 8); return 3 * k; } __kernel void k(__global int *out, __global const int *in) { int k = 20; if (get_local_id(0) < 4) { k = 8; out[get_global_id(0)] = scaled(k); } else out[get_global_id(0)] = in[get_global_id(0)] + k; }`, false},
	{"invariant of all threads", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int n = 0; for (int i = 0; __global_invariant(n == i), i < t; i++) n++; a[t] = n; }`, false},
	{"invariant of all threads, in the loop", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); int n = 0; for (int i = 0; i < t; i++) { __global_invariant(n < t); n++; } a[t] = n; }`, false},
	{"assertion of all threads where some are", "k.cl", `__kernel void k(__global int *a) { int t = get_local_id(0); if (t < 4) { __global_assert(t < 4); } a[t] = 1; }`, false},
	{"what a kernel ensures", "k.cl", `__kernel void k(__global int *a) { __ensures(!__write(a)); a[get_local_id(0)] = 1; }`, false},
	{"condition on what all toolchains define", "k.cl", "#if __STDC_VERSION__ >= 199901L\n#define INDEX 0\n#else\n#define INDEX t\n#endif\n__kernel void k(__global int *a) { int t = get_local_id(0); a[INDEX] = t; }", false},
	{"condition on an extension", "k.cl", "#ifdef cl_khr_fp64\n#define INDEX 0\n#else\n#define INDEX t\n#endif\n__kernel void k(__global int *a) { int t = get_local_id(0); a[INDEX] = t; }", false},
	{"condition on what all toolchains define, by a macro", "k.cl", "#define NEW __STDC_VERSION__\n#if NEW >= 199901L\n#define INDEX 0\n#else\n#define INDEX t\n#endif\n__kernel void k(__global int *a) { int t = get_local_id(0); a[INDEX] = t; }", false},
	{"condition on two lines on what all toolchains define", "k.cl", "#\\\nif __STDC_VERSION__ >= 199901L\n#define INDEX 0\n#else\n#define INDEX t\n#endif\n__kernel void k(__global int *a) { int t = get_local_id(0); a[INDEX] = t; }", false},
	{"condition on what a text defines, and toolchains", "k.cu", "#ifndef __GNUC__\n#define __GNUC__ 1\n#endif\n#if __GNUC__ > 3\n#define INDEX 0\n#else\n#define INDEX t\n#endif\n__global__ void k(int *a) { int t = threadIdx.x; a[INDEX] = t; }", false},
	{"structures that double", "k.cl", doubled(40) + `__kernel void k(__global struct S40 *a) { a[0].a.b.a = a[0].b.a.a; }`, false},
	{"structure in itself by another one", "k.cl", `struct A; struct B { struct A a; }; struct A { struct B b; }; __kernel void k(__global struct A *p, __global int *a) { a[0] = get_local_id(0) + sizeof(struct A); }`, false},
	{"shift that overflows", "k.cl", `__kernel void k(__global int *a, int n) { int x = n << 4; }`, true},
	{"shift to the sign", "k.cl", `__kernel void k(__global int *a, int n) { int x = 1 << (n & 31); }`, true},
	{"sum that overflows in a program", "k.cu", "__global__ void k(int *a) { int x = 2147483647; a[threadIdx.x] = x + 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); }", true},
	{"step that overflows on a host", "k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() { int *d; cudaMalloc((void **)&d, 64); k<<<1, 2>>>(d); int x = 2147483647; x++; }", true},
}

// doubled are structures of two of the one before.
func doubled(n int) string {
	out := "struct S0 { int x; };\n"
	for i := 1; i <= n; i++ {
		out += fmt.Sprintf("struct S%d { struct S%d a, b; };\n", i, i-1)
	}
	return out
}

// TestMisread: none of them is safe. Of the last ones only bounds and overflow are wrong.
func TestMisread(t *testing.T) {
	var all gpu.Options
	if err := all.Launch.Check("bounds", "overflow"); err != nil {
		t.Fatal(err)
	}
	for _, k := range misread {
		opts, flags := gpu.Options{}, "//--local_size=8 --num_groups=1\n"
		if k.file == "k.cu" {
			flags = "//--blockDim=8 --gridDim=1\n#include <assert.h>\n"
		}
		if k.checked {
			opts = all
		}
		for _, r := range gpu.File(context.Background(), k.file, []byte(flags+k.src), opts) {
			t.Logf("%s: %s %s", k.name, r.Verdict, r.Why)
			if r.Verdict == gpu.Safe && (r.Kernel == "main" || !strings.Contains(k.src, "int main()")) { // its kernels may well be
				t.Errorf("%s is safe:\n%s", k.name, k.src)
			}
		}
	}
}

// TestMisreadIncluded: what decides in which order files are put together, and how often, is read to the letter.
func TestMisreadIncluded(t *testing.T) {
	files := map[string]string{
		"mode.h":      "#ifndef H\n#define H\n#undef IDX\n#if MODE == 1\n#define IDX 0\n#else\n#define IDX t\n#endif\n#endif\n",
		"other.h":     "#ifndef H\n#define H\n#endif\n",
		"within.h":    "#ifndef H\n#define H\n#include \"once.h\"\n#endif\n",
		"once.h":      "#pragma once\n#define IDX 0\n",
		"seldom.h":    "#ifdef _MSC_VER\n#pragma once\n#endif\n#undef IDX\n#if MODE == 1\n#define IDX 0\n#else\n#define IDX t\n#endif\n",
		"mode_once.h": "#pragma once\n#undef IDX\n#if MODE == 1\n#define IDX t\n#else\n#define IDX 0\n#endif\n",
		"copy_once.h": "#pragma once\n#undef IDX\n#if MODE == 1\n#define IDX t\n#else\n#define IDX 0\n#endif\n",
		"lines.h":     "#define A\n\n#define B\n",
		"line.h":      "int f() { return __LINE__ == 1; }\n",
		"zero.h":      "#define IDX 0\n",
		"nothing.h":   "int z(void) { return 1; }\n",
		"else.h":      "#ifndef X\n#define X\n#define IDX t\n#else\n#undef IDX\n#define IDX 0\n#endif\n",
	}
	const k = "__kernel void k(__global int *a) { int t = get_local_id(0); a[IDX] = t; }"
	for _, c := range []struct{ name, src string }{
		{"guard that is taken away", "#include \"mode.h\"\n#undef H\n#define MODE 1\n#include \"mode.h\"\n" + k},
		{"guard of two files", "#include \"other.h\"\n#include \"within.h\"\n#ifndef IDX\n#define IDX t\n#endif\n#include \"once.h\"\n" + k},
		{"pragma under a condition", "#include \"seldom.h\"\n#define MODE 1\n#include \"seldom.h\"\n" + k},
		{"line behind a file", "#include \"lines.h\"\n__kernel void k(__global int *a) { int t = get_local_id(0); if (__LINE__ == 3) a[0] = t; }"},
		{"line of a file", "#include \"line.h\"\n__kernel void k(__global int *a) { int t = get_local_id(0); if (f()) a[0] = t; }"},
		{"condition on a line", "#include \"lines.h\"\n__kernel void k(__global int *a) { int t = get_local_id(0);\n#if __LINE__ == 4\na[0] = t;\n#endif\n}"},
		{"directive that goes on", "#include \"zero.h\" \\\n#define IDX t\n" + k},
		{"comment behind it", "#include \"nothing.h\" /*\n#define IDX t\n// */\n#ifndef IDX\n#define IDX 0\n#endif\n" + k},
		{"comment around it", "/*\n#include \"zero.h\" */ #define Y\n#ifndef IDX\n#define IDX 0\n#endif\n" + k},
		{"file that is a copy of another one", "#include \"mode_once.h\"\n#define MODE 1\n#include \"copy_once.h\"\n" + k},
		{"file that says something else the second time", "#include \"else.h\"\n#include \"else.h\"\n" + k},
	} {
		opts := gpu.Options{}
		opts.Launch.Include = func(path string) []byte {
			if text, ok := files[path]; ok {
				return []byte(text)
			}
			return nil
		}
		for _, r := range gpu.File(context.Background(), "k.cl", []byte("//--local_size=8 --num_groups=1\n"+c.src), opts) {
			t.Logf("%s: %s %s", c.name, r.Verdict, r.Why)
			if r.Verdict == gpu.Safe {
				t.Errorf("%s is safe:\n%s", c.name, c.src)
			}
		}
	}
}

// TestTaken: what decides which code is read, or what it means, and is not in the file, stands
// in assumed; a text behind - does not.
func TestTaken(t *testing.T) {
	body := func(condition string) string {
		return "__kernel void k(__global int *a) { int t = get_local_id(0);\n#" + condition + "\n a[t] = t;\n#endif\n}"
	}
	for _, c := range []struct{ file, src, want string }{
		{"k.cl", body("if __OPENCL_VERSION__ >= 200"), "__OPENCL_VERSION__ is 120"},
		{"k.cl", body("if __OPENCL_C_VERSION__ >= 120"), "__OPENCL_C_VERSION__ is 120"},
		{"k.cl", body("ifndef __ENDIAN_LITTLE__"), "__ENDIAN_LITTLE__ is 1"},
		{"k.cl", body("ifdef DEBUG"), "DEBUG is not defined"},
		{"k.cl", body("if \\\n defined(USE_FP64)"), "USE_FP64 is not defined"},
		{"k.cl", "#define DEBUG\n" + body("ifdef DEBUG"), "-DEBUG"},
		{"k.cl", body("ifdef DEBUG\n#define DEBUG"), "DEBUG is not defined"},
		{"k.cl", "// #ifdef DEBUG\n" + body("if 1"), "-DEBUG"},
		{"k.cl", "__kernel void k(__global int *a) { if (__ENDIAN_LITTLE__) a[get_local_id(0)] = 1; }", "__ENDIAN_LITTLE__ is 1"},
		{"k.cu", "__global__ void k(int *a) { if (warpSize == 32) a[threadIdx.x] = 1; }", "warpSize is 32"},
		{"k.cu", "__global__ void k(int *a) {\n#if __CUDA_ARCH__ < 800\na[threadIdx.x] = 1;\n#endif\n}", "__CUDA_ARCH__ is 700"},
		{"k.cu", "__global__ void k(int *a) {\n#ifdef __CUDACC__\na[threadIdx.x] = 1;\n#endif\n}", "__CUDACC__ is 1"},
		{"k.cu", "#include \"cuda_mine.h\"\n__global__ void k(int *a) { a[threadIdx.x] = 1; }", "cuda_mine.h"},
		{"k.cl", "__kernel void k(__global int *a) { if (sizeof(size_t) == 4) a[0] = get_local_id(0); }", "size_t, ptrdiff_t and pointers have 64 bits"},
		{"k.cl", "__kernel void k(__global int *a) { if (sizeof(int *) == 4) a[0] = get_local_id(0); }", "pointers have 64 bits"},
		{"k.cl", "__kernel void k(__global int *a) { if (get_local_id(0) - 1 < 5000000000L) a[0] = 1; }", "pointers have 64 bits"},
		{"k.cl", "__kernel void k(__global int *a, long n) { if (get_local_id(0) < n) a[get_local_id(0)] = 1; }", "pointers have 64 bits"},
		{"k.cl", "__kernel void k(__global int *a, int n) { if ((get_local_id(0) << 40) + n == 0) a[0] = 1; }", "pointers have 64 bits"},
		{"k.cu", "__global__ void k(int *a, int n) { for (size_t i = threadIdx.x; i < n; i += blockDim.x) a[i] = 1; }", "pointers have 64 bits"},
		{"k.cu", "__global__ void k(int *a, long n) { if (n == 5) a[threadIdx.x] = 1; }", "long has 64 bits"},
		{"k.cu", "__global__ void k(int *a, unsigned long long n) { a[threadIdx.x] = 1LL; }", "-long has"},
		{"k.cu", "__global__ void k(int *a) { char c = -1; if (c < 0) a[threadIdx.x] = 1; }", "char is signed"},
		{"k.cu", "__global__ void k(unsigned char *a) { a[threadIdx.x] = 1; }", "-char has"},
		{"k.cl", "__kernel void k(__global int *a, uint n) { int i = get_global_id(0) * 3 + 7; if (get_local_id(0) < n) a[get_global_id(0) + 1] = i; }", "-64 bits"},
		{"k.cl", "int f(int x);\n__kernel void k(__global int *a) { a[get_local_id(0)] = f(3); }", "functions without body wait at no barrier, and write to nothing that the file declares: f"},
		{"k.cl", "__kernel void k(__global int *a, int n) { __requires(n > 3); a[get_local_id(0)] = n; }", "the author's requirements"},
	} {
		flags := "//--local_size=8 --num_groups=1\n"
		r := gpu.File(context.Background(), c.file, []byte(flags+c.src), gpu.Options{})[0]
		said := strings.Join(r.Assumed, "; ")
		text, without := strings.CutPrefix(c.want, "-")
		if r.Verdict != gpu.Safe || strings.Contains(said, text) == without {
			t.Errorf("%s: %s, assumed: %s; want %q", c.src, r.Verdict, said, c.want)
		}
	}
}

// TestPrecedence: flags go before gradine.toml, which goes before the file; that any number of
// threads is allowed can be said as well.
func TestPrecedence(t *testing.T) {
	of := func(size string) (o encode.Options) {
		if size == "" {
			return o
		}
		for _, flag := range []string{"--local_size=" + size, "--num_groups=1"} {
			if err := o.Set(flag); err != nil {
				t.Fatal(err)
			}
		}
		return o
	}
	for _, c := range []struct {
		flags, toml, file string
		safe              bool
	}{
		{"8", "16", "16", true},
		{"16", "8", "8", false},
		{"", "8", "16", true},
		{"", "16", "8", false},
		{"", "", "8", true},
		{"", "", "16", false},
		{"*,*,*", "8", "8", false},
		{"*", "8", "8", false},
		{"", "*,*,*", "8", false},
		{"8", "*,*,*", "*,*,*", true},
		{"", "", "", false},
	} {
		src := "__kernel void k(__global int *a) { int t = get_local_id(0); if (t < 8) a[t] = t; else a[0] = t; }"
		if c.file != "" {
			src = "//--local_size=" + c.file + " --num_groups=1\n" + src
		}
		launch := of(c.flags)
		launch.Kernels = map[string]encode.Options{"k": of(c.toml)}
		if r := gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{Launch: launch})[0]; (r.Verdict == gpu.Safe) != c.safe || r.Verdict == gpu.Unsupported {
			t.Errorf("flags %q, gradine.toml %q, file %q: %s, safe should be %v", c.flags, c.toml, c.file, r.Verdict, c.safe)
		}
	}
}
