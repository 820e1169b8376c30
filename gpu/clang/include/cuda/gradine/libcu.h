#pragma once
#include "gradine.h"
// The part of libcu++ that kernels name: types without meaning, whose functions have no body.
#include <atomic>
#include <type_traits>
#include <limits>
#include <utility>
#include <tuple>
#include <array>
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std {
using namespace ::std;
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
struct gradine_order {};
}
using std::memory_order; using std::memory_order_relaxed; using std::memory_order_acquire; using std::memory_order_release; using std::memory_order_acq_rel; using std::memory_order_seq_cst;
#define CUDA_ATOMIC(T)                                                                               \
  __device__ T load(memory_order = memory_order_seq_cst) const; __device__ void store(T, memory_order = memory_order_seq_cst); \
  __device__ T exchange(T, memory_order = memory_order_seq_cst);                                      \
  __device__ bool compare_exchange_strong(T &, T, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst); \
  __device__ bool compare_exchange_weak(T &, T, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst); \
  __device__ T fetch_add(T, memory_order = memory_order_seq_cst); __device__ T fetch_sub(T, memory_order = memory_order_seq_cst); \
  __device__ T fetch_and(T, memory_order = memory_order_seq_cst); __device__ T fetch_or(T, memory_order = memory_order_seq_cst); __device__ T fetch_xor(T, memory_order = memory_order_seq_cst); \
  __device__ T fetch_min(T, memory_order = memory_order_seq_cst); __device__ T fetch_max(T, memory_order = memory_order_seq_cst); \
  __device__ T operator++(); __device__ T operator++(int); __device__ T operator--(); __device__ T operator--(int); __device__ T operator+=(T); __device__ T operator-=(T); __device__ T operator=(T); __device__ operator T() const; \
  __device__ void wait(T, memory_order = memory_order_seq_cst) const; __device__ void notify_one(); __device__ void notify_all();
template <typename T, thread_scope S = thread_scope_system> struct atomic { atomic() = default; __host__ __device__ constexpr atomic(T v) : v(v) {} CUDA_ATOMIC(T) T v; };
template <typename T, thread_scope S = thread_scope_system> struct atomic_ref { __host__ __device__ explicit atomic_ref(T &r) : p(&r) {} CUDA_ATOMIC(T) T *p; };
#undef CUDA_ATOMIC
__device__ void atomic_thread_fence(memory_order, thread_scope = thread_scope_system);
namespace std { template <typename T> using atomic = cuda::atomic<T>; }
template <thread_scope S = thread_scope_system, typename F = void> struct barrier {
  struct arrival_token {}; barrier() = default; __host__ __device__ barrier(ptrdiff_t);
  __device__ arrival_token arrive(ptrdiff_t = 1); __device__ void wait(arrival_token &&) const; __device__ void arrive_and_wait(); __device__ void arrive_and_drop(); __device__ bool try_wait(arrival_token &&) const;
  unsigned long long state;
};
template <thread_scope S> __device__ void init(barrier<S> *, ptrdiff_t);
template <int N> struct aligned_size_t { size_t n; __host__ __device__ constexpr aligned_size_t(size_t n) : n(n) {} __host__ __device__ constexpr operator size_t() const { return n; } };
enum class pipeline_role { producer, consumer };
template <thread_scope S> struct pipeline { __device__ void producer_acquire(); __device__ void producer_commit(); __device__ void consumer_wait(); __device__ void consumer_release(); __device__ void quit(); };
template <thread_scope S, unsigned N> struct pipeline_shared_state { unsigned long long state[2 * N]; };
__device__ pipeline<thread_scope_thread> make_pipeline();
template <typename G, thread_scope S, unsigned N, typename... A> __device__ pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *, A...);
template <int N, thread_scope S> __device__ void pipeline_consumer_wait_prior(pipeline<S> &);
template <typename... A> __device__ void memcpy_async(A &&...);
template <thread_scope S = thread_scope_system, ptrdiff_t N = 0> struct counting_semaphore { __device__ void acquire(); __device__ void release(ptrdiff_t = 1); };
namespace device { namespace experimental { template <typename... A> __device__ void cp_async_bulk(A &&...); } }
namespace ptx { template <typename... A> __device__ unsigned long long gradine(A &&...); }
}
