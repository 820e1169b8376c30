package gpu_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
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
		{"three channels", `//--local_size=16,16 --num_groups=*,*
			__kernel void k(__global uchar *o, int w, int h) { __requires(w < 1000); __requires(h < 1000);
			int x = get_global_id(0), y = get_global_id(1); if (x < w && y < h) { int i = (y * w + x) * 3; o[i] = 1; o[i + 1] = 2; o[i + 2] = 3; } }`, true, false},
		{"three channels in places for two", `//--local_size=16,16 --num_groups=*,*
			__kernel void k(__global uchar *o, int w, int h) { __requires(w < 1000); __requires(h < 1000);
			int x = get_global_id(0), y = get_global_id(1); if (x < w && y < h) { int i = (y * w + x) * 2; o[i] = 1; o[i + 1] = 2; o[i + 2] = 3; } }`, false, true},
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

// TestRowsExact: rows that loops go through, rows of rows, and tiles that are transposed, where no number wraps; and the same with a fault.
func TestRowsExact(t *testing.T) {
	for _, k := range []struct {
		name, src string
		safe      bool
	}{
		{"a padded tile that is transposed", `//--local_size=16,4 --num_groups=*,*
			__kernel void k(__global float *o, __global const float *a, int w, int h) { __local float t[16][17];
			int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < w && y + j < h) t[get_local_id(1) + j][get_local_id(0)] = a[(y + j) * w + x];
			barrier(CLK_LOCAL_MEM_FENCE);
			x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < h && y + j < w) o[(y + j) * h + x] = t[get_local_id(0)][get_local_id(1) + j]; }`, true},
		{"a tile that is transposed without a barrier", `//--local_size=16,4 --num_groups=*,*
			__kernel void k(__global float *o, __global const float *a, int w, int h) { __local float t[16][17];
			int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < w && y + j < h) t[get_local_id(1) + j][get_local_id(0)] = a[(y + j) * w + x];
			
			x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < h && y + j < w) o[(y + j) * h + x] = t[get_local_id(0)][get_local_id(1) + j]; }`, false},
		{"rows of a transposed tile that overlap", `//--local_size=16,4 --num_groups=*,*
			__kernel void k(__global float *o, __global const float *a, int w, int h) { __local float t[16][17];
			int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < w && y + j < h) t[get_local_id(1) + j][get_local_id(0)] = a[(y + j) * w + x];
			barrier(CLK_LOCAL_MEM_FENCE);
			x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 2) if (x < h && y + j < w) o[(y + j) * h + x] = t[get_local_id(0)][get_local_id(1) + j]; }`, false},
		{"a transposition with the width of the input", `//--local_size=16,4 --num_groups=*,*
			__kernel void k(__global float *o, __global const float *a, int w, int h) { __local float t[16][17];
			int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < w && y + j < h) t[get_local_id(1) + j][get_local_id(0)] = a[(y + j) * w + x];
			barrier(CLK_LOCAL_MEM_FENCE);
			x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < h && y + j < w) o[(y + j) * w + x] = t[get_local_id(0)][get_local_id(1) + j]; }`, false},
		{"a row that is shorter than the tile", `//--local_size=16,4 --num_groups=*,*
			__kernel void k(__global float *o, __global const float *a, int w, int h) { __local float t[16][15];
			int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < w && y + j < h) t[get_local_id(1) + j][get_local_id(0)] = a[(y + j) * w + x];
			barrier(CLK_LOCAL_MEM_FENCE);
			x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
			for (int j = 0; j < 16; j += 4) if (x < h && y + j < w) o[(y + j) * h + x] = t[get_local_id(0)][get_local_id(1) + j]; }`, false},
		{"three dimensions of any size", `//--local_size=8,8,4 --num_groups=*,*,*
			__kernel void k(__global float *o, __global const float *a, int nx, int ny, int nz) {
			int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2); if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
			int c = i + nx * (j + ny * k); o[c] = a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] + a[c + nx * ny]; }`, true},
		{"three dimensions, a column too many", `//--local_size=8,8,4 --num_groups=*,*,*
			__kernel void k(__global float *o, __global const float *a, int nx, int ny, int nz) {
			int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2); if (i < 1 || j < 1 || k < 1 || i > nx || j >= ny - 1 || k >= nz - 1) return;
			int c = i + nx * (j + ny * k); o[c] = a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] + a[c + nx * ny]; }`, false},
		{"three dimensions, exchanged", `//--local_size=8,8,4 --num_groups=*,*,*
			__kernel void k(__global float *o, __global const float *a, int nx, int ny, int nz) {
			int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2); if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
			int c = i + ny * (j + nx * k); o[c] = a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] + a[c + nx * ny]; }`, false},
		{"planes in a loop", `//--local_size=16,16 --num_groups=*,*
			__kernel void k(__global float *o, int nx, int ny, int nz) {
			int i = get_global_id(0), j = get_global_id(1); if (i >= nx || j >= ny) return;
			for (int k = 0; k < nz; k++) o[(k * ny + j) * nx + i] = k; }`, true},
		{"planes in a loop, a row too many", `//--local_size=16,16 --num_groups=*,*
			__kernel void k(__global float *o, int nx, int ny, int nz) {
			int i = get_global_id(0), j = get_global_id(1); if (i >= nx || j > ny) return;
			for (int k = 0; k < nz; k++) o[(k * ny + j) * nx + i] = k; }`, false},
		{"planes in a loop, of the other width", `//--local_size=16,16 --num_groups=*,*
			__kernel void k(__global float *o, int nx, int ny, int nz) {
			int i = get_global_id(0), j = get_global_id(1); if (i >= nx || j >= ny) return;
			for (int k = 0; k < nz; k++) o[(k * nx + j) * nx + i] = k; }`, false},
		{"channels in a loop", `//--local_size=16,16 --num_groups=*,*
			__kernel void k(__global uchar *o, int w, int h, int n) {
			int x = get_global_id(0), y = get_global_id(1); if (x >= w || y >= h) return;
			for (int c = 0; c < n; c++) o[(y * w + x) * n + c] = c; }`, true},
		{"channels in a loop, one too many", `//--local_size=16,16 --num_groups=*,*
			__kernel void k(__global uchar *o, int w, int h, int n) {
			int x = get_global_id(0), y = get_global_id(1); if (x >= w || y >= h) return;
			for (int c = 0; c <= n; c++) o[(y * w + x) * n + c] = c; }`, false},
	} {
		if !k.safe && os.Getenv("GRADINE_SWEEP") == "" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			for _, r := range gpu.File(context.Background(), "k.cl", []byte(k.src), gpu.Options{Launch: encode.Options{NoOverflow: true, NoWrap: true}}) {
				if (r.Verdict == gpu.Safe) != k.safe || r.Verdict == gpu.Unsupported {
					t.Errorf("%s, and safe should be %v: %s %+v", r.Verdict, k.safe, r.Why, r.Checks)
				}
			}
		})
	}
}

// TestManyValues: names of what may be anything are told from ids, however many there are.
func TestManyValues(t *testing.T) {
	src := "//--local_size=8,1,1 --num_groups=1\n__kernel void k(__global float *a, __local int *b) {\n    int t = get_local_id(0);\n"
	for i := range 120 {
		src += fmt.Sprintf("    int v%d = b[%d];\n", i, i)
	}
	src += "    if ((v110 | t) > v119 && v101 % 8 < 9) a[t] = 1;\n}\n"
	for _, r := range gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{}) {
		if r.Verdict != gpu.Safe {
			t.Errorf("%s %s", r.Verdict, r.Why)
		}
	}
}
