package gpu_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/corpus"
)

// composer writes random programs of a host and its kernels: most of them right, some with a fault. What CUDA and C++ spell
// differently stands between marks, «what¦with¦…».
type composer struct {
	*rand.Rand
	b       strings.Builder
	devices []array // pointers of main to memory of the device
	hosts   []array // arrays and pointers of main to memory of the host
	shared  []array // to memory of both
	numbers []string
	kernels []kernelOf
	results []string
	placed  string // what tells the reference of variables of the device
	names   int
	depth   int
}

// array is a pointer or array and how many numbers it leads to, as a number and as main says it.
type array struct {
	name, length string
	n            int
	fixed        bool // an array, which cannot be assigned
}

// kernelOf is a kernel, by the kinds of its parameters: a, b arrays; n their length; v a value; p a structure.
type kernelOf struct{ name, params string }

func (m *composer) pick(of ...string) string { return of[m.IntN(len(of))] }

func (m *composer) seldom() bool { return m.IntN(40) == 0 }

func (m *composer) w(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

func (m *composer) name(prefix string) string {
	m.names++
	return fmt.Sprint(prefix, m.names)
}

// value is an expression of the host.
func (m *composer) value(depth int) string {
	if depth <= 0 {
		return m.pick(append([]string{strconv.Itoa(m.IntN(12)), "SIZE", "WIDTH", "many", "sizeof(int)", strconv.Itoa(m.IntN(300))}, m.numbers...)...)
	}
	x := func() string { return m.value(depth - 1) }
	switch m.IntN(17) {
	case 14:
		return m.pick("sizeof(many < 3)", "sizeof(char)", "sizeof(struct P)", "sizeof(first)", "sizeof(first[0])", "sizeof('a')", "sizeof(!many)", "sizeof(long)", "sizeof(dim3)", "sizeof(table[1])", "sizeof(many ? 1 : 2L)")
	case 15:
		return m.pick("base", "other", "table[1][2]", "table[many & 1][0]", "fall(many & 3)", "E1", "(E0 - 1)")
	case 16:
		return fmt.Sprintf("(%s)(%s %s)", m.pick("int", "long", "unsigned char"), m.value(0), m.pick("/ 2.0f", "* 1.5", "- 0.25f"))
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("+", "-", "*"), x())
	case 3:
		return fmt.Sprintf("(%s %s ((%s & 3) + 1))", x(), m.pick("/", "%"), x())
	case 4:
		return fmt.Sprintf("(%s %s %d)", x(), m.pick("<<", ">>"), m.IntN(4))
	case 5:
		return fmt.Sprintf("(%s %s %s ? %s : %s)", x(), m.pick("<", "==", ">="), x(), x(), x())
	case 6:
		return fmt.Sprintf("up(%s, %d)", x(), 1+m.IntN(4))
	case 7:
		return fmt.Sprintf("DIV(%s, %d)", x(), 1+m.IntN(4))
	case 8:
		return fmt.Sprintf("(%s)(%s)", m.pick("int", "unsigned char", "short", "unsigned", "long", "char", "bool"), x())
	case 9:
		return fmt.Sprintf("twice(%s)", x())
	case 10:
		return fmt.Sprintf("(%s %s %s)", x(), m.pick("&", "|", "^", "&&", "||"), x())
	case 11:
		return m.pick("(-", "(~", "(!") + x() + ")"
	case 12:
		h := m.hosts[m.IntN(len(m.hosts))]
		return fmt.Sprintf("%s[%d]", h.name, m.IntN(h.n))
	}
	return m.value(0)
}

// assigned assigns a value, in one of some ways if it is not by a function, which may change what is assigned.
func (m *composer) assigned(value string, ways ...string) string {
	if callOf.MatchString(value) || m.IntN(2) == 0 {
		return "= " + value
	}
	return m.pick(ways...) + " " + value
}

var callOf = regexp.MustCompile(`\b(up|twice|f|calls|fall)\(`)

// inDevice is an expression of a kernel, in which i is an index below n.
func (m *composer) inDevice(params string) string {
	of := []string{"i", "i + 1", "2 * i", "(int)threadIdx.x", "n - i", "c[i % 4]", "f(i, 3)", "(unsigned char)(i * 100)", "7", "i % 3", "twice((short)i)"}
	if strings.Contains(params, "b") {
		of = append(of, "b[i]", "b[i]", "2 * b[i] + i", "b[i] + b[0]", "b[(i + 1) % n]", "b[n - 1 - i]")
	}
	if strings.Contains(params, "v") {
		of = append(of, "v", "v * i", "i - v")
	}
	return m.pick(of...)
}

