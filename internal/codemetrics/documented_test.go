package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportedNamesAreDocumented wants a comment on each exported name of each package: on the
// declaration, or on the group that it stands in. Methods that an interface of the standard
// library explains, String and Error, need none.
func TestExportedNamesAreDocumented(t *testing.T) {
	seen := 0
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || path == "lang/internal/gen"):
			return fs.SkipDir // what is not ours, or generated
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, filepath.Join("../..", path), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			seen++
			for _, name := range undocumented(decl) {
				t.Errorf("%s:%d: %s has no comment", path, files.Position(name.Pos()).Line, name.Name)
			}
		}
		return nil
	})
	if err != nil || seen < 1000 {
		t.Fatalf("%d declarations, %v", seen, err)
	}
}

// undocumented returns the exported names of decl that no comment explains.
func undocumented(decl ast.Decl) (names []*ast.Ident) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		explained := d.Doc != nil || d.Recv != nil && (d.Name.Name == "String" || d.Name.Name == "Error")
		if !explained && d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && s.Doc == nil && s.Comment == nil && s.Name.IsExported() {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if d.Doc == nil && s.Doc == nil && s.Comment == nil && name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}
