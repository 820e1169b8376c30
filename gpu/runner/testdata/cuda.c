// A fake of CUDA's driver: the functions that the runner calls, with the types of cuda.h, on memory of the host. What
// its one kernel does, and how long it takes, is said by the options that the fake of NVRTC has put into the code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct context *CUcontext;
typedef struct module { char options[4096]; } *CUmodule;
typedef struct module *CUfunction;
typedef struct event { double ms; } *CUevent;
typedef struct stream *CUstream;

enum { OUT_OF_MEMORY = 2, INVALID_VALUE = 1, ILLEGAL_ADDRESS = 700, NOT_FOUND = 500 };

static int initialised, current;
static double clock_ms;
static CUresult pending;
static char options[4096];

CUresult cuInit(unsigned flags) { initialised = 1; return flags ? INVALID_VALUE : 0; }
CUresult cuDriverGetVersion(int *v) { *v = 12040; return 0; }
CUresult cuDeviceGetCount(int *n)
{
    const char *said = getenv("FAKE_DEVICES");
    *n = said ? atoi(said) : 1;
    return initialised ? 0 : 3;
}
CUresult cuDeviceGet(CUdevice *d, int i) { *d = 40 + i; return 0; }
CUresult cuDeviceGetName(char *name, int n, CUdevice d) { snprintf(name, n, "Fake GPU"); return d == 40 ? 0 : 101; }
CUresult cuDeviceGetAttribute(int *v, int a, CUdevice d)
{
    *v = a == 75 ? 9 : a == 76 ? 0 : -1;
    return d == 40 ? 0 : 101;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) { *c = (CUcontext)&current; return d == 40 ? 0 : 101; }
CUresult cuCtxSetCurrent(CUcontext c) { current = c == (CUcontext)&current; return current ? 0 : 201; }
CUresult cuGetErrorName(CUresult e, const char **s) { *s = e == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR"; return 0; }
CUresult cuModuleLoadData(CUmodule *m, const void *code)
{
    if (!current || memcmp(code, "CODE sm_90", 10))
        return 200;
    *m = calloc(1, sizeof **m);
    snprintf((*m)->options, sizeof (*m)->options, "%s", (const char *)code);
    snprintf(options, sizeof options, "%s", (const char *)code);
    return 0;
}
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) { *f = m; return strcmp(name, "_Z5twice") ? NOT_FOUND : 0; }
CUresult cuFuncSetAttribute(CUfunction f, int a, int v) { return f && a == 8 && v > 0 ? 0 : INVALID_VALUE; }
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n)
{
    *p = (CUdeviceptr)malloc(n);
    return strstr(options, "-DFULL") ? OUT_OF_MEMORY : 0;
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n) { memcpy((void *)to, from, n); return 0; }
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n) { memcpy(to, (void *)from, n); return 0; }
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream s, void **args, void **extra)
{
    const char *ms = strstr(f->options, "-DMS=");
    if (strstr(f->options, "-DLAUNCH") || gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || s || extra)
        return INVALID_VALUE;
    if (strstr(f->options, "-DCRASH"))
        abort();
    int *out = *(int **)args[0], *in = *(int **)args[1], plus = *(int *)args[2];
    for (unsigned i = 0; i < gx * bx; i++)
        out[i] = 2 * in[i] + plus;
    if (strstr(f->options, "-DBEYOND"))
        in[gx * bx + 1]++;
    if (strstr(f->options, "-DBEFORE"))
        in[-3]++;
    clock_ms += ms ? atof(ms + 5) : 1;
    pending = strstr(f->options, "-DFAULT") ? ILLEGAL_ADDRESS : 0;
    return 0;
}
CUresult cuCtxSynchronize(void) { return pending; }
CUresult cuEventCreate(CUevent *e, unsigned flags) { *e = calloc(1, sizeof **e); return flags ? INVALID_VALUE : 0; }
CUresult cuEventRecord(CUevent e, CUstream s) { e->ms = clock_ms; return s ? INVALID_VALUE : 0; }
CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b) { *ms = (float)(b->ms - a->ms); return 0; }
