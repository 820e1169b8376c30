package gpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
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

// plain are kernels of CUDA that are safe, as kernels of CUDA are written. Their mutants are compiled, and run.
var plain = []struct{ flags, src string }{
	{"--blockDim=8 --gridDim=2", `__device__ void load(int *to, const int *from, int t) { to[t] = from[t]; to[t + 8] = from[t + 8]; }
__global__ void k(int *a, int *b) {
  __shared__ int s[16];
  int t = threadIdx.x;
  load(s, a, t);
  __syncthreads();
  for (int d = 8; d > 0; d >>= 1) {
    if (t < d) { s[t] += s[t + d]; }
    __syncthreads();
  }
  if (t == 0) { b[blockIdx.x] = s[0]; }
}`},
	{"--blockDim=[4,4] --gridDim=[2,2]", `#define TILE 4
#define AT(row, column, width) ((row) * (width) + (column))
__global__ void k(const float *a, float *b, int width, int height) {
  __shared__ float s[TILE][TILE + 1];
  unsigned x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < 8 && y < 8) { s[threadIdx.y][threadIdx.x] = a[AT(y, x, 8)]; }
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < 8 && y < 8) { b[AT(y, x, 8)] = s[threadIdx.x][threadIdx.y]; }
}`},
	{"--blockDim=8 --gridDim=3", `struct Cell { short row; unsigned char kind; int value[2]; };
__device__ void move(int *from, int *to) { *to = *from; *from = 0; }
__global__ void k(Cell *c, int *count, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 48; i += 24) {
    Cell *mine = &c[i];
    mine->row = (short)i;
    mine->value[i & 1] = n;
    move(&mine->value[0], &mine->value[1]);
    unsigned char kind = mine->kind;
    if (kind > 3) { atomicAdd(&count[kind & 7], 1); }
  }
}`},
	{"--blockDim=8 --gridDim=1", `__device__ int clamped(int i, int last) { return i < 0 ? 0 : i > last ? last : i; }
__global__ void k(int *a, int *b, int rounds) {
  __shared__ int now[8], next[8];
  int t = threadIdx.x;
  now[t] = a[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    next[t] = now[clamped(t - 1, 7)] + now[clamped(t + 1, 7)];
    __syncthreads();
    now[t] = next[t] / 2;
    __syncthreads();
  }
  b[t] = now[t];
}`},
	{"--blockDim=8 --gridDim=2", `__device__ unsigned flat(unsigned group, unsigned size, unsigned thread) { return group * size + thread; }
__device__ void swapped(int *x, int *y) { int z = *x; *x = *y; *y = z; }
__global__ void k(int *a, unsigned char *c, int n) {
  int i = flat(blockIdx.x, blockDim.x, threadIdx.x);
  int low = 2 * i, high = 2 * i + 1;
  if (n > 3) { swapped(&low, &high); }
  a[low] = i;
  a[high] = -i;
  unsigned char k = i * 16;
  c[k] = i;
  switch (i & 3) {
  case 0: c[k + 1] = 1; break;
  case 1: c[k + 2] = 2;
  default: c[k + 3] = 3;
  }
}`},
	{"--blockDim=8 --gridDim=2", `__global__ void k(int *a, int *last, int n) {
  __shared__ int bins[4];
  __shared__ int total;
  int t = threadIdx.x;
  if (t < 4) { bins[t] = 0; }
  if (t == 0) { total = 0; }
  __syncthreads();
  atomicAdd(&bins[a[t] & 3], 1);
  atomicMax(&total, a[t]);
  __syncthreads();
  if (t < 4) { last[blockIdx.x * 4 + t] = bins[t]; }
  if (t == 7) { last[64 + blockIdx.x] = total; }
}`},
	{"--blockDim=4 --gridDim=2", `__global__ void k(long *a, const short *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  if (i >= 6) { return; }
  do {
    sum += b[i * 3 + (sum & 1)];
    if (sum > 20) { break; }
  } while (++sum < n);
  a[2 * i + 1] = sum;
  *(a + 2 * i) = sum;
}`},
}

