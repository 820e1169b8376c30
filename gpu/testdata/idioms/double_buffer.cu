//--blockDim=64 --gridDim=*
__global__ void double_buffer(const int *in, int *out, int tiles) {
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    s[0][t] = in[t];
    for (int k = 0; k < tiles; k++) {
        «__syncthreads();¦»
        if (k + 1 < tiles)
            s[«(k + 1) & 1¦k & 1»][t] = in[(k + 1) * 64 + t];
        sum += s[k & 1][63 - t];
    }
    out[blockIdx.x * 64 + t] = sum;
}
