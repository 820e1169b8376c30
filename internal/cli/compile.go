package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/project"
	"github.com/spf13/pflag"
)

// compileFlags are the flags of the kernel command that are about clang.
type compileFlags struct {
	clang    string // path
	host     string // of OpenCL kernels
	emit     string // folder
	database string // compile_commands.json

	undefined []string
	options   clang.Options
}

func (f *compileFlags) add(to *pflag.FlagSet) {
	to.StringVar(&f.emit, "emit-ll", "", "compile with clang and write the LLVM IR of each file to `DIR`; prove nothing")
	to.StringVar(&f.clang, "clang", "", "run `PROGRAM` as clang (default: clang, or the newest clang-NN)")
	to.StringVar(&f.host, "host", "", "read from `FILE`, a C or C++ program, how the OpenCL kernels are launched")
	to.StringVar(&f.options.CUDAPath, "cuda-path", "", "use the CUDA toolkit in `DIR` (default: gradine's own declarations)")
	to.StringVar(&f.database, "compile-commands", "", "take include paths, macros, -std and the GPU from `FILE`, a compile_commands.json")
	to.StringArrayVarP(&f.options.Include, "include-dir", "I", nil, "search `DIR` for included files")
	to.StringArrayVar(&f.options.System, "isystem", nil, "search `DIR` for included files, after the folders of -I")
	to.StringArrayVar(&f.options.Forced, "include", nil, "include `FILE` before each source file")
	to.StringArrayVarP(&f.undefined, "undefine", "U", nil, "undefine the macro `NAME`")
	to.StringVar(&f.options.Std, "std", "", "language `VERSION`, such as c++20 or CL2.0")
	to.StringVar(&f.options.Arch, "cuda-gpu-arch", "", "compile for this `GPU`, such as sm_90 or gfx90a")
	to.StringArrayVar(&f.options.Instances, "instance", nil, "compile `INSTANCE` of a template, such as 'k<float, 256>'")
}

// clangOptions are the options of clang for a file in a project with the top dir: those of the flags come first, then those
// that the file asks for itself, then those of the compilation database.
func (r *run) clangOptions(f kernelFlags, src []byte, kernels launch.Options, file, dir string) (clang.Options, error) {
	o := f.compile.options
	for _, d := range f.launch {
		if !strings.HasPrefix(d, "--") {
			o.Defines = append(o.Defines, "D"+d)
		}
	}
	for _, u := range f.compile.undefined {
		o.Defines = append(o.Defines, "U"+u)
	}
	// Paths of flags are relative to the directory of the command, and in the record relative to the project.
	for _, paths := range []*[]string{&o.Include, &o.System, &o.Forced} {
		var out []string
		for _, p := range *paths {
			out = append(out, r.path(p))
		}
		*paths = out
	}
	if o.CUDAPath != "" {
		o.CUDAPath = r.path(o.CUDAPath)
	}
	o = o.With(gpu.Passed(src, kernels, dir))
	if f.compile.database != "" {
		data, err := door.File(r.path(f.compile.database))
		if err != nil {
			return o, err
		}
		at, err := filepath.Abs(filepath.Dir(r.path(f.compile.database)))
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if err != nil {
			return o, err
		}
		found, err := clang.Database(data, at, filepath.Join(dir, file))
		if err != nil {
			return o, modelErrorf("%s: %w", f.compile.database, err)
		}
		o = o.With(found)
	}
	o = o.Relative(dir)
	if err := o.Check(); err != nil {
		return o, flags.Usagef("%v", err)
	}
	return o, nil
}

