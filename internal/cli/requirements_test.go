package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// TestRequirementsDocument keeps the table in docs/gpu-development.md equal to
// what prove and report say of the development, from an empty store.
func TestRequirementsDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("proves the whole development")
	}
	t.Setenv("GRADINE_STORE", t.TempDir())
	if code := Main([]string{"-C", "../..", "prove", "gpu"}, nil, io.Discard, os.Stderr); code != exitYes {
		t.Errorf("prove gpu ends with code %d", code)
	}
	var out bytes.Buffer
	Main([]string{"-C", "../..", "report"}, nil, &out, os.Stderr)
	_, table, found := strings.Cut(out.String(), "### Requirements of gpu\n\n")
	if !found {
		t.Fatalf("no requirements in\n%s", out.String())
	}
	table, _, _ = strings.Cut(table, "\n\n")

	const name, begin, end = "../../docs/gpu-development.md", "<!-- requirements -->\n", "\n<!-- end -->"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(old), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s lacks the marks", name)
	}
	text := head + begin + table + end + tail
	if text == string(old) {
		return
	}
	if !*update {
		t.Fatalf("the table in %s is not what report says; run go test ./internal/cli -run RequirementsDocument -update", name)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
