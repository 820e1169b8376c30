package count_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/gpu/llvm"
)

// The estimates of registers are those that a person gets by counting the values that live at one time.
func TestRegisters(t *testing.T) {
	kernels := compiled(t, `
__global__ void copy(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }
// Both ends: three are read before the first is used.
__global__ void three(const float *a, float *b) {
  float x = a[threadIdx.x], y = a[threadIdx.x + 32], z = a[threadIdx.x + 64];
  b[threadIdx.x] = x * y + z;
}
__global__ void doubles(const double *a, double *b) {
  double x = a[threadIdx.x], y = a[threadIdx.x + 32];
  b[threadIdx.x] = x * y;
}
// A sum and what is added to it. The second loop reads all again: 64 values are kept, and the sum.
__global__ void twice(const float *a, float *b) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 64; i++) sum += a[threadIdx.x + 32 * i];
#pragma unroll
  for (int i = 0; i < 64; i++) sum *= a[threadIdx.x + 32 * i];
  b[threadIdx.x] = sum;
}
// What is written may be what was read: nothing is kept.
__global__ void written(const float *a, float *b) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 64; i++) sum += a[threadIdx.x + 32 * i];
  b[threadIdx.x] = sum;
#pragma unroll
  for (int i = 0; i < 64; i++) sum *= a[threadIdx.x + 32 * i];
  b[threadIdx.x] = sum;
}
// Loops that are not unrolled read again.
__global__ void rolled(const float *a, float *b) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; i++) sum += a[threadIdx.x + 32 * i];
#pragma unroll 1
  for (int i = 0; i < 64; i++) sum *= a[threadIdx.x + 32 * i];
  b[threadIdx.x] = sum;
}
// An array with known indices is registers, one with others is memory.
__global__ void array(const float *a, float *b) {
  float x[40];
#pragma unroll
  for (int i = 0; i < 40; i++) x[i] = a[threadIdx.x + 32 * i];
#pragma unroll
  for (int i = 0; i < 40; i++) b[threadIdx.x + 32 * i] = x[39 - i];
}
__global__ void memory(const float *a, float *b, int k) {
  float x[40];
#pragma unroll
  for (int i = 0; i < 40; i++) x[i] = a[threadIdx.x + 32 * i];
  b[threadIdx.x] = x[k];
}
`)
	for name, want := range map[string]count.Range{
		"copy": {Low: 1, High: 1}, "three": {Low: 3, High: 3}, "doubles": {Low: 4, High: 4}, "twice": {Low: 2, High: 65},
		"written": {Low: 2, High: 2}, "rolled": {Low: 2, High: 2}, "array": {Low: 40, High: 40},
		"memory": {Low: 1, High: 1},
	} {
		b := kernels[name](count.Launch{Block: [3]int64{32, 1, 1}, Grid: [3]int64{1, 1, 1}, Args: map[string]int64{}})
		if b.Live != want {
			t.Errorf("%s: %d to %d registers, want %d to %d", name, b.Live.Low, b.Live.High, want.Low, want.High)
		}
	}
}

// A store may write what a load has read, but not what was read through the read-only cache.
func TestReadOnlyRegisters(t *testing.T) {
	for load, want := range map[string]count.Range{
		"load float, ptr %%p%d": {Low: 1, High: 1},
		"call float @llvm.nvvm.ldg.global.f.f32.p0(ptr %%p%d, i32 4)": {Low: 1, High: 3},
	} {
		var body strings.Builder
		for k := range 3 {
			fmt.Fprintf(&body, "  %%p%d = getelementptr float, ptr %%a, i64 %d\n", k, k)
		}
		for k := range 6 {
			fmt.Fprintf(&body, "  %%x%d = "+load+"\n  store float %%x%d, ptr %%b\n", k, k%3, k)
		}
		m, problem := llvm.Parse("k.ll", []byte(`target triple = "nvptx64-nvidia-cuda"
declare float @llvm.nvvm.ldg.global.f.f32.p0(ptr, i32)
define void @k(ptr %a, ptr %b) {
`+body.String()+`  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
`))
		if problem != nil {
			t.Fatal(problem)
		}
		b, err := count.Kernel(m, m.Function("k"), count.Launch{Block: [3]int64{32, 1, 1}, Grid: [3]int64{1, 1, 1}}, [3]int64{})
		if err != nil {
			t.Fatal(err)
		}
		if b.Live != want {
			t.Errorf("%s: %d to %d registers, want %d to %d", load, b.Live.Low, b.Live.High, want.Low, want.High)
		}
	}
}
