package project

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
)

// textFile is a file of a model or of kernels among the sources of a project.
type textFile struct {
	name string
	text []byte
}

// kernels is what was read of such a file.
type kernels struct {
	text     []byte
	launch   string // what gradine.toml says of kernels
	plain    bool   // it was read from its text alone
	models   []*encode.Model
	files    []*lang.File
	problems diag.List
}

// IsKernel reports whether a file of this name holds kernels, by its ending.
func IsKernel(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".cl" || ext == ".cu"
}

// kinds are the files that count in a folder. Kernels do where gradine.toml names the
// folder: elsewhere a folder of models may hold programs that were not asked about.
func (p *Project) kinds() []func(string) bool {
	if p.Config == nil {
		return []func(string) bool{IsText, isRodin}
	}
	return []func(string) bool{IsText, isRodin, IsKernel}
}

func (p *Project) hasKernels(dir string) bool {
	names, _ := modelFiles(os.DirFS(dir), ".", IsKernel)
	return p.Config != nil && len(names) > 0
}

// launch is what gradine.toml says of the launch of kernels.
func launch(c *config.Config) (encode.Options, error) {
	opts := encode.Options{Kernels: map[string]encode.Options{}}
	if c == nil {
		return opts, nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Kernel)) {
		k := c.Kernel[name]
		var own encode.Options
		err := own.Check(k.Checks...)
		for _, size := range [][2]string{{"--local_size=", k.LocalSize}, {"--num_groups=", k.NumGroups}} {
			if err == nil && size[1] != "" {
				err = own.Set(size[0] + size[1])
			}
		}
		if err != nil {
			return opts, fmt.Errorf("%s: kernel.%s: %w", c.At("kernel", name), name, err)
		}
		if k.Reader != "" && k.Reader != string(gpu.CReader) && k.Reader != string(gpu.LLVMReader) {
			return opts, fmt.Errorf("%s: kernel.%s: reader %q: c and llvm are readers", c.At("kernel", name), name, k.Reader)
		}
		own.Reader, own.Instances, own.Flags, own.Dir = k.Reader, k.Instances, k.Flags, cmp.Or(c.Dir, ".")
		if k.IR != "" {
			own.IR = filepath.Join(own.Dir, filepath.FromSlash(k.IR))
		}
		opts.Kernels[name] = own
	}
	return opts, nil
}

// readKernels makes machines of the kernels of p, which takes a search for invariants.
// A kernel without a machine is a problem, so that p is not verified.
func (p *Project) readKernels(ctx context.Context, store *proofstore.Store) error {
	how, err := launch(p.Config)
	if err != nil {
		return err
	}
	for _, k := range p.kernels {
		read, err := p.opener.machines(ctx, k, how, store)
		if err != nil {
			return err
		}
		p.Files = append(p.Files, read.files...)
		p.Problems.Append(&read.problems)
		p.Kernels = append(p.Kernels, read.models...)
	}
	p.kernels = nil
	return nil
}

// Machines are the machines of the kernels of one file, launched as the gradine.toml
// nearest to it says, and what is wrong with the file.
func (x *Opener) Machines(name string) ([]*encode.Model, []diag.Diagnostic, error) {
	text, err := x.text(name)
	if err != nil {
		return nil, nil, err
	}
	how, err := x.Launch(name)
	if err != nil {
		return nil, nil, err
	}
	read, err := x.machines(x.context(), textFile{name, text}, how, x.Store)
	return read.models, read.problems.Sorted(), err
}

// Launch is what the gradine.toml nearest to a file says of the launch of kernels.
func (x *Opener) Launch(name string) (encode.Options, error) {
	found := config.Find(filepath.Dir(name))
	if found == "" {
		return encode.Options{}, nil
	}
	c, err := x.config(found)
	if err != nil {
		return encode.Options{}, err
	}
	return launch(c)
}

