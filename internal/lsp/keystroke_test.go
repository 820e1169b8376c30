package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/scaled"
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
	versions, known := map[string]int{}, digests{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		opener.Texts[name], versions[name] = text, 1
	}
	home := opener.Home(names[0])
	if snap := takeContained(home, &opener, &known, versions); snap.failed != nil {
		b.Fatal(snap.failed)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		name := names[i%len(names)]
		opener.Texts[name] = []byte(strings.TrimRight(string(opener.Texts[name]), "x\n") + "\n//x\n")
		snap := takeContained(home, &opener, &known, versions)
		snap.diagnostics(make([]*answer, len(snap.asked)))
	}
}

// TestKeystrokeWork changes one component of a project, and counts what is checked, made and digested again: that component, and
// what builds on it, however large the project is. What is understood is what a server that remembers nothing understands.
func TestKeystrokeWork(t *testing.T) {
	size := corpus.Effort(40, 100, 1000)
	for _, shape := range []scaled.Shape{scaled.Pairs, scaled.Families} {
		dir := t.TempDir()
		if err := scaled.Write(dir, shape, size); err != nil {
			t.Fatal(err)
		}
		opener, known := project.Opener{Texts: map[string][]byte{}}, digests{}
		home := filepath.Join(dir, "gradine.toml")
		var last *snapshot
		after := func(name, old, text string) (checked, made, digested int) {
			at := filepath.Join(dir, "models", name+".eventb")
			if opener.Texts[at] == nil {
				data, err := os.ReadFile(at)
				if err != nil {
					t.Fatal(err)
				}
				opener.Texts[at] = data
			}
			if !strings.Contains(string(opener.Texts[at]), old) {
				t.Fatalf("%s has no %s", name, old)
			}
			opener.Texts[at] = []byte(strings.Replace(string(opener.Texts[at]), old, text, 1))
			if last = takeContained(home, &opener, &known, nil); last.failed != nil {
				t.Fatal(last.failed)
			}
			checked, made = opener.Work("scaled")
			return checked, made, known.made
		}
		checked, made, digested := after("m0", "n0 > 0", "n0 > 0")
		if checked != size || made != len(last.asked) || digested != made {
			t.Errorf("%s: at first, %d components are checked, %d obligations made, %d digested", shape, checked, made, digested)
		}
		for _, change := range []struct {
			name, old, text string
			most            int // components
		}{
			{"m1", "n1 > 0", "n1 ≥ 1", 2},
			{"m1", "n1 ≥ 1", "n1 ≥ ", 2},      // as it is while somebody types
			{"m1", "n1 ≥ ", "n1 ≥ 1", 2},      // right again
			{"c2", "cap2 > 0", "cap2 ≥ 1", 3}, // and who sees it
			{"c2", "constants", "// nothing\nconstants", 3},
		} {
			checked, made, digested := after(change.name, change.old, change.text)
			if checked < 1 || checked > change.most || made > 20*change.most || digested > made {
				t.Errorf("%s, %s: %d components are checked, %d obligations made, %d digested of %d", shape, change.name, checked, made, digested, len(last.asked))
			}
			fresh := takeContained(home, &project.Opener{Texts: opener.Texts}, new(digests), nil)
			if got, want := told(last), told(fresh); got != want {
				t.Fatalf("%s, %s: what is remembered\n%s\nwhat is new\n%s", shape, change.name, got, want)
			}
		}
	}
}

// told is what a snapshot has of problems and questions, as text.
func told(snap *snapshot) string {
	var out strings.Builder
	for _, opened := range snap.projects {
		for _, problem := range opened.Problems.Sorted() {
			fmt.Fprintln(&out, problem)
		}
		for _, c := range opened.Dev.Components() {
			fmt.Fprintln(&out, c.Name(), c.Whole())
		}
	}
	for _, a := range snap.asked {
		fmt.Fprintf(&out, "%s %s %t %x %t\n", a.Path(), a.Nature, a.Accurate, a.question, a.Development == a.project.Dev)
	}
	return out.String()
}
