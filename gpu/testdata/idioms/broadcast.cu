//--blockDim=256 --gridDim=*
__global__ void broadcast(const int *in, int *out) {
    __shared__ int total, s[256];
    int t = threadIdx.x;
    if (t == 0)
        total = in[blockIdx.x];
    «__syncthreads();¦»
    int n = total;
    for (int i = 0; i < n; i++) {
        s[t] = i;
        __syncthreads();
        out[blockIdx.x * 256 + t] = s[255 - t];
        «__syncthreads();¦»
    }
}
