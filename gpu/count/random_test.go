package count_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// maker writes random kernels whose counts depend on threads, blocks, arguments and loops.
type maker struct {
	*rand.Rand
	b                   strings.Builder
	depth, loops, temps int
	vars                []string // loops around, and their greatest values
	left                bool     // a thread may have left
	data                bool     // data may decide
}

func (m *maker) pick(of ...string) string { return of[m.IntN(len(of))] }

func (m *maker) chance(of int) bool { return m.IntN(of) == 0 }

func (m *maker) w(format string, args ...any) {
	fmt.Fprintf(&m.b, strings.Repeat("  ", m.depth+1)+format+"\n", args...)
}

// atom is a small non-negative value.
func (m *maker) atom() string {
	of := []string{"x", "y", "x", fmt.Sprint(m.IntN(9))}
	if len(m.vars) > 0 {
		of = append(of, m.vars...)
		of = append(of, m.vars[len(m.vars)-1])
	}
	return m.pick(of...)
}

// value is a value of at most some thousands.
func (m *maker) value() string {
	switch m.IntN(12) {
	case 0:
		return fmt.Sprintf("(%s %s %d)", m.atom(), m.pick("%", "/", "&", ">>"), 1+m.IntN(7))
	case 1:
		return fmt.Sprintf("(%s < %d ? %s : %s)", m.atom(), 1+m.IntN(20), m.atom(), m.atom())
	case 2:
		return fmt.Sprintf("%s(%s, %s)", m.pick("min", "max"), m.atom(), m.atom())
	case 3:
		return fmt.Sprintf("(%s ^ %d)", m.atom(), m.IntN(4))
	case 4:
		return "n"
	case 5:
		return "(int)(blockIdx.x * blockDim.x)"
	}
	return m.atom()
}

// index is where an access goes.
func (m *maker) index(most int) string {
	var terms []string
	for range 1 + m.IntN(3) {
		c := m.pick("1", "1", "1", "2", "3", "4", "16", "17", "32", "33", "64")
		terms = append(terms, fmt.Sprintf("%s * %s", c, m.value()))
	}
	sum := strings.Join(terms, " + ")
	if most > 0 {
		return fmt.Sprintf("(%s) %% %d", sum, most)
	}
	return sum
}

func (m *maker) place() string {
	switch m.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("s[%s]", m.index(1024))
	case 2:
		return fmt.Sprintf("q[%s][%s]", m.pick("y", "(y + 1) % 8", "3"), m.index(33))
	case 3:
		return fmt.Sprintf("b[%s]", m.index(0))
	}
	return fmt.Sprintf("a[%s]", m.index(0))
}

func (m *maker) read() string {
	switch m.IntN(9) {
	case 0:
		return fmt.Sprintf("c[%s]", m.index(64))
	case 1:
		return fmt.Sprintf("__ldg(&b[%s])", m.index(0))
	case 2:
		return fmt.Sprintf("helper%d(b, %s)", m.IntN(2), m.value())
	}
	return m.place()
}

func (m *maker) condition() string {
	switch m.IntN(9) {
	case 0:
		return fmt.Sprintf("%s < %d && %s >= %d", m.atom(), 1+m.IntN(20), m.atom(), m.IntN(6))
	case 1:
		return fmt.Sprintf("%s < %d || %s == %d", m.atom(), m.IntN(9), m.atom(), m.IntN(6))
	case 2:
		return fmt.Sprintf("%s %% %d == %d", m.atom(), 2+m.IntN(3), m.IntN(2))
	case 3:
		return fmt.Sprintf("%s + %s < n", m.atom(), m.atom())
	case 4:
		if m.data && m.chance(2) {
			return fmt.Sprintf("b[%s] > 0.5f", m.index(0))
		}
	}
	return fmt.Sprintf("%s %s %d", m.atom(), m.pick("<", "<=", ">", ">=", "!="), m.IntN(24))
}

