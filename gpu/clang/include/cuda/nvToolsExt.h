#pragma once
#include "gradine.h"
#define NVTX_VERSION 2
struct nvtxEventAttributes_t { unsigned short version, size; unsigned category; int colorType; unsigned color; int payloadType, reserved0; union { unsigned long long ullValue; } payload; int messageType; union { const char *ascii; } message; };
typedef unsigned long long nvtxRangeId_t;
enum gradine_nvtx { NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_EVENT_ATTRIB_STRUCT_SIZE = 48 };
template <typename... A> __host__ int nvtxRangePush(A &&...);
template <typename... A> __host__ int nvtxRangePushA(A &&...);
template <typename... A> __host__ int nvtxRangePushEx(A &&...);
template <typename... A> __host__ int nvtxRangePop(A &&...);
template <typename... A> __host__ int nvtxMark(A &&...);
template <typename... A> __host__ int nvtxMarkA(A &&...);
template <typename... A> __host__ int nvtxNameOsThreadA(A &&...);
template <typename... A> __host__ int nvtxNameCudaStreamA(A &&...);
template <typename... A> __host__ nvtxRangeId_t nvtxRangeStart(A &&...);
template <typename... A> __host__ nvtxRangeId_t nvtxRangeStartA(A &&...);
template <typename... A> __host__ nvtxRangeId_t nvtxRangeStartEx(A &&...);
template <typename... A> __host__ void nvtxRangeEnd(A &&...);
