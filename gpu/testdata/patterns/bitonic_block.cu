//--blockDim=64 --gridDim=[*,1,1]
//run block 64 grid 2
__global__ void sort_block(int *keys) {
    __shared__ int s[128];
    unsigned t = threadIdx.x;
    int *mine = keys + blockIdx.x * 128;
    s[t] = mine[t];
    s[t + 64] = mine[t + 64];
    for (unsigned size = 2; size <= 128; size <<= 1) {
        bool down = (t & (size / 2)) != 0;
        for (unsigned gap = size / 2; gap > 0; gap >>= 1) {
            «__syncthreads();¦»
            unsigned at = 2 * t - (t & «(gap - 1)¦gap»);
            int a = s[at], b = s[at + gap];
            if ((a > b) != down) {
                s[at] = b;
                s[at + gap] = a;
            }
        }
    }
    __syncthreads();
    mine[t] = s[t];
    mine[t + 64] = s[t + 64];
}
