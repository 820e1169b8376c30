package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

// kernelFlags are the flags of the kernel command.
type kernelFlags struct {
	launch []string // in the spelling of launch.Options.Set
	checks []string

	bounded, conditions, barriers, counts bool
	reader                                string
	verbose                               bool
	allLaunches, kernelsOnly              bool

	compile compileFlags
	shards  flags.Prove // --shard, -o and --from
}

func (r *run) kernelCommand() *cobra.Command {
	var f kernelFlags
	var local, groups string
	c := &cobra.Command{
		Use:   "kernel FILE…",
		Short: "Look for races, divergence and failing assertions in kernels of OpenCL C and CUDA C",
		Long: `Reads kernels (.cl, .cu, and .ll of LLVM), makes a machine of two arbitrary threads of each, and proves
that they neither race nor part at barriers, for every grid that is allowed. The verdict
is safe, unsafe, possible (refuted in a state that the invariants allow), open, or
unsupported. Sizes that are not given, here or in a line //--local_size=64 --num_groups=8
of the file or in [kernel.NAME] of gradine.toml, are arbitrary.

With --bounded, kernels are run on one grid instead, and a run without faults proves nothing; --conditions
looks for conditions of a launch under which they are safe; --barriers says which barriers
are not needed, and where one is missing; --counts counts what a thread accesses.

With --emit-ll, clang compiles the files (.cu, .cuh, .hip, .cl), and the LLVM IR is written to a folder with a record of
what it was made of: compiler, flags, and digests of the files of the project.`,
		Example: "  gradine kernel kernel.cl\n  gradine kernel --local-size 64 --num-groups 8 kernel.cl\n  gradine kernel --barriers kernel.cl",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if local != "" {
				f.launch = append(f.launch, "--local_size="+local)
			}
			if groups != "" {
				f.launch = append(f.launch, "--num_groups="+groups)
			}
			return r.kernels(args, f)
		},
	}
	c.Flags().StringVar(&local, "local-size", "", "threads of a group, by dimension: 64 or 16,16; * for any number")
	c.Flags().StringVar(&groups, "num-groups", "", "groups of the grid, by dimension")
	c.Flags().StringSliceVar(&f.checks, "checks", nil, "check besides: bounds, overflow")
	c.Flags().StringArrayVarP(&f.launch, "define", "D", nil, "define a macro, NAME=VALUE")
	c.Flags().BoolVar(&f.bounded, "bounded", false, "run the kernels on one grid instead of proving them")
	c.Flags().BoolVar(&f.conditions, "conditions", false, "look for conditions of a launch under which the kernels are safe")
	c.Flags().BoolVar(&f.barriers, "barriers", false, "say which barriers are not needed, and where one is missing")
	c.Flags().BoolVar(&f.counts, "counts", false, "count the accesses of a thread between barriers, for a model of their time")
	c.Flags().StringVar(&f.reader, "reader", "", "read kernels as C alone (c), or as clang compiles them (llvm)")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "show what clang says, and answers of the other reader that differ")
	c.Flags().BoolVar(&f.allLaunches, "all-launches", false, "demand that kernels are safe for all launches, besides those in the file")
	c.Flags().BoolVar(&f.kernelsOnly, "kernels-only", false, "leave out host programs that are not decided and functions that no kernel calls")
	f.compile.add(c.Flags())
	f.shards.AddShards(c.Flags())
	f.shards.AddNATS(c.Flags())
	c.MarkFlagsMutuallyExclusive("bounded", "conditions", "barriers", "counts", "emit-ll")
	r.formatFlag(c, "text", "jsonl", "sarif")
	return c
}

