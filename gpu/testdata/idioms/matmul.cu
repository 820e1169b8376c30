//--blockDim=[16,16] --gridDim=[*,*]
__global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float s[16][16], u[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n / 16; k++) {
        s[threadIdx.y][threadIdx.x] = a[y * n + k * 16 + threadIdx.x];
        u[threadIdx.y][threadIdx.x] = b[(k * 16 + threadIdx.y) * n + x];
        «__syncthreads();¦»
        for (int i = 0; i < 16; i++)
            sum += s[threadIdx.y][i] * u[i][threadIdx.x];
        «__syncthreads();¦»
    }
    if (x < n && y < n)
        c[y * n + x] = sum;
}
