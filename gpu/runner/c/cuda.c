// Runs one configuration of a kernel in CUDA. The driver and NVRTC are looked for when it runs, so that nothing but
// a C compiler is needed to build it.
#include "request.h"

typedef int status;
typedef void *handle;
typedef unsigned long long address;

enum { COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76, DYNAMIC_SHARED = 8 };

static struct {
    status (*init)(unsigned);
    status (*version)(int *);
    status (*count)(int *);
    status (*device)(int *, int);
    status (*name)(char *, int, int);
    status (*attribute)(int *, int, int);
    status (*retain)(handle *, int);
    status (*current)(handle);
    status (*error)(status, const char **);
    status (*load)(handle *, const void *);
    status (*function)(handle *, handle, const char *);
    status (*set)(handle, int, int);
    status (*allocate)(address *, size_t);
    status (*write)(address, const void *, size_t);
    status (*read)(void *, address, size_t);
    status (*launch)(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **);
    status (*synchronise)(void);
    status (*event)(handle *, unsigned);
    status (*record)(handle, handle);
    status (*elapsed)(float *, handle, handle);
} cu;

static struct {
    status (*create)(handle *, const char *, const char *, int, const char *const *, const char *const *);
    status (*expression)(handle, const char *);
    status (*compile)(handle, int, const char *const *);
    status (*lowered)(handle, const char *, const char **);
    status (*log_size)(handle, size_t *);
    status (*log)(handle, char *);
    status (*size)(handle, size_t *);
    status (*code)(handle, char *);
} rtc;

