package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	// Messages are those of clang, as it wrote them.
	Messages string
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
	j := &job{compiler: c, source: src, options: o, overlay: over}
	return j.compile(ctx)
}

// job is one compilation.
type job struct {
	compiler Compiler
	source   Source
	options  Options
	overlay  *overlay
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
	mounts, err := j.overlay.write()
	if err != nil {
		return result{}, err
	}
	args := append(j.flags(), action...)
	args = append(args, "-ivfsoverlay", mounts)
	switch {
	case j.source.Language == OpenCL:
		args = append(args, "-include"+root+"/gradine.h")
	case j.options.CUDAPath == "":
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
	args = append(args, file)
	return run(ctx, j.source.Dir, j.overlay.dir, j.compiler.Path, args)
}

func (j *job) compile(ctx context.Context) (*Unit, error) {
	out := filepath.Join(j.overlay.dir, "out.ll")
	got, err := j.clang(ctx, "-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", out)
	if err != nil {
		return nil, err
	}
	u := &Unit{Flags: j.flags(), Messages: got.stderr}
	if got.failed {
		first, _, _ := strings.Cut(got.stderr, "\n")
		return u, fmt.Errorf("clang wrote no IR: %s", first)
	}
	u.IR, err = os.ReadFile(out)
	return u, err
}
