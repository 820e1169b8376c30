//--blockDim=[*,1,1] --gridDim=[*,1,1]
__global__ void scan_double(const float *in, float *out, int n) {
    __requires(n == blockDim.x);
    extern __shared__ float s[];
    int t = threadIdx.x;
    int from = 0, to = 1;
    s[t] = t > 0 ? in[t - 1] : 0;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        from = 1 - from;
        to = «1 - to¦1 - from¦to»;
        if (t >= d)
            s[from * n + t] = s[to * n + t] + s[to * n + t - d];
        else
            s[from * n + t] = s[to * n + t];
        «__syncthreads();¦»
    }
    out[blockIdx.x * n + t] = s[from * n + t];
}
