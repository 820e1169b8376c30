package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/BurntSushi/toml"
)

// KernelTable says how a kernel is tuned: the table next to its source. The keys are those of Kernel
// Tuner where it has them.
type KernelTable struct {
	Kernel       string             `toml:"kernel_name"`      // as the source has it; "": the only one
	Parameters   map[string][]int64 `toml:"tune_params"`      // macros and their values
	Defines      map[string]Numbers `toml:"defines"`          // macros that are the same in all configurations
	Restrictions []string           `toml:"restrictions"`     // which configurations there are
	ProblemSize  any                `toml:"problem_size"`     // in up to three dimensions: numbers or expressions
	Blocks       []string           `toml:"block_size_names"` // threads of a block; default block_size_x, block_size_y, block_size_z
	GridDivX     []string           `toml:"grid_div_x"`       // default: the threads of the block
	GridDivY     []string           `toml:"grid_div_y"`       //
	GridDivZ     []string           `toml:"grid_div_z"`       //
	Shared       string             `toml:"smem_args"`        // bytes of shared memory that the host adds
	Arguments    map[string]Numbers `toml:"arguments"`        // integers that the kernel is called with
	Loops        map[string]int64   `toml:"loops"`            // line → how often a loop runs that data end
	Device       string             `toml:"device"`           // name or file
	Include      []string           `toml:"include"`          // folders with included files
	Std          string             `toml:"std"`              // version of the language
	Figures      map[string]int64   `toml:"figures"`          // of the device, in place of those of its file

	Data      map[string]KernelData `toml:"data"`      // what other parameters of the kernel are called with, to run it
	Reference map[string]int64      `toml:"reference"` // the configuration whose results are right; default: the first
	Run       KernelRun             `toml:"run"`       // how it is measured

	Order []string   `toml:"-"` // the parameters, in the order of the file
	sized []toml.Key // defines and arguments with several values, in the order of the file
	text  string
	path  string
}

// KernelData is an argument of a kernel: a buffer if it has a size, a value otherwise.
type KernelData struct {
	Type      string      `toml:"type"`      // of its elements, such as float
	Size      any         `toml:"size"`      // elements: a number, or an expression over defines and arguments
	Value     *float64    `toml:"value"`     // of all elements; default 0
	Seed      *int64      `toml:"seed"`      // random elements
	Range     *[2]float64 `toml:"range"`     // of random elements: default 0 to 1, of integers 0 to 100
	File      string      `toml:"file"`      // its bytes
	Output    bool        `toml:"output"`    // the kernel writes it: compared with the reference
	Tolerance *float64    `toml:"tolerance"` // of floating-point results
	Local     bool        `toml:"local"`     // in local memory of OpenCL
}

// KernelRun says how configurations are measured.
type KernelRun struct {
	Device  string  `toml:"device"`    // part of the name that the runtime gives it; "": the first
	Seconds float64 `toml:"seconds"`   // limit of a configuration, its compilation included
	Memory  int64   `toml:"memory_mb"` // limit of its process
	Warmup  *int    `toml:"warmup"`    // launches before those that are timed
	Repeat  int     `toml:"repeat"`    // launches that are timed
	Every   int     `toml:"control"`   // configurations between two measurements of the reference
}

// At is the place of a key, for messages.
func (t *KernelTable) At(key ...string) string {
	return fmt.Sprintf("%s:%d", t.path, lineOf(t.text, key))
}

// ReadKernelTable reads the table of a kernel. Errors name the place.
func ReadKernelTable(path string) (*KernelTable, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseKernelTable(path, data)
}

// ParseKernelTable reads the text of the table of a kernel.
func ParseKernelTable(path string, data []byte) (*KernelTable, error) {
	var all map[string]any
	meta, err := toml.Decode(string(data), &all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if key, err := misfit(nil, all, reflect.TypeFor[KernelTable]()); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, lineOf(string(data), key), err)
	}
	table := &KernelTable{path: path, text: string(data)}
	if _, err := toml.Decode(string(data), table); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, key := range meta.Keys() {
		if len(key) == 2 && key[0] == "tune_params" && !slices.Contains(table.Order, key[1]) {
			table.Order = append(table.Order, key[1])
		}
		if len(key) == 2 && (key[0] == "defines" || key[0] == "arguments") && len(table.numbers(key)) > 1 {
			table.sized = append(table.sized, key)
		}
	}
	return table, nil
}

// Device are the figures of a device.
type Device struct {
	Name    string            `toml:"name"`
	Figures map[string]Figure `toml:"figures"`
}

// Figure is a number of a device: with its public source, measured with bounds, or assumed between bounds.
type Figure struct {
	Value    int64  `toml:"value"`
	Low      int64  `toml:"low"`
	High     int64  `toml:"high"`
	Source   string `toml:"source"`
	Measured string `toml:"measured"` // the day, the device and its driver
	Assumed  string `toml:"assumed"`
}

// kinds are the ways in which a figure is known.
func (f Figure) kinds() (n int) {
	for _, s := range []string{f.Source, f.Measured, f.Assumed} {
		if s != "" {
			n++
		}
	}
	return n
}

// ParseDevice reads the figures of a device.
func ParseDevice(path string, data []byte) (*Device, error) {
	var all map[string]any
	if _, err := toml.Decode(string(data), &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if key, err := misfit(nil, all, reflect.TypeFor[Device]()); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, lineOf(string(data), key), err)
	}
	d := new(Device)
	if _, err := toml.Decode(string(data), d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Figures)) {
		f := d.Figures[name]
		at := fmt.Sprintf("%s:%d: figure %s", path, lineOf(string(data), toml.Key{"figures", name}), name)
		switch {
		case f.kinds() != 1:
			return nil, fmt.Errorf("%s needs one of source, measured and assumed", at)
		case f.Source == "" && !(f.Low <= f.Value && f.Value <= f.High && f.Low > 0):
			return nil, fmt.Errorf("%s is assumed or measured, and needs 0 < low ≤ value ≤ high", at)
		case f.Value <= 0:
			return nil, fmt.Errorf("%s is %d, and not positive", at, f.Value)
		}
	}
	return d, nil
}

// ReadDevice reads the figures of a device from a file.
func ReadDevice(path string) (*Device, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseDevice(path, data)
}
