#pragma once
#include "gradine.h"
typedef struct gradine_nvml *nvmlDevice_t;
enum nvmlReturn_t { NVML_SUCCESS };
struct nvmlMemory_t { unsigned long long total, free, used; };
struct nvmlUtilization_t { unsigned gpu, memory; };
template <typename... __A> __host__ nvmlReturn_t nvmlInit(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlShutdown(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetCount(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetHandleByIndex(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetName(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetPowerUsage(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetTemperature(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetMemoryInfo(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetUtilizationRates(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetClockInfo(__A &&...);
template <typename... __A> __host__ nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(__A &&...);
