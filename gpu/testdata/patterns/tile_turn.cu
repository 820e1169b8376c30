//--blockDim=[*,1,1] --gridDim=[*,1,1]
//run block 64 grid 2 values 3
#include <cooperative_groups.h>
using namespace cooperative_groups;
__global__ void turn(int *a, int rounds) {
    __requires(blockDim.x <= 256);
    __requires(blockDim.x % 32 == 0);
    __shared__ int s[256];
    thread_block block = this_thread_block();
    thread_block_tile<4> four = tiled_partition<4>(block);
    unsigned t = threadIdx.x;
    int v = a[blockIdx.x * blockDim.x + t];
    for (int r = 0; r < rounds; r++) {
        s[t] = v;
        four.sync();
        v = s[«(t & ~3u) | ((t + 1) & 3)¦(t + 1) % blockDim.x»];
        «four.sync();¦»
    }
    a[blockIdx.x * blockDim.x + t] = v;
}
