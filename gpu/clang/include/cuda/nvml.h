#pragma once
#include "gradine.h"
typedef struct gradine_nvml *nvmlDevice_t;
enum nvmlReturn_t { NVML_SUCCESS };
struct nvmlMemory_t { unsigned long long total, free, used; };
struct nvmlUtilization_t { unsigned gpu, memory; };
template <typename... A> __host__ nvmlReturn_t nvmlInit(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlShutdown(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetCount(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetHandleByIndex(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetName(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetPowerUsage(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetTemperature(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetMemoryInfo(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetUtilizationRates(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetClockInfo(A &&...);
template <typename... A> __host__ nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(A &&...);
