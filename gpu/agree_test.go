package gpu_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/corpus"
)

// bothRead are the kernels that both readers are asked about: those with labels, and those of other tests.
func bothRead(t *testing.T) (out []struct{ name, file, src string }) {
	add := func(name, file, src string) {
		if !labelsHost.MatchString(src) { // what a host launches is read as C alone
			out = append(out, struct{ name, file, src string }{name, file, src})
		}
	}
	flags := map[string]string{"k.cl": "//--local_size=8 --num_groups=2\n", "k.cu": "//--blockDim=8 --gridDim=2\n"}
	for _, k := range misread {
		add("misread: "+k.name, k.file, flags[k.file]+k.src)
	}
	for _, k := range faulty {
		add("faulty: "+k.name, k.file, flags[k.file]+k.src)
	}
	for i, k := range plain {
		add(fmt.Sprint("plain ", i), "k.cu", "//"+k.flags+"\n"+k.src)
	}
	dir := filepath.Join("..", "..", "shared", "corpus", "kernels")
	if _, err := os.Stat(dir); err != nil {
		return out
	}
	for _, k := range readIndex(t, corpus.Path(t, "kernels")) {
		src, err := os.ReadFile(filepath.Join(dir, k.path))
		if err != nil {
			t.Fatal(err)
		}
		add(k.path, "k"+filepath.Ext(k.path), string(src))
	}
	return out
}

// apart are the kernels of which the readers say different things, with the cause.
var apart = map[string]string{
	"misread: time beyond 32 bits": "clock() of Clang's header reads a counter of 32 bits; as C it is any clock_t",
	"faulty: lane of a vector":     "clang reads and writes the whole vector, so that the race is one of a read",
	"faulty: lane by its address":  "clang reads and writes the whole vector, so that there is a race of a read as well",
}

// TestReadersAgree judges kernels as C and as clang compiles them, and compares verdicts, and the kinds and lines of checks
// that do not hold. A difference that is not listed above is an error, but for one: a race that both refute may be shown by
// a run of one of them alone, since the contents of arrays are drawn apart. That only one of them reads a kernel is counted.
// It takes some of them; KERNELS=12345 takes all, KERNELS_ONLY those whose name holds a text.
func TestReadersAgree(t *testing.T) {
	c := compiler(t)
	kernels := bothRead(t)
	step := 1
	if os.Getenv("KERNELS") == "" && os.Getenv("KERNELS_ONLY") == "" {
		step = corpus.Effort(80, 60, 4)
	}
	count := map[string]int{}
	for i := 0; i < len(kernels); i += step {
		k := kernels[i]
		if !strings.Contains(k.name, os.Getenv("KERNELS_ONLY")) {
			continue
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, k.file), []byte(k.src), 0o600); err != nil {
			t.Fatal(err)
		}
		ir, opts, why := moduleOf(t, c, dir, k.file)
		if why != "" {
			count["not compiled"]++
			continue
		}
		as := gpu.File(context.Background(), k.file, []byte(k.src), gpu.Options{})
		compiled := gpu.File(context.Background(), k.file+".ll", ir, gpu.Options{Launch: opts})
		for _, one := range as {
			for _, other := range compiled {
				base, _, _ := strings.Cut(other.Kernel, "<")
				if encode.Identifier(base) != one.Kernel {
					continue
				}
				what := compared(one, other)
				count[what]++
				switch {
				case what == contradiction, what == different && apart[k.name] == "":
					t.Errorf("%s: %s: %s\n%s", what, k.name, differing(one, other), k.src)
				case what == different:
					t.Logf("%s: %s", k.name, apart[k.name])
				case what == oneRun && testing.Verbose():
					t.Logf("%s: %s", k.name, differing(one, other))
				}
			}
		}
	}
	t.Logf("%v", count)
	if count[same] == 0 {
		t.Error("nothing is compared")
	}
}

// What two answers are to each other.
const (
	same          = "the same"
	oneRun        = "confirmed by one alone"
	different     = "different"
	contradiction = "contradiction"
)

// compared says how the answers about a kernel as C, and as clang compiles it, go together.
func compared(c, l gpu.Report) string {
	of := func(v ...gpu.Verdict) bool { return slices.Contains(v, c.Verdict) && slices.Contains(v, l.Verdict) }
	switch {
	case c.Fault != "" || l.Fault != "": // a panic of either
		return contradiction
	case of(gpu.Unsupported):
		return "read by neither"
	case c.Verdict == gpu.Unsupported:
		return "read by clang alone"
	case l.Verdict == gpu.Unsupported:
		return "read as C alone"
	case c.Verdict != l.Verdict && of(gpu.Safe, gpu.Unsafe):
		return contradiction
	case !slices.Equal(failing(c), failing(l)), c.Verdict != l.Verdict && !of(gpu.Possible, gpu.Unsafe):
		return different
	case c.Verdict != l.Verdict:
		return oneRun
	}
	return same
}

// failing are the kinds and lines of the checks that do not hold.
func failing(r gpu.Report) (out []string) {
	for _, f := range r.Checks {
		if !f.Verdict.Holds() {
			out = append(out, fmt.Sprintf("%s in line %d", f.Kind, f.Line))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func differing(c, l gpu.Report) string {
	return fmt.Sprintf("%s as C %s %v %.200s %s; by clang %s %v %.200s %s", c.Kernel, c.Verdict, failing(c), c.Why, c.Fault, l.Verdict, failing(l), l.Why, l.Fault)
}
