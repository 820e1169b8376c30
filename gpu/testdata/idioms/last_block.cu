//--blockDim=128 --gridDim=[*,1,1]
__global__ void last_block(const int *in, int *part, int *out, unsigned *done) {
    __shared__ int s[128];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        «__threadfence();¦»
        unsigned ticket = atomicInc(done, gridDim.x);
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if («last¦true») {
        int sum = 0;
        for (int i = t; i < gridDim.x; i += 128)
            sum += part[i];
        s[t] = sum;
        __syncthreads();
        for (int d = 64; d > 0; d >>= 1) {
            if (t < d)
                s[t] += s[t + d];
            __syncthreads();
        }
        if (t == 0)
            *out = s[0];
    }
}