// kernel writes one kernel.
func (m *composer) kernel() {
	k := kernelOf{name: m.name("k"), params: m.pick("an", "an", "abn", "abn", "anv", "p", "avn", "abvn")}
	var params []string
	for _, p := range k.params {
		params = append(params, map[rune]string{
			'a': "int *a", 'b': m.pick("const int *b", "int *b", "const int *__restrict__ b"), 'n': m.pick("int", "int", "unsigned", "short", "size_t", "unsigned char", "const int") + " n",
			'v': m.pick("int", "char", "unsigned char", "bool", "long", "unsigned") + " v", 'p': "struct P p"}[p])
	}
	m.w("__global__ void %s(%s) {", k.name, strings.Join(params, ", "))
	inside := strings.ReplaceAll(k.params, "p", "abn")
	if k.params == "p" {
		m.w("int *a = p.x, *b = p.y; %s n = p.n;", m.pick("int", "unsigned", "long"))
	}
	for range 1 + m.IntN(6)/5 {
		m.part(inside)
	}
	m.w("}")
	m.kernels = append(m.kernels, k)
}

// part writes what a kernel does with its arrays.
func (m *composer) part(params string) {
	index := "blockIdx.x * blockDim.x + threadIdx.x"
	switch m.IntN(24) {
	case 0:
		index = "threadIdx.x"
	case 1:
		index = "(blockIdx.y * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x"
	case 2:
		index = "threadIdx.x * gridDim.x + blockIdx.x"
	}
	i := m.pick("int", "int", "unsigned", "size_t", "short", "long", "unsigned char") + " i = " + index + ";"
	store := fmt.Sprintf("a[%s] %s;", m.pick(append(slices.Repeat([]string{"i"}, 16), "n - 1 - i", "i / 2", "(i + 1) % n")...), m.assigned(m.inDevice(params), "+=", "-="))
	switch m.IntN(12) {
	case 0:
		store = "if (" + m.pick("i % 2", "a[i] > 3", "i == 0", "c[i & 3]") + ") " + store
	case 1:
		store = "int x = " + m.inDevice(params) + "; " + m.pick("put(&a[i], x);", "put(a + i, x);", "a[i] = x; a[i]++;", "int *q = a + i; *q = x;", "switch (x & 3) { case 0: a[i] = 1; case 1: a[i] = x; break; default: a[i] = -x; }")
	case 2:
		store = m.pick("atomicAdd(&a[0], 2);", "atomicAdd(a + i % 2, i);", "atomicMax(&a[n - 1], (int)i);", "atomicAdd(&g[i & 3], 1);", "atomicSub(a, 1);", "atomicOr(&a[i / 2], 1 << i % 5);")
	case 3:
		store = m.pick("g[i % 4] = i;", "if (i < 4) g[i] = a[i];", "if (i == 1) total = a[i];", "a[i] = total + g[i % 4];")
	}
	switch m.IntN(14) {
	case 0:
		m.w("{ for (%s i < n; i += blockDim.x * gridDim.x) { %s } }", i, store)
	case 1:
		m.w("{ %s if (i <= n) { %s } }", i, m.pick(store, "if (i < n) { "+store+" }"))
	case 2:
		m.w("{ %s if (n > 0 && %s) { %s } }", i, m.pick("n - 1 >= i", "!(i >= n)", "i + 1 <= n", "i - n < 0"), store)
	case 3, 4:
		s := m.name("s")
		m.w("{ «group¦int¦%s¦8» %s int t = threadIdx.x; %s[t] = %s; %s if (i < n) { a[i] = %s[%s]; } %s }", s, i, s, m.pick("t", "i * 2", "i < n ? a[i] : 0"),
			m.pick(append(slices.Repeat([]string{"__syncthreads();"}, 8), "", "if (i < n) __syncthreads();")...), s, m.pick("blockDim.x - 1 - t", "t", "(t + 1) % blockDim.x"), m.pick("__syncthreads();", "__syncthreads();", ""))
	case 5:
		m.w("{ %s if (i < n) { %s } __syncthreads(); %s }", i, store, m.pick("if (i < n) a[i] += 1;", "", "if (i + 1 < n && threadIdx.x + 1 < blockDim.x) { int x = a[i + 1]; }"))
	case 6:
		m.w("{ %s if (i >= n) { return; } %s }", i, store)
	default:
		m.w("{ %s if (i < n) { %s } }", i, store)
	}
}

