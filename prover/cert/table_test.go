package cert

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/axioms.txt")

// The table in the documents is the table of the kernel.
func TestTable(t *testing.T) {
	const file = "../../docs/axioms.txt"
	if *update {
		if err := os.WriteFile(file, []byte(Table()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := Table(); got != string(want) {
		t.Errorf("docs/axioms.txt is not the table of the kernel: run go test ./prover/cert -update")
	}
}
