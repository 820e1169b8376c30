package gpuc

import (
	"testing"

	"github.com/gradine/gradine/lang/gpuc/internal/launch"
)

// TestCountsOfCUDA: pointers that the host hands over are to global memory, whatever the
// language says of them.
func TestCountsOfCUDA(t *testing.T) {
	const src = "__global__ void k(int n, int *x, int *y) { __shared__ int s[64]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); if (threadIdx.x < n) y[threadIdx.x] += s[63 - threadIdx.x]; }"
	kernels, problem := Read("k.cu", []byte(src), launch.Options{})
	if problem != nil {
		t.Fatal(problem)
	}
	steps, intervals, why := kernels[0].Counts()
	if steps != "2" || why != "" || len(intervals) != 2 {
		t.Fatal(steps, intervals, why)
	}
	for i, want := range [][2]string{{"1", "1"}, {"0 ‥ 2", "0 ‥ 1"}} {
		if got := [2]string{intervals[i].Global.String(), intervals[i].Local.String()}; got != want {
			t.Errorf("interval %d: global, local %v, not %v", i, got, want)
		}
	}
}
