//--blockDim=256 --gridDim=*
__global__ void layer_norm(const float *in, const float *scale, const float *shift, float *out, int cols) {
    __shared__ float s[256];
    __shared__ float mean, rstd;
    int t = threadIdx.x;
    int row = blockIdx.x * cols;
    float sum = 0;
    for (int c = t; c < cols; c += blockDim.x)
        sum += in[row + c];
    s[t] = sum;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        mean = s[0] / cols;
    «__syncthreads();¦»
    float var = 0;
    for (int c = t; c < cols; c += blockDim.x) {
        float x = in[row + c] - mean;
        var += x * x;
    }
    s[t] = var;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        rstd = rsqrtf(s[0] / cols + 1e-5f);
    __syncthreads();
    for (int c = t; c < cols; c += blockDim.x)
        out[row + «c¦c / 2»] = (in[row + c] - mean) * rstd * scale[c] + shift[c];
}
