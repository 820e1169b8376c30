package gpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// launchShape is a launch: what the kernel is told of it, and sizes to run it with.
type launchShape struct {
	flags string
	sizes [2]string // global and local, as oclgrind-kernel reads them
}

var (
	inRow  = launchShape{"--local_size=8 --num_groups=2", [2]string{"16 1 1\n8 1 1", "16 1 1\n8 1 1"}}
	anyRow = launchShape{"--local_size=*,1,1 --num_groups=*,1,1", [2]string{"12 1 1\n4 1 1", "21 1 1\n7 1 1"}}
	square = launchShape{"--local_size=[4,4] --num_groups=[2,2]", [2]string{"8 8 1\n4 4 1", "8 8 1\n4 4 1"}}
)

// patterns are bodies that kernels of all kinds are made of. Where «a¦b» stands, one of the
// texts is taken: either is as good, or one of them a fault.
var patterns = []struct {
	name  string
	shape launchShape
	body  string
}{
	{"tree reduction", inRow, `s[l] = a[i];
barrier(CLK_LOCAL_MEM_FENCE);
for (int d = «4¦1»; «d > 0; d /= 2¦d < 8; d *= 2»)
{
if (l «< d¦% (2 * d) == 0»)
s[l] += s[l + d];
barrier(CLK_LOCAL_MEM_FENCE);
}
if (l == 0)
b[w] = s[0];`},
	{"halving in the head", inRow, `s[l] = l + n;
for (uint d = 8 / 2; d > «0¦1»; d >>= 1) {
barrier(CLK_LOCAL_MEM_FENCE);
if (l < d)
s[l] = «s[l] + s[l + d]¦max(s[l], s[l + d])¦s[l + d]»;
}
«barrier(CLK_LOCAL_MEM_FENCE);¦»
if (l == 0)
b[w] = s[«0¦1»];`},
	{"scan between two buffers", inRow, `int in = 0, out = 1;
s[l] = a[i];
barrier(CLK_LOCAL_MEM_FENCE);
for (int d = 1; d < 8; d *= 2) {
if (l >= d)
s[out * 8 + l] = s[in * 8 + l] + s[in * 8 + l - d];
else
s[out * 8 + l] = s[in * 8 + l];
barrier(CLK_LOCAL_MEM_FENCE);
in = 1 - in;
out = «1 - out¦1 - in¦in ^ 1»;
}
b[i] = s[in * 8 + l];`},
	{"scan in place", inRow, `s[l] = a[i];
barrier(CLK_LOCAL_MEM_FENCE);
for (int d = 1; d < 8; d <<= 1) {
int x = 0;
if (l >= d)
x = s[l - d];
barrier(CLK_LOCAL_MEM_FENCE);
s[l] += x;
barrier(CLK_LOCAL_MEM_FENCE);
}
b[i] = s[«l¦7 - l¦7»];`},
	{"transpose", square, `s[k * 4 + l] = a[j * 8 + i];
barrier(CLK_LOCAL_MEM_FENCE);
b[(get_group_id(0) * 4 + k) * 8 + get_group_id(1) * 4 + l] = s[l * «4¦5» + k];`},
	{"padded tile", square, `s[k * 5 + l] = a[j * 8 + i];
barrier(CLK_LOCAL_MEM_FENCE);
for (int r = 0; r < 4; r «+= 1¦+= 2») {
x += s[«k * 5 + r¦r * 5 + l¦k + r»];
}
barrier(CLK_LOCAL_MEM_FENCE);
s[l * 5 + k] = x;
b[j * 8 + i] = x;`},
	{"stencil with halo", inRow, `s[l + 1] = a[i];
if (l == 0)
s[0] = a[i - 1];
if (l == 7)
s[9] = a[i + 1];
barrier(CLK_LOCAL_MEM_FENCE);
b[i] = s[l] + s[l + 1] + s[l + 2];`},
	{"stencil again and again", inRow, `s[l] = a[i];
for (int r = 0; r < «3¦n»; r++) {
barrier(CLK_LOCAL_MEM_FENCE);
x = s[(l + 1) % 8] + s[«(l + 7) % 8¦l ? l - 1 : 0¦max(l - 1, 0)»];
barrier(CLK_LOCAL_MEM_FENCE);
s[l] = x;
}
b[i] = x;`},
	{"histogram", inRow, `s[l] = 0;
barrier(CLK_LOCAL_MEM_FENCE);
atomic_inc(&s[a[i] & 7]);
barrier(CLK_LOCAL_MEM_FENCE);
«atomic_add(&b[l], s[l]);¦b[i] = s[l];¦b[w * 8 + l] = s[l];¦if (w == 1) b[l] = s[l];»`},
	{"stride of the grid", anyRow, `for («int¦uint» r = i; r < «64¦(int)get_global_size(0) * 3¦n»; r += get_global_size(0)) {
b[r] = a[r] + 1;
«¦a[r] = r;¦a[r + 1] = r;¦b[r ^ 1] = r;»
}`},
	{"stride of the group", inRow, `for (int r = l; r < 32; r += «8¦get_local_size(0)») {
s[r] = a[r];
}
barrier(CLK_LOCAL_MEM_FENCE);
for (int r = 0; r < 4; r++) {
b[i * 4 + r] = s[«l * 4 + r¦31 - l - 8 * r¦r»];
}`},
	{"two arrays in turns", inRow, `__local int *p = s;
__local int *q = s + 8;
p[l] = n;
barrier(CLK_LOCAL_MEM_FENCE);
for (int r = 0; r < «4¦3¦2»; r++) {
q[l] = p[(l + 1) % 8];
barrier(CLK_LOCAL_MEM_FENCE);
__local int *h = p;
p = q;
q = h;
}
b[i] = p[«l¦(l + 3) & 7»];`},
	{"broadcast", inRow, `__local int m;
if (l == «0¦n & 7¦7»)
m = a[w];
barrier(CLK_LOCAL_MEM_FENCE);
x = m;
barrier(CLK_LOCAL_MEM_FENCE);
if (l == 3)
m = x + 1;
«barrier(CLK_LOCAL_MEM_FENCE);¦»
b[i] = «x¦m¦w»;`},
	{"affine scatter", anyRow, `b[«3¦2¦1» * i + «1¦0¦2»] = l;
b[«3¦2¦6» * i + «2¦1¦3¦4»] = w;
a[«2¦4¦5» * i + «1¦3»] = a[«2¦4¦5» * i];`},
	{"scatter modulo", inRow, `s[(l * «3¦5¦2¦6» + «1¦n») «% 8¦& 7¦% 9»] = l;
barrier(CLK_LOCAL_MEM_FENCE);
b[i] = s[«l¦l ^ 1¦(l + n) & 7»];
«s[l ^ 1] = 1;¦s[l ^ 3] = l;¦s[l] = b[i];»`},
	{"blocks of a plane", square, `b[j * 8 + i] = a[i * 8 + j];
«b[(j ^ 1) * 8 + i] = a[j * 8 + i];¦a[j * 8 + i] = 1;¦b[j * 8 + (7 - i)] = 2;¦s[k * 4 + l] = k;»
barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
x = «b[j * 8 + i]¦b[(j ^ 1) * 8 + i]¦a[j * 8 + (i ^ 1)]¦s[l * 4 + k]»;
s[l * 4 + k] = x;`},
	{"early return", inRow, `if («i >= 13¦l >= 5¦n > 3¦w == 1»)
return;
s[l] = a[i];
«barrier(CLK_LOCAL_MEM_FENCE);¦»
b[i] = s[«l¦l + 1»];
b[i + 20] = «l¦s[l]»;`},
	{"function that writes", anyRow, `put(b, i, «x¦w»);
put(b + get_global_size(0), i, sum(a, i));
«put(b + 2 * get_global_size(0)¦keep(s¦keep(s + 1», l, n);
barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
x = «s[l]¦s[l + 1]¦sum(b, i)¦sum(a, i)¦sum(b, l)»;
put(a + 8, i, x);`},
	{"lanes", anyRow, `v[i] = (int4)(1, 2, l, w);
v[i + get_global_size(0)].«x¦y¦w» = v[i].z;
v[i + get_global_size(0)].«z¦xy¦lo» = 3;
barrier(CLK_GLOBAL_MEM_FENCE);
__global int *p = (__global int *)v;
p[4 * i + «1¦0¦4»] = «p[4 * i + 2]¦l»;
v[i ^ 1].«x¦w» = «7¦l»;`},
	{"members", anyRow, `o[i].x = l;
o[i].y[«0¦1¦l & 1¦n & 1»] = 2;
barrier(CLK_GLOBAL_MEM_FENCE);
«o[l].x = 4;¦o[i].z = o[i + 1].y[0];¦o[i + 1].z = o[i].x;¦o[i / 2].y[i & 1] = 3;¦o[i ^ 1] = o[i];¦struct S c = o[i]; c.x = 2; o[i] = c;»`},
	{"narrow indices", inRow, `uchar h = «l * 32¦l * 64¦i * 16¦i + 250»;
b[h] = l;
s[(h «>> 4¦>> 6¦/ 3») + «0¦1»] = l;
short e = (short)(i * «4096¦8192¦1000»);
barrier(CLK_LOCAL_MEM_FENCE);
a[e + 40000] = w;
b[300 + «(i & ~1) + (i & 1)¦(i | 1)¦i - (i & 1)¦(i ^ (i >> 1))¦((i << 1) | (i >> 3)) & 15¦min(i, 14)¦abs(i - 7)¦i % 15»] = l;`},
	{"bubbles", inRow, `s[l] = a[i];
barrier(CLK_LOCAL_MEM_FENCE);
for (int r = 0; r < 8; r++) {
if ((l & 1) == (r & 1) && l «< 7¦<= 7») {
int y = s[l], z = s[l + 1];
if (y > z)
{
s[l] = z;
s[l + 1] = y;
}
}
barrier(CLK_LOCAL_MEM_FENCE);
}
b[i] = s[l];`},
	{"lock by an atomic operation", inRow, `int old = atomic_«inc¦add¦or¦xchg»(&s[16]«¦, 1¦, 0»);
b[w * 64 + «(old & 31)¦l¦(old / 2)»] = l;
if (old == 0)
a[w] = «3¦l»;
s[l] = «old¦s[16]»;`},
	{"cases", inRow, `switch (l «& 3¦/ 2¦% 3»)
{
case 0:
s[l] = 1;
«break;¦»
case 1:
s[l + «0¦1» ] = l;
break;
default:
x = «l¦s[l]»;
«¦barrier(CLK_LOCAL_MEM_FENCE);¦b[w] = 1;¦b[w] = l;»
}
barrier(CLK_LOCAL_MEM_FENCE);
do {
x++;
if (x == 5)
«break;¦continue;»
s[l «¦+ x»] = x;
} while (x < «4¦6¦n»);
b[i] = s[l];`},
	{"rounds of all", anyRow, `for (int r = 0; r < (int)get_local_size(0); r++)
{
if («l == r¦l == n - r¦l + 1 == r¦l / 2 == r»)
s[0] = l;
barrier(CLK_LOCAL_MEM_FENCE);
x += s[0];
«barrier(CLK_LOCAL_MEM_FENCE);¦»
}
b[i] = x;`},
}

