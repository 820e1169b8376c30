package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longBody is the number of lines from which a function body should say why it
// goes the way it goes.
const longBody = 30

// metrics are the figures of all packages.
type metrics struct {
	packages  []*pkg
	functions []function
	structs   []counted
	tests     map[string]int // Test, Fuzz, Benchmark, Example: how many functions
	testLines int
}

// pkg is one package.
type pkg struct {
	path  string
	files int
	lines int
	code  int // lines that are neither blank nor comment alone
	// Arrows between its files: those of all, and those that run against the order
	// of files in which the fewest do.
	arrows, up int
	upward     []string // these, as "from → to"
}

// function is a function or method with a body.
type function struct {
	at         string // file:line name
	lines      int    // of the body, without its braces
	comments   int    // comment lines inside the body
	cyclomatic int    // 1 + if, for, case, &&, ||
	locals     int    // names declared in it, parameters included
	short      int    // those of one letter
}

// counted is a place with a number.
type counted struct {
	at string
	n  int
}

// source is one parsed file.
type source struct {
	name string // within the repository
	data []byte
	file *ast.File
	fset *token.FileSet
}

// measure reads the Go files below root.
func measure(root string) (*metrics, error) {
	h := &metrics{tests: map[string]int{}}
	byPackage := map[string][]source{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		s, err := read(fset, root, name)
		if err != nil {
			return err
		}
		switch dir := filepath.ToSlash(filepath.Dir(s.name)); {
		case strings.HasSuffix(name, "_test.go"):
			h.test(s)
		case !ast.IsGenerated(s.file):
			byPackage[dir] = append(byPackage[dir], s)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Packages come from a map; everything is sorted below.
	for path, files := range byPackage {
		h.add(path, files)
	}
	slices.SortFunc(h.packages, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	slices.SortFunc(h.functions, func(a, b function) int { return strings.Compare(a.at, b.at) })
	slices.SortFunc(h.structs, func(a, b counted) int { return strings.Compare(a.at, b.at) })
	return h, nil
}

func read(fset *token.FileSet, root, name string) (source, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return source{}, err
	}
	f, err := parser.ParseFile(fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	rel, err := filepath.Rel(root, name)
	return source{filepath.ToSlash(rel), data, f, fset}, err
}

// test counts the test functions of a file.
func (h *metrics) test(s source) {
	h.testLines += codeLines(s)
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		for _, kind := range []string{"Test", "Fuzz", "Benchmark", "Example"} {
			if strings.HasPrefix(f.Name.Name, kind) && f.Name.Name != "TestMain" {
				h.tests[kind]++
			}
		}
	}
}

// add measures one package.
func (h *metrics) add(path string, files []source) {
	p := &pkg{path: path, files: len(files)}
	for _, s := range files {
		p.lines += bytes.Count(s.data, []byte("\n"))
		p.code += codeLines(s)
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				h.functions = append(h.functions, s.function(f))
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				if st, ok := t.Type.(*ast.StructType); ok {
					h.structs = append(h.structs, counted{s.place(t.Pos()) + " " + t.Name.Name, fields(st)})
				}
			}
			return true
		})
	}
	p.arrows, p.upward = arrows(files)
	p.up = len(p.upward)
	h.packages = append(h.packages, p)
}

func (s source) line(p token.Pos) int { return s.fset.Position(p).Line }

func (s source) place(p token.Pos) string {
	return s.name + ":" + strconv.Itoa(s.line(p))
}

// codeLines counts the lines with something that is not a comment.
func codeLines(s source) int {
	code := map[int]bool{}
	f := s.fset.File(s.file.Pos())
	comment := make([]bool, len(s.data)+1)
	for _, g := range s.file.Comments {
		for _, c := range g.List {
			for i := f.Offset(c.Pos()); i < f.Offset(c.End()); i++ {
				comment[i] = true
			}
		}
	}
	line := 1
	for i, c := range s.data {
		switch {
		case c == '\n':
			line++
		case c != ' ' && c != '\t' && c != '\r' && !comment[i]:
			code[line] = true
		}
	}
	return len(code)
}

// fields counts the fields of a struct; an embedded one counts once.
func fields(t *ast.StructType) int {
	n := 0
	for _, f := range t.Fields.List {
		n += max(1, len(f.Names))
	}
	return n
}

func (s source) function(f *ast.FuncDecl) function {
	name := f.Name.Name
	if f.Recv != nil && len(f.Recv.List) > 0 {
		name = receiver(f.Recv.List[0].Type) + "." + name
	}
	x := function{at: s.place(f.Pos()) + " " + name, lines: max(0, s.line(f.Body.Rbrace)-s.line(f.Body.Lbrace)-1), cyclomatic: 1}
	for _, g := range s.file.Comments {
		for _, c := range g.List {
			if f.Body.Lbrace < c.Pos() && c.End() <= f.Body.Rbrace {
				x.comments += 1 + strings.Count(c.Text, "\n")
			}
		}
	}
	declare := func(names ...*ast.Ident) {
		for _, n := range names {
			if n != nil && n.Name != "_" {
				x.locals++
				if utf8.RuneCountInString(n.Name) == 1 {
					x.short++
				}
			}
		}
	}
	params := func(t *ast.FuncType) {
		for _, list := range []*ast.FieldList{t.Params, t.Results} {
			if list != nil {
				for _, p := range list.List {
					declare(p.Names...)
				}
			}
		}
	}
	// Function literals count as a part of the function they stand in: who reads it
	// reads them.
	params(f.Type)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt:
			x.cyclomatic++
		case *ast.RangeStmt:
			x.cyclomatic++
			if n.Tok == token.DEFINE {
				declare(identifiers(n.Key, n.Value)...)
			}
		case *ast.CaseClause:
			if n.List != nil {
				x.cyclomatic++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				x.cyclomatic++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				x.cyclomatic++
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				declare(identifiers(n.Lhs...)...)
			}
		case *ast.ValueSpec:
			declare(n.Names...)
		case *ast.FuncLit:
			params(n.Type)
		}
		return true
	})
	return x
}

func identifiers(list ...ast.Expr) (out []*ast.Ident) {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}

// receiver is the name of the type that a method belongs to.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return "?"
}