// further are mutations other than those of generated mutants.
var further = []mutation{
	{"index before", regexp.MustCompile(`(\w)\[([^\[\]]+)\](\s*[-+*|^]?=[^=]|;|\s*[-+*])`), "$1[($2) - 1]$3"},
	{"barrier of some", regexp.MustCompile(`(?:barrier|work_group_barrier)\([^;]*\);|__syncthreads\(\);`), "if (THREAD < 2) { $0 }"},
	{"barrier of others", regexp.MustCompile(`(?:barrier|work_group_barrier)\([^;]*\);|__syncthreads\(\);`), "if (THREAD & 1) { $0 } else { $0 }"},
	{"other memory", regexp.MustCompile(`CLK_LOCAL_MEM_FENCE`), "CLK_GLOBAL_MEM_FENCE"},
	{"narrower type", regexp.MustCompile(`\b(?:int|unsigned|unsigned int|uint|size_t|long)( \w+ = )`), "unsigned char$1"},
	{"signed type", regexp.MustCompile(`\b(?:unsigned|unsigned int|uint|size_t)( \w+ = )`), "short$1"},
	{"dimensions swapped", regexp.MustCompile(`threadIdx\.x`), "threadIdx.y"},
	{"dimensions swapped back", regexp.MustCompile(`threadIdx\.y`), "threadIdx.x"},
	{"group left out", regexp.MustCompile(`blockIdx\.(\w)|get_group_id\(0\)`), "0"},
	{"no atomic operation", regexp.MustCompile(`atomicAdd\(&(\w+\[[^\[\]]*\]|\w+), (\w+)\)`), "$1 += $2"},
	{"no atomic operation of OpenCL", regexp.MustCompile(`atomic_inc\(&(\w+\[[^\[\]]*\]|\w+)\)`), "$1 += 1"},
	{"sum for difference", regexp.MustCompile(`\+( [^=+])`), "-$1"},
	{"or for and", regexp.MustCompile(`&&`), "||"},
	{"quotient for product", regexp.MustCompile(`([\w)] )\*( [\w(])`), "$1/$2"},
	{"shift for product", regexp.MustCompile(`([\w)] )\*( [\w(])`), "$1>>$2"},
	{"guard turned", regexp.MustCompile(`(if \([^()<>]*)<`), "$1>="},
	{"one way out", regexp.MustCompile(`\n(\s*)(__syncthreads\(\);|barrier\([^;]*\);)`), "\n$1 if (THREAD == 1) return; $2"},
	{"case that ends", regexp.MustCompile(`break;`), ";"},
	{"step twice", regexp.MustCompile(`\+=`), "+= 2 *"},
	{"value for reference", regexp.MustCompile(`(\w+) &(\w+)([,)=])`), "$1 $2$3"},
	{"remainder", regexp.MustCompile(`& (\d+)`), "% $1"},
	{"post for pre", regexp.MustCompile(`\+\+(\w+)`), "$1++"},
}

