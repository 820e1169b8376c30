// Package golden compares test output with tables in testdata.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the expected outputs of the tables in testdata")

// Tables runs show over the archives testdata/*.txtar. The file "in" of an archive is the input; the file
// "want" is the expected output, without blank space around it. With -update the outputs are written: read
// the difference before you commit it.
func Tables(t *testing.T, show func(t *testing.T, in string) string) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no tables in testdata", err)
	}
	for _, name := range names {
		name, err := filepath.Abs(name) // show may change the folder
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			in := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "in" })
			if in < 0 {
				t.Fatal("no file in")
			}
			got := strings.TrimSpace(show(t, string(archive.Files[in].Data))) + "\n"
			want := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				archive.Files = append(archive.Files[:in+1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want < 0 || string(archive.Files[want].Data) != got {
				t.Errorf("got\n%s", got)
			}
		})
	}
}
