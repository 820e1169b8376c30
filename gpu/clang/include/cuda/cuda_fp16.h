#pragma once
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__
#define __CUDA_FP16_TYPES_EXIST__
#define H __half
#define H2 __half2
#define RAW __half_raw
#define RAW2 __half2_raw
#define MADE gradine_half
#define NAME(F) __gradine_half_##F
#include "gradine/float16.inc"
#undef H
#undef H2
#undef RAW
#undef RAW2
#undef MADE
#undef NAME
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#define HALF_OF(N, T) BOTH __half N(T v) { return __half(v); }
HALF_OF(__float2half, float) HALF_OF(__float2half_rn, float) HALF_OF(__double2half, double) HALF_OF(__int2half_rn, int) HALF_OF(__uint2half_rn, unsigned)
HALF_OF(__short2half_rn, short) HALF_OF(__ushort2half_rn, unsigned short) HALF_OF(__ll2half_rn, long long) HALF_OF(__ull2half_rn, unsigned long long)
#undef HALF_OF
// Rounding in another direction: another function.
GRADINE_CONST unsigned short __gradine_half_from_float_rz(float);
GRADINE_CONST unsigned short __gradine_half_from_float_rd(float);
GRADINE_CONST unsigned short __gradine_half_from_float_ru(float);
static inline __device__ __half __float2half_rz(float f) { return gradine_half(__gradine_half_from_float_rz(f)); }
static inline __device__ __half __float2half_rd(float f) { return gradine_half(__gradine_half_from_float_rd(f)); }
static inline __device__ __half __float2half_ru(float f) { return gradine_half(__gradine_half_from_float_ru(f)); }
static inline __device__ __half __int2half_rz(int i) { return gradine_half(__gradine_half_from_float_rz((float)i)); }
BOTH float __half2float(__half h) { return (float)h; }
BOTH int __half2int_rz(__half h) { return (int)h; }
BOTH unsigned __half2uint_rz(__half h) { return (unsigned)h; }
BOTH short __half2short_rz(__half h) { return (short)h; }
GRADINE_CONST int __gradine_half_to_int_rn(unsigned short);
GRADINE_CONST int __gradine_half_to_int_rd(unsigned short);
GRADINE_CONST int __gradine_half_to_int_ru(unsigned short);
static inline __device__ int __half2int_rn(__half h) { return __gradine_half_to_int_rn(h.__x); }
static inline __device__ int __half2int_rd(__half h) { return __gradine_half_to_int_rd(h.__x); }
static inline __device__ int __half2int_ru(__half h) { return __gradine_half_to_int_ru(h.__x); }
static inline __device__ unsigned __half2uint_rn(__half h) { return (unsigned)__gradine_half_to_int_rn(h.__x); }
static inline __device__ short __half2short_rn(__half h) { return (short)__gradine_half_to_int_rn(h.__x); }
BOTH __half __ushort_as_half(unsigned short x) { return gradine_half(x); }
BOTH __half __short_as_half(short x) { return gradine_half((unsigned short)x); }
BOTH unsigned short __half_as_ushort(__half h) { return h.__x; }
BOTH short __half_as_short(__half h) { return (short)h.__x; }
BOTH __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
BOTH __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
BOTH float2 __half22float2(__half2 h) { return {(float)h.x, (float)h.y}; }
BOTH __half2 __half2half2(__half h) { return __half2(h, h); }
BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
BOTH __half __low2half(__half2 h) { return h.x; }
BOTH __half __high2half(__half2 h) { return h.y; }
BOTH float __low2float(__half2 h) { return (float)h.x; }
BOTH float __high2float(__half2 h) { return (float)h.y; }
BOTH __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
BOTH __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
BOTH __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#undef BOTH
