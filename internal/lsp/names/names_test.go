package names_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/project"
)

const text = `context c
sets S
constants top
axioms
  // the largest
  @top top ∈ S
end

machine m sees c
variables v
invariants
  @v v ⊆ S
  @all ∀x·x ∈ v ⇒ x ∈ S
events
  event INITIALISATION then @v v ≔ ∅ end
  event add any x where @x x ∈ S then @v v ≔ v ∪ {x} end
end

machine n refines m sees c
variables v w
invariants @w w = card(v)
events
  event INITIALISATION extends INITIALISATION then @w w ≔ 0 end
  event add extends add when @new x ∉ v then @w w ≔ w + 1 end
end
`

// index reads the text as one project of three files.
func index(t *testing.T) (*names.Index, *project.Project) {
	t.Helper()
	dir := t.TempDir()
	for i, part := range strings.SplitAfter(text, "end\n\n") {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.eventb", i)), []byte(part), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := project.Open(dir)
	if err != nil || len(projects) != 1 {
		t.Fatal(projects, err)
	}
	return names.New(projects), projects[0]
}

// Each name is of a kind and has a type; a variable that a refinement keeps is one with that of the
// abstract machine; a parameter of an extended event is one with that of the event.
func TestEntities(t *testing.T) {
	x, _ := index(t)
	var out []string
	for _, e := range x.All {
		out = append(out, fmt.Sprintf("%s %s %s root %s %s, %d places", in(e), e.Kind, e.Name, in(e.Root()), e.Type(), len(x.Occurrences(e))))
	}
	slices.Sort(out)
	if got := strings.Join(out, "\n"); got != want {
		t.Error(got)
	}
}

// in is the component that declares e, "" of a component.
func in(e *names.Entity) string {
	if e.Component == nil {
		return ""
	}
	return e.Component.Name.Text
}

const want = ` bound variable x root  , 3 places
c axiom top root c , 1 places
c carrier set S root c ℙ(S), 5 places
c constant top root c S, 2 places
c context c root c , 3 places
m action v root m , 1 places
m action v root m , 1 places
m event INITIALISATION root m , 1 places
m event add root m , 2 places
m guard x root m , 1 places
m invariant all root m , 1 places
m invariant v root m , 1 places
m machine m root m , 2 places
m parameter x root m S, 4 places
m variable v root m ℙ(S), 9 places
n action w root n , 1 places
n action w root n , 1 places
n event INITIALISATION root n , 1 places
n event add root n , 1 places
n guard new root n , 1 places
n invariant w root n , 1 places
n machine n root n , 1 places
n variable v root m ℙ(S), 9 places
n variable w root n ℤ, 5 places`

// What can be used at a place, each name once: what an event has of the one that it extends comes with it.
func TestScopes(t *testing.T) {
	x, p := index(t)
	for _, c := range []struct{ component, event, want string }{
		{"c", "", "S top"},
		{"m", "", "v S top"},
		{"m", "add", "x v S top"},
		{"n", "add", "x v S top w"},
	} {
		comp, event := placed(t, p, c.component, c.event)
		var out []string
		for _, e := range x.Visible(comp, event).List() {
			out = append(out, e.Name)
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("%s %s: %s", c.component, c.event, got)
		}
	}
}

// placed is the component of a name, and its event with a label; nil for the label "".
func placed(t *testing.T, p *project.Project, component, label string) (*lang.Component, *lang.Event) {
	t.Helper()
	for _, f := range p.Files {
		for _, c := range f.Components {
			if c.Name.Text != component {
				continue
			}
			if label == "" {
				return c, nil
			}
			for _, e := range c.Events {
				if e.Label.Text == label {
					return c, e
				}
			}
		}
	}
	t.Fatalf("no %s %s", component, label)
	return nil, nil
}
