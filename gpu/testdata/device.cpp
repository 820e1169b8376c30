// What device.h declares: memory with gaps, threads as coroutines, and the rules that accesses have to keep. The compiler
// tells of each access (-fsanitize=thread); this file answers in place of its library.
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "device.h"
#undef malloc
#undef free

dim3 threadIdx, blockIdx, blockDim, gridDim;

static uint64_t drawn;
static uint64_t draw() { return (drawn = drawn * 6364136223846793005u + 1442695040888963407u) >> 33; }
int input() { return (int)draw(); }

static void fault(const char *kind) {
	printf("fault %s\n", kind);
	fflush(stdout);
	_exit(0);
}

void demand(bool holds) {
	if (!holds)
		fault("assert");
}

// Memory.

struct extent {
	size_t bytes;
	int side;
	const char *freed;
	bool dead;
};
static std::map<uintptr_t, extent> extents;
static const size_t arenaBytes = 1 << 26, gap = 4096;
static char *arena, *next;
static bool running; // a launch, as far as the host knows

static void garble(void *p, size_t bytes) {
	for (size_t i = 0; i < bytes; i++)
		((char *)p)[i] = (char)draw();
}

void *memory(size_t bytes, int side, const char *freed) {
	if (!arena)
		arena = next = (char *)mmap(0, arenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes > arenaBytes / 64)
		fault("memory");
	char *p = next += gap;
	next += (bytes + 255) / 256 * 256 + gap;
	garble(p, bytes);
	extents[(uintptr_t)p] = {bytes, side, freed, false};
	return p;
}

void place(void *p, size_t bytes, int side) { extents[(uintptr_t)p] = {bytes, side, "", false}; }

// Variables of the device lie in a section of their own, with gaps.
extern char __start_ofDevice[] __attribute__((weak)), __stop_ofDevice[] __attribute__((weak));

static bool between(const void *p, const char *from, const char *to) { return (char *)p >= from && (char *)p < to; }
static bool ours(const void *p) {
	return arena && between(p, arena, arena + arenaBytes) || between(p, __start_ofDevice, __stop_ofDevice);
}

void release(void *p, const char *by) {
	if (!p)
		return;
	auto e = extents.find((uintptr_t)p);
	if (e == extents.end() || e->second.dead || strcmp(e->second.freed, by))
		fault("free");
	if (strcmp(by, "free"))
		running = false;
	e->second.dead = true;
}

// Threads.

enum waiting { ready, atBarrier, inWarp, exchanging, ended };
struct thread {
	ucontext_t at;
	char *stack;
	unsigned id, group, epochs[2]; // of memory of the group, and of the device
	dim3 index;
	waiting state;
	void *waits;       // the place of the barrier
	unsigned rank;     // in the group
	unsigned mask;     // of the lanes that it waits for
	int gives, *gets;  // in an exchange: 32 values, those of lanes that take no part are not known
	unsigned tick;     // the barriers of lanes that it has passed
	std::vector<unsigned> seen; // of each thread of the group, the last tick of which all is seen
	// Of each thread of the launch: the last time of which all is known here, and was when this thread last met a fence. Its own entry
	// is its time.
	std::vector<unsigned> knows, fenced;
	std::unordered_map<uintptr_t, size_t> took; // places that it changed atomically: after how many accesses to them
};
static thread *now;
static std::unordered_map<uintptr_t, std::vector<unsigned>> handed; // what threads knew at a fence before they changed a place atomically
static ucontext_t host;

struct touch {
	unsigned thread, group, epoch, rank, tick, time;
	char kind; // r, w, a
	uint8_t value;
	bool own;
};
static std::unordered_map<uintptr_t, std::vector<touch>> touches;
static uintptr_t written; // a store whose value is not known yet
static size_t writtenBytes;

static int side(const void *p);

static void note(uintptr_t a, char kind) {
	touch t = {now->id, now->group, now->epochs[side((void *)a) != ofGroup], now->rank, now->tick, now->knows[now->id], kind, *(uint8_t *)a, false};
	auto &before = touches[a];
	if (kind == 'r')
		for (auto &b : before)
			t.own |= b.thread == t.thread && b.epoch == t.epoch && b.tick == t.tick && b.kind == 'w' && b.value == t.value;
	size_t earlier = kind != 'a' && now->took.count(a) ? now->took[a] : 0;
	for (auto &b : before) {
		if (&b < before.data() + earlier && b.kind == 'a')
			continue; // atomic operations on one place are in order, and its own is the later one
		if (b.thread == t.thread || b.group == t.group && (b.epoch != t.epoch || now->seen[b.rank] >= b.tick))
			continue;
		if (b.group != t.group && now->knows[b.thread] >= b.time)
			continue;
		if (b.kind == t.kind && t.kind != 'w')
			continue;
		bool atomic = b.kind == 'a' || t.kind == 'a';
		if (!atomic && b.value == t.value && (b.own || b.kind == 'w') && (t.own || t.kind == 'w'))
			continue;
		fault("race");
	}
	before.push_back(t);
}

static void settle() {
	uintptr_t a = written;
	written = 0;
	for (size_t i = 0; a && i < writtenBytes; i++)
		note(a + i, 'w');
}

