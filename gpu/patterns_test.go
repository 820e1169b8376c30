package gpu_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// provedPatterns are the kernels of testdata/patterns that are right, and known to be safe.
var provedPatterns = []string{"edge_product.cu", "histogram_lanes.cl", "norm_two_pass.cl", "stride_mixed.cu", "stride_mixed_step.cu", "tile_sums.cu", "tile_turn.cu"}

// patternRun is the line of a file that says how its kernel is run.
var patternRun = regexp.MustCompile(`(?m)^//run block (\S+) grid (\S+)(?: values (.*))?$`)

// patternOnHost is a program that runs the kernel of a file of testdata/patterns.
func patternOnHost(t *testing.T, src string) string {
	how, kernel := patternRun.FindStringSubmatch(src), ofKernel.FindStringSubmatch(src)
	if how == nil || kernel == nil {
		t.Fatalf("no run or no kernel:\n%s", src)
	}
	local := 0
	for i, p := range strings.Split(kernel[2], ",") {
		if strings.Contains(p, "__local") {
			local |= 1 << i
		}
	}
	text := ofGroup.ReplaceAllStringFunc(included.ReplaceAllString(src, ""), groupOnHost)
	place := ""
	for _, m := range regexp.MustCompile(`__device__ \w+ (\w+)[^(;]*;`).FindAllStringSubmatch(text, -1) {
		place += fmt.Sprintf("place(&%s, sizeof %[1]s, ofDevice); ", m[1])
	}
	return fmt.Sprintf("#define PATTERNS\n#include \"kernel.h\"\n%s\nint program(int, char **) { %sconst long long values[] = {%s, 0}; runWith(dim3(%s), dim3(%s), %d, values, %s); return 0; }\n",
		text, place, strings.ReplaceAll(strings.TrimSpace(how[3]+" 0"), " ", ", "), how[2], how[1], local, kernel[1])
}

// patternFault is what goes wrong in a run of a pattern; "" if nothing does.
func (r *reference) patternFault(t *testing.T, src string) string {
	if err := r.compile(patternOnHost(t, src)); err != nil {
		t.Fatal(err)
	}
	for seed := range 3 {
		text, err := r.tool("./p", strconv.Itoa(seed))
		if _, fault, ok := strings.Cut(text, "fault "); ok {
			return strings.TrimSpace(fault)
		}
		if err != nil || !strings.HasSuffix(text, "done\n") {
			return "the run does not end as it should"
		}
	}
	return ""
}

// judgedPattern is what is said of a pattern, compiled if it needs C++.
func judgedPattern(t *testing.T, name, src string) []gpu.Report {
	if !strings.Contains(src, "cooperative_groups") {
		return gpu.File(context.Background(), name, []byte(src), gpu.Options{})
	}
	ir, opts := compiledText(t, compiler(t), name, src)
	return gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts})
}

// TestPatterns: kernels as people write them, in which «a¦b» stands for a, and with any one b in place of its a the kernel has a fault,
// which a run on the host shows. They were written before the arguments that prove them. None with a fault is safe. GRADINE_SWEEP judges
// all of them, PATTERNS=NAME those whose name has that in it.
func TestPatterns(t *testing.T) {
	files, err := filepath.Glob("testdata/patterns/*")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	only := os.Getenv("PATTERNS")
	if only == "" && os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("takes long: GRADINE_SWEEP or PATTERNS")
	}
	ref := newReference(t)
	safe, right := 0, 0
	for _, file := range files {
		name := filepath.Base(file)
		if only != "" && !strings.Contains(name, only) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		correct, twins := twinsOf(string(text))
		right++
		for i, src := range append([]string{correct}, twins...) {
			fault := ref.patternFault(t, src)
			v, why := worst(judgedPattern(t, name, src))
			t.Logf("%s %d: in runs %q, %s %.300s", name, i, fault, v, why)
			switch {
			case i == 0 && fault != "":
				t.Errorf("%s: the kernel that is right has a fault: %s", name, fault)
			case i > 0 && fault != "race" && fault != "divergence":
				t.Errorf("%s: twin %d has no fault in runs: %q", name, i, fault)
			case i > 0 && v == gpu.Safe:
				t.Errorf("%s: twin %d is safe:\n%s", name, i, src)
			case i == 0 && v == gpu.Unsafe || i == 0 && v != gpu.Safe && slices.Contains(provedPatterns, name):
				t.Errorf("%s is right, and %s: %s", name, v, why)
			case i == 0 && v == gpu.Safe:
				safe++
			}
		}
	}
	t.Logf("%d of %d that are right are safe", safe, right)
}
