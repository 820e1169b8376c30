//--blockDim=[32,4,1] --gridDim=[*,1,1]
//run block 32,4 grid 2 values 7 50
__global__ void softmax_warp_rows(const float *x, float *y, int rows, int cols) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float top = -1e30f, sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, x[row * cols + c]);
    for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
    for (int c = threadIdx.x; c < cols; c += 32) sum += expf(x[row * cols + c] - top);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    for (int c = threadIdx.x; c < cols; c += «32¦16»)
        y[row * cols + «c¦threadIdx.x / 2»] = expf(x[row * cols + c] - top) / sum;
}
