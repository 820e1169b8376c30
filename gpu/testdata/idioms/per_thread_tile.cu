//--blockDim=[16,16] --gridDim=[*,*]
__global__ void per_thread_tile(float *c, const float *a, int n) {
    int row = (blockIdx.y * 16 + threadIdx.y) * 4, col = (blockIdx.x * 16 + threadIdx.x) * 4;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < «4¦5»; j++)
            if (row + i < n && col + j < n)
                c[(row + i) * «n¦4» + col + j] = a[(row + i) * n + col + j];
}
