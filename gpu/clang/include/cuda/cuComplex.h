#pragma once
#include "gradine.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define GRADINE_CUCOMPLEX(__T, __R, __S)                                                                                             \
  static inline __host__ __device__ __T make_##__T(__R x, __R y) { return {x, y}; }                                            \
  static inline __host__ __device__ __R cuCreal##__S(__T a) { return a.x; }                                                  \
  static inline __host__ __device__ __R cuCimag##__S(__T a) { return a.y; }                                                  \
  static inline __host__ __device__ __T cuConj##__S(__T a) { return {a.x, -a.y}; }                                           \
  static inline __host__ __device__ __T cuCadd##__S(__T a, __T b) { return {a.x + b.x, a.y + b.y}; }                           \
  static inline __host__ __device__ __T cuCsub##__S(__T a, __T b) { return {a.x - b.x, a.y - b.y}; }                           \
  static inline __host__ __device__ __T cuCmul##__S(__T a, __T b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }    \
  static inline __host__ __device__ __T cuCdiv##__S(__T a, __T b) {                                                            \
    __R n = b.x * b.x + b.y * b.y;                                                                                       \
    return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n};                                                 \
  }                                                                                                                    \
  static inline __host__ __device__ __R cuCabs##__S(__T a) { return sqrt(a.x * a.x + a.y * a.y); }                           \
  static inline __host__ __device__ __T cuCfma##__S(__T a, __T b, __T c) { return cuCadd##__S(cuCmul##__S(a, b), c); }
GRADINE_CUCOMPLEX(cuFloatComplex, float, f)
GRADINE_CUCOMPLEX(cuDoubleComplex, double, )
#undef GRADINE_CUCOMPLEX
static inline __host__ __device__ cuComplex make_cuComplex(float x, float y) { return {x, y}; }
static inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
static inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
