package project

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/runner"
	"github.com/gradine/gradine/gpu/space"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/tune/loop"
)

// Rig is a kernel set up on the device at hand, with its data: it measures configurations.
type Rig struct {
	Device    runner.Device
	Names     []string // of the parameters
	Reference []string // the configuration that others are compared with
	Every     int      // configurations between two measurements of the reference

	on         *runner.Runner
	dir        string // of its files
	table      *config.SizedTable
	launch     runner.Launch
	buffers    []buffer
	by         map[string]space.Configuration
	space      *space.Space
	locals     []local
	digest     string
	parameters []llvm.Param
	expects    bool // the reference has run
}

const (
	defaultSeconds = 30
	defaultMemory  = 8 << 10 // MB
	defaultRepeat  = 7
	defaultEvery   = 8
)

// Rig sets a kernel up on the device at hand. Its files are in dir, a folder that exists. The error says what the
// table lacks, or what is to be installed.
func (src KernelSource) Rig(ctx context.Context, counted *Counted, dir string) (*Rig, error) {
	table, err := src.sized(counted.Size)
	if err != nil {
		return nil, err
	}
	runtime := map[clang.Language]runner.Runtime{clang.OpenCL: runner.OpenCL, clang.CUDA: runner.CUDA}[clang.LanguageOf(src.File)]
	if runtime == "" {
		return nil, fmt.Errorf("%s: only kernels of CUDA (.cu) and OpenCL (.cl) are run", src.File)
	}
	if counted.Space.Template != "" {
		return nil, fmt.Errorf("%s: kernels with arguments of a template are counted, but not run: write a kernel without them that calls the template", table.At("kernel_name"))
	}
	// The runner comes last, since it needs the device: errors of the table are told without one.
	rig := &Rig{table: table, dir: dir, space: counted.Space, by: map[string]space.Configuration{}, Every: cmp.Or(table.Run.Every, defaultEvery)}
	for _, p := range counted.Space.Parameters {
		rig.Names = append(rig.Names, p.Name)
	}
	for _, row := range counted.Rows {
		rig.by[strings.Join(texts(row.Values), "\t")] = row.Configuration
	}
	if err := rig.reference(counted); err != nil {
		return nil, err
	}
	if rig.launch.Source, err = filepath.Abs(src.File); err != nil {
		return nil, err
	}
	rig.launch.Kernel, rig.parameters = counted.Kernel, counted.Parameters
	rig.launch.Repeat, rig.launch.Warmup = cmp.Or(table.Run.Repeat, defaultRepeat), 1
	if table.Run.Warmup != nil {
		rig.launch.Warmup = *table.Run.Warmup
	}
	if table.Run.Repeat < 0 || rig.launch.Warmup < 0 || table.Run.Every < 0 || table.Run.Seconds < 0 || table.Run.Memory < 0 {
		return nil, fmt.Errorf("%s: no number in [run] may be negative", table.At("run"))
	}
	if err := rig.arguments(counted.Parameters, filepath.Dir(src.Table), dir); err != nil {
		return nil, err
	}
	limits := runner.Limits{
		Time:   time.Duration(cmp.Or(table.Run.Seconds, defaultSeconds) * float64(time.Second)),
		Memory: cmp.Or(table.Run.Memory, defaultMemory) << 20,
	}
	if rig.on, err = runner.New(ctx, runtime, dir, table.Run.Device, limits); err != nil {
		return nil, err
	}
	rig.Device = rig.on.Device
	return rig, rig.identify(src)
}

// sized is the table for a size.
func (src KernelSource) sized(size []config.NamedSize) (*config.SizedTable, error) {
	table, err := seam.Read(src.Table, func() (*config.KernelTable, error) { return config.ReadKernelTable(src.Table) })
	if err != nil {
		return nil, err
	}
	all, err := table.Sizes()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(t *config.SizedTable) bool { return slices.Equal(t.Size, size) })
	if i < 0 {
		return nil, fmt.Errorf("%s: the table has changed: a size is no longer there", src.Table)
	}
	return all[i], nil
}

// texts are the values of a configuration as answers have them.
func texts(values []int64) (out []string) {
	for _, v := range values {
		out = append(out, strings.Replace(strconv.FormatInt(v, 10), "-", "−", 1))
	}
	return out
}

// reference finds the configuration that others are compared with.
func (rig *Rig) reference(counted *Counted) error {
	if rig.table.Reference == nil {
		rig.Reference = texts(counted.Rows[0].Values)
		return nil
	}
	var values []int64
	for _, name := range rig.Names {
		v, ok := rig.table.Reference[name]
		if !ok {
			return fmt.Errorf("%s: the reference has no value of %s", rig.table.At("reference"), name)
		}
		values = append(values, v)
	}
	if len(values) != len(rig.table.Reference) {
		return fmt.Errorf("%s: the reference names something that is no parameter; parameters: %s", rig.table.At("reference"), strings.Join(rig.Names, ", "))
	}
	rig.Reference = texts(values)
	if _, ok := rig.by[strings.Join(rig.Reference, "\t")]; !ok {
		return fmt.Errorf("%s: the reference is not a valid configuration", rig.table.At("reference"))
	}
	return nil
}

