// What sources take from the helpers of CUDA's samples up to 4.2.
#pragma once
#include <known/helper_cuda.h>
#define CUDA_SAFE_CALL(call) call
#define CUDA_SAFE_CALL_NO_SYNC(call) call
#define CUT_SAFE_CALL(call) call
#define CU_SAFE_CALL(call) call
#define CUFFT_SAFE_CALL(call) call
#define CUT_CHECK_ERROR(message)
#define CUT_DEVICE_INIT(...)
#define CUT_EXIT(...)
#define cutilSafeCall(call) call
#define cutilSafeCallNoSync(call) call
#define cutilCheckError(call) call
#define cutilCheckMsg(message)
#define cutilSafeMalloc(call) call
#define cutilExit(...)
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilThreadSynchronize() cudaDeviceSynchronize()
#define CUTTrue 1
#define CUTFalse 0
typedef int CUTBoolean;
unsigned cutCreateTimer(unsigned *);
unsigned cutDeleteTimer(unsigned);
unsigned cutStartTimer(unsigned);
unsigned cutStopTimer(unsigned);
unsigned cutResetTimer(unsigned);
float cutGetTimerValue(unsigned);
int cutGetMaxGflopsDeviceId();
CUTBoolean cutCheckCmdLineFlag(int, const char **, const char *);
CUTBoolean cutGetCmdLineArgumenti(int, const char **, const char *, int *);
CUTBoolean cutGetCmdLineArgumentf(int, const char **, const char *, float *);
CUTBoolean cutGetCmdLineArgumentstr(int, const char **, const char *, char **);
