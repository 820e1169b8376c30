package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/po"

	"github.com/google/go-cmp/cmp"
)

// obligationsIn returns the obligations of what args select, one a line and
// without places, which differ between spellings.
func obligationsIn(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(append([]string{"po", "--format", "jsonl"}, args...), nil, &out, &errs); code != 0 {
		t.Fatalf("po %v: exit code %d\n%s", args, code, errs.String())
	}
	var list []string
	for line := range strings.Lines(out.String()) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		delete(o, "sources")
		if kind, _ := po.KindOf(fmt.Sprint(o["kind"])); kind.Requested() {
			continue // of gradine.toml, which Rodin does not have
		}
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(data))
	}
	return list
}

// TestExportOwnProjects: every project of this repository goes to Rodin's format,
// and back to text, with the same obligations each time.
func TestExportOwnProjects(t *testing.T) {
	dir := t.TempDir()
	command := func(args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Main(args, nil, &out, &errs); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, errs.String())
		}
	}
	archive, text := filepath.Join(dir, "all.zip"), filepath.Join(dir, "text")
	command("-C", "../..", "export", "-o", archive)
	command("import", archive, "-o", text)
	command("-C", "../..", "export", "-o", filepath.Join(dir, "folders"))
	for _, name := range []string{"gpu", "published", "spin"} {
		want := obligationsIn(t, "-C", "../..", name)
		if len(want) < 100 {
			t.Fatalf("only %d obligations of %s", len(want), name)
		}
		for _, at := range []string{filepath.Join(dir, "folders", name), filepath.Join(text, name)} {
			if d := cmp.Diff(want, obligationsIn(t, at)); d != "" {
				t.Errorf("%s: the obligations differ:\n%s", at, d)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "folders", "gpu", "bounds.bum")); err != nil {
		t.Error(err)
	}
}
