// In the host part no __CUDA_ARCH__ is defined, and the header of clang then takes in what only a toolkit declares.
#define __CUDA_ARCH__ 800
#include_next <__clang_cuda_intrinsics.h>
#undef __CUDA_ARCH__