var (
	included  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[^\n]*`)
	ofKernel  = regexp.MustCompile(`(?:__kernel|__global__)\s+(?:__attribute__\s*\(\([^)]*\)\)\)?\s*)?void\s+(?:__launch_bounds__\([^()]*\)\s*)?(\w+)\s*\(([^()]*)\)\s*\{`)
	ofGroup   = regexp.MustCompile(`\b(?:__local|__shared__)\s+((?:volatile\s+|const\s+|unsigned\s+|struct\s+)*\w+)\s+((?:\w+\s*(?:\[[^\[\]]*\]\s*)*,?\s*)+);`)
	oneOf     = regexp.MustCompile(`(\w+)\s*((?:\[[^\[\]]*\]\s*)*)`)
	remaining = regexp.MustCompile(`__shared__|[;{}]\s*__local\b[^;*]*;|__device__\s+[\w ]+(\[[^\]]*\])*\s*[;=]|\b(int|uint|float|char|uchar|short|long)(2|3|4|8|16)\b`)
	given     = regexp.MustCompile(`--(local_size|num_groups|blockDim|gridDim)=\S+`)
	definedAs = regexp.MustCompile(`-D(\w+)(?:=(\S+))?`)
)

// groupOnHost is a declaration of memory of the group for a program of C++.
func groupOnHost(declared string) (out string) {
	m := ofGroup.FindStringSubmatch(declared)
	of := strings.TrimSpace(m[1] + " ")
	for _, v := range oneOf.FindAllStringSubmatch(m[2], -1) {
		out += fmt.Sprintf("static %s (&%s)%s = *(%s (*)%s)memory(sizeof(%s%s), ofGroup, \"nobody\"); ", of, v[1], v[2], of, v[2], of, v[2])
	}
	return out
}

// inCpp is a program of C++ that launches a kernel; "" if the text says what device.h and kernel.h cannot.
func inCpp(src, name string, local, groups [3]int64) string {
	local, groups = sized(local, groups)
	if local[0]*local[1]*local[2]*groups[0]*groups[1]*groups[2] > 1<<11 {
		return ""
	}
	mask := -1
	for _, m := range ofKernel.FindAllStringSubmatch(src, -1) {
		if m[1] != name {
			continue
		}
		mask = 0
		for i, p := range strings.Split(m[2], ",") {
			if regexp.MustCompile(`\b(__)?local\b`).MatchString(p) {
				mask |= 1 << i
			}
		}
	}
	defines := ""
	for _, m := range definedAs.FindAllStringSubmatch(src[:headOf(src)], -1) {
		defines += fmt.Sprintf("#define %s %s\n", m[1], m[2])
	}
	text := ofGroup.ReplaceAllStringFunc(included.ReplaceAllString(src, ""), groupOnHost)
	if mask < 0 || remaining.MatchString(text) {
		return ""
	}
	size := func(n [3]int64) string { return fmt.Sprintf("dim3(%d, %d, %d)", n[0], n[1], n[2]) }
	return "#include \"kernel.h\"\n" + defines + text + fmt.Sprintf("\nint program(int, char **) { run(%s, %s, %d, %s); return 0; }\n", size(groups), size(local), mask, name)
}

// shrunk is a text for a launch of at most 8 threads in a row and 2 groups.
func shrunk(src string) string {
	head := headOf(src)
	return given.ReplaceAllStringFunc(src[:head], func(s string) string {
		most := 2
		if strings.Contains(s, "local") || strings.Contains(s, "block") {
			if most = 8; strings.Contains(s, ",") {
				most = 4
			}
		}
		return regexp.MustCompile(`\d+`).ReplaceAllStringFunc(s, func(n string) string {
			v, _ := strconv.Atoi(n)
			return strconv.Itoa(min(v, most))
		})
	}) + src[head:]
}

// faultOf is what goes wrong in runs of the kernels of a file; run reports whether there were any.
func (r *reference) faultOf(file, src string) (fault string, run bool) {
	kernels, problem := encode.Read(file, []byte(src), encode.Options{})
	if problem != nil {
		return "", false
	}
	for _, k := range kernels {
		if k.Problem != nil || k.Run != nil || k.Unchecked != "" {
			continue
		}
		local, groups := k.Launch()
		text := inCpp(src, k.Name, local, groups)
		if text == "" || r.compile(text) != nil {
			continue
		}
		for _, o := range r.outcomes() {
			run = run || o.done
			if slices.Contains([]string{"race", "divergence", "assert", "null", "signal: floating point exception"}, o.fault) {
				return o.fault, true
			}
		}
	}
	return "", run
}

// mutilated is a text with one change, which is drawn, and its name.
func mutilated(r *rand.Rand, src, thread string) (name, text string) {
	all := append(slices.Clone(mutations), further...)
	head := headOf(src)
	for range 100 {
		m := all[r.IntN(len(all))]
		places := m.at.FindAllStringSubmatchIndex(src[head:], -1)
		if len(places) == 0 {
			continue
		}
		at := places[r.IntN(len(places))]
		by := string(m.at.ExpandString(nil, m.by, src[head:], at))
		return m.name, src[:head+at[0]] + strings.ReplaceAll(by, "THREAD", thread) + src[head+at[1]:]
	}
	return "none", src
}

// TestCompiled: no mutant of a safe kernel is safe that races, parts or fails an assertion where g++ has compiled it, each access
// of its threads watched. KERNEL_COMPILED=1000 takes so many, also of labelled kernels, KERNEL_SEED another beginning.
func TestCompiled(t *testing.T) {
	ref := newReference(t)
	type original struct{ file, src string }
	var safe []original
	take := func(file, src string) bool {
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		defer cancel()
		verdict, why := worst(gpu.File(ctx, file, []byte(src), gpu.Options{}))
		if file == "k.cu" && verdict != gpu.Safe {
			t.Errorf("%s: %s\n%s", verdict, why, src)
		}
		if verdict != gpu.Safe {
			return false
		}
		if _, run := ref.faultOf(file, src); run {
			safe = append(safe, original{file, src})
		}
		return true
	}
	many := corpus.Effort(4, 5, 200)
	if n, err := strconv.Atoi(os.Getenv("KERNEL_COMPILED")); err == nil {
		many = n
		dir := corpus.Path(t, "kernels")
		for _, k := range readIndex(t, dir) {
			src, err := os.ReadFile(filepath.Join(dir, k.path))
			if err != nil {
				t.Fatal(err)
			}
			if k.expected == "pass" && !strings.Contains(string(src), "main(") && !strings.Contains(string(src), "--only-") {
				if text := shrunk(string(src)); text == string(src) || !take(k.path, text) {
					take(k.path, string(src))
				}
			}
		}
	}
	for _, k := range plain {
		take("k.cu", "//"+k.flags+"\n"+k.src)
	}
	first, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	counts := map[string]int{}
	for seed := first; seed < first+many; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 17))
		k := safe[r.IntN(len(safe))]
		thread := "threadIdx.x"
		if strings.HasSuffix(k.file, ".cl") {
			thread = "get_local_id(0)"
		}
		what, src := mutilated(r, k.src, thread)
		if r.IntN(3) == 0 {
			other, twice := mutilated(r, src, thread)
			what, src = what+", "+other, twice
		}
		fault, run := ref.faultOf(k.file, src)
		switch {
		case !run:
			counts["not run"]++
			continue
		case fault == "":
			counts["without fault"]++
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		verdict, _ := worst(gpu.File(ctx, k.file, []byte(src), gpu.Options{}))
		cancel()
		counts[fault+", "+string(verdict)]++
		if verdict == gpu.Safe {
			t.Errorf("seed %d: %s, %s, is safe: %s\n%s", seed, k.file, what, fault, src)
		}
	}
	t.Logf("%v", counts)
}
