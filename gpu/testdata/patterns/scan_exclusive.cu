//--blockDim=128 --gridDim=[*,1,1]
//run block 128 grid 2
__global__ void prescan(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x, from = blockIdx.x * 256;
    s[2 * t] = in[from + 2 * t];
    s[2 * t + 1] = in[from + 2 * t + 1];
    int gap = 1;
    for (int d = 128; d > 0; d >>= 1) {
        «__syncthreads();¦»
        if (t < d) {
            int i = gap * (2 * t + 1) - 1, j = gap * (2 * t + 2) - 1;
            s[j] += s[i];
        }
        gap *= 2;
    }
    if (t == 0) s[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        gap >>= 1;
        __syncthreads();
        if (t < d) {
            int i = gap * (2 * t + 1) - 1, j = gap * («2 * t¦t») + 2 * gap - 1;
            int was = s[i];
            s[i] = s[j];
            s[j] += was;
        }
    }
    __syncthreads();
    out[from + 2 * t] = s[2 * t];
    out[from + 2 * t + 1] = s[2 * t + 1];
}
