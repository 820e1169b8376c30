package ast

import (
	"bytes"
	"errors"
	"fmt"
	pathpkg "path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/gradine/gradine/gpu/preproc"
	"modernc.org/cc/v4"
)

// maxExpansion bounds what macros come to.
const maxExpansion = 2_000_000

// Limits on how often a text is read again.
const (
	mostLost     = 200
	mostLostText = 16 << 20 // bytes, of all readings
)

// Parse reads one file. Macros are expanded; nothing is read but the file and what it may include. Where a file of CUDA
// cannot be read whole, its device part is.
func Parse(s Source) (*Unit, *preproc.Problem) {
	s, problem := s.spliced()
	if problem == nil {
		problem = unknown(s)
	}
	if problem != nil {
		return nil, problem
	}
	u, problem := read(s, nil)
	switch {
	case problem == nil:
		return u, nil
	case len(s.Text) > preproc.MaxBytes: // nothing of which is read
	case pathpkg.Ext(s.File) == ".cu":
		why := s.origin.Problem(problem)
		alone, nearer := deviceAlone(s, why.Where(s.File)+": "+why.Construct)
		if nearer != errNoDevice {
			return alone, s.origin.Problem(nearer)
		}
	default:
		u, problem = partly(s, lost{})
	}
	return u, s.origin.Problem(problem)
}

// unknown refuses conditions on what toolchains define, where no value is known of it.
func unknown(s Source) *preproc.Problem {
	r := &reader{cuda: pathpkg.Ext(s.File) == ".cu"}
	name, at := preproc.Unknown(r.header(s.Defines), s.Defines, s.Text)
	if at < 0 {
		return nil
	}
	return s.origin.Problem(preproc.Refuse(s.File, s.origin.PlaceIn(s.Text, at), fmt.Sprintf("a condition on %s, which each toolchain defines differently; give a value, as in -D %[1]s=1, or remove the condition", name)))
}

// errNoDevice is the problem of a file whose device part cannot stand alone.
var errNoDevice = &preproc.Problem{Construct: "no device code that can be read without the host code"}

// DeviceAlone reads the device part of a file, and says why the host part is left out. It refuses where
// that would leave something unchecked: what the host asserts.
func DeviceAlone(s Source, why string) (*Unit, *preproc.Problem) {
	s, problem := s.spliced()
	if problem == nil {
		problem = unknown(s)
	}
	if problem != nil {
		return nil, problem
	}
	u, problem := deviceAlone(s, why)
	if problem == nil && len(u.Asserts) > 0 {
		return nil, errNoDevice
	}
	return u, s.origin.Problem(problem)
}

func deviceAlone(s Source, why string) (*Unit, *preproc.Problem) {
	d := devicePart(s)
	if d == nil {
		return nil, errNoDevice
	}
	s.Text = d.part
	u, problem := partly(s, d.types)
	if problem == nil {
		u.Asserts = d.asserts
		u.Taken = append(append(u.Taken, "the host part is ignored ("+why+"): kernels are checked for all launches"), d.omitted...)
	}
	return u, problem
}