// kernels judges the kernels of files, in order.
func (r *run) kernels(files []string, f kernelFlags) (err error) {
	opts, err := f.options()
	if err != nil {
		return err
	}
	if f.compile.emit != "" {
		return r.emit(files, f)
	}
	files, asked, end, err := r.shardKernels(files, f)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			end()
		}
	}()
	endCache, err := r.kernelCache(f.shards, &asked)
	if err != nil {
		return err
	}
	defer endCache()
	endQueue, err := r.openQueue(f.shards, &asked)
	if err != nil {
		return err
	}
	defer endQueue()
	out := report.NewKernels(r.out, r.format, r.path("."), project.TopOf(r.path(".")))
	for _, name := range files {
		if ext := filepath.Ext(name); clang.LanguageOf(name) == "" && ext != ".ll" {
			return flags.Usagef("%s is not a kernel: .cl, .cu, .cuh, .hip and .ll are", name)
		}
		src, err := door.File(r.path(name))
		if err != nil {
			return err
		}
		here := opts
		inToml, err := new(project.Opener).Launch(r.path(name))
		if err != nil {
			return modelError{err}
		}
		here.Kernels, here.Include = inToml.Kernels, r.included(filepath.Dir(r.path(name)))
		asked := gpu.Options{Launch: here, Discharge: asked, AllLaunches: f.allLaunches}
		asked.Discharge.Faulted = func(why string) { r.fault(name, why) }
		if f.conditions || f.barriers || f.counts {
			if err := r.advise(name, src, asked, f); err != nil {
				return err
			}
			continue
		}
		judge := func() ([]gpu.Report, error) { return r.read(name, src, asked, f) }
		if f.bounded {
			judge = func() ([]gpu.Report, error) { return gpu.RunBounded(r.ctx, name, src, asked), nil }
		}
		reports, err := judge()
		if err != nil {
			return err
		}
		for _, k := range reports {
			if f.kernelsOnly && k.Beside() {
				continue
			}
			if !f.verbose {
				k.Other = ""
			}
			if err := out.Put(k); err != nil {
				return err
			}
			if k.Fault != "" {
				r.fail(exitInternal)
			}
			switch k.Verdict {
			case gpu.Unsafe:
				r.fail(exitNo)
			case gpu.Possible, gpu.Open, gpu.Bounded:
				r.fail(exitNoVerdict)
			case gpu.Unsupported:
				r.fail(exitModel)
			}
		}
		if r.ctx.Err() != nil {
			break // what was found is printed
		}
	}
	return out.Close()
}

// included reads what files of a folder include, by a path from where commands run: files of its project alone.
func (r *run) included(dir string) func(path string) []byte {
	top, err := filepath.EvalSymlinks(project.TopOf(dir))
	if err != nil {
		return nil
	}
	return func(path string) []byte {
		name, err := filepath.EvalSymlinks(r.path(filepath.FromSlash(path)))
		if err != nil {
			return nil
		}
		if name, err = filepath.Abs(name); err != nil {
			return nil
		}
		if within, err := filepath.Rel(top, name); err != nil || !filepath.IsLocal(within) {
			return nil
		}
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > mostIncluded {
			return nil
		}
		text, err := door.File(name)
		if err != nil {
			return nil
		}
		return text
	}
}

// mostIncluded bounds the bytes of a file that kernels include.
const mostIncluded = 1 << 20

// advise says what launches, or which barriers, the kernels of a file need, or what they access.
func (r *run) advise(name string, src []byte, opts gpu.Options, f kernelFlags) error {
	if r.format == "sarif" {
		return flags.Usagef("--format sarif is for verdicts; what else is asked is printed as text or jsonl")
	}
	ask := gpu.Barriers
	switch {
	case f.conditions:
		ask = gpu.Conditions
	case f.counts:
		ask = gpu.Counts
	}
	for _, a := range ask(r.ctx, name, src, opts) {
		if err := report.Advice(r.out, a, r.format == "jsonl"); err != nil {
			return err
		}
		switch {
		case a.Verdict == gpu.Unsupported:
			r.fail(exitModel)
		case a.Verdict == gpu.Unsafe:
			r.fail(exitNo)
		case a.Verdict != gpu.Safe:
			r.fail(exitNoVerdict)
		}
	}
	return nil
}

func (f kernelFlags) options() (encode.Options, error) {
	var o encode.Options
	for _, l := range f.launch {
		if !strings.HasPrefix(l, "--") {
			l = "-D" + l
		}
		if err := o.Set(l); err != nil {
			return o, flags.Usagef("%v", err)
		}
	}
	if err := o.Check(f.checks...); err != nil {
		return o, flags.Usagef("%v", err)
	}
	return o, nil
}
