#pragma once
#include "gradine.h"
typedef struct gradine_nvrtc *nvrtcProgram;
enum nvrtcResult { NVRTC_SUCCESS, NVRTC_ERROR_COMPILATION = 6 };
template <typename... __A> __host__ nvrtcResult nvrtcCreateProgram(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcCompileProgram(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcDestroyProgram(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcGetPTX(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcGetPTXSize(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcGetCUBIN(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcGetCUBINSize(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcGetProgramLog(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcGetProgramLogSize(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcAddNameExpression(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcGetLoweredName(__A &&...);
template <typename... __A> __host__ nvrtcResult nvrtcVersion(__A &&...);
const char *nvrtcGetErrorString(nvrtcResult);
