//--blockDim=128 --gridDim=*
__constant__ int rounds[4];
__global__ void constant_loop(int *out, const int *in) {
    __shared__ int s[128];
    int t = threadIdx.x, x = in[blockIdx.x * 128 + t];
    for (int r = 0; r < rounds[«0¦t & 3»]; r++) {
        s[t] = x;
        __syncthreads();
        x += s[(t + 1) % 128];
        «__syncthreads();¦»
    }
    out[blockIdx.x * 128 + t] = x;
}
