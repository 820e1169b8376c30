//go:build unix

package runner

import (
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// twice computes out[i] = 2 * in[i] + plus, and misbehaves as macros say.
const twice = `__kernel void twice(__global int *out, __global const int *in, int plus, __local int *tmp) {
  int i = get_global_id(0);
#ifdef HANG
  volatile __global int *stop = out;
  while (stop[0] != 12345) ;
#endif
#ifdef CRASH
  *(volatile __global int *)(in + 100000000000L) = 1;
#endif
#ifdef BEYOND
  ((__global int *)in)[64 + (i & 1)] = 7;
#endif
#ifdef BEFORE
  if (i == 5) ((__global int *)in)[-1 - 16383 * FAR] = 7;
#endif
#ifdef WRONG
  plus++;
#endif
#ifdef PRINT
  printf("{\"device\":\"mine\",\"times\":[1]}\n");
#endif
  tmp[get_local_id(0)] = in[i];
  out[i] = 2 * tmp[get_local_id(0)] + plus;
}
`

// twiceLaunch is a launch of 64 elements.
func twiceLaunch(t *testing.T, dir, source string, options ...string) Launch {
	t.Helper()
	in := filepath.Join(dir, "in")
	if err := (Fill{Random: true, Seed: 1, High: 1000}).Write(in, Types[4], 64); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "zero")
	if err := (Fill{}).Write(out, Types[4], 64); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "twice")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return Launch{
		Source: path, Kernel: "twice", Options: options, Block: [3]int64{16, 1, 1}, Grid: [3]int64{4, 1, 1}, Warmup: 1, Repeat: 3,
		Arguments: []Argument{{Kind: Buffer, Bytes: 256, File: out, Out: filepath.Join(dir, "out")}, {Kind: Buffer, Bytes: 256, File: in}, {Kind: Value, Value: []byte{3, 0, 0, 0}}, {Kind: Local, Bytes: 64}},
	}
}

// ints are those of a file.
func ints(t *testing.T, path string) (out []int32) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(data) >= 4; data = data[4:] {
		out = append(out, int32(binary.LittleEndian.Uint32(data)))
	}
	return out
}

// checkTwice looks at the results of a launch that succeeded.
func checkTwice(t *testing.T, l Launch) {
	t.Helper()
	in := ints(t, l.Arguments[1].File)
	for _, file := range []string{l.Arguments[0].Out, l.Arguments[0].Last()} {
		got := ints(t, file)
		for i := range in {
			if got[i] != 2*in[i]+3 {
				t.Fatalf("%s: element %d is %d, want %d", file, i, got[i], 2*in[i]+3)
			}
		}
	}
}

// openCL is a runner on the OpenCL runtime of this computer, or skips the test.
func openCL(t *testing.T, limits Limits) (*Runner, string) {
	t.Helper()
	dir := t.TempDir()
	r, err := New(t.Context(), OpenCL, dir, "", limits)
	if err != nil {
		t.Skip(err)
	}
	return r, dir
}

