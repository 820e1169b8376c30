//--blockDim=256 --gridDim=*
__global__ void warp_reduce(const float *in, float *out, int n) {
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float x = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d >>= 1)
        x += __shfl_down_sync(0xffffffff, x, d);
    if (t % 32 == 0)
        part[«t / 32¦t / 64»] = x;
    «__syncthreads();¦»
    if (t < 32) {
        x = t < 8 ? part[t] : 0;
        for (int d = 4; d > 0; d >>= 1)
            x += __shfl_down_sync(0xffffffff, x, d);
        if (t == 0)
            out[blockIdx.x] = x;
    }
}
