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
#define GRADINE_CUDA_ATOMIC(__T)                                                                               \
  __device__ __T load(memory_order = memory_order_seq_cst) const; __device__ void store(__T, memory_order = memory_order_seq_cst); \
  __device__ __T exchange(__T, memory_order = memory_order_seq_cst);                                      \
  __device__ bool compare_exchange_strong(__T &, __T, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst); \
  __device__ bool compare_exchange_weak(__T &, __T, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst); \
  __device__ __T fetch_add(__T, memory_order = memory_order_seq_cst); __device__ __T fetch_sub(__T, memory_order = memory_order_seq_cst); \
  __device__ __T fetch_and(__T, memory_order = memory_order_seq_cst); __device__ __T fetch_or(__T, memory_order = memory_order_seq_cst); __device__ __T fetch_xor(__T, memory_order = memory_order_seq_cst); \
  __device__ __T fetch_min(__T, memory_order = memory_order_seq_cst); __device__ __T fetch_max(__T, memory_order = memory_order_seq_cst); \
  __device__ __T operator++(); __device__ __T operator++(int); __device__ __T operator--(); __device__ __T operator--(int); __device__ __T operator+=(__T); __device__ __T operator-=(__T); __device__ __T operator=(__T); __device__ operator __T() const; \
  __device__ void wait(__T, memory_order = memory_order_seq_cst) const; __device__ void notify_one(); __device__ void notify_all();
template <typename __T, thread_scope __S = thread_scope_system> struct atomic { atomic() = default; __host__ __device__ constexpr atomic(__T v) : v(v) {} GRADINE_CUDA_ATOMIC(__T) __T v; };
template <typename __T, thread_scope __S = thread_scope_system> struct atomic_ref { __host__ __device__ explicit atomic_ref(__T &r) : p(&r) {} GRADINE_CUDA_ATOMIC(__T) __T *p; };
#undef GRADINE_CUDA_ATOMIC
__device__ void atomic_thread_fence(memory_order, thread_scope = thread_scope_system);
namespace std { template <typename __T> using atomic = cuda::atomic<__T>; }
template <thread_scope __S = thread_scope_system, typename __F = void> struct barrier {
  struct arrival_token {}; barrier() = default; __host__ __device__ barrier(ptrdiff_t);
  __device__ arrival_token arrive(ptrdiff_t = 1); __device__ void wait(arrival_token &&) const; __device__ void arrive_and_wait(); __device__ void arrive_and_drop(); __device__ bool try_wait(arrival_token &&) const;
  unsigned long long state;
};
template <thread_scope __S> __device__ void init(barrier<__S> *, ptrdiff_t);
template <int __N> struct aligned_size_t { size_t n; __host__ __device__ constexpr aligned_size_t(size_t n) : n(n) {} __host__ __device__ constexpr operator size_t() const { return n; } };
enum class pipeline_role { producer, consumer };
template <thread_scope __S> struct pipeline { __device__ void producer_acquire(); __device__ void producer_commit(); __device__ void consumer_wait(); __device__ void consumer_release(); __device__ void quit(); };
template <thread_scope __S, unsigned __N> struct pipeline_shared_state { unsigned long long state[2 * __N]; };
__device__ pipeline<thread_scope_thread> make_pipeline();
template <typename __G, thread_scope __S, unsigned __N, typename... __A> __device__ pipeline<__S> make_pipeline(const __G &, pipeline_shared_state<__S, __N> *, __A...);
template <int __N, thread_scope __S> __device__ void pipeline_consumer_wait_prior(pipeline<__S> &);
template <typename... __A> __device__ void memcpy_async(__A &&...);
template <thread_scope __S = thread_scope_system, ptrdiff_t __N = 0> struct counting_semaphore { __device__ void acquire(); __device__ void release(ptrdiff_t = 1); };
namespace device { namespace experimental { template <typename... __A> __device__ void cp_async_bulk(__A &&...); } }
namespace ptx { template <typename... __A> __device__ unsigned long long gradine(__A &&...); }
}
