//--blockDim=64 --gridDim=[*,1,1]
//run block 64 grid 3 values 192
__device__ unsigned arrived = 0;
__global__ void sum_all(const float *in, float *partial, float *result, int n) {
    __shared__ float s[64];
    __shared__ bool isLast;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 64 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        «__threadfence();¦»
        unsigned before = atomicInc(&arrived, gridDim.x);
        isLast = before «==¦<=» gridDim.x - 1;
    }
    __syncthreads();
    if (isLast && t == 0) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++) sum += partial[b];
        *result = sum;
        arrived = 0;
    }
}
