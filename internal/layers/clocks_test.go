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

// No test decides by the clock: on a busy machine it would fail without a fault. Whatever a test waits for, it waits for until it
// is there, and corpus.Fuse ends what hangs. clocks are the files of tests that also look at the clock, and why that decides
// nothing.
var clocks = map[string]string{
	"bench/caches/caches_test.go":           "prints what commands take, and is a slow server",
	"bench/spin/tuning_test.go":             "prints what SPIN takes, and how long it may search",
	"discharge/explain/suggestions_test.go": "looks at the time of the processor now and then",
	"discharge/queue/queue_test.go":         "ends a worker that has nothing to do: five have taken the job then, or none ever does",
	"explore/cores_test.go":                 "prints",
	"explore/internal/abort/abort_test.go":  "a time that is over",
	"gpu/clang/clang_test.go":               "a program may have started or not: both is tried",
	"gpu/corpus_test.go":                    "prints",
	"gpu/oclgrind_test.go":                  "a simulation that does not end says nothing",
	"gpu/races_test.go":                     "a simulation that does not end says nothing; prints",
	"infer/measure_test.go":                 "looks at the time of the processor now and then",
	"internal/cli/cache_test.go":            "a slow server: whether its answer comes changes nothing",
	"internal/cli/hostile_cache_test.go":    "slow servers; prints",
	"internal/cli/queue_test.go":            "a certificate that is valid for an hour",
	"internal/cli/script_test.go":           "a program works for a second before it is interrupted; the time of the processor decides",
	"internal/lsp/edits_test.go":            "somebody who types makes pauses; prints",
	"internal/lsp/features_test.go":         "something that must not happen gets time to happen",
	"internal/lsp/together_test.go":         "somebody who types makes pauses",
	"internal/process/process_test.go":      "waits for a condition",
	"internal/report/page/page_test.go":     "a page must not have the date of today",
	"internal/worker/distance_test.go":      "a link is slow, and broken on purpose every so often; prints",
	"internal/worker/namespaces_test.go":    "how often something is broken on purpose; certificates; prints",
	"internal/worker/storm_test.go":         "how often something is broken on purpose; an answer is waited for, and searched for if it does not come",
	"lang/corpus_test.go":                   "prints",
	"prover/corpus_test.go":                 "prints",
	"prover/mutant_test.go":                 "prints",
	"review/review_test.go":                 "prints",
}

// looksAtClock are the calls that do; those with a fuse as their time are none.
var looksAtClock = []string{
	"time.Now", "time.Since", "time.Until", "time.After", "time.AfterFunc", "time.Sleep", "time.Tick", "time.NewTimer", "time.NewTicker",
	"context.WithTimeout", "context.WithDeadline",
}

func TestWhoLooksAtTheClock(t *testing.T) {
	const root = "../.."
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		at := filepath.ToSlash(rel)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if s, ok := call.Fun.(*ast.SelectorExpr); ok {
				on, _ := s.X.(*ast.Ident)
				if on == nil || !slices.Contains(looksAtClock, on.Name+"."+s.Sel.Name) || slices.ContainsFunc(call.Args, isFuse) {
					return true
				}
				found[at] = true
				if clocks[at] == "" {
					t.Errorf("%s: %s.%s; wait for a condition, with corpus.Fuse, or say in this test why it decides nothing", set.Position(call.Pos()), on.Name, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at := range clocks {
		if !found[at] {
			t.Errorf("%s does not look at the clock", at)
		}
	}
}

// isFuse reports whether an expression is the time of a fuse.
func isFuse(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name == "fuse"
	case *ast.SelectorExpr:
		return x.Sel.Name == "Fuse"
	}
	return false
}
