//--blockDim=128 --gridDim=[*,1,1]
//run block 128 grid 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tile_sums(const int *in, int *out) {
    __shared__ int s[128];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, lane = tile.thread_rank(), base = t - lane;
    s[t] = in[blockIdx.x * 128 + t];
    «tile.sync();¦»
    for (int d = 8; d > 0; d /= 2) {
        if (lane < d) s[base + lane] += s[base + lane + d];
        tile.sync();
    }
    out[blockIdx.x * 128 + t] = s[«base¦base ^ 16»];
}
