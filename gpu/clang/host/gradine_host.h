// What the host part of a CUDA source sees besides gradine.h: functions of the host API whose arguments the reader of
// launches follows. They take what the API takes, by value: a reference to a variable would let anybody change it.
#ifndef GRADINE_HOST_H
#define GRADINE_HOST_H

extern "C" {
cudaError_t gradine_allocate(void **, size_t);                    // sets *p to new memory of so many bytes
cudaError_t gradine_uses(const void *, const void *, ...);        // reads or writes what pointers lead to, on the device or in arrays of the host
cudaError_t gradine_frees(const void *, const void *);            // gives an allocation back
cudaError_t gradine_fills(void *, const void *, ...);             // sets what the first one leads to
cudaError_t gradine_launch(const void *, dim3, dim3, void **, size_t, void *);
cudaError_t gradine_launch_together(const void *, dim3, dim3, void **, size_t, void *);
}
#define GRADINE_INLINE template <typename __T> static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t

GRADINE_INLINE gradine_cudaMalloc(__T **p, size_t n) { return gradine_allocate((void **)p, n); }
GRADINE_INLINE gradine_cudaMallocAsync(__T **p, size_t n, cudaStream_t = 0) { return gradine_allocate((void **)p, n); }
GRADINE_INLINE gradine_cudaMallocManaged(__T **p, size_t n, unsigned = 0) { return gradine_allocate((void **)p, n); }
static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t gradine_cudaFree(const volatile void *p) { return gradine_frees((const void *)p, (const void *)p); }
static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t gradine_cudaMemcpy(void *to, const void *from, size_t, cudaMemcpyKind) { return gradine_fills(to, from); }
static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t gradine_cudaMemcpyAsync(void *to, const void *from, size_t, cudaMemcpyKind, cudaStream_t = 0) { return gradine_fills(to, from); }
static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t gradine_cudaMemset(void *to, int, size_t) { return gradine_uses(to, to); }
static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t gradine_cudaMemsetAsync(void *to, int, size_t, cudaStream_t = 0) { return gradine_uses(to, to); }
GRADINE_INLINE gradine_cudaMemcpyToSymbol(const __T &, const void *from, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) { return gradine_uses(from, from); }
#undef GRADINE_INLINE
template <typename __T> static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t gradine_cudaLaunchKernel(__T *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0) { return gradine_launch((const void *)f, grid, block, args, shared, (void *)stream); }
template <typename __T> static inline __host__ __attribute__((always_inline, nodebug)) cudaError_t gradine_cudaLaunchCooperativeKernel(__T *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0) { return gradine_launch_together((const void *)f, grid, block, args, shared, (void *)stream); }
#define cudaLaunchKernel gradine_cudaLaunchKernel
#define cudaLaunchCooperativeKernel gradine_cudaLaunchCooperativeKernel
#define cudaMalloc gradine_cudaMalloc
#define cudaMallocAsync gradine_cudaMallocAsync
#define cudaMallocManaged gradine_cudaMallocManaged
#define cudaFree gradine_cudaFree
#define cudaMemcpy gradine_cudaMemcpy
#define cudaMemcpyAsync gradine_cudaMemcpyAsync
#define cudaMemset gradine_cudaMemset
#define cudaMemsetAsync gradine_cudaMemsetAsync
#define cudaMemcpyToSymbol gradine_cudaMemcpyToSymbol
#endif
