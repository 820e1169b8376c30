package project

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/runner"
	"github.com/gradine/gradine/gpu/space"
	"github.com/gradine/gradine/internal/config"
)

// What the table of a kernel says of its arguments, as a rig gives them to the device.

// buffer is an argument in global memory that is compared.
type buffer struct {
	name      string
	kind      runner.Type
	argument  int
	expected  string // file of the results of the reference
	tolerance float64
}

// local is an argument whose size depends on the configuration.
type local struct {
	argument int
	kind     runner.Type
	size     *space.Expression
}

// mostData bounds the bytes of a buffer.
const mostData = 4 << 30

// arguments prepares what the kernel is called with.
func (rig *Rig) arguments(parameters []llvm.Param, tableDir, dir string) error {
	used := map[string]bool{}
	for i, p := range parameters {
		used[p.Name] = true
		d, described := rig.table.Data[p.Name]
		v, integer := rig.table.Arguments[p.Name]
		if described && integer {
			return fmt.Errorf("%s: %s is in arguments as well", rig.table.At("data", p.Name), p.Name)
		}
		a, err := runner.Argument{}, error(nil)
		switch {
		case integer:
			a, err = integerArgument(p, v)
		case !described:
			err = fmt.Errorf("it has no value: write [data.%s] with type and size for a buffer, or with type and value", p.Name)
		case d.Size != nil:
			a, err = rig.buffer(i, p, d, tableDir, dir)
		default:
			a, err = valueArgument(p, d)
		}
		if err != nil {
			return fmt.Errorf("%s: parameter %s of the kernel: %w", rig.table.At("data", p.Name), p.Name, err)
		}
		rig.launch.Arguments = append(rig.launch.Arguments, a)
	}
	for name := range rig.table.Data {
		if !used[name] {
			return fmt.Errorf("%s: the kernel has no parameter %s", rig.table.At("data", name), name)
		}
	}
	if len(rig.buffers) == 0 {
		return fmt.Errorf("%s: no buffer has output = true, so that no result can be compared", rig.table.At("data"))
	}
	return nil
}

// integerArgument is an integer as the kernel takes it.
func integerArgument(p llvm.Param, v int64) (runner.Argument, error) {
	if p.Type.Kind != llvm.Int || p.Type.Bits%8 != 0 || p.Type.Bits > 64 {
		return runner.Argument{}, errors.New("arguments are integers; describe other data under [data]")
	}
	bits := p.Type.Bits
	if bits < 64 && (v < -1<<(bits-1) || v >= 1<<bits) {
		return runner.Argument{}, fmt.Errorf("%d does not fit into %d bits", v, bits)
	}
	out := make([]byte, bits/8)
	for i := range out {
		out[i] = byte(uint64(v) >> (8 * i))
	}
	return runner.Argument{Kind: runner.Value, Value: out}, nil
}

// valueArgument is a number that a table describes.
func valueArgument(p llvm.Param, d config.KernelData) (runner.Argument, error) {
	t, err := typeOf(d)
	switch {
	case err != nil:
		return runner.Argument{}, err
	case d.Value == nil:
		return runner.Argument{}, errors.New("it needs a size, if it is a buffer, or a value")
	case p.Type.Kind != llvm.Int && p.Type.Kind != llvm.Float || int64(p.Type.Bits) != 8*t.Bytes || (p.Type.Kind == llvm.Float) != t.Float:
		return runner.Argument{}, fmt.Errorf("the kernel does not take a %s there", t.Name)
	case d.Seed != nil || d.Range != nil || d.File != "" || d.Output || d.Tolerance != nil || d.Local:
		return runner.Argument{}, errors.New("a value has only type and value")
	}
	value, err := t.Encode(*d.Value)
	return runner.Argument{Kind: runner.Value, Value: value}, err
}

