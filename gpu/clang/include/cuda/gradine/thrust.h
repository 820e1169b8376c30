#pragma once
#include "gradine.h"
// Thrust, as host code uses it: containers and algorithms that are parsed and not run.
#include <functional>
#include <utility>
#include <vector>
namespace thrust {
struct gradine_policy { template <typename... A> gradine_policy operator()(A &&...) const; template <typename... A> gradine_policy on(A &&...) const; };
extern gradine_policy host, device, seq;
namespace system { using thrust::gradine_policy; struct system_error : std::exception {}; }
namespace cuda { extern gradine_policy par, par_nosync; }
template <typename T> struct device_ptr {
  T *p; typedef T value_type, element_type; typedef ptrdiff_t difference_type; typedef device_ptr pointer; typedef T &reference; typedef std::random_access_iterator_tag iterator_category;
  __host__ __device__ explicit device_ptr(T *p = 0) : p(p) {}
  __host__ __device__ T *get() const { return p; }
  __host__ __device__ T &operator*() const { return *p; }
  __host__ __device__ T &operator[](ptrdiff_t i) const { return p[i]; }
  __host__ __device__ device_ptr operator+(ptrdiff_t i) const { return device_ptr(p + i); }
  __host__ __device__ device_ptr operator-(ptrdiff_t i) const { return device_ptr(p - i); }
  __host__ __device__ ptrdiff_t operator-(const device_ptr &o) const { return p - o.p; }
  __host__ __device__ device_ptr &operator++() { ++p; return *this; }
  __host__ __device__ bool operator==(const device_ptr &o) const { return p == o.p; }
  __host__ __device__ bool operator!=(const device_ptr &o) const { return p != o.p; }
};
template <typename T> __host__ __device__ device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <typename T> __host__ __device__ T *raw_pointer_cast(T *p) { return p; }
template <typename T> __host__ __device__ T *raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <typename T> __host__ __device__ T &raw_reference_cast(T &r) { return r; }
template <typename T> struct device_reference { operator T() const; device_reference &operator=(const T &); };
template <typename T, typename I> struct gradine_vector {
  typedef T value_type; typedef size_t size_type; typedef I iterator, const_iterator, pointer; typedef T &reference;
  gradine_vector(); explicit gradine_vector(size_t); gradine_vector(size_t, const T &); gradine_vector(std::initializer_list<T>);
  template <typename V, typename J> gradine_vector(const gradine_vector<V, J> &);
  template <typename V> gradine_vector(const std::vector<V> &);
  template <typename J, typename = typename std::iterator_traits<J>::iterator_category> gradine_vector(J, J);
  template <typename V, typename J> gradine_vector &operator=(const gradine_vector<V, J> &);
  template <typename V> gradine_vector &operator=(const std::vector<V> &);
  I begin() const; I end() const; I cbegin() const; I cend() const; I data() const; size_t size() const; size_t capacity() const; bool empty() const;
  T &operator[](size_t) const; T &front() const; T &back() const;
  void resize(size_t); void resize(size_t, const T &); void reserve(size_t); void clear(); void push_back(const T &); void pop_back(); void shrink_to_fit();
  template <typename... A> void assign(A &&...); template <typename... A> I insert(A &&...); template <typename... A> I erase(A &&...); template <typename V> void swap(V &&);
};
template <typename T, typename A = void> struct device_vector : gradine_vector<T, device_ptr<T>> { using gradine_vector<T, device_ptr<T>>::gradine_vector; using gradine_vector<T, device_ptr<T>>::operator=; };
template <typename T, typename A = void> struct host_vector : gradine_vector<T, T *> { using gradine_vector<T, T *>::gradine_vector; using gradine_vector<T, T *>::operator=; };
template <typename T, typename A = void> using universal_vector = device_vector<T, A>;
template <typename T> struct device_allocator {};
template <typename T> device_ptr<T> device_malloc(size_t);
template <typename P> void device_free(P);
#define THRUST_OP(N, op) template <typename T = void> struct N { __host__ __device__ auto operator()(const T &a, const T &b) const { return a op b; } }; template <> struct N<void> { template <typename A, typename B> __host__ __device__ auto operator()(const A &a, const B &b) const { return a op b; } };
THRUST_OP(plus, +) THRUST_OP(minus, -) THRUST_OP(multiplies, *) THRUST_OP(divides, /) THRUST_OP(modulus, %) THRUST_OP(less, <) THRUST_OP(greater, >) THRUST_OP(less_equal, <=) THRUST_OP(greater_equal, >=) THRUST_OP(equal_to, ==) THRUST_OP(not_equal_to, !=) THRUST_OP(logical_and, &&) THRUST_OP(logical_or, ||) THRUST_OP(bit_and, &) THRUST_OP(bit_or, |) THRUST_OP(bit_xor, ^)
#undef THRUST_OP
template <typename T = void> struct maximum { __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <typename T = void> struct minimum { __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <typename T = void> struct negate { __host__ __device__ T operator()(const T &a) const { return -a; } };
template <typename T = void> struct identity { __host__ __device__ const T &operator()(const T &a) const { return a; } };
template <typename T = void> struct square { __host__ __device__ T operator()(const T &a) const { return a * a; } };
template <typename A, typename R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <typename A, typename B, typename R> struct binary_function { typedef A first_argument_type; typedef B second_argument_type; typedef R result_type; };
template <typename A, typename B> struct pair { A first; B second; pair() = default; __host__ __device__ pair(const A &a, const B &b) : first(a), second(b) {} };
template <typename A, typename B> __host__ __device__ pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <typename... T> struct tuple { tuple() = default; template <typename... A> __host__ __device__ tuple(A...); };
template <typename... T> __host__ __device__ tuple<T...> make_tuple(T...);
template <int N, typename T> __host__ __device__ auto get(T &&t) -> decltype(t.template get<N>());
template <typename T> struct counting_iterator { T v; typedef T value_type, reference; typedef ptrdiff_t difference_type; typedef const T *pointer; typedef std::random_access_iterator_tag iterator_category; __host__ __device__ explicit counting_iterator(T v = 0) : v(v) {} __host__ __device__ counting_iterator operator+(ptrdiff_t i) const { return counting_iterator(v + i); } __host__ __device__ T operator*() const { return v; } __host__ __device__ T operator[](ptrdiff_t i) const { return v + i; } };
template <typename T> counting_iterator<T> make_counting_iterator(T v);
template <typename T> struct constant_iterator { constant_iterator(T); };
template <typename T> constant_iterator<T> make_constant_iterator(T);
template <typename... T> struct zip_iterator { zip_iterator operator+(ptrdiff_t) const; };
template <typename... T> zip_iterator<T...> make_zip_iterator(T...);
template <typename F, typename I> struct transform_iterator { transform_iterator operator+(ptrdiff_t) const; };
template <typename I, typename F> transform_iterator<F, I> make_transform_iterator(I, F);
template <typename... A> struct permutation_iterator {};
template <typename... A> permutation_iterator<A...> make_permutation_iterator(A...);
struct discard_iterator {};
discard_iterator make_discard_iterator();
#define THRUST_DOES(F) template <typename... A> void F(A &&...);
THRUST_DOES(fill) THRUST_DOES(sequence) THRUST_DOES(sort) THRUST_DOES(stable_sort) THRUST_DOES(sort_by_key) THRUST_DOES(stable_sort_by_key) THRUST_DOES(gather) THRUST_DOES(gather_if) THRUST_DOES(scatter) THRUST_DOES(for_each) THRUST_DOES(for_each_n) THRUST_DOES(generate) THRUST_DOES(replace) THRUST_DOES(replace_if) THRUST_DOES(reverse) THRUST_DOES(tabulate) THRUST_DOES(swap_ranges)
#undef THRUST_DOES
#define THRUST_LIKE(F) template <typename I, typename... A> I F(I, A &&...); template <typename I, typename... A> I F(gradine_policy, I, A &&...);
THRUST_LIKE(unique) THRUST_LIKE(remove) THRUST_LIKE(remove_if) THRUST_LIKE(partition) THRUST_LIKE(max_element) THRUST_LIKE(min_element) THRUST_LIKE(find) THRUST_LIKE(find_if) THRUST_LIKE(lower_bound) THRUST_LIKE(upper_bound) THRUST_LIKE(copy) THRUST_LIKE(copy_n) THRUST_LIKE(copy_if) THRUST_LIKE(transform) THRUST_LIKE(transform_if) THRUST_LIKE(exclusive_scan) THRUST_LIKE(inclusive_scan) THRUST_LIKE(exclusive_scan_by_key) THRUST_LIKE(inclusive_scan_by_key) THRUST_LIKE(adjacent_difference) THRUST_LIKE(fill_n)
#undef THRUST_LIKE
template <typename K, typename V, typename... A> pair<K, V> reduce_by_key(K, K, V, A &&...);
template <typename K, typename V, typename... A> pair<K, V> unique_by_key(K, K, V, A &&...);
template <typename I> typename std::iterator_traits<I>::value_type reduce(I, I);
template <typename I, typename T, typename... A> T reduce(I, I, T, A &&...);
template <typename I> typename std::iterator_traits<I>::value_type reduce(gradine_policy, I, I);
template <typename I, typename T, typename... A> T reduce(gradine_policy, I, I, T, A &&...);
template <typename I, typename F, typename T, typename G> T transform_reduce(I, I, F, T, G);
template <typename I, typename F, typename T, typename G> T transform_reduce(gradine_policy, I, I, F, T, G);
template <typename I, typename J, typename T, typename... A> T inner_product(I, I, J, T, A &&...);
template <typename... A> ptrdiff_t count(A &&...);
template <typename... A> ptrdiff_t count_if(A &&...);
template <typename... A> ptrdiff_t distance(A &&...);
template <typename... A> bool any_of(A &&...);
template <typename... A> bool all_of(A &&...);
template <typename... A> bool equal(A &&...);
template <typename... A> bool is_sorted(A &&...);
template <typename T> struct complex {
  T re, im; typedef T value_type;
  __host__ __device__ complex(T re = 0, T im = 0) : re(re), im(im) {}
  template <typename U> __host__ __device__ complex(const complex<U> &o) : re(o.re), im(o.im) {}
  __host__ __device__ T real() const { return re; }
  __host__ __device__ T imag() const { return im; }
  __host__ __device__ void real(T v) { re = v; }
  __host__ __device__ void imag(T v) { im = v; }
  __host__ __device__ complex &operator+=(const complex &o) { re += o.re; im += o.im; return *this; }
  __host__ __device__ complex &operator-=(const complex &o) { re -= o.re; im -= o.im; return *this; }
  __host__ __device__ complex &operator*=(const complex &o) { return *this = *this * o; }
  __host__ __device__ complex &operator/=(const complex &o) { return *this = *this / o; }
  friend __host__ __device__ complex operator+(const complex &a, const complex &b) { return complex(a.re + b.re, a.im + b.im); }
  friend __host__ __device__ complex operator-(const complex &a, const complex &b) { return complex(a.re - b.re, a.im - b.im); }
  friend __host__ __device__ complex operator-(const complex &a) { return complex(-a.re, -a.im); }
  friend __host__ __device__ complex operator*(const complex &a, const complex &b) { return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
  friend __host__ __device__ complex operator/(const complex &a, const complex &b) { T n = b.re * b.re + b.im * b.im; return complex((a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n); }
  friend __host__ __device__ bool operator==(const complex &a, const complex &b) { return a.re == b.re && a.im == b.im; }
  friend __host__ __device__ bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};
template <typename T> __host__ __device__ T norm(const complex<T> &a) { return a.re * a.re + a.im * a.im; }
template <typename T> __host__ __device__ T abs(const complex<T> &a) { return sqrt(norm(a)); }
template <typename T> __host__ __device__ T arg(const complex<T> &a) { return atan2(a.im, a.re); }
template <typename T> __host__ __device__ complex<T> conj(const complex<T> &a) { return complex<T>(a.re, -a.im); }
template <typename T> __host__ __device__ complex<T> exp(const complex<T> &a) { T e = ::exp(a.re); return complex<T>(e * ::cos(a.im), e * ::sin(a.im)); }
template <typename T> __host__ __device__ complex<T> polar(const T &r, const T &t = 0) { return complex<T>(r * ::cos(t), r * ::sin(t)); }
namespace random { struct default_random_engine { __host__ __device__ default_random_engine(unsigned = 0); __host__ __device__ void discard(unsigned long long); __host__ __device__ unsigned operator()(); }; template <typename T> struct uniform_real_distribution { __host__ __device__ uniform_real_distribution(T = 0, T = 1); template <typename G> __host__ __device__ T operator()(G &); }; template <typename T> struct uniform_int_distribution { __host__ __device__ uniform_int_distribution(T = 0, T = 1); template <typename G> __host__ __device__ T operator()(G &); }; template <typename T> struct normal_distribution { __host__ __device__ normal_distribution(T = 0, T = 1); template <typename G> __host__ __device__ T operator()(G &); }; typedef default_random_engine minstd_rand; }
using random::default_random_engine; using random::minstd_rand; using random::uniform_real_distribution; using random::uniform_int_distribution; using random::normal_distribution;
namespace placeholders { struct gradine_any {}; extern gradine_any _1, _2, _3; }
}
