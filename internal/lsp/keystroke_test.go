package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/project"
)

// BenchmarkKeystroke measures what a server does between a keystroke and the diagnostics
// that it sends: of the project at $GRADINE_LSP_PROJECT, or else of a small one. Each
// round types a comment into another file.
func BenchmarkKeystroke(b *testing.B) {
	dir := os.Getenv("GRADINE_LSP_PROJECT")
	if dir == "" {
		dir = b.TempDir()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(counter), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.eventb"))
	if err != nil || len(names) == 0 {
		b.Fatalf("%s: no models", dir)
	}
	opener := project.Opener{Texts: map[string][]byte{}}
	versions := map[string]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		opener.Texts[name], versions[name] = text, 1
	}
	home := opener.Home(names[0])
	if snap := takeContained(home, &opener, versions); snap.failed != nil {
		b.Fatal(snap.failed)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		name := names[i%len(names)]
		opener.Texts[name] = []byte(strings.TrimRight(string(opener.Texts[name]), "x\n") + "\n//x\n")
		snap := takeContained(home, &opener, versions)
		snap.diagnostics(make([]*answer, len(snap.asked)))
	}
}
