#pragma once
#include "gradine.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define CUCOMPLEX(T, R, S)                                                                                             \
  static inline __host__ __device__ T make_##T(R x, R y) { return {x, y}; }                                            \
  static inline __host__ __device__ R cuCreal##S(T a) { return a.x; }                                                  \
  static inline __host__ __device__ R cuCimag##S(T a) { return a.y; }                                                  \
  static inline __host__ __device__ T cuConj##S(T a) { return {a.x, -a.y}; }                                           \
  static inline __host__ __device__ T cuCadd##S(T a, T b) { return {a.x + b.x, a.y + b.y}; }                           \
  static inline __host__ __device__ T cuCsub##S(T a, T b) { return {a.x - b.x, a.y - b.y}; }                           \
  static inline __host__ __device__ T cuCmul##S(T a, T b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }    \
  static inline __host__ __device__ T cuCdiv##S(T a, T b) {                                                            \
    R n = b.x * b.x + b.y * b.y;                                                                                       \
    return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n};                                                 \
  }                                                                                                                    \
  static inline __host__ __device__ R cuCabs##S(T a) { return sqrt(a.x * a.x + a.y * a.y); }                           \
  static inline __host__ __device__ T cuCfma##S(T a, T b, T c) { return cuCadd##S(cuCmul##S(a, b), c); }
CUCOMPLEX(cuFloatComplex, float, f)
CUCOMPLEX(cuDoubleComplex, double, )
#undef CUCOMPLEX
static inline __host__ __device__ cuComplex make_cuComplex(float x, float y) { return {x, y}; }
static inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
static inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
