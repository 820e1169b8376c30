// Device functions that the headers of clang leave to a toolkit.
#ifndef GRADINE_DEVICE_H
#define GRADINE_DEVICE_H

// Least and greatest of two numbers, of mixed types too: the types that C++ converts to.
#define GRADINE_MINMAX(__T, __A, __B)                                                                             \
  static inline __host__ __device__ constexpr __T min(__A a, __B b) { return (__T)a < (__T)b ? (__T)a : (__T)b; }         \
  static inline __host__ __device__ constexpr __T max(__A a, __B b) { return (__T)a > (__T)b ? (__T)a : (__T)b; }
#define GRADINE_MIXED(__T, __A, __B) GRADINE_MINMAX(__T, __A, __B) GRADINE_MINMAX(__T, __B, __A)
GRADINE_MINMAX(unsigned int, unsigned int, unsigned int)
GRADINE_MINMAX(long, long, long)
GRADINE_MINMAX(unsigned long, unsigned long, unsigned long)
GRADINE_MINMAX(long long, long long, long long)
GRADINE_MINMAX(unsigned long long, unsigned long long, unsigned long long)
GRADINE_MIXED(unsigned int, int, unsigned int)
GRADINE_MIXED(unsigned long, long, unsigned long)
GRADINE_MIXED(unsigned long long, long long, unsigned long long)
GRADINE_MIXED(long, int, long)
GRADINE_MIXED(unsigned long, int, unsigned long)
GRADINE_MIXED(long, unsigned int, long)
GRADINE_MIXED(unsigned long, unsigned int, unsigned long)
GRADINE_MIXED(long long, int, long long)
GRADINE_MIXED(unsigned long long, int, unsigned long long)
GRADINE_MIXED(long long, unsigned int, long long)
GRADINE_MIXED(unsigned long long, unsigned int, unsigned long long)
GRADINE_MIXED(long long, long, long long)
GRADINE_MIXED(unsigned long long, long, unsigned long long)
GRADINE_MIXED(unsigned long long, unsigned long, unsigned long long)
GRADINE_MIXED(unsigned long long, unsigned long, long long)
#undef GRADINE_MINMAX
#undef GRADINE_MIXED
static inline __host__ int min(int a, int b) { return a < b ? a : b; }
static inline __host__ int max(int a, int b) { return a > b ? a : b; }
static inline __host__ float min(float a, float b) { return fminf(a, b); }
static inline __host__ float max(float a, float b) { return fmaxf(a, b); }
static inline __host__ double min(double a, double b) { return fmin(a, b); }
static inline __host__ double max(double a, double b) { return fmax(a, b); }
static inline __device__ float min(float a, float b) { return fminf(a, b); }
static inline __device__ float max(float a, float b) { return fmaxf(a, b); }
static inline __device__ double min(double a, double b) { return fmin(a, b); }
static inline __device__ double max(double a, double b) { return fmax(a, b); }
#define GRADINE_FLOATS(__T, __A, __B)                                                    \
  static inline __host__ __device__ __T min(__A a, __B b) { return min((__T)a, (__T)b); }    \
  static inline __host__ __device__ __T max(__A a, __B b) { return max((__T)a, (__T)b); }
GRADINE_FLOATS(double, float, double)
GRADINE_FLOATS(double, double, float)
GRADINE_FLOATS(float, float, int)
GRADINE_FLOATS(float, int, float)
GRADINE_FLOATS(double, double, int)
GRADINE_FLOATS(double, int, double)
GRADINE_FLOATS(float, float, unsigned int)
GRADINE_FLOATS(float, unsigned int, float)
GRADINE_FLOATS(float, float, long)
GRADINE_FLOATS(float, long, float)
#undef GRADINE_FLOATS

// Mathematics that clang declares for the device alone, as the host of CUDA has it.
#define GRADINE_HOST1(__F) extern "C" __host__ float __F##f(float) noexcept; extern "C" __host__ double __F(double) noexcept;
GRADINE_HOST1(rsqrt)
GRADINE_HOST1(rcbrt)
GRADINE_HOST1(sinpi)
GRADINE_HOST1(cospi)
GRADINE_HOST1(erfinv)
GRADINE_HOST1(erfcinv)
GRADINE_HOST1(normcdf)
GRADINE_HOST1(normcdfinv)
GRADINE_HOST1(erfcx)
#undef GRADINE_HOST1
static inline __device__ float rsqrt(float a) { return rsqrtf(a); }
static inline __device__ float rcbrt(float a) { return rcbrtf(a); }
static inline __device__ float sinpi(float a) { return sinpif(a); }
static inline __device__ float cospi(float a) { return cospif(a); }
static inline __device__ float erfinv(float a) { return erfinvf(a); }
static inline __device__ float erfcinv(float a) { return erfcinvf(a); }
static inline __device__ float normcdf(float a) { return normcdff(a); }
static inline __device__ float normcdfinv(float a) { return normcdfinvf(a); }
static inline __device__ float erfcx(float a) { return erfcxf(a); }
static inline __device__ void sincospi(float a, float *s, float *c) { sincospif(a, s, c); }
static inline __device__ void sincos(float a, float *s, float *c) { sincosf(a, s, c); }

