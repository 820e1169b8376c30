package runner

import (
	"context"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/process"
)

//go:embed c/*.c c/*.h
var sources embed.FS

// Runtime is what launches kernels.
type Runtime string

// The runtimes.
const (
	OpenCL Runtime = "opencl"
	CUDA   Runtime = "cuda"
)

// Device is what runs kernels, as its runtime names it.
type Device struct {
	Name    string `json:"device"`
	Driver  string `json:"driver"`  // version
	Runtime string `json:"runtime"` // with its version
}

// Limits bound the process of each configuration.
type Limits struct {
	Time   time.Duration
	Memory int64 // bytes that the host writes to; that of the device has limits of its own
}

// Runner runs launches on a device.
type Runner struct {
	runtime Runtime
	binary  string
	dir     string // of requests and answers
	wanted  string // part of the name of the device
	limits  Limits
	Device  Device
}

// mostAnswer bounds the answer of a runner, and what a kernel prints, in bytes.
const mostAnswer = 1 << 20

// New builds the runner in the folder dir, which it keeps its files in, and finds the device whose name has a part,
// "" for the first. The error says what is missing, and what to install.
func New(ctx context.Context, runtime Runtime, dir, wanted string, limits Limits) (*Runner, error) {
	if strings.ContainsAny(wanted, "\n") || strings.ContainsAny(dir, "\n") {
		return nil, errors.New("a line break in the name of a device or folder")
	}
	compiler, err := cCompiler()
	if err != nil {
		return nil, err
	}
	r := &Runner{runtime: runtime, binary: filepath.Join(dir, "runner"), dir: dir, wanted: wanted, limits: limits}
	for _, name := range []string{"request.h", string(runtime) + ".c"} {
		text, err := sources.ReadFile("c/" + name)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	// The runner is C and finds the driver at run time, so that gradine itself needs neither.
	args := []string{"-std=c11", "-D_DEFAULT_SOURCE", "-O1", "-o", r.binary, filepath.Join(dir, string(runtime)+".c"), "-ldl"}
	out, err := process.Run(ctx, process.Command{Path: compiler, Args: args, Dir: dir, Env: r.environment(), Time: time.Hour, Processor: time.Minute, Memory: 2 << 30, Output: mostAnswer})
	if err != nil {
		return nil, err
	}
	if out.Failed {
		return nil, fmt.Errorf("%s does not build the runner: %s", compiler, strings.TrimSpace(out.Stderr))
	}
	answer, failure, err := r.ask(ctx, []string{"device " + wanted})
	switch {
	case err != nil:
		return nil, err
	case failure != nil:
		return nil, errors.New(failure.Why)
	}
	r.Device = answer.Device
	return r, nil
}

// cCompiler finds a compiler of C.
func cCompiler() (string, error) {
	names := []string{"cc", "clang", "gcc"}
	for version := 21; version >= 14; version-- {
		names = append(names, fmt.Sprintf("clang-%d", version))
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no C compiler is installed, which builds the runner: install clang or gcc")
}

// environment is that of this process: users choose devices and libraries there. Caches of drivers stay in the folder.
func (r *Runner) environment() []string {
	return append(os.Environ(), "TMPDIR="+r.dir, "POCL_CACHE_DIR="+r.dir, "CUDA_CACHE_DISABLE=1")
}

// Kind is how an argument is passed.
type Kind string

// The kinds of arguments.
const (
	Buffer Kind = "buffer" // in global memory
	Local  Kind = "local"  // in local memory of OpenCL
	Value  Kind = "value"
)

// Argument is one of a launch.
type Argument struct {
	Kind  Kind
	Bytes int64
	File  string // of a buffer: its first content
	Out   string // of a buffer: the file that its content is written to after the first launch; "": it is not
	Value []byte // of a value
}

// Last is the file of the content after the last launch.
func (a Argument) Last() string { return a.Out + ".last" }

// Launch is one configuration.
type Launch struct {
	Source      string // path
	Kernel      string
	Options     []string // of the compiler of the runtime
	Block, Grid [3]int64
	Dynamic     int64
	Arguments   []Argument
	Warmup      int
	Repeat      int // launches that are timed
}

// Failure is why a configuration has no times.
type Failure struct {
	Stage string // compilation, arguments, allocation, launch, run, out of bounds, time limit, crash, output
	Why   string // in the words of the runtime
}

func (f *Failure) Error() string {
	if f.Why == "" {
		return f.Stage
	}
	return f.Stage + ": " + f.Why
}

// answer is what a runner says.
type answer struct {
	Device
	Times  []float64 `json:"times"` // milliseconds
	Failed string    `json:"failed"`
	Why    string    `json:"why"`
}

// Run runs a launch in a process of its own: its times in milliseconds, or why it has none. The error is about the
// device or the request, and not about the configuration.
func (r *Runner) Run(ctx context.Context, l Launch) (times []float64, failure *Failure, err error) {
	lines := []string{
		"device " + r.wanted, "source " + l.Source, "kernel " + l.Kernel,
		fmt.Sprintf("block %d %d %d", l.Block[0], l.Block[1], l.Block[2]), fmt.Sprintf("grid %d %d %d", l.Grid[0], l.Grid[1], l.Grid[2]),
		fmt.Sprintf("dynamic %d", l.Dynamic), fmt.Sprintf("warmup %d", l.Warmup), fmt.Sprintf("repeat %d", l.Repeat),
	}
	for _, o := range l.Options {
		lines = append(lines, "option "+o)
	}
	for _, a := range l.Arguments {
		switch a.Kind {
		case Buffer:
			lines = append(lines, fmt.Sprintf("buffer %d", a.Bytes), "in "+a.File)
			if a.Out != "" {
				lines = append(lines, "out "+a.Out)
				// What an earlier configuration has left is no result of this one.
				if err := errors.Join(forget(a.Out), forget(a.Last())); err != nil {
					return nil, nil, err
				}
			}
		case Local:
			lines = append(lines, fmt.Sprintf("local %d", a.Bytes))
		default:
			lines = append(lines, "value "+hex.EncodeToString(a.Value))
		}
	}
	if slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "\n") }) {
		return nil, nil, errors.New("a path, a name or an option has a line break")
	}
	found, failure, err := r.ask(ctx, lines)
	switch {
	case err != nil || failure != nil:
		return nil, failure, err
	case found.Device != r.Device:
		return nil, nil, fmt.Errorf("the device has changed: it was %s, and is %s now", r.Device.Name, found.Device.Name)
	case len(found.Times) != l.Repeat:
		return nil, &Failure{Stage: "crash", Why: "the runner ended without an answer"}, nil
	}
	for _, t := range found.Times {
		if !(t > 0) {
			return nil, &Failure{Stage: "run", Why: "the device's clock says that a launch took no time"}, nil
		}
	}
	return found.Times, nil, nil
}

