//--blockDim=64 --gridDim=*
__global__ void toggle_apart(int *out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, w = 0;
    if (t < 32) w = 1;
    for (int k = 0; k < n; k++) {
        s[«2 * t + w¦t + w»] = k + t;
        «__syncthreads();¦if (w) __syncthreads();»
        w = 1 - w;
    }
    out[blockIdx.x * 64 + t] = s[2 * t];
}