func typeOf(d config.KernelData) (runner.Type, error) {
	var names []string
	for _, t := range runner.Types {
		if t.Name == d.Type {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return runner.Type{}, fmt.Errorf("unknown type %q; use one of %s", d.Type, strings.Join(names, ", "))
}

// localSpace is the address space of memory that a block shares, in IR for all targets of clang.
const localSpace = 3

// buffer prepares a buffer: its first content is the same in all configurations.
func (rig *Rig) buffer(i int, p llvm.Param, d config.KernelData, tableDir, dir string) (runner.Argument, error) {
	none := runner.Argument{}
	t, err := typeOf(d)
	if err != nil {
		return none, err
	}
	if p.Type.Kind != llvm.Pointer || p.Attrs.Has("byval") {
		return none, errors.New("the kernel takes no pointer there")
	}
	size, err := space.Parse(fmt.Sprint(d.Size))
	if err != nil {
		return none, err
	}
	if d.Local != (p.Type.Space == localSpace) {
		return none, errors.New("local = true is for pointers to local memory, and they need it")
	}
	if d.Local {
		if d.Value != nil || d.Seed != nil || d.Range != nil || d.File != "" || d.Output || d.Tolerance != nil {
			return none, errors.New("local memory has only type and size")
		}
		rig.locals = append(rig.locals, local{i, t, size})
		return runner.Argument{Kind: runner.Local}, nil
	}
	count, err := size.Value(rig.sizes(nil))
	if err != nil {
		return none, err
	}
	if count < 1 || count > mostData/t.Bytes {
		return none, fmt.Errorf("%d elements are not between 1 and %d", count, mostData/t.Bytes)
	}
	// Contents are written to files once, so that each configuration begins with the same bytes, in a process of its own.
	a := runner.Argument{Kind: runner.Buffer, Bytes: count * t.Bytes, File: filepath.Join(dir, fmt.Sprintf("in%d", i))}
	if err := fill(d, t, count, tableDir, a.File); err != nil {
		return none, err
	}
	if !d.Output {
		if d.Tolerance != nil {
			return none, errors.New("tolerance is for results, which have output = true")
		}
		return a, nil
	}
	a.Out = filepath.Join(dir, fmt.Sprintf("out%d", i))
	b := buffer{name: p.Name, kind: t, argument: i, expected: filepath.Join(dir, fmt.Sprintf("expected%d", i)), tolerance: map[int64]float64{4: 1e-5, 8: 1e-10}[t.Bytes]}
	if d.Tolerance != nil {
		if b.tolerance = *d.Tolerance; !t.Float || !(b.tolerance >= 0) || math.IsInf(b.tolerance, 0) {
			return none, errors.New("tolerance is a number from 0, for floating-point results: integers are compared exactly")
		}
	}
	rig.buffers = append(rig.buffers, b)
	return a, nil
}

// fill writes the first content of a buffer.
func fill(d config.KernelData, t runner.Type, count int64, tableDir, to string) error {
	// A file must have exactly the size of the buffer: what was missing would be whatever memory had before.
	ways := 0
	for _, given := range []bool{d.Value != nil, d.Seed != nil, d.File != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways > 1:
		return errors.New("its content is one of value, seed and file")
	case d.Range != nil && (d.Seed == nil || !(d.Range[0] < d.Range[1])):
		return errors.New("range has two numbers, low and high, for random elements: they need a seed")
	case d.File != "":
		name := d.File
		if !filepath.IsAbs(name) {
			name = filepath.Join(tableDir, name)
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.Size() != count*t.Bytes {
			return fmt.Errorf("%s has %d bytes, and %d elements of %s have %d", d.File, info.Size(), count, t.Name, count*t.Bytes)
		}
		return copyFile(name, to)
	case d.Seed != nil:
		f := runner.Fill{Random: true, Seed: uint64(*d.Seed), Low: 0, High: 100}
		if t.Float {
			f.High = 1
		}
		if d.Range != nil {
			f.Low, f.High = d.Range[0], d.Range[1]
		}
		return f.Write(to, t, count)
	}
	f := runner.Fill{}
	if d.Value != nil {
		f.Constant = *d.Value
	}
	return f.Write(to, t, count)
}

// copyFile keeps what a buffer has at first, so that it is the same in all configurations whatever becomes of the file.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = out.ReadFrom(in)
	return errors.Join(err, out.Close())
}

// sizes are the names that sizes of buffers may mention, with the parameters of a configuration, if there is one.
func (rig *Rig) sizes(c *space.Configuration) map[string]int64 {
	of := map[string]int64{}
	for n, v := range rig.space.Fixed {
		of[n] = v
	}
	for n, v := range rig.table.Arguments {
		of[n] = v
	}
	if c != nil {
		for i, p := range rig.space.Parameters {
			of[p.Name] = c.Values[i]
		}
	}
	return of
}
