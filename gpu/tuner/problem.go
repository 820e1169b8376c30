// Package tuner reads the formats in which tuners of kernels exchange their work: T1 has the problem, T4 the results.
// Kernel Tuner and KTT write them.
package tuner

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/space"
)

// Problem is a kernel with what is tuned, as a file in format T1 describes it.
type Problem struct {
	KernelFile string // as the file has it: relative to its folder
	Parameters int
	Table      []byte   // the table next to the kernel: what gradine tune reads
	Left       []string // what the file has and the table has not, and why
}

// object is one of JSON, from which what is understood is taken.
type object map[string]json.RawMessage

// take decodes a key and removes it; it reports whether the key was there and not null.
func (o object) take(key string, to any) (bool, error) {
	data, ok := o[key]
	delete(o, key)
	if !ok || string(data) == "null" {
		return false, nil
	}
	if err := json.Unmarshal(data, to); err != nil {
		return true, fmt.Errorf("%s: %w", key, err)
	}
	return true, nil
}

// idle are keys that say nothing about configurations or their launches.
var idle = []string{"General", "BenchmarkName", "Stream", "Profiling", "Default", "SimulationInput"}

// rest names the keys that were not taken.
func (o object) rest(at string) (out []string) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(idle, key) {
			out = append(out, at+key)
		}
	}
	return out
}

type parameter struct {
	name   string
	values []int64
}

// reader makes a table of a problem.
type reader struct {
	parameters []parameter
	sizes      []string // of the problem, by dimension
	head, data strings.Builder
	left       []string
}

// ReadProblem reads a problem in format T1. The error names what is not understood of the parameters, their
// conditions and the launch.
func ReadProblem(text []byte) (*Problem, error) {
	var top object
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, err
	}
	r := &reader{}
	var configurations, kernel object
	for _, x := range []struct {
		key string
		to  *object
	}{{"ConfigurationSpace", &configurations}, {"KernelSpecification", &kernel}} {
		if ok, err := top.take(x.key, x.to); err != nil || !ok {
			return nil, orMissing(err, x.key)
		}
	}
	var conditions []string
	if err := r.readParameters(configurations); err != nil {
		return nil, fmt.Errorf("ConfigurationSpace: %w", err)
	}
	conditions, err := readConditions(configurations)
	if err != nil {
		return nil, fmt.Errorf("ConfigurationSpace: %w", err)
	}
	file, err := r.readKernel(kernel)
	if err != nil {
		return nil, fmt.Errorf("KernelSpecification: %w", err)
	}
	// Keys are removed as they are read, so that what remains is what the table does not have. It is told, and never dropped.
	r.left = slices.Concat(r.left, top.rest(""), configurations.rest("ConfigurationSpace."), kernel.rest("KernelSpecification."))
	if len(conditions) > 0 {
		fmt.Fprintf(&r.head, "restrictions = [\n    %s,\n]\n", strings.Join(quoted(conditions), ",\n    "))
	}
	r.head.WriteString("# device = \"rtx-a6000\" # or: gradine tune --device\n\n[tune_params]\n")
	for _, p := range r.parameters {
		fmt.Fprintf(&r.head, "%s = %s\n", p.name, strings.ReplaceAll(fmt.Sprint(p.values), " ", ", "))
	}
	return &Problem{KernelFile: file, Parameters: len(r.parameters), Table: []byte(r.head.String() + r.data.String()), Left: r.left}, nil
}

func orMissing(err error, key string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("it has no %s", key)
}

func quoted(texts []string) (out []string) {
	for _, t := range texts {
		out = append(out, strconv.Quote(t))
	}
	return out
}