// grid declares what is needed, and returns the size of a grid and of a group for n numbers.
func (m *composer) grid(n string) (grid, group string) {
	threads := m.pick("1", "2", "3", "4", "4", "8", "8", "WIDTH")
	grid = m.pick(fmt.Sprintf("DIV(%s, %s)", n, threads), fmt.Sprintf("up(%s, %s)", n, threads), fmt.Sprintf("(%s + %s - 1) / %s", n, threads, threads), fmt.Sprintf("(%s) / %s + 1", n, threads),
		"1", "2", fmt.Sprintf("1 + (%s - 1) / %s", n, threads))
	switch m.IntN(12) {
	case 6:
		b, c := m.name("b"), m.name("b")
		m.w("dim3 %s(%s); dim3 %s%s;", b, threads, c, m.pick("("+b+")", " = "+b, " = {"+b+"}"))
		return grid, c
	case 7:
		l := m.name("l")
		m.w("struct L %s; %s.grid = %s; %s.group.x = %s;", l, l, grid, l, threads)
		return l + ".grid", l + ".group"
	case 8:
		b := m.name("b")
		m.w("dim3 %s; shape(&%s, %s);", b, b, threads)
		return grid, b
	case 0:
		g, b := m.name("g"), m.name("b")
		m.w("dim3 %s(%s); dim3 %s(%s);", g, grid, b, threads)
		return g, b
	case 1:
		b := m.name("b")
		m.w("dim3 %s = {%s};", b, threads)
		return fmt.Sprintf("DIV(%s, %s.x)", n, b), b
	case 2:
		g, b := m.name("g"), m.name("b")
		m.w("dim3 %s(%s, %s); dim3 %s(%s, %s);", g, m.pick("1", "2"), m.pick("1", "2"), b, m.pick("2", "4"), m.pick("1", "2"))
		return g, b
	case 3:
		t := m.name("t")
		m.w("%s %s = %s;", m.pick("const int", "unsigned char", "size_t", "short"), t, threads)
		return fmt.Sprintf("(%s + %s - 1) / %s", n, t, t), t
	case 4:
		b := m.name("b")
		m.w("dim3 %s(%s); %s.y = %s;", b, threads, b, m.pick("1", "1", "2"))
		return grid, b
	case 5:
		b := m.name("b")
		m.w("dim3 %s = %s; %s.x %s;", b, threads, b, m.pick("= 4", "*= 2", "++", "= many"))
		return grid, b
	}
	return grid, threads
}

// of is one of some arrays; its length need not be that of the others.
func (m *composer) of(arrays []array) array { return arrays[m.IntN(len(arrays))] }

// launch launches a kernel with arrays that are long enough, mostly.
func (m *composer) launch() {
	k := m.kernels[m.IntN(len(m.kernels))]
	a := m.of(append(slices.Clone(m.devices), m.shared...))
	b := m.of(m.devices)
	length := a
	if strings.ContainsAny(k.params, "bp") && b.n < a.n {
		length = b
	}
	n := m.pick(length.length, length.length, strconv.Itoa(length.n), fmt.Sprint(length.n-1))
	if m.seldom() {
		n = m.pick(strconv.Itoa(length.n+1), "SIZE", m.value(1))
	}
	if a.name == b.name && m.IntN(4) > 0 && strings.ContainsAny(k.params, "bp") {
		return
	}
	grid, group := m.grid(n)
	var args []string
	for _, p := range k.params {
		switch p {
		case 'a':
			args = append(args, m.offset(a))
		case 'b':
			args = append(args, b.name)
		case 'n':
			args = append(args, n)
		case 'v':
			args = append(args, m.value(1))
		case 'p':
			p := m.name("p")
			m.w("%s", m.pick(fmt.Sprintf("struct P %s = {%s, %s, %s};", p, a.name, b.name, n), fmt.Sprintf("struct P %s; %s.x = %s; %s.y = %s; %s.n = %s;", p, p, a.name, p, b.name, p, n)))
			args = append(args, p)
		}
	}
	m.w("«run¦%s¦%s¦%s¦%s»", k.name, grid, group, strings.Join(args, ", "))
	if m.IntN(3) == 0 {
		m.w("%s", m.pick("cudaDeviceSynchronize();", "CHECK(cudaGetLastError());", "CHECK(cudaDeviceSynchronize());"))
	}
}

func (m *composer) offset(a array) string {
	if m.seldom() {
		return a.name + " + 1"
	}
	return m.pick(a.name, a.name, a.name, "&"+a.name+"[0]")
}

func (m *composer) block(n int) {
	m.depth++
	numbers := len(m.numbers)
	for range n {
		m.statement()
	}
	m.numbers = m.numbers[:numbers]
	m.depth--
}

