//--blockDim=128 --gridDim=*
__global__ void warp_tail(int *out, const int *in) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    «__syncthreads();¦»
    if (t < 32) {
        int x = s[t];
        x += s[t + 32]; «__syncwarp();¦» s[t] = x; __syncwarp();
        x += s[t + 16]; «__syncwarp();¦» s[t] = x; __syncwarp();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
