#ifndef PART
#define PART
#if __CUDA_ARCH__ >= 700 && !defined(ABSENT)
__device__ inline int part(int i) { return i; }
#endif
#endif
