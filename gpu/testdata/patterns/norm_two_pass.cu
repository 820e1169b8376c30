//--blockDim=128 --gridDim=[*,1,1]
//run block 128 grid 2 values 200 1
__global__ void layer_norm(float *x, const float *gain, const float *shift, int width, float eps) {
    __shared__ float part[128];
    __shared__ float mean, scale;
    float *row = x + (size_t)blockIdx.x * width;
    float s = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) s += row[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int d = 64; d >= 1; d /= 2) {
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) mean = part[0] / width;
    «__syncthreads();¦»
    s = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) s += (row[i] - mean) * (row[i] - mean);
    part[threadIdx.x] = s;
    __syncthreads();
    for (int d = 64; d >= 1; d /= 2) {
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) scale = rsqrtf(part[0] / width + eps);
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x) row[«i¦i / 2»] = (row[i] - mean) * scale * gain[i] + shift[i];
}
