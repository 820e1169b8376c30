//--blockDim=[*,1,1] --gridDim=[*,1,1]
__global__ void grid_stride(float *y, const float *x, float a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += «blockDim.x * gridDim.x¦blockDim.x¦blockDim.x * gridDim.x - 1»)
        y[i] = a * x[i] + y[i];
}