// room is how many bytes an array has, as programs say it.
func (m *composer) room(a array, n int) string {
	if a.fixed && n == a.n && m.IntN(2) == 0 {
		return "sizeof(" + a.name + ")"
	}
	s := m.pick("sizeof(int)", "4", "sizeof(*"+a.name+")")
	if m.IntN(2) == 0 {
		return s + " * " + strconv.Itoa(n)
	}
	return strconv.Itoa(n) + " * " + s
}

func (m *composer) statement() {
	h, d := m.of(m.hosts), m.of(m.devices)
	n := min(h.n, d.n)
	if m.seldom() {
		n++
	}
	kind := m.IntN(28) % 25
	if m.depth > 2 {
		kind = m.IntN(14)
	}
	switch kind {
	case 0, 1, 2, 3, 4, 24:
		m.launch()
	case 5:
		m.w("cudaMemcpy(%s, %s, %s, cudaMemcpy%s);", d.name, h.name, m.room(h, n), m.pick("HostToDevice", "HostToDevice", "HostToDevice", "Default"))
	case 6, 7:
		to := m.pick(h.name, h.name, "&"+h.name+"[0]")
		if n > 1 && m.IntN(5) == 0 {
			to, n = h.name+" + 1", n-1
		}
		m.w("CHECK(cudaMemcpy(%s, %s, %s, cudaMemcpyDeviceToHost));", to, d.name, m.room(h, n))
	case 8:
		e := m.of(m.devices)
		m.w("cudaMemcpy(%s, %s, %s, cudaMemcpy%s);", d.name, e.name, m.room(d, min(d.n, e.n)), m.pick("DeviceToDevice", "DeviceToDevice", "DeviceToDevice", "DeviceToDevice", "HostToDevice"))
	case 9:
		m.w("cudaMemset(%s, %s, %s);", d.name, m.pick("0", "1", "-1", "255"), m.room(d, min(d.n, n)))
	case 10:
		x := m.name("x")
		m.w("%s %s = %s;", m.pick("int", "unsigned", "short", "unsigned char", "char", "long", "size_t", "const int", "bool"), x, m.value(2))
		m.numbers = append(m.numbers, x)
	case 11:
		m.w("%s[%d] %s;", h.name, m.IntN(h.n), m.assigned(m.value(2), "+=", "^=", "-="))
	case 12:
		m.w("many %s;", m.pick("++", "+= 2", "= 3 + (many & 3)", "= calls()", "-= many / 4"))
	case 13:
		m.w("%s", m.pick("cudaMemcpyToSymbol(c, first, 16);", "cudaMemcpyToSymbol(c, first + 1, 8, 4);", "cudaMemcpyFromSymbol(first, g, sizeof(g));", "cudaMemcpyFromSymbol(&first[2], g, 8, 8, cudaMemcpyDeviceToHost);", "cudaMemcpyToSymbol(total, &first[1], sizeof(int));", "cudaMemcpyFromSymbol(first, total, sizeof(total));"))
	case 14:
		i := m.name("i")
		m.w("for (int %s = %d; %s < %s; %s++) {", i, m.IntN(2), i, m.pick("2", "3", "(int)(1 + (many & 1))"), i)
		m.numbers = append(m.numbers, i)
		m.block(1 + m.IntN(2))
		m.numbers = m.numbers[:len(m.numbers)-1]
		m.w("}")
	case 15:
		m.w("for (int i = 0; i < %s; i++) %s[i] = %s;", m.pick(h.length, strconv.Itoa(h.n)), h.name, m.pick("i", "i * i - 3", "many - i", "i % 3 ? i : -i", "(i, 7)", "rand()"))
	case 16:
		e := m.of(m.devices)
		if e.n == d.n && e.name != d.name {
			m.w("%s", m.pick(fmt.Sprintf("{ int *t = %s; %s = %s; %s = t; }", d.name, d.name, e.name, e.name), fmt.Sprintf("swap(&%s, &%s);", d.name, e.name)))
		}
	case 17:
		m.w("if (%s) {", m.value(2))
		m.block(1 + m.IntN(2))
		if m.IntN(2) == 0 {
			m.w("} else {")
			m.block(1)
		}
		m.w("}")
	case 18:
		if k := m.kernels[0]; k.params == "an" {
			m.w("%s(%s, %s);", m.pick("go", "go"), d.name, m.pick(d.length, strconv.Itoa(d.n)))
		}
	case 19:
		if len(m.shared) > 0 {
			s := m.of(m.shared)
			m.w("%s%s[%d] = %s;", m.pick("cudaDeviceSynchronize(); ", "cudaDeviceSynchronize(); ", ""), s.name, m.IntN(s.n), m.value(1))
		}
	case 20:
		m.w("switch (%s & 3) { case 0: {", m.value(1))
		m.block(1)
		m.w("} %s case 2: {", m.pick("break;", ""))
		m.block(1)
		m.w("} break; default: many++; }")
	case 21:
		m.w("do {")
		m.block(1)
		m.w("} while (many++ < %d);", 4+m.IntN(3))
	case 22:
		if m.seldom() {
			m.w("%s", m.pick("cudaFree("+d.name+");", "return 0;", "if (argc > 3) return 1;", "exit(0);", "free("+h.name+");"))
		}
	case 23:
		m.w("%s", m.pick("base++;", "base += other;", "table[many & 1][2]++;", "{ int *q = first; while (q < first + 4) *q++ += 1; }", "for (unsigned u = 3; u > 0; u--) first[u] = first[u - 1];", "memcpy(first, first + 2, 8);", "{ int many = 7; base = many; }", "switch (many & 3) { int z; case 1: z = 5; many += z; }", "{ int *q = many & 1 ? first : &first[1]; q[2] = many; }",
			"assert(many < 1000);", "many = many > 20 ? 5 : many;", "printf(\"%d\\n\", many++);", "{ float q = many / 2.0f; many += (int)(q * 2); }", "{ static int s; many += s++; }", "many += (first[0] & 1) ? 1 : 2, first[1] = many;", "{ int z[2][2] = {{1, 2}, {3, 4}}; many += z[many & 1][1]; }", "{ struct P pp[2]; pp[1].n = many; pp[0] = pp[1]; many = pp[0].n + 1; }"))
	}
}

