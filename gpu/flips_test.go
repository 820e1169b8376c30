package gpu_test

import (
	"context"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// TestFlippedBits: threads that meet others by an exclusive or are safe where each pair is one thread's, and never with a fault.
func TestFlippedBits(t *testing.T) {
	for k, bodies := range [][]string{{
		"a[t ^ 1] = t;",
		"a[t ^ 63] = t;",
		"a[t ^ 12] = t;",
		"int p = t ^ 8; if (p > t) { int x = a[t]; a[t] = a[p]; a[p] = x; }",
		"int p = t ^ n; if (p > t) { int x = a[t]; a[t] = a[p]; a[p] = x; }",
		"unsigned p = n ^ (unsigned)t; if (p > t) { a[t] += a[p]; a[p] = 1; }",
	}, {
		"a[t ^ 1] = t; a[t] = 3;",
		"int p = t ^ 4; if (p >= t) a[p] = t; else a[t] = 1; a[p] = t;",
		"int p = t ^ 3; if (p > t) { a[t] = p; a[p + 1] = 1; }",
		"int p = t ^ 5; a[p / 2] = t;",
		"int p = t ^ 63; if (p != t) { a[p] = 1; a[t] = t; }",
		"for (int j = 32; j > 0; j /= 2) { int p = t ^ j; if (p > t) { int x = a[t]; a[t] = a[p]; a[p] = x; } }",
		"for (int j = 1; j < 64; j *= 2) { int p = t ^ j; if (p != t) { int x = a[t]; a[t] = a[p]; a[p] = x; } __syncthreads(); }",
		"a[(t ^ -2) & 31] = t;",
		"unsigned u = t; a[(u ^ 0xfffffffe) & 15] = t;",
		"a[(t ^ n) & 7] = t;",
		"int p = t ^ n; if (p != t) { a[t] = a[p]; a[p] = t; }",
		"int p = t ^ (n + t / 32); if (p > t) { a[t] = 1; a[p] = t; }",
		"int p = t ^ n, q = p ^ 1; if (q > t) { a[t] = 1; a[q] = t; }",
		"int p = t ^ a[0]; if (p > t) { a[t] = 1; a[p] = t; }",
		"int m = n; if (t & 1) m = n + 1; int p = t ^ m; if (p > t) { a[t] = 1; a[p] = t; }",
		"char p = t ^ n; if (p > (t & 31)) { a[t & 31] = 1; a[p] = t; }",
		"int p = (t - 3) ^ 4; a[p & 31] = t;",
	}} {
		for i, body := range bodies {
			if testing.Short() && i > 10 {
				continue
			}
			src := "//--blockDim=64 --gridDim=1\n__global__ void k(int *a, int n) { int t = threadIdx.x; " + body + " }"
			v, why := worst(gpu.File(context.Background(), "k.cu", []byte(src), gpu.Options{}))
			if (v == gpu.Safe) != (k == 0) {
				t.Errorf("%s is %s %s", body, v, why)
			}
		}
	}
}
