package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// relational is a model with all the operators that Rodin spells in private
// characters of Unicode, each in a proved and in a refuted obligation.
const relational = `context C
sets S T
axioms
  @a ∃r·r ∈ S ↔ T
  theorem @b ∀r,q·r ∈ S <<-> T ∧ q = r ⇒ q ∈ S <<-> T
  theorem @c ∀r·r ∈ S <->> T ⇒ r ∈ S <<->> T
end
machine M sees C
variables f x
invariants
  @i f ∈ S ↔ T
  @j x ⊆ f <+ f
  @k f ∈ S <<->> T ⇒ x = f <+ x
events
  event INITIALISATION then
    @f f ≔ ∅
    @x x ≔ ∅
  end
  event e any s t where @g s ∈ S ∧ t ∈ T then
    @x f ≔ f <+ {s ↦ t}
  end
end
`

// TestPrivateCharactersInOutput runs what prints formulas for people: few fonts
// have the private characters of Rodin's language.
func TestPrivateCharactersInOutput(t *testing.T) {
	t.Setenv("GRADINE_CACHE", t.TempDir())
	dir := t.TempDir()
	file := filepath.Join(dir, "m.eventb")
	rodin := strings.NewReplacer("<<->>", "\ue102", "<<->", "\ue100", "<->>", "\ue101", "<+", "\ue103")
	for _, text := range []string{relational, rodin.Replace(relational)} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"check"}, {"fmt", file}, {"fmt", "--ascii", file}, {"po"}, {"po", "C"}, {"po", "M"}, {"prove"}, {"explore", "M", "--size", "S=2", "--size", "T=2"}, {"report", "why", "M/e/j/INV"},
			{"report", "--format", "html"}, {"report", "--format", "markdown"}, {"report", "--format", "sarif"}, {"report", "--format", "junit"}, {"report", "trust"},
		} {
			var out bytes.Buffer
			Main(append([]string{"-C", dir}, args...), nil, &out, &out)
			if out.Len() == 0 || strings.ContainsFunc(out.String(), private) {
				t.Errorf("%v prints nothing, or private characters:\n%s", args, out.String())
			}
		}
	}
}

func private(r rune) bool { return unicode.Is(unicode.Co, r) }

// TestPrivateCharactersInFiles looks at all files that are kept with the program.
func TestPrivateCharactersInFiles(t *testing.T) {
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, ".png"):
			return nil
		}
		data, err := os.ReadFile(name)
		if err == nil && bytes.ContainsFunc(data, private) {
			t.Errorf("%s holds private characters of Unicode; write <+, <<->, <->>, <<->>, or \\ue103 and so on in Go", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