// memory declares an array of the host or of the device in one of its ways.
func (m *composer) memory(kind string) {
	n := 2 + m.IntN(15)
	length := strconv.Itoa(n)
	x := m.name(kind)
	if m.IntN(2) == 0 {
		length = m.name("n")
		m.w("%s %s = %s;", m.pick("int", "const int", "unsigned", "size_t", "short", "unsigned char"), length, m.pick(strconv.Itoa(n), fmt.Sprintf("%d + %d", n/2, n-n/2), fmt.Sprintf("'%c' - 'a'", 'a'+n)))
	}
	a := array{name: x, length: length, n: n}
	size := m.pick(length+" * sizeof(int)", "sizeof(int) * "+length, "4 * "+length)
	switch kind {
	case "d":
		m.w("%s", m.pick(fmt.Sprintf("int *%s; cudaMalloc((void **)&%s, %s);", x, x, size), fmt.Sprintf("int *%s = make(%s);", x, length), fmt.Sprintf("int *%s = NULL; CHECK(cudaMalloc(&%s, %s));", x, x, size)))
		if m.IntN(3) > 0 {
			m.w("cudaMemset(%s, %s, %s);", x, m.pick("0", "0", "1"), size)
		}
		m.devices = append(m.devices, a)
	case "h":
		if m.IntN(2) == 0 {
			a.fixed = true
			m.w("«array¦int¦%s¦%d¦%s»", x, n, m.pick("{0}", "{1, 2}", "{-1}"))
		} else {
			m.w("int *%s = (int *)malloc(%s); for (int i = 0; i < %d; i++) %s[i] = i * 3;", x, size, n, x)
		}
		m.hosts = append(m.hosts, a)
	case "m":
		m.w("int *%s; cudaMallocManaged(%s&%s, %s); for (int i = 0; i < %d; i++) %s[i] = i;", x, m.pick("(void **)", ""), x, size, n, x)
		m.shared = append(m.shared, a)
	}
}

