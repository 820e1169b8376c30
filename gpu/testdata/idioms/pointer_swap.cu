//--blockDim=64 --gridDim=*
__global__ void pointer_swap(int *data, int n) {
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    a[t] = data[blockIdx.x * 64 + t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        to[t] = from[t] + from[t ^ 1];
        «__syncthreads();¦if (k & 1) __syncthreads();»
        int *x = from;
        from = to;
        to = «x¦to»;
    }
    data[blockIdx.x * 64 + t] = from[t];
}
