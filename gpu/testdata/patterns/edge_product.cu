//--blockDim=[16,16,1] --gridDim=[*,*,1]
//run block 16,16 grid 2,1 values 13 20 18
__global__ void gemm(const float *a, const float *b, float *c, int rows, int inner, int cols) {
    __shared__ float sa[16][16], sb[16][17];
    int r = blockIdx.y * 16 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k0 = 0; k0 < inner; k0 += 16) {
        int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        sa[threadIdx.y][threadIdx.x] = r < rows && ka < inner ? a[r * inner + ka] : 0;
        sb[threadIdx.y][threadIdx.x] = kb < inner && q < cols ? b[kb * cols + q] : 0;
        __syncthreads();
        for (int k = 0; k < 16 && k0 + k < inner; k++) sum += sa[threadIdx.y][k] * sb[k][threadIdx.x];
        «__syncthreads();¦»
    }
    if (r < rows && «q < cols¦q <= cols») c[r * cols + q] = sum;
}
