package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// primitives are kernels that call primitives of CUB and of cooperative groups, in groups of 64 threads.
var primitives = []struct {
	name, body string
	want       gpu.Verdict
}{
	{"a sum", "SUM(s, a[i]); if (t == 0) a[blockIdx.x] = s;", gpu.Unsafe}, // it is read by other groups
	{"a sum of another array", "SUM(s, b[i]); if (t == 0) a[blockIdx.x] = s;", gpu.Safe},
	{"what comes out may be anything", "SUM(s, b[i]); a[s] = t;", gpu.Possible},
	{"two sums in one memory", "SUM(s, b[i]); SUM(r, s); a[i] = r;", gpu.Unsafe},
	{"two sums, apart", "SUM(s, b[i]); __syncthreads(); SUM(r, s); a[i] = r;", gpu.Safe},
	{"sums in a loop", "for (int k = 0; k < n; k++) { SUM(s, k); a[i] = s; }", gpu.Unsafe},
	{"sums in a loop, apart", "for (int k = 0; k < n; k++) { SUM(s, k); a[i] = s; __syncthreads(); }", gpu.Safe},
	{"a sum in place of a barrier", "__shared__ int m[64]; m[t] = t; SUM(s, b[i]); a[i] = s + m[63 - t];", gpu.Unsafe},
	{"a sum of some", "if (t < 32) { SUM(s, b[i]); a[i] = s; }", gpu.Unsafe},
	{"a sum of groups", "if (blockIdx.x < 2) { SUM(s, b[i]); a[i] = s; }", gpu.Safe},
	{"memory that is used before", "U.own[t] = t; SUMIN(U.sum, s, b[i]); a[i] = s;", gpu.Unsafe},
	{"memory that is used behind", "SUMIN(U.sum, s, b[i]); U.own[t] = s;", gpu.Unsafe},
	{"memory that is used before and behind, apart", "U.own[t] = t; __syncthreads(); SUMIN(U.sum, s, b[i]); __syncthreads(); U.own[t] = s; a[i] = U.own[t];", gpu.Safe},
	{"an operation that writes", "__shared__ cub::BlockReduce<int, 64>::TempStorage m; a[i] = cub::BlockReduce<int, 64>(m).Reduce(b[i], [=](int x, int y) { a[0] = x; return x + y; });", gpu.Possible},
	{"a scan", "__shared__ cub::BlockScan<int, 64>::TempStorage m; int v = b[i], all; cub::BlockScan<int, 64>(m).ExclusiveSum(v, v, all); a[i] = v + all;", gpu.Safe},
	{"a scan of shared memory", "__shared__ cub::BlockScan<int, 64>::TempStorage m; __shared__ int v[64]; v[t] = b[i]; cub::BlockScan<int, 64>(m).InclusiveSum(v[t], v[t]); a[i] = v[63 - t];", gpu.Unsafe},
	{"loads, and stores elsewhere", "int v[2]; cub::BlockLoad<int, 64, 2>().Load(a + blockIdx.x * 128, v); cub::BlockStore<int, 64, 2, cub::BLOCK_STORE_STRIPED>().Store(a + blockIdx.x * 128, v);", gpu.Unsafe},
	{"loads, and stores in the same order", "int v[2]; cub::BlockLoad<int, 64, 2>().Load(a + blockIdx.x * 128, v); cub::BlockStore<int, 64, 2>().Store(a + blockIdx.x * 128, v);", gpu.Safe},
	{"loads of too few", "int v[2]; cub::BlockLoad<int, 64, 2>().Load(b + blockIdx.x * 64, v); cub::BlockStore<int, 64, 2>().Store(a + blockIdx.x * 64, v);", gpu.Possible},
	{"a store of a part", "int v[2] = {t, t}; cub::BlockStore<int, 64, 2>().Store(a + blockIdx.x * 64, v, 64);", gpu.Safe},
	{"sorted keys", "__shared__ cub::BlockRadixSort<int, 64, 2>::TempStorage m; int v[2] = {t, n}; cub::BlockRadixSort<int, 64, 2>(m).Sort(v); a[2 * i] = v[0]; a[2 * i + 1] = v[1];", gpu.Safe},
	{"sorted keys as indices", "__shared__ cub::BlockRadixSort<int, 64, 2>::TempStorage m; int v[2] = {t, n}; cub::BlockRadixSort<int, 64, 2>(m).Sort(v); a[v[0]] = t;", gpu.Possible},
	{"a sum of a warp", "__shared__ cub::WarpReduce<int>::TempStorage m[2]; int s = cub::WarpReduce<int>(m[t / 32]).Sum(b[i]); if (t % 32 == 0) a[2 * blockIdx.x + t / 32] = s;", gpu.Safe},
	{"a sum of a warp that all store", "int s = cub::WarpReduce<int>().Sum(b[i]); a[2 * blockIdx.x + t / 32] = s;", gpu.Unsafe},
	{"a sum of a tile", "auto w = cg::tiled_partition<32>(cg::this_thread_block()); int s = cg::reduce(w, b[i], cg::plus<int>()); if (w.thread_rank() == 0) a[2 * blockIdx.x + t / 32] = s;", gpu.Safe},
	{"a sum of a tile orders nothing", "__shared__ int m[64]; m[t] = t; auto w = cg::tiled_partition<32>(cg::this_thread_block()); a[i] = cg::reduce(w, b[i], cg::plus<int>()) + m[t ^ 1];", gpu.Unsafe},
	{"who is here orders nothing", "__shared__ int m[64]; m[t] = t; cg::coalesced_threads().sync(); a[i] = m[t ^ 1];", gpu.Unsafe},
	{"the first of those who are here", "cg::coalesced_group w = cg::coalesced_threads(); if (w.thread_rank() == 0) a[0] = t;", gpu.Possible},
	{"a sum of a tile of several warps", "a[i] = cg::reduce(cg::tiled_partition<64>(cg::this_thread_block()), b[i], cg::plus<int>());", gpu.Unsupported},
	{"a sum of a smaller block", "__shared__ cub::BlockReduce<int, 32>::TempStorage m; int s = cub::BlockReduce<int, 32>(m).Sum(b[i]); a[i] = s;", gpu.Unsafe},
	{"a sum of another shape", "__shared__ cub::BlockReduce<int, 8, cub::BLOCK_REDUCE_RAKING, 8>::TempStorage m; int s = cub::BlockReduce<int, 8, cub::BLOCK_REDUCE_RAKING, 8>(m).Sum(b[i]); a[i] = s;", gpu.Unsafe},
	{"memory far behind keys", "__shared__ union { cub::BlockRadixSort<int, 64, 2>::TempStorage m; int own[512]; } V; int v[2] = {t, n}; V.own[400 + t] = t; cub::BlockRadixSort<int, 64, 2>(V.m).Sort(v); a[i] = v[0];", gpu.Possible},
	{"tiles that meet", "__shared__ int m[64]; auto q = cg::tiled_partition<8>(cg::this_thread_block()); m[t] = b[i]; q.sync(); int v = m[t ^ 7]; q.sync(); m[t] = v; a[i] = m[t];", gpu.Safe},
	{"tiles that meet, and read of each other", "__shared__ int m[64]; auto q = cg::tiled_partition<8>(cg::this_thread_block()); m[t] = b[i]; q.sync(); a[i] = m[t ^ 8];", gpu.Possible},
	{"tiles of which some lanes meet", "__shared__ int m[64]; auto q = cg::tiled_partition<8>(cg::this_thread_block()); m[t] = b[i]; if (t & 4) q.sync(); a[i] = m[t];", gpu.Possible},
	{"larger tiles that meet, and read within smaller ones", "__shared__ int m[64]; auto q = cg::tiled_partition<16>(cg::this_thread_block()); auto r = cg::tiled_partition<4>(q); m[t] = b[i]; q.sync(); int v = m[t ^ 3]; r.sync(); m[t] = v; a[i] = m[t];", gpu.Safe},
	{"smaller tiles that meet, and read within larger ones", "__shared__ int m[64]; auto q = cg::tiled_partition<16>(cg::this_thread_block()); auto r = cg::tiled_partition<4>(q); m[t] = b[i]; q.sync(); int v = m[t ^ 7]; r.sync(); m[t] = v; a[i] = m[t];", gpu.Possible},
	{"tiles of a branch that whole tiles take", "__shared__ int m[64]; auto q = cg::tiled_partition<8>(cg::this_thread_block()); if (t / 8 < n) { m[t] = b[i]; q.sync(); a[i] = m[t ^ 1]; }", gpu.Safe},
	{"a leader of each tile of a block", "auto q = cg::tiled_partition<4>(cg::this_thread_block()); if (q.thread_rank() == 0) a[16 * blockIdx.x + q.meta_group_rank()] = t;", gpu.Safe},
	{"a leader of each tile of a tile", "auto q = cg::tiled_partition<4>(cg::tiled_partition<32>(cg::this_thread_block())); if (q.thread_rank() == 0) a[16 * blockIdx.x + q.meta_group_rank()] = t;", gpu.Unsafe},
	{"a leader of each tile of a tile that its type does not tell", "cg::thread_block_tile<4> q = cg::tiled_partition<4>(cg::tiled_partition<32>(cg::this_thread_block())); if (q.thread_rank() == 0) a[16 * blockIdx.x + q.meta_group_rank()] = t;", gpu.Unsafe},
	{"a leader of each tile of a block that its type does not tell", "cg::thread_block_tile<4> q = cg::tiled_partition<4>(cg::this_thread_block()); if (q.thread_rank() == 0) a[16 * blockIdx.x + q.meta_group_rank()] = t;", gpu.Safe},
}

