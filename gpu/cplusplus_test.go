package gpu_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/internal/corpus"
)

// cplusplus writes random kernels of C++: templates, overloads, references, lambdas, methods, unions, numbers of mixed
// widths, casts of arrays to other elements, switch and goto.
type cplusplus struct {
	sourceWriter
	vars   []string // numbers that a statement may read, and set
	shared bool
	labels int
	fresh  int
	stride map[string]int
}

// helpers are what the kernels of a file call.
const helpers = `struct Pair { int x; short y[2]; };
union Bits { int i; unsigned short h[2]; unsigned char c[4]; };
template <typename T, int N> __device__ T mixed(T x) { return (T)(x * N + 3); }
template <typename T> __device__ void put(T *to, long long at, T v) { to[at] = v; }
template <typename T, typename F> __device__ T applied(T x, F f) { return (T)f(x); }
__device__ int kind(int x) { return x + 1; }
__device__ int kind(unsigned x) { return (int)(x / 3); }
__device__ int kind(short x) { return x * 2; }
__device__ int kind(long long x) { return (int)(x % 5); }
__device__ void bump(int &x, int by) { x += by; }
static __device__ void exchanged(int &x, int &y) { int z = x; x = y; y = z; }
struct Cursor {
  int at;
  __device__ int next(int step) { at += step; return at; }
  __device__ int operator()(int k) const { return at * k; }
  __device__ Cursor operator+(const Cursor &o) const { return {at + o.at}; }
};
template <typename T> struct Row {
  T *to;
  long long from;
  __device__ T &operator[](long long k) const { return to[from + k]; }
  template <typename F> __device__ void each(int n, F f) { for (int k = 0; k < n; k++) f(to[from + k], k); }
};
struct Wide : Cursor { short more; };
template <int K> __device__ int chosen(int x, int y) { if constexpr (K > 1) return x - y; else return kind((short)(x + y)); }
template <typename... T> __device__ int total(T... x) { return (int)(0 + ... + (int)x); }
`

// vectorTypes are what a toolkit declares, as the host needs them.
const vectorTypes = `struct alignas(8) int2 { int x, y; };
struct alignas(16) int4 { int x, y, z, w; };
struct int3 { int x, y, z; };
struct alignas(4) short2 { short x, y; };
struct alignas(4) uchar4 { unsigned char x, y, z, w; };
static inline int2 make_int2(int x, int y) { return {x, y}; }
static inline int3 make_int3(int x, int y, int z) { return {x, y, z}; }
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static inline short2 make_short2(short x, short y) { return {x, y}; }
static inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return {x, y, z, w}; }
`

var numberTypes = []string{"int", "unsigned", "short", "unsigned char", "long long", "unsigned short", "signed char"}

// sourceWriter writes lines of random source, indented by the depth of blocks.
type sourceWriter struct {
	*rand.Rand
	b     strings.Builder
	depth int
}

func (w *sourceWriter) pick(of ...string) string { return of[w.IntN(len(of))] }

func (w *sourceWriter) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.depth+1) + fmt.Sprintf(format, args...) + "\n")
}

// scope writes some statements, at most so many; names in it are gone behind it.
func (w *sourceWriter) scope(names *[]string, most int, statement func()) {
	keep := len(*names)
	w.depth++
	for range 1 + w.IntN(most) {
		statement()
	}
	w.depth--
	*names = (*names)[:keep]
}

func (g *cplusplus) name(prefix string) string {
	g.fresh++
	return fmt.Sprint(prefix, g.fresh)
}