var callable = []string{
	"void put(__global int *p, int at, int value) { p[at] = value; }",
	"void keep(__local int *p, int at, int value) { p[at] = value; }",
	"int sum(__global int *p, int at) { if (at > 3) return p[at]; return p[at] + 1; }",
}

var (
	choice   = regexp.MustCompile(`«[^»]*»`)
	declares = regexp.MustCompile(`\n(__local )?(int|short|uchar|struct|__global)\b.*;`)

	// damages are changes of one place, that make a fault of many a safe kernel.
	damages = []struct {
		at *regexp.Regexp
		by []string
	}{
		{regexp.MustCompile(`barrier\([^;]*\);`), []string{";", ";", "if (l < 6) $0", "if (n > 2) $0", "barrier(CLK_GLOBAL_MEM_FENCE);", "barrier(0);", "mem_fence(CLK_LOCAL_MEM_FENCE);"}},
		{regexp.MustCompile(`\n(barrier\([^;]*\);)\n([^\n{}]*;)\n`), []string{"\n$2\n$1\n"}},
		{regexp.MustCompile(`\n([^\n{}]*;)\n(barrier\([^;]*\);)\n`), []string{"\n$2\n$1\n"}},
		{regexp.MustCompile(`\b([abs])\[([^\[\]]+)\]`), []string{"$1[$2 + 1]", "$1[($2) / 2]", "$1[($2) ^ 1]", "$1[($2) & 3]", "$1[($2) * 2]", "$1[2 * n + ($2)]"}},
		{regexp.MustCompile(`\b[ilwjk]\b`), []string{"i", "l", "w", "(l + 1)", "(l | 1)", "x", "n"}},
		{regexp.MustCompile(` (<|>|<=|>=|==) `), []string{" < ", " <= ", " > ", " >= ", " == ", " != "}},
		{regexp.MustCompile(`\b[1-9]\b`), []string{"($0 - 1)", "($0 + 1)", "(2 * $0)", "n"}},
		{regexp.MustCompile(`\b([abs])\[`), []string{"a[", "b[", "s["}},
		{regexp.MustCompile(`atomic_inc\(&([^;]*)\);`), []string{"$1++;", "$1 = 1;", "$1 = l;"}},
		{regexp.MustCompile(`atomic_add\(&([^;]*), ([^;]*)\);`), []string{"$1 += $2;"}},
		{regexp.MustCompile(`\bif \(([^;{]*)\)\n`), []string{"", "if (1)\n", "if (!($1))\n", "if (($1) && x == 0)\n", "if (($1) || n == 3)\n"}},
		{regexp.MustCompile(`\+=`), []string{"=", "-=", "|="}},
		{regexp.MustCompile(`\n([^\n{}:]*;)\n`), []string{"\n", "\nif (n == 3) { $1 }\n", "\nif (l != 2) { $1 }\n", "\n$1\n$1\n", "\nfor (int z = 0; z < 2; z++) { $1 }\n"}},
	}
)

