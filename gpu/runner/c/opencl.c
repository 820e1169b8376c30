// Runs one configuration of a kernel in OpenCL. The library is looked for when it runs, so that nothing but a C
// compiler is needed to build it: the declarations below are those of OpenCL 1.1.
#include "request.h"

typedef int cl_int;
typedef unsigned cl_uint;
typedef unsigned long long cl_ulong;
typedef void *handle;

enum {
    PLATFORM_NAME = 0x0902, DEVICE_NAME = 0x102B, DRIVER_VERSION = 0x102D, DEVICE_VERSION = 0x102F,
    QUEUE_PROFILING = 2, MEM_READ_WRITE = 1, BUILD_LOG = 0x1183, KERNEL_ARGUMENTS = 0x1191,
    REGION = 0x1220, STARTED = 0x1282, ENDED = 0x1283, DEVICE_GPU = 4, DEVICE_ANY = -1
};

static struct {
    cl_int (*platforms)(cl_uint, handle *, cl_uint *);
    cl_int (*platform_info)(handle, cl_uint, size_t, void *, size_t *);
    cl_int (*devices)(handle, cl_ulong, cl_uint, handle *, cl_uint *);
    cl_int (*device_info)(handle, cl_uint, size_t, void *, size_t *);
    handle (*context)(const void *, cl_uint, const handle *, void *, void *, cl_int *);
    handle (*queue)(handle, handle, cl_ulong, cl_int *);
    handle (*program)(handle, cl_uint, const char **, const size_t *, cl_int *);
    cl_int (*build)(handle, cl_uint, const handle *, const char *, void *, void *);
    cl_int (*build_info)(handle, handle, cl_uint, size_t, void *, size_t *);
    handle (*kernel)(handle, const char *, cl_int *);
    cl_int (*kernel_info)(handle, cl_uint, size_t, void *, size_t *);
    cl_int (*argument)(handle, cl_uint, size_t, const void *);
    handle (*buffer)(handle, cl_ulong, size_t, void *, cl_int *);
    handle (*part)(handle, cl_ulong, cl_uint, const void *, cl_int *);
    cl_int (*write)(handle, handle, cl_uint, size_t, size_t, const void *, cl_uint, const handle *, handle *);
    cl_int (*read)(handle, handle, cl_uint, size_t, size_t, void *, cl_uint, const handle *, handle *);
    cl_int (*launch)(handle, handle, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const handle *, handle *);
    cl_int (*finish)(handle);
    cl_int (*profile)(handle, cl_uint, size_t, void *, size_t *);
    cl_int (*release_event)(handle);
} cl;

static void load(void)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", "/System/Library/Frameworks/OpenCL.framework/OpenCL", NULL};
    void *l = library(names, "libOpenCL is not installed: install the OpenCL loader and driver of the device, such as ocl-icd-libopencl1 and pocl-opencl-icd");
    *(void **)&cl.platforms = symbol(l, "clGetPlatformIDs");
    *(void **)&cl.platform_info = symbol(l, "clGetPlatformInfo");
    *(void **)&cl.devices = symbol(l, "clGetDeviceIDs");
    *(void **)&cl.device_info = symbol(l, "clGetDeviceInfo");
    *(void **)&cl.context = symbol(l, "clCreateContext");
    *(void **)&cl.queue = symbol(l, "clCreateCommandQueue");
    *(void **)&cl.program = symbol(l, "clCreateProgramWithSource");
    *(void **)&cl.build = symbol(l, "clBuildProgram");
    *(void **)&cl.build_info = symbol(l, "clGetProgramBuildInfo");
    *(void **)&cl.kernel = symbol(l, "clCreateKernel");
    *(void **)&cl.kernel_info = symbol(l, "clGetKernelInfo");
    *(void **)&cl.argument = symbol(l, "clSetKernelArg");
    *(void **)&cl.buffer = symbol(l, "clCreateBuffer");
    *(void **)&cl.part = symbol(l, "clCreateSubBuffer");
    *(void **)&cl.write = symbol(l, "clEnqueueWriteBuffer");
    *(void **)&cl.read = symbol(l, "clEnqueueReadBuffer");
    *(void **)&cl.launch = symbol(l, "clEnqueueNDRangeKernel");
    *(void **)&cl.finish = symbol(l, "clFinish");
    *(void **)&cl.profile = symbol(l, "clGetEventProfilingInfo");
    *(void **)&cl.release_event = symbol(l, "clReleaseEvent");
}

static void must(cl_int code, const char *stage, const char *what)
{
    if (code)
        fail(stage, "%s: OpenCL error %d", what, code);
}

