#pragma once
#include "gradine.h"
#include <curand.h>
struct curandStateXORWOW { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStateXORWOW curandStateXORWOW_t;
struct curandStateMRG32k3a { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStatePhilox4_32_10 { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMtgp32 { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStateMtgp32 curandStateMtgp32_t;
struct curandStateScrambledSobol32 { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol32 { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol64 { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
struct curandStateSobol64 { unsigned int d, v[24]; int flag; float extra; double extra_double; };
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
#define GRADINE_CURAND_STATE(__S) \
  __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, __S *); \
  __device__ unsigned int curand(__S *); \
  __device__ uint4 curand4(__S *); \
  __device__ float curand_uniform(__S *); \
  __device__ float2 curand_uniform2(__S *); \
  __device__ float4 curand_uniform4(__S *); \
  __device__ double curand_uniform_double(__S *); \
  __device__ double2 curand_uniform2_double(__S *); \
  __device__ float curand_normal(__S *); \
  __device__ float2 curand_normal2(__S *); \
  __device__ float4 curand_normal4(__S *); \
  __device__ double curand_normal_double(__S *); \
  __device__ double2 curand_normal2_double(__S *); \
  __device__ float curand_log_normal(__S *, float, float); \
  __device__ double curand_log_normal_double(__S *, double, double); \
  __device__ unsigned int curand_poisson(__S *, double); \
  __device__ void skipahead(unsigned long long, __S *); \
  __device__ void skipahead_sequence(unsigned long long, __S *);
GRADINE_CURAND_STATE(curandStateXORWOW)
GRADINE_CURAND_STATE(curandStateMRG32k3a)
GRADINE_CURAND_STATE(curandStatePhilox4_32_10)
GRADINE_CURAND_STATE(curandStateMtgp32)
GRADINE_CURAND_STATE(curandStateScrambledSobol32)
GRADINE_CURAND_STATE(curandStateSobol32)
GRADINE_CURAND_STATE(curandStateScrambledSobol64)
GRADINE_CURAND_STATE(curandStateSobol64)
#undef GRADINE_CURAND_STATE
__device__ void curand_init(unsigned int *, unsigned int, curandStateSobol32 *);
struct mtgp32_kernel_params { unsigned int opaque[4]; };
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
struct mtgp32_params_fast { int opaque[4]; };
typedef mtgp32_params_fast mtgp32_params_fast_t;
extern mtgp32_params_fast mtgp32dc_params_fast_11213[200];
