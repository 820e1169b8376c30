// Package corpus finds the public reference data that tests measure against. It
// stands beside the checkout, in shared/corpus, or is absent; it knows nothing
// of what the data says.
package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the place of a file or folder of the reference data, looked for
// in the working directory and upward; it skips the test if there is none.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "shared", "corpus", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Skip("no reference data beside the repository")
		}
		dir = up
	}
}