// spoilt is a pattern with choices and up to three damages, as a kernel for a launch. Where
// bounds are checked, the array of the group has a size.
func spoilt(seed uint64) (src string, shape launchShape, bounds bool) {
	random := rand.New(rand.NewPCG(seed, 11))
	pattern := patterns[random.IntN(len(patterns))]
	body := choice.ReplaceAllStringFunc("\n"+pattern.body+"\n", func(s string) string {
		texts := strings.Split(strings.Trim(s, "«»"), "¦")
		if random.IntN(2) == 0 {
			return texts[0]
		}
		return texts[random.IntN(len(texts))]
	})
	for done, tries := 0, random.IntN(4); done < tries; {
		damage := damages[random.IntN(len(damages))]
		places := damage.at.FindAllStringSubmatchIndex(body, -1)
		if len(places) == 0 {
			continue
		}
		at, by := places[random.IntN(len(places))], damage.by[random.IntN(len(damage.by))]
		if declares.MatchString(body[at[0]:at[1]]) {
			continue
		}
		body = body[:at[0]] + string(damage.at.ExpandString(nil, strings.ReplaceAll(by, "$0", "${0}"), body, at)) + body[at[1]:]
		done++
	}
	bounds = pattern.shape != anyRow && random.IntN(2) == 0
	parameter, declared := ", __local int *s", ""
	if bounds {
		parameter, declared = "", "__local int s[32];\n"
	}
	functions := ""
	for _, text := range callable {
		if name := regexp.MustCompile(`\w+\(`).FindString(text); strings.Contains(body, name) { // what no kernel calls is reported on its own
			functions += text + "\n"
		}
	}
	return "//" + pattern.shape.flags + `
struct S { int x; int y[2]; int z; };
` + functions + `__kernel void k(__global int *a, __global int *b, __global int4 *v, __global struct S *o, int n` + parameter + `) {
int l = get_local_id(0), i = get_global_id(0), w = get_group_id(0), k = get_local_id(1), j = get_global_id(1), x = 0;
` + declared + body + "}\n", pattern.shape, bounds
}

