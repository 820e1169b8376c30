package gpu_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/internal/corpus"
)

// warpWriter writes random kernels whose threads meet in warps: mostly as they should, now and then with a mask, a guard, a place or a
// barrier that is not right.
type warpWriter struct {
	sourceWriter
	shape  blockShape
	plain  bool // C, which both readers read
	fresh  int
	values []string
}

// blockShape is a block: what is said of it, and the blocks that are run.
type blockShape struct {
	said [3]int64
	runs [][3]int64
}

var blockShapes = []blockShape{
	{[3]int64{32, 1, 1}, [][3]int64{{32, 1, 1}}},
	{[3]int64{64, 1, 1}, [][3]int64{{64, 1, 1}}},
	{[3]int64{40, 1, 1}, [][3]int64{{40, 1, 1}}},
	{[3]int64{16, 1, 1}, [][3]int64{{16, 1, 1}}},
	{[3]int64{32, 2, 1}, [][3]int64{{32, 2, 1}}},
	{[3]int64{16, 4, 1}, [][3]int64{{16, 4, 1}}},
	{[3]int64{8, 8, 1}, [][3]int64{{8, 8, 1}}},
	{[3]int64{12, 5, 1}, [][3]int64{{12, 5, 1}}},
	{[3]int64{64, 2, 1}, [][3]int64{{64, 2, 1}}},
	{[3]int64{8, 2, 4}, [][3]int64{{8, 2, 4}}},
	{[3]int64{0, 1, 1}, [][3]int64{{32, 1, 1}, {33, 1, 1}, {64, 1, 1}, {70, 1, 1}, {20, 1, 1}}},
	{[3]int64{32, 0, 1}, [][3]int64{{32, 1, 1}, {32, 3, 1}}},
	{[3]int64{0, 2, 1}, [][3]int64{{32, 2, 1}, {16, 2, 1}, {24, 2, 1}}},
}

// mostOfBlock is above the threads of any of them.
const mostOfBlock = 128

// one is right, or, one time in n, one of others.
func (g *warpWriter) one(n int, right string, others ...string) string {
	if g.IntN(n) == 0 {
		return g.pick(others...)
	}
	return right
}

func (g *warpWriter) number() string {
	return g.pick("t", "lane", "n", "1", g.values[g.IntN(len(g.values))], g.values[g.IntN(len(g.values))]+" + 1", "x", "w")
}

// own is a place of a thread alone; of is one that another lane of its warp has, or one of another warp.
func (g *warpWriter) own() string {
	return g.one(12, g.pick("t", "t", "w * 32 + lane", "(t & ~31) | lane", "t / 32 * 32 + t % 32"), "lane", "w", "t / 2", "x", "t & 31", "t ^ n")
}

func (g *warpWriter) other() string {
	return g.one(7, g.pick("t ^ 1", "t ^ 16", "w * 32 + (lane + 1) % 32", "w * 32 + 31 - lane", "t & ~31", "w * 32 + (n & 31)", "t ^ (n & 31)", "(t | 31)", "w * 32 + lane / 2", "t & ~1"),
		"(t + 1) % 64", "t ^ 32", "31 - lane", "lane", "t + 1", "(t + 32) % 64", "0", "w", "y * 8 + x", "x ^ 1")
}

// sync is a barrier of the lanes of a warp.
func (g *warpWriter) sync() string {
	all := []string{"__syncwarp();", "__syncwarp();", "__syncwarp(0xffffffff);", "__syncwarp(~0u);", "__syncwarp(-1);"}
	if !g.plain {
		all = append(all, "tile32.sync();", "tile32.sync();")
	}
	others := []string{"", "", "__syncwarp(0xffff);", "__syncwarp(1u << lane);", "__syncwarp(0x7fffffff);", "if (lane < 16) __syncwarp();", "__syncwarp(lane < 16 ? 0xffff : 0xffff0000);", "__ballot_sync(~0u, lane);",
		"if (lane < 16) __syncwarp(0xffff);", "if (t & 1) __syncwarp(0xaaaaaaaa); else __syncwarp(0x55555555);", "if (t & 1) __syncwarp(); else __syncwarp();", "__syncwarp(__ballot_sync(~0u, lane < 20));", "if (n > 3) __syncwarp();", "if (w == 0) __syncwarp();", "__syncwarp(n);"}
	if !g.plain {
		others = append(others, "tile16.sync();", "tile16.sync();", "tile4.sync();", "if (lane / 16) tile16.sync();")
	}
	return g.one(6, all[g.IntN(len(all))], others...)
}

