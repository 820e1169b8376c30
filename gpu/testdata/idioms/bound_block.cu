//--blockDim=128 --gridDim=[*,1,1]
__global__ void bound_block(const int *in, int *out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0;
    for (int base = 0; base < n; base += 128) {
        if (base + t < n)
            s[t] = in[base + t];
        __syncthreads();
        int m = n - base < 128 ? n - base : 128;
        for (int i = 0; i < m; i++)
            sum += s[i];
        «__syncthreads();¦»
    }
    int i = blockIdx.x * 128 + t;
    if (i < n)
        out[«i¦t»] = sum;
}