// number is an expression of some integer type.
func (g *cplusplus) number(depth int) string {
	v := g.vars[g.IntN(len(g.vars))]
	if depth <= 0 {
		return g.pick(v, v, strconv.Itoa(g.IntN(9)), "(int)threadIdx.x", "(int)i")
	}
	a, b := g.number(depth-1), g.number(depth-1)
	switch g.IntN(19) {
	case 0, 1:
		return fmt.Sprintf("(%s + %s)", a, b)
	case 2:
		return fmt.Sprintf("(%s - %s)", a, b)
	case 3:
		return fmt.Sprintf("(%s * %d)", a, g.IntN(7))
	case 4:
		return fmt.Sprintf("(%s %s %d)", a, g.pick("/", "%"), 1+g.IntN(7))
	case 5:
		return fmt.Sprintf("((%s) %s %d)", a, g.pick("<<", ">>"), g.IntN(5))
	case 6:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("&", "|", "^"), b)
	case 7:
		return fmt.Sprintf("(%s)(%s)", numberTypes[g.IntN(len(numberTypes))], a)
	case 8:
		return fmt.Sprintf("(%s < %s ? %s : %s)", a, b, g.number(0), g.number(0))
	case 9:
		return fmt.Sprintf("kind((%s)(%s))", g.pick("int", "unsigned", "short", "long long"), a)
	case 10:
		return fmt.Sprintf("mixed<%s, %d>(%s)", numberTypes[g.IntN(len(numberTypes))], g.IntN(6), a)
	case 11:
		return fmt.Sprintf("(Cursor{(int)(%s)} + Cursor{%d})(%d)", a, g.IntN(5), g.IntN(4))
	case 12:
		return fmt.Sprintf("applied((int)(%s), [=](int x) { return x + (int)(%s); })", a, g.number(0))
	case 13:
		return fmt.Sprintf("(int)sizeof(%s)", numberTypes[g.IntN(len(numberTypes))])
	case 14:
		return fmt.Sprintf("chosen<%d>((int)(%s), (int)(%s))", g.IntN(4), a, b)
	case 15:
		return fmt.Sprintf("(int)(((long long)(%s) << %d) >> %d)", a, g.IntN(30), g.IntN(40))
	case 16:
		return fmt.Sprintf("total((%s)(%s), %s)", numberTypes[g.IntN(len(numberTypes))], a, b)
	}
	return a
}

// arrays are the parameters that are arrays, with the bytes of their elements.
var arrays = map[string]int{"a": 4, "b": 2, "c": 1, "d": 8}

// own is a place that no other thread has, or, now and then, one that another may have.
func (g *cplusplus) own(array string) string {
	stride := g.stride[array]
	at := fmt.Sprintf("%d * (long long)i + %d", stride, g.IntN(stride))
	switch g.IntN(22) {
	case 0:
		return fmt.Sprintf("((unsigned)(%s) & 63)", g.number(1))
	case 1:
		return fmt.Sprintf("(%s) %s", at, g.pick("/ 2", "^ 1", "+ 1", "- 1 + 64", ">> 1", "+ (n & 1)"))
	case 2:
		return fmt.Sprintf("(unsigned char)(%s)", at)
	case 3:
		return fmt.Sprintf("%d * (int)threadIdx.x", stride)
	}
	return at
}

// cell is a place in an array, as an element of its own type or of another.
func (g *cplusplus) cell() (text, typ string) {
	array := g.pick("a", "a", "b", "c", "d")
	typ = map[string]string{"a": "int", "b": "short", "c": "unsigned char", "d": "long long"}[array]
	at := g.own(array)
	if size := arrays[array]; g.IntN(4) == 0 && size > 1 {
		part := g.pick("unsigned char", "signed char")
		n := size
		if size > 2 && g.IntN(2) == 0 {
			part, n = "short", size/2
		}
		return fmt.Sprintf("((%s *)%s)[%d * (%s) + %d]", part, array, n, at, g.IntN(n)), part
	}
	return fmt.Sprintf("%s[%s]", array, at), typ
}

// block writes some statements; names in it are gone behind it.
func (g *cplusplus) block(most int) { g.scope(&g.vars, most, g.statement) }