// faultIn is what oclgrind shows in runs of a kernel: a race, a divergence, or an access
// outside of an array that has a size. Without one it says why there was no run, if that is
// the kernel: the text is no C, or it does not end. An input that is refused fails the test.
func faultIn(t *testing.T, dir, src string, shape launchShape, bounds bool) (fault, without string) {
	for n, sizes := range shape.sizes {
		local := "<size=65536>\n"
		if bounds {
			local = ""
		}
		sim := fmt.Sprintf("k.cl\nk\n%s\n<size=262144 int range=0:1:65535>\n<size=262144 int range=7:3:196612>\n<size=65536 int fill=5>\n<size=65536 int fill=9>\n<size=4 int>\n%d\n%s", sizes, 3-2*n, local)
		for name, text := range map[string]string{"k.cl": src, "k.sim": sim} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		c := exec.CommandContext(ctx, "oclgrind-kernel", "--data-races", "--max-errors", "100", "--build-options", "-cl-opt-disable", "k.sim")
		c.Dir = dir
		text, err := c.CombinedOutput()
		out, late := string(text), ctx.Err() != nil
		cancel()
		for _, message := range strings.Split(out, "\n\n") {
			switch m := strings.TrimSpace(message); {
			case strings.Contains(m, "data race at"), strings.HasPrefix(m, "Work-group divergence"),
				bounds && strings.HasPrefix(m, "Invalid") && !strings.Contains(m, "global memory"):
				return fmt.Sprintf("n = %d: %.700s", 3-2*n, out[strings.Index(out, m):]), ""
			}
		}
		switch {
		case strings.Contains(out, "Build failure"):
			return "", "no C"
		case late:
			return "", "endless"
		case err != nil:
			t.Fatalf("oclgrind refuses its input (%v): %.500s\n%s\n%s", err, out, sim, src)
		}
	}
	return "", ""
}

