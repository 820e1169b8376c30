// Measures the points of a table on the CUDA device at hand and writes the table with its
// column ms filled in: what `gradine calibrate` and `gradine tune` read with --measured.
//
//   nvcc -O2 -o measure bench/gpu/measure.cpp -lnvrtc -lcuda
//   gradine calibrate convolution --instance H100 --plan 8 > plan.tsv
//   ./measure bench/gpu/convolution.cu plan.tsv > times.tsv
//
// A row is a variant of the program: each of its columns is a macro, in capitals. The program declares
//
//   __device__ int launch[4]           the launch: blocks in x and y, threads in x and y
//   __device__ long long bytes[2]      the size of input and output
//   run(const int *in, int *out)       what is measured; the input is random
//   wrong(in, out, int *count)         adds 1 to count[0] for each wrong element of out, 2 to
//                                      count[1] where something was found right
//
// The time is the median of several runs on the device, or, with -host, of what the host waits for. A
// variant that cannot be compiled, launched or trusted has a word instead.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <cuda.h>
#include <nvrtc.h>
#include <sys/wait.h>
#include <unistd.h>

using Row = std::vector<std::string>;

static std::vector<std::string> given; // macros for all rows
static int runs = 9;
static bool host = false;
static double limit = 1e9; // seconds for all

static Row split(const std::string &line) {
    Row row;
    std::stringstream in(line);
    for (std::string cell; std::getline(in, cell, '\t');)
        row.push_back(cell);
    return row;
}

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void must(CUresult result, const char *what) {
    if (result != CUDA_SUCCESS) {
        const char *name = "?";
        cuGetErrorName(result, &name);
        std::cerr << "measure: " << what << ": " << name << "\n";
        std::exit(1);
    }
}

