//--blockDim=[16,16] --gridDim=[*,*]
__global__ void vector_add_plane(const float *a, const float *b, float *c, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if («x < width¦x <= width¦true» && y < height)
        c[y * width + x] = a[y * width + x] + b[y * width + x];
}
