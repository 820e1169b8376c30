#pragma once
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__
#include <cuda_fp16.h>
#define GRADINE_H __nv_bfloat16
#define GRADINE_H2 __nv_bfloat162
#define GRADINE_RAW __nv_bfloat16_raw
#define GRADINE_RAW2 __nv_bfloat162_raw
#define GRADINE_MADE gradine_bfloat16
#define GRADINE_NAME(__F) __gradine_bfloat16_##__F
#define GRADINE_OTHER __half
#include "gradine/float16.inc"
#undef GRADINE_H
#undef GRADINE_H2
#undef GRADINE_RAW
#undef GRADINE_RAW2
#undef GRADINE_MADE
#undef GRADINE_NAME
#undef GRADINE_OTHER
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
GRADINE_BOTH __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
GRADINE_BOTH __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
GRADINE_BOTH __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
GRADINE_BOTH __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16(v); }
GRADINE_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned v) { return __nv_bfloat16(v); }
GRADINE_CONST unsigned short __gradine_bfloat16_from_float_rz(float);
static inline __device__ __nv_bfloat16 __float2bfloat16_rz(float f) { return gradine_bfloat16(__gradine_bfloat16_from_float_rz(f)); }
GRADINE_BOTH float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
GRADINE_BOTH int __bfloat162int_rz(__nv_bfloat16 h) { return (int)h; }
GRADINE_BOTH unsigned __bfloat162uint_rz(__nv_bfloat16 h) { return (unsigned)h; }
GRADINE_CONST int __gradine_bfloat16_to_int_rn(unsigned short);
static inline __device__ int __bfloat162int_rn(__nv_bfloat16 h) { return __gradine_bfloat16_to_int_rn(h.__x); }
static inline __device__ unsigned __bfloat162uint_rn(__nv_bfloat16 h) { return (unsigned)__gradine_bfloat16_to_int_rn(h.__x); }
static inline __device__ short __bfloat162short_rn(__nv_bfloat16 h) { return (short)__gradine_bfloat16_to_int_rn(h.__x); }
GRADINE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return gradine_bfloat16(x); }
GRADINE_BOTH __nv_bfloat16 __short_as_bfloat16(short x) { return gradine_bfloat16((unsigned short)x); }
GRADINE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
GRADINE_BOTH short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
GRADINE_BOTH __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f)); }
GRADINE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
GRADINE_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __nv_bfloat162(__nv_bfloat16(f.x), __nv_bfloat16(f.y)); }
GRADINE_BOTH float2 __bfloat1622float2(__nv_bfloat162 h) { return {(float)h.x, (float)h.y}; }
GRADINE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return __nv_bfloat162(h, h); }
GRADINE_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
GRADINE_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
GRADINE_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) { return h.x; }
GRADINE_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) { return h.y; }
GRADINE_BOTH float __low2float(__nv_bfloat162 h) { return (float)h.x; }
GRADINE_BOTH float __high2float(__nv_bfloat162 h) { return (float)h.y; }
#undef GRADINE_BOTH
