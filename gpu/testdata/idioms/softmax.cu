//--blockDim=128 --gridDim=*
__global__ void softmax(const float *in, float *out, int cols) {
    __shared__ float s[128];
    int t = threadIdx.x;
    const float *row = in + (size_t)blockIdx.x * cols;
    float *to = out + (size_t)blockIdx.x * cols;
    float most = -1e30f;
    for (int c = t; c < cols; c += 128)
        most = fmaxf(most, row[c]);
    s[t] = most;
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d)
            s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    most = s[0];
    «__syncthreads();¦»
    float sum = 0;
    for (int c = t; c < cols; c += 128) {
        float e = expf(row[c] - most);
        to[c] = e;
        sum += e;
    }
    s[t] = sum;
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    sum = s[0];
    for (int c = t; c < cols; c += «128¦64»)
        to[c] /= sum;
}