func (m *maker) loop() {
	m.loops++
	v := fmt.Sprintf("i%d", m.loops)
	most := 1 + m.IntN(7)
	if len(m.vars) > 1 {
		most = 1 + m.IntN(3)
	}
	tail := "}"
	kind := m.IntN(10)
	if m.chance(3) && kind != 5 && kind != 6 {
		m.w("%s", m.pick("#pragma unroll", "#pragma unroll 1", "#pragma unroll 2"))
	}
	switch kind {
	case 0:
		m.w("for (int %s = x; %[1]s < %d; %[1]s += blockDim.x) {", v, most*8)
	case 1:
		m.w("for (int %s = %d; %[1]s > 0; %[1]s >>= 1) {", v, 1<<m.IntN(4))
	case 2:
		m.w("for (int %s = %d; %[1]s >= %d; %[1]s--) {", v, most, m.IntN(2))
	case 3:
		m.w("for (int %s = %s; %[1]s < n; %[1]s += %[3]d) {", v, m.pick("0", "1", "y"), 1+m.IntN(3))
	case 4:
		m.w("for (int %s = 0; %[1]s < %s; %[1]s++) {", v, m.pick("y", "x % 4", "(int)blockDim.y", "x / 8"))
	case 5:
		m.w("int %s = %d;", v, m.IntN(2))
		m.w("do {")
		tail = fmt.Sprintf("} while (++%s < %d);", v, most)
	case 6:
		m.w("int %s = %s;", v, m.pick("0", "x", "1"))
		m.w("while (%s < %d) {", v, most*4)
		tail = fmt.Sprintf("%s += %d; }", v, 1+m.IntN(4))
	default:
		m.w("for (int %s = %d; %[1]s < %d; %[1]s += %d) {", v, m.IntN(2), most, 1+m.IntN(2))
	}
	m.vars = append(m.vars, v)
	m.depth++
	if m.chance(8) && tail == "}" {
		m.w("if (%s) %s;", m.condition(), m.pick("continue", "break"))
	}
	m.body(1 + m.IntN(2))
	m.depth--
	m.vars = m.vars[:len(m.vars)-1]
	m.w("%s", tail)
}

func (m *maker) body(n int) {
	for range n {
		m.statement()
	}
}

func (m *maker) statement() {
	switch k := m.IntN(14); {
	case k < 3 && m.depth < 3:
		m.loop()
	case k < 5 && m.depth < 4:
		m.w("if (%s) {", m.condition())
		m.depth++
		m.body(1 + m.IntN(2))
		m.depth--
		if m.chance(3) {
			m.w("} else {")
			m.depth++
			m.body(1)
			m.depth--
		}
		m.w("}")
	case k == 5 && m.depth == 0 && !m.left:
		m.w("__syncthreads();")
	case k == 6 && m.depth == 0 && !m.left && m.chance(4):
		m.w("if (%s) return;", m.condition())
		m.left = true
	case k == 7 && m.chance(2):
		m.w("atomicAdd(&%s, 1.0f);", m.place())
	case k == 8 && m.chance(2):
		m.temps++
		m.w("float4 v%d = ((const float4 *)b)[%s];", m.temps, m.index(0))
		m.w("sum += v%d.x + v%[1]d.w;", m.temps)
	case k == 9 && m.depth < 2 && m.chance(2):
		m.temps++
		n := 2 + m.IntN(3)
		m.w("float t%d[%d];", m.temps, n)
		m.w("for (int k = 0; k < %d; k++) t%d[k] = %s;", n, m.temps, m.read())
		m.w("for (int k = 0; k < %d; k++) sum += t%d[k];", n, m.temps)
	case k < 11:
		m.w("sum += %s;", m.read())
	case k == 11:
		m.w("%s = %s * 0.5f + sum;", m.place(), m.read())
	default:
		m.w("%s = sum;", m.place())
	}
}

// randomKernel is a kernel of a seed, and its launch.
func randomKernel(seed uint64) hosted {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 25)), data: seed%4 == 0}
	k := hosted{name: fmt.Sprintf("kernel %d", seed)}
	k.block = [3]int64{[]int64{8, 16, 24, 32, 33, 64}[m.IntN(6)], []int64{1, 1, 2, 4, 5}[m.IntN(5)], 1}
	k.grid = [3]int64{int64(1 + m.IntN(6)), int64(1 + m.IntN(3)), 1}
	n := int64(1 + m.IntN(12))
	k.args = map[string]int64{"n": n}
	m.b.WriteString("__constant__ float c[64];\n")
	m.b.WriteString("__device__ float helper0(const float *p, int k) {\n  float h = 0;\n  for (int i = 0; i < 3; i++) h += p[k + i * 32];\n  return h;\n}\n")
	m.b.WriteString("__device__ float helper1(const float *p, int k) {\n  if (k > 7) return p[k];\n  return 0;\n}\n")
	m.b.WriteString("__global__ void run(float *a, float *b, int n) {\n")
	m.w("__shared__ float s[1024];")
	m.w("__shared__ float q[8][33];")
	m.w("int x = threadIdx.x, y = threadIdx.y;")
	m.w("float sum = 0;")
	m.body(3 + m.IntN(5))
	m.w("a[x + blockDim.x * blockIdx.x] = sum;")
	m.b.WriteString("}\n")
	k.source = m.b.String()
	k.arrays = "static __attribute__((section(\"gharness\"))) float *a0 = (float *)gradine_array(1 << 20), *b0 = (float *)gradine_array(1 << 22);"
	k.call = fmt.Sprintf("run(a0, b0, %d)", n)
	return k
}