// machines reads a file of kernels, or returns what came of it when it was read last.
func (x *Opener) machines(ctx context.Context, k textFile, launch encode.Options, store *proofstore.Store) (kernels, error) {
	said := fmt.Sprint(launch.Kernels)
	last, ok := x.kernels[k.name]
	if ok && bytes.Equal(last.text, k.text) && last.launch == said && last.plain {
		return last, nil
	}
	opts := gpu.Options{Launch: launch, Discharge: discharge.Options{Store: store}}
	ir, differs, err := x.committed(ctx, k, launch)
	var models []*encode.Model
	var remarks []gpu.Remark
	// Committed IR that no longer fits its file is a problem of the file. Nothing is compiled in its place.
	switch {
	case err != nil:
		return kernels{}, err
	case len(differs) > 0:
		for _, why := range differs {
			remarks = append(remarks, gpu.Remark{Code: encode.NotUnderstood, Problem: &encode.Problem{File: k.name, Line: 1, Col: 1, Construct: why}})
		}
	case ir != nil:
		models, remarks, err = gpu.ModuleMachines(ctx, k.name, k.text, ir, opts)
	default:
		models, remarks, err = gpu.Machines(ctx, k.name, k.text, opts)
	}
	if err != nil {
		return kernels{}, err
	}
	// Committed IR can change without the text, so only what was read from the text alone may be used again.
	read := kernels{text: k.text, launch: said, plain: ir == nil && len(differs) == 0, models: models}
	for _, r := range remarks {
		read.problems.Add(encode.Diagnostic(r.Code, r.Problem, k.text))
	}
	for _, m := range models {
		read.files = append(read.files, m.Tree(k.text))
	}
	if x.kernels == nil {
		x.kernels = map[string]kernels{}
	}
	x.kernels[k.name] = read
	return read, nil
}

// kernelOf is what was read of the kernel that m was made of; nil if m is none of a kernel.
func (p *Project) kernelOf(m *model.Machine) *encode.Model {
	i := slices.IndexFunc(p.Kernels, func(k *encode.Model) bool { return k.Name == m.Name })
	if i < 0 {
		return nil
	}
	return p.Kernels[i]
}

// Values that exploring the machine of a kernel takes, unless others are given: those of
// what is read from memory, and those of its parameters and sizes, of which the least that
// the axioms allow is taken, and with which loops are entered.
var (
	readValues      = explore.Bounds{Low: -2, High: 3}
	parameterValues = explore.Bounds{Low: 2, High: 66}
)

// launchSetup makes the machine of a kernel finite: two threads that differ, and few values
// of what is read.
func launchSetup(kernel *encode.Model, machine *model.Machine, s Scope, setup *explore.Setup) error {
	if _, ok := setup.Bounds[""]; !ok {
		setup.Bounds[""] = readValues
		for _, c := range machine.Contexts {
			for _, constant := range c.Constants {
				if _, ok := setup.Bounds[constant.Name]; !ok {
					setup.Bounds[constant.Name] = parameterValues
				}
			}
		}
	}
	if kernel.Apart == "" { // one thread alone
		return nil
	}
	apart, err := s.Predicate(kernel.Apart)
	setup.Given = append(setup.Given, apart)
	return err
}

// OfKernel says how little was looked at of a kernel in a bounded search of its machine, and
// who looks at all; it is empty if m is the machine of no kernel.
func (p *Project) OfKernel(m *model.Machine, setup explore.Setup) string {
	kernel := p.kernelOf(m)
	if kernel == nil {
		return ""
	}
	b := setup.Bounds[""]
	return fmt.Sprintf("  bounded: two threads, and integers %s‥%s (or as many next to a bound); --instances and --integers take others;\n  gradine kernel %s is about all of them\n", minus(b.Low), minus(b.High), filepath.ToSlash(kernel.File))
}

func minus(i int) string { return strings.ReplaceAll(fmt.Sprint(i), "-", "−") }

// Source is the text of a file.
type Source struct{ File, Text string }

// KernelSources are the files of the kernels that p has machines of.
func (p *Project) KernelSources() []Source {
	var out []Source
	for _, m := range p.Kernels {
		if !slices.ContainsFunc(out, func(s Source) bool { return s.File == m.File }) {
			out = append(out, Source{m.File, string(p.Source(m.File))})
		}
	}
	return out
}

// configuredKernels wants what gradine.toml says of kernels to be about kernels that there are.
func configuredKernels(projects []*Project) error {
	c := projects[0].Config
	var kernels []string
	for _, opened := range projects {
		for _, m := range opened.Kernels {
			kernels = append(kernels, m.Kernel, clang.Base(m.Kernel)) // a template by its name, too
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Kernel)) {
		if !slices.Contains(kernels, name) {
			return fmt.Errorf("%s: kernel.%s: no project has a kernel %s; %s", c.At("kernel", name), name, name, insteadOf(name, kernels))
		}
	}
	return nil
}
