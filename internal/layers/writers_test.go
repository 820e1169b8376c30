package layers_test

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

// checked marks a function that hands out or saves the text of a model only after
// lang/edit has read it again. Files of models, hints and scenarios are saved as an edit.Text, which nothing
// but lang/edit can make.
const checked = "checked"

// writers are the functions that save a file, hand an edit to an editor, or make the text of
// a tree, and why what they write is what is meant.
var writers = map[string]string{
	"discharge/answer/key.go makeKey":                  "a key",
	"discharge/proofstore/store.go write":              "an answer of the store",
	"explore/internal/states/disk.go writer":           "states",
	"gpu/clang/many.go several":                        "a file for clang, which is deleted",
	"gpu/clang/overlay.go mount":                       "a copy for clang, which is deleted",
	"gpu/clang/overlay.go write":                       "a copy for clang, which is deleted",
	"gpu/probe/probe.go Measure":                       "the source of its kernels",
	"gpu/probe/probe.go result":                        "what a buffer of a kernel has",
	"gpu/probe/probe.go writeCycle":                    "what a buffer of a kernel has",
	"internal/cli/probe.go probe":                      "figures of a device, which config.WithFigures reads again",
	"gpu/runner/data.go Write":                         "what a buffer of a kernel has",
	"gpu/runner/runner.go New":                         "the runner's own source",
	"gpu/runner/runner.go ask":                         "a request to the runner",
	"project/tuner.go writeNew":                        "a table, which was read again, or measurements",
	"project/rig_data.go copyFile":                     "what a buffer of a kernel has",
	"tune/loop/log.go write":                           "measurements",
	"internal/prompt/prompt.go write":                  "a trace",
	"internal/atomic/atomic.go Write":                  "for whoever calls it",
	"internal/atomic/atomic.go create":                 "for whoever calls it",
	"internal/cli/compile.go emit":                     "LLVM IR",
	"internal/cli/kernel_baseline.go endBaseline":      "accepted findings, in TOML",
	"internal/cli/animate.go exportAnimation":          "a page",
	"internal/cli/explore.go writeSearch":              "traces and pictures",
	"internal/cli/flags/chart.go Draw":                 "a picture",
	"internal/cli/fmt.go format1":                      checked,
	"internal/cli/fmt.go replaceFile":                  "for whoever calls it",
	"internal/cli/recorded.go write":                   "each line was read again when it was laid out, by laidOut",
	"internal/cli/git.go gitTextCommand":               "is shown, and not saved",
	"internal/cli/infer.go evaluate":                   "a picture",
	"internal/lsp/projectfiles.go completeProjectFile": "somebody picks it while typing",
	"internal/lsp/complete.go completion":              "somebody picks it while typing",
	"internal/lsp/complete.go operatorItems":           "somebody picks it while typing",
	"internal/lsp/deferred.go invariant":               "project.InsertInvariants reads it again",
	"internal/lsp/deferred.go hint":                    checked,
	"internal/lsp/fixes.go offer":                      checked,
	"internal/lsp/layout.go formatted":                 checked,
	"internal/lsp/layout.go formatting":                "what formatted returns",
	"internal/lsp/layout.go rangeFormatting":           checked,
	"internal/lsp/layout.go lineEdits":                 "for rangeFormatting",
	"internal/lsp/layout.go onType":                    "another spelling of the same token, while typing",
	"internal/lsp/rename.go rename":                    "renaming reads sources and hints again",
	"internal/lsp/rename.go sources":                   checked,
	"internal/lsp/rename.go hints":                     checked,
	"internal/lsp/rename.go lineByLine":                "for editOf",
	"internal/report/sample/sample.go Proved":          "for tests",
	"internal/golden/golden.go Tables":                 "for tests",
	"internal/report/sample/sarif.go ValidateSARIF":    "for tests",
	"internal/scaffold/git.go InstallHooks":            "hooks",
	"internal/scaffold/git.go addLines":                "attributes for Git",
	"internal/scaffold/scaffold.go Write":              checked,
	"lang/rodin/write.go WriteDir":                     "readBack has read the components again",
	"internal/scaled/scaled.go Write":                  "for tests",
	"project/certificates.go writeBelow":               "certificates",
	"project/convert.go textsOf":                       checked,
	"project/convert.go ImportKernels":                 checked,
	"gpu/encode/text.go Text":                          "ImportKernels has it read again; shown otherwise",
	"project/hints.go manualOf":                        checked,
	"internal/lsp/rename.go words":                     "a formula of gradine.toml or of what sources reads again",
	"project/keep.go KeepProofs":                       "certificates",
	"project/committed.go WriteLock":                   "a lock",
	"review/merge/layout.go canonical":                 "for laidOut, which reads it again",
	"review/merge/follow.go follow":                    "for Text and Rodin, which read it again",
	"internal/cli/git.go gitMergeCommand":              "review/merge has read it again, or it has markers of a conflict",
	"internal/cli/report.go output":                    "a report",
	"internal/cli/convert.go typeset":                  "a document",
	"internal/cli/convert.go export":                   "lang/rodin has read its files again",
	"internal/cli/pack.go pack":                        "answers of the store",
	"internal/cli/prove.go writeSMTLIB":                "a question in SMT-LIB",
	"internal/cli/shard.go saveShard":                  "answers of a shard",
	"internal/cli/tune.go together":                    "a header in C",
	"internal/cli/tune.go writeWitness":                "a trace",
	"internal/cli/tune.go exportAnswer":                "a header, or another form of an answer",
	"internal/cli/tune.go drawAnswer":                  "a picture",
	"lang/edit/text.go Save":                           "a text that was read again",
}

