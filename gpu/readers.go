package gpu

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/preproc"
)

// Reader is how a kernel is read.
type Reader string

// The readers.
const (
	EitherReader Reader = ""     // as C, or, where that is not understood, as clang compiles it
	CReader      Reader = "c"    // as C alone
	LLVMReader   Reader = "llvm" // as clang compiles it alone
)

// Source is what kernels are read from.
type Source struct {
	Name string
	Text []byte
	Unit *clang.Unit // what clang made of it; nil if clang did not run
	Read Reader
}

// Complete reports whether the reader of C reads all kernels of a source, so that clang is not needed.
func (s Source) Complete(opts launch.Options) bool {
	var kernels []*encode.Kernel
	var problem *encode.Problem
	why := contained(func() { kernels, problem = read(s.Name, s.Text, opts) })
	return why == "" && problem == nil && !slices.ContainsFunc(kernels, func(k *encode.Kernel) bool { return k.Problem != nil })
}

// kernels are those of a source: each as C or, where that is not understood, as clang compiles it.
func (s Source) kernels(opts launch.Options) ([]*encode.Kernel, *encode.Problem) {
	if s.Unit == nil {
		return read(s.Name, s.Text, opts)
	}
	inFile, unknown := launch.HeaderOptions(s.Text)
	if unknown != "" {
		return read(s.Name, s.Text, opts) // a flag that it does not know: it says which
	}
	compiled, problem := encode.ReadModule(s.Name, s.Unit.IR, opts, inFile)
	compiled = slices.DeleteFunc(compiled, func(k *encode.Kernel) bool { return s.Unit.Elsewhere(k.Name) })
	if s.Read == LLVMReader {
		return compiled, problem
	}
	asC, problemOfC := read(s.Name, s.Text, opts)
	for _, a := range s.Unit.Absent {
		at := preproc.Place{Line: a.Line, Col: a.Col}
		compiled = append(compiled, &encode.Kernel{File: s.Name, Name: a.Name, Line: a.Line, Col: a.Col, Problem: preproc.Refuse(s.Name, at, a.Why)})
	}
	if problemOfC != nil || !slices.ContainsFunc(asC, func(k *encode.Kernel) bool { return k.Problem == nil }) {
		if len(compiled) == 0 {
			return asC, cmp.Or(problemOfC, problem)
		}
		return compiled, nil
	}
	var out []*encode.Kernel
	met := map[*encode.Kernel]bool{}
	for _, k := range asC {
		var others []*encode.Kernel
		for _, o := range compiled {
			if s.Unit.Base(o.Name) == k.Name || encode.Identifier(o.Name) == k.Name {
				others, met[o] = append(others, o), true
			}
		}
		switch {
		case k.Problem != nil && len(others) > 0:
			out = append(out, others...)
		case k.Problem == nil || k.Name != "-": // a declaration without a name costs no kernel that clang reads
			out = append(out, k)
		}
	}
	for _, k := range compiled {
		if !met[k] && (k.Problem != nil || s.Unit.Entry(k.Name)) {
			out = append(out, k)
		}
	}
	return out, nil
}

// Readers judges the kernels of a file both as C and as clang compiles them. Where only one
// of the two reads a kernel, its answer stands; of two answers that of C does, so that a
// machine without clang says the same. That one says safe and the other has seen the kernel
// fail is an error of this program. Chosen is the reader that is asked for, by kernel.
//
// Where hosts are known, kernels without sizes are judged as the launches in the file use them, too.
func Readers(ctx context.Context, name string, src []byte, u *clang.Unit, hosts *Hosts, opts Options, chosen func(kernel string) Reader) []Report {
	inFile, unknown := launch.HeaderOptions(src)
	out := readers(ctx, name, src, u, opts, chosen, inFile, unknown)
	if unknown == "" {
		launched(ctx, name, u, hosts, opts, inFile, out)
	}
	return out
}

func readers(ctx context.Context, name string, src []byte, u *clang.Unit, opts Options, chosen func(kernel string) Reader, inFile launch.Options, unknown string) []Report {
	var c []Report
	if chosen("") != LLVMReader {
		c = File(ctx, name, src, opts)
	}
	if unknown != "" {
		return File(ctx, name, src, opts) // a flag that it does not know: it says which
	}
	l := module(ctx, name, u, opts, inFile)
	named := func(r Report) string { return u.Base(r.Kernel) }
	if !slices.ContainsFunc(c, func(r Report) bool { return r.Verdict != Unsupported }) {
		if len(l) > 0 {
			return l
		}
		return c
	}
	if slices.ContainsFunc(c, func(r Report) bool { return r.Kernel == "main" && r.Verdict != Unsupported && !r.undecided }) {
		return c // its launches are those of the program, and not of all hosts
	}
	var out []Report
	met := map[int]bool{} // answers of l that are about a kernel of c
	for _, r := range c {
		if r.Kernel == "-" && r.Verdict == Unsupported {
			continue // a declaration that C does not read: clang does, or says so
		}
		var others []Report
		for i, o := range l {
			if named(o) == r.Kernel || encode.Identifier(o.Kernel) == r.Kernel {
				others = append(others, o)
				met[i] = true
			}
		}
		out = append(out, settled(r, others, chosen(r.Kernel))...)
	}
	for i, r := range l {
		if !met[i] && r.Fault != "" {
			out = append(out, r) // a defect of this program is never passed over
			continue
		}
		if !met[i] && (u.Entry(r.Kernel) || r.Verdict == Unsupported) && chosen(named(r)) != CReader {
			out = append(out, r)
		}
	}
	return out
}