// partly reads text, or as much of it as it can, of which names are lost already. It fails where what is not understood is of no declaration, or of one
// whose names are not known.
func partly(s Source, names lost) (*Unit, *preproc.Problem) {
	cuda := pathpkg.Ext(s.File) == ".cu"
	s.Text = bytes.Clone(s.Text)
	text := s.Text
	macros := preproc.MacrosIn(preproc.CodeOnly(text), s.Defines)
	_, unclear := preproc.UnclearAt(text)
	overridden := overrides.Match(preproc.CodeOnly(text)) // also by what is not read
	var unread []Unread
	var first *preproc.Problem
	for size := 0; ; size += len(text) {
		u, problem := read(s, names)
		if problem == nil {
			u.Unread, u.Overrides = unread, u.Overrides || cuda && overridden
			return u, nil
		}
		if first == nil {
			first = problem
		}
		if len(unread) >= mostLost || size >= mostLostText || !macros.Balanced() || unclear != "" {
			return nil, first
		}
		code := preproc.CodeOnly(text)
		i, ok := preproc.ItemAt(code, preproc.OffsetOf(text, s.origin.InText(preproc.Place{Line: problem.Line, Col: problem.Col})))
		if !ok {
			return nil, first
		}
		problem, follows := names.cause(s.origin.Problem(problem), s.File, code[i.From:i.To])
		if !names.lose(i, code, macros, problem) {
			return nil, first
		}
		f, _ := i.Function(code)
		with, _ := macros.Expanded(code[i.From:i.To])
		unread = append(unread, Unread{Problem: problem, Name: f, Kernel: kernelOf[cuda].Match(with), Follows: follows})
		preproc.BlankItems(text, []preproc.Item{i})
	}
}

// read reads a file, without declarations whose names are lost.
func read(s Source, without lost) (u *Unit, problem *preproc.Problem) {
	file, src, defines := s.File, s.Text, s.Defines
	r := &reader{unit: &Unit{File: file, Enums: map[string]int64{}, functions: map[string][]*Function{}, lost: without, origin: s.origin}, cuda: pathpkg.Ext(file) == ".cu", types: map[string]*Ctype{}, tags: map[string]*Ctype{}, complete: map[*Ctype]bool{}, values: map[string]*Expr{}, kinds: map[string]bool{}, acts: map[*Function]acts{}}
	text, problem := r.prepare(file, src)
	if problem != nil {
		return nil, problem
	}
	r.realigned = alignments.Match(preproc.CodeOnly(text))
	defer preproc.Catch(&problem)
	abi, err := cc.NewABI("linux", "amd64")
	if err != nil {
		return nil, preproc.Refuse(file, preproc.Place{Line: 1, Col: 1}, err.Error())
	}
	// An empty file system and nothing but it: no #include reaches a file of this machine.
	// Parse, not Translate: the header makes every vector an int, so types cannot be checked.
	cfg := &cc.Config{ABI: abi, FS: fstest.MapFS(map[string]*fstest.MapFile{}), FSOnly: true, ExpansionLimit: maxExpansion, PragmaHandler: func([]cc.Token) error { return nil }}
	header := r.header(defines)
	r.unit.Taken = preproc.Taken(header, defines, src)
	if at := silenced.FindIndex(preproc.CodeOnly(src)); r.cuda && (at != nil || slices.ContainsFunc(defines, func(d string) bool { return d == "NDEBUG" || strings.HasPrefix(d, "NDEBUG=") })) {
		return nil, preproc.Refuse(file, s.origin.PlaceIn(src, append(at, 0)[0]), "NDEBUG, which disables assertions")
	}
	if r.cuda {
		r.unit.Taken = append(r.unit.Taken, preproc.OfHost(preproc.CodeOnly(src))...)
		r.unit.Overrides = overrides.Match(preproc.CodeOnly(src))
	}
	// The parser does not come back from a text that ends behind a *: a name has to follow. Nor
	// from a string that a backslash at the end carries on: one line more ends it.
	end := cc.Source{Name: behind, Value: "typedef int __end_of_file;\n"}
	sources := []cc.Source{{Name: toolchain, Value: header + r.tagTypes(text)}, {Name: file, Value: string(text) + "\n\n"}, end}
	ast, err := parsed(cfg, sources)
	if err != nil {
		return nil, r.syntax(err, text)
	}
	r.externals(ast.TranslationUnit)
	return r.unit, nil
}

// parsed is what the parser makes of sources; that it breaks off is an error of the text, too.
func parsed(cfg *cc.Config, sources []cc.Source) (ast *cc.AST, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("the C parser fails on this text")
		}
	}()
	return cc.Parse(cfg, sources)
}
