package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The examples of docs/explore.md show what the program says; -update lets them.
func TestExploreDocument(t *testing.T) {
	data, err := os.ReadFile("../../docs/explore.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GRADINE_STORE", t.TempDir())
	t.Chdir("../..")
	document := string(data)
	for i, block := range strings.Split(string(data), "```console\n") {
		if i == 0 {
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		for _, example := range strings.Split(block, "$ gradine ")[1:] {
			command, want, _ := strings.Cut(example, "\n")
			var out bytes.Buffer
			Main(words(command), strings.NewReader(""), &out, &out)
			if *update {
				document = strings.Replace(document, example, command+"\n"+out.String(), 1)
				continue
			}
			if diff := cmp.Diff(want, out.String()); diff != "" {
				t.Errorf("gradine %s: (- document, + program)\n%s", command, diff)
			}
		}
	}
	if *update {
		if err := os.WriteFile("docs/explore.md", []byte(document), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// words splits a command line at spaces, but for those in quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