// identify makes the name of what is measured: measurements of another source, kernel, reference, device, driver or
// other data are not these. More values of a parameter, or other restrictions, leave measurements as they are, unless
// they change the reference: what failed and what did not was decided by its results.
func (rig *Rig) identify(src KernelSource) error {
	h := sha256.New()
	text, err := door.File(src.File)
	if err != nil {
		return err
	}
	t := rig.table
	table, err := json.Marshal([]any{rig.launch.Kernel, rig.Names, rig.Reference, t.Defines, t.ProblemSize, t.Blocks, t.GridDivX, t.GridDivY, t.GridDivZ, t.Shared, t.Arguments, t.Include, t.Std, t.Data})
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%d\n%s\n%s\n", len(text), text, table)
	for _, a := range rig.launch.Arguments {
		if a.Kind == runner.Buffer {
			if err := hashFile(h, a.File); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(h, "%s\n%s\n%s\n", rig.Device.Name, rig.Device.Driver, rig.Device.Runtime)
	rig.digest = hex.EncodeToString(h.Sum(nil)[:8])
	return nil
}

// Digest names what is measured.
func (rig *Rig) Digest() string { return rig.digest }

// Configuration is that of some values of the parameters.
func (rig *Rig) Configuration(at []string) (space.Configuration, error) {
	c, ok := rig.by[strings.Join(at, "\t")]
	if !ok {
		return c, fmt.Errorf("%s is not a configuration of the table", strings.Join(at, " "))
	}
	return c, nil
}

// Options are what a compiler is told of a configuration.
func (rig *Rig) options(c space.Configuration) (out []string) {
	for _, m := range rig.space.Macros(c) {
		out = append(out, "-D"+m)
	}
	dir := filepath.Dir(rig.launch.Source)
	for _, include := range append([]string{"."}, rig.table.Include...) {
		if !filepath.IsAbs(include) {
			include = filepath.Join(dir, include)
		}
		out = append(out, "-I"+rig.unspaced(include))
	}
	if rig.table.Std != "" {
		prefix := "-std="
		if strings.HasPrefix(strings.ToUpper(rig.table.Std), "CL") {
			prefix = "-cl-std="
		}
		out = append(out, prefix+rig.table.Std)
	}
	return out
}

// unspaced is a folder under a name without spaces, which OpenCL takes for the ends of options.
func (rig *Rig) unspaced(folder string) string {
	if !strings.ContainsAny(folder, " \t") {
		return folder
	}
	name := filepath.Join(rig.dir, fmt.Sprintf("include-%.16x", sha256.Sum256([]byte(folder))))
	if err := os.Symlink(folder, name); err != nil && !errors.Is(err, os.ErrExist) {
		return folder // the compiler says that it is not found
	}
	return name
}

// Measure runs a configuration, and compares its results with those of the reference, which has to run first.
func (rig *Rig) Measure(ctx context.Context, at []string) (loop.Result, error) {
	c, err := rig.Configuration(at)
	if err != nil {
		return loop.Result{}, err
	}
	l := rig.launch
	l.Block, l.Grid, l.Dynamic, l.Options = c.Block, c.Grid, c.Dynamic, rig.options(c)
	l.Arguments = slices.Clone(l.Arguments)
	for _, x := range rig.locals {
		count, err := x.size.Value(rig.sizes(&c))
		if err != nil || count < 1 {
			return loop.Result{Failed: fmt.Sprintf("arguments: local memory of %d elements (%v)", count, err)}, nil
		}
		l.Arguments[x.argument].Bytes = count * x.kind.Bytes
	}
	// The first run of the reference writes the results that all others are compared with; later runs of it are compared, too.
	reference := slices.Equal(at, rig.Reference)
	if !reference && !rig.expects {
		return loop.Result{}, errors.New("there is nothing to compare results with: the reference has not run")
	}
	times, failure, err := rig.on.Run(ctx, l)
	switch {
	case err != nil:
		return loop.Result{}, err
	case failure != nil:
		return loop.Result{Failed: failure.Error()}, nil
	}
	if why := rig.compare(l, reference && !rig.expects); why != nil {
		return loop.Result{Failed: why.Error()}, nil
	}
	rig.expects = true
	return loop.Result{Times: times}, nil
}

// compare says what is wrong with the results of a launch. The first ones are kept, as what others are to be.
func (rig *Rig) compare(l runner.Launch, first bool) error {
	written := false
	for _, b := range rig.buffers {
		a := l.Arguments[b.argument]
		if first {
			if err := runner.Finite(a.Out, b.kind); err != nil {
				return fmt.Errorf("results: %s: %w", b.name, err)
			}
			changed, err := runner.Changed(a.Out, a.File, b.kind)
			if err != nil {
				return fmt.Errorf("results: %s: %w", b.name, err)
			}
			written = written || changed
			if err := os.Rename(a.Out, b.expected); err != nil {
				return err
			}
		} else if err := runner.Compare(a.Out, b.expected, b.kind, b.tolerance); err != nil {
			return fmt.Errorf("wrong results: %s: %w", b.name, err)
		}
		// A race need not show at once: the last launch has the same results.
		if err := runner.Compare(a.Last(), b.expected, b.kind, b.tolerance); err != nil {
			return fmt.Errorf("wrong results after more launches: %s: %w", b.name, err)
		}
	}
	if first && !written {
		return errors.New("results: the kernel changes no output, so that nothing can be compared: give outputs another content")
	}
	return nil
}

func hashFile(h io.Writer, name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(h, in)
	return err
}

// Scalars are the values of the parameters that are no pointers, in their order, as far as they are integers; others
// are *.
func (rig *Rig) Scalars() (out []string) {
	for _, p := range rig.parameters {
		if p.Type.Kind == llvm.Pointer {
			continue
		}
		if v, ok := rig.table.Arguments[p.Name]; ok {
			out = append(out, strconv.FormatInt(v, 10))
		} else {
			out = append(out, "*")
		}
	}
	return out
}
