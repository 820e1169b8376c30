package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestRequirementsDocument keeps the table in docs/gpu-development.md equal to
// what report says of the development.
func TestRequirementsDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("proves the whole development")
	}
	var out bytes.Buffer
	if code := Main([]string{"-C", "../..", "report"}, nil, &out, os.Stderr); code != exitYes {
		t.Errorf("report ends with code %d", code)
	}
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
