//--blockDim=[32,4] --gridDim=[*,*]
__global__ void stencil_space(const float *in, float *out, int nx, int ny, int nz) {
    __shared__ float s[6][34];
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    bool inside = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
    float below = 0, now = 0, above = 0;
    if (inside) {
        now = in[j * nx + i];
        above = in[(ny + j) * nx + i];
    }
    for (int k = 1; k < nz - 1; k++) {
        below = now;
        now = above;
        if (inside)
            above = in[((k + 1) * ny + j) * nx + i];
        «__syncthreads();¦»
        s[ty][tx] = now;
        if (threadIdx.x == 0) s[ty][0] = inside ? in[(k * ny + j) * nx + i - 1] : 0;
        if (threadIdx.x == 31) s[ty][33] = inside ? in[(k * ny + j) * nx + i + 1] : 0;
        if (threadIdx.y == 0) s[0][tx] = inside ? in[(k * ny + j - 1) * nx + i] : 0;
        if (threadIdx.y == 3) s[5][tx] = inside ? in[(k * ny + j + 1) * nx + i] : 0;
        __syncthreads();
        if (inside)
            out[(«k¦0» * ny + j) * nx + i] = below + above + s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 6 * now;
    }
}
