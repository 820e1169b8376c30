//--blockDim=[8,8,4] --gridDim=[*,*,*]
__global__ void volume(float *a, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || «y >= ny¦y > ny» || z >= nz)
        return;
    a[z * «ny * nx¦ny» + y * nx + x] *= 2;
}
