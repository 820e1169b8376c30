package clang

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
)

var (
	definesOf = regexp.MustCompile(`-D(\S+)`)
)

// TestLabelled: the labelled kernels have their entries in the IR, by default as far as
// was measured when the package was written.
func TestLabelled(t *testing.T) {
	if testing.Short() {
		t.Skip("the labelled kernels are compiled in the long form of the tests")
	}
	compilers := installed(t)
	c := compilers[len(compilers)-1]
	for _, x := range compilers {
		if x.Major == 16 {
			c = x
		}
	}
	top := corpus.Path(t, "kernels")
	index, err := os.ReadFile(filepath.Join(top, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range strings.Split(strings.TrimSpace(string(index)), "\n")[1:] {
		name, _, _ := strings.Cut(l, "\t")
		names = append(names, name)
	}
	type got struct{ files, clean, whole int }
	sum := map[Language]got{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	work := make(chan string)
	for range 2 {
		wait.Go(func() {
			for name := range work {
				src, err := os.ReadFile(filepath.Join(top, name))
				if err != nil {
					t.Error(err)
					continue
				}
				var o Options
				for _, l := range strings.SplitN(string(src), "\n", 8) {
					if strings.HasPrefix(l, "//") && strings.Contains(l, "--") {
						for _, m := range definesOf.FindAllStringSubmatch(l, -1) {
							o.Defines = append(o.Defines, "D"+m[1])
						}
					}
				}
				l := LanguageOf(name)
				u, err := c.Compile(t.Context(), Source{Dir: filepath.Join(top, filepath.Dir(name)), File: filepath.Base(name), Language: l}, o)
				mu.Lock()
				s := sum[l]
				if err == nil {
					s.files++
					if len(u.Blanked)+len(u.Lost)+len(u.Missing) == 0 {
						s.clean++
					}
					if len(u.Absent) == 0 && len(u.Kernels) > 0 {
						s.whole++
					}
				}
				if err != nil || len(u.Absent) > 0 || len(u.Kernels) == 0 {
					t.Logf("%s: %v", name, err)
					if u != nil {
						t.Logf("   absent %v\n   lost %v\n   missing %v\n%.600s", u.Absent, u.Lost, u.Missing, u.Messages)
					}
				}
				sum[l] = s
				mu.Unlock()
			}
		})
	}
	for _, name := range names {
		work <- name
	}
	close(work)
	wait.Wait()
	t.Logf("%v: files with IR, without repair, with all kernels: OpenCL %v, CUDA %v", c, sum[OpenCL], sum[CUDA])
	if s := sum[OpenCL]; s.files < 157 || s.whole < 155 {
		t.Errorf("OpenCL: %+v", s)
	}
	if s := sum[CUDA]; s.files < 128 || s.whole < 122 {
		t.Errorf("CUDA: %+v", s)
	}
}
