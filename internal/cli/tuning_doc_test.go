package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The entry that docs/tuning.md shows answers as it says; -update lets it.
func TestTuningDocument(t *testing.T) {
	path, err := filepath.Abs("../../docs/tuning.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	document := string(data)
	block := func(kind string) string {
		_, rest, _ := strings.Cut(document, "```"+kind+"\n")
		text, _, _ := strings.Cut(rest, "```")
		return text
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"copy.eventb": block("eventb"), "gradine.toml": block("toml")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GRADINE_STORE", t.TempDir())
	t.Chdir(dir)
	for _, example := range strings.Split(block("console"), "$ gradine ")[1:] {
		command, want, _ := strings.Cut(example, "\n")
		var out bytes.Buffer
		Main(words(command), strings.NewReader(""), &out, &out)
		if *update {
			document = strings.Replace(document, "$ gradine "+example, "$ gradine "+command+"\n"+out.String(), 1)
		} else if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("gradine %s: (- document, + program)\n%s", command, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(document), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
