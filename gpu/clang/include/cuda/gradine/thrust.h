#pragma once
#include "gradine.h"
// Thrust, as host code uses it: containers and algorithms that are parsed and not run.
#include <functional>
#include <utility>
#include <vector>
namespace thrust {
struct gradine_policy { template <typename... __A> gradine_policy operator()(__A &&...) const; template <typename... __A> gradine_policy on(__A &&...) const; };
extern gradine_policy host, device, seq;
namespace system { using thrust::gradine_policy; struct system_error : std::exception {}; }
namespace cuda { extern gradine_policy par, par_nosync; }
template <typename __T> struct device_ptr {
  __T *p; typedef __T value_type, element_type; typedef ptrdiff_t difference_type; typedef device_ptr pointer; typedef __T &reference; typedef std::random_access_iterator_tag iterator_category;
  __host__ __device__ explicit device_ptr(__T *p = 0) : p(p) {}
  __host__ __device__ __T *get() const { return p; }
  __host__ __device__ __T &operator*() const { return *p; }
  __host__ __device__ __T &operator[](ptrdiff_t i) const { return p[i]; }
  __host__ __device__ device_ptr operator+(ptrdiff_t i) const { return device_ptr(p + i); }
  __host__ __device__ device_ptr operator-(ptrdiff_t i) const { return device_ptr(p - i); }
  __host__ __device__ ptrdiff_t operator-(const device_ptr &o) const { return p - o.p; }
  __host__ __device__ device_ptr &operator++() { ++p; return *this; }
  __host__ __device__ bool operator==(const device_ptr &o) const { return p == o.p; }
  __host__ __device__ bool operator!=(const device_ptr &o) const { return p != o.p; }
};
template <typename __T> __host__ __device__ device_ptr<__T> device_pointer_cast(__T *p) { return device_ptr<__T>(p); }
template <typename __T> __host__ __device__ __T *raw_pointer_cast(__T *p) { return p; }
template <typename __T> __host__ __device__ __T *raw_pointer_cast(device_ptr<__T> p) { return p.get(); }
template <typename __T> __host__ __device__ __T &raw_reference_cast(__T &r) { return r; }
template <typename __T> struct device_reference { operator __T() const; device_reference &operator=(const __T &); };
template <typename __T, typename __I> struct gradine_vector {
  typedef __T value_type; typedef size_t size_type; typedef __I iterator, const_iterator, pointer; typedef __T &reference;
  gradine_vector(); explicit gradine_vector(size_t); gradine_vector(size_t, const __T &); gradine_vector(std::initializer_list<__T>);
  template <typename __V, typename __J> gradine_vector(const gradine_vector<__V, __J> &);
  template <typename __V> gradine_vector(const std::vector<__V> &);
  template <typename __J, typename = typename std::iterator_traits<__J>::iterator_category> gradine_vector(__J, __J);
  template <typename __V, typename __J> gradine_vector &operator=(const gradine_vector<__V, __J> &);
  template <typename __V> gradine_vector &operator=(const std::vector<__V> &);
  __I begin() const; __I end() const; __I cbegin() const; __I cend() const; __I data() const; size_t size() const; size_t capacity() const; bool empty() const;
  __T &operator[](size_t) const; __T &front() const; __T &back() const;
  void resize(size_t); void resize(size_t, const __T &); void reserve(size_t); void clear(); void push_back(const __T &); void pop_back(); void shrink_to_fit();
  template <typename... __A> void assign(__A &&...); template <typename... __A> __I insert(__A &&...); template <typename... __A> __I erase(__A &&...); template <typename __V> void swap(__V &&);
};
template <typename __T, typename __A = void> struct device_vector : gradine_vector<__T, device_ptr<__T>> { using gradine_vector<__T, device_ptr<__T>>::gradine_vector; using gradine_vector<__T, device_ptr<__T>>::operator=; };
template <typename __T, typename __A = void> struct host_vector : gradine_vector<__T, __T *> { using gradine_vector<__T, __T *>::gradine_vector; using gradine_vector<__T, __T *>::operator=; };
template <typename __T, typename __A = void> using universal_vector = device_vector<__T, __A>;
template <typename __T> struct device_allocator {};
template <typename __T> device_ptr<__T> device_malloc(size_t);
template <typename __P> void device_free(__P);
#define GRADINE_THRUST_OP(__N, op) template <typename __T = void> struct __N { __host__ __device__ auto operator()(const __T &a, const __T &b) const { return a op b; } }; template <> struct __N<void> { template <typename __A, typename __B> __host__ __device__ auto operator()(const __A &a, const __B &b) const { return a op b; } };
GRADINE_THRUST_OP(plus, +) GRADINE_THRUST_OP(minus, -) GRADINE_THRUST_OP(multiplies, *) GRADINE_THRUST_OP(divides, /) GRADINE_THRUST_OP(modulus, %) GRADINE_THRUST_OP(less, <) GRADINE_THRUST_OP(greater, >) GRADINE_THRUST_OP(less_equal, <=) GRADINE_THRUST_OP(greater_equal, >=) GRADINE_THRUST_OP(equal_to, ==) GRADINE_THRUST_OP(not_equal_to, !=) GRADINE_THRUST_OP(logical_and, &&) GRADINE_THRUST_OP(logical_or, ||) GRADINE_THRUST_OP(bit_and, &) GRADINE_THRUST_OP(bit_or, |) GRADINE_THRUST_OP(bit_xor, ^)
#undef GRADINE_THRUST_OP
template <typename __T = void> struct maximum { __host__ __device__ __T operator()(const __T &a, const __T &b) const { return a < b ? b : a; } };
template <typename __T = void> struct minimum { __host__ __device__ __T operator()(const __T &a, const __T &b) const { return b < a ? b : a; } };
template <typename __T = void> struct negate { __host__ __device__ __T operator()(const __T &a) const { return -a; } };
template <typename __T = void> struct identity { __host__ __device__ const __T &operator()(const __T &a) const { return a; } };
template <typename __T = void> struct square { __host__ __device__ __T operator()(const __T &a) const { return a * a; } };
template <typename __A, typename __R> struct unary_function { typedef __A argument_type; typedef __R result_type; };
template <typename __A, typename __B, typename __R> struct binary_function { typedef __A first_argument_type; typedef __B second_argument_type; typedef __R result_type; };
template <typename __A, typename __B> struct pair { __A first; __B second; pair() = default; __host__ __device__ pair(const __A &a, const __B &b) : first(a), second(b) {} };
template <typename __A, typename __B> __host__ __device__ pair<__A, __B> make_pair(__A a, __B b) { return pair<__A, __B>(a, b); }
template <typename... __T> struct tuple { tuple() = default; template <typename... __A> __host__ __device__ tuple(__A...); };
template <typename... __T> __host__ __device__ tuple<__T...> make_tuple(__T...);
template <int __N, typename __T> __host__ __device__ auto get(__T &&t) -> decltype(t.template get<__N>());
template <typename __T> struct counting_iterator { __T v; typedef __T value_type, reference; typedef ptrdiff_t difference_type; typedef const __T *pointer; typedef std::random_access_iterator_tag iterator_category; __host__ __device__ explicit counting_iterator(__T v = 0) : v(v) {} __host__ __device__ counting_iterator operator+(ptrdiff_t i) const { return counting_iterator(v + i); } __host__ __device__ __T operator*() const { return v; } __host__ __device__ __T operator[](ptrdiff_t i) const { return v + i; } };
template <typename __T> counting_iterator<__T> make_counting_iterator(__T v);
template <typename __T> struct constant_iterator { constant_iterator(__T); };
template <typename __T> constant_iterator<__T> make_constant_iterator(__T);
template <typename... __T> struct zip_iterator { zip_iterator operator+(ptrdiff_t) const; };
template <typename... __T> zip_iterator<__T...> make_zip_iterator(__T...);
template <typename __F, typename __I> struct transform_iterator { transform_iterator operator+(ptrdiff_t) const; };
template <typename __I, typename __F> transform_iterator<__F, __I> make_transform_iterator(__I, __F);
template <typename... __A> struct permutation_iterator {};
template <typename... __A> permutation_iterator<__A...> make_permutation_iterator(__A...);
struct discard_iterator {};
discard_iterator make_discard_iterator();
#define GRADINE_THRUST_DOES(__F) template <typename... __A> void __F(__A &&...);
GRADINE_THRUST_DOES(fill) GRADINE_THRUST_DOES(sequence) GRADINE_THRUST_DOES(sort) GRADINE_THRUST_DOES(stable_sort) GRADINE_THRUST_DOES(sort_by_key) GRADINE_THRUST_DOES(stable_sort_by_key) GRADINE_THRUST_DOES(gather) GRADINE_THRUST_DOES(gather_if) GRADINE_THRUST_DOES(scatter) GRADINE_THRUST_DOES(for_each) GRADINE_THRUST_DOES(for_each_n) GRADINE_THRUST_DOES(generate) GRADINE_THRUST_DOES(replace) GRADINE_THRUST_DOES(replace_if) GRADINE_THRUST_DOES(reverse) GRADINE_THRUST_DOES(tabulate) GRADINE_THRUST_DOES(swap_ranges)
#undef GRADINE_THRUST_DOES
#define GRADINE_THRUST_LIKE(__F) template <typename __I, typename... __A> __I __F(__I, __A &&...); template <typename __I, typename... __A> __I __F(gradine_policy, __I, __A &&...);
GRADINE_THRUST_LIKE(unique) GRADINE_THRUST_LIKE(remove) GRADINE_THRUST_LIKE(remove_if) GRADINE_THRUST_LIKE(partition) GRADINE_THRUST_LIKE(max_element) GRADINE_THRUST_LIKE(min_element) GRADINE_THRUST_LIKE(find) GRADINE_THRUST_LIKE(find_if) GRADINE_THRUST_LIKE(lower_bound) GRADINE_THRUST_LIKE(upper_bound) GRADINE_THRUST_LIKE(copy) GRADINE_THRUST_LIKE(copy_n) GRADINE_THRUST_LIKE(copy_if) GRADINE_THRUST_LIKE(transform) GRADINE_THRUST_LIKE(transform_if) GRADINE_THRUST_LIKE(exclusive_scan) GRADINE_THRUST_LIKE(inclusive_scan) GRADINE_THRUST_LIKE(exclusive_scan_by_key) GRADINE_THRUST_LIKE(inclusive_scan_by_key) GRADINE_THRUST_LIKE(adjacent_difference) GRADINE_THRUST_LIKE(fill_n)
#undef GRADINE_THRUST_LIKE
template <typename __K, typename __V, typename... __A> pair<__K, __V> reduce_by_key(__K, __K, __V, __A &&...);
template <typename __K, typename __V, typename... __A> pair<__K, __V> unique_by_key(__K, __K, __V, __A &&...);
template <typename __I> typename std::iterator_traits<__I>::value_type reduce(__I, __I);
template <typename __I, typename __T, typename... __A> __T reduce(__I, __I, __T, __A &&...);
template <typename __I> typename std::iterator_traits<__I>::value_type reduce(gradine_policy, __I, __I);
template <typename __I, typename __T, typename... __A> __T reduce(gradine_policy, __I, __I, __T, __A &&...);
template <typename __I, typename __F, typename __T, typename __G> __T transform_reduce(__I, __I, __F, __T, __G);
template <typename __I, typename __F, typename __T, typename __G> __T transform_reduce(gradine_policy, __I, __I, __F, __T, __G);
template <typename __I, typename __J, typename __T, typename... __A> __T inner_product(__I, __I, __J, __T, __A &&...);
template <typename... __A> ptrdiff_t count(__A &&...);
template <typename... __A> ptrdiff_t count_if(__A &&...);
template <typename... __A> ptrdiff_t distance(__A &&...);
template <typename... __A> bool any_of(__A &&...);
template <typename... __A> bool all_of(__A &&...);
template <typename... __A> bool equal(__A &&...);
template <typename... __A> bool is_sorted(__A &&...);
template <typename __T> struct complex {
  __T re, im; typedef __T value_type;
  __host__ __device__ complex(__T re = 0, __T im = 0) : re(re), im(im) {}
  template <typename __U> __host__ __device__ complex(const complex<__U> &o) : re(o.re), im(o.im) {}
  __host__ __device__ __T real() const { return re; }
  __host__ __device__ __T imag() const { return im; }
  __host__ __device__ void real(__T v) { re = v; }
  __host__ __device__ void imag(__T v) { im = v; }
  __host__ __device__ complex &operator+=(const complex &o) { re += o.re; im += o.im; return *this; }
  __host__ __device__ complex &operator-=(const complex &o) { re -= o.re; im -= o.im; return *this; }
  __host__ __device__ complex &operator*=(const complex &o) { return *this = *this * o; }
  __host__ __device__ complex &operator/=(const complex &o) { return *this = *this / o; }
  friend __host__ __device__ complex operator+(const complex &a, const complex &b) { return complex(a.re + b.re, a.im + b.im); }
  friend __host__ __device__ complex operator-(const complex &a, const complex &b) { return complex(a.re - b.re, a.im - b.im); }
  friend __host__ __device__ complex operator-(const complex &a) { return complex(-a.re, -a.im); }
  friend __host__ __device__ complex operator*(const complex &a, const complex &b) { return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
  friend __host__ __device__ complex operator/(const complex &a, const complex &b) { __T n = b.re * b.re + b.im * b.im; return complex((a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n); }
  friend __host__ __device__ bool operator==(const complex &a, const complex &b) { return a.re == b.re && a.im == b.im; }
  friend __host__ __device__ bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};
template <typename __T> __host__ __device__ __T norm(const complex<__T> &a) { return a.re * a.re + a.im * a.im; }
template <typename __T> __host__ __device__ __T abs(const complex<__T> &a) { return sqrt(norm(a)); }
template <typename __T> __host__ __device__ __T arg(const complex<__T> &a) { return atan2(a.im, a.re); }
template <typename __T> __host__ __device__ complex<__T> conj(const complex<__T> &a) { return complex<__T>(a.re, -a.im); }
template <typename __T> __host__ __device__ complex<__T> exp(const complex<__T> &a) { __T e = ::exp(a.re); return complex<__T>(e * ::cos(a.im), e * ::sin(a.im)); }
template <typename __T> __host__ __device__ complex<__T> polar(const __T &r, const __T &t = 0) { return complex<__T>(r * ::cos(t), r * ::sin(t)); }
namespace random { struct default_random_engine { __host__ __device__ default_random_engine(unsigned = 0); __host__ __device__ void discard(unsigned long long); __host__ __device__ unsigned operator()(); }; template <typename __T> struct uniform_real_distribution { __host__ __device__ uniform_real_distribution(__T = 0, __T = 1); template <typename __G> __host__ __device__ __T operator()(__G &); }; template <typename __T> struct uniform_int_distribution { __host__ __device__ uniform_int_distribution(__T = 0, __T = 1); template <typename __G> __host__ __device__ __T operator()(__G &); }; template <typename __T> struct normal_distribution { __host__ __device__ normal_distribution(__T = 0, __T = 1); template <typename __G> __host__ __device__ __T operator()(__G &); }; typedef default_random_engine minstd_rand; }
using random::default_random_engine; using random::minstd_rand; using random::uniform_real_distribution; using random::uniform_int_distribution; using random::normal_distribution;
namespace placeholders { struct gradine_any {}; extern gradine_any _1, _2, _3; }
}
