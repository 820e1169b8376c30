//--blockDim=256 --gridDim=*
__global__ void bitonic(int *data) {
    __shared__ int s[256];
    unsigned t = threadIdx.x;
    s[t] = data[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned k = 2; k <= 256; k *= 2) {
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned p = t ^ j;
            if («p > t¦p != t») {
                bool up = (t & k) == 0;
                if ((s[t] > s[p]) == up) {
                    int x = s[t];
                    s[t] = s[p];
                    s[p] = x;
                }
            }
            «__syncthreads();¦»
        }
    }
    data[blockIdx.x * 256 + t] = s[t];
}