func (r *reader) readParameters(o object) error {
	var all []object
	if ok, err := o.take("TuningParameters", &all); err != nil || !ok {
		return orMissing(err, "TuningParameters")
	}
	for i, p := range all {
		var name, kind, values string
		for _, x := range []struct {
			key string
			to  *string
		}{{"Name", &name}, {"Type", &kind}, {"Values", &values}} {
			if ok, err := p.take(x.key, x.to); err != nil || !ok {
				return fmt.Errorf("TuningParameters[%d]: %w", i, orMissing(err, x.key))
			}
		}
		if !slices.Contains([]string{"int", "uint", "bool"}, kind) {
			return fmt.Errorf("parameter %s is of type %s: only integers are tuned", name, kind)
		}
		list, err := space.Values(values)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
		r.left = append(r.left, p.rest(fmt.Sprintf("parameter %s: ", name))...)
		r.parameters = append(r.parameters, parameter{name, list})
	}
	return nil
}

func readConditions(o object) (out []string, err error) {
	var all []object
	if _, err := o.take("Conditions", &all); err != nil {
		return nil, err
	}
	for i, c := range all {
		var text string
		if ok, err := c.take("Expression", &text); err != nil || !ok {
			return nil, fmt.Errorf("%s[%d]: %w", "Conditions", i, orMissing(err, "Expression"))
		}
		if _, err := space.Parse(text); err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", "Conditions", i, err)
		}
		out = append(out, text)
	}
	return out, nil
}

// dimensions are the keys of sizes.
var dimensions = [3]string{"X", "Y", "Z"}

// texts are the expressions of an object by dimension; what comes behind the last one that is not 1 is left out.
func texts(o object) (out []string, err error) {
	for _, d := range dimensions {
		var e any
		ok, err := o.take(d, &e)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		text, err := textOf(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d, err)
		}
		out = append(out, text)
	}
	for len(out) > 1 && out[len(out)-1] == "1" {
		out = out[:len(out)-1]
	}
	return out, nil
}

// textOf is a number or an expression as text.
func textOf(e any) (string, error) {
	switch v := e.(type) {
	case string:
		_, err := space.Parse(v)
		return v, err
	case float64:
		if v == float64(int64(v)) {
			return strconv.FormatInt(int64(v), 10), nil
		}
	}
	return "", fmt.Errorf("%v is neither an integer nor an expression", e)
}

// readKernel reads the kernel and its launch.
func (r *reader) readKernel(o object) (file string, err error) {
	var language, name string
	for _, x := range []struct {
		key string
		to  *string
	}{{"Language", &language}, {"KernelName", &name}, {"KernelFile", &file}} {
		if ok, err := o.take(x.key, x.to); err != nil || !ok {
			return "", orMissing(err, x.key)
		}
	}
	if !slices.Contains([]string{"CUDA", "OpenCL", "HIP"}, language) {
		return "", fmt.Errorf("%s: %s is not CUDA, OpenCL or HIP", "Language", language)
	}
	fmt.Fprintf(&r.head, "kernel_name = %q\n", name)
	if err := r.readLaunch(o, language); err != nil {
		return "", err
	}
	if err := r.readOptions(o); err != nil {
		return "", err
	}
	return file, r.readArguments(o)
}