// The first device whose name has the wanted part; GPUs before others.
static handle find(const char *wanted)
{
    handle platforms[16], devices[16];
    cl_uint n = 0;
    if (cl.platforms(16, platforms, &n) || !n)
        fail("device", "OpenCL has no platform: install the driver of the device, such as pocl-opencl-icd for the processor");
    for (int pass = 0; pass < 2; pass++)
        for (cl_uint i = 0; i < n && i < 16; i++) {
            cl_uint m = 0;
            if (cl.devices(platforms[i], pass ? 0xFFFFFFFFu : DEVICE_GPU, 16, devices, &m))
                continue;
            for (cl_uint k = 0; k < m && k < 16; k++) {
                cl.device_info(devices[k], DEVICE_NAME, sizeof device_name - 1, device_name, NULL);
                if (!strstr(device_name, wanted))
                    continue;
                cl.device_info(devices[k], DRIVER_VERSION, sizeof driver_version - 1, driver_version, NULL);
                cl.device_info(devices[k], DEVICE_VERSION, sizeof runtime_name - 1, runtime_name, NULL);
                return devices[k];
            }
        }
    device_name[0] = 0;
    fail("device", "OpenCL has no device whose name contains \"%s\"", wanted);
    return NULL;
}

static handle build(struct request *r, handle context, handle device)
{
    size_t length = 1;
    for (int i = 0; i < r->option_count; i++)
        length += strlen(r->options[i]) + 1;
    char *options = room(length);
    for (int i = 0; i < r->option_count; i++)
        strcat(strcat(options, r->options[i]), " ");
    const char *text = (const char *)content(r->source, NULL, 0);
    cl_int code;
    handle program = cl.program(context, 1, &text, NULL, &code);
    must(code, "compilation", "clCreateProgramWithSource");
    if ((code = cl.build(program, 1, &device, options, NULL, NULL))) {
        size_t size = 0;
        cl.build_info(program, device, BUILD_LOG, 0, NULL, &size);
        char *log = room(size);
        cl.build_info(program, device, BUILD_LOG, size, log, NULL);
        fail("compilation", "%s", *log ? log : "clBuildProgram failed");
    }
    handle kernel = cl.kernel(program, r->kernel, &code);
    must(code, "compilation", r->kernel);
    return kernel;
}

static void arguments(struct request *r, handle context, handle kernel)
{
    cl_uint wanted = 0;
    must(cl.kernel_info(kernel, KERNEL_ARGUMENTS, sizeof wanted, &wanted, NULL), "arguments", "clGetKernelInfo");
    if (wanted != (cl_uint)r->argument_count)
        fail("arguments", "the kernel has %u parameters, and %d arguments are given", wanted, r->argument_count);
    for (int i = 0; i < r->argument_count; i++) {
        struct argument *a = &r->arguments[i];
        cl_int code = 0;
        char what[64];
        snprintf(what, sizeof what, "argument %d", i);
        if (a->kind == 'b') {
            // The kernel gets the part between the guards. GUARD is a multiple of what devices align buffers to.
            struct { size_t origin, size; } part = {GUARD, a->bytes};
            a->whole = cl.buffer(context, MEM_READ_WRITE, a->bytes + 2 * GUARD, NULL, &code);
            must(code, "allocation", what);
            a->memory = cl.part(a->whole, 0, REGION, &part, &code);
            must(code, "allocation", what);
            must(cl.argument(kernel, i, sizeof a->memory, &a->memory), "arguments", what);
        } else
            must(cl.argument(kernel, i, a->bytes, a->kind == 'l' ? NULL : a->value), "arguments", what);
    }
}

static handle queue, kernel;

static void write_buffer(struct argument *a)
{
    must(cl.write(queue, a->whole, 1, 0, a->bytes + 2 * GUARD, a->first, 0, NULL, NULL), "allocation", "clEnqueueWriteBuffer");
}

static void read_buffer(struct argument *a, size_t from, void *to, size_t bytes)
{
    must(cl.read(queue, a->whole, 1, from, bytes, to, 0, NULL, NULL), "run", "clEnqueueReadBuffer");
}

static double launch(struct request *r)
{
    size_t global[3];
    for (int d = 0; d < 3; d++)
        global[d] = r->block[d] * r->grid[d];
    handle event;
    must(cl.launch(queue, kernel, 3, NULL, global, r->block, 0, NULL, &event), "launch", "clEnqueueNDRangeKernel");
    must(cl.finish(queue), "run", "clFinish");
    cl_ulong from = 0, to = 0;
    must(cl.profile(event, STARTED, sizeof from, &from, NULL), "run", "clGetEventProfilingInfo");
    must(cl.profile(event, ENDED, sizeof to, &to, NULL), "run", "clGetEventProfilingInfo");
    cl.release_event(event);
    return (double)(to - from) * 1e-6;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    struct request r = read_request(argv);
    load();
    handle device = find(r.device);
    if (!r.kernel) {
        put_times(NULL, 0);
        return 0;
    }
    cl_int code;
    handle context = cl.context(NULL, 1, &device, NULL, NULL, &code);
    must(code, "device", "clCreateContext");
    queue = cl.queue(context, device, QUEUE_PROFILING, &code);
    must(code, "device", "clCreateCommandQueue");
    kernel = build(&r, context, device);
    arguments(&r, context, kernel);
    measure(&r, &(struct runtime){write_buffer, read_buffer, launch});
    _Exit(0); // drivers that crash when they are unloaded change nothing
}
