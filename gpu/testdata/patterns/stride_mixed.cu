//--blockDim=[*,1,1] --gridDim=[*,1,1]
//run block 8 grid 3 values 40 2
__global__ void saxpy(int n, float a, const float *x, float *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += «blockDim.x * gridDim.x¦blockDim.x * gridDim.x - 1»)
        y[«i¦i & ~1»] = a * x[i] + y[i];
}
