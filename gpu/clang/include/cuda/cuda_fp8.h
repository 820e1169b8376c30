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
#define GRADINE_BOTH static inline __host__ __device__
#define GRADINE_FUNCTION(__T, __N, ...) GRADINE_CONST __T __N(__VA_ARGS__); __host__ __T __N(__VA_ARGS__);
GRADINE_FUNCTION(unsigned char, __gradine_fp8_from_double, double, int, int)
GRADINE_FUNCTION(float, __gradine_fp8_to_float, unsigned char, int)
#undef GRADINE_FUNCTION
GRADINE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float f, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double(f, s, k); }
GRADINE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double f, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double(f, s, k); }
GRADINE_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw h, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double((float)__half(h), s, k); }
GRADINE_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw h, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return __gradine_fp8_from_double((float)__nv_bfloat16(h), s, k); }
GRADINE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 f, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return (unsigned short)(__gradine_fp8_from_double(f.x, s, k) | __gradine_fp8_from_double(f.y, s, k) << 8); }
GRADINE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k) { return __half(__gradine_fp8_to_float(x, k)); }
#define GRADINE_FP8(__T, __P, __K)                                                                                    \
  struct __T {                                                                                            \
    __nv_fp8_storage_t __x;                                                                             \
    __T() = default;                                                                                      \
    template <typename __F> __host__ __device__ explicit __T(__F f) : __x(__gradine_fp8_from_double((float)f, __NV_SATFINITE, __K)) {} \
    __host__ __device__ explicit operator float() const { return __gradine_fp8_to_float(__x, __K); }       \
    __host__ __device__ explicit operator __half() const { return __half((float)*this); }                \
    __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }   \
    __host__ __device__ explicit operator double() const { return (float)*this; }                         \
    __host__ __device__ explicit operator int() const { return (int)(float)*this; }                       \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                      \
  };                                                                                                    \
  struct __attribute__((aligned(2))) __P##x2_##__K##_t {                                                    \
    __nv_fp8x2_storage_t __x;                                                                           \
    __P##x2_##__K##_t() = default;                                                                          \
    __host__ __device__ explicit __P##x2_##__K##_t(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __K)) {} \
    __host__ __device__ explicit operator float2() const { return {__gradine_fp8_to_float((unsigned char)__x, __K), __gradine_fp8_to_float((unsigned char)(__x >> 8), __K)}; } \
  };                                                                                                    \
  struct __attribute__((aligned(4))) __P##x4_##__K##_t {                                                    \
    __nv_fp8x4_storage_t __x;                                                                           \
    __P##x4_##__K##_t() = default;                                                                          \
    __host__ __device__ explicit __P##x4_##__K##_t(float4 f)                                                \
        : __x(__nv_cvt_float2_to_fp8x2({f.x, f.y}, __NV_SATFINITE, __K) | (unsigned)__nv_cvt_float2_to_fp8x2({f.z, f.w}, __NV_SATFINITE, __K) << 16) {} \
    __host__ __device__ explicit operator float4() const {                                              \
      return {__gradine_fp8_to_float((unsigned char)__x, __K), __gradine_fp8_to_float((unsigned char)(__x >> 8), __K),      \
              __gradine_fp8_to_float((unsigned char)(__x >> 16), __K), __gradine_fp8_to_float((unsigned char)(__x >> 24), __K)}; \
    }                                                                                                   \
  };
GRADINE_FP8(__nv_fp8_e4m3, __nv_fp8, __NV_E4M3)
GRADINE_FP8(__nv_fp8_e5m2, __nv_fp8, __NV_E5M2)
#undef GRADINE_FP8
typedef __nv_fp8x2___NV_E4M3_t __nv_fp8x2_e4m3;
typedef __nv_fp8x2___NV_E5M2_t __nv_fp8x2_e5m2;
typedef __nv_fp8x4___NV_E4M3_t __nv_fp8x4_e4m3;
typedef __nv_fp8x4___NV_E5M2_t __nv_fp8x4_e5m2;
#undef GRADINE_BOTH
