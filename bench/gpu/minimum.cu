// The program of [tune.resident_minimum]: the threads of a launch share the elements of an array; then the first
// thread of each block combines the minima of its block. contexts/gpu/reading.eventb has the model of it.
#ifndef size
#define size 100000000LL
#endif
#define blocks (GLOBAL / WG)

__device__ int launch[4] = {blocks, 1, WG, 1};
__device__ long long bytes[2] = {4LL * size, 4LL * blocks};

extern "C" __global__ void run(const int *in, int *out)
{
    __shared__ int part[WG];
    int least = 0x7fffffff;
#pragma unroll 1
    for (long long i = blockIdx.x * WG + threadIdx.x; i < size; i += GLOBAL)
        least = min(least, in[i]);
    part[threadIdx.x] = least;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < WG; i++)
            least = min(least, part[i]);
        out[blockIdx.x] = least;
    }
}

extern "C" __global__ void wrong(const int *in, const int *out, int *count)
{
    int least = 0x7fffffff;
    for (int b = 0; b < blocks; b++)
        least = min(least, out[b]);
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
        if (in[i] < least)
            atomicAdd(&count[0], 1);
        if (in[i] == least)
            count[1] = 2;
    }
}
