// What kernels see when they are compiled for the host.
#include <stddef.h>
#include <stdint.h>
#include <math.h>
struct gradine_id { unsigned x, y, z; };
static __attribute__((section("gharness"))) gradine_id threadIdx, blockIdx, blockDim, gridDim;
#define __global__
#define __device__ static inline __attribute__((always_inline))
#define __host__
#define __forceinline__
#define __shared__ static __attribute__((section("gshared"), aligned(128)))
#define __constant__ __attribute__((section("gconstant"), aligned(128)))
#define __restrict__ __restrict
#define __launch_bounds__(...)
extern "C" void gradine_barrier();
extern "C" void gradine_atomic(void *, unsigned);
extern "C" void *gradine_array(size_t);
extern "C" void gradine_block(int, int, int, int, void (*)(int, int, int), void (*)());
#define __syncthreads() gradine_barrier()
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
template <typename T> __device__ T __ldg(const T *p) { return *p; }
template <typename T> __device__ T atomicAdd(T *p, T) { gradine_atomic(p, sizeof(T)); return T(); }
__device__ int min(int a, int b) { return a < b ? a : b; }
__device__ int max(int a, int b) { return a > b ? a : b; }
static void gradine_ids(int x, int y, int z) { threadIdx = {(unsigned)x, (unsigned)y, (unsigned)z}; }