// condition is one that the lanes of a warp decide alike, or, now and then, one that they do not.
func (g *warpWriter) condition() string {
	if g.IntN(5) == 0 {
		return g.pick("lane < 16", "lane == 0", "t < 33", "t / 16 == 1", g.values[g.IntN(len(g.values))]+" > 2", "t & 1", "x < 8", "t >= n", "a[t] > 3", "t <= 32", "x == 0")
	}
	return g.pick("t < 32", "w == 0", "w & 1", "n > 3", "t >= 32", "t <= 31", "31 < t", "(t >> 5) == 0", "n > w", "blockIdx.x == 0", "t / 32 < n", "w != n", "(t & 32) == 0", "t / 64 == 0", "y == 0", "blockDim.x > 40", "a[w + 500] > 3", "x / 32 == n")
}

func (g *warpWriter) block(most int) { g.scope(&g.values, most, g.statement) }

// hand is what lanes hand to each other: they write, meet, read, and meet again.
func (g *warpWriter) hand() {
	array := g.pick("s", "s", "s", "b")
	index := func(at string) string {
		if array == "b" {
			return fmt.Sprintf("%d * blockIdx.x + (%s)", mostOfBlock, at)
		}
		return at
	}
	v := fmt.Sprint("v", g.fresh)
	g.fresh++
	g.line("%s[%s] = %s;", array, index(g.own()), g.number())
	g.line("%s", g.sync())
	g.line("int %s = %s[%s];", v, array, index(g.other()))
	g.line("%s", g.sync())
	g.values = append(g.values, v)
}

func (g *warpWriter) statement() {
	v := g.values[g.IntN(len(g.values))]
	switch g.IntN(16) {
	case 0, 1, 2, 3, 4:
		g.hand()
	case 5:
		g.line("s[%s] %s %s;", g.own(), g.pick("=", "+=", "="), g.number())
	case 6:
		x := fmt.Sprint("v", g.fresh)
		g.fresh++
		g.line("int %s = s[%s];", x, g.one(3, g.own(), g.other()))
		g.values = append(g.values, x)
	case 7, 8:
		g.line("%s", g.sync())
	case 9, 10:
		c := g.condition()
		if g.depth > 1 {
			return
		}
		g.line("if (%s) {", c)
		g.block(2)
		if g.IntN(3) == 0 {
			g.line("} else {")
			g.block(1)
		}
		g.line("}")
	case 11:
		if g.depth > 0 {
			return
		}
		k := fmt.Sprint("k", g.fresh)
		g.fresh++
		g.line("for (int %s = 0; %s < %s; %s++) {", k, k, g.one(4, g.pick("2", "3", "n", "w"), "lane", "t & 1", v), k)
		g.block(2)
		g.line("}")
	case 12:
		g.line("%s = %s;", v, g.pick("__shfl_xor_sync(~0u, "+v+", 1)", "__shfl_down_sync(0xffffffff, "+v+", 2)", "__shfl_sync(~0u, "+v+", 0)", "__any_sync(~0u, "+v+")", "(int)__ballot_sync(~0u, lane < 3)"))
	case 13:
		if g.depth == 0 || g.IntN(8) == 0 {
			g.line("__syncthreads();")
		}
	case 14:
		g.line("%s", g.one(2, "atomicAdd(&s[0], 1);", v+" += "+g.number()+";", "s["+g.own()+"] = s["+g.other()+"];", "if (lane == 0) s[w * 32] = "+v+";", "if (lane == 0) s[w] = 1;"))
	case 15:
		if g.IntN(4) == 0 {
			c := g.condition()
			g.line("if (%s) return;", c)
		}
	}
}

// kernel is one with a name.
func (g *warpWriter) kernel(name string) string {
	g.b.Reset()
	g.values, g.depth, g.fresh = []string{"v"}, 0, 0
	g.b.WriteString("__global__ void " + name + "(int *a, int *b, int n) {\n")
	g.line("__shared__ int s[%d];", mostOfBlock)
	g.line("int x = threadIdx.x, y = threadIdx.y, t = x + blockDim.x * (y + blockDim.y * threadIdx.z), lane = t %% 32, w = t / 32, v = n;")
	if !g.plain {
		g.line("auto block = cooperative_groups::this_thread_block();")
		g.line("auto tile32 = cooperative_groups::tiled_partition<32>(block); auto tile16 = cooperative_groups::tiled_partition<16>(block); auto tile4 = cooperative_groups::tiled_partition<4>(block);")
	}
	for range 1 + g.IntN(2) {
		g.statement()
	}
	g.hand()
	g.b.WriteString("}\n")
	return g.b.String()
}

var lanesShared = regexp.MustCompile(`__shared__ int s((?:\[\d+\])+);`)

