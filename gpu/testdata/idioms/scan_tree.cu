//--blockDim=128 --gridDim=*
__global__ void scan_tree(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x, offset = 1;
    s[2 * t] = in[blockIdx.x * 256 + 2 * t];
    s[2 * t + 1] = in[blockIdx.x * 256 + 2 * t + 1];
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        s[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        offset >>= 1;
        «__syncthreads();¦»
        if (t < «d¦2 * d») {
            int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
            int x = s[i];
            s[i] = s[j];
            s[j] += x;
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + 2 * t] = s[2 * t];
    out[blockIdx.x * 256 + 2 * t + 1] = s[2 * t + 1];
}
