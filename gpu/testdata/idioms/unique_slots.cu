//--blockDim=[*,1,1] --gridDim=[*,1,1]
__global__ void unique_slots(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        int slot = atomicAdd(count, «1¦0»);
        out[slot«¦ / 2»] = in[i];
    }
}
