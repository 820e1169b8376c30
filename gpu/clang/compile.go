package clang

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/internal/process"
)

// Source is a file to compile.
type Source struct {
	Dir      string // where clang runs: paths in the IR and in messages are relative to it
	File     string // relative to Dir
	Language Language
}

// Unit is what clang made of a source.
type Unit struct {
	IR       []byte
	Messages string // of clang, as it wrote them: of the first run
	Kernels  []Entry
	Record
}

// Compile compiles a source. The error says that clang did not run, or that it wrote no IR;
// then the unit has its messages.
func (c Compiler) Compile(ctx context.Context, src Source, o Options) (*Unit, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	j, err := c.begin(src, o)
	if err != nil {
		return nil, err
	}
	defer j.overlay.close()
	if src.Language != OpenCL {
		u, err := j.compile(ctx)
		return c.behind(ctx, j, u, err)
	}
	if o.Std != "" {
		return j.compile(ctx)
	}
	// The oldest version that accepts the source as it is written, or else the oldest.
	for _, std := range standards {
		k := *j
		k.found = map[string]string{}
		k.options.Std, k.strict = std, true
		u, err := k.compile(ctx)
		if err == nil || ctx.Err() != nil {
			return u, err
		}
	}
	return j.compile(ctx)
}

// begin prepares a compilation: the source is not read yet, but for the instances that are added to it.
func (c Compiler) begin(src Source, o Options) (j *job, err error) {
	// Clang sees the folder it runs in by the path without links, and so must the mounts.
	dir, err := filepath.Abs(src.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	src.Dir = dir
	over, err := newOverlay(src.Language)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			over.close()
		}
	}()
	j = &job{compiler: c, source: src, options: o, overlay: over, files: map[string]*file{}, edited: map[string]bool{}, gone: map[string]bool{}, found: map[string]string{}, mentioned: map[string]bool{}}
	if len(o.behind) > 0 {
		if err := over.mount(behindName, []byte(definitions(o.behind))); err != nil {
			return nil, err
		}
	}
	if len(o.Instances) > 0 {
		text, err := j.read(j.mainName())
		if err != nil {
			return nil, err
		}
		at, err := j.absolute(j.mainName())
		if err != nil {
			return nil, err
		}
		if err := over.mount(at, text); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// behindName is the file of the macros that are defined behind the headers of the language.
const behindName = root + "/macros.h"

// job is one compilation.
type job struct {
	compiler Compiler
	source   Source
	options  Options
	overlay  *overlay
	strict   bool // the source is not repaired
	host     bool // its host part is compiled: see CompileHost

	seen          *preprocessed
	missing       []string          // headers that are not found, and are empty
	found         map[string]string // headers that are not found where flags say, and where they are; "": among those of this package
	listed        []string          // the files of the project, once they are asked for
	files         map[string]*file  // of the project, as they are now
	edited        map[string]bool   // those of which a copy is mounted
	gone          map[string]bool   // names whose declarations are blanked
	blanked, lost []Repair
	mentioned     map[string]bool // of the host part: words in what was left out

	before     string // a file that includes the source, see behind
	beforeText []byte // what stands in it before that
}

func (j *job) flags() []string {
	if j.host {
		return slices.Concat(j.source.Language.hosted(j.options, j.compiler), []string{j.source.Language.standard(j.options)}, j.options.passed())
	}
	return flags(j.source.Language, j.options, j.compiler)
}

// flags are those of a language and of options.
func flags(l Language, o Options, c Compiler) []string {
	return slices.Concat(l.fixed(o, c), []string{l.standard(o)}, o.passed())
}

// clang runs clang on the source, with the mounts as they are.
func (j *job) clang(ctx context.Context, action ...string) (process.Result, error) {
	args, err := j.arguments(action)
	if err != nil {
		return process.Result{}, err
	}
	return j.run(ctx, args)
}

func (j *job) run(ctx context.Context, args []string) (process.Result, error) {
	return run(ctx, j.source.Dir, j.overlay.dir, j.compiler.Path, args)
}

// arguments are those of a run of clang on the source, with the mounts as they are. Declarations of the language come
// first, as the source relies on them; folders of the project come last, where they hide no header of the system.
func (j *job) arguments(action []string) ([]string, error) {
	mounts, err := j.overlay.write()
	if err != nil {
		return nil, err
	}
	args := append(j.flags(), action...)
	args = append(args, "-ivfsoverlay", mounts)
	switch {
	case j.source.Language == OpenCL:
		args = append(args, "-include"+root+"/gradine.h")
	case j.options.CUDAPath == "" || j.source.Language == HIP:
		args = append(args, "-isystem"+root, "-include"+root+"/gradine.h")
	}
	if len(j.options.behind) > 0 {
		args = append(args, "-include"+behindName)
	}
	if j.host {
		args = append(args, "-include"+root+"/"+hostHeader)
	}
	if j.before != "" {
		args = append(args, "-include"+"."+string(filepath.Separator)+filepath.FromSlash(j.before))
	}
	// Sources name headers from some folder above them, which only a build system knows: all of these are tried.
	file := j.mainName()
	for dir := filepath.Dir(file); j.source.Language != OpenCL; dir = filepath.Dir(dir) {
		args = append(args, "-idirafter"+dir) // a project may have a unistd.h of its own
		if dir == "." || dir == filepath.Dir(dir) {
			break
		}
	}
	if len(j.missing)+len(j.found) > 0 {
		args = append(args, "-idirafter"+missingRoot, "-idirafter.")
	}
	return append(args, file), nil
}

// rounds are how often a source is repaired: what is blanked makes more fail.
const rounds = 8

// compile compiles the source, and repairs it until clang accepts it.
func (j *job) compile(ctx context.Context) (*Unit, error) {
	u := &Unit{}
	out := filepath.Join(j.overlay.dir, "out.ll")
	emit := []string{"-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", out}
	if j.host { // its passes work out the values that launches are given
		emit = []string{"-O1", "-S", "-emit-llvm", "-o", out}
	}
	// The first run is concurrent with the preprocessor; most sources need no other.
	var first process.Result
	var firstErr error
	var wait sync.WaitGroup
	args, err := j.arguments(emit)
	if err != nil {
		return u, err
	}
	wait.Go(func() { first, firstErr = j.run(ctx, args) })
	j.seen, err = j.preprocess(ctx)
	wait.Wait()
	if err = cmp.Or(err, firstErr); err != nil {
		return u, err
	}
	for round := 0; ; round++ {
		got := first
		if round > 0 || len(j.missing)+len(j.found) > 0 {
			got, err = j.clang(ctx, emit...)
		}
		if err != nil {
			return u, err
		}
		if u.Messages == "" {
			u.Messages = got.Stderr
		}
		if err := j.record(u); err != nil {
			return u, err
		}
		if !got.Failed {
			if u.IR, err = os.ReadFile(out); err != nil {
				return u, fmt.Errorf("clang has written no IR of %s, though it reported no error", j.source.File)
			}
			if j.host {
				return u, nil
			}
			u.Kernels = Entries(u.IR)
			u.Absent = j.absent(u)
			return u, nil
		}
		if j.strict {
			return u, fmt.Errorf("clang does not compile %s: %s", j.source.File, firstError(got.Stderr))
		}
		done, hopeless := j.repair(j.failures(got.Stderr))
		if !done || round == rounds {
			if hopeless != nil {
				return u, fmt.Errorf("clang cannot compile %s:%d:%d: %s%s", hopeless.file, hopeless.line, hopeless.col, hopeless.text, j.newer(u.Messages))
			}
			return u, fmt.Errorf("clang cannot compile %s: %s%s", j.source.File, firstError(got.Stderr), j.newer(u.Messages))
		}
		if err := j.mountEdited(); err != nil {
			return u, err
		}
	}
}

// mountEdited makes clang see the repaired copies.
func (j *job) mountEdited() error {
	for _, name := range slices.Sorted(maps.Keys(j.edited)) {
		at, err := j.absolute(name)
		if err == nil {
			err = j.overlay.mount(at, j.files[name].src)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// absolute is the path of a file that clang names.
func (j *job) absolute(name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(j.source.Dir, name)
	}
	return filepath.Abs(name)
}

// read reads a file that clang names, with the instances that are asked for.
func (j *job) read(name string) ([]byte, error) {
	if j.before != "" && filepath.ToSlash(filepath.Clean(name)) == j.before {
		return j.beforeText, nil
	}
	text, err := j.source.read(name)
	if name == j.mainName() && err == nil {
		text = append(text, j.instances(text)...)
	}
	return text, err
}

// Read reads a file by its path from where clang runs, as it is.
func (s Source) Read(name string) ([]byte, error) { return s.read(filepath.FromSlash(name)) }

// read reads a file that clang names, as it is.
func (s Source) read(name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.Dir, name)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > mostSource:
		return nil, fmt.Errorf("%s is not a file of at most %d MiB", name, mostSource>>20)
	}
	return os.ReadFile(name)
}

// mostSource bounds the bytes of a file that is repaired.
const mostSource = 64 << 20

// instances is what asks for instances of templates, behind a text: their addresses.
func (j *job) instances(text []byte) string {
	var b strings.Builder
	if len(text) > 0 && text[len(text)-1] != '\n' && len(j.options.Instances) > 0 {
		b.WriteByte('\n')
	}
	for i, name := range j.options.Instances {
		b.WriteString(instanceOf(i, name))
	}
	return b.String()
}

// instanceOf asks for an instance of a template.
func instanceOf(i int, name string) string {
	return fmt.Sprintf("static const void *%s%d = (const void *)&%s;\n", instancePrefix, i, name)
}

// instancePrefix begins the names of what asks for instances.
const instancePrefix = "gradine_instance_"

// mainName is the source as clang names it.
func (j *job) mainName() string {
	if filepath.IsAbs(j.source.File) {
		return j.source.File
	}
	return "." + string(filepath.Separator) + j.source.File // no flag, and no file of flags
}
