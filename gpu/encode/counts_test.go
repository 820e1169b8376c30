package encode

import (
	"fmt"
	"testing"

	"github.com/gradine/gradine/gpu/launch"
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

// TestCounts: what is an access, and what is not counted at all.
func TestCounts(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"part of an element", "k.cl", "__kernel void k(__global int4 *a) { a[0].x += 1; a[1].y++; }", "1: global 4, local 0"},
		{"variable of the group", "k.cl", "__kernel void k(__global int *a) { __local int s; s = a[0]; s += 2; }", "1: global 1, local 3"},
		{"member by an arrow", "k.cl", "struct S { int x; }; __kernel void k(__global struct S *p) { p->x = 1; }", ""},
		{"variable of the file", "k.cu", "__device__ int g; __global__ void k(int *a) { g = 1; }", ""},
		{"pointer to another memory", "k.cu", "__global__ void k(int *a) { __shared__ int s[8]; a = s; a[0] = 1; }", ""},
		{"operand that is not evaluated", "k.cl", "__kernel void k(__global int *a) { int x = sizeof(a[0]); }", "1: global 0, local 0"},
		{"bound that is narrowed", "k.cl", "__kernel void k(__global int *a, int n) { for (int i = 0; i < (uchar)n; i++) a[0] = 1; }", ""},
		{"bound that is hidden", "k.cl", "__kernel void k(__global int *a, int n, int m) { for (int n = 0; n < m; n++) for (int i = 0; i < n; i++) a[0] = 1; }", ""},
		{"array that is hidden", "k.cl", "__kernel void k(__global int *a) { { int a[2]; a[0] = 1; } a[0] = 1; }", ""},
		{"variable that is narrow", "k.cl", "__kernel void k(__global int *a) { for (char i = 200; i < 210; i++) a[0] = 1; }", ""},
		{"variable that is a fraction", "k.cl", "__kernel void k(__global int *a) { for (float i = 0; i < 3; i++) a[0] = 1; }", ""},
		{"variable that was declared narrow", "k.cl", "__kernel void k(__global int *a) { uchar i; for (i = 256; i < 257; i++) a[0] = 1; }", ""},
		{"beginning that is converted", "k.cl", "__kernel void k(__global int *a, uint n) { for (int i = 0 - 1; i < n; i++) a[0] = 1; }", ""},
		{"bound that is converted", "k.cl", "__kernel void k(__global int *a) { for (int i = 0; i < (int)3000000000u; i++) a[0] = 1; }", ""},
		{"bound that wraps", "k.cl", "__kernel void k(__global int *a) { for (uint i = 0; i < 65536u * 65536u + 1; i++) a[0] = 1; }", ""},
		{"no rounds", "k.cl", "__kernel void k(__global int *a) { for (int i = 5; i < 3; i++) a[0] = 1; }", "1: global 0, local 0"},
		{"size in one of three dimensions", "k.cl", "__kernel void k(__global int *a) { for (int i = 0; i < get_local_size(0); i++) a[0] = 1; }", ""},
		{"size in the one dimension", "k.cl", "//--local_size=* --num_groups=*\n__kernel void k(__global int *a) { for (int i = 0; i < get_local_size(0); i++) a[0] = 1; }", "1: global threads, local 0"},
		{"behind a condition", "k.cl", "__kernel void k(__global int *a, __global int *b, int n) { int x = n && *b; }", ""},
		{"function of that name", "k.cl", "int max(__global int *a, int i) { return a[i]; } __kernel void k(__global int *a) { int x = max(a, 3); }", ""},
	} {
		kernels, problem := Read(c.file, []byte(c.src), launch.Options{})
		if problem != nil {
			t.Fatal(c.name, problem)
		}
		steps, intervals, why := kernels[0].Counts()
		got := ""
		for _, i := range intervals {
			got += fmt.Sprintf("%s: global %s, local %s", i.Times, i.Global, i.Local)
		}
		if got != c.want || (why == "") != (c.want != "") {
			t.Errorf("%s: %s steps, %s, %s", c.name, steps, got, why)
		}
	}
}