// compose writes a program, up to where it tells its results.
func compose(seed uint64) *composer {
	m := &composer{Rand: rand.New(rand.NewPCG(seed, 11))}
	m.w("#define SIZE %d\n#define DIV(a, b) (((a) + (b) - 1) / (b))\n#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf(\"%%s\\n\", cudaGetErrorString(e_)); exit(1); } } while (0)", 2+m.IntN(8))
	m.w("const int WIDTH = %d;\nstruct P { int *x; int *y; int n; };", 2+m.IntN(4))
	for _, d := range [][2]string{{"__constant__", "c[4]"}, {"__device__", "g[4]"}, {"__device__", "total"}} {
		m.w("«device¦%s¦int¦%s»", d[0], d[1])
		n, _, _ := strings.Cut(d[1], "[")
		m.placed += fmt.Sprintf("place(&%s, sizeof(%s), ofDevice); ", n, n)
	}
	m.w("__host__ __device__ short twice(short x) { short y = x + x; return y; }")
	m.w("__device__ int f(int x, unsigned char y) { if (x > %d) return y; return x %s y; }\n__device__ void put(int *x, int v) { *x %s v; }", m.IntN(5), m.pick("+", "*", "-"), m.pick("=", "+="))
	for range 2 + m.IntN(2) {
		m.kernel()
	}
	m.w("enum E { E0, E1 = 3 };\nint base = WIDTH + 1; int other = base * 2; int table[2][3] = {{1, 2, 3}, {4, 5}};\nstruct L { dim3 grid, group; };\nvoid shape(dim3 *b, int n) { b->x = n; }\nint fall(int n) { return n < 1 ? 0 : n + fall(n - 1); }")
	m.w("int up(int a, int b) { %s }", m.pick("return (a + b - 1) / b;", "return a % b ? a / b + 1 : a / b;", "int q = a / b; if (q * b < a) q++; return q;"))
	m.w("int calls() { static int n = %d; return ++n; }\nvoid swap(int **x, int **y) { int *t = *x; *x = *y; *y = t; }", m.IntN(4))
	m.w("int *make(int n) { int *p; cudaMalloc((void **)&p, n * sizeof(int)); return p; }")
	if k := m.kernels[0]; k.params == "an" {
		m.w("void go(int *p, int n) { if (n < 3) return; «run¦%s¦up(n, 4)¦4¦p, n» }", k.name)
	}
	m.w("int main(int argc, char **argv) {\n«place»\nint many = %d;", m.IntN(7))
	m.w("«array¦int¦first¦4¦{1, 2, 3, 4}» cudaMemcpyToSymbol(c, first, sizeof(first));")
	m.hosts = append(m.hosts, array{"first", "4", 4, true})
	for range 2 + m.IntN(2) {
		m.memory("d")
	}
	m.memory("h")
	if m.IntN(3) == 0 {
		m.memory("m")
	}
	m.launch()
	m.block(3 + m.IntN(9))
	// What is in memory of the device counts, too.
	m.w("«array¦int¦last¦9¦{0}» cudaMemcpyFromSymbol(last, g, 16); cudaMemcpyFromSymbol(last + 4, total, 4); cudaMemcpyFromSymbol(&last[5], c, sizeof(c));")
	m.hosts = append(m.hosts, array{"last", "9", 9, true})
	for _, d := range m.devices {
		x := m.name("r")
		m.w("«array¦int¦%s¦%d¦{0}» cudaMemcpy(%s, %s, %d * sizeof(int), cudaMemcpyDeviceToHost);", x, d.n, x, d.name, d.n)
		m.hosts = append(m.hosts, array{x, "", d.n, true})
	}
	m.results = append(m.results, "many")
	for _, h := range m.hosts {
		for i := range h.n {
			m.results = append(m.results, fmt.Sprintf("%s[%d]", h.name, i))
		}
	}
	return m
}

var unplaced = regexp.MustCompile(`line \d+:? ?`)

var marked = regexp.MustCompile(`«(\w+)((?:¦[^»]*)?)»`)

// spelt replaces the marks of a text.
func spelt(text string, with map[string]func(of []string) string) string {
	return marked.ReplaceAllStringFunc(text, func(mark string) string {
		g := marked.FindStringSubmatch(mark)
		return with[g[1]](strings.Split(strings.TrimPrefix(g[2], "¦"), "¦"))
	})
}

// cuda is the program for gradine, which asserts what is said of its results.
func (m *composer) cuda(asserts string) string {
	return "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <cuda_runtime.h>\n" + spelt(m.b.String(), map[string]func([]string) string{
		"device": func(of []string) string { return of[0] + " " + of[1] + " " + of[2] + ";" },
		"group":  func(of []string) string { return "__shared__ " + of[0] + " " + of[1] + "[" + of[2] + "];" },
		"array":  func(of []string) string { return fmt.Sprintf("%s %s[%s] = %s;", of[0], of[1], of[2], of[3]) },
		"run":    func(of []string) string { return fmt.Sprintf("%s<<<%s, %s>>>(%s);", of[0], of[1], of[2], of[3]) },
		"place":  func([]string) string { return "" },
	}) + asserts + "return 0;\n}\n"
}

