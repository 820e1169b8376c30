#include "sub/part.cuh"
#include "absent.h"
#if WIDTH == 4
__global__ void wide(int *p) { p[threadIdx.x] = part(threadIdx.x); }
#endif
