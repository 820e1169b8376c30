// CUDA for a compiler of C++, for TestPrograms: launches run their threads one after the other, in an order that is drawn,
// and device.cpp is told of each access. What is declared here changes no memory that a program could see.
#pragma once
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSEEN __attribute__((no_sanitize("thread")))
#define __global__
#define __device__
#define __host__

struct dim3 {
	unsigned x, y, z;
	UNSEEN dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
extern dim3 threadIdx, blockIdx, blockDim, gridDim;

enum { ofHost = 1, ofDevice = 2, ofBoth = 3, ofGroup = 6 };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };
typedef int cudaStream_t;

void *memory(size_t bytes, int side, const char *freed); // of the arena
void place(void *p, size_t bytes, int side);             // of a variable of the file
void demand(bool holds);
void result(long long v);
void announce(dim3 grid, dim3 block);
void argument(long long v);
void launching(dim3 grid, dim3 block, void (*body)(void *), void *with);
void atomically(void *p, size_t bytes);
void meet(int memories); // 1: of the group, 2: of the device
void leave();
int input();
bool reach(const void *p, size_t bytes, bool writes);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *p, int value, size_t bytes);
void release(void *p, const char *by);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
UNSEEN inline const char *cudaGetErrorString(cudaError_t) { return ""; }

template <typename T> UNSEEN cudaError_t cudaMalloc(T **p, size_t bytes) { *p = (T *)memory(bytes, ofDevice, "cudaFree"); return cudaSuccess; }
template <typename T> UNSEEN cudaError_t cudaMallocManaged(T **p, size_t bytes) { *p = (T *)memory(bytes, ofBoth, "cudaFree"); return cudaSuccess; }
template <typename T> UNSEEN cudaError_t cudaMallocHost(T **p, size_t bytes) { *p = (T *)memory(bytes, ofBoth, "cudaFreeHost"); return cudaSuccess; }
UNSEEN inline cudaError_t cudaFree(void *p) { release(p, "cudaFree"); return cudaSuccess; }
UNSEEN inline cudaError_t cudaFreeHost(void *p) { release(p, "cudaFreeHost"); return cudaSuccess; }
#define malloc(n) memory(n, ofHost, "free")
#define free(p) release(p, "free")
#define rand input
#define __syncthreads() meet(3)
#define assert(e) demand(e)

template <typename T> UNSEEN cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
	return cudaMemcpy((char *)&symbol + offset, from, bytes, kind);
}
template <typename T> UNSEEN cudaError_t cudaMemcpyFromSymbol(void *to, T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
	return cudaMemcpy(to, (char *)&symbol + offset, bytes, kind);
}

#define ATOMIC(name, now)                                              \
	template <typename T, typename U> UNSEEN T name(T *p, U by) {  \
		atomically(p, sizeof *p);                              \
		T was = *p, v = (T)by;                                 \
		*p = now;                                              \
		return was;                                            \
	}
ATOMIC(atomicAdd, was + v)
ATOMIC(atomicSub, was - v)
ATOMIC(atomicMax, was < v ? v : was)
ATOMIC(atomicMin, v < was ? v : was)
ATOMIC(atomicOr, was | v)
ATOMIC(atomicExch, v)
ATOMIC(atomicAnd, was & v)
ATOMIC(atomicXor, was ^ v)
ATOMIC(atomicInc, was >= v ? 0 : was + 1)

template <typename T> UNSEEN void given(T) {}
#define NUMBER(t) template <> UNSEEN inline void given<t>(t v) { argument((long long)v); }
NUMBER(char) NUMBER(unsigned char) NUMBER(short) NUMBER(unsigned short) NUMBER(int) NUMBER(unsigned) NUMBER(long) NUMBER(unsigned long) NUMBER(bool)

template <typename... P, typename... A> UNSEEN void launch(dim3 grid, dim3 block, void (*kernel)(P...), A... a) {
	announce(grid, block);
	(given<P>((P)a), ...);
	printf("\n");
	auto body = [=]() UNSEEN { kernel((P)a...); };
	launching(grid, block, [](void *with) UNSEEN { (*(decltype(body) *)with)(); }, &body);
}
