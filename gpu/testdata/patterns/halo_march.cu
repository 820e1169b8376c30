//--blockDim=[16,8,1] --gridDim=[*,*,1]
//run block 16,8,1 grid 2,1 values 30 8 5
#define W 16
#define H 8
__global__ void march(const float *in, float *out, int nx, int ny, int nz) {
    __shared__ float tile[H + 2][W + 2];
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    int plane = nx * ny;
    for (int z = 1; z < nz - 1; z++) {
        for (int k = threadIdx.y * W + threadIdx.x; k < (W + 2) * (H + 2); k += W * H) {
            int hx = blockIdx.x * W + k % (W + 2) - 1, hy = blockIdx.y * H + k / (W + 2) - 1;
            bool ok = hx >= 0 && hx < nx && hy >= 0 && hy < ny;
            tile[k / (W + 2)][«k % (W + 2)¦k % W»] = ok ? in[z * plane + hy * nx + hx] : 0;
        }
        __syncthreads();
        int i = threadIdx.x + 1, j = threadIdx.y + 1;
        if (x < nx && y < ny)
            out[z * plane + y * nx + x] = tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i] - 4 * tile[j][i];
        «__syncthreads();¦»
    }
}