// settled is what stands of the answers about a kernel: of the reader of C, and about its
// instances in a module.
func settled(c Report, l []Report, chosen Reader) []Report {
	switch {
	case chosen == LLVMReader && len(l) > 0:
		return l
	case chosen == LLVMReader:
		return []Report{{File: c.File, Kernel: c.Kernel, Verdict: Unsupported, Checks: []Finding{}, Assumed: []string{}, Why: "clang omits it from the IR", Line: c.Line, Col: c.Col}}
	case chosen == CReader:
		return []Report{c}
	case c.Verdict == Unsupported && len(l) > 0: // clang knows better what is missing
		return l
	}
	for _, r := range l {
		if r.Fault != "" && c.Fault == "" {
			c.Fault = fmt.Sprintf("as compiled by %s: %s", r.Compiler, r.Fault) // the answer of C is next to it
		}
		if c.Verdict == Safe && r.Verdict == Unsafe || c.Verdict == Unsafe && r.Verdict == Safe {
			c.Fault = fmt.Sprintf("internal error: the readers disagree: as C %s; as compiled by %s %s", told(c), r.Compiler, told(r))
			c.Verdict, c.Why = Open, c.Fault
			return []Report{c}
		}
		if r.Verdict != c.Verdict {
			c.Other = fmt.Sprintf("as compiled by %s %s", r.Compiler, told(r))
		}
	}
	return []Report{c}
}

// told is an answer in some words.
func told(r Report) string {
	for _, f := range r.Checks {
		if !f.Verdict.Holds() {
			return fmt.Sprintf("it is %s: %s in line %d: %s", r.Verdict, f.Kind, f.Line, f.Why)
		}
	}
	if r.Why != "" {
		return fmt.Sprintf("it is %s: %s", r.Verdict, r.Why)
	}
	return "it is " + string(r.Verdict)
}

// module judges what clang made of a file, with what that rests on.
func module(ctx context.Context, name string, u *clang.Unit, opts Options, inFile launch.Options) []Report {
	var out []Report
	if len(u.Kernels) > 0 {
		out = all(ctx, name, opts, func() ([]*encode.Kernel, *encode.Problem) { return encode.ReadModule(name, u.IR, opts.Launch, inFile) })
	}
	out = slices.DeleteFunc(out, func(r Report) bool { return u.Elsewhere(r.Kernel) })
	for _, a := range u.Absent {
		out = append(out, Report{File: name, Kernel: a.Name, Verdict: Unsupported, Checks: []Finding{}, Assumed: []string{}, Why: a.Why, Line: a.Line, Col: a.Col, Reader: "llvm"})
	}
	for i := range out {
		r := &out[i]
		r.Compiler = u.Compiler
		if header := u.Header(r.Kernel); header != "" {
			r.File = header // its lines are those of that file
		}
		if r.Verdict != Unsupported {
			r.Assumed = append(r.Assumed, u.Assumed()...)
		}
	}
	return out
}

// Uncompiled judges the kernels of a file as C, where clang does not help for a reason: it
// is added to what is not understood. A kernel for which clang is asked for has no verdict.
func Uncompiled(ctx context.Context, name string, src []byte, opts Options, chosen func(kernel string) Reader, why string) []Report {
	rs := File(ctx, name, src, opts)
	for i, r := range rs {
		switch {
		case r.Verdict == Unsupported:
			rs[i].Why += "; " + why
		case chosen(r.Kernel) == LLVMReader:
			rs[i] = Report{File: r.File, Kernel: r.Kernel, Verdict: Unsupported, Checks: []Finding{}, Assumed: []string{}, Why: why, Line: r.Line, Col: r.Col}
		}
	}
	return rs
}

// Passed are the options of clang for a file: those that stand in it, and those that
// gradine.toml has for the kernels that it names. Paths are relative to dir.
func Passed(src []byte, opts launch.Options, dir string) clang.Options {
	inFile, _ := launch.HeaderOptions(src)
	var o clang.Options
	for _, d := range slices.Concat(inFile.Defines, opts.Defines) {
		o.Defines = append(o.Defines, "D"+d)
	}
	for _, kernel := range slices.Sorted(maps.Keys(opts.Kernels)) {
		own := opts.Kernels[kernel]
		if !Mentions(src, kernel) {
			continue
		}
		from, err := filepath.Abs(own.Dir)
		if err != nil {
			from = own.Dir
		}
		if real, err := filepath.EvalSymlinks(from); err == nil {
			from = real
		}
		more := clang.Arguments(own.Flags, filepath.ToSlash(from))
		more.Instances = own.Instances
		o = more.With(o)
	}
	return o.Relative(dir)
}

// Mentions reports whether a word stands in a text.
func Mentions(src []byte, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).Match(src)
}

// ModuleMachines are the machines of what clang made of a file; see Machines.
func ModuleMachines(ctx context.Context, name string, src, ir []byte, opts Options) ([]*encode.Model, []Remark, error) {
	inFile, unknown := launch.HeaderOptions(src)
	if unknown != "" {
		return nil, []Remark{{encode.NotUnderstood, &encode.Problem{File: name, Line: 2, Col: 1, Construct: unknown}}}, nil
	}
	return machines(ctx, name, opts, func() ([]*encode.Kernel, *encode.Problem) { return encode.ReadModule(name, ir, opts.Launch, inFile) })
}