static void load(void)
{
    static const char *const drivers[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const char *const compilers[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", NULL};
    void *l = library(drivers, "libcuda is not installed: install NVIDIA's driver");
    *(void **)&cu.init = symbol(l, "cuInit");
    *(void **)&cu.version = symbol(l, "cuDriverGetVersion");
    *(void **)&cu.count = symbol(l, "cuDeviceGetCount");
    *(void **)&cu.device = symbol(l, "cuDeviceGet");
    *(void **)&cu.name = symbol(l, "cuDeviceGetName");
    *(void **)&cu.attribute = symbol(l, "cuDeviceGetAttribute");
    *(void **)&cu.retain = symbol(l, "cuDevicePrimaryCtxRetain");
    *(void **)&cu.current = symbol(l, "cuCtxSetCurrent");
    *(void **)&cu.error = symbol(l, "cuGetErrorName");
    *(void **)&cu.load = symbol(l, "cuModuleLoadData");
    *(void **)&cu.function = symbol(l, "cuModuleGetFunction");
    *(void **)&cu.set = symbol(l, "cuFuncSetAttribute");
    *(void **)&cu.allocate = symbol(l, "cuMemAlloc_v2");
    *(void **)&cu.write = symbol(l, "cuMemcpyHtoD_v2");
    *(void **)&cu.read = symbol(l, "cuMemcpyDtoH_v2");
    *(void **)&cu.launch = symbol(l, "cuLaunchKernel");
    *(void **)&cu.synchronise = symbol(l, "cuCtxSynchronize");
    *(void **)&cu.event = symbol(l, "cuEventCreate");
    *(void **)&cu.record = symbol(l, "cuEventRecord");
    *(void **)&cu.elapsed = symbol(l, "cuEventElapsedTime");
    l = library(compilers, "libnvrtc is not installed: install NVIDIA's CUDA toolkit, or its package of NVRTC");
    *(void **)&rtc.create = symbol(l, "nvrtcCreateProgram");
    *(void **)&rtc.expression = symbol(l, "nvrtcAddNameExpression");
    *(void **)&rtc.compile = symbol(l, "nvrtcCompileProgram");
    *(void **)&rtc.lowered = symbol(l, "nvrtcGetLoweredName");
    *(void **)&rtc.log_size = symbol(l, "nvrtcGetProgramLogSize");
    *(void **)&rtc.log = symbol(l, "nvrtcGetProgramLog");
    *(void **)&rtc.size = symbol(l, "nvrtcGetCUBINSize");
    *(void **)&rtc.code = symbol(l, "nvrtcGetCUBIN");
}

static void must(status code, const char *stage, const char *what)
{
    if (!code)
        return;
    const char *name = NULL;
    cu.error(code, &name);
    fail(stage, "%s: %s", what, name ? name : "unknown error");
}

static int find(const char *wanted)
{
    must(cu.init(0), "device", "cuInit");
    int n = 0, version = 0;
    must(cu.count(&n), "device", "cuDeviceGetCount");
    cu.version(&version);
    snprintf(driver_version, sizeof driver_version, "%d.%d", version / 1000, version % 1000 / 10);
    strcpy(runtime_name, "CUDA");
    for (int i = 0; i < n; i++) {
        int device;
        must(cu.device(&device, i), "device", "cuDeviceGet");
        must(cu.name(device_name, sizeof device_name - 1, device), "device", "cuDeviceGetName");
        if (strstr(device_name, wanted))
            return device;
    }
    device_name[0] = 0;
    fail("device", "CUDA has no device whose name contains \"%s\"", wanted);
    return 0;
}

static handle build(struct request *r, int device)
{
    int major = 0, minor = 0;
    must(cu.attribute(&major, COMPUTE_MAJOR, device), "device", "cuDeviceGetAttribute");
    must(cu.attribute(&minor, COMPUTE_MINOR, device), "device", "cuDeviceGetAttribute");
    char arch[64];
    snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d%d", major, minor);
    const char *options[MOST + 1] = {arch};
    for (int i = 0; i < r->option_count; i++)
        options[i + 1] = r->options[i];
    handle program, module, function;
    if (rtc.create(&program, (const char *)content(r->source, NULL, 0), "kernel.cu", 0, NULL, NULL) || rtc.expression(program, r->kernel))
        fail("compilation", "NVRTC does not take the program");
    if (rtc.compile(program, r->option_count + 1, options)) {
        size_t size = 0;
        rtc.log_size(program, &size);
        char *log = room(size);
        rtc.log(program, log);
        fail("compilation", "%s", *log ? log : "NVRTC does not compile the program");
    }
    size_t size = 0;
    const char *name = NULL;
    if (rtc.size(program, &size) || !size)
        fail("compilation", "NVRTC makes no code for %s", arch);
    char *code = room(size);
    if (rtc.code(program, code) || rtc.lowered(program, r->kernel, &name))
        fail("compilation", "NVRTC makes no code of %s", r->kernel);
    must(cu.load(&module, code), "compilation", "cuModuleLoadData");
    must(cu.function(&function, module, name), "compilation", r->kernel);
    if (r->dynamic)
        must(cu.set(function, DYNAMIC_SHARED, (int)r->dynamic), "launch", "cuFuncSetAttribute");
    return function;
}

static handle function, events[2]; // before and after a launch
static void *arguments[MOST];

static void write_buffer(struct argument *a)
{
    must(cu.write((address)a->whole, a->first, a->bytes + 2 * GUARD), "allocation", "cuMemcpyHtoD");
}

static void read_buffer(struct argument *a, size_t from, void *to, size_t bytes)
{
    must(cu.read(to, (address)a->whole + from, bytes), "run", "cuMemcpyDtoH");
}

static double launch(struct request *r)
{
    must(cu.record(events[0], NULL), "run", "cuEventRecord");
    must(cu.launch(function, r->grid[0], r->grid[1], r->grid[2], r->block[0], r->block[1], r->block[2], r->dynamic, NULL, arguments, NULL), "launch", "cuLaunchKernel");
    must(cu.record(events[1], NULL), "run", "cuEventRecord");
    must(cu.synchronise(), "run", "cuCtxSynchronize");
    float ms = 0;
    must(cu.elapsed(&ms, events[0], events[1]), "run", "cuEventElapsedTime");
    return ms;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    struct request r = read_request(argv);
    load();
    int device = find(r.device);
    if (!r.kernel) {
        put_times(NULL, 0);
        return 0;
    }
    handle context;
    must(cu.retain(&context, device), "device", "cuDevicePrimaryCtxRetain");
    must(cu.current(context), "device", "cuCtxSetCurrent");
    function = build(&r, device);
    for (int i = 0; i < r.argument_count; i++) {
        struct argument *a = &r.arguments[i];
        if (a->kind == 'l')
            fail("arguments", "CUDA has no arguments in local memory");
        arguments[i] = a->kind == 'b' ? (void *)&a->memory : a->value;
        if (a->kind != 'b')
            continue;
        must(cu.allocate((address *)&a->whole, a->bytes + 2 * GUARD), "allocation", "cuMemAlloc");
        a->memory = (char *)a->whole + GUARD;
    }
    for (int i = 0; i < 2; i++)
        must(cu.event(&events[i], 0), "device", "cuEventCreate");
    measure(&r, &(struct runtime){write_buffer, read_buffer, launch});
    _Exit(0);
}
