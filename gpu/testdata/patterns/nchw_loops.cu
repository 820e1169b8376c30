//--blockDim=[16,8,1] --gridDim=[*,*,*]
//run block 16,8,1 grid 1,1,2 values 2 2 6 5
__global__ void scale_planes(float *t, const float *factor, int images, int planes, int height, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || «y >= height¦y > height») return;
    for (int n = «blockIdx.z¦0»; n < images; n += gridDim.z)
        for (int c = 0; c < planes; c++)
            t[((n * planes + c) * height + y) * width + x] *= factor[c];
}
