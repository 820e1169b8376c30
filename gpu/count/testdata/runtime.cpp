// The reference for counts: a block of a kernel runs on the host, one thread after another, with what clang
// itself traces: blocks of code as they are entered, loads and stores. The threads of a warp are then led
// through what they did together, always those first that are furthest behind in the code.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <vector>

struct Event { uintptr_t at; uint32_t bytes; char kind; }; // B: code; L, S: load and store; A: atomic; |: barrier
static std::vector<std::vector<Event>> threads;
static std::vector<Event> *now;
static uintptr_t stack_low, stack_high;
extern "C" char __start_gshared[] __attribute__((weak)), __stop_gshared[] __attribute__((weak));
extern "C" char __start_gharness[] __attribute__((weak)), __stop_gharness[] __attribute__((weak));
extern "C" char __start_gconstant[] __attribute__((weak)), __stop_gconstant[] __attribute__((weak));

static bool within(uintptr_t at, const char *low, const char *high) { return low && at >= (uintptr_t)low && at < (uintptr_t)high; }

static void put(uintptr_t at, uint32_t bytes, char kind) {
  if (!now) return;
  if (kind != 'B' && kind != '|' && at >= stack_low && at < stack_high) return; // a variable of the thread
  if (kind != 'B' && within(at, __start_gharness, __stop_gharness)) return; // its ids and arguments
  now->push_back({at, bytes, kind});
}
extern "C" {
void __sanitizer_cov_trace_pc() { put((uintptr_t)__builtin_return_address(0), 0, 'B'); }
#define ACCESS(n)                                                                                                             \
  void __sanitizer_cov_load##n(void *p) { put((uintptr_t)p, n, 'L'); }                                                        \
  void __sanitizer_cov_store##n(void *p) { put((uintptr_t)p, n, 'S'); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)
void gradine_barrier() { put(0, 0, '|'); }
void gradine_atomic(void *p, unsigned n) { put((uintptr_t)p, n, 'A'); }
}

struct Sum { long long threads = 0, warps = 0, sectors = 0, lines = 0, passes = 0; };
static std::map<std::pair<char, char>, Sum> sums;
static long long barriers;

static long long passes(const std::vector<Event> &lanes) {
  long long turns = 0;
  uint32_t width = std::max(1u, (lanes[0].bytes + 3) / 4), part = std::max(1u, 32 / width);
  for (size_t from = 0; from < lanes.size(); from += part) {
    std::set<uintptr_t> words;
    for (size_t k = from; k < std::min(lanes.size(), from + part); k++)
      for (uint32_t j = 0; j < width; j++) words.insert((lanes[k].at >> 2) + j);
    std::map<int, long long> load;
    long long most = 0;
    for (uintptr_t w : words) most = std::max(most, ++load[w & 31]);
    turns += most;
  }
  return turns;
}

static void together(const std::vector<Event> &lanes) {
  char kind = lanes[0].kind;
  if (kind == '|') { barriers += lanes.size(); return; }
  char space = within(lanes[0].at, __start_gshared, __stop_gshared) ? 's' : within(lanes[0].at, __start_gconstant, __stop_gconstant) ? 'c' : 'g';
  Sum &s = sums[{space, kind}];
  s.threads += lanes.size();
  s.warps++;
  if (space == 's') { s.passes += passes(lanes); return; }
  std::set<uintptr_t> sectors, lines;
  for (const Event &e : lanes)
    for (uintptr_t at = e.at; at < e.at + e.bytes; at++) sectors.insert(at >> 5), lines.insert(at >> 7);
  s.sectors += sectors.size();
  s.lines += lines.size();
}

static void warp(const std::vector<std::vector<Event>> &t) {
  std::vector<size_t> at(t.size(), 0);
  for (;;) {
    uintptr_t least = ~(uintptr_t)0;
    for (size_t k = 0; k < t.size(); k++)
      if (at[k] < t[k].size()) least = std::min(least, t[k][at[k]].at);
    if (least == ~(uintptr_t)0) return;
    std::vector<size_t> group;
    for (size_t k = 0; k < t.size(); k++)
      if (at[k] < t[k].size() && t[k][at[k]].at == least) group.push_back(k), at[k]++;
    for (bool more = true; more;) {
      std::vector<Event> lanes;
      for (size_t k : group)
        if (at[k] < t[k].size() && t[k][at[k]].kind != 'B') lanes.push_back(t[k][at[k]++]);
      if ((more = !lanes.empty())) together(lanes);
    }
  }
}

extern "C" void *gradine_array(size_t bytes) {
  char *p = (char *)aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  for (size_t k = 0; k + 4 <= bytes && bytes <= 1 << 22; k += 4) *(float *)(p + k) = 1;
  return p;
}

// gradine_block runs a block; run is called for each thread, when its ids are set.
extern "C" void gradine_block(int x, int y, int z, int size, void (*ids)(int, int, int), void (*run)()) {
  char here;
  stack_high = (uintptr_t)&here + 4096, stack_low = stack_high - (7 << 20);
  std::vector<std::vector<Event>> w;
  for (int k = 0; k < x * y * z; k++) {
    w.emplace_back();
    ids(k % x, k / x % y, k / x / y);
    now = &w.back();
    run();
    now = nullptr;
    if ((int)w.size() == size || k == x * y * z - 1) warp(w), w.clear();
  }
  printf("barriers %lld\n", barriers / (x * y * z));
  for (auto &[key, s] : sums)
    printf("%c %c %lld %lld %lld %lld %lld\n", key.first, key.second, s.threads, s.warps, s.sectors, s.lines, s.passes);
}
