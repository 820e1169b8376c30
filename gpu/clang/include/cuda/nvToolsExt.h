#pragma once
#include "gradine.h"
#define NVTX_VERSION 2
struct nvtxEventAttributes_t { unsigned short version, size; unsigned category; int colorType; unsigned color; int payloadType, reserved0; union { unsigned long long ullValue; } payload; int messageType; union { const char *ascii; } message; };
typedef unsigned long long nvtxRangeId_t;
enum gradine_nvtx { NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_EVENT_ATTRIB_STRUCT_SIZE = 48 };
template <typename... __A> __host__ int nvtxRangePush(__A &&...);
template <typename... __A> __host__ int nvtxRangePushA(__A &&...);
template <typename... __A> __host__ int nvtxRangePushEx(__A &&...);
template <typename... __A> __host__ int nvtxRangePop(__A &&...);
template <typename... __A> __host__ int nvtxMark(__A &&...);
template <typename... __A> __host__ int nvtxMarkA(__A &&...);
template <typename... __A> __host__ int nvtxNameOsThreadA(__A &&...);
template <typename... __A> __host__ int nvtxNameCudaStreamA(__A &&...);
template <typename... __A> __host__ nvtxRangeId_t nvtxRangeStart(__A &&...);
template <typename... __A> __host__ nvtxRangeId_t nvtxRangeStartA(__A &&...);
template <typename... __A> __host__ nvtxRangeId_t nvtxRangeStartEx(__A &&...);
template <typename... __A> __host__ void nvtxRangeEnd(__A &&...);
