package clang

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Source is a file to compile.
type Source struct {
	Dir      string // where clang runs: paths in the IR and in messages are relative to it
	File     string // relative to Dir
	Language Language
}

// Unit is what clang made of a source.
type Unit struct {
	IR    []byte
	Flags []string // without those that say where clang runs, and what is mounted
	// Messages are those of clang, as it wrote them, of the first run with errors or else of the last.
	Messages string
	Blanked  []Repair // statements of the host
	Lost     []Repair // functions of the device without their bodies, and declarations
	Missing  []string // headers that were not found, and are empty
}

// Compile compiles a source. The error says that clang did not run, or that it wrote no IR;
// then the unit has its messages.
func (c Compiler) Compile(ctx context.Context, src Source, o Options) (*Unit, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	over, err := newOverlay(src.Language)
	if err != nil {
		return nil, err
	}
	defer over.close()
	j := &job{compiler: c, source: src, options: o, overlay: over, files: map[string]*file{}, edited: map[string]bool{}, gone: map[string]bool{}}
	return j.compile(ctx)
}

// job is one compilation.
type job struct {
	compiler Compiler
	source   Source
	options  Options
	overlay  *overlay

	seen          *preprocessed
	missing       []string
	files         map[string]*file // of the project, as they are now
	edited        map[string]bool  // those of which a copy is mounted
	gone          map[string]bool  // names whose declarations are blanked
	blanked, lost []Repair
}

// flags are those of the language and the options.
func (j *job) flags() []string {
	out := j.source.Language.fixed(j.options, j.compiler)
	out = append(out, j.source.Language.standard(j.options))
	out = append(out, j.options.passed()...)
	return out
}

// clang runs clang on the source, with the mounts as they are.
func (j *job) clang(ctx context.Context, action ...string) (result, error) {
	args, err := j.arguments(action)
	if err != nil {
		return result{}, err
	}
	return j.run(ctx, args)
}

func (j *job) run(ctx context.Context, args []string) (result, error) {
	return run(ctx, j.source.Dir, j.overlay.dir, j.compiler.Path, args)
}

// arguments are those of a run of clang on the source, with the mounts as they are.
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
	file := j.source.File
	if !filepath.IsAbs(file) {
		file = "." + string(filepath.Separator) + file // no flag, and no file of flags
	}
	for dir := filepath.Dir(file); j.source.Language != OpenCL; dir = filepath.Dir(dir) {
		args = append(args, "-idirafter"+dir) // after those of the system: its unistd.h comes first
		if dir == "." || dir == filepath.Dir(dir) {
			break
		}
	}
	if len(j.missing) > 0 {
		args = append(args, "-idirafter"+missingRoot)
	}
	return append(args, file), nil
}

// rounds are how often a source is repaired: what is blanked makes more fail.
const rounds = 8

// compile compiles the source, and repairs it until clang accepts it.
func (j *job) compile(ctx context.Context) (*Unit, error) {
	u := &Unit{Flags: j.flags()}
	out := filepath.Join(j.overlay.dir, "out.ll")
	emit := []string{"-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", out}
	// The first run goes beside the preprocessor; most sources need no other.
	var first result
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
		if round > 0 || len(j.missing) > 0 {
			got, err = j.clang(ctx, emit...)
		}
		if err != nil {
			return u, err
		}
		if u.Messages == "" {
			u.Messages = got.stderr
		}
		u.Blanked, u.Lost, u.Missing = sorted(j.blanked), sorted(j.lost), j.missing
		if !got.failed {
			u.IR, err = os.ReadFile(out)
			return u, err
		}
		done, hopeless := j.repair(j.failures(got.stderr))
		if !done || round == rounds {
			if hopeless != nil {
				return u, fmt.Errorf("clang does not compile %s:%d:%d: %s", hopeless.file, hopeless.line, hopeless.col, hopeless.text)
			}
			return u, fmt.Errorf("clang does not compile %s: %s", j.source.File, firstError(got.stderr))
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

// read reads a file that clang names.
func (j *job) read(name string) ([]byte, error) {
	at, err := j.absolute(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(at)
}
