//--blockDim=64 --gridDim=*
__global__ void histogram_private(const unsigned char *in, unsigned *bins, int n) {
    __shared__ unsigned own[64 * 16];
    unsigned t = threadIdx.x;
    for (int b = 0; b < 16; b++)
        own[b * 64 + t] = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        own[(in[i] >> 4) * «64¦63» + t]++;
    «__syncthreads();¦»
    if (t < 16) {
        unsigned sum = 0;
        for (int k = 0; k < 64; k++)
            sum += own[t * 64 + k];
        atomicAdd(&bins[t], sum);
    }
}