// TestPrimitives: primitives of libraries use their memory and meet as these promise, and order nothing else.
func TestPrimitives(t *testing.T) {
	if testing.Short() {
		t.Skip("primitives of libraries are compiled in the long form of the tests")
	}
	c := compiler(t)
	src := `//--blockDim=64 --gridDim=4
#include <cub/cub.cuh>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define SUMIN(m, s, x) int s = cub::BlockReduce<int, 64>(m).Sum(x)
#define SUM(s, x) SUMIN(temp, s, x)
`
	for i, p := range primitives {
		temp := ""
		if strings.Contains(p.body, "SUM(") {
			temp = "__shared__ cub::BlockReduce<int, 64>::TempStorage temp; "
		}
		if strings.Contains(p.body, "U.") {
			temp = "__shared__ union { cub::BlockReduce<int, 64>::TempStorage sum; int own[64]; } U; "
		}
		src += fmt.Sprintf("__global__ void k%d(int *a, const int *b, int n) { int t = threadIdx.x, i = 64 * blockIdx.x + t; %s%s }\n", i, temp, p.body)
	}
	ir, opts := compiledText(t, c, "k.cu", src)
	got := map[string]gpu.Report{}
	for _, r := range gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts}) {
		got[r.Kernel] = r
	}
	for i, p := range primitives {
		if r := got[fmt.Sprint("k", i)]; r.Verdict != p.want {
			t.Errorf("%s: %s, want %s: %s %+v", p.name, r.Verdict, p.want, r.Why, failing(r))
		}
	}
}
