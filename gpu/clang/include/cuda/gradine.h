// What a CUDA source sees without a toolkit. It is included ahead of every CUDA
// source. Arithmetic, shuffles and votes come from the headers of clang itself,
// so that calls end in llvm.nvvm.* and __nv_*, as they do with a toolkit. What
// has no meaning in C++ is declared and has no body: the reader of the IR gives
// it one, or refuses it.
#ifndef GRADINE_CUDA_H
#define GRADINE_CUDA_H

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1

// The include guards by which sources ask for a toolkit.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(GRADINE_TWO(__VA_ARGS__, 0, 0))))
#define GRADINE_TWO(a, b, ...) a, b
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __nv_pure__ __attribute__((pure))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
// Ahead of <cstdlib> and <new>, which name them.
extern "C" {
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(__SIZE_TYPE__) __attribute__((nothrow)) __attribute__((malloc));
__device__ void *memmove(void *, const void *, __SIZE_TYPE__) __attribute__((nothrow));
}
#if __clang_major__ < 15
#include <memory> // which uses the word, and must not see the macro
#define __noinline__ __attribute__((noinline))
#endif

// A value without an effect, about which nothing else is known.
#define GRADINE_CONST __device__ __attribute__((const, nothrow))

#include <__clang_cuda_math_forward_declares.h>
#include <cmath>
#include <cstdlib>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <climits>
#include <cfloat>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <stdio.h>
#include <assert.h>
#include <time.h>

#include "gradine/vectors.h"
#include "gradine/runtime.h"

#include <__clang_cuda_builtin_vars.h>
__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#pragma push_macro("__THROW")
#undef __THROW
#define __THROW
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#pragma pop_macro("__THROW")

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t size);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line, const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}
#include <__clang_cuda_cmath.h>
#if __clang_major__ < 15 // it crashes at these loads where pointers are opaque
#define __nvvm_ldg_c(p) (*(p))
#define __nvvm_ldg_s __nvvm_ldg_c
#define __nvvm_ldg_i __nvvm_ldg_c
#define __nvvm_ldg_l __nvvm_ldg_c
#define __nvvm_ldg_ll __nvvm_ldg_c
#define __nvvm_ldg_uc __nvvm_ldg_c
#define __nvvm_ldg_us __nvvm_ldg_c
#define __nvvm_ldg_ui __nvvm_ldg_c
#define __nvvm_ldg_ul __nvvm_ldg_c
#define __nvvm_ldg_ull __nvvm_ldg_c
#define __nvvm_ldg_f __nvvm_ldg_c
#define __nvvm_ldg_d __nvvm_ldg_c
#define __nvvm_ldg_c2 __nvvm_ldg_c
#define __nvvm_ldg_c4 __nvvm_ldg_c
#define __nvvm_ldg_s2 __nvvm_ldg_c
#define __nvvm_ldg_s4 __nvvm_ldg_c
#define __nvvm_ldg_i2 __nvvm_ldg_c
#define __nvvm_ldg_i4 __nvvm_ldg_c
#define __nvvm_ldg_ll2 __nvvm_ldg_c
#define __nvvm_ldg_uc2 __nvvm_ldg_c
#define __nvvm_ldg_uc4 __nvvm_ldg_c
#define __nvvm_ldg_us2 __nvvm_ldg_c
#define __nvvm_ldg_us4 __nvvm_ldg_c
#define __nvvm_ldg_ui2 __nvvm_ldg_c
#define __nvvm_ldg_ui4 __nvvm_ldg_c
#define __nvvm_ldg_ull2 __nvvm_ldg_c
#define __nvvm_ldg_f2 __nvvm_ldg_c
#define __nvvm_ldg_f4 __nvvm_ldg_c
#define __nvvm_ldg_d2 __nvvm_ldg_c
#endif
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
#include <new>

#include "gradine/device.h"
#include "gradine/atomics.h"
#include "gradine/texture.h"
#include "gradine/words.h"

#endif
