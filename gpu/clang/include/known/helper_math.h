// Operators and functions of short vectors, as the helpers of CUDA's samples have them.
#pragma once
#include <cmath>
typedef unsigned int uint;
typedef unsigned short ushort;
#define GRADINE_V static inline __host__ __device__
GRADINE_V float fracf(float v) { return v - floorf(v); }
GRADINE_V float lerp(float a, float b, float t) { return a + t * (b - a); }
GRADINE_V float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
GRADINE_V int clamp(int f, int a, int b) { return f < a ? a : f > b ? b : f; }
GRADINE_V uint clamp(uint f, uint a, uint b) { return f < a ? a : f > b ? b : f; }
#define GRADINE_VV(O, V, S, N) \
  GRADINE_V V##N operator O(V##N a, V##N b) { return GRADINE_LANES_##N(V, a., O, b.); } \
  GRADINE_V V##N operator O(V##N a, S b) { return GRADINE_BROAD_##N(V, a., O, b); } \
  GRADINE_V V##N operator O(S b, V##N a) { return GRADINE_BROADR_##N(V, b, O, a.); } \
  GRADINE_V void operator O##=(V##N &a, V##N b) { a = a O b; } \
  GRADINE_V void operator O##=(V##N &a, S b) { a = a O b; }
#define GRADINE_LANES_2(V, A, O, B) make_##V##2(A x O B x, A y O B y)
#define GRADINE_LANES_3(V, A, O, B) make_##V##3(A x O B x, A y O B y, A z O B z)
#define GRADINE_LANES_4(V, A, O, B) make_##V##4(A x O B x, A y O B y, A z O B z, A w O B w)
#define GRADINE_BROAD_2(V, A, O, B) make_##V##2(A x O B, A y O B)
#define GRADINE_BROAD_3(V, A, O, B) make_##V##3(A x O B, A y O B, A z O B)
#define GRADINE_BROAD_4(V, A, O, B) make_##V##4(A x O B, A y O B, A z O B, A w O B)
#define GRADINE_BROADR_2(V, B, O, A) make_##V##2(B O A x, B O A y)
#define GRADINE_BROADR_3(V, B, O, A) make_##V##3(B O A x, B O A y, B O A z)
#define GRADINE_BROADR_4(V, B, O, A) make_##V##4(B O A x, B O A y, B O A z, B O A w)
#define GRADINE_OPERATORS(V, S, N) GRADINE_VV(+, V, S, N) GRADINE_VV(-, V, S, N) GRADINE_VV(*, V, S, N)
#define GRADINE_SIZES(V, S) GRADINE_OPERATORS(V, S, 2) GRADINE_OPERATORS(V, S, 3) GRADINE_OPERATORS(V, S, 4)
GRADINE_SIZES(float, float)
GRADINE_SIZES(int, int)
GRADINE_SIZES(uint, uint)
GRADINE_VV(/, float, float, 2)
GRADINE_VV(/, float, float, 3)
GRADINE_VV(/, float, float, 4)
#define GRADINE_MADE(V, S, F, G) \
  GRADINE_V V##2 make_##V##2(S s) { return make_##V##2(s, s); } \
  GRADINE_V V##3 make_##V##3(S s) { return make_##V##3(s, s, s); } \
  GRADINE_V V##4 make_##V##4(S s) { return make_##V##4(s, s, s, s); } \
  GRADINE_V V##2 make_##V##2(V##3 a) { return make_##V##2(a.x, a.y); } \
  GRADINE_V V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, 0); } \
  GRADINE_V V##3 make_##V##3(V##2 a, S s) { return make_##V##3(a.x, a.y, s); } \
  GRADINE_V V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); } \
  GRADINE_V V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, 0); } \
  GRADINE_V V##4 make_##V##4(V##3 a, S w) { return make_##V##4(a.x, a.y, a.z, w); } \
  GRADINE_V V##2 make_##V##2(F##2 a) { return make_##V##2((S)a.x, (S)a.y); } \
  GRADINE_V V##3 make_##V##3(F##3 a) { return make_##V##3((S)a.x, (S)a.y, (S)a.z); } \
  GRADINE_V V##4 make_##V##4(F##4 a) { return make_##V##4((S)a.x, (S)a.y, (S)a.z, (S)a.w); } \
  GRADINE_V V##2 make_##V##2(G##2 a) { return make_##V##2((S)a.x, (S)a.y); } \
  GRADINE_V V##3 make_##V##3(G##3 a) { return make_##V##3((S)a.x, (S)a.y, (S)a.z); } \
  GRADINE_V V##4 make_##V##4(G##4 a) { return make_##V##4((S)a.x, (S)a.y, (S)a.z, (S)a.w); }
