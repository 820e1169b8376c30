//--blockDim=256 --gridDim=[*,1,1]
//run block 256 grid 2 values 300
__global__ void softmax_rows(const float *in, float *out, int cols) {
    __shared__ float red[256];
    int t = threadIdx.x;
    const float *row = in + blockIdx.x * cols;
    float *to = out + blockIdx.x * «cols¦(cols - 1)»;
    float top = -1e30f;
    for (int c = t; c < cols; c += blockDim.x) top = fmaxf(top, row[c]);
    red[t] = top;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) red[t] = fmaxf(red[t], red[t + d]);
        __syncthreads();
    }
    top = red[0];
    «__syncthreads();¦»
    float sum = 0;
    for (int c = t; c < cols; c += blockDim.x) {
        float e = expf(row[c] - top);
        to[c] = e;
        sum += e;
    }
    red[t] = sum;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) red[t] += red[t + d];
        __syncthreads();
    }
    for (int c = t; c < cols; c += blockDim.x) to[c] /= red[0];
}
