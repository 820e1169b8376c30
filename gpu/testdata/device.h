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
void fence();            // of all memory of the device
void meet(int memories); // 1: of the group, 2: of the device
void meetLanes(unsigned mask);
void exchange(unsigned mask, int gives, int *gets);
unsigned rankOf(); // the thread in its group
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

UNSEEN inline void __syncwarp(unsigned mask = ~0u) { meetLanes(mask); }
UNSEEN inline int __shfl_sync(unsigned mask, int v, int lane, int width = 32) {
	int of[32] = {}, me = rankOf() % 32;
	exchange(mask, v, of);
	return of[me / width * width + (lane & (width - 1))];
}
UNSEEN inline int __shfl_xor_sync(unsigned mask, int v, int bits, int width = 32) {
	int of[32] = {}, me = rankOf() % 32;
	exchange(mask, v, of);
	return (me ^ bits) / width <= me / width ? of[(me ^ bits) & 31] : v;
}
UNSEEN inline int __shfl_down_sync(unsigned mask, int v, unsigned by, int width = 32) {
	int of[32] = {}, me = rankOf() % 32;
	exchange(mask, v, of);
	return me % width + by < (unsigned)width ? of[me + by] : v;
}
UNSEEN inline unsigned __ballot_sync(unsigned mask, int holds) {
	int of[32] = {};
	unsigned bits = 0;
	exchange(mask, holds != 0, of);
	for (int i = 0; i < 32; i++)
		bits |= (unsigned)of[i] << i;
	return bits;
}
UNSEEN inline int __any_sync(unsigned mask, int holds) { return __ballot_sync(mask, holds) != 0; }

namespace cooperative_groups {
struct thread_block {};
UNSEEN inline thread_block this_thread_block() { return {}; }
template <int N> struct thread_block_tile {
	UNSEEN static unsigned mask() { return N == 32 ? ~0u : ((1u << (N & 31)) - 1) << rankOf() % 32 / N * N; }
	UNSEEN void sync() const { __syncwarp(mask()); }
	UNSEEN unsigned thread_rank() const { return rankOf() % N; }
	UNSEEN int shfl(int v, int lane) const { return __shfl_sync(mask(), v, lane, N); }
	UNSEEN int shfl_xor(int v, int bits) const { return __shfl_xor_sync(mask(), v, bits, N); }
	UNSEEN int any(int holds) const { return __any_sync(mask(), holds); }
};
template <int N> UNSEEN thread_block_tile<N> tiled_partition(thread_block) { return {}; }
}

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
