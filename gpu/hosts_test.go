package gpu_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// hosts are programs, by a kernel and what main does with an array h of the host and an array d of
// the device, of two numbers each. Those that fail, or may fail, on a device must not be safe.
var hosts = []struct {
	name, kernel, body string
	safe               bool
}{
	{"copied", "", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", true},
	{"copied without a word of direction", "", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDefault); assert(h[0] == 1);", true},
	{"managed, and waited for", "", "int *m; cudaMallocManaged((void **)&m, 8); k<<<1,2>>>(m); cudaDeviceSynchronize(); assert(m[0] == 1);", true},
	{"managed, and not waited for", "", "int *m; cudaMallocManaged((void **)&m, 8); k<<<1,2>>>(m); assert(m[0] == 1);", false},
	{"pinned, and not waited for", "", "int *m; cudaMallocHost((void **)&m, 8); k<<<1,2>>>(m); assert(m[0] == 1);", false},
	{"managed, and written while a launch runs", "", "int *m; cudaMallocManaged((void **)&m, 8); k<<<1,2>>>(m); m[0] = 3; cudaDeviceSynchronize(); assert(m[0] == 3);", false},
	{"array of the host in a second launch", "", "k<<<1,2>>>(d); k<<<1,2>>>(h); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"freed before it is copied", "", "k<<<1,2>>>(d); cudaFree(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"reference on the host", "", "k<<<1,2>>>(d); int &r = h[0]; r = 5; assert(h[0] == 0);", false},
	{"template of the host", "template<typename T> T f(T x) { return x + 1; } __global__ void k(int *a) { a[threadIdx.x] = 1; }", "k<<<1,2>>>(d); unsigned char c = 255; assert(f(c) == 256);", false},
	{"copied in the other direction", "", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyHostToDevice); assert(h[0] == 1);", false},
	{"copied some time", "", "k<<<1,2>>>(d); cudaMemcpyAsync(h, d, 8, cudaMemcpyDeviceToHost, 0); cudaDeviceSynchronize(); assert(h[0] == 0);", false},
	{"array of the device on the host", "", "k<<<1,2>>>(d); cudaDeviceSynchronize(); assert(d[0] == 1);", false},
	{"array of the host on the device", "", "int *m = (int *)malloc(8); k<<<1,2>>>(m); cudaDeviceSynchronize(); assert(m[0] == 1);", false},
	{"variable of the host on the device", "", "k<<<1,2>>>(h); cudaDeviceSynchronize(); assert(h[0] == 1);", false},
	{"array of the file", "int g[2]; __global__ void k(int *a) { g[threadIdx.x] = 1; }", "k<<<1,2>>>(d); cudaDeviceSynchronize(); assert(g[0] == 1);", false},
	{"array of the device by name", "__device__ int g[2]; __global__ void k(int *a) { g[threadIdx.x] = 1; }", "k<<<1,2>>>(d); cudaDeviceSynchronize(); assert(g[0] == 1);", false},
	{"two streams", "__global__ void k(int *a) { a[0] = a[0] + 1; }", "cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); k<<<1,1,0,s>>>(d); k<<<1,1,0,t>>>(d); cudaDeviceSynchronize();", false},
	{"groups that are too large", "", "int *m; cudaMalloc((void **)&m, 8000); k<<<1,2000>>>(m); cudaMemcpy(h, m, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"argument of a print", "", "int i = 0; k<<<1,2>>>(d); printf(\"%d\", i++); assert(i == 0);", false},
	{"access in a print", "__global__ void k(int *a) { a[threadIdx.x] = 1; printf(\"%d\", a[1 - threadIdx.x]); }", "k<<<1,2>>>(d);", false},
	{"number of characters", "", "k<<<1,2>>>(d); int x = printf(\"abc\"); assert(x == 0);", false},
	{"answer in a variable", "", "int v = 5; k<<<1,2>>>(d); cudaRuntimeGetVersion(&v); assert(v == 5);", false},
	{"time in a variable", "", "float v = 5; cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); k<<<1,2>>>(d); cudaEventElapsedTime(&v, a, b); assert(v == 5);", false},
	{"error that did not come", "", "k<<<1,2>>>(d); if (cudaGetLastError() == cudaErrorMemoryAllocation) exit(0); assert(h[0] == 1);", false},
	{"constant of a direction", "", "k<<<1,2>>>(d); assert(cudaMemcpyDeviceToHost == 0);", false},
	{"program that aborts", "", "k<<<1,2>>>(d); abort();", false},
	{"size that is not evaluated", "", "int i = 0; k<<<1,2>>>(d); int n = sizeof(i++); assert(i == 1);", false},
	{"constant of the file", "const int A = 3; const int B = A + 1; __global__ void k(int *a) { a[threadIdx.x] = 1; }", "int A = 7; k<<<1,2>>>(d); assert(B == 8 || A == 3);", false},
	{"choice of two types", "", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); long x = h[0] ? -1 : umax(1u, 2u); assert(x == -1);", false},
	{"smaller one without sign", "", "int m = -1; k<<<1,2>>>(d); assert(umin(m, 5) != 5);", false},
	{"floating number beyond the range", "__global__ void k(int *a) { float f = 3e9f; a[threadIdx.x] = (int)f; }", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] < 0);", false},
	{"functions of two libraries", "__global__ void k(int *a) { float f = 0.7f; a[threadIdx.x] = sinf(f) == f; a[threadIdx.x] = 1000000 * sinf(f); }", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); float f = 0.7f; int x = 1000000 * sinf(f); assert(h[0] == x);", false},
	{"product that is added before it is rounded", "__global__ void k(int *a) { float f = 0.1f; a[threadIdx.x] = f * f - 0.01f == 0; }", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); float f = 0.1f; float p = f * f; assert(h[0] == (p - 0.01f == 0));", false},
	{"time that does not pass", "__global__ void k(int *a) { long long x = clock64(); a[threadIdx.x] = x == clock64(); }", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"symbols", "__constant__ int c[2]; __device__ int g; __global__ void k(int *a) { a[threadIdx.x] = c[threadIdx.x]; if (threadIdx.x == 1) g = 7; }", "h[0] = 5; cudaMemcpyToSymbol(c, h, 4, 4, cudaMemcpyHostToDevice); cudaMemcpyToSymbol(c, &h[1], sizeof(int)); k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); int x; cudaMemcpyFromSymbol(&x, g, sizeof(g)); assert(h[0] == 0 && h[1] == 5 && x == 7);", true},
	{"what is allocated is freed", "", "int *m = (int *)malloc(8), *p; cudaMallocHost((void **)&p, 8); k<<<1,2>>>(d); cudaFree(d); cudaFreeHost(p); free(m); free(NULL); cudaFree(0);", true},
	{"cases with variables", "", "k<<<1,2>>>(d); int y = 1, z = 0; switch (y) { case 0: ; int y; case 1: y = 2; z = y; } assert(y == 1 && z == 2);", true},
	{"sign of 0", "", "k<<<1,2>>>(d); float z = 0.0f; float x = -z; assert(1.0f / x > 0);", false},
	{"number that is rounded once", "", "k<<<1,2>>>(d); float f = (float)9007199791611905LL; assert(f == 9007199254740992.0f);", false},
	{"effect in the memory of a launch", "", "int n = 0; k<<<1,2,n++>>>(d); assert(n == 0);", false},
	{"more memory than a group has", "__global__ void k(int *a) { __shared__ int s[20000]; s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x]; }", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"where a copy to a symbol begins", "__constant__ int c[4]; __global__ void k(int *a) { a[threadIdx.x] = c[0]; }", "h[0] = 5; cudaMemcpyToSymbol(c, h, 4, 4); k<<<1,2>>>(d); cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); assert(h[0] == 5);", false},
	{"where a copy from a symbol begins", "__device__ int c[2]; __global__ void k(int *a) { c[threadIdx.x] = threadIdx.x; }", "k<<<1,2>>>(d); cudaMemcpyFromSymbol(h, c, 4, 4); assert(h[0] == 0);", false},
	{"direction of a copy from a symbol", "__device__ int c[2]; __global__ void k(int *a) { c[threadIdx.x] = threadIdx.x + 1; }", "k<<<1,2>>>(d); cudaMemcpyFromSymbol(h, c, 4, 0, cudaMemcpyHostToDevice); assert(h[0] == 1);", false},
	{"freed twice", "", "k<<<1,2>>>(d); int *m = (int *)malloc(8); free(m); free(m);", false},
	{"freed in part", "", "k<<<1,2>>>(d); int *m = (int *)malloc(8); m++; free(m);", false},
	{"variable that is freed", "", "k<<<1,2>>>(d); free(h);", false},
	{"memory of the host freed as that of the device", "", "k<<<1,2>>>(d); int *m = (int *)malloc(8); cudaFree(m);", false},
	{"memory of the device freed as that of the host", "", "k<<<1,2>>>(d); free(d);", false},
	{"memory of the device freed twice", "", "k<<<1,2>>>(d); cudaFree(d); cudaFree(d);", false},
	{"freed without a type", "", "k<<<1,2>>>(d); void *v; cudaMalloc(&v, 8); cudaFree(v); cudaMemset(v, 0, 8);", false},
	{"array of the device as an argument by its name", "__device__ int g[2]; __global__ void k(int *a) { a[threadIdx.x] = 1; }", "k<<<1,2>>>(g); cudaMemcpyFromSymbol(h, g, 4); assert(h[0] == 1);", false},
	{"array of the device copied by its name", "__device__ int g[2]; __global__ void k(int *a) { g[threadIdx.x] = 1; }", "k<<<1,2>>>(d); cudaMemcpy(h, g, 4, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"array of the device filled by its name", "__device__ int g[2]; __global__ void k(int *a) { a[threadIdx.x] = g[threadIdx.x]; }", "cudaMemset(g, 1, 8); k<<<1,2>>>(d); cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); assert(h[0] == 0x01010101);", false},
	{"day in a variable", "", "k<<<1,2>>>(d); long t = 5; time(&t); assert(t == 5);", false},
	{"effect in an argument of a library", "", "k<<<1,2>>>(d); int i = 0; int x = atoi((i++, \"3\")); assert(i == 0);", false},
	{"effect in the name of a file", "", "k<<<1,2>>>(d); int i = 0; FILE *f = fopen((i++, \"x\"), \"r\"); assert(i == 0);", false},
	{"truth of a pointer", "", "k<<<1,2>>>(d); bool b = d; int x = b; assert(x != 1);", false},
	{"variable that a case jumps past", "", "k<<<1,2>>>(d); int y = 1; switch (y) { case 0: ; int y; case 1: y = 2; } assert(y == 2);", false},
	{"variable before the cases", "", "k<<<1,2>>>(d); int y = 1; switch (y) { int y; case 1: y = 2; } assert(y == 2);", false},
	{"static variable of two instances", "template <int N> int next() { static int n = N; return n++; } __global__ void k(int *a) { a[threadIdx.x] = 1; }", "k<<<1,2>>>(d); int a = next<3>(); int b = next<10>(); assert(b == 4);", false},
	{"memory of the group of two instances", "template <int N> __device__ int f(int x) { __shared__ int s[4]; if (x) s[threadIdx.x] = N; return s[threadIdx.x]; }  __global__ void k(int *a) { f<1>(1); f<2>(1); a[threadIdx.x] = f<1>(0); }", "k<<<1,2>>>(d); cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); assert(h[0] == 2);", false},
	{"barrier of two calls", "__device__ void sync() { __syncthreads(); } __global__ void k(int *a) { if (threadIdx.x % 2) sync(); else sync(); a[threadIdx.x] = 1; }", "k<<<1,2>>>(d);", false},
	{"barrier in rounds that differ", "__global__ void k(int *a) { int o = threadIdx.x ? 2 : 1, n = threadIdx.x ? 1 : 2; for (int i = 0; i < o; i++) for (int j = 0; j < n; j++) __syncthreads(); a[threadIdx.x] = 1; }", "k<<<1,2>>>(d);", false},
	{"assertions that are not compiled", "#define NDEBUG\n__global__ void k(int *a) { a[threadIdx.x] = 1; }", "int n = 0; assert((n = 1) == 1); k<<<1,2>>>(d); n = 1 / n;", false},
	{"stream without a name that is waited for", "", "int *m; cudaMallocManaged((void **)&m, 8); k<<<1,2>>>(m); cudaStreamSynchronize(0); assert(m[0] == 1); cudaStream_t s; k<<<1,2>>>(m); cudaStreamSynchronize(NULL); m[0] = 2;", true},
	{"copies in braces", "__global__ void k(int *a) { a[threadIdx.x + 2 * threadIdx.y] = 1; }", "int *m; cudaMalloc((void **)&m, 16); dim3 c(2, 2); dim3 b(c), e = {b}; k<<<1,e>>>(m); assert(b.y == 2 && e.y == 2 && e.z == 1);", true},
	{"copy in brackets", "__global__ void k(int *a) { a[threadIdx.x] = threadIdx.y; }", "dim3 c(2, 2); dim3 b(c); k<<<1,b>>>(d);", false},
	{"parts that are not said", "", "dim3 b; dim3 g(2); dim3 e[2] = {{2}}; b.x = 2; k<<<1,b>>>(d); assert(b.y == 1 && g.z == 1 && e[1].x == 1 && e[0].y == 1);", true},
	{"parts of a structure that are not said", "struct L { dim3 g, b; }; __global__ void k(int *a) { a[threadIdx.x] = 1; }", "k<<<1,2>>>(d); struct L l = {{1}}; assert(l.b.x == 0);", false},
	{"root of an integer, which is none", "", "k<<<1,2>>>(d); assert((int)sqrt(2) == sqrt(2));", false},
	{"0 and −0", "__global__ void k(float *a) { a[0] = threadIdx.x ? 0.0f : -0.0f; }", "float *f; cudaMalloc((void **)&f, 8); k<<<1,2>>>(f);", false},
	{"atomic operation beyond a row", "__global__ void k(int *a) { __shared__ int s[2][1]; s[threadIdx.x][0] = 0; __syncthreads(); atomicAdd(&s[0][threadIdx.x], 1); a[threadIdx.x] = 1; }", "k<<<1,2>>>(d);", false},
	{"aligned vectors", "__global__ void k(const int2 *__restrict__ a, const int2 *__restrict__ b) { int x = a[threadIdx.x].x; assert(b[0].y == 0); }", "int *m; cudaMalloc((void **)&m, 32); cudaMemset(m, 0, 32); k<<<1,2>>>((int2 *)(m + 2), (int2 *)m);", true},
	{"variable of the file that begins with another", "int A = 3; int B = A + 1; __global__ void k(int *a) { a[threadIdx.x] = 1; }", "A = 7; k<<<1,2>>>(d); assert(B == 8);", false},
	{"variable of the file that begins with a call", "int n = 0; int f() { return ++n; } int B = f(); __global__ void k(int *a) { a[threadIdx.x] = 1; }", "assert(n == 0); k<<<1,2>>>(d);", false},
	{"copy that overlaps", "", "k<<<1,2>>>(d); int v[4] = {1, 0, 0, 0}; memcpy(v + 1, v, 8); assert(v[2] == 0);", false},
	{"copy of the device that overlaps", "", "k<<<1,1>>>(d); int *e; cudaMalloc((void **)&e, 16); cudaMemset(e, 0, 16); cudaMemcpy(e + 1, e, 8, cudaMemcpyDeviceToDevice);", false},
	{"copy within the device, which does not wait", "", "int *m, *e; cudaMallocManaged((void **)&m, 8); cudaMalloc((void **)&e, 8); k<<<1,2>>>(d); k<<<1,2>>>(m); cudaMemcpy(e, d, 8, cudaMemcpyDeviceToDevice); assert(m[0] == 1);", false},
	{"copy within the host, which does not wait", "", "int *m; int g[2]; cudaMallocManaged((void **)&m, 8); k<<<1,2>>>(m); cudaMemcpy(g, h, 8, cudaMemcpyHostToHost); assert(m[0] == 1);", false},
	{"another stream that is waited for", "", "int *m; cudaStream_t s; cudaStreamCreate(&s); cudaMallocManaged((void **)&m, 8); k<<<1,2>>>(m); cudaStreamSynchronize(s); assert(m[0] == 1);", false},
	{"code of the host by __CUDA_ARCH__", "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\nreturn 1;\n#else\nreturn 2;\n#endif\n}\n__global__ void k(int *a) { a[threadIdx.x] = f(); }", "k<<<1,2>>>(d); assert(f() == 1);", false},
	{"long double", "", "k<<<1,2>>>(d); assert(sizeof(long double) == 8);", false},
	{"vector that is not aligned", "__global__ void k(int2 *a) { a[threadIdx.x].x = 1; }", "int *m; cudaMalloc((void **)&m, 32); k<<<1,2>>>((int2 *)(m + 1));", false},
	{"array that is not alone", "__global__ void k(const int *__restrict__ a, int *__restrict__ b) { b[threadIdx.x] = a[threadIdx.x] + 1; }", "cudaMemset(d, 0, 8); k<<<1,2>>>(d, d);", false},
	{"event behind the launch", "__global__ void __launch_bounds__(2) k(int *a) { a[threadIdx.x] = 1; }", "cudaEvent_t e; cudaEventCreate(&e); int *m; cudaMallocManaged((void **)&m, 8); k<<<1,2>>>(m); cudaEventRecord(e, 0); cudaEventSynchronize(e); assert(m[0] == 1); cudaFree(m); cudaDeviceReset();", true},
	{"rows", "", "k<<<1,2>>>(d); int m[2][2] = {{1, 2}, {3, 4}}; int *e = &m[1][2], *p = m[0], s = 0; for (p = &m[0][0]; p < e; p++) s += *p; assert(s == 10);", true},
	{"memory of a device that is reset", "", "k<<<1,2>>>(d); cudaDeviceReset(); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"event before the launch", "", "cudaEvent_t e; cudaEventCreate(&e); int *m; cudaMallocManaged((void **)&m, 8); cudaEventRecord(e, 0); k<<<1,2>>>(m); cudaEventSynchronize(e); assert(m[0] == 1);", false},
	{"groups that are larger than a kernel allows", "__global__ void __launch_bounds__(1) k(int *a) { a[threadIdx.x] = 1; }", "k<<<1,2>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); assert(h[0] == 1);", false},
	{"size of a truth value", "", "k<<<1,2>>>(d); assert(sizeof(true) == 4 || sizeof(1 < 2) == 4);", false},
	{"element beyond a row", "", "k<<<1,2>>>(d); int m[2][2] = {{1, 2}, {3, 4}}; int i = 2; m[0][i] = 5;", false},
	{"element beyond an array in a structure", "struct S { int a[2]; int b; }; __global__ void k(int *a) { a[threadIdx.x] = 1; }", "k<<<1,2>>>(d); struct S s; s.b = 1; int i = 2; int x = s.a[i];", false},
	{"variable of a block that was left", "", "k<<<1,2>>>(d); int *p; { int x = 5; p = &x; } assert(*p == 5);", false},
	{"variable of a function that has returned", "int *f() { int x = 5; return &x; } __global__ void k(int *a) { a[threadIdx.x] = 1; }", "k<<<1,2>>>(d); int *p = f(); *p = 3;", false},
	{"variable of an earlier round", "", "k<<<1,2>>>(d); int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (!p) p = &x; } assert(*p == 0);", false},
}

// TestHosts: what a program does between the memories of the host and of the device, and what the
// functions of its libraries leave open.
func TestHosts(t *testing.T) {
	for _, c := range hosts {
		kernel := c.kernel
		if kernel == "" {
			kernel = "__global__ void k(int *a) { a[threadIdx.x] = 1; }"
		}
		src := fmt.Sprintf("#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n%s\nint main() { int h[2] = {0, 0}; int *d; cudaMalloc((void **)&d, 8); %s }", kernel, c.body)
		r := gpu.File(context.Background(), "k.cu", []byte(src), gpu.Options{})[0]
		if (r.Verdict == gpu.Safe) != c.safe {
			t.Errorf("%s: %s %s\n%s", c.name, r.Verdict, r.Why, src)
		}
	}
}
