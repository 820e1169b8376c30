package gpu_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// TestNoOverflow: where only overflow of signed numbers makes a kernel race, it is safe, and its line says what that assumes;
// never where a run without overflow races, as those do whose products are not evaluated, nor where unsigned numbers wrap.
// With --checks overflow nothing is assumed.
func TestNoOverflow(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	const flags = "//--blockDim=[16,16] --gridDim=[*,*]\n"
	const ids = "int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; "
	for i, c := range []struct {
		src string
		so  bool
	}{
		{"__global__ void k(int *a, int w, int h) { " + ids + "if (x < w && y < h) a[y * w + x] = x; }", true},
		{"__global__ void k(int *a, int w, int h) { " + ids + "if (x >= w || y >= h) return; int i = 0; while (i < h) i++; a[y * w + x] = i + x; }", true},
		{"__global__ void k(int *a, int w, int h) { " + ids + "if (x < w && y < h) a[(y * w + x) / 2] = x; }", false},
		{"__global__ void k(int *a, int w, int h) { " + ids + "if (x < w && y < h) a[(y + 1) * w + x + (x == w - 1)] = x; }", false},
		{"__global__ void k(int *a, int n) { " + ids + "if (n > 50000 || n * n == 4) a[x] = y; }", false},
		{"__global__ void k(int *a, int n) { " + ids + "if (n > 50000 && (n < 60000 || n * n == 4)) a[x] = y; }", false},
		{"__global__ void k(int *a, int n) { " + ids + "int m = n > 50000 ? 1 : n * n; if (m == 1 && n > 50000) a[x] = y; }", false},
		{"__global__ void k(int *a, int n, unsigned u) { " + ids + "int i = x + u; if (u > 4000000000u && y == 0) a[i / 2] = x; }", false},
		{"__global__ void k(int *a, int w) { int row = blockIdx.x * w; if (blockIdx.y == 0 && threadIdx.y == 0) for (int c = threadIdx.x; c < w; c += blockDim.x) a[row + c] = c; }", true},
		{"__global__ void k(int *a, int w) { int row = blockIdx.x * w; if (blockIdx.y == 0 && threadIdx.y == 0) for (int c = threadIdx.x; c <= w; c += blockDim.x) a[row + c] = c + blockIdx.x; }", false},
		{"__global__ void k(int *a, int w) { int row = blockIdx.x / 2 * w; if (blockIdx.y == 0 && threadIdx.y == 0 && threadIdx.x < w) a[row + threadIdx.x] = blockIdx.x; }", false},
		{"__global__ void k(int *a, unsigned u) { int i = threadIdx.x * u; if (u > 3000000000u && threadIdx.y == 0 && blockIdx.x + blockIdx.y == 0) a[i & 1] = threadIdx.x; }", false},
		{"__global__ void k(int *a, int u) { unsigned i = threadIdx.x * u; if (u == 65536 * 8192 && threadIdx.y == 0 && blockIdx.x + blockIdx.y == 0) a[i] = threadIdx.x; }", false},
		{"__global__ void k(int *a) { int h = threadIdx.x * 536870912; if (blockIdx.x + blockIdx.y == 0 && threadIdx.y == 0) a[h] = threadIdx.x; }", false},
		{"__global__ void k(int *a, unsigned n) { " + ids + "int i = threadIdx.x - 1 + n; if (n == 5 && y == 0 && i < 8) a[x / 16] = x; }", false},
		{"__global__ void k(int *a, unsigned n) { " + ids + "if (n > 70000 && n * n == 4294967296u - 1000) a[x] = y; if (n * n < n) a[x] = y; }", false},
	} {
		if i%corpus.Effort(1, 2, 1) != 0 {
			continue
		}
		judge := func(o gpu.Options) gpu.Report {
			return gpu.File(context.Background(), "k.cu", []byte(flags+c.src), o)[0]
		}
		r := judge(gpu.Options{})
		if said := strings.Contains(r.Why, "assuming no signed overflow"); said != c.so || (r.Verdict == gpu.Safe) != c.so {
			t.Errorf("%s\n%s: %q", c.src, r.Verdict, r.Why)
		}
		if c.so {
			o := gpu.Options{}
			o.Launch.Overflow = true
			if r := judge(o); r.Verdict == gpu.Safe {
				t.Errorf("%s\nsafe though an overflow is checked", c.src)
			}
		}
	}
}
