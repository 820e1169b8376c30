package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/gpu/launch"
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
	arguments                             []string // NAME=N
	reader                                string
	verbose                               bool
	allLaunches, kernelsOnly, anyDim      bool
	summary                               bool
	baseline, accept                      string // a file of accepted findings, and a reason to accept all others

	accepting bool // --accept is given

	compile compileFlags
	shards  flags.Prove // --shard, -o and --from
}

func (r *run) kernelCommand() *cobra.Command {
	var f kernelFlags
	var local, groups string
	c := &cobra.Command{
		Use:   "kernel FILE…",
		Short: "Prove GPU kernels free of races and barrier divergence",
		Long: `Reads GPU kernels (.cl, .cu, .cuh, .hip, and LLVM IR as .ll). Proves that each kernel has no data races, no
barrier divergence and no failing assertions, for every launch that the sizes allow.

The verdict is safe, unsafe, possible (refuted in a state that the invariants allow), open, or unsupported.
Sizes come from flags, from [kernel.NAME] in gradine.toml, or from a line //--local_size=64 --num_groups=8 in
the file. Sizes that are not given are arbitrary.

With --bounded, runs the kernels on one NDRange instead; a run without a failure proves nothing. With
--conditions, searches for launch conditions under which the kernels are safe. With --barriers, reports
unnecessary and missing barriers. With --counts, prints formulas for the number of memory accesses of a thread.
If the sizes of a launch are known, or with --reader llvm, counts the operations of a block in LLVM IR instead,
as gradine tune does. --reader c always selects the formulas.

With --emit-ll, compiles the files (.cu, .cuh, .hip, .cl) with clang and writes LLVM IR to a folder. Each file
starts with a record of the compiler, the flags, and the digests of all project files that were compiled.`,
		Example: "  gradine kernel kernel.cl\n  gradine kernel --local-size 64 --num-groups 8 kernel.cl\n  gradine kernel --barriers kernel.cl",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.accepting = c.Flags().Changed("accept")
			if local != "" {
				f.launch = append(f.launch, "--local_size="+local)
			}
			if groups != "" {
				f.launch = append(f.launch, "--num_groups="+groups)
			}
			return r.kernels(args, f)
		},
	}
	c.Flags().StringVar(&local, "local-size", "", "work-group size in each dimension: `SIZES` such as 64 or 16,16 (*: any size)")
	c.Flags().StringVar(&groups, "num-groups", "", "number of work-groups in each dimension: `SIZES` such as 8 or 4,4")
	c.Flags().StringSliceVar(&f.checks, "checks", nil, "run these additional `CHECKS`: bounds, overflow")
	c.Flags().StringArrayVarP(&f.launch, "define", "D", nil, "define a macro: `NAME=VALUE`")
	c.Flags().BoolVar(&f.bounded, "bounded", false, "run the kernels on one NDRange instead of proving them")
	c.Flags().BoolVar(&f.conditions, "conditions", false, "search for launch conditions under which the kernels are safe")
	c.Flags().BoolVar(&f.barriers, "barriers", false, "report unnecessary and missing barriers")
	c.Flags().BoolVar(&f.counts, "counts", false, "count operations and memory accesses, for timing models")
	c.Flags().StringArrayVar(&f.arguments, "argument", nil, "with --counts: give an integer parameter a value, `NAME=N`")
	c.Flags().StringVar(&f.reader, "reader", "", "use this `READER`: c, or llvm (compiles with clang)")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "show the messages of clang, and the answers of the other reader if they differ")
	c.Flags().BoolVar(&f.allLaunches, "all-launches", false, "require that kernels are safe for all launches, not only for the launches in the file")
	c.Flags().BoolVar(&f.anyDim, "any-dimension", false, "also judge three-dimensional launches of kernels that have no sizes and use only ids in x")
	c.Flags().BoolVar(&f.kernelsOnly, "kernels-only", false, "omit undecided host programs and functions that no kernel calls")
	c.Flags().StringVar(&f.baseline, "baseline", "", "read accepted findings from `FILE`; these findings do not fail the run")
	c.Flags().StringVar(&f.accept, "accept", "", "with --baseline: accept all findings, for this `REASON`, and write them to the file")
	c.Flags().BoolVar(&f.summary, "summary", false, "print one line per file: how many kernels have which verdict")
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
	if h := f.compile.host; h != "" && clang.HostLanguageOf(h) == "" {
		return flags.Usagef("--host %s: use a file of C or C++: .c, .cc, .cpp or .cxx", h)
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
	if out.Baseline, err = r.readBaseline(f); err != nil {
		return err
	}
	out.Summary = f.summary
	for _, name := range files {
		if ext := filepath.Ext(name); clang.LanguageOf(name) == "" && ext != ".ll" {
			return flags.Usagef("%s is not a kernel file: use .cl, .cu, .cuh, .hip or .ll", name)
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
		asked := gpu.Options{Launch: here, Discharge: asked, AllLaunches: f.allLaunches, AnyDimension: f.anyDim}
		asked.Discharge.Faulted = func(why string) { r.fault(name, why) }
		if f.conditions || f.barriers || f.counts {
			if err := r.advise(name, src, asked, f); err != nil {
				return err
			}
			continue
		}
		judge := func() ([]gpu.Report, error) { return r.read(name, src, asked, f) }
		if f.bounded {
			judge = func() ([]gpu.Report, error) {
				source, err := r.source(name, src, asked, f)
				return gpu.RunBounded(r.ctx, source, asked), err
			}
		}
		reports, err := judge()
		if err != nil {
			return err
		}
		if f.kernelsOnly {
			reports = gpu.OfKernels(reports)
		}
		for _, k := range reports {
			if !f.verbose {
				k.Other = ""
			}
			accepted, err := out.Put(k, src)
			if err != nil {
				return err
			}
			if k.Fault != "" {
				r.fail(exitInternal)
			}
			if accepted {
				continue // the verdict is told, and its findings are, with their reasons
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
	if err := r.endBaseline(out.Baseline, f); err != nil {
		return err
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
		return flags.Usagef("--format sarif is for verdicts only; use text or jsonl")
	}
	ask := gpu.Barriers
	switch {
	case f.conditions:
		ask = gpu.Conditions
	case f.counts:
		if block, err := r.blockCounts(name, src, opts, f); err != nil || block != nil {
			return r.sayAdvice(block, err)
		}
		ask = gpu.Counts
	}
	source, err := r.source(name, src, opts, f)
	if err != nil {
		return err
	}
	return r.sayAdvice(ask(r.ctx, source, opts), nil)
}

// sayAdvice prints advice, unless there is an error.
func (r *run) sayAdvice(found []gpu.Advice, err error) error {
	if err != nil {
		return err
	}
	for _, a := range found {
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

// blockCounts counts what a block does, from LLVM IR, where the sizes of a launch are known or the reader llvm is asked
// for; nil if neither is so.
func (r *run) blockCounts(name string, src []byte, opts gpu.Options, f kernelFlags) ([]gpu.Advice, error) {
	chosen := gpu.Reader(f.reader)
	if !slices.Contains([]gpu.Reader{gpu.EitherReader, gpu.CReader, gpu.LLVMReader}, chosen) {
		return nil, flags.Usagef("unknown --reader %q: use c or llvm", f.reader)
	}
	arguments := map[string]int64{}
	for _, a := range f.arguments {
		key, text, _ := strings.Cut(a, "=")
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil || key == "" {
			return nil, flags.Usagef("--argument %q: write NAME=N, with an integer", a)
		}
		arguments[key] = n
	}
	inFile, unknown := launch.HeaderOptions(src)
	sized := sizedLaunch(opts.Launch.With(inFile))
	for _, own := range opts.Launch.Kernels {
		sized = sized || sizedLaunch(own)
	}
	// Counts are read from IR. Plain C without sizes of a launch has none to show, and needs no compiler for saying so.
	module := filepath.Ext(name) == ".ll"
	if chosen == gpu.CReader || chosen == gpu.EitherReader && !sized && !module && asC(name) {
		if len(arguments) > 0 {
			return nil, flags.Usagef("--argument is for counts of one launch: give --local-size and --num-groups, and no --reader c")
		}
		return nil, nil
	}
	if unknown != "" {
		return nil, modelErrorf("%s: %s", name, unknown)
	}
	u := &clang.Unit{IR: src}
	if !module {
		compiler, err := clang.Find(r.ctx, f.compile.clang)
		if err != nil {
			return nil, modelErrorf("%s: %w", name, err)
		}
		if u, err = r.compiled(compiler, name, encode.Options{Kernels: opts.Launch.Kernels}, f); err != nil {
			if r.ctx.Err() != nil || errors.As(err, new(flags.Usage)) || errors.As(err, new(modelError)) {
				return nil, err
			}
			return []gpu.Advice{{File: name, Line: 1, Col: 1, Verdict: gpu.Unsupported, What: "not found", Text: err.Error()}}, nil
		}
	}
	out, err := gpu.BlockCounts(r.ctx, name, u, opts.Launch, inFile, arguments)
	if err != nil {
		return nil, flags.Usagef("--argument: %s: %w", name, err)
	}
	return out, nil
}

// sizedLaunch reports whether options are those of one launch: a size may also be any one.
func sizedLaunch(o launch.Options) bool {
	return o.Local[0] > 0 && (o.Groups[0] > 0 || o.Global[0] > 0)
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