func (g *cplusplus) statement() {
	v := g.vars[g.IntN(len(g.vars))]
	switch g.IntN(25) {
	case 20:
		x, y, e := g.number(1), g.number(0), g.name("w")
		switch g.IntN(5) {
		case 0:
			g.line("((int2 *)d)[%s] = make_int2((int)(%s), (int)(%s));", g.own("d"), x, y)
		case 1:
			g.line("((short2 *)a)[%s].%s = (short)(%s);", g.own("a"), g.pick("x", "y"), x)
		case 2:
			g.line("{ uchar4 %[1]s = ((uchar4 *)a)[%[2]s]; %[3]s += %[1]s.y - %[1]s.w; }", e, g.own("a"), v)
		case 3:
			g.line("{ int3 %[1]s = make_int3((int)(%[2]s), (int)(%[3]s), 3); %[1]s.y += %[1]s.z; int4 o%[1]s = make_int4(%[1]s.y, n, %[1]s.x, 7); %[4]s = o%[1]s.%[5]s; }", e, x, y, v, g.pick("x", "y", "z"))
		case 4:
			g.line("{ int2 %[1]s = ((int2 *)d)[%[2]s]; %[1]s.x ^= %[1]s.y; ((int2 *)d)[%[3]s] = %[1]s; }", e, g.own("d"), g.own("d"))
		}
	case 21:
		typ, array := "int", "a"
		if g.IntN(2) == 0 {
			typ, array = "short", "b"
		}
		e := g.name("r")
		switch g.IntN(3) {
		case 0:
			g.line("Row<%[1]s>{%[2]s, %[3]s}[%[4]d] = (%[1]s)(%[5]s);", typ, array, g.own(array), g.IntN(2)*g.IntN(2), g.number(1))
		case 1:
			g.line("{ %[1]s &%[2]s = %[3]s[%[4]s]; %[2]s = (%[1]s)(%[5]s); if (%[2]s > 3) %[2]s += 1; }", typ, e, array, g.own(array), g.number(1))
		case 2:
			g.line("Row<%[1]s>{%[2]s, %[3]s}.each(%[4]d, [&](%[1]s &to, int k) { to = (%[1]s)(%[5]s + k); });", typ, array, g.own(array), 1+g.IntN(2)*g.IntN(2), v)
		}
	case 22:
		e := g.name("z")
		g.line("{ Wide %[1]s; %[1]s.at = (int)(%[2]s); %[1]s.more = 3; Cursor &o%[1]s = %[1]s; o%[1]s.next(%[1]s.more); %[3]s = %[1]s.at; }", e, g.number(1), v)
	case 23: // a name that hides another in its own initial value
		e := g.name("h")
		g.line("{ long long %s = %s; { unsigned char %[1]s = (unsigned char)(sizeof(%[1]s) + 2); for (unsigned char k = 0; k < %[1]s; k++) %[3]s ^= k; } { short %[1]s[2] = {(short)sizeof(%[1]s), 1}; %[3]s += %[1]s[n & 1]; } %[3]s += (int)%[1]s; }", e, g.number(1), v)
	case 24:
		e := g.name("t")
		g.line("int *%s = %s ? a + %s : (int *)d + 2 * (%s); *%[1]s = (int)(%[5]s);", e, g.pick("(n & 1)", "(v0 < v1)"), g.own("a"), g.own("d"), g.number(1))
	case 0, 1, 2:
		text, typ := g.cell()
		g.line("%s = (%s)(%s);", text, typ, g.number(2))
	case 3:
		text, _ := g.cell()
		g.line("%s %s %s;", text, g.pick("+=", "^=", "-="), g.number(1))
	case 4:
		text, _ := g.cell()
		x := g.name("v")
		g.line("int %s = (int)%s;", x, text)
		g.vars = append(g.vars, x)
	case 5:
		x := g.name("v")
		g.line("int %s = (int)(%s);", x, g.number(2))
		g.vars = append(g.vars, x)
	case 6:
		g.line("%s = (int)(%s);", v, g.number(2))
	case 7:
		g.line("if (%s %s %s) {", g.number(1), g.pick("<", "==", ">=", "!="), g.number(1))
		g.block(3)
		if g.IntN(2) == 0 {
			g.line("} else {")
			g.block(2)
		}
		g.line("}")
	case 8:
		if g.depth > 2 {
			return
		}
		x := g.name("k")
		g.line("for (int %s = 0; %s < %d; %s++) {", x, x, 1+g.IntN(3), x)
		g.vars = append(g.vars, "v0") // the round itself is not set
		g.block(2)
		g.line("}")
		g.vars = g.vars[:len(g.vars)-1]
	case 9:
		g.line("switch ((unsigned)(%s) & 3) {", g.number(1))
		for k := range 1 + g.IntN(3) {
			g.line("case %d: {", k)
			g.block(1)
			g.line("}%s", g.pick(" break;", ""))
		}
		g.line("default: %s ^= 1; }", v)
	case 10:
		x := g.name("u")
		g.line("Bits %s; %s.i = (int)(%s); %s = %s.%s + %s.%s;", x, x, g.number(1), v, x, g.pick("h[0]", "h[1]", "c[3]", "i"), x, g.pick("c[0]", "c[2]", "h[1]"))
	case 11:
		x := g.name("q")
		g.line("Cursor %s{(int)(%s)}; %s.next(%d); %s = %s(%d);", x, g.number(1), x, g.IntN(4), v, x, 1+g.IntN(3))
	case 12:
		g.line("bump(%s, (int)(%s));", v, g.number(1))
	case 13:
		w := g.vars[g.IntN(len(g.vars))]
		g.line("exchanged(%s, %s);", v, w)
	case 14:
		array := g.pick("a", "d")
		typ := map[string]string{"a": "int", "d": "long long"}[array]
		g.line("put<%s>(%s, %s, (%s)(%s));", typ, array, g.own(array), typ, g.number(1))
	case 15:
		x := g.name("f")
		g.line("auto %s = [&%s, w = %s + 1](int x) mutable { w += x; %s += w; return w; }; %s = %s(%d);", x, v, v, v, v, x, g.IntN(5))
	case 16:
		g.labels++
		label := fmt.Sprint("out", g.labels)
		g.line("if (%s < %s) goto %s;", g.number(0), g.number(0), label)
		g.line("{")
		g.block(2)
		g.line("}")
		g.line("%s:;", label)
	case 17:
		if g.shared {
			g.line("s[(unsigned)(%s) & 15] = (int)(%s);", g.pick("threadIdx.x", "threadIdx.x", "threadIdx.x", "threadIdx.x + 1", g.number(1)), g.number(1))
		} else {
			g.line("atomicAdd(&a[%s], 1);", g.own("a"))
		}
	case 18:
		if g.shared {
			g.line("%s = s[(unsigned)(%s) & 15];", v, g.pick("threadIdx.x", "threadIdx.x", "threadIdx.x ^ 1", g.number(1)))
		}
		x := g.name("p")
		g.line("{ Pair %s = {(int)(%s), {1, (short)(%s)}}; Pair o%s = %s; o%s.y[n & 1] = 4; %s += o%s.x + o%s.y[1]; }", x, g.number(1), g.number(0), x, x, x, v, x, x)
	case 19:
		if g.shared && (g.depth == 0 || g.IntN(6) == 0) {
			g.line("__syncthreads();")
		} else {
			g.line("{ int %s0 = %s; { short %s0 = (short)sizeof(%s0); bump(%s, %s0); } %s += %s0; }", v, v, v, v, v, v, v, v)
		}
	}
}

