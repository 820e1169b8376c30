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
template <typename... A> __host__ cufftResult cufftPlan1d(A &&...);
template <typename... A> __host__ cufftResult cufftPlan2d(A &&...);
template <typename... A> __host__ cufftResult cufftPlan3d(A &&...);
template <typename... A> __host__ cufftResult cufftPlanMany(A &&...);
template <typename... A> __host__ cufftResult cufftCreate(A &&...);
template <typename... A> __host__ cufftResult cufftDestroy(A &&...);
template <typename... A> __host__ cufftResult cufftMakePlan1d(A &&...);
template <typename... A> __host__ cufftResult cufftMakePlan2d(A &&...);
template <typename... A> __host__ cufftResult cufftMakePlan3d(A &&...);
template <typename... A> __host__ cufftResult cufftMakePlanMany(A &&...);
template <typename... A> __host__ cufftResult cufftMakePlanMany64(A &&...);
template <typename... A> __host__ cufftResult cufftXtMakePlanMany(A &&...);
template <typename... A> __host__ cufftResult cufftExecC2C(A &&...);
template <typename... A> __host__ cufftResult cufftExecR2C(A &&...);
template <typename... A> __host__ cufftResult cufftExecC2R(A &&...);
template <typename... A> __host__ cufftResult cufftExecZ2Z(A &&...);
template <typename... A> __host__ cufftResult cufftExecD2Z(A &&...);
template <typename... A> __host__ cufftResult cufftExecZ2D(A &&...);
template <typename... A> __host__ cufftResult cufftSetStream(A &&...);
template <typename... A> __host__ cufftResult cufftSetWorkArea(A &&...);
template <typename... A> __host__ cufftResult cufftSetAutoAllocation(A &&...);
template <typename... A> __host__ cufftResult cufftGetSize(A &&...);
template <typename... A> __host__ cufftResult cufftGetSizeMany(A &&...);
template <typename... A> __host__ cufftResult cufftEstimateMany(A &&...);
template <typename... A> __host__ cufftResult cufftEstimate1d(A &&...);
template <typename... A> __host__ cufftResult cufftSetCompatibilityMode(A &&...);
template <typename... A> __host__ cufftResult cufftXtSetGPUs(A &&...);
template <typename... A> __host__ cufftResult cufftXtMalloc(A &&...);
template <typename... A> __host__ cufftResult cufftXtMemcpy(A &&...);
template <typename... A> __host__ cufftResult cufftXtExecDescriptorC2C(A &&...);
template <typename... A> __host__ cufftResult cufftXtFree(A &&...);
template <typename... A> __host__ cufftResult cufftXtExec(A &&...);
template <typename... A> __host__ cufftResult cufftXtSetCallback(A &&...);
