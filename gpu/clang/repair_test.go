package clang

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// defined are the names of the kernels with an entry in IR, as debug information has them.
func defined(ir string) (out []string) {
	names := map[string]string{}
	for _, m := range program.FindAllStringSubmatch(ir, -1) {
		names[m[3]+":"+m[4]+m[1]] = m[2]
	}
	subprogram := map[string]string{}
	for _, m := range program.FindAllStringSubmatch(ir, -1) {
		subprogram[m[1]] = m[2]
	}
	kernel := map[string]bool{}
	for _, m := range annotated.FindAllStringSubmatch(ir, -1) {
		kernel[strings.Trim(m[1], `"`)] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^define .*?@("[^"]+"|[\w.$]+)\(.*!dbg !(\d+)`).FindAllStringSubmatch(ir, -1) {
		if kernel[strings.Trim(m[1], `"`)] {
			out = append(out, regexp.MustCompile(`<\(lambda.*`).ReplaceAllString(subprogram[m[2]], "<lambda>"))
		}
	}
	slices.Sort(out)
	return out
}

func compiled(t *testing.T, c Compiler, file string) *Unit {
	t.Helper()
	u, err := c.Compile(t.Context(), Source{Dir: "testdata/repair", File: file, Language: LanguageOf(file)}, Options{})
	if err != nil {
		t.Fatalf("%v: %v\n%s", c, err, u.Messages)
	}
	return u
}

// TestHostErrors: statements of the host that fail are blanked, and every launch still
// instantiates its template.
func TestHostErrors(t *testing.T) {
	for _, c := range installed(t) {
		u := compiled(t, c, "host.cu")
		got := strings.Join(defined(string(u.IR)), " ")
		want := "apply<lambda> plain scale<double> scale<float> tile<16> tile<32> tile<64> tile<8>"
		if got != want {
			t.Errorf("%v: kernels %s, want %s\n%v\n%v", c, got, want, u.Blanked, u.Lost)
		}
		if !slices.Equal(u.Missing, []string{"not/there.h", "opencv2/opencv.hpp"}) {
			t.Errorf("%v: missing %q", c, u.Missing)
		}
		if len(u.Blanked) < 10 || u.Messages == "" {
			t.Errorf("%v: blanked %v", c, u.Blanked)
		}
	}
}

// TestDeviceErrors: a function of the device that fails has no body, so that whatever calls
// it can be refused; a name whose declaration fails takes with it what mentions it.
func TestDeviceErrors(t *testing.T) {
	for _, c := range installed(t) {
		u := compiled(t, c, "device.cu")
		got := strings.Join(defined(string(u.IR)), " ")
		if want := "aligned calls good method"; got != want {
			t.Errorf("%v: kernels %s, want %s\n%v", c, got, want, u.Lost)
		}
		for _, f := range []string{`declare .*@_Z6brokenf`, `declare .*@_ZN2OpIfEC`} {
			if !regexp.MustCompile(f).Match(u.IR) {
				t.Errorf("%v: no %s in the IR", c, f)
			}
		}
		var names []string
		for _, l := range u.Lost {
			if l.Kernel {
				names = append(names, l.Name)
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != "bad lambda layout overload" {
			t.Errorf("%v: lost kernels %s\n%v", c, got, u.Lost)
		}
	}
}

// TestUntouched: the source itself is not written to, and nothing is left behind.
func TestUntouched(t *testing.T) {
	c := installed(t)[0]
	t.Setenv("TMPDIR", t.TempDir())
	before, err := os.ReadFile("testdata/repair/host.cu")
	if err != nil {
		t.Fatal(err)
	}
	compiled(t, c, "host.cu")
	if after, _ := os.ReadFile("testdata/repair/host.cu"); string(after) != string(before) {
		t.Error("the source was changed")
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSame: the IR of a source is the same bytes each time, wherever temporary files are.
func TestSame(t *testing.T) {
	c := installed(t)[0]
	first := compiled(t, c, "host.cu")
	t.Setenv("TMPDIR", t.TempDir())
	if second := compiled(t, c, "host.cu"); string(first.IR) != string(second.IR) {
		t.Error("the IR differs")
	}
}
