package gpu_test

import (
	"context"
	"os"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// TestRows: arrays of two and three dimensions, with a column for each thread of a row, and
// with rows that overlap.
func TestRows(t *testing.T) {
	for _, k := range []struct {
		name, src string
		safe      bool
		long      bool // only with GRADINE_SWEEP=1
	}{
		{"two dimensions", `//--local_size=16,16 --num_groups=64,64
			__kernel void k(__global float *a, __global float *b) { int i = get_global_id(1), j = get_global_id(0);
			if (i > 0 && j > 0 && i < 1023 && j < 1023) a[i * 1024 + j] = b[i * 1024 + j + 1] + b[(i - 1) * 1024 + j]; }`, true, false},
		{"three dimensions", `//--local_size=8,8,8 --num_groups=16,16,16
			__kernel void k(__global float *a) { a[get_global_id(2) * 16384 + get_global_id(1) * 128 + get_global_id(0)] = get_local_id(0); }`, true, false},
		{"rows that overlap by one", `//--local_size=16,16 --num_groups=64,64
			__kernel void k(__global float *a) { a[get_global_id(1) * 1023 + get_global_id(0)] = get_local_id(0); }`, false, false},
		{"planes that overlap", `//--local_size=8,8,8 --num_groups=16,16,16
			__kernel void k(__global float *a) { a[get_global_id(2) * 16000 + get_global_id(1) * 128 + get_global_id(0)] = get_local_id(0); }`, false, false},
		{"a width that the launch does not know", `//--local_size=32,8 --num_groups=*,*
			__kernel void k(__global float *a, int n, int m) { __requires(n < 10000); __requires(m > 0);__requires(m < 10000);
			int j = get_global_id(0), i = get_global_id(1); if (i < n && j < m - 1) a[i * m + j] += 1; }`, true, false},
		{"a condition in front of a loop", `//--local_size=32,8 --num_groups=64,64
			__kernel void k(__global float *a, int n, int m) { __requires(n < 10000); __requires(m > 0); __requires(m < 10000);
			int j = get_global_id(0), i = get_global_id(1), r = 0; if (i >= n || j >= m) return; while (r < j) r++; a[i * m + j] = r; }`, true, false},
		{"a condition in front of a loop, of another column", `//--local_size=32,8 --num_groups=64,64
			__kernel void k(__global float *a, int n, int m) { __requires(n < 10000); __requires(m > 0); __requires(m < 10000);
			int j = get_global_id(0), i = get_global_id(1), r = 0; if (i >= n || j >= m + 1) return; while (r < j) r++; a[i * m + j] = r; }`, false, true},
		{"a column too many", `//--local_size=32,8 --num_groups=*,*
			__kernel void k(__global float *a, int n, int m) { __requires(n < 10000); __requires(m > 0);__requires(m < 10000);
			int j = get_global_id(0), i = get_global_id(1); if (i < n && j <= m) a[i * m + j] += 1; }`, false, true},
		{"a factor that is not 0", `//--local_size=256 --num_groups=*
			__kernel void k(__global float *m, int n, int t) { __requires(n <= 20000); __requires(0 <= t); __requires(t < n);
			int i = get_global_id(0); if (i < n - 1 - t) m[n * (i + t + 1) + t] /= 2; }`, true, false},
		{"a factor that may be 0", `//--local_size=256 --num_groups=*
			__kernel void k(__global float *m, int n, int t) { __requires(n <= 20000); __requires(0 <= t); __requires(t < n);
			int i = get_global_id(0); if (i < n - 1 - t) m[t * (i + n + 1) + n] = i; }`, false, true},
		{"columns that a thread goes through in turns", `//--local_size=32 --num_groups=*
			__kernel void k(__global float *y, int cols) { __requires(cols <= 4096);
			for (int j = get_local_id(0); j < cols; j += 32) y[(size_t)get_group_id(0) * cols + j] += 1; }`, true, false},
		{"columns of the next row", `//--local_size=32 --num_groups=*
			__kernel void k(__global float *y, int cols) { __requires(cols <= 4096);
			for (int j = get_local_id(0); j <= cols; j += 32) y[(size_t)get_group_id(0) * cols + j] += 1; }`, false, false},
	} {
		if k.long && os.Getenv("GRADINE_SWEEP") == "" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			for _, r := range gpu.File(context.Background(), "k.cl", []byte(k.src), gpu.Options{}) {
				if (r.Verdict == gpu.Safe) != k.safe || r.Verdict == gpu.Unsupported {
					t.Errorf("%s, and safe should be %v: %s %+v", r.Verdict, k.safe, r.Why, r.Checks)
				}
			}
		})
	}
}