// kernel is one with a name.
func (g *cplusplus) kernel(name string) string {
	g.b.Reset()
	g.vars, g.depth, g.labels = []string{"v0", "v1"}, 0, 0
	g.shared = g.IntN(2) == 0
	g.stride = map[string]int{}
	for _, array := range []string{"a", "b", "c", "d"} {
		g.stride[array] = 1 + g.IntN(3)
	}
	g.b.WriteString("__global__ void " + name + "(int *a, short *b, unsigned char *c, long long *d, int n, unsigned m) {\n")
	if g.shared {
		g.line("__shared__ int s[16];")
	}
	g.line("unsigned i = blockIdx.x * blockDim.x + threadIdx.x;")
	g.line("int v0 = n, v1 = (int)m;")
	if g.shared {
		g.line("s[threadIdx.x & 15] = v0;")
		if g.IntN(4) > 0 {
			g.line("__syncthreads();")
		}
	}
	for range 2 + g.IntN(4) {
		g.statement()
	}
	g.b.WriteString("}\n")
	return g.b.String()
}

// kernelsOfFile are how many kernels stand in a file: compilers take longer to begin than for a kernel.
const kernelsOfFile = 20

// TestRandomCplusplus: no random kernel of C++ is safe that has a fault in a run, compiled for the host with each access watched, in
// any grid of up to 3 groups of up to 6 threads. KERNEL_CPLUSPLUS=2000 takes so many, KERNEL_SEED another beginning.
func TestRandomCplusplus(t *testing.T) {
	c := compiler(t)
	ref := newReference(t)
	many := corpus.Effort(2, 3, 40)
	if n, err := strconv.Atoi(os.Getenv("KERNEL_CPLUSPLUS")); err == nil {
		many = n
	}
	seed, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	counts := map[string]int{}
	for done := 0; done < many; seed++ {
		texts := kernelsOf(seed, min(kernelsOfFile, many-done))
		done += len(texts)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(helpers+strings.Join(texts, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		ir, _, why := moduleOf(t, c, dir, "k.cu")
		if why != "" {
			t.Errorf("seed %d: clang: %s", seed, why)
			continue
		}
		againstHost(t, ref, seed, texts, ir, counts)
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[k], k)
	}
}

// kernelsOf are the kernels of a seed, k0, k1 and so on.
func kernelsOf(seed, many int) (texts []string) {
	g := &cplusplus{sourceWriter: sourceWriter{Rand: rand.New(rand.NewPCG(uint64(seed), 33))}, fresh: 1} // v0 and v1 are those of all kernels
	for k := range many {
		texts = append(texts, g.kernel(fmt.Sprint("k", k)))
	}
	return texts
}

// againstHost compares what is said of the kernels of a module, for all launches and for one, with runs on the host.
func againstHost(t *testing.T, ref *reference, seed int, texts []string, ir []byte, counts map[string]int) {
	if err := ref.compile(onHost(texts)); err != nil {
		t.Errorf("seed %d: %.2000s", seed, err)
		return
	}
	one := rand.New(rand.NewPCG(uint64(seed), 34))
	for _, sizes := range [][2]int64{{0, 0}, {int64(1 + one.IntN(6)), int64(1 + one.IntN(3))}} {
		reports := gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: launch.Options{Local: [3]int64{sizes[0], 1, 1}, Groups: [3]int64{sizes[1], 1, 1}}})
		for _, r := range reports {
			k, err := strconv.Atoi(strings.TrimPrefix(r.Kernel, "k"))
			if err != nil || k >= len(texts) {
				t.Errorf("seed %d: %+v", seed, r)
				continue
			}
			fault := ref.faultIn(k, sizes)
			if r.Verdict == gpu.Unsafe && fault == "none" {
				fault = ref.faultShown(k, r, sizes)
			}
			counts[string(r.Verdict)+", "+fault]++
			if r.Verdict == gpu.Unsafe && fault == "none" {
				t.Logf("seed %d: %s of %v is unsafe, and no run of the host shows it: %+v\n%s", seed, r.Kernel, sizes, witness(r), texts[k])
			}
			if r.Verdict == gpu.Safe && fault != "none" {
				t.Errorf("seed %d: %s of %v is safe: %s\n%s", seed, r.Kernel, sizes, fault, texts[k])
			}
		}
	}
}

