package clang

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBehind: a source that only compiles where another file includes it is compiled there, and the answer says so.
func TestBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("sources that others include are compiled in the long form of the tests")
	}
	compilers := installed(t)
	c := compilers[len(compilers)-1]
	const kernel = "__global__ void k(cell *a) { a[threadIdx.x] = SIZE; }\n"
	const main = "typedef int cell;\n#define SIZE 3\n__global__ void before(int *a) { a[0] = 1; }\n#include \"k.cu\"\nint main() { int x = k; }\n"
	for name, test := range map[string]struct {
		files        map[string]string
		before, main string
		kernels      int
	}{
		"an includer":                 {map[string]string{"main.cu": main}, "main.cu", "", 1},
		"one in the folder above":     {map[string]string{"src/k.cu": kernel, "all.cpp": strings.Replace(main, "k.cu", "src/k.cu", 1)}, "all.cpp", "src/k.cu", 1},
		"the nearest":                 {map[string]string{"src/k.cu": kernel, "all.cu": "#include \"src/k.cu\"\n", "src/main.cu": main}, "src/main.cu", "src/k.cu", 1},
		"two that differ":             {map[string]string{"main.cu": main, "other.cu": "typedef long cell;\n#define SIZE 4\n#include \"k.cu\"\n"}, "", "", 0},
		"two places":                  {map[string]string{"main.cu": "typedef int cell;\n#define SIZE 3\n#include \"k.cu\"\n#define k k2\n#undef SIZE\n#define SIZE 4\n#include \"k.cu\"\n"}, "", "", 0},
		"two places of one text":      {map[string]string{"src/k.cu": "#pragma once\n" + kernel, "all.cu": strings.Replace(main, "k.cu", "src/k.cu", 1) + "#include \"src/k.cu\"\n"}, "all.cu", "src/k.cu", 1},
		"one that does not help":      {map[string]string{"main.cu": "#include \"k.cu\"\n"}, "", "", 0},
		"one that only names it":      {map[string]string{"main.cu": "// #include \"k.cu\"\n"}, "", "", 0},
		"one of another file":         {map[string]string{"main.cu": "typedef int cell;\n#define SIZE 3\n#include \"kk.cu\"\n", "kk.cu": "\n"}, "", "", 0},
		"a header":                    {map[string]string{"main.h": main}, "", "", 0},
		"a source that needs no help": {map[string]string{"main.cu": main, "k.cu": "typedef int cell;\n#define SIZE 3\n" + kernel}, "", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if test.main == "" {
				test.main = "k.cu"
			}
			if test.files[test.main] == "" {
				test.files[test.main] = kernel
			}
			for name, text := range test.files {
				at := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			u, err := c.Compile(t.Context(), Source{Dir: dir, File: test.main, Language: CUDA}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			own := 0
			for _, e := range u.Kernels {
				if !u.Elsewhere(e.Name) {
					own++
				}
			}
			if own != test.kernels || own+len(u.Absent) != 1 || u.Before != test.before || u.Source != test.main {
				t.Errorf("%d kernels, absent %v, behind %q of source %q, want %d, %q, %q", own, u.Absent, u.Before, u.Source, test.kernels, test.before, test.main)
			}
			if name == "two places" && !strings.Contains(u.Absent[0].Why, "main.cu includes this file in several places") {
				t.Errorf("absent %v", u.Absent)
			}
			if test.before == "" {
				return
			}
			if u.Files[test.before] == "" || !strings.Contains(strings.Join(u.Assumed(), "\n"), test.before) {
				t.Errorf("files %v, assumed %v", u.Files, u.Assumed())
			}
			read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) }
			if why := u.Differs(Options{}, read); why != "" {
				t.Error(why)
			}
			if err := os.WriteFile(filepath.Join(dir, test.before), []byte("typedef long cell;\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if why := u.Differs(Options{}, read); why == "" {
				t.Error("a change of the file that includes the source is not seen")
			}
		})
	}
}
