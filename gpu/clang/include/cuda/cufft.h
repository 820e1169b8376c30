#pragma once
#include <cuComplex.h>
#include <library_types.h>
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
enum cufftResult { CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE, CUFFT_INTERNAL_ERROR, CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE, CUFFT_UNALIGNED_DATA, CUFFT_INCOMPLETE_PARAMETER_LIST, CUFFT_INVALID_DEVICE, CUFFT_PARSE_ERROR, CUFFT_NO_WORKSPACE, CUFFT_NOT_IMPLEMENTED, CUFFT_LICENSE_ERROR, CUFFT_NOT_SUPPORTED };
enum cufftType { CUFFT_R2C = 42, CUFFT_C2R = 44, CUFFT_C2C = 41, CUFFT_D2Z = 106, CUFFT_Z2D = 108, CUFFT_Z2Z = 105 };
typedef cufftResult cufftResult_t;
typedef cufftType cufftType_t;
template <typename... __A> __host__ cufftResult cufftPlan1d(__A &&...);
template <typename... __A> __host__ cufftResult cufftPlan2d(__A &&...);
template <typename... __A> __host__ cufftResult cufftPlan3d(__A &&...);
template <typename... __A> __host__ cufftResult cufftPlanMany(__A &&...);
template <typename... __A> __host__ cufftResult cufftCreate(__A &&...);
template <typename... __A> __host__ cufftResult cufftDestroy(__A &&...);
template <typename... __A> __host__ cufftResult cufftMakePlan1d(__A &&...);
template <typename... __A> __host__ cufftResult cufftMakePlan2d(__A &&...);
template <typename... __A> __host__ cufftResult cufftMakePlan3d(__A &&...);
template <typename... __A> __host__ cufftResult cufftMakePlanMany(__A &&...);
template <typename... __A> __host__ cufftResult cufftMakePlanMany64(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtMakePlanMany(__A &&...);
template <typename... __A> __host__ cufftResult cufftExecC2C(__A &&...);
template <typename... __A> __host__ cufftResult cufftExecR2C(__A &&...);
template <typename... __A> __host__ cufftResult cufftExecC2R(__A &&...);
template <typename... __A> __host__ cufftResult cufftExecZ2Z(__A &&...);
template <typename... __A> __host__ cufftResult cufftExecD2Z(__A &&...);
template <typename... __A> __host__ cufftResult cufftExecZ2D(__A &&...);
template <typename... __A> __host__ cufftResult cufftSetStream(__A &&...);
template <typename... __A> __host__ cufftResult cufftSetWorkArea(__A &&...);
template <typename... __A> __host__ cufftResult cufftSetAutoAllocation(__A &&...);
template <typename... __A> __host__ cufftResult cufftGetSize(__A &&...);
template <typename... __A> __host__ cufftResult cufftGetSizeMany(__A &&...);
template <typename... __A> __host__ cufftResult cufftEstimateMany(__A &&...);
template <typename... __A> __host__ cufftResult cufftEstimate1d(__A &&...);
template <typename... __A> __host__ cufftResult cufftSetCompatibilityMode(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtSetGPUs(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtMalloc(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtMemcpy(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtExecDescriptorC2C(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtFree(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtExec(__A &&...);
template <typename... __A> __host__ cufftResult cufftXtSetCallback(__A &&...);