// lanesOnHost is a program that launches one of several kernels with the block that its arguments say.
func lanesOnHost(texts []string) string {
	var b strings.Builder
	b.WriteString("#include \"kernel.h\"\n")
	for _, text := range texts {
		b.WriteString(lanesShared.ReplaceAllString(text, `static int (&s)$1 = *(int (*)$1)memory(sizeof(int$1), ofGroup, "nobody");`))
	}
	b.WriteString("int program(int, char **w) {\n  dim3 grid(2), block(atoi(w[2]), atoi(w[3]), atoi(w[4]));\n  switch (atoi(w[1])) {\n")
	for k := range texts {
		fmt.Fprintf(&b, "  case %d: run(grid, block, 0, k%d); break;\n", k, k)
	}
	return b.String() + "  }\n  return 0;\n}\n"
}

// faultOfLanes is what goes wrong in runs of a kernel of the program that was compiled last, with several inputs and orders.
func (r *reference) faultOfLanes(kernel int, blocks [][3]int64, orders int) string {
	for _, b := range blocks {
		for seed := range orders {
			text, _ := r.tool("./p", strconv.Itoa(seed), strconv.Itoa(kernel), fmt.Sprint(b[0]), fmt.Sprint(b[1]), fmt.Sprint(b[2]))
			for line := range strings.Lines(text) {
				if kind, ok := strings.CutPrefix(strings.TrimSpace(line), "fault "); ok && (kind == "race" || kind == "divergence") {
					return kind
				}
			}
		}
	}
	return "none"
}

// lanesSteps are for one obligation: what is not proved with these is not safe here, though it may be with more.
const lanesSteps = 150_000

// TestRandomLanes: no random kernel of warps is safe, for either reader, that has a fault in a run: compiled for the host, each access watched,
// its threads in an order that is drawn and that only barriers restrict. KERNEL_LANES=1000 takes so many, KERNEL_SEED another beginning.
func TestRandomLanes(t *testing.T) {
	c := compiler(t)
	ref := newReference(t)
	many := corpus.Effort(0, 4, 400)
	if n, err := strconv.Atoi(os.Getenv("KERNEL_LANES")); err == nil {
		many = n
	}
	if many == 0 {
		t.Skip("in the full form")
	}
	seed, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	counts := map[string]int{}
	for done := 0; done < many; seed++ {
		g := &warpWriter{sourceWriter: sourceWriter{Rand: rand.New(rand.NewPCG(uint64(seed), 35))}, plain: seed%2 == 0}
		g.shape = blockShapes[g.IntN(len(blockShapes))]
		var texts []string
		for k := range min(kernelsOfFile, many-done) {
			texts = append(texts, g.kernel(fmt.Sprint("k", k)))
		}
		done += len(texts)
		lanesAgainstHost(t, ref, seed, g.shape, texts, g.plain, counts, func(src string) []byte {
			ir, _ := compiledText(t, c, "k.cu", "#include <cooperative_groups.h>\n"+src)
			return ir
		})
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[k], k)
	}
	if many >= 400 && (counts["k.cu: safe true, fault none"] == 0 || counts["k.ll: safe true, fault none"] == 0 || counts["k.cu: safe false, fault race"] < 20) {
		t.Error("too few kernels are safe, or have a fault")
	}
}

// lanesAgainstHost compares what each reader says of kernels with runs on the host.
func lanesAgainstHost(t *testing.T, ref *reference, seed int, shape blockShape, texts []string, plain bool, counts map[string]int, module func(src string) []byte) {
	if err := ref.compile(lanesOnHost(texts)); err != nil {
		t.Errorf("seed %d: %.2000s", seed, err)
		return
	}
	opts := gpu.Options{Launch: launch.Options{Local: shape.said}}
	for k, text := range texts {
		fault := ref.faultOfLanes(k, shape.runs, 4)
		if fault == "none" && k%4 != 0 { // some show that what is right may be safe
			continue
		}
		sources := map[string][]byte{"k.ll": module(text)}
		if plain {
			sources["k.cu"] = []byte(text)
		}
		for _, name := range slices.Sorted(maps.Keys(sources)) {
			safe, unread := gpu.Proves(context.Background(), name, sources[name], opts, lanesSteps)
			counts[fmt.Sprintf("%s: safe %t, fault %s", name, safe, fault)]++
			switch {
			case safe && fault != "none":
				t.Errorf("seed %d: %s: k%d of %v is safe: %s\n%s", seed, name, k, shape.said, fault, text)
			case unread != "":
				t.Errorf("seed %d: %s: %s\n%s", seed, name, unread, text)
			}
		}
	}
}
