#pragma once
#include "gradine.h"
#include <curand.h>
GRADINE_CONST unsigned int __gradine_random(unsigned int);
GRADINE_CONST double __gradine_random_double(unsigned int);
// Which numbers come is not followed; what is read and written of a state is.
#define GRADINE_CURAND_STATE(__S, ...)                                                                             \
  struct __S {                                                                                                \
    unsigned int d, v[5];                                                                                     \
    int boxmuller_flag, boxmuller_flag_double;                                                                \
    float boxmuller_extra;                                                                                    \
    double boxmuller_extra_double;                                                                            \
  };                                                                                                          \
  typedef __S __S##_t;                                                                                        \
  static inline __device__ unsigned int __gradine_next(__S *s) {                                              \
    s->v[0] = __gradine_random(s->v[0]); s->v[1] = __gradine_random(s->v[1]); s->v[2] = __gradine_random(s->v[2]); \
    s->v[3] = __gradine_random(s->v[3]); s->v[4] = __gradine_random(s->v[4]);                                 \
    return s->d = __gradine_random(s->d);                                                                     \
  }                                                                                                           \
  static inline __device__ double __gradine_normal(__S *s) {                                                  \
    s->boxmuller_flag = (int)__gradine_random(s->boxmuller_flag);                                             \
    s->boxmuller_flag_double = (int)__gradine_random(s->boxmuller_flag_double);                               \
    s->boxmuller_extra = (float)__gradine_random_double((unsigned int)s->boxmuller_extra);                    \
    s->boxmuller_extra_double = __gradine_random_double((unsigned int)s->boxmuller_extra_double);             \
    return __gradine_random_double(__gradine_next(s));                                                        \
  }                                                                                                           \
  __VA_ARGS__                                                                                                 \
  static inline __device__ unsigned int curand(__S *s) { return __gradine_next(s); }                          \
  static inline __device__ uint4 curand4(__S *s) { return {__gradine_next(s), __gradine_next(s), __gradine_next(s), __gradine_next(s)}; } \
  static inline __device__ double curand_uniform_double(__S *s) { return __gradine_random_double(__gradine_next(s)); } \
  static inline __device__ float curand_uniform(__S *s) { return (float)curand_uniform_double(s); }           \
  static inline __device__ float2 curand_uniform2(__S *s) { return {curand_uniform(s), curand_uniform(s)}; }  \
  static inline __device__ float4 curand_uniform4(__S *s) { return {curand_uniform(s), curand_uniform(s), curand_uniform(s), curand_uniform(s)}; } \
  static inline __device__ double2 curand_uniform2_double(__S *s) { return {curand_uniform_double(s), curand_uniform_double(s)}; } \
  static inline __device__ double curand_normal_double(__S *s) { return __gradine_normal(s); }                \
  static inline __device__ float curand_normal(__S *s) { return (float)__gradine_normal(s); }                 \
  static inline __device__ float2 curand_normal2(__S *s) { return {curand_normal(s), curand_normal(s)}; }     \
  static inline __device__ float4 curand_normal4(__S *s) { return {curand_normal(s), curand_normal(s), curand_normal(s), curand_normal(s)}; } \
  static inline __device__ double2 curand_normal2_double(__S *s) { return {curand_normal_double(s), curand_normal_double(s)}; } \
  static inline __device__ float curand_log_normal(__S *s, float m, float d) { return curand_normal(s) * d + m; } \
  static inline __device__ double curand_log_normal_double(__S *s, double m, double d) { return curand_normal_double(s) * d + m; } \
  static inline __device__ unsigned int curand_poisson(__S *s, double) { return __gradine_next(s); }          \
  static inline __device__ void skipahead(unsigned long long, __S *s) { __gradine_next(s); }                  \
  static inline __device__ void skipahead_sequence(unsigned long long, __S *s) { __gradine_next(s); }
#define GRADINE_CURAND_INIT(__S)                                                                                   \
  static inline __device__ void curand_init(unsigned long long seed, unsigned long long, unsigned long long, __S *s) { \
    *s = __S();                                                                                               \
    s->d = __gradine_random((unsigned int)seed);                                                              \
  }
GRADINE_CURAND_STATE(curandStateXORWOW, GRADINE_CURAND_INIT(curandStateXORWOW))
GRADINE_CURAND_STATE(curandStateMRG32k3a, GRADINE_CURAND_INIT(curandStateMRG32k3a))
GRADINE_CURAND_STATE(curandStatePhilox4_32_10, GRADINE_CURAND_INIT(curandStatePhilox4_32_10))
GRADINE_CURAND_STATE(curandStateScrambledSobol32)
GRADINE_CURAND_STATE(curandStateSobol32)
GRADINE_CURAND_STATE(curandStateScrambledSobol64)
GRADINE_CURAND_STATE(curandStateSobol64)
#undef GRADINE_CURAND_INIT
#undef GRADINE_CURAND_STATE
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
// The threads of a group share a state, and wait for each other in these.
struct curandStateMtgp32 { unsigned int d, v[24]; };
typedef curandStateMtgp32 curandStateMtgp32_t;
__device__ unsigned int curand(curandStateMtgp32 *);
__device__ float curand_uniform(curandStateMtgp32 *);
__device__ double curand_uniform_double(curandStateMtgp32 *);
__device__ float curand_normal(curandStateMtgp32 *);
__device__ float2 curand_normal2(curandStateMtgp32 *);
__device__ double curand_normal_double(curandStateMtgp32 *);
__device__ float curand_log_normal(curandStateMtgp32 *, float, float);
__device__ unsigned int curand_poisson(curandStateMtgp32 *, double);
__device__ void curand_init(unsigned int *, unsigned int, curandStateSobol32 *);
struct mtgp32_kernel_params { unsigned int opaque[4]; };
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
struct mtgp32_params_fast { int opaque[4]; };
typedef mtgp32_params_fast mtgp32_params_fast_t;
extern mtgp32_params_fast mtgp32dc_params_fast_11213[200];
