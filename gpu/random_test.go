package gpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// kernelMaker writes random kernels: few places, so that accesses often meet, and little
// that a run could not decide.
type kernelMaker struct {
	*rand.Rand
	b     strings.Builder
	depth int
	loops int
}

func (m *kernelMaker) pick(of ...string) string { return of[m.IntN(len(of))] }

func (m *kernelMaker) index() string {
	c := m.IntN(5)
	switch m.IntN(9) {
	case 0:
		return "t"
	case 1:
		return "g"
	case 2:
		return fmt.Sprintf("(t + %d) %% %d", c, 4+c)
	case 3:
		return fmt.Sprintf("t * %d + %d", 1+m.IntN(3), c)
	case 4:
		return fmt.Sprintf("(x + %d) & %d", c, m.IntN(16))
	case 5:
		return fmt.Sprintf("t ^ %d", c)
	case 6:
		return fmt.Sprintf("(uchar)(t * %d) >> %d", 1<<m.IntN(7), m.IntN(7))
	case 7:
		return fmt.Sprintf("t + 8 * (%s)", m.pick("y", "i", "n & 1", "x & 1"))
	}
	return fmt.Sprintf("i + %d", c)
}

func (m *kernelMaker) place() string {
	return fmt.Sprintf("%s[%s]", m.pick("a", "s", "s", "z", "q"), m.index())
}

func (m *kernelMaker) value() string {
	return m.pick("1", "t", "g", "x", "y", "i", "n", "x + 1", "t / 2", "x % 3", "t & ~1", "(t - 2) % 3 + 2", "f(t)", "s[t]", m.place())
}

func (m *kernelMaker) condition() string {
	c := m.IntN(5)
	return m.pick(fmt.Sprintf("t < %d", c), fmt.Sprintf("t == %d", c), fmt.Sprintf("n > %d", c), fmt.Sprintf("x > %d", c),
		fmt.Sprintf("i == %d", c), fmt.Sprintf("(t ^ i) & %d", c), fmt.Sprintf("get_group_id(0) == %d", m.IntN(2)), fmt.Sprintf("t >= %d && x != %d", c, c))
}

func (m *kernelMaker) block(n int) {
	m.depth++
	for range n {
		m.statement()
	}
	m.depth--
}

func (m *kernelMaker) statement() {
	w := func(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }
	kind := m.IntN(15)
	if m.depth > 2 {
		kind = m.IntN(8)
	}
	switch kind {
	case 0, 1, 2:
		w("%s = %s;", m.place(), m.value())
	case 3:
		w("x = %s;", m.value())
	case 4:
		w("y = %s;", m.pick("t & 1", "1 - y", "i & 1", "n & 1"))
	case 5:
		w("%s += %s;", m.pick("x", "s[t]", "z[g]"), m.pick("1", "t", "i"))
	case 6:
		w("atomic_inc(&%s);", m.place())
	case 7:
		w("q = %s;", m.pick("s", "z", "s + 1", "z + t", "q + 1"))
	case 8, 9:
		w("barrier(%s);", m.pick("CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"))
	case 10, 11:
		w("if (%s) {", m.condition())
		m.block(1 + m.IntN(2))
		if m.IntN(2) == 0 {
			w("} else {")
			m.block(1)
		}
		if m.loops > 0 && m.IntN(3) == 0 {
			w("%s;", m.pick("break", "continue"))
		} else if m.IntN(12) == 0 {
			w("return;")
		}
		w("}")
	case 12:
		if m.loops > 0 {
			return // i is the counter of one loop
		}
		m.loops++
		w("for (i = %s; i < %s; i%s) {", m.pick("0", "1", "t & 1"), m.pick("2", "3", "n & 3", "t"), m.pick("++", "++", " += 2"))
		m.block(1 + m.IntN(3))
		w("}")
		m.loops--
	case 13:
		w("switch (%s) {\ncase %d:", m.pick("t", "x", "n", "t & 1"), m.IntN(2))
		m.block(1)
		w("%s\ndefault:", m.pick("break;", ""))
		m.block(1)
		w("}")
	case 14: // which hides another, and stands in its own initial value
		w("{ %s;", m.pick("long x = sizeof(x) - 8", "uchar y = sizeof(y)", "short y = 1 - sizeof(y) / 2", "char x = (x = 3) + sizeof(x)", "int t = get_local_id(0) + sizeof(t) - 4", "long n = sizeof(n) - 7"))
		m.block(1 + m.IntN(2))
		w("}")
	}
}

func randomKernel(seed uint64) string {
	m := &kernelMaker{Rand: rand.New(rand.NewPCG(seed, 1))}
	fmt.Fprintf(&m.b, "//--local_size=%d --num_groups=%d\n", 2+m.IntN(5), 1+m.IntN(2))
	m.b.WriteString(`int f(int v) { if (v > 2) return v - 1; return v; }
__kernel void k(__global int *a, __local int *s, int n) {
int t = get_local_id(0), g = get_global_id(0), x = 0, y = 0, i = 0;
__local int z[64];
__local int *q = s;
`)
	m.block(2 + m.IntN(4))
	m.b.WriteString("}\n")
	return m.b.String()
}

// TestRandomKernels: none that fails in a run is safe. The run knows nothing of machines.
// KERNEL_RANDOM=1000 takes so many, KERNEL_SEED another beginning.
func TestRandomKernels(t *testing.T) {
	many := corpus.Effort(4, 8, 400)
	if n, err := strconv.Atoi(os.Getenv("KERNEL_RANDOM")); err == nil {
		many = n
	}
	first, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	counts := map[gpu.Verdict]int{}
	for seed := first; seed < first+many; seed++ {
		src := randomKernel(uint64(seed))
		runs := gpu.RunBounded(context.Background(), gpu.Source{Name: "k.cl", Text: []byte(src)}, gpu.Options{})
		if r := runs[0]; r.Verdict != gpu.Unsafe || r.Checks[0].Kind == "bounds" {
			counts["without fault: "+r.Verdict]++
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		verdict, _ := worst(gpu.File(ctx, "k.cl", []byte(src), gpu.Options{}))
		cancel()
		counts[verdict]++
		if verdict == gpu.Safe {
			t.Errorf("seed %d is safe, but fails in a run: %s line %d: %s\n%s", seed, runs[0].Checks[0].Kind, runs[0].Checks[0].Line, runs[0].Checks[0].Why, src)
		}
	}
	if counts[gpu.Unsafe] < many/8 {
		t.Errorf("too few are unsafe: %v", counts)
	}
	t.Logf("%v", counts)
}
