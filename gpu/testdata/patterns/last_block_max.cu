//--blockDim=[128,1,1] --gridDim=[*,1,1]
//run block 128 grid 3
__device__ int count = 0;
__global__ void max_all(const int *in, int *best_of, int *out) {
    __shared__ int last;
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t == 0) {
        int best = s[0];
        for (int k = 1; k < 128; k++) best = max(best, s[k]);
        best_of[blockIdx.x] = best;
        __threadfence();
        last = atomicAdd(&count, 1) == «gridDim.x - 1¦0»;
        __threadfence();
    }
    «__syncthreads();¦»
    if (last)
        for (int i = t; i < gridDim.x; i += 128)
            out[i] = best_of[i] - s[0];
}
