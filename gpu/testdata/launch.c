// Launches kernels on the OpenCL platform whose name begins with the first argument. They
// are built with the options of the second from the files of OpenCL C that follow. Each
// launch is a line of standard input,
//
//     KERNEL LOCAL GROUPS LAST OUTPUTS INPUTS value…
//
// for a kernel with the parameters (in, out, an int of local memory a work item, LAST).
// Printed are the outputs, and one more that lies behind them, all of them SENTINEL before.
// Exit code 77: there is no such platform.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENTINEL = 1234567891, ABSENT = 77, PLATFORMS = 16, FILES = 8 };

static void must(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: OpenCL error %d\n", what, code);
        exit(1);
    }
}

static void *allocate(size_t size)
{
    void *memory = calloc(size, 1);
    if (!memory)
        must(CL_OUT_OF_HOST_MEMORY, "calloc");
    return memory;
}

static cl_device_id device_of(const char *wanted)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    if (clGetPlatformIDs(PLATFORMS, platforms, &count) != CL_SUCCESS)
        exit(ABSENT); // the loader knows no platform at all
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++) {
        char name[256] = "";
        cl_device_id device;
        must(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL), "clGetPlatformInfo");
        if (strncmp(name, wanted, strlen(wanted)) == 0 &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
            return device;
    }
    exit(ABSENT);
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = allocate((size_t)size + 1);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return text;
}

static cl_program build(cl_context context, cl_device_id device, const char *options, int files, char **paths)
{
    const char *texts[FILES];
    cl_int code;
    if (files > FILES)
        must(CL_INVALID_VALUE, "too many files");
    for (int i = 0; i < files; i++)
        texts[i] = text_of(paths[i]);
    cl_program program = clCreateProgramWithSource(context, (cl_uint)files, texts, NULL, &code);
    must(code, "clCreateProgramWithSource");
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[1 << 14];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    must(code, "clBuildProgram");
    return program;
}

static cl_mem buffer(cl_context context, cl_mem_flags access, size_t size, void *from)
{
    cl_int code;
    cl_mem memory = clCreateBuffer(context, access | CL_MEM_COPY_HOST_PTR, size, from, &code);
    must(code, "clCreateBuffer");
    return memory;
}

static void launch(cl_context context, cl_command_queue queue, cl_kernel kernel, size_t local, size_t groups,
                   cl_int last, cl_int *in, size_t inputs, cl_int *out, size_t outputs)
{
    size_t global = local * groups;
    cl_mem from = buffer(context, CL_MEM_READ_ONLY, inputs * sizeof *in, in);
    cl_mem to = buffer(context, CL_MEM_READ_WRITE, outputs * sizeof *out, out);
    must(clSetKernelArg(kernel, 0, sizeof from, &from), "in");
    must(clSetKernelArg(kernel, 1, sizeof to, &to), "out");
    must(clSetKernelArg(kernel, 2, local * sizeof(cl_int), NULL), "local memory");
    must(clSetKernelArg(kernel, 3, sizeof last, &last), "the last parameter");
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    must(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, outputs * sizeof *out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: launch PLATFORM OPTIONS FILE... <LAUNCHES\n");
        return 1;
    }
    cl_int code;
    cl_device_id device = device_of(argv[1]);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    must(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    must(code, "clCreateCommandQueue");
    cl_program program = build(context, device, argv[2], argc - 3, argv + 3);

    char name[64];
    size_t local, groups, outputs, inputs;
    cl_int last;
    while (scanf("%63s %zu %zu %d %zu %zu", name, &local, &groups, &last, &outputs, &inputs) == 6) {
        cl_int *in = allocate((inputs + 1) * sizeof *in); // a buffer is never empty
        cl_int *out = allocate((outputs + 1) * sizeof *out);
        for (size_t i = 0; i < inputs; i++)
            if (scanf("%d", &in[i]) != 1)
                must(CL_INVALID_VALUE, "an input is missing");
        for (size_t i = 0; i <= outputs; i++)
            out[i] = SENTINEL;
        cl_kernel kernel = clCreateKernel(program, name, &code);
        must(code, name);
        launch(context, queue, kernel, local, groups, last, in, inputs + 1, out, outputs + 1);
        for (size_t i = 0; i <= outputs; i++)
            printf("%d%c", out[i], i < outputs ? ' ' : '\n');
        clReleaseKernel(kernel);
        free(in);
        free(out);
    }
    return 0;
}
