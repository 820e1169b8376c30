//--blockDim=[8,8,4] --gridDim=[*,*,*]
//run block 8,8,4 grid 2,1,1 values 16 8 4
__global__ void laplace(const float *in, float *out, int nx, int ny, int nz) {
    __shared__ float s[6][10][10];
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty, z = blockIdx.z * 4 + tz;
    bool in_range = x < nx && y < ny && z < nz;
    int at = (z * ny + y) * nx + x;
    s[tz + 1][ty + 1][tx + 1] = in_range ? in[at] : 0;
    if (tx == 0) s[tz + 1][ty + 1][0] = in_range && x > 0 ? in[at - 1] : 0;
    if (tx == 7) s[tz + 1][ty + 1][«9¦7»] = in_range && x < nx - 1 ? in[at + 1] : 0;
    if (ty == 0) s[tz + 1][0][tx + 1] = in_range && y > 0 ? in[at - nx] : 0;
    if (ty == 7) s[tz + 1][9][tx + 1] = in_range && y < ny - 1 ? in[at + nx] : 0;
    if (tz == 0) s[0][ty + 1][tx + 1] = in_range && z > 0 ? in[at - nx * ny] : 0;
    if (tz == 3) s[5][ty + 1][tx + 1] = in_range && z < nz - 1 ? in[at + nx * ny] : 0;
    «__syncthreads();¦»
    if (in_range)
        out[at] = s[tz][ty + 1][tx + 1] + s[tz + 2][ty + 1][tx + 1] + s[tz + 1][ty][tx + 1] + s[tz + 1][ty + 2][tx + 1] + s[tz + 1][ty + 1][tx] + s[tz + 1][ty + 1][tx + 2] - 6 * s[tz + 1][ty + 1][tx + 1];
}
