// Kernels that stand alone, for TestCompiled: OpenCL for a compiler of C++, and arguments for a launch.
#pragma once
#include <math.h>
#include <tuple>
#include <type_traits>
#include <utility>

#include "device.h"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;

UNSEEN inline size_t part(const dim3 &d, uint i, size_t other) { return i == 0 ? d.x : i == 1 ? d.y : i == 2 ? d.z : other; }
UNSEEN inline size_t get_local_id(uint i) { return part(threadIdx, i, 0); }
UNSEEN inline size_t get_group_id(uint i) { return part(blockIdx, i, 0); }
UNSEEN inline size_t get_local_size(uint i) { return part(blockDim, i, 1); }
UNSEEN inline size_t get_num_groups(uint i) { return part(gridDim, i, 1); }
UNSEEN inline size_t get_global_id(uint i) { return get_group_id(i) * get_local_size(i) + get_local_id(i); }
UNSEEN inline size_t get_global_size(uint i) { return get_num_groups(i) * get_local_size(i); }

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(flags) meet(flags)
#define mem_fence(flags)
#define __threadfence() fence()
#define __threadfence_block()
#define atomic_add atomicAdd
#define atomic_sub atomicSub
#define atomic_max atomicMax
#define atomic_min atomicMin
#define atomic_or atomicOr
#define atomic_xchg atomicExch
#define atomic_inc(p) atomicAdd(p, 1)
#define atomic_dec(p) atomicSub(p, 1)

// A run that its author excludes shows nothing.
#define __requires(e) ((e) ? (void)0 : leave())
#define __assume(e) ((e) ? (void)0 : leave())
#define __assert(e) demand(e)
#define __invariant(e) true
#define __global_invariant(e) true

// made is an argument for a parameter of type T.
template <typename T> struct made {
	UNSEEN static T argument(bool) {
		unsigned threads = blockDim.x * blockDim.y * blockDim.z, sizes[] = {(unsigned)input() % 9, threads, threads * gridDim.x, (unsigned)input() % 40};
		return (T)sizes[input() & 3];
	}
};
template <typename T> struct made<T *> {
	UNSEEN static T *argument(bool ofTheGroup) {
		const size_t many = ofTheGroup ? 1 << 11 : 1 << 15;
		T *p = (T *)memory(many * sizeof(T), ofTheGroup ? ofGroup : ofDevice, "nobody");
		for (size_t i = 0; i < many * sizeof(T) / sizeof(int); i++)
			((int *)p)[i] = input() % 9;
		return p;
	}
};

// run launches a kernel. The bits of local say which parameters are memory of the group.
template <typename... P, size_t... i> UNSEEN void run(unsigned local, void (*kernel)(P...), std::index_sequence<i...>) {
	auto with = std::make_tuple(made<P>::argument(local >> i & 1)...);
	launch(gridDim, blockDim, kernel, std::get<i>(with)...);
}
template <typename... P> UNSEEN void run(dim3 grid, dim3 block, unsigned local, void (*kernel)(P...)) {
	gridDim = grid;
	blockDim = block;
	run(local, kernel, std::make_index_sequence<sizeof...(P)>());
}

// argumentValue is an argument of which the value is given, if it is no array.
template <typename T> struct argumentValue {
	UNSEEN static T argument(bool, const long long *&values) { return (T)*values++; }
};
template <typename T> struct argumentValue<T *> {
	UNSEEN static T *argument(bool ofTheGroup, const long long *&) {
		using plain = std::remove_const_t<T>;
		plain *p = made<plain *>::argument(ofTheGroup);
		if constexpr (std::is_arithmetic_v<plain>)
			for (size_t i = 0; i < 1 << 11; i++)
				p[i] = (plain)(input() % 9);
		return p;
	}
};

// runWith launches a kernel with values for the parameters that are no arrays.
template <typename... P, size_t... i> UNSEEN void runWith(unsigned local, const long long *values, void (*kernel)(P...), std::index_sequence<i...>) {
	std::tuple<P...> with{argumentValue<P>::argument(local >> i & 1, values)...};
	launch(gridDim, blockDim, kernel, std::get<i>(with)...);
}
template <typename... P> UNSEEN void runWith(dim3 grid, dim3 block, unsigned local, const long long *values, void (*kernel)(P...)) {
	gridDim = grid;
	blockDim = block;
	runWith(local, values, kernel, std::make_index_sequence<sizeof...(P)>());
}

#ifdef PATTERNS // for TestPatterns alone: other texts may have these of their own
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
template <typename T, typename U> UNSEEN auto max(T a, U b) -> decltype(a + b) { return a < b ? b : a; }
template <typename T, typename U> UNSEEN auto min(T a, U b) -> decltype(a + b) { return b < a ? b : a; }
UNSEEN inline float rsqrtf(float x) { return 1 / sqrtf(x); }
#define rsqrt rsqrtf
#endif

#define __kernel
#define __global
#define __constant static const
#define __local