// read judges the kernels of a file as C, and as clang compiles them where it is installed.
func (r *run) read(name string, src []byte, asked gpu.Options, f kernelFlags) ([]gpu.Report, error) {
	chosen := gpu.Reader(f.reader)
	if !slices.Contains([]gpu.Reader{gpu.EitherReader, gpu.CReader, gpu.LLVMReader}, chosen) {
		return nil, flags.Usagef("unknown --reader %q: use c or llvm", f.reader)
	}
	if filepath.Ext(name) == ".ll" || chosen == gpu.CReader && asC(name) {
		return gpu.File(r.ctx, name, src, asked), nil
	}
	// A flag decides for all kernels, and gradine.toml for one. Without either both readers answer.
	pick := func(kernel string) gpu.Reader {
		switch own := gpu.Reader(asked.Launch.Kernels[kernel].Reader); {
		case chosen != gpu.EitherReader:
			return chosen
		case !asC(name):
			return gpu.LLVMReader
		default:
			return own
		}
	}
	compiler, err := clang.Find(r.ctx, f.compile.clang)
	var u *clang.Unit
	if err == nil {
		toml := encode.Options{Kernels: asked.Launch.Kernels}
		u, err = r.compiled(compiler, name, toml, f)
	}
	// If clang fails, files of C keep the answer of their own reader, unless clang was asked for.
	switch {
	case r.ctx.Err() != nil || errors.As(err, new(flags.Usage)) || errors.As(err, new(modelError)):
		return nil, err
	case f.compile.clang != "" && u == nil:
		return nil, modelError{err}
	case err != nil && chosen != gpu.LLVMReader && asC(name):
		reports := gpu.Uncompiled(r.ctx, name, src, asked, pick, err.Error())
		if u != nil && slices.ContainsFunc(reports, func(k gpu.Report) bool { return k.Verdict == gpu.Unsupported }) {
			fmt.Fprint(r.err, u.Messages)
		}
		return reports, nil
	case err != nil:
		if u != nil {
			fmt.Fprint(r.err, u.Messages)
		}
		return []gpu.Report{{File: name, Verdict: gpu.Unsupported, Checks: []gpu.Finding{}, Assumed: []string{}, Why: err.Error(), Line: 1, Col: 1}}, nil
	}
	reports := gpu.Readers(r.ctx, name, src, u, r.compileHost(compiler, name, src, asked.Launch, f), asked, pick)
	if f.verbose || slices.ContainsFunc(reports, func(k gpu.Report) bool { return k.Reader != "" }) {
		fmt.Fprint(r.err, u.Messages)
	}
	return reports, nil
}

// source is what the kernels of a file are read from where something else than a verdict is asked for: the text, and, where the reader of C
// does not suffice, what clang makes of it. Without clang, the text alone.
func (r *run) source(name string, src []byte, asked gpu.Options, f kernelFlags) (gpu.Source, error) {
	s := gpu.Source{Name: name, Text: src, Read: gpu.Reader(f.reader)}
	if !slices.Contains([]gpu.Reader{gpu.EitherReader, gpu.CReader, gpu.LLVMReader}, s.Read) {
		return s, flags.Usagef("unknown --reader %q: use c or llvm", f.reader)
	}
	if filepath.Ext(name) == ".ll" || asC(name) && (s.Read == gpu.CReader || s.Read == gpu.EitherReader && s.Complete(asked.Launch)) {
		return s, nil
	}
	compiler, err := clang.Find(r.ctx, f.compile.clang)
	if err == nil {
		s.Unit, err = r.compiled(compiler, name, encode.Options{Kernels: asked.Launch.Kernels}, f)
	}
	switch {
	case err == nil:
	case r.ctx.Err() != nil || errors.As(err, new(flags.Usage)) || errors.As(err, new(modelError)):
		return s, err
	case f.compile.clang != "" || s.Read == gpu.LLVMReader || !asC(name):
		return s, modelError{err}
	default:
		s.Unit = nil
	}
	return s, nil
}

// asC reports whether a file may be one of C, which needs no clang.
func asC(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".cl" || ext == ".cu"
}

// emitted is what is said of IR that was written.
type emitted struct {
	File string `json:"file"`
	IR   string `json:"ir"`
	clang.Record
	Kernels []clang.Entry `json:"kernels"`
}

// emit writes the IR of files.
func (r *run) emit(files []string, f kernelFlags) error {
	if r.format == "sarif" {
		return flags.Usagef("--emit-ll has no --format sarif; use text or jsonl")
	}
	compiler, err := clang.Find(r.ctx, f.compile.clang)
	if err != nil {
		return modelError{err}
	}
	if err := os.MkdirAll(r.path(f.compile.emit), 0o777); err != nil {
		return err
	}
	written := map[string]string{}
	for _, name := range files {
		// Two files with one base name would overwrite each other's IR.
		out := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) + ".ll"
		if other := written[out]; other != "" {
			return flags.Usagef("%s and %s would both be written to %s; use different folders", other, name, out)
		}
		written[out] = name
		inToml, err := new(project.Opener).Launch(r.path(name))
		if err != nil {
			return modelError{err}
		}
		u, err := r.compiled(compiler, name, inToml, f)
		if errors.Is(err, context.Canceled) {
			return err
		}
		if u != nil && u.Messages != "" {
			fmt.Fprint(r.err, u.Messages)
		}
		if err != nil {
			return modelError{err}
		}
		to := filepath.Join(f.compile.emit, out)
		if err := atomic.Write(r.path(to), u.Text(), 0o666); err != nil {
			return err
		}
		r.sayEmitted(emitted{name, filepath.ToSlash(to), u.Record, u.Kernels})
		// A kernel that is absent from its IR must not look as if everything had been written.
		if len(u.Absent) > 0 {
			r.fail(exitModel)
		}
	}
	return nil
}

