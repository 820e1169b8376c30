package gpu_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/launch"
)

// TestPointersInMemory: pointers that are read from memory lead to what may be there, and copies of any length
// access all of it. Kernels named safe… are safe, fails… are not, and refused… are not read.
func TestPointersInMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	c := compiler(t)
	ir, _ := compiledText(t, c, "k.cu", pointersInMemory)
	reports := gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: launch.Options{Local: [3]int64{64, 1, 1}, Groups: [3]int64{0, 1, 1}}})
	if len(reports) != strings.Count(pointersInMemory, "__global__") {
		t.Errorf("%d reports", len(reports))
	}
	for _, r := range reports {
		var bad bool
		switch name := r.Kernel; {
		case strings.HasPrefix(name, "refused"):
			bad = r.Verdict != gpu.Unsupported
		case strings.HasPrefix(name, "fails"):
			bad = r.Verdict == gpu.Safe || r.Verdict == gpu.Unsupported
		default:
			bad = r.Verdict != gpu.Safe
		}
		if bad {
			t.Errorf("%s: %s %s", r.Kernel, r.Verdict, r.Why)
		}
	}
}

const pointersInMemory = `
#define I (threadIdx.x + blockIdx.x * blockDim.x)
struct View { float *x, *y; int n; };
struct Node { Node *next; float v; };
struct Views { View in, out; float w; };
struct Pair { float *x; long k; };
struct Big { float *p[100]; int n; };
__device__ float *table[4];
__constant__ View view;
__device__ float cells[1000];
__device__ float *first = cells;
__constant__ float *both[2] = {cells, cells + 1};
__constant__ View set = {cells, cells, 3};

__global__ void safeReads(float **a, float *out, int n) { float s = 0; for (int k = 0; k < n; k++) s += a[k][I]; out[I] = s; }
__global__ void safeOne(float **a, int n) { a[0][I] = n; }
__global__ void safeView(View *v) { if (I < v->n) v->x[I] = v->y[I]; }
__global__ void safeNested(Views *v) { v->out.x[I] = v->in.x[I]; }
__global__ void safeConstant() { view.x[I] = view.y[I + 1]; }
__global__ void safeTable(int n) { table[1][I] = n; }
__global__ void safeLocal(float *a, float *b, int n) { float *p[3] = {a, b, a}; p[n % 3][I] = 1; }
__global__ void safeSame(float *a) { float *p[2] = {a, a}; for (int k = 0; k < 2; k++) p[k][I] = k; }

__global__ void failsAny(float **a, int n) { a[n][I] = I; }
__global__ void failsRow(float **a, int n) { a[I][0] = I; }
__global__ void failsHalf(float **a, int n) { a[I % 2][I / 2] = I; }
__global__ void failsTwo(float **a) { a[0][I] = 1; a[1][0] = I; }
__global__ void failsMoved(float **a) { float **p = a + 1; p[0][I] = I; a[1][I + 1] = 2; }
__global__ void failsCast(double **a) { float *f = (float *)a[0]; f[2 * I] = 1; a[0][I + 1] = 2; }
__global__ void failsView(View *v) { if (I < v->n) v->x[I] = v->x[I + 1]; }
__global__ void failsViews(View *v, int k) { v[k].x[I] = v[k].y[I + 1]; }
__global__ void failsNested(Views *v) { v->out.x[I] = 1; v->out.x[I ^ 1] = I; }
__global__ void failsConstant() { view.x[I] = view.x[I + 1]; }
__global__ void failsTable(int n) { table[1][I / 2] = n + I; }
__global__ void failsEither(float **a, float *b) { float *p = a[0]; if (I > 3) p = b; p[0] = I; }
__global__ void failsLocal(float *a, float *b, int n) { float *p[3] = {a, b, a + 1}; p[I % 3][I] = I; }
__global__ void failsShared(float *a) { __shared__ float *p[64]; p[threadIdx.x] = a + I; __syncthreads(); *p[(threadIdx.x + 1) % 64] = 1; *p[threadIdx.x] = 2; }
__global__ void failsNulls(float *a, float *b, int *out) { if (a == b) out[0] = I; }
__global__ void failsEmpty(View *v, int *out) { if (v->x == v->y) out[0] = I; }

__global__ void refusedFirst() { first[I] = cells[I + 1]; }
__global__ void refusedBoth() { both[0][I] = both[1][I]; }
__global__ void refusedStart() { set.x[I] = set.y[I + 1]; }
__global__ void refusedStatic() { static float *const t[2] = {cells, cells}; t[0][I] = t[1][I + 1]; }
__global__ void refusedList(Node *p, float *out) { float s = 0; for (Node *q = p; q; q = q->next) s += q->v; out[I] = s; }
__global__ void refusedSwap(float **a) { float *t = a[0]; a[0] = a[1]; a[1] = t; a[0][I] = 1; }
__global__ void refusedSet(float *a) { if (I == 0) table[0] = a; table[0][I] = 1; }
__global__ void refusedChars(char **a) { a[0][I] = 1; a[1][I + 1] = 2; }
__global__ void refusedVoid(void **a) { ((float *)a[0])[I] = 1; }
__global__ void refusedDeep(View **v) { v[0]->x[I] = v[0]->x[I + 1]; }
__global__ void refusedPrivate(float *a) { __shared__ float *p; float x[2]; x[I % 2] = 1; if (threadIdx.x == 0) p = x; __syncthreads(); a[I] = *p; }
__global__ void refusedNumbers(float *a) { Pair t[2]; t[I % 2].k = (long)a; t[I % 2].x = a; *t[(I + 1) % 2].x = I; }
__global__ void refusedBytes(float **a) { float *t[2]; memcpy(t, a, 16); t[I % 2][0] = I; }
__global__ void refusedBig(Big b, int k) { b.p[k][I] = b.p[3][I]; }

__global__ void safeCopy(char *a, const char *b, int n) { memcpy(a + (long long)I * 64, b, n & 63); }
__global__ void safeClear(int *a, int n) { if (n <= 4 && n > 0) memset(a + 4 * (long long)I, 0, n * sizeof(int)); }
__global__ void safeShared(int *a, int n) { __shared__ int s[128]; s[threadIdx.x] = n; __syncthreads(); if (threadIdx.x == 0) memcpy(a + 128 * (long long)blockIdx.x, s, n & 511); }
__global__ void safeLarge(int4 *a, const int4 *b) { int4 t[300]; memcpy(t, b, sizeof t); a[I] = t[3]; }
__global__ void failsCopy(char *a, const char *b, int n) { memcpy(a + (long long)I * 64, b, n & 127); }
__global__ void failsAll(char *a, const char *b, int n) { memcpy(a, b, n); }
__global__ void failsMove(char *a, int n) { memmove(a + I, a + I + 1, n); }
__global__ void failsClear(int *a, int n) { memset(a + I, 0, 4 * n); a[I] = I; }
__global__ void failsOld(int *a, int *b, int n) { int t[4] = {1, 1, 1, 1}; memcpy(t, b, n & 15); if (t[0] == 1 && t[1] == 1) return; a[0] = I; }
__global__ void failsScalar(int *a, int *b, int n) { int t = 1, u = 2; memcpy(&t, b, n); if (t != 1) a[0] = I + u; }
__global__ void failsOwn(int *a, int *b, int n) { a[I] = 1; memset(a + I, 0, n & 7); if (a[I] != 1) b[0] = I; }
__global__ void failsEarly(int *a, int n) { __shared__ int s[128]; s[threadIdx.x] = n; memcpy(a + 128 * blockIdx.x, s, n); }
__global__ void failsLarge(int4 *a, const int4 *b) { memcpy(a, b, 40 * sizeof(int4)); }
`
