package gpu_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// TestUnlessOverflow: where only overflow of signed numbers makes a kernel race, its line says so; never where
// a run without overflow races, as those do whose products are not evaluated.
func TestUnlessOverflow(t *testing.T) {
	const flags = "//--blockDim=[16,16] --gridDim=[*,*]\n"
	const ids = "int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; "
	for _, c := range []struct {
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
		{"__global__ void k(int *a, unsigned n) { " + ids + "if (n > 70000 && n * n == 4294967296u - 1000) a[x] = y; if (n * n < n) a[x] = y; }", false},
	} {
		r := gpu.File(context.Background(), "k.cu", []byte(flags+c.src), gpu.Options{})[0]
		if said := strings.Contains(r.Why, "unless a signed number overflows"); said != c.so || r.Verdict == gpu.Safe {
			t.Errorf("%s\n%s: %q", c.src, r.Verdict, r.Why)
		}
	}
}