// reach says whether memory is known that an access goes to; that it may is checked.
bool reach(const void *p, size_t bytes, bool writes) {
	uintptr_t a = (uintptr_t)p;
	if (a < 1 << 16)
		fault("null");
	auto e = extents.upper_bound(a);
	if (e == extents.begin() || a + bytes > (--e)->first + e->second.bytes) {
		if (ours(p))
			fault("bounds");
		return false;
	}
	if (e->second.dead)
		fault("freed");
	return true;
}

static int side(const void *p) {
	auto e = extents.upper_bound((uintptr_t)p);
	if (e == extents.begin() || (uintptr_t)p >= (--e)->first + std::max<size_t>(e->second.bytes, 1))
		return ofHost; // a variable of main
	return e->second.side;
}

static bool preempts; // threads at accesses, too
static void pause(waiting why) {
	thread *me = now;
	me->state = why;
	swapcontext(&me->at, &host);
}

static void access(void *p, size_t bytes, char kind) {
	if (now)
		settle();
	if (now && preempts && draw() % 8 == 0)
		pause(ready);
	if (!reach(p, bytes, kind != 'r'))
		return;
	int of = side(p);
	if (!(of & (now ? ofDevice : ofHost)))
		fault("side");
	if (!now && of == ofBoth && running)
		fault("wait");
	if (!now)
		return;
	if (kind == 'w') {
		written = (uintptr_t)p;
		writtenBytes = bytes;
		return;
	}
	for (size_t i = 0; i < bytes; i++)
		note((uintptr_t)p + i, kind);
}

static void learn(std::vector<unsigned> &to, const std::vector<unsigned> &from) {
	to.resize(std::max(to.size(), from.size()));
	for (size_t i = 0; i < from.size(); i++)
		to[i] = std::max(to[i], from[i]);
}

// What is known at a fence is handed on with the next atomic operation, to those that change the same place after it. As CUDA's guide
// has it, they need no fence of their own.
void fence() {
	if (!now)
		return;
	settle();
	now->fenced = now->knows;
	now->knows[now->id]++;
}

void atomically(void *p, size_t bytes) {
	access(p, bytes, 'a');
	if (!now)
		return;
	auto &h = handed[(uintptr_t)p];
	learn(now->knows, h);
	learn(h, now->fenced);
	for (size_t i = 0; i < bytes; i++)
		now->took[(uintptr_t)p + i] = touches[(uintptr_t)p + i].size();
}

void meet(int memories) {
	settle();
	now->waits = __builtin_return_address(0);
	pause(atBarrier);
	now->epochs[0] += memories & 1;
	now->epochs[1] += memories >> 1 & 1;
}

// Lanes of a warp wait for each other by name, wherever in the program they are: that is the model since Volta. Those that have ended
// are not waited for.
void meetLanes(unsigned mask) {
	settle();
	if (!(mask >> now->rank % 32 & 1))
		fault("divergence");
	now->mask = mask;
	pause(inWarp);
}

// exchange is what the lanes that a mask names give. It orders no accesses.
void exchange(unsigned mask, int gives, int *gets) {
	settle();
	if (!(mask >> now->rank % 32 & 1))
		fault("exchange");
	now->mask = mask;
	now->gives = gives;
	now->gets = gets;
	pause(exchanging);
}

unsigned rankOf() { return now->rank; }

void leave() { _exit(0); }

static void (*body)(void *);
static void *with;

static void start() {
	body(with);
	settle();
	pause(ended);
}

template <typename T> static void shuffle(std::vector<T> &v) {
	for (size_t i = v.size(); i > 1; i--)
		std::swap(v[i - 1], v[draw() % i]);
}

static std::vector<char *> stacks;

// together lets the lanes go on that t waits for, if all of them that have not ended wait likewise.
static void together(thread *t, const std::vector<thread *> &ts) {
	std::vector<thread *> lanes;
	for (auto o : ts) {
		if (o->rank / 32 != t->rank / 32 || !(t->mask >> o->rank % 32 & 1) || o->state == ended)
			continue;
		if (o->state != t->state || o->mask != t->mask)
			return;
		lanes.push_back(o);
	}
	if (t->state == exchanging)
		for (auto o : lanes)
			for (auto p : lanes)
				o->gets[p->rank % 32] = p->gives;
	else {
		std::vector<unsigned> seen(ts.size()), knows;
		for (auto o : lanes) {
			learn(knows, o->knows);
			for (size_t i = 0; i < seen.size(); i++)
				seen[i] = std::max(seen[i], o->seen[i]);
			seen[o->rank] = std::max(seen[o->rank], o->tick);
		}
		for (auto o : lanes) {
			o->seen = seen;
			o->tick++;
			o->knows = knows;
			o->knows[o->id]++;
		}
	}
	for (auto o : lanes)
		o->state = ready;
}