// Loads with a cache policy are loads.
#define GRADINE_LOAD(__F) template <typename __T> static inline __device__ __T __F(const __T *p) { return *p; }
GRADINE_LOAD(__ldcg)
GRADINE_LOAD(__ldca)
GRADINE_LOAD(__ldcs)
GRADINE_LOAD(__ldlu)
GRADINE_LOAD(__ldcv)
#undef GRADINE_LOAD
#define GRADINE_STORE(__F) template <typename __T> static inline __device__ void __F(__T *p, __T v) { *p = v; }
GRADINE_STORE(__stwb)
GRADINE_STORE(__stcg)
GRADINE_STORE(__stcs)
GRADINE_STORE(__stwt)
#undef GRADINE_STORE
template <typename __T> static inline __device__ __T __ldg(const __T *p) { return *p; }

#define GRADINE_MATCH(__T, __N, __U)                                                                                          \
  static inline __device__ unsigned int __match_any_sync(unsigned m, __T v) { return __match##__N##_any_sync(m, (__U)v); }    \
  static inline __device__ unsigned int __match_all_sync(unsigned m, __T v, int *p) { return __match##__N##_all_sync(m, (__U)v, p); }
GRADINE_MATCH(int, 32, unsigned int)
GRADINE_MATCH(unsigned int, 32, unsigned int)
GRADINE_MATCH(long, 64, unsigned long long)
GRADINE_MATCH(unsigned long, 64, unsigned long long)
GRADINE_MATCH(long long, 64, unsigned long long)
GRADINE_MATCH(unsigned long long, 64, unsigned long long)
#undef GRADINE_MATCH
static inline __device__ unsigned int __match_any_sync(unsigned m, float v) { return __match32_any_sync(m, __float_as_uint(v)); }

#define GRADINE_REDUCE(__T, __F)  __device__ __T __reduce_##__F##_sync(unsigned mask, __T value);
GRADINE_REDUCE(int, add) GRADINE_REDUCE(int, min) GRADINE_REDUCE(int, max)
GRADINE_REDUCE(unsigned, add) GRADINE_REDUCE(unsigned, min) GRADINE_REDUCE(unsigned, max)
GRADINE_REDUCE(unsigned, and) GRADINE_REDUCE(unsigned, or) GRADINE_REDUCE(unsigned, xor)
#undef GRADINE_REDUCE

GRADINE_CONST int __dp4a(int a, int b, int c);
GRADINE_CONST int __dp4a(unsigned a, int b, int c);
GRADINE_CONST int __dp4a(int a, unsigned b, int c);
GRADINE_CONST unsigned __dp4a(unsigned a, unsigned b, unsigned c);
GRADINE_CONST int __dp2a_lo(int a, int b, int c);
GRADINE_CONST int __dp2a_hi(int a, int b, int c);
GRADINE_CONST unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c);
GRADINE_CONST unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c);
static inline __device__ int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
static inline __device__ unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__device__ void __nanosleep(unsigned ns);
static inline __device__ bool __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
static inline __device__ bool __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
static inline __device__ bool __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
static inline __device__ bool __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
static inline __device__ size_t __cvta_generic_to_shared(const void *p) { return __nv_cvta_generic_to_shared_impl(p); }
static inline __device__ size_t __cvta_generic_to_global(const void *p) { return __nv_cvta_generic_to_global_impl(p); }
static inline __device__ void *__cvta_shared_to_generic(size_t p) { return __nv_cvta_shared_to_generic_impl(p); }
static inline __device__ void *__cvta_global_to_generic(size_t p) { return __nv_cvta_global_to_generic_impl(p); }

// Copies that go on while the thread does: they have no order that C++ could say.
__device__ void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zero = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t n);
template <int __N> __device__ void __pipeline_wait_prior();

// What kernels launch, and wait for: no reader follows it.
__device__ void cudaGridDependencySynchronize();
__device__ void cudaTriggerProgrammaticLaunchCompletion();
#endif