// TestOpenCL: results and times come back; each configuration that fails says how, and the next one runs.
func TestOpenCL(t *testing.T) {
	r, dir := openCL(t, Limits{Time: time.Minute, Memory: 4 << 30})
	if r.Device.Name == "" || r.Device.Driver == "" {
		t.Errorf("%+v", r.Device)
	}
	run := func(change func(*Launch), options ...string) ([]float64, *Failure) {
		t.Helper()
		l := twiceLaunch(t, dir, twice, options...)
		if change != nil {
			change(&l)
		}
		times, failure, err := r.Run(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		if failure == nil && len(options) == 0 {
			checkTwice(t, l)
		}
		return times, failure
	}
	if times, failure := run(nil); failure != nil || len(times) != 3 {
		t.Errorf("%v, %v", times, failure)
	}
	// What a kernel prints is no answer.
	if times, failure := run(nil, "-DPRINT"); failure != nil || len(times) != 3 {
		t.Errorf("%v, %v", times, failure)
	}
	if testing.Short() {
		return
	}
	for _, c := range []struct {
		stage, why string
		change     func(*Launch)
		options    []string
	}{
		{"compilation", "", nil, []string{"-Dtwice=<"}},
		{"arguments", "", func(l *Launch) { l.Arguments = l.Arguments[:3] }, nil},
		{"launch", "", func(l *Launch) { l.Block[0] = 1 << 20 }, nil},
		{"crash", "", nil, []string{"-DCRASH"}},
		// Such kernels have right results, and may crash in the next launch.
		{"out of bounds", "byte 0 behind the buffer of argument 1", nil, []string{"-DBEYOND"}},
		{"out of bounds", "1 before the buffer of argument 1", nil, []string{"-DBEFORE", "-DFAR=0"}},
		{"out of bounds", "65533 before the buffer of argument 1", nil, []string{"-DBEFORE", "-DFAR=1"}},
	} {
		if _, failure := run(c.change, c.options...); failure == nil || failure.Stage != c.stage || !strings.Contains(failure.Why, c.why) {
			t.Errorf("%s %v: %v", c.stage, c.options, failure)
		}
	}
	r.limits.Time = time.Second
	if _, failure := run(nil, "-DHANG"); failure == nil || failure.Stage != "time limit" {
		t.Errorf("time limit: %v", failure)
	}
	r.limits.Time = time.Minute
	if _, failure := run(nil); failure != nil {
		t.Errorf("after those that failed: %v", failure)
	}
	r.limits.Memory = 16 << 20 // the runtime itself needs more
	if times, failure, err := r.Run(t.Context(), twiceLaunch(t, dir, twice)); failure == nil && err == nil {
		t.Errorf("times %v within 16 MB", times)
	}
	if _, err := New(t.Context(), OpenCL, t.TempDir(), "no such device", Limits{time.Minute, 4 << 30}); err == nil || !strings.Contains(err.Error(), `no device whose name contains "no such device"`) {
		t.Errorf("%v", err)
	}
}

// TestCUDA runs on fakes of libcuda and libnvrtc, which have the same functions, and compile a kernel for the host.
func TestCUDA(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("a C compiler is not installed")
	}
	libraries := t.TempDir()
	for name, source := range map[string]string{"libcuda.so.1": "cuda.c", "libnvrtc.so": "nvrtc.c"} {
		out, err := exec.CommandContext(t.Context(), compiler, "-shared", "-fPIC", "-o", filepath.Join(libraries, name), filepath.Join("testdata", source), "-ldl").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	t.Setenv("LD_LIBRARY_PATH", libraries)
	dir := t.TempDir()
	r, err := New(t.Context(), CUDA, dir, "", Limits{Time: time.Minute, Memory: 4 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Device{"Fake GPU", "12.4", "CUDA"}); r.Device != want {
		t.Errorf("%+v", r.Device)
	}
	run := func(options ...string) ([]float64, *Failure) {
		t.Helper()
		l := twiceLaunch(t, dir, "the fake knows what to do", options...)
		l.Arguments = l.Arguments[:3]
		times, failure, err := r.Run(context.Background(), l)
		if err != nil {
			t.Fatal(err)
		}
		if failure == nil {
			checkTwice(t, l)
		}
		return times, failure
	}
	// The fake takes as many milliseconds as its macro says.
	if times, failure := run("-DMS=7"); failure != nil || len(times) != 3 || times[0] != 7 {
		t.Errorf("%v, %v", times, failure)
	}
	for option, stage := range map[string]string{"-DREFUSE": "compilation", "-DLAUNCH": "launch", "-DFAULT": "run", "-DBEYOND": "out of bounds", "-DBEFORE": "out of bounds", "-DCRASH": "crash", "-DFULL": "allocation"} {
		if _, failure := run("-DMS=7", option); failure == nil || failure.Stage != stage {
			t.Errorf("%s: %v", stage, failure)
		}
	}
	t.Setenv("FAKE_DEVICES", "0")
	if _, err := New(t.Context(), CUDA, dir, "", Limits{Time: time.Minute, Memory: 4 << 30}); err == nil || !strings.Contains(err.Error(), "no device") {
		t.Errorf("without a device: %v", err)
	}
}
