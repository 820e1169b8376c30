//--blockDim=[16,16] --gridDim=[*,*]
__global__ void stencil_plane(const float *in, float *out, int width, int height) {
    __shared__ float s[18][18];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    bool inside = x < width && y < height;
    if (inside) {
        s[ty][tx] = in[y * width + x];
        if (threadIdx.x == 0) s[ty][0] = x > 0 ? in[y * width + x - 1] : 0;
        if (threadIdx.x == 15) s[ty][17] = x + 1 < width ? in[y * width + x + 1] : 0;
        if (threadIdx.y == 0) s[0][tx] = y > 0 ? in[(y - 1) * width + x] : 0;
        if (threadIdx.y == 15) s[17][«tx¦16»] = y + 1 < height ? in[(y + 1) * width + x] : 0;
        «¦__syncthreads();»
    }
    «__syncthreads();¦»
    if (inside)
        out[y * width + x] = s[ty - 1][tx] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx + 1] - 4 * s[ty][tx];
}