// readLaunch reads threads, blocks and shared memory. What Kernel Tuner adds to the format, the size of the problem and
// its divisors, counts before the size of the grid.
func (r *reader) readLaunch(o object, language string) error {
	var local, global object
	if ok, err := o.take("LocalSize", &local); err != nil || !ok {
		return orMissing(err, "LocalSize")
	}
	blocks, err := texts(local)
	if err != nil {
		return fmt.Errorf("LocalSize: %w", err)
	}
	fmt.Fprintf(&r.head, "block_size_names = [%s]\n", strings.Join(quoted(blocks), ", "))
	kind := language
	if _, err := o.take("GlobalSizeType", &kind); err != nil {
		return err
	}
	known, err := o.take("GlobalSize", &global)
	if err != nil {
		return err
	}
	var sizes []any
	if ok, err := o.take("ProblemSize", &sizes); err != nil {
		return err
	} else if ok {
		for d, s := range sizes {
			text, err := textOf(s)
			if err != nil {
				return fmt.Errorf("ProblemSize[%d]: %w", d, err)
			}
			r.sizes = append(r.sizes, text)
		}
		fmt.Fprintf(&r.head, "problem_size = [%s]\n", strings.Join(quoted(r.sizes), ", "))
		for _, d := range dimensions {
			var by []string
			if ok, err := o.take("GridDiv"+d, &by); err != nil {
				return err
			} else if ok {
				fmt.Fprintf(&r.head, "grid_div_%s = [%s]\n", strings.ToLower(d), strings.Join(quoted(by), ", "))
			}
		}
	} else if !known {
		return errors.New("it has neither ProblemSize nor GlobalSize")
	} else {
		grid, err := texts(global)
		if err != nil {
			return fmt.Errorf("GlobalSize: %w", err)
		}
		fmt.Fprintf(&r.head, "problem_size = [%s]\n", strings.Join(quoted(grid), ", "))
		switch kind {
		case "OpenCL": // threads: divided by those of a block
		case "CUDA", "HIP": // blocks
			for d := range grid {
				fmt.Fprintf(&r.head, "grid_div_%s = []\n", strings.ToLower(dimensions[d]))
			}
		default:
			return fmt.Errorf("GlobalSizeType: %s is neither CUDA nor OpenCL", kind)
		}
	}
	var shared int64
	if ok, err := o.take("SharedMemory", &shared); err != nil {
		return err
	} else if ok && shared != 0 {
		fmt.Fprintf(&r.head, "smem_args = \"%d\"\n", shared)
	}
	return nil
}

var macroOption = regexp.MustCompile(`^-D([A-Za-z_]\w*)(?:=(-?\d+))?$`)

// readOptions takes over macros, folders and the version of the language.
func (r *reader) readOptions(o object) error {
	var all []string
	if _, err := o.take("CompilerOptions", &all); err != nil {
		return err
	}
	var defines, include []string
	for _, a := range all {
		if m := macroOption.FindStringSubmatch(a); m != nil {
			if m[2] == "" {
				m[2] = "1"
			}
			defines = append(defines, m[1]+" = "+m[2])
		} else if dir, ok := strings.CutPrefix(a, "-I"); ok && dir != "" {
			include = append(include, dir)
		} else if std, ok := strings.CutPrefix(a, "-std="); ok {
			fmt.Fprintf(&r.head, "std = %q\n", std)
		} else {
			r.left = append(r.left, fmt.Sprintf("compiler option %q", a))
		}
	}
	if len(include) > 0 {
		fmt.Fprintf(&r.head, "include = [%s]\n", strings.Join(quoted(include), ", "))
	}
	if len(defines) > 0 {
		fmt.Fprintf(&r.head, "defines = { %s }\n", strings.Join(defines, ", "))
	}
	return nil
}

// types are those of arguments, as tables of gradine have them.
var types = map[string]string{
	"int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int", "uint32": "uint", "int64": "long", "uint64": "ulong",
	"float": "float", "double": "double",
}

// readArguments takes over integers, on which counts may depend, and buffers, which are for runs.
func (r *reader) readArguments(o object) error {
	var all []object
	if _, err := o.take("Arguments", &all); err != nil {
		return err
	}
	var integers []string
	for i, a := range all {
		name := ""
		if _, err := a.take("Name", &name); err != nil {
			return fmt.Errorf("%s[%d]: %w", "Arguments", i, err)
		}
		if name == "" {
			r.left = append(r.left, fmt.Sprintf("argument %d: it has no name", i))
			continue
		}
		integer, text, err := r.argument(a)
		switch {
		case err != nil:
			r.left = append(r.left, fmt.Sprintf("argument %s: %v", name, err))
		case integer:
			integers = append(integers, name+" = "+text)
		default:
			fmt.Fprintf(&r.data, "\n[data.%s]\n%s", name, text)
		}
	}
	if len(integers) > 0 {
		fmt.Fprintf(&r.head, "arguments = { %s }\n", strings.Join(integers, ", "))
	}
	return nil
}

