// What sources take from the helpers of CUDA's samples for hosts: errors, devices, timers, command lines. Hosts
// are not run here, so that declarations do.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <algorithm>
#include <iostream>
#include <fstream>
#include <cmath>
template <typename T> inline void check(T, const char *, const char *, int) {}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)
inline void __getLastCudaError(const char *, const char *, int) {}
inline void __printLastCudaError(const char *, const char *, int) {}
template <typename T> const char *_cudaGetErrorEnum(T);
int findCudaDevice(int, const char **);
int gpuDeviceInit(int);
int gpuGetMaxGflopsDeviceId();
int findIntegratedGPU();
bool checkCudaCapabilities(int, int);
int _ConvertSMVer2Cores(int, int);
const char *_ConvertSMVer2ArchName(int, int);
inline int ftoi(float value) { return value >= 0 ? (int)(value + 0.5) : (int)(value - 0.5); }
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

class StopWatchInterface {
public:
  virtual ~StopWatchInterface() {}
};
bool sdkCreateTimer(StopWatchInterface **);
bool sdkDeleteTimer(StopWatchInterface **);
bool sdkStartTimer(StopWatchInterface **);
bool sdkStopTimer(StopWatchInterface **);
bool sdkResetTimer(StopWatchInterface **);
float sdkGetTimerValue(StopWatchInterface **);
float sdkGetAverageTimerValue(StopWatchInterface **);

bool checkCmdLineFlag(int, const char **, const char *);
int getCmdLineArgumentInt(int, const char **, const char *);
float getCmdLineArgumentFloat(int, const char **, const char *);
bool getCmdLineArgumentString(int, const char **, const char *, char **);
template <typename T> bool getCmdLineArgumentValue(int, const char **, const char *, T *);
char *sdkFindFilePath(const char *, const char *);
template <typename T> bool sdkLoadPGM(const char *, T **, unsigned *, unsigned *);
template <typename T> bool sdkSavePGM(const char *, T *, unsigned, unsigned);
template <typename T> bool sdkLoadPPM4(const char *, T **, unsigned *, unsigned *);
template <typename T> bool sdkSavePPM4ub(const char *, T *, unsigned, unsigned);
template <typename T> bool sdkReadFile(const char *, T **, unsigned *, bool);
template <typename T> bool sdkWriteFile(const char *, const T *, unsigned, T, bool, bool = false);
template <typename T> bool compareData(const T *, const T *, unsigned, T, float);
bool sdkCompareL2fe(const float *, const float *, unsigned, float);
template <typename... T> bool sdkComparePPM(T...);
template <typename... T> bool sdkComparePGM(T...);
template <typename... T> bool sdkCompareBin2BinFloat(T...);
template <typename... T> bool sdkCompareBin2BinUint(T...);
