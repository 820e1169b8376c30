#pragma once
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__
#define __CUDA_FP16_TYPES_EXIST__
#define GRADINE_H __half
#define GRADINE_H2 __half2
#define GRADINE_RAW __half_raw
#define GRADINE_RAW2 __half2_raw
#define GRADINE_MADE gradine_half
#define GRADINE_NAME(__F) __gradine_half_##__F
#include "gradine/float16.inc"
#undef GRADINE_H
#undef GRADINE_H2
#undef GRADINE_RAW
#undef GRADINE_RAW2
#undef GRADINE_MADE
#undef GRADINE_NAME
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#define GRADINE_HALF_OF(__N, __T) GRADINE_BOTH __half __N(__T v) { return __half(v); }
GRADINE_HALF_OF(__float2half, float) GRADINE_HALF_OF(__float2half_rn, float) GRADINE_HALF_OF(__double2half, double) GRADINE_HALF_OF(__int2half_rn, int) GRADINE_HALF_OF(__uint2half_rn, unsigned)
GRADINE_HALF_OF(__short2half_rn, short) GRADINE_HALF_OF(__ushort2half_rn, unsigned short) GRADINE_HALF_OF(__ll2half_rn, long long) GRADINE_HALF_OF(__ull2half_rn, unsigned long long)
#undef GRADINE_HALF_OF
// Rounding in another direction: another function.
GRADINE_CONST unsigned short __gradine_half_from_float_rz(float);
GRADINE_CONST unsigned short __gradine_half_from_float_rd(float);
GRADINE_CONST unsigned short __gradine_half_from_float_ru(float);
static inline __device__ __half __float2half_rz(float f) { return gradine_half(__gradine_half_from_float_rz(f)); }
static inline __device__ __half __float2half_rd(float f) { return gradine_half(__gradine_half_from_float_rd(f)); }
static inline __device__ __half __float2half_ru(float f) { return gradine_half(__gradine_half_from_float_ru(f)); }
static inline __device__ __half __int2half_rz(int i) { return gradine_half(__gradine_half_from_float_rz((float)i)); }
GRADINE_BOTH float __half2float(__half h) { return (float)h; }
GRADINE_BOTH int __half2int_rz(__half h) { return (int)h; }
GRADINE_BOTH unsigned __half2uint_rz(__half h) { return (unsigned)h; }
GRADINE_BOTH short __half2short_rz(__half h) { return (short)h; }
GRADINE_CONST int __gradine_half_to_int_rn(unsigned short);
GRADINE_CONST int __gradine_half_to_int_rd(unsigned short);
GRADINE_CONST int __gradine_half_to_int_ru(unsigned short);
static inline __device__ int __half2int_rn(__half h) { return __gradine_half_to_int_rn(h.__x); }
static inline __device__ int __half2int_rd(__half h) { return __gradine_half_to_int_rd(h.__x); }
static inline __device__ int __half2int_ru(__half h) { return __gradine_half_to_int_ru(h.__x); }
static inline __device__ unsigned __half2uint_rn(__half h) { return (unsigned)__gradine_half_to_int_rn(h.__x); }
static inline __device__ short __half2short_rn(__half h) { return (short)__gradine_half_to_int_rn(h.__x); }
GRADINE_BOTH __half __ushort_as_half(unsigned short x) { return gradine_half(x); }
GRADINE_BOTH __half __short_as_half(short x) { return gradine_half((unsigned short)x); }
GRADINE_BOTH unsigned short __half_as_ushort(__half h) { return h.__x; }
GRADINE_BOTH short __half_as_short(__half h) { return (short)h.__x; }
GRADINE_BOTH __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
GRADINE_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
GRADINE_BOTH __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
GRADINE_BOTH float2 __half22float2(__half2 h) { return {(float)h.x, (float)h.y}; }
GRADINE_BOTH __half2 __half2half2(__half h) { return __half2(h, h); }
GRADINE_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
GRADINE_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
GRADINE_BOTH __half __low2half(__half2 h) { return h.x; }
GRADINE_BOTH __half __high2half(__half2 h) { return h.y; }
GRADINE_BOTH float __low2float(__half2 h) { return (float)h.x; }
GRADINE_BOTH float __high2float(__half2 h) { return (float)h.y; }
GRADINE_BOTH __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
GRADINE_BOTH __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
GRADINE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
GRADINE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
GRADINE_BOTH __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#undef GRADINE_BOTH