GRADINE_MADE(float, float, int, uint)
GRADINE_MADE(int, int, float, uint)
GRADINE_MADE(uint, uint, float, int)
#define GRADINE_NEGATED(V, N, ...) GRADINE_V V##N operator-(V##N a) { return make_##V##N(__VA_ARGS__); }
GRADINE_NEGATED(float, 2, -a.x, -a.y)
GRADINE_NEGATED(float, 3, -a.x, -a.y, -a.z)
GRADINE_NEGATED(float, 4, -a.x, -a.y, -a.z, -a.w)
GRADINE_NEGATED(int, 2, -a.x, -a.y)
GRADINE_NEGATED(int, 3, -a.x, -a.y, -a.z)
GRADINE_NEGATED(int, 4, -a.x, -a.y, -a.z, -a.w)
#define GRADINE_FLOATS(N) \
  GRADINE_V float length(float##N v) { return sqrtf(dot(v, v)); } \
  GRADINE_V float##N normalize(float##N v) { return v * (1.0f / sqrtf(dot(v, v))); } \
  GRADINE_V float##N lerp(float##N a, float##N b, float t) { return a + t * (b - a); } \
  GRADINE_V float##N reflect(float##N i, float##N n) { return i - 2.0f * n * dot(n, i); }
GRADINE_V float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
GRADINE_V float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
GRADINE_V float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
GRADINE_V float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
GRADINE_FLOATS(2)
GRADINE_FLOATS(3)
GRADINE_FLOATS(4)
#define GRADINE_EACH(F, G) \
  GRADINE_V float2 F(float2 a, float2 b) { return make_float2(G(a.x, b.x), G(a.y, b.y)); } \
  GRADINE_V float3 F(float3 a, float3 b) { return make_float3(G(a.x, b.x), G(a.y, b.y), G(a.z, b.z)); } \
  GRADINE_V float4 F(float4 a, float4 b) { return make_float4(G(a.x, b.x), G(a.y, b.y), G(a.z, b.z), G(a.w, b.w)); }
GRADINE_EACH(fminf, ::fminf)
GRADINE_EACH(fmaxf, ::fmaxf)
GRADINE_EACH(fmodf, ::fmodf)
#define GRADINE_ONE(F, G) \
  GRADINE_V float2 F(float2 a) { return make_float2(G(a.x), G(a.y)); } \
  GRADINE_V float3 F(float3 a) { return make_float3(G(a.x), G(a.y), G(a.z)); } \
  GRADINE_V float4 F(float4 a) { return make_float4(G(a.x), G(a.y), G(a.z), G(a.w)); }
GRADINE_ONE(fabs, fabsf)
GRADINE_ONE(floorf, ::floorf)
GRADINE_ONE(fracf, ::fracf)
#define GRADINE_CLAMPED(V, S) \
  GRADINE_V V##2 clamp(V##2 v, S a, S b) { return make_##V##2(clamp(v.x, a, b), clamp(v.y, a, b)); } \
  GRADINE_V V##3 clamp(V##3 v, S a, S b) { return make_##V##3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b)); } \
  GRADINE_V V##4 clamp(V##4 v, S a, S b) { return make_##V##4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b)); } \
  GRADINE_V V##2 clamp(V##2 v, V##2 a, V##2 b) { return make_##V##2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y)); } \
  GRADINE_V V##3 clamp(V##3 v, V##3 a, V##3 b) { return make_##V##3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)); } \
  GRADINE_V V##4 clamp(V##4 v, V##4 a, V##4 b) { return make_##V##4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w)); }
GRADINE_CLAMPED(float, float)
GRADINE_CLAMPED(int, int)
GRADINE_CLAMPED(uint, uint)
