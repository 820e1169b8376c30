//--blockDim=256 --gridDim=*
__global__ void reduce_wide(const int *in, int *out, size_t n) {
    __shared__ int s[256];
    unsigned t = threadIdx.x;
    int sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + t; i < n; i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    s[t] = sum;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[«t + d¦t + d - 1¦(t + 1) % 256»];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
