// Kernels whose times say what a device does. They are OpenCL C, or CUDA C++ where IN_CUDA is 1.
#if IN_CUDA
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define THREAD threadIdx.x
#define BLOCK blockIdx.x
#define BARRIER __syncthreads()
#else
#define KERNEL __kernel void
#define GLOBAL __global
#define THREAD get_local_id(0)
#define BLOCK get_group_id(0)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#endif

// n barriers of one block.
KERNEL barriers(GLOBAL int *result, int n)
{
    for (int i = 0; i < n; i++)
        BARRIER;
    if (THREAD == 0)
        result[0] = n;
}

// Blocks that do nearly nothing.
KERNEL blocks(GLOBAL int *result, int n)
{
    if (BLOCK == 0 && THREAD == 0)
        result[0] = n;
}

// n operations of each thread that wait for each other.
KERNEL chain(GLOBAL float *result, int n)
{
    float x = (float)THREAD;
    for (int i = 0; i < n; i++)
        x = x * 0.999f + 1.0f;
    result[THREAD] = x;
}

// n loads that wait for each other.
KERNEL chase(GLOBAL const int *next, GLOBAL int *result, int n)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        at = next[at];
    result[0] = at + 1;
}
