package animator_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

var update = flag.Bool("update", false, "write the bundle")

// modules are the packages that the page is bundled from, fetched into a folder of its own; the test that wants them is
// skipped where they cannot be had.
func modules(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("GRADINE_NODE_MODULES"); dir != "" {
		return dir
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := os.ReadFile(filepath.Join("web", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("npm cannot fetch the packages of the page: %v\n%s", err, out)
	}
	return filepath.Join(dir, "node_modules")
}

// The committed bundle is that of the committed sources.
func TestBundle(t *testing.T) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"web/page.jsx"}, Bundle: true, Format: api.FormatESModule, Target: api.ES2022, NodePaths: []string{modules(t)},
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, JSX: api.JSXAutomatic, JSXImportSource: "preact", Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
	})
	for _, problem := range result.Errors {
		t.Errorf("%+v: %s", problem.Location, problem.Text)
	}
	if t.Failed() {
		return
	}
	bundle := result.OutputFiles[0].Contents
	const name = "web/page.js"
	if *update {
		if err := os.WriteFile(name, bundle, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if known, err := os.ReadFile(name); err != nil || !bytes.Equal(known, bundle) {
		t.Errorf("%s is not the bundle of its sources: go test ./internal/animator -run TestBundle -update (%v)", name, err)
	}
}