// compileHost compiles the host part of a file that may launch kernels. It returns nil for a file without launches, and
// where the user gives the sizes: these hold for all kernels, whatever the host does. An error is a reason to know
// nothing of the host, not to fail: kernels can be judged for all launches.
func (r *run) compileHost(compiler clang.Compiler, name string, src []byte, launches launch.Options, f kernelFlags) *gpu.Hosts {
	switch l := clang.LanguageOf(name); {
	case launches.Given:
		return nil
	case l == clang.OpenCL && f.compile.host != "":
		return r.openCLHost(compiler, launches, f)
	case l != clang.CUDA && l != clang.HIP || !clang.Launches(src):
		return nil
	}
	source, err := project.CompiledSource(r.path(name))
	if err != nil {
		return &gpu.Hosts{Why: err.Error()}
	}
	o, err := r.clangOptions(f, src, encode.Options{Kernels: launches.Kernels}, source.File, source.Dir)
	if err != nil {
		return &gpu.Hosts{Why: err.Error()}
	}
	h, err := compiler.CompileHost(r.ctx, source, o)
	if err != nil {
		return &gpu.Hosts{Why: err.Error()}
	}
	return &gpu.Hosts{Host: h}
}

// openCLHost compiles the host that launches kernels of OpenCL: with the folders and macros that the flags say, not with their language.
func (r *run) openCLHost(compiler clang.Compiler, launches launch.Options, f kernelFlags) *gpu.Hosts {
	source, err := project.CompiledSource(r.path(f.compile.host))
	if err != nil {
		return &gpu.Hosts{Why: err.Error()}
	}
	source.Language = clang.HostLanguageOf(f.compile.host)
	o, err := r.clangOptions(f, nil, encode.Options{}, source.File, source.Dir)
	if err != nil {
		return &gpu.Hosts{Why: err.Error()}
	}
	o.Std, o.Arch, o.Instances = "", "", nil
	h, err := compiler.CompileHost(r.ctx, source, o)
	if err != nil {
		return &gpu.Hosts{Why: err.Error()}
	}
	return &gpu.Hosts{Host: h}
}

// compiled compiles a file with clang, seen from the top of its project.
func (r *run) compiled(compiler clang.Compiler, name string, kernels launch.Options, f kernelFlags) (*clang.Unit, error) {
	source, err := project.CompiledSource(r.path(name))
	if err != nil {
		return nil, err
	}
	src, err := source.Read(source.File)
	if err != nil {
		return nil, err
	}
	o, err := r.clangOptions(f, src, kernels, source.File, source.Dir)
	if err != nil {
		return nil, err
	}
	return compiler.Compile(r.ctx, source, o)
}

// sayEmitted tells of IR that was written, and of all that was changed on the way.
func (r *run) sayEmitted(e emitted) {
	if r.format == "jsonl" {
		enc := json.NewEncoder(r.out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e); err != nil {
			r.fail(exitInternal)
		}
		return
	}
	fmt.Fprintf(r.out, "written     %s: %s of %s, by %s\n", e.IR, quantity(len(e.Kernels), "kernel"), e.File, e.Compiler)
	for _, k := range e.Kernels {
		fmt.Fprintf(r.out, "    kernel   %s\n", k.Name)
	}
	// Whatever was replaced or left out is listed: the IR says nothing of it.
	if len(e.Macros) > 0 {
		fmt.Fprintf(r.out, "    macros   %s\n", strings.Join(e.Macros, ", "))
	}
	for _, m := range e.Missing {
		fmt.Fprintf(r.out, "    missing  %s is not found, so an empty file is used\n", m)
	}
	for _, h := range slices.Sorted(maps.Keys(e.Found)) {
		fmt.Fprintf(r.out, "    found    %s: %s\n", h, e.FoundAt(h))
	}
	for _, b := range e.Blanked {
		fmt.Fprintf(r.out, "    blanked  %v\n", b)
	}
	for _, l := range e.Lost {
		fmt.Fprintf(r.out, "    lost     %v\n", l)
	}
	for _, a := range e.Absent {
		fmt.Fprintf(r.out, "unsupported %v\n", a)
	}
}

func quantity(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}