// argument is the number of an integer, or the description of another argument. The error says why it is left out.
func (r *reader) argument(o object) (integer bool, text string, err error) {
	var kind, memory, special, fill string
	var value, output float64
	var size any
	var seed int64
	seeded := false
	for _, x := range []struct {
		key string
		to  any
	}{{"Type", &kind}, {"MemoryType", &memory}, {"MemType", &special}, {"FillType", &fill}, {"FillValue", &value}, {"Size", &size}, {"RandomSeed", &seed}, {"Output", &output}, {"AccessType", new(string)}} {
		ok, err := o.take(x.key, x.to)
		if err != nil {
			return false, "", err
		}
		seeded = seeded || ok && x.key == "RandomSeed"
	}
	if others := o.rest(""); len(others) > 0 {
		return false, "", fmt.Errorf("%s is not understood", others[0])
	}
	t := types[kind]
	// The cases are KTT's kinds of arguments. What none of them has is refused by name.
	switch {
	case t == "":
		return false, "", fmt.Errorf("type %s is not understood", kind)
	case special == "Constant" || memory == "Symbol":
		return false, "", errors.New("it is a variable in constant memory, and no parameter")
	case memory == "Scalar" && kind != "float" && kind != "double":
		if value != float64(int64(value)) {
			return false, "", fmt.Errorf("%v is no integer", value)
		}
		return true, strconv.FormatInt(int64(value), 10), nil
	case memory == "Scalar":
		return false, fmt.Sprintf("type = %q\nvalue = %s\n", t, number(value)), nil
	case memory != "Vector":
		return false, "", fmt.Errorf("MemoryType %s is not understood", memory)
	}
	elements, err := r.size(size)
	if err != nil {
		return false, "", err
	}
	text = fmt.Sprintf("type = %q\nsize = %d\n", t, elements)
	switch fill {
	case "", "Constant":
		if value != 0 {
			text += "value = " + number(value) + "\n"
		}
	case "Random":
		if !seeded {
			seed = 1
		}
		text += fmt.Sprintf("seed = %d\n", seed)
		if value != 0 && value != 1 {
			text += fmt.Sprintf("range = [0.0, %s]\n", number(value))
		}
	default:
		return false, "", fmt.Errorf("FillType %s is not understood", fill)
	}
	if output != 0 {
		text += "output = true\n"
	}
	return false, text, nil
}

// number is a number with a fraction, as TOML wants it of floating-point ones.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

var (
	sizeOfProblem = regexp.MustCompile(`ProblemSize\s*\[\s*(\d)\s*\]`)
	extreme       = regexp.MustCompile(`\b(max|min)\(\s*([A-Za-z_]\w*)\s*\)`)
)

// size is the number of elements of a buffer: an expression over the size of the problem, parameters with one value,
// and the greatest and least values of others.
func (r *reader) size(e any) (int64, error) {
	text, ok := e.(string)
	if !ok {
		var err error
		if text, err = textOf(e); err != nil {
			return 0, fmt.Errorf("%s: %w", "Size", err)
		}
	}
	text = sizeOfProblem.ReplaceAllStringFunc(text, func(s string) string {
		if d := int(sizeOfProblem.FindStringSubmatch(s)[1][0] - '0'); d < len(r.sizes) {
			return "(" + r.sizes[d] + ")"
		}
		return s
	})
	// A buffer is as large as its largest configuration needs, so that only fixed values and extremes have a meaning.
	values := map[string]int64{}
	for _, p := range r.parameters {
		if len(p.values) == 1 {
			values[p.name] = p.values[0]
		}
	}
	text = extreme.ReplaceAllStringFunc(text, func(s string) string {
		m := extreme.FindStringSubmatch(s)
		for _, p := range r.parameters {
			switch {
			case p.name != m[2] || len(p.values) == 0:
			case m[1] == "max":
				return fmt.Sprint(slices.Max(p.values))
			default:
				return fmt.Sprint(slices.Min(p.values))
			}
		}
		return s
	})
	x, err := space.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", "Size", err)
	}
	n, err := x.Value(values)
	if err == nil && n < 1 {
		err = fmt.Errorf("%q is %d", text, n)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", "Size", err)
	}
	return n, nil
}