func forget(file string) error {
	if err := os.Remove(file); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// ask runs the runner with a request. What a configuration does to its process is a failure of it.
func (r *Runner) ask(ctx context.Context, lines []string) (*answer, *Failure, error) {
	request, file := filepath.Join(r.dir, "request"), filepath.Join(r.dir, "answer")
	// An old answer must not be taken for that of this request.
	if err := errors.Join(forget(file), os.WriteFile(request, []byte(strings.Join(lines, "\n")+"\n"), 0o600)); err != nil {
		return nil, nil, err
	}
	out, err := process.Run(ctx, process.Command{
		Path: r.binary, Args: []string{request, file}, Dir: r.dir, Env: r.environment(),
		Time: r.limits.Time, Memory: r.limits.Memory, Reserved: true, Output: mostAnswer,
	})
	stopped, _ := errors.AsType[*process.Stopped](err)
	// Only the runner's own failure is an error. Whatever stops its process is a failure of the configuration.
	switch {
	case stopped != nil && stopped.Reason == process.TooLong:
		return nil, &Failure{Stage: "time limit", Why: fmt.Sprintf("stopped after %v", r.limits.Time)}, nil
	case stopped != nil && stopped.Reason == process.TooMuch:
		return nil, &Failure{Stage: "output", Why: "it printed more than 1 MiB"}, nil
	case stopped != nil:
		return nil, &Failure{Stage: "crash", Why: stopped.Signal}, nil
	case err != nil:
		return nil, nil, err
	}
	text, err := door.File(file)
	found := new(answer)
	if err != nil || json.Unmarshal(text, found) != nil {
		return nil, &Failure{Stage: "crash", Why: strings.TrimSpace("the runner ended without an answer\n" + out.Stderr)}, nil
	}
	switch found.Failed {
	case "":
		return found, nil, nil
	case "request", "device":
		return nil, nil, fmt.Errorf("%s: %s", r.runtime, found.Why)
	}
	return nil, &Failure{Stage: found.Failed, Why: found.Why}, nil
}
