//go:build unix

package gpu_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
)

// listed says which macros and folders a project of the list needs.
func listed(project string) clang.Options {
	switch {
	case strings.HasSuffix(project, "darknet"):
		return clang.Options{Defines: []string{"DGPU"}, Include: []string{"include"}}
	case strings.HasSuffix(project, "ggml"):
		return clang.Options{Include: []string{"include", "src"}}
	case strings.HasSuffix(project, "cuda-samples"):
		return clang.Options{Include: []string{"Common"}}
	}
	return clang.Options{}
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

var quotedIn = regexp.MustCompile(`"[^"]*"|\d+`)

// processors is how long processors have worked for this process and for those that it has waited for.
func processors() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

// TestRealModules reads the kernels of public projects, as clang compiles them, and lists everything that is
// refused in their modules, with the kernels that it costs, most frequent first. It proves nothing of them.
func TestRealModules(t *testing.T) {
	dir := os.Getenv("GRADINE_REAL")
	if dir == "" {
		t.Skip("GRADINE_REAL names no folder with projects and a list.tsv of project, path, kernels")
	}
	c := compiler(t)
	f, err := os.Open(filepath.Join(dir, "list.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	total, compiledKernels, read := 0, 0, 0
	cost, example := map[string]int{}, map[string]string{}
	var took []time.Duration // by processors for each file, compilation included
	for s := bufio.NewScanner(f); s.Scan(); {
		parts := strings.Split(s.Text(), "\t")
		if only := os.Getenv("GRADINE_ONLY"); !strings.Contains(parts[1], only) || filepath.Ext(parts[1]) != ".cu" {
			continue
		}
		n, _ := strconv.Atoi(parts[2])
		total += n
		begun := processors()
		u, err := c.Compile(t.Context(), clang.Source{Dir: filepath.Join(dir, parts[0]), File: parts[1], Language: clang.LanguageOf(parts[1])}, listed(parts[0]))
		if err != nil {
			t.Logf("%s: %.200s", parts[1], err)
			continue
		}
		kernels, problem := encode.ReadModule(parts[1]+".ll", u.IR, encode.Options{}, encode.Options{})
		took = append(took, processors()-begun)
		if problem != nil {
			t.Logf("%s: %v; lost %v; missing %v; absent %v", parts[1], problem, u.Lost, u.Missing, u.Absent)
			continue
		}
		best := map[string]string{} // of each kernel of the source, the reason of its best instance
		for _, k := range kernels {
			if k.Unchecked != "" || u.Elsewhere(k.Name) {
				continue
			}
			k = k.Loaded()
			why := ""
			switch {
			case k.Problem != nil:
				why = k.Problem.Construct
			case os.Getenv("GRADINE_PATHS") != "":
				if _, p := k.Search(encode.Group); p != nil {
					why = "paths: " + p.Construct
				}
			}
			place := fmt.Sprint(k.Line)
			if old, ok := best[place]; !ok || old != "" {
				best[place] = why
			}
		}
		seen := min(n, len(best))
		if seen < n {
			t.Logf("%s: %d of %d kernels in the module; lost %v; missing %v; absent %v", parts[1], seen, n, u.Lost, u.Missing, u.Absent)
		}
		compiledKernels += seen
		for place, why := range best {
			if why == "" {
				continue
			}
			key := quotedIn.ReplaceAllString(why, "…")
			cost[key]++
			example[key] = parts[1] + ":" + place + " " + why
		}
		good := 0
		for _, why := range best {
			if why == "" {
				good++
			}
		}
		read += min(n, good)
	}
	t.Logf("%d kernels, %d in modules, %d read: %.1f %% of all, %.1f %% of those in modules", total, compiledKernels, read, percent(read, total), percent(read, compiledKernels))
	if slices.Sort(took); len(took) > 0 {
		t.Logf("%d files take %v of processors at the median, %v at the 99th percentile", len(took), took[len(took)/2].Round(time.Millisecond), took[len(took)*99/100].Round(time.Millisecond))
	}
	for _, why := range slices.SortedFunc(maps.Keys(cost), func(a, b string) int { return 1000*(cost[b]-cost[a]) + strings.Compare(a, b) }) {
		t.Logf("%3d %s (%s)", cost[why], why, example[why])
	}
}