static void schedule(const std::vector<thread *> &ts) {
	for (;;) {
		std::vector<thread *> able;
		for (auto t : ts)
			if (t->state == ready)
				able.push_back(t);
		if (!able.empty()) {
			now = preempts ? able[draw() % able.size()] : able[0];
			threadIdx = now->index;
			swapcontext(&host, &now->at);
			now = 0;
			for (auto t : ts)
				if (t->state == inWarp || t->state == exchanging)
					together(t, ts);
			continue;
		}
		void *waits = 0;
		bool end = false, stuck = false;
		for (auto t : ts) {
			if (t->state == exchanging)
				fault("exchange");
			end |= t->state == ended;
			stuck |= t->state == inWarp || t->state == atBarrier && waits && waits != t->waits;
			if (t->state == atBarrier)
				waits = t->waits;
		}
		if (stuck || waits && end)
			fault("divergence");
		if (!waits)
			return;
		std::vector<unsigned> knows;
		for (auto t : ts)
			learn(knows, t->knows);
		for (auto t : ts) {
			t->state = ready;
			t->knows = knows;
			t->knows[t->id]++;
		}
	}
}

static void group(dim3 g, unsigned number) {
	blockIdx = g;
	for (auto &e : extents)
		if (e.second.side == ofGroup) {
			for (size_t i = 0; i < e.second.bytes; i++)
				touches.erase(e.first + i);
			garble((void *)e.first, e.second.bytes);
		}
	std::vector<thread *> ts;
	unsigned id = number * blockDim.x * blockDim.y * blockDim.z;
	for (unsigned z = 0; z < blockDim.z; z++)
		for (unsigned y = 0; y < blockDim.y; y++)
			for (unsigned x = 0; x < blockDim.x; x++) {
				thread *t = new thread();
				if (stacks.size() <= ts.size())
					stacks.push_back(new char[1 << 16]);
				t->stack = stacks[ts.size()];
				t->id = id++;
				t->rank = ts.size();
				t->tick = 1;
				t->seen.resize(blockDim.x * blockDim.y * blockDim.z);
				t->group = number;
				t->knows.resize(gridDim.x * gridDim.y * gridDim.z * t->seen.size());
				t->knows[t->id] = 1;
				t->index = dim3(x, y, z);
				getcontext(&t->at);
				t->at.uc_stack.ss_sp = t->stack;
				t->at.uc_stack.ss_size = 1 << 16;
				makecontext(&t->at, start, 0);
				ts.push_back(t);
			}
	shuffle(ts);
	schedule(ts);
	for (auto t : ts)
		delete t;
}

void announce(dim3 grid, dim3 block) { printf("launch %u %u %u %u %u %u", block.x, block.y, block.z, grid.x, grid.y, grid.z); }
void argument(long long v) { printf(" %lld", v); }

void launching(dim3 grid, dim3 block, void (*f)(void *), void *c) {
	uint64_t threads = (uint64_t)block.x * block.y * block.z, groups = (uint64_t)grid.x * grid.y * grid.z;
	if (!threads || !groups || threads > 1024 || block.z > 64)
		fault("launch");
	if (threads * groups > 4096)
		fault("size");
	gridDim = grid;
	blockDim = block;
	body = f;
	with = c;
	touches.clear();
	handed.clear();
	std::vector<dim3> gs;
	for (unsigned z = 0; z < grid.z; z++)
		for (unsigned y = 0; y < grid.y; y++)
			for (unsigned x = 0; x < grid.x; x++)
				gs.push_back(dim3(x, y, z));
	shuffle(gs);
	unsigned number = 0;
	for (auto g : gs)
		group(g, number++);
	running = true;
}

void result(long long v) { printf("result %lld\n", v); }

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
	running = false;
	reach(to, bytes, true);
	reach(from, bytes, false);
	if (kind != cudaMemcpyDefault && (!(side(to) & (kind & 1 ? ofDevice : ofHost)) || !(side(from) & (kind & 2 ? ofDevice : ofHost))))
		fault("direction");
	memmove(to, from, bytes);
	return cudaSuccess;
}

cudaError_t cudaMemset(void *p, int value, size_t bytes) {
	reach(p, bytes, true);
	if (!(side(p) & ofDevice))
		fault("side");
	memset(p, value, bytes);
	return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
	running = false;
	return cudaSuccess;
}

cudaError_t cudaGetLastError() { return cudaSuccess; }

int program(int argc, char **argv);

// The first argument is the seed of what is drawn; the program gets the others.
int main(int argc, char **argv) {
	drawn = strtoull(argv[1], 0, 10) * 2654435761u + 99;
	draw();
	preempts = strtoull(argv[1], 0, 10) % 2;
	program(argc - 1, argv + 1);
	printf("done\n");
	return 0;
}

// What the compiler calls.
extern "C" {
#define ACCESS(n)                                                   \
	void __tsan_read##n(void *p) { access(p, n, 'r'); }         \
	void __tsan_write##n(void *p) { access(p, n, 'w'); }        \
	void __tsan_unaligned_read##n(void *p) { access(p, n, 'r'); } \
	void __tsan_unaligned_write##n(void *p) { access(p, n, 'w'); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)
void __tsan_read_range(void *p, size_t n) { access(p, n, 'r'); }
void __tsan_write_range(void *p, size_t n) { access(p, n, 'w'); }
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
}
