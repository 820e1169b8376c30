package kernel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What every proof rests on stays small enough to read.
func TestTrustedLinesAreFew(t *testing.T) {
	const most = 2600 // docs/adr/012-trusted-lines.md
	lines := 0
	for _, dir := range []string{".", "../../logic"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(data)) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
					lines++
				}
			}
		}
	}
	t.Logf("%d lines of code", lines)
	if lines > most {
		t.Errorf("logic and prover/kernel have %d lines of code, more than %d", lines, most)
	}
}