// Compiles the variant of a row to machine code; empty if it cannot be.
static std::string compile(const std::string &source, const Row &head, const Row &row, const std::string &arch) {
    std::vector<std::string> options = given;
    options.push_back("-arch=" + arch);
    for (size_t i = 0; i + 1 < head.size() && i < row.size(); i++) {
        std::string name = head[i];
        std::transform(name.begin(), name.end(), name.begin(), ::toupper);
        options.push_back("-D" + name + "=" + row[i]);
    }
    std::vector<const char *> args;
    for (auto &option : options)
        args.push_back(option.c_str());
    nvrtcProgram program;
    if (nvrtcCreateProgram(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS)
        return "";
    std::string code;
    if (nvrtcCompileProgram(program, args.size(), args.data()) == NVRTC_SUCCESS) {
        size_t size = 0;
        nvrtcGetCUBINSize(program, &size);
        code.resize(size);
        nvrtcGetCUBIN(program, &code[0]);
    } else if (getenv("VERBOSE")) {
        size_t size = 0;
        nvrtcGetProgramLogSize(program, &size);
        std::string log(size, ' ');
        nvrtcGetProgramLog(program, &log[0]);
        std::cerr << log << "\n";
    }
    nvrtcDestroyProgram(&program);
    return code;
}

// Compiles all rows, each processor its share, into files: the compiler serves one thread of a process at a time.
static void compileAll(const std::string &source, const Row &head, const std::vector<Row> &rows, const std::string &arch, const std::string &folder) {
    int workers = std::max(1u, std::thread::hardware_concurrency());
    for (int w = 0; w < workers; w++) {
        if (fork() != 0)
            continue;
        for (size_t i = w; i < rows.size(); i += workers) {
            std::ofstream file(folder + "/" + std::to_string(i), std::ios::binary);
            file << compile(source, head, rows[i], arch);
        }
        _exit(0);
    }
    while (wait(nullptr) > 0) {
    }
}

struct Memory {
    CUdeviceptr in = 0, out = 0, count = 0;
    long long bytes[2] = {0, 0};

    // Makes room for a variant's input, which is random and the same for all, and its output.
    void hold(const long long *wanted) {
        if (wanted[0] != bytes[0]) {
            if (in)
                cuMemFree(in);
            std::vector<unsigned> words(wanted[0] / 4);
            unsigned seed = 1;
            for (auto &word : words) { // floats between 1 and 2, which are positive integers, too
                seed = seed * 1664525u + 1013904223u;
                word = 0x3f800000u | seed >> 9;
            }
            must(cuMemAlloc(&in, wanted[0]), "memory of the input");
            must(cuMemcpyHtoD(in, words.data(), wanted[0]), "copying the input");
        }
        if (wanted[1] != bytes[1]) {
            if (out)
                cuMemFree(out);
            must(cuMemAlloc(&out, wanted[1]), "memory of the output");
        }
        if (!count)
            must(cuMemAlloc(&count, 2 * sizeof(int)), "memory of a count");
        bytes[0] = wanted[0], bytes[1] = wanted[1];
    }
};

template <class T> static bool constant(CUmodule module, const char *name, T *to, size_t n) {
    CUdeviceptr at;
    size_t size;
    return cuModuleGetGlobal(&at, &size, module, name) == CUDA_SUCCESS && size == n * sizeof(T) && cuMemcpyDtoH(to, at, size) == CUDA_SUCCESS;
}

// Measures the variant of a file: the median time in ms, or what is wrong with it.
static std::string measure(const std::string &file, Memory &memory) {
    std::ifstream in(file, std::ios::binary);
    std::string code((std::istreambuf_iterator<char>(in)), {});
    if (code.empty())
        return "compilation";
    CUmodule module;
    if (cuModuleLoadData(&module, code.data()) != CUDA_SUCCESS)
        return "loading";
    CUfunction run, wrong;
    int launch[4];
    long long bytes[2];
    std::string answer;
    if (cuModuleGetFunction(&run, module, "run") || cuModuleGetFunction(&wrong, module, "wrong") || !constant(module, "launch", launch, 4) || !constant(module, "bytes", bytes, 2)) {
        cuModuleUnload(module);
        return "declarations";
    }
    memory.hold(bytes);
    must(cuMemsetD8(memory.out, 0xff, bytes[1]), "clearing the output");
    int counts[2] = {0, 0};
    must(cuMemcpyHtoD(memory.count, counts, sizeof counts), "clearing the counts");
    void *args[] = {&memory.in, &memory.out, &memory.count};
    CUevent begin, end;
    cuEventCreate(&begin, CU_EVENT_DEFAULT);
    cuEventCreate(&end, CU_EVENT_DEFAULT);
    std::vector<double> times;
    double spent = 0;
    for (int k = 0; k <= runs && (k < 2 || spent < 0.4); k++) {
        double start = now();
        cuEventRecord(begin, 0);
        if (cuLaunchKernel(run, launch[0], launch[1], 1, launch[2], launch[3], 1, 0, 0, args, nullptr) != CUDA_SUCCESS) {
            answer = "launch";
            break;
        }
        cuEventRecord(end, 0);
        must(cuCtxSynchronize(), "running");
        double waited = (now() - start) * 1000;
        float ms = 0;
        cuEventElapsedTime(&ms, begin, end);
        spent += waited / 1000;
        if (k > 0) // the first run loads the program
            times.push_back(host ? waited : ms);
    }
    if (answer.empty()) {
        must(cuLaunchKernel(wrong, 1024, 1, 1, 256, 1, 1, 0, 0, args, nullptr), "checking");
        must(cuMemcpyDtoH(counts, memory.count, sizeof counts), "reading the counts");
        std::sort(times.begin(), times.end());
        char text[32];
        snprintf(text, sizeof text, "%.5f", times[times.size() / 2]);
        answer = counts[0] || !counts[1] ? "wrong" : text;
    }
    cuEventDestroy(begin);
    cuEventDestroy(end);
    cuModuleUnload(module);
    return answer;
}

int main(int argc, char **argv) {
    std::vector<std::string> files;
    for (int i = 1; i < argc; i++) {
        std::string arg = argv[i];
        if (arg.rfind("-D", 0) == 0)
            given.push_back(arg);
        else if (arg == "-host")
            host = true;
        else if (arg == "-runs" && i + 1 < argc)
            runs = atoi(argv[++i]);
        else if (arg == "-seconds" && i + 1 < argc)
            limit = atof(argv[++i]);
        else
            files.push_back(arg);
    }
    if (files.size() != 2 || runs < 1) {
        std::cerr << "usage: measure [-host] [-runs N] [-seconds S] [-DNAME=VALUE ...] PROGRAM.cu TABLE.tsv\n";
        return 2;
    }
    double start = now();
    std::stringstream source;
    source << std::ifstream(files[0]).rdbuf();
    std::ifstream table(files[1]);
    std::string line;
    std::getline(table, line);
    Row head = split(line);
    std::vector<Row> rows;
    while (std::getline(table, line))
        if (!line.empty())
            rows.push_back(split(line));
    if (source.str().empty() || head.empty() || head.back() != "ms") {
        std::cerr << "measure: " << files[0] << " or " << files[1] << " cannot be read, or the last column is not ms\n";
        return 1;
    }
    must(cuInit(0), "starting CUDA");
    CUdevice device;
    must(cuDeviceGet(&device, 0), "finding a device");
    int major = 0, minor = 0;
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    std::string arch = "sm_" + std::to_string(major) + std::to_string(minor);
    char folder[] = "/tmp/measureXXXXXX";
    if (!mkdtemp(folder)) {
        std::cerr << "measure: no folder for what is compiled\n";
        return 1;
    }
    compileAll(source.str(), head, rows, arch, folder);
    std::cerr << rows.size() << " rows compiled for " << arch << " in " << now() - start << " s\n";
    CUcontext context;
    must(cuDevicePrimaryCtxRetain(&context, device), "opening the device");
    must(cuCtxSetCurrent(context), "opening the device");
    Memory memory;
    for (size_t i = 0; i < head.size(); i++)
        std::cout << head[i] << (i + 1 < head.size() ? '\t' : '\n');
    size_t measured = 0;
    for (; measured < rows.size() && now() - start < limit; measured++) {
        for (size_t c = 0; c + 1 < head.size(); c++)
            std::cout << (c < rows[measured].size() ? rows[measured][c] : "") << '\t';
        std::cout << measure(std::string(folder) + "/" + std::to_string(measured), memory) << std::endl;
    }
    for (size_t i = 0; i < rows.size(); i++)
        unlink((std::string(folder) + "/" + std::to_string(i)).c_str());
    rmdir(folder);
    std::cerr << measured << " of " << rows.size() << " rows measured in " << now() - start << " s\n";
    return 0;
}
