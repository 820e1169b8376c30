//--blockDim=32 --gridDim=*
__global__ void warp_shared(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[«t¦t & 30»] = in[blockIdx.x * 32 + t];
    «__syncwarp();¦»
    out[blockIdx.x * 32 + t] = s[31 - t];
}
