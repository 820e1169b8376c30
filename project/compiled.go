package project

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
)

// committed is the IR that gradine.toml names for the kernels of a file, if it names any:
// the file is read from it. Differs says why it cannot be, and what to do. No clang is
// needed, unless x.Recompile asks for it.
func (x *Opener) committed(ctx context.Context, k textFile, launch encode.Options) (ir []byte, differs []string, err error) {
	source, err := CompiledSource(k.name)
	if err != nil {
		return nil, nil, err
	}
	named := map[string]string{} // by kernel
	var record *clang.Record
	for _, kernel := range slices.Sorted(maps.Keys(launch.Kernels)) {
		own := launch.Kernels[kernel]
		switch {
		case own.IR == "" && own.Reader == string(gpu.LLVMReader) && gpu.Mentions(k.text, kernel):
			differs = append(differs, fmt.Sprintf("%s: the reader llvm needs ir = \"FILE\" in [kernel.%[1]s]: %[2]s", kernel, again("DIR", k.name)))
			continue
		case own.IR == "":
			continue
		}
		text, err := x.text(own.IR)
		if err != nil {
			if gpu.Mentions(k.text, kernel) {
				differs = append(differs, fmt.Sprintf("%s: its IR cannot be read (%v): %s", kernel, err, again(filepath.Dir(own.IR), k.name)))
			}
			continue
		}
		r, err := clang.ReadRecord(text)
		if err != nil {
			differs = append(differs, fmt.Sprintf("%s: %s: %v", kernel, own.IR, err))
			continue
		}
		if r.Source != source.File {
			continue
		}
		if record != nil && !bytes.Equal(ir, text) {
			return nil, nil, fmt.Errorf("kernel.%s: %s has other IR than the kernels before: one file has one", kernel, k.name)
		}
		named[kernel], record, ir = own.IR, r, text
	}
	if record == nil || len(differs) > 0 {
		return nil, differs, nil
	}
	at := named[slices.Sorted(maps.Keys(named))[0]]
	opts := gpu.Passed(k.text, launch, source.Dir)
	if why := record.Differs(opts, source.Read); why != "" {
		return nil, []string{fmt.Sprintf("%s: %s: %s", at, why, again(filepath.Dir(at), k.name))}, nil
	}
	for _, e := range clang.Entries(ir) {
		if name := clang.Base(e.Name); named[name] == "" {
			differs = append(differs, fmt.Sprintf("%s: %s is also the IR of this kernel: state it in [kernel.%[1]s]", name, at))
		}
	}
	for _, a := range record.Absent {
		differs = append(differs, a.String())
	}
	if x.Recompile && len(differs) == 0 {
		differs, err = recompiled(ctx, source, record, ir, opts, at)
	}
	return ir, differs, err
}

// again is the command that writes IR again.
func again(dir, file string) string {
	return fmt.Sprintf("write it with `gradine kernel --emit-ll %s %s`", filepath.ToSlash(dir), filepath.ToSlash(file))
}

// recompiled says how IR differs from what the same version of clang makes of its source now.
func recompiled(ctx context.Context, source clang.Source, r *clang.Record, ir []byte, o clang.Options, at string) ([]string, error) {
	var c clang.Compiler
	err := clang.ErrNone
	for _, name := range []string{"", "clang-" + r.Major()} {
		if found, ferr := clang.Find(ctx, name); ferr == nil {
			if c, err = found, nil; c.String() == r.Compiler {
				break
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return []string{fmt.Sprintf("%s: it cannot be compiled again: %v", at, err)}, nil
	case c.String() != r.Compiler:
		return []string{fmt.Sprintf("%s: it was compiled by %s, and here is %v", at, r.Compiler, c)}, nil
	}
	u, err := c.Compile(ctx, source, o)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return []string{fmt.Sprintf("%s: it cannot be compiled again: %v", at, err)}, nil
	}
	if !bytes.Equal(u.Text(), ir) {
		return []string{fmt.Sprintf("%s: %v makes other IR of %s now", at, c, source.File)}, nil
	}
	return nil, nil
}

// CompiledSource is a file as clang sees it: from the top of its project.
func CompiledSource(name string) (clang.Source, error) {
	at, err := filepath.EvalSymlinks(name)
	if os.IsNotExist(err) { // a text that is not saved yet
		at, err = name, nil
	}
	if err == nil {
		at, err = filepath.Abs(at)
	}
	if err != nil {
		return clang.Source{}, err
	}
	dir, err := filepath.EvalSymlinks(TopOf(filepath.Dir(at)))
	if err != nil {
		return clang.Source{}, err
	}
	file, err := filepath.Rel(dir, at)
	return clang.Source{Dir: dir, File: filepath.ToSlash(file), Language: clang.LanguageOf(name)}, err
}
