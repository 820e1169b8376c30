//--blockDim=128 --gridDim=[*,1,1]
//run block 128 grid 2 values 500
#define BINS 64
__global__ void by_warp(const unsigned char *in, unsigned *bins, int n) {
    __shared__ unsigned mine[4 * BINS];
    unsigned *of = mine + (threadIdx.x / 32) * BINS;
    for (int k = threadIdx.x; k < 4 * BINS; k += 128) mine[k] = 0;
    «__syncthreads();¦»
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        «atomicAdd(&of[in[i] & (BINS - 1)], 1u);¦of[in[i] & (BINS - 1)]++;»
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += 128) {
        unsigned sum = 0;
        for (int w = 0; w < 4; w++) sum += mine[w * BINS + k];
        atomicAdd(&bins[k], sum);
    }
}
