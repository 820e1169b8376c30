package gpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/run"
	"github.com/gradine/gradine/internal/corpus"
)

// changes are small faults that a module may have: each replaces what it finds in one line.
var changes = []struct {
	find *regexp.Regexp
	with []string
}{
	{regexp.MustCompile(`^  call (spir_func )?void @(_Z7barrierj|llvm\.nvvm\.barrier0)\(.*`), []string{""}},
	{regexp.MustCompile(`icmp (slt|sle|sgt|sge|ult|ule|ugt|uge|eq|ne) `), []string{"icmp slt ", "icmp sle ", "icmp sge ", "icmp ult ", "icmp ule ", "icmp ne ", "icmp eq "}},
	{regexp.MustCompile(`= (add|sub|mul)( nsw)? (i32|i64) `), []string{"= add $3 ", "= sub $3 ", "= mul $3 ", "= and $3 ", "= xor $3 "}},
	{regexp.MustCompile(`, (i32|i64)? ?(\d+), !dbg`), []string{", $1 0, !dbg", ", $1 1, !dbg", ", $1 3, !dbg"}},
	{regexp.MustCompile(`= sext `), []string{"= zext "}},
	{regexp.MustCompile(`sreg\.tid\.x`), []string{"sreg.ctaid.x", "sreg.tid.y"}},
	{regexp.MustCompile(`@_Z13get_global_idj\(i32 noundef 0\)`), []string{"@_Z13get_global_idj(i32 noundef 1)"}},
	{regexp.MustCompile(`@_Z12get_local_idj\(i32 noundef 0\)`), []string{"@_Z12get_local_idj(i32 noundef 1)"}},
	{regexp.MustCompile(`= (udiv|sdiv|ashr|lshr|shl|urem|srem) (i32|i64) `), []string{"= lshr $2 ", "= shl $2 ", "= urem $2 ", "= udiv $2 "}},
	{regexp.MustCompile(`(<\d+ x \w+>|float|i32|i64)(, ptr)`), []string{"i16$2", "i32$2", "i64$2"}},
}

// changed is a module with one fault; ok is false where the draw finds no place for it.
func changed(r *rand.Rand, text string) (out string, ok bool) {
	lines := strings.Split(text, "\n")
	for range 30 {
		c := changes[r.IntN(len(changes))]
		var at []int
		for k, l := range lines {
			if strings.HasPrefix(l, "  ") && c.find.MatchString(l) && !strings.Contains(l, "lifetime") {
				at = append(at, k)
			}
		}
		if len(at) == 0 {
			continue
		}
		k := at[r.IntN(len(at))]
		was := lines[k]
		lines[k] = c.find.ReplaceAllString(was, c.with[r.IntN(len(c.with))])
		if lines[k] != was {
			return strings.Join(lines, "\n"), true
		}
	}
	return "", false
}

// faultOn runs a kernel on some grids that its options allow.
func faultOn(m *llvm.Module, f *llvm.Function, o launch.Options, r *rand.Rand) *run.Fault {
	for sample := range uint64(3) {
		l := run.Launch{Sample: sample, Values: map[string]int64{}, NoBenign: o.NoBenign, NoRaces: o.OnlyDivergence, NoBetween: o.IntraGroup, NoAsserts: o.OnlyRequires, Bounds: o.Bounds, Overflow: o.Overflow}
		for d := range 3 {
			l.Local[d], l.Groups[d] = o.Local[d], o.Groups[d]
			if l.Local[d] == 0 {
				l.Local[d] = []int64{1, 2, 4, 5, 8}[r.IntN(5)]
			}
			if l.Groups[d] == 0 {
				l.Groups[d] = 1 + r.Int64N(3)
			}
		}
		l.Only = map[[3]int64]bool{{}: true}
		for range 2 {
			l.Only[[3]int64{r.Int64N(l.Groups[0]), r.Int64N(l.Groups[1]), r.Int64N(l.Groups[2])}] = true
		}
		given := o.Arguments[f.SourceName()]
		for k, a := range f.Params {
			if a.Type.Kind != llvm.Pointer && len(given) > 0 {
				x, err := strconv.ParseInt(given[0], 0, 64)
				if given = given[1:]; err == nil {
					l.Values[f.ParamName(k)] = x
					continue
				}
			}
			l.Values[f.ParamName(k)] = []int64{0, 1, 2, 3, 7, 16, 64, -1, 1 << 20}[r.IntN(9)]
		}
		if fault, _ := run.Kernel(m, f, l); fault != nil {
			return fault
		}
	}
	return nil
}

// TestMutantModules changes the modules of labelled kernels in small ways: none is safe in which a run has a
// fault. MUTANTS=10 takes so many of each kernel, KERNELS and KERNELS_ONLY choose as elsewhere.
func TestMutantModules(t *testing.T) {
	dir := corpus.Path(t, "kernels")
	c := compiler(t)
	tiers, only := os.Getenv("KERNELS"), os.Getenv("KERNELS_ONLY")
	many, step := 1, 1
	if tiers == "" && only == "" {
		tiers, step = "1", 8
	}
	if n, err := strconv.Atoi(os.Getenv("MUTANTS")); err == nil {
		many = n
	}
	counts := map[string]int{}
	n := 0
	for _, k := range readIndex(t, dir) {
		if !strings.Contains(k.path, only) || tiers != "" && !strings.Contains(tiers, k.tier) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, k.path))
		if err != nil {
			t.Fatal(err)
		}
		if labelsHost.Match(src) {
			continue
		}
		if n++; n%step != 0 {
			continue
		}
		ir, opts, why := moduleOf(t, c, dir, k.path)
		if why != "" {
			continue
		}
		for seed := range many + 1 {
			r := rand.New(rand.NewPCG(uint64(n), uint64(seed)))
			text, ok := string(ir), true
			if seed > 0 {
				text, ok = changed(r, text)
			}
			m, problem := llvm.Parse("k.ll", []byte(text))
			if !ok || problem != nil {
				counts["not changed"]++
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), fuse)
			reports := gpu.File(ctx, "k.ll", []byte(text), gpu.Options{Launch: opts})
			cancel()
			for _, rep := range reports {
				counts[string(rep.Verdict)]++
				if rep.Verdict != gpu.Safe {
					continue
				}
				for _, f := range m.Functions {
					if !m.IsKernel(f) || f.SourceName() != rep.Kernel {
						continue
					}
					own, err := opts.Of(rep.Kernel, launch.Options{}, f.GroupSize())
					if err != nil {
						continue
					}
					if fault := faultOn(m, f, own, r); fault != nil {
						counts["safe with a fault"]++
						name := filepath.Join(os.TempDir(), fmt.Sprintf("mutant-%d-%d.ll", n, seed))
						if os.Getenv("MUTANTS") != "" {
							_ = os.WriteFile(name, []byte(text), 0o600)
						}
						t.Errorf("%s, mutant %d (%s): safe, but a run has %s in line %d: %s", k.path, seed, name, fault.Kind, fault.At.Line, fault.Why)
					}
				}
			}
		}
	}
	t.Logf("%v", counts)
}