// onHost is a program that launches one of several kernels in a grid, all of which its arguments say.
func onHost(texts []string) string {
	var b strings.Builder
	b.WriteString("#include \"kernel.h\"\n" + vectorTypes + helpers)
	for _, text := range texts {
		b.WriteString(ofGroup.ReplaceAllString(text, `static int (&s)[16] = *(int (*)[16])memory(sizeof(int[16]), ofGroup, "nobody");`))
	}
	// Numbers that the launch gives stand behind the sizes.
	b.WriteString("static char **words;\n")
	for k, typ := range []string{"int", "unsigned"} {
		fmt.Fprintf(&b, "template <> struct made<%s> { UNSEEN static %s argument(bool) { return words[4] ? (%s)atoll(words[%d]) : (%s)made<short>::argument(false); } };\n", typ, typ, typ, 4+k, typ)
	}
	b.WriteString("int program(int, char **w) {\n  words = w;\n  dim3 grid(atoi(w[2])), block(atoi(w[3]));\n  switch (atoi(w[1])) {\n")
	for k := range texts {
		fmt.Fprintf(&b, "  case %d: run(grid, block, 0, k%d); break;\n", k, k)
	}
	return b.String() + "  }\n  return 0;\n}\n"
}

// witness is the run that shows a fault of a kernel, nil if there is none.
func witness(r gpu.Report) *encode.Scene {
	for _, f := range r.Checks {
		if f.Replayed != "" && f.Counterexample != nil {
			return f.Counterexample
		}
	}
	return nil
}