// shown are seeds of TestRaces with a fault that is found at once, of several kinds.
var shown = []uint64{30022, 30024, 30042, 30117}

// TestRaces: patterns of kernels, changed at random, are not safe where oclgrind shows a
// race, a divergence or an access out of bounds in one of two launches. KERNEL_RACES=300
// takes so many, KERNEL_SEED another beginning; without, there are some whose fault has to be
// found. No clock decides: what is open has used up its steps.
func TestRaces(t *testing.T) {
	if _, err := exec.LookPath("oclgrind-kernel"); err != nil {
		t.Skip("oclgrind is not installed")
	}
	many, _ := strconv.Atoi(os.Getenv("KERNEL_RACES"))
	if many == 0 {
		many = corpus.Effort(0, 0, 200)
	}
	first, _ := strconv.Atoi(os.Getenv("KERNEL_SEED"))
	seeds := shown
	for i := range many {
		seeds = append(seeds, uint64(first+i))
	}
	dir, counts := t.TempDir(), map[string]int{}
	for i, seed := range seeds {
		src, shape, bounds := spoilt(seed)
		fault, without := faultIn(t, dir, src, shape, bounds)
		if without != "" {
			counts[without]++
			continue
		}
		if fault == "" && seed%5 != 0 {
			counts["without fault, not judged"]++
			continue // only a fault can show that a verdict is wrong
		}
		opts := gpu.Options{}
		if bounds {
			if err := opts.Launch.Check("bounds"); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		verdict, why := worst(gpu.File(context.Background(), "k.cl", []byte(src), opts))
		if took := time.Since(start); many > 0 {
			t.Logf("seed %d: fault %v, %s, %.1f s", seed, fault != "", verdict, took.Seconds())
		}
		if strings.Contains(why, "defect of gradine") {
			t.Errorf("seed %d: %s\n%s", seed, why, src)
		}
		switch {
		case fault == "":
			counts["without fault "+string(verdict)]++
			continue
		// That a thread reads what others write as well is tolerated if it has itself written the
		// same before, of which the run of the interpreter knows.
		case verdict == gpu.Safe && strings.Contains(fault, ": Read-write") && gpu.RunBounded(context.Background(), gpu.Source{Name: "k.cl", Text: []byte(src)}, opts)[0].Verdict == gpu.Bounded:
			counts["tolerated"]++
			continue
		case verdict == gpu.Safe:
			t.Errorf("seed %d is safe, but oclgrind says: %s\n%s", seed, fault, src)
		case verdict != gpu.Unsafe:
			t.Logf("seed %d:%s; oclgrind: %s", seed, why, fault)
		}
		if i < len(shown) && verdict != gpu.Unsafe {
			t.Errorf("seed %d is %s, and should be unsafe: %s", seed, verdict, fault)
		}
		counts["with fault "+string(verdict)]++
	}
	t.Logf("%v", counts)
	if counts["no C"] > len(seeds)/3 {
		t.Error("too many of the kernels are no C")
	}
}
