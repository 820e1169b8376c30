package seam_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sources reads the Go files of this repository, by path.
func sources(t *testing.T) (*token.FileSet, map[string]*ast.File) {
	t.Helper()
	const root = "../.."
	set, files := token.NewFileSet(), map[string]*ast.File{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git"):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.Contains(filepath.ToSlash(name), "lang/internal/gen"):
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		at, _ := filepath.Rel(root, name)
		files[filepath.ToSlash(at)] = file
		return err
	})
	if err != nil || len(files) < 500 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return set, files
}

// named is the X of seam.X, "" for anything else.
func named(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok && x.Name == "seam" {
			return s.Sel.Name
		}
	}
	return ""
}

// Each seam bounds something, and a table of a test has a case for it.
func TestEverySeamHasACase(t *testing.T) {
	_, files := sources(t)
	bounds, cases := map[string]int{}, map[string]int{}
	var seams []string
	for name, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				// seam.Contain(ctx, seam.X, …), or a method of the command line that does that.
				for _, arg := range x.Args {
					if s := named(arg); s != "" && !strings.HasSuffix(name, "_test.go") {
						bounds[s]++
					}
				}
			case *ast.KeyValueExpr:
				if s := named(x.Key); s != "" && strings.HasSuffix(name, "_test.go") {
					cases[s]++
				}
			case *ast.ValueSpec:
				if id, ok := x.Type.(*ast.Ident); ok && id.Name == "Seam" && name == "internal/seam/seam.go" {
					seams = append(seams, x.Names[0].Name)
				}
			}
			return true
		})
	}
	if len(seams) < 10 {
		t.Fatalf("seams %q", seams)
	}
	for _, s := range seams {
		if bounds[s] == 0 {
			t.Errorf("%s bounds nothing", s)
		}
		if cases[s] == 0 {
			t.Errorf("no test injects faults at %s: write a case in a table by seams", s)
		}
	}
}

// recovers are the files that recover from a panic elsewhere, and why.
var recovers = map[string]string{
	"internal/seam/seam.go":                "here",
	"internal/cli/commands.go":             "the last resort of a command",
	"internal/parallel/parallel.go":        "hands it to the goroutine that waits",
	"prover/prover.go":                     "an attempt of a search, within an obligation",
	"prover/kernel/clause.go":              "refuses a certificate",
	"prover/recheck/doc.go":                "refuses a certificate",
	"prover/smtlib/smtlib.go":              "what has no form in SMT-LIB",
	"discharge/queue/parts.go":             "hands it to the goroutine that waits",
	"explore/search.go":                    "what has no value",
	"explore/internal/abort/abort.go":      "what has no value",
	"explore/internal/formula/frame.go":    "what has no value",
	"explore/internal/formula/compiler.go": "what has no form as a closure",
	"lang/check/formula.go":                "what has no type",
	"lang/check/infer.go":                  "what has no type",
	"gpu/access/counts.go":                 "what is not counted",
	"gpu/count/count.go":                   "what is not counted",
	"gpu/space/expression.go":              "what is not understood of an expression",
	"gpu/ast/file.go":                      "the parser of C, which others wrote: its panic is an error of the text",
	"gpu/interp/run.go":                    "a run that ends early; another panic goes on",
	"gpu/run/run.go":                       "a run that ends early; another panic goes on",
	"gpu/preproc/place.go":                 "what is not read of a file of kernels",
}

// Other code that recovers from a panic decides about it here: what is not a seam ends a
// computation of its own, or hands the panic on.
func TestWhoRecovers(t *testing.T) {
	set, files := sources(t)
	var found []string
	for name, file := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "recover" {
					if recovers[name] == "" {
						t.Errorf("%s: recovers from a panic; use seam.Contain", set.Position(call.Pos()))
					}
					found = append(found, name)
				}
			}
			return true
		})
	}
	for name := range recovers {
		if !slices.Contains(found, name) {
			t.Errorf("%s recovers from nothing", name)
		}
	}
}

// starts are the files that start goroutines, and what a panic in them comes to: one without a
// recover ends the program, with the answers of everybody.
var starts = map[string]string{
	"internal/parallel/parallel.go":        "is handed to the goroutine that waits",
	"project/opener.go":                    "costs one file",
	"po/generate.go":                       "costs one component",
	"discharge/run.go":                     "costs one obligation",
	"discharge/proof.go":                   "nothing of the program runs there",
	"discharge/cache/cache.go":             "costs what the server is asked for",
	"discharge/cache/client.go":            "nothing of the program runs there",
	"discharge/queue/parts.go":             "is handed to the goroutine that waits",
	"discharge/queue/reader.go":            "nothing of the program runs there",
	"discharge/queue/worker.go":            "a handler costs one job; nothing else of the program runs there",
	"discharge/queue/embedded/embedded.go": "ends the program: the server is a part of it, as the user asked",
	"internal/worker/worker.go":            "nothing of the program runs there",
	"internal/cli/worker.go":               "costs one request for metrics",
	"explore/search.go":                    "is handed to the goroutine that waits",
	"internal/lsp/prove.go":                "costs one obligation, or what is shown",
	"internal/lsp/server.go":               "costs what is understood of the texts, or what is shown",
	"internal/lsp/status.go":               "nothing of the program runs there",
	"internal/lsp/animate.go":              "costs one answer of a page, for net/http recovers",
	"gpu/clang/compile.go":                 "nothing of the program runs there",
	"internal/lsp/connection.go":           "nothing of the program runs there",
	"internal/lsp/deferred.go":             "nothing of the program runs there",
	"internal/prompt/prompt.go":            "nothing of the program runs there",
	"internal/cli/commands.go":             "nothing of the program runs there",
	"internal/animator/server.go":          "costs one answer, for net/http recovers; the one that is started closes the server",
}

// Who starts a goroutine says what a panic in it comes to.
func TestWhoStartsGoroutines(t *testing.T) {
	set, files := sources(t)
	for name, file := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			started := false
			switch x := n.(type) {
			case *ast.GoStmt:
				started = true
			case *ast.CallExpr:
				s, ok := x.Fun.(*ast.SelectorExpr)
				started = ok && (s.Sel.Name == "Go" || s.Sel.Name == "AfterFunc")
			}
			if started && starts[name] == "" {
				t.Errorf("%s: starts a goroutine; say in this test what a panic in it comes to", set.Position(n.Pos()))
			}
			return true
		})
	}
}
