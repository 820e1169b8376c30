package gpu_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/corpus"
)

// forOclgrind makes C of the annotations: what is required is asked, the rest says nothing.
const forOclgrind = `#define __requires(x) if (!(x)) return
#define __assume(x) if (!(x)) return
#define __assert(x)
#define __invariant(x) 1
#define __global_invariant(x) 1
#define __function_wide_invariant(x) 1
#define __function_wide_candidate_invariant(x) 1
#define __candidate_invariant(x) 1
#define __ensures(x)
`

var (
	signature = regexp.MustCompile(`__kernel\s+(?:__attribute__\s*\(\([^)]*\)\)\)?\s*)?void\s+(\w+)\s*\(([^)]*)\)`)
	lanes     = regexp.MustCompile(`\b(u?(?:char|short|int|long)|float|double|size_t|half)([0-9]*)\b`)
	widths    = map[string]int{"char": 1, "short": 2, "half": 2, "int": 4, "float": 4, "long": 8, "size_t": 8, "double": 8}
)

// sized is a launch in which sizes that are not given, 0, are few.
func sized(local, groups [3]int64) (l, g [3]int64) {
	for d := range 3 {
		if local[d] == 0 {
			local[d] = []int64{4, 1, 1}[d]
		}
		if groups[d] == 0 {
			groups[d] = []int64{2, 1, 1}[d]
		}
	}
	return local, groups
}

// simulation is the input of oclgrind-kernel for a kernel: "" if its parameters are of a
// kind that it has no word for. Arrays and scalars are filled with a value.
func simulation(name, parameters string, local, groups [3]int64, fill int) string {
	local, groups = sized(local, groups)
	if local[0]*local[1]*local[2]*groups[0]*groups[1]*groups[2] > 1<<14 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "k.cl\n%s\n%d %d %d\n%d %d %d\n", name, local[0]*groups[0], local[1]*groups[1], local[2]*groups[2], local[0], local[1], local[2])
	for _, p := range strings.Split(parameters, ",") {
		switch p = strings.TrimSpace(p); {
		case p == "" || p == "void":
		case strings.ContainsAny(p, "*[") && strings.Contains(p, "local"):
			b.WriteString("<size=65536>\n")
		case strings.ContainsAny(p, "*["):
			fmt.Fprintf(&b, "<size=1048576 uchar fill=%d>\n", fill)
		default:
			m := lanes.FindStringSubmatch(strings.ReplaceAll(p, "unsigned", "uint"))
			if m == nil {
				return ""
			}
			n, each := 1, widths[strings.TrimPrefix(m[1], "u")]
			fmt.Sscan(m[2], &n)
			if n == 3 {
				n = 4
			}
			fmt.Fprintf(&b, "<size=%d %s fill=%d>\n", n*each, map[int]string{1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}[each], fill)
		}
	}
	return b.String()
}

// raceIn is the first race that oclgrind shows in a run of the kernels of a file; run
// reports whether there was one.
func raceIn(t *testing.T, file, src string) (race string, run bool) {
	kernels, problem := encode.Read(file, []byte(src), encode.Options{})
	if problem != nil {
		return "", false
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.cl"), []byte(forOclgrind+src), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, k := range kernels {
		for _, m := range signature.FindAllStringSubmatch(src, -1) {
			if m[1] != k.Name || k.Problem != nil {
				continue
			}
			for _, fill := range []int{0, 1, 5} {
				local, groups := k.Launch()
				sim := simulation(k.Name, m[2], local, groups, fill)
				if sim == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, "k.sim"), []byte(sim), 0o600); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				c := exec.CommandContext(ctx, "oclgrind-kernel", "--data-races", "--max-errors", "3", "--max-wgsize", "4096", "k.sim")
				c.Dir = dir
				out, _ := c.CombinedOutput()
				ended := ctx.Err() == nil
				cancel()
				text := string(out)
				if at := strings.Index(text, "data race"); at >= 0 {
					return text[max(0, at-11):min(len(text), at+500)], true
				}
				run = run || ended && !strings.Contains(text, "rror:")
			}
		}
	}
	return "", run
}

// TestOclgrind: where oclgrind, which runs one launch of a kernel, shows a race, the kernel is
// not safe. The short form takes a few faulty kernels, KERNEL_OCLGRIND=12 labelled ones of
// these tiers, too.
func TestOclgrind(t *testing.T) {
	if _, err := exec.LookPath("oclgrind-kernel"); err != nil {
		t.Skip("oclgrind is not installed")
	}
	runs, races := 0, 0
	try := func(file, src string) {
		race, run := raceIn(t, file, src)
		if run {
			runs++
		}
		if race == "" {
			return
		}
		races++
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		defer cancel()
		if verdict, _ := worst(gpu.File(ctx, file, []byte(src), gpu.Options{})); verdict == gpu.Safe {
			t.Errorf("%s is safe, but oclgrind says: %s\n%s", file, race, src)
		}
	}
	tiers := os.Getenv("KERNEL_OCLGRIND")
	for i, f := range faulty {
		if f.file == "k.cl" && (i%11 == 0 || tiers != "") {
			try(f.name+".cl", "//--local_size=64 --num_groups=4\n"+f.src)
		}
	}
	if races == 0 {
		t.Error("oclgrind shows no race")
	}
	if tiers != "" {
		dir := corpus.Path(t, "kernels")
		for _, k := range readIndex(t, dir) {
			if !strings.HasSuffix(k.path, ".cl") || !strings.Contains(tiers, k.tier) {
				continue
			}
			src, err := os.ReadFile(filepath.Join(dir, k.path))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(src), "--only-") {
				continue // not all races are looked for
			}
			try(k.path, string(src))
		}
	}
	t.Logf("oclgrind ran %d kernels, and shows a race in %d", runs, races)
}
