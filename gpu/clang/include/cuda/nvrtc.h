#pragma once
#include "gradine.h"
typedef struct gradine_nvrtc *nvrtcProgram;
enum nvrtcResult { NVRTC_SUCCESS, NVRTC_ERROR_COMPILATION = 6 };
template <typename... A> __host__ nvrtcResult nvrtcCreateProgram(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcCompileProgram(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcDestroyProgram(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcGetPTX(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcGetPTXSize(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcGetCUBIN(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcGetCUBINSize(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcGetProgramLog(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcGetProgramLogSize(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcAddNameExpression(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcGetLoweredName(A &&...);
template <typename... A> __host__ nvrtcResult nvrtcVersion(A &&...);
const char *nvrtcGetErrorString(nvrtcResult);
