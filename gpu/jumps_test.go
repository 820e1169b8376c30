package gpu_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/internal/corpus"
)

// jumpWriter writes random kernels whose blocks jump to each other, into loops too, and in which variables, strides and pointers change places.
type jumpWriter struct{ sourceWriter }

func (g *jumpWriter) statement() {
	switch g.IntN(12) {
	case 0:
		g.line("%s", g.pick("p = 1 - p;", "p ^= 1;", "q = p;", "p = q;", "p = n & 1;", "q = 1 - p;", "p = 0;"))
	case 1:
		g.line("z = x; x = y; y = z;")
	case 2:
		g.line("%s", g.pick("w /= 2;", "w *= 2;", "w = 16;", "w >>= 1;", "w = w / 4;"))
	case 3, 4, 5:
		g.line("__syncthreads();")
	case 6:
		g.line("s[64 * %s + t] = v + t;", g.pick("p", "q"))
	case 7:
		g.line("x[t] = v + t;")
	case 8:
		g.line("v = %s;", g.pick("y[63 - t]", "y[t]", "x[t]", "y[t ^ 1]"))
	case 9:
		g.line("v = s[64 * %s + %s];", g.pick("p", "q", "(1 - p)"), g.pick("t", "t", "(t ^ 1)", "63 - t"))
	case 10:
		g.line("if (t < w) s[t] += s[t + w];")
	case 11:
		g.line("if (%s) %s", g.condition(), g.pick("p = 1 - p;", "__syncthreads();", "w = 1;", "s[t] = t;"))
	}
}

func (g *jumpWriter) condition() string {
	if g.IntN(9) == 0 {
		return g.pick("t < 32", "v > 3", "t & 1")
	}
	return g.pick("n > 1", "p", "q == 1", "i < 4", "w > 1", "w == 0", "i & 1", "p == q")
}

func (g *jumpWriter) kernel(name string) string {
	g.b.Reset()
	g.b.WriteString("__global__ void " + name + "(int *a, int *b, int n) {\n")
	g.line("__shared__ int s[%d];", mostOfBlock)
	g.line("int t = threadIdx.x, p = 0, q = 1, w = %s, i = 0, v = n;", g.pick("16", "2", "32", "5"))
	g.line("int *x = s, *y = s + 64, *z = s;")
	blocks := 2 + g.IntN(3)
	if g.IntN(2) == 0 {
		g.line("if (%s) goto l%d;", g.condition(), g.IntN(blocks))
	}
	for k := range blocks {
		g.line("l%d: if (++i > %d) goto done;", k, 3+g.IntN(7))
		for range 1 + g.IntN(3) {
			g.statement()
		}
		if k+1 == blocks || g.IntN(2) == 0 {
			g.line("if (%s) goto l%d;", g.condition(), g.IntN(blocks))
		}
	}
	g.b.WriteString("done: b[blockIdx.x * 64 + t] = v;\n}\n")
	return g.b.String()
}

// TestRandomJumps: no random kernel of jumps is safe that has a fault in a run on the host, see TestRandomLanes. KERNEL_JUMPS=1000 takes so
// many, KERNEL_SEED another beginning.
func TestRandomJumps(t *testing.T) {
	compiler(t)
	ref := newReference(t)
	many := corpus.Effort(0, 1, 400)
	if n, err := strconv.Atoi(os.Getenv("KERNEL_JUMPS")); err == nil {
		many = n
	}
	if many == 0 {
		t.Skip("in the full form")
	}
	seed, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	counts := map[string]int{}
	opts := gpu.Options{Launch: launch.Options{Local: [3]int64{64, 1, 1}}}
	for done := 0; done < many; seed++ {
		g := &jumpWriter{sourceWriter{Rand: rand.New(rand.NewPCG(uint64(seed), 36))}}
		var texts []string
		for k := range min(kernelsOfFile, many-done) {
			texts = append(texts, g.kernel(fmt.Sprint("k", k)))
		}
		done += len(texts)
		if err := ref.compile(lanesOnHost(texts)); err != nil {
			t.Fatalf("seed %d: %.2000s", seed, err)
		}
		for k, text := range texts {
			safe, unread := gpu.Proves(context.Background(), "k.cu", []byte(text), opts, lanesSteps)
			fault := "not looked for"
			if safe || k%8 == 0 { // runs cost more than failing to prove
				fault = ref.faultOfLanes(k, [][3]int64{{64, 1, 1}}, 6)
			}
			counts[fmt.Sprintf("safe %t, fault %s", safe, fault)]++
			switch {
			case safe && fault != "none":
				t.Errorf("seed %d: k%d is safe: %s\n%s", seed, k, fault, text)
			case unread != "":
				t.Errorf("seed %d: %s\n%s", seed, unread, text)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[k], k)
	}
	if many >= 400 && counts["safe true, fault none"] < 10 {
		t.Error("too few kernels are safe")
	}
}