// cpp is the program for a compiler of C++, which says what its results are.
func (m *composer) cpp() string {
	var results strings.Builder
	for _, r := range m.results {
		fmt.Fprintf(&results, "result(%s);\n", r)
	}
	return "#include \"device.h\"\n#define main program\n" + spelt(strings.ReplaceAll(m.b.String(), "__restrict__ ", ""), map[string]func([]string) string{
		"device": func(of []string) string {
			return fmt.Sprintf("static %s %s __attribute__((section(\"ofDevice\"), aligned(256)));", of[1], of[2])
		},
		"group": func(of []string) string {
			return fmt.Sprintf("static %s (&%s)[%s] = *(%s (*)[%s])memory(sizeof(%s[%s]), ofGroup, \"nobody\");", of[0], of[1], of[2], of[0], of[2], of[0], of[2])
		},
		"array": func(of []string) string {
			return fmt.Sprintf("%s (&%s)[%s] = *(%s (*)[%s])memory(sizeof(%s[%s]), ofHost, \"nobody\"); { %s i_[%s] = %s; memcpy(%s, i_, sizeof(i_)); }", of[0], of[1], of[2], of[0], of[2], of[0], of[2], of[0], of[2], of[3], of[1])
		},
		"run":   func(of []string) string { return fmt.Sprintf("launch(%s, %s, %s, %s);", of[1], of[2], of[0], of[3]) },
		"place": func([]string) string { return m.placed },
	}) + results.String() + "return 0;\n}\n"
}

// outcome is what a run of the reference says.
type outcome struct {
	launches []string
	results  []string
	fault    string
	done     bool
}

// reference runs programs compiled for the host.
type reference struct{ dir string }

func newReference(t *testing.T) *reference {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("g++ is not installed")
	}
	r := &reference{t.TempDir()}
	for _, n := range []string{"device.h", "device.cpp", "kernel.h"} {
		text, err := os.ReadFile(filepath.Join("testdata", n))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.dir, n), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := r.tool("g++", "-std=c++17", "-w", "-O1", "-c", "device.cpp"); err != nil {
		t.Skipf("the reference is not compiled here: %s", text)
	}
	return r
}

func (r *reference) tool(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), fuse)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = r.dir
	text, err := c.CombinedOutput()
	return string(text), err
}

// compile makes a program of a text.
func (r *reference) compile(src string) error {
	if err := os.WriteFile(filepath.Join(r.dir, "p.cpp"), []byte(src), 0o600); err != nil {
		return err
	}
	if text, err := r.tool("g++", "-std=c++17", "-w", "-O0", "-fwrapv", "-fsigned-char", "-fno-strict-aliasing", "-Wno-narrowing", "-fno-threadsafe-statics", "-fsanitize=thread", "-c", "p.cpp"); err != nil {
		return fmt.Errorf("g++ refuses the text: %s\n%s", text, src)
	}
	if text, err := r.tool("g++", "-o", "p", "device.o", "p.o"); err != nil {
		return fmt.Errorf("g++ does not link the text: %s\n%s", text, src)
	}
	return nil
}

// runs are what a program does with several inputs, contents of memory, and orders of its threads.
func (r *reference) runs(t *testing.T, src string) []outcome {
	if err := r.compile(src); err != nil {
		t.Fatal(err)
	}
	return r.outcomes()
}

// outcomes are those of the program that was compiled last.
func (r *reference) outcomes() (out []outcome) {
	for seed := range 4 {
		text, err := r.tool("./p", strconv.Itoa(seed))
		var o outcome
		for _, line := range strings.Split(text, "\n") {
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "launch":
				o.launches = append(o.launches, rest)
			case "result":
				o.results = append(o.results, rest)
			case "fault":
				o.fault = rest
			case "done":
				o.done = true
			}
		}
		if err != nil && o.fault == "" && !strings.HasPrefix(err.Error(), "exit status") {
			o.fault = err.Error()
		}
		out = append(out, o)
	}
	return out
}

// TestPrograms: of random programs whose threads g++ runs, each access watched, none with a fault is safe; those without end
// with the same results, and begin the same launches. KERNEL_PROGRAMS=1000 takes so many, KERNEL_SEED another beginning.
func TestPrograms(t *testing.T) {
	ref := newReference(t)
	many := corpus.Effort(5, 20, 1000)
	if n, err := strconv.Atoi(os.Getenv("KERNEL_PROGRAMS")); err == nil {
		many = n
	}
	first, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	counts := map[string]int{}
	for seed := first; seed < first+many; seed++ {
		m := compose(uint64(seed))
		runs := ref.runs(t, m.cpp())
		plain, why := m.judged(t, "")
		if why != "" {
			counts[string(plain)+": "+why]++
		}
		if plain == gpu.Unsupported {
			continue
		}
		fault := ""
		for _, o := range runs {
			fault += o.fault
		}
		if fault != "" {
			counts["fault, "+string(plain)]++
			if plain == gpu.Safe {
				t.Errorf("seed %d is safe: %s\n%s", seed, fault, m.cuda(""))
			}
			continue
		}
		counts[string(plain)]++
		if plain == gpu.Unsafe { // by other contents of memory, it may be
			t.Logf("seed %d is unsafe: %s\n%s", seed, why, m.cuda(""))
		}
		if plain == gpu.Safe {
			m.sameLaunches(t, seed, runs)
		}
		m.sameResults(t, seed, runs, plain == gpu.Safe, counts)
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%d %s", counts[what], what)
	}
}