// checks are the functions of lang/edit that compare a text with what is meant.
var checks = []string{"Change", "Check", "CheckHints", "Components", "Layout", "Mends", "AppendHints", "Formatted", "Of", "Whole"}

// writes reports what a node writes, "" if nothing.
func writes(n ast.Node) string {
	switch x := n.(type) {
	case *ast.CallExpr:
		switch f := x.Fun.(type) {
		case *ast.SelectorExpr:
			on, _ := f.X.(*ast.Ident)
			switch {
			case on == nil:
			case on.Name == "atomic" && f.Sel.Name == "Write",
				on.Name == "os" && slices.Contains([]string{"WriteFile", "Create", "CreateTemp", "OpenFile"}, f.Sel.Name),
				on.Name == "edit" && f.Sel.Name == "Apply",
				(on.Name == "lang" || on.Name == "hints") && f.Sel.Name == "Format":
				return on.Name + "." + f.Sel.Name
			}
			if f.Sel.Name == "editOf" {
				return "editOf"
			}
		case *ast.Ident:
			if f.Name == "spliced" || f.Name == "replaceFile" {
				return f.Name
			}
		}
	case *ast.CompositeLit:
		if s, ok := x.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "TextEdit" {
			return "TextEdit"
		}
		if a, ok := x.Type.(*ast.ArrayType); ok && len(x.Elts) > 0 {
			if s, ok := a.Elt.(*ast.SelectorExpr); ok && s.Sel.Name == "TextEdit" {
				return "TextEdit"
			}
		}
	}
	return ""
}

// Who writes the text of a model has it read again, or says here why it need not be.
func TestWhoWritesModels(t *testing.T) {
	found := map[string]bool{}
	functions(t, func(key string, f *ast.FuncDecl) {
		what, reads := "", false
		ast.Inspect(f, func(n ast.Node) bool {
			if w := writes(n); w != "" {
				what = w
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				on, ok := s.X.(*ast.Ident)
				reads = reads || ok && on.Name == "edit" && slices.Contains(checks, s.Sel.Name)
			}
			return true
		})
		if what == "" {
			return
		}
		found[key] = true
		switch why := writers[key]; {
		case why == "":
			t.Errorf("%s: %s; read a model again by lang/edit before it is saved, or say in this test why that is not needed", key, what)
		case why == checked && !reads:
			t.Errorf("%s: %s, and nothing of lang/edit reads it again", key, what)
		}
	})
	for key := range writers {
		if !found[key] {
			t.Errorf("%s writes nothing", key)
		}
	}
}

// functions visits all functions of the project but those of tests, by file and name.
func functions(t *testing.T, visit func(key string, f *ast.FuncDecl)) {
	t.Helper()
	const root = "../.."
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		at, _ := filepath.Rel(root, name)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				visit(filepath.ToSlash(at)+" "+f.Name.Name, f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
