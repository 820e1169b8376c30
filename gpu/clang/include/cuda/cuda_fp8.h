#pragma once
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__
#include <cuda_fp16.h>
#include <cuda_bf16.h>
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define BOTH static inline __host__ __device__
#define FUNCTION(T, N, ...) GRADINE_CONST T N(__VA_ARGS__); __host__ T N(__VA_ARGS__);
FUNCTION(unsigned char, __gradine_fp8_from_double, double, int, int)
FUNCTION(float, __gradine_fp8_to_float, unsigned char, int)
#undef FUNCTION
BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float f, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double(f, s, k); }
BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double f, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double(f, s, k); }
BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw h, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double((float)__half(h), s, k); }
BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw h, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double((float)__nv_bfloat16(h), s, k); }
BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 f, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return (unsigned short)(__gradine_fp8_from_double(f.x, s, k) | __gradine_fp8_from_double(f.y, s, k) << 8); }
BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k) { return __half(__gradine_fp8_to_float(x, k)); }
#define FP8(T, P, K)                                                                                    \
  struct T {                                                                                            \
    __nv_fp8_storage_t __x;                                                                             \
    T() = default;                                                                                      \
    template <typename F> __host__ __device__ explicit T(F f) : __x(__gradine_fp8_from_double((float)f, __NV_SATFINITE, K)) {} \
    __host__ __device__ explicit operator float() const { return __gradine_fp8_to_float(__x, K); }       \
    __host__ __device__ explicit operator __half() const { return __half((float)*this); }                \
    __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }   \
    __host__ __device__ explicit operator double() const { return (float)*this; }                         \
    __host__ __device__ explicit operator int() const { return (int)(float)*this; }                       \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                      \
  };                                                                                                    \
  struct __attribute__((aligned(2))) P##x2_##K##_t {                                                    \
    __nv_fp8x2_storage_t __x;                                                                           \
    P##x2_##K##_t() = default;                                                                          \
    __host__ __device__ explicit P##x2_##K##_t(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, K)) {} \
    __host__ __device__ explicit operator float2() const { return {__gradine_fp8_to_float((unsigned char)__x, K), __gradine_fp8_to_float((unsigned char)(__x >> 8), K)}; } \
  };                                                                                                    \
  struct __attribute__((aligned(4))) P##x4_##K##_t {                                                    \
    __nv_fp8x4_storage_t __x;                                                                           \
    P##x4_##K##_t() = default;                                                                          \
    __host__ __device__ explicit P##x4_##K##_t(float4 f)                                                \
        : __x(__nv_cvt_float2_to_fp8x2({f.x, f.y}, __NV_SATFINITE, K) | (unsigned)__nv_cvt_float2_to_fp8x2({f.z, f.w}, __NV_SATFINITE, K) << 16) {} \
    __host__ __device__ explicit operator float4() const {                                              \
      return {__gradine_fp8_to_float((unsigned char)__x, K), __gradine_fp8_to_float((unsigned char)(__x >> 8), K),      \
              __gradine_fp8_to_float((unsigned char)(__x >> 16), K), __gradine_fp8_to_float((unsigned char)(__x >> 24), K)}; \
    }                                                                                                   \
  };
FP8(__nv_fp8_e4m3, __nv_fp8, __NV_E4M3)
FP8(__nv_fp8_e5m2, __nv_fp8, __NV_E5M2)
#undef FP8
typedef __nv_fp8x2___NV_E4M3_t __nv_fp8x2_e4m3;
typedef __nv_fp8x2___NV_E5M2_t __nv_fp8x2_e5m2;
typedef __nv_fp8x4___NV_E4M3_t __nv_fp8x4_e4m3;
typedef __nv_fp8x4___NV_E5M2_t __nv_fp8x4_e5m2;
#undef BOTH