// judged is the verdict of a program, and what speaks against it; what its kernels would be in other launches is not looked at.
func (m *composer) judged(t *testing.T, asserts string) (gpu.Verdict, string) {
	src := []byte(m.cuda(asserts))
	kernels, problem := encode.Read("k.cu", src, encode.Options{})
	switch {
	case problem != nil:
		return gpu.Unsupported, problem.Construct
	case kernels[0].Run == nil: // its host is left out, which says why
		return gpu.Unsupported, unplaced.ReplaceAllString(strings.Join(slices.DeleteFunc(kernels[0].Assumed, func(a string) bool { return !strings.HasPrefix(a, "the host") }), " "), "")
	}
	switch run := kernels[0].Run; {
	case run.Fault != nil:
		return gpu.Unsafe, run.Fault.Kind
	case run.Why != "":
		return gpu.Open, run.Why[strings.Index(run.Why, ":")+1:]
	}
	if r := gpu.File(t.Context(), "k.cu", src, gpu.Options{})[0]; r.Verdict != gpu.Safe {
		return gpu.Possible, r.Why
	}
	return gpu.Safe, ""
}

// sameLaunches compares the launches of a program that is safe.
func (m *composer) sameLaunches(t *testing.T, seed int, runs []outcome) {
	kernels, problem := encode.Read("k.cu", []byte(m.cuda("")), encode.Options{})
	if problem != nil {
		t.Fatal(problem)
	}
	launches := kernels[0].Run.Launches
	if len(launches) != len(runs[0].launches) {
		t.Errorf("seed %d has %d launches, not %d\n%s", seed, len(runs[0].launches), len(launches), m.cuda(""))
		return
	}
	for i, l := range launches {
		want := strings.Fields(runs[0].launches[i])
		got := strings.Fields(fmt.Sprint(l.Local[0], l.Local[1], l.Local[2], l.Groups[0], l.Groups[1], l.Groups[2]))
		for j, a := range l.Arguments {
			switch {
			case a != "":
			case 6+j < len(want):
				a = want[6+j]
			default:
				continue // a structure: the reference prints numbers alone
			}
			got = append(got, a)
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: launch %d is %v, not %v\n%s", seed, i, want, got, m.cuda(""))
		}
	}
}

// sameResults compares what a program computes: that it is what the reference says is never refuted, that it is something
// else never safe.
func (m *composer) sameResults(t *testing.T, seed int, runs []outcome, decided bool, counts map[string]int) {
	if !runs[0].done || len(runs[0].results) != len(m.results) {
		return
	}
	var equal strings.Builder
	var fixed, open []int
	for i := range m.results {
		same := !slices.ContainsFunc(runs, func(o outcome) bool { return len(o.results) != len(m.results) || o.results[i] != runs[0].results[i] })
		if same {
			fixed = append(fixed, i)
			fmt.Fprintf(&equal, "assert(%s == %s);\n", m.results[i], runs[0].results[i])
		} else {
			open = append(open, i)
		}
	}
	verdict, why := m.judged(t, equal.String())
	counts["all equal: "+string(verdict)]++
	if verdict == gpu.Unsafe && decided {
		t.Errorf("seed %d computes something else: %s\n%s", seed, why, m.cuda(equal.String()))
	}
	for _, of := range [][]int{fixed, open} {
		if len(of) == 0 {
			continue
		}
		i := of[m.IntN(len(of))]
		op := "!="
		if slices.Contains(open, i) {
			op = "=="
		}
		claim := fmt.Sprintf("assert(%s %s %s);\n", m.results[i], op, runs[0].results[i])
		if verdict, _ := m.judged(t, claim); verdict == gpu.Safe {
			t.Errorf("seed %d is safe, but %s is %s in one run\n%s", seed, m.results[i], runs[0].results[i], m.cuda(claim))
		}
	}
}