// mostThreads bounds the threads of a launch on the host.
const mostThreads = 1 << 12

// faultShown is what goes wrong on the host in the launch that is said to show a fault.
func (r *reference) faultShown(kernel int, said gpu.Report, sizes [2]int64) string {
	s := witness(said)
	if s == nil {
		return "none"
	}
	number := func(all []encode.Value, name string, otherwise int64) int64 {
		for _, v := range all {
			if n, err := strconv.ParseInt(strings.Replace(v.Value, "−", "-", 1), 10, 64); err == nil && v.Name == name {
				return n
			}
		}
		return otherwise
	}
	local, groups := max(sizes[0], 1), max(sizes[1], 1)
	if sizes[0] == 0 { // the kernels ask for no number of groups, so that those behind the threads that fail may be missing
		local, groups = number(s.Launch, "local_size[0]", 1), 1
		for _, t := range s.Threads {
			if g, err := strconv.ParseInt(t.Group[0], 10, 64); err == nil {
				groups = max(groups, g+1)
			}
		}
	}
	if local > mostThreads || groups > mostThreads || local*groups > mostThreads {
		return "in a launch too large for the host"
	}
	for seed := range 6 {
		if kind := r.faultOfRun(seed, kernel, groups, local, number(s.Parameters, "n", 0), number(s.Parameters, "m", 0)); kind != "" {
			return kind + " in the launch that is told"
		}
	}
	return "none"
}

// faultOfRun is what goes wrong in one run; "" for nothing. Numbers are arguments for the kernel, drawn if there are none.
func (r *reference) faultOfRun(seed, kernel int, groups, local int64, numbers ...int64) string {
	args := []string{strconv.Itoa(seed), strconv.Itoa(kernel), strconv.FormatInt(groups, 10), strconv.FormatInt(local, 10)}
	for _, n := range numbers {
		args = append(args, strconv.FormatInt(n, 10))
	}
	text, _ := r.tool("./p", args...)
	for line := range strings.Lines(text) {
		if kind, ok := strings.CutPrefix(strings.TrimSpace(line), "fault "); ok && slices.Contains([]string{"race", "divergence", "assert", "null"}, kind) {
			return kind
		}
	}
	return ""
}

// faultIn is what goes wrong in runs of a kernel of the program that was compiled last: in one grid, or in all small ones.
func (r *reference) faultIn(kernel int, sizes [2]int64) string {
	for groups := int64(1); groups <= 3; groups++ {
		for local := int64(6); local >= 1; local-- {
			if sizes[0] != 0 && (local != sizes[0] || groups != sizes[1]) {
				continue
			}
			for seed := range 2 {
				if kind := r.faultOfRun(seed, kernel, groups, local); kind != "" {
					return kind
				}
			}
		}
	}
	return "none"
}
