package rodin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/rodin"
)

// throughText returns p as it is after an import into text files.
func throughText(t *testing.T, p *rodin.Project) *rodin.Project {
	t.Helper()
	out := &rodin.Project{Name: p.Name}
	var problems diag.List
	for _, f := range p.Files {
		name := f.Components[0].Name.Text + ".eventb"
		out.Files = append(out.Files, lang.Parse(name, lang.Format(f, lang.Options{}), &problems))
	}
	return out
}

// TestUpdateCorpus: a user who imports a project and exports it over the original
// folder changes no byte of it, whatever plug-ins keep in the files.
func TestUpdateCorpus(t *testing.T) {
	root := corpus.Path(t, "rodin-dev")
	files := 0
	for i, p := range read(t, root) {
		if i%corpus.Effort(5, 3, 1) != 0 {
			continue
		}
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(p.Dir)); err != nil {
			t.Fatal(err)
		}
		w, err := rodin.WriteDir(dir, throughText(t, p), true)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if len(w.Removed)+len(w.Strange) > 0 {
			t.Errorf("%s: removed %v, strange %v", p.Name, w.Removed, w.Strange)
		}
		files += len(p.Files)
		for _, name := range w.Files {
			old, err := os.ReadFile(filepath.Join(p.Dir, name))
			if name == ".project" && err != nil {
				continue // the corpus leaves some out
			}
			now, _ := os.ReadFile(filepath.Join(dir, name))
			t.Errorf("%s/%s changes:\n%s", p.Name, name, cmp.Diff(strings.Split(string(old), "\n"), strings.Split(string(now), "\n")))
		}
	}
	if files < 60 {
		t.Errorf("only %d files", files)
	}
}

const plugged = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<org.eventb.core.machineFile org.eventb.core.comment="old" org.eventb.core.configuration="org.eventb.core.fwd;de.prob.units.mchBase" org.eventb.texttools.text_representation="machine m" version="5">
    <org.eventb.core.variable name="_n" de.prob.units.unit="m" org.eventb.core.generated="true" org.eventb.core.identifier="n"/>
    <org.eventb.core.invariant name="_i" ac.soton.eventb.emf.diagrams.source="a" org.eventb.core.label="i" org.eventb.core.predicate="n   ∈ ℕ" org.eventb.core.theorem="false"/>
    <org.eventb.core.invariant name="_j" org.eventb.core.label="j" org.eventb.core.predicate="n ≤ 5"/>
    <org.eventb.core.event name="'" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION">
        <org.eventb.core.action name="_a" org.eventb.core.assignment="n ≔ 0" org.eventb.core.label="a" org.eventb.emf.core.id="7"/>
        <ac.soton.eventb.thing name="t" org.eventb.core.comment="x"/>
    </org.eventb.core.event>
    <org.eventb.emf.persistence.serialisedExtension name="d" org.eventb.emf.persistence.serialised="a&amp;b&#10;c"/>
</org.eventb.core.machineFile>
`

// TestUpdate: what the text says is new, what it does not say stays.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	put := func(name, data string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	project := "<projectDescription><name>p</name><buildSpec></buildSpec><natures><nature>org.eclipse.xtext.ui.shared.xtextNature</nature></natures></projectDescription>"
	put(".project", project)
	put("m.bum", plugged)
	put("m.bpr", "proofs")
	put("gone.buc", "<org.eventb.core.contextFile version=\"3\"/>")
	put("gone.bpo", "")
	put("gone.txt", "mine")
	p := read(t, dir)[0]
	if d := cmp.Diff([]rodin.Left{{File: "m.bum", What: []string{"configuration de.prob.units.mchBase", "text of Camille", "1 attribute de.prob.units.unit", "1 generated flag",
		"1 attribute ac.soton.eventb.emf.diagrams.source", "1 attribute org.eventb.emf.core.id", "1 element ac.soton.eventb.thing", "1 diagram or other extension of UML-B"}}}, p.Left); d != "" {
		t.Error(d)
	}
	const source = "machine m\nvariables n k\ninvariants\n  @k k ∈ ℕ\n  @i n ∈ ℕ\nevents\n  event INITIALISATION\n  then\n    @b k ≔ 1\n    @a n ≔ 2\n  end\nend\n"
	var problems diag.List
	q := &rodin.Project{Name: "p", Files: []*lang.File{lang.Parse("m.eventb", []byte(source), &problems)}}
	if _, err := rodin.WriteDir(dir, q, false); err == nil || !has("gone.buc") {
		t.Errorf("written without --force: %v", err)
	}
	w, err := rodin.WriteDir(dir, q, true)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"gone.buc", "gone.bpo"}, w.Removed); d != "" || has("gone.buc") || has("gone.bpo") || !has("gone.txt") || !has("m.bpr") {
		t.Errorf("removed: %s", d)
	}
	data, _ := os.ReadFile(filepath.Join(dir, "m.bum"))
	want := `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd;de.prob.units.mchBase" version="5">
    <org.eventb.core.variable name="_n" de.prob.units.unit="m" org.eventb.core.generated="true" org.eventb.core.identifier="n"/>
    <org.eventb.core.variable name="k" org.eventb.core.identifier="k"/>
    <org.eventb.core.invariant name="k" org.eventb.core.label="k" org.eventb.core.predicate="k ∈ ℕ"/>
    <org.eventb.core.invariant name="_i" ac.soton.eventb.emf.diagrams.source="a" org.eventb.core.label="i" org.eventb.core.predicate="n   ∈ ℕ" org.eventb.core.theorem="false"/>
    <org.eventb.core.event name="'" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION">
        <org.eventb.core.action name="b" org.eventb.core.assignment="k ≔ 1" org.eventb.core.label="b"/>
        <org.eventb.core.action name="_a" org.eventb.core.assignment="n ≔ 2" org.eventb.core.label="a" org.eventb.emf.core.id="7"/>
        <ac.soton.eventb.thing name="t" org.eventb.core.comment="x"/>
    </org.eventb.core.event>
    <org.eventb.emf.persistence.serialisedExtension name="d" org.eventb.emf.persistence.serialised="a&amp;b&#10;c"/>
</org.eventb.core.machineFile>
`
	if d := cmp.Diff(want, string(data)); d != "" {
		t.Errorf("the machine:\n%s", d)
	}
	description, _ := os.ReadFile(filepath.Join(dir, ".project"))
	for _, want := range []string{"xtextNature", "org.rodinp.core.rodinnature", "org.rodinp.core.rodinbuilder"} {
		if !strings.Contains(string(description), want) {
			t.Errorf(".project lost %s:\n%s", want, description)
		}
	}
	if w, err := rodin.WriteDir(dir, q, false); err != nil || len(w.Files) > 0 || w.Same != 2 {
		t.Errorf("a second export: %+v, %v", w, err)
	}
	// A folder of another project keeps its components.
	put("other.bum", plugged)
	put(".project", strings.ReplaceAll(string(description), "<name>p<", "<name>q<"))
	if w, err := rodin.WriteDir(dir, q, true); err != nil || len(w.Removed) > 0 || len(w.Strange) != 1 || !has("other.bum") {
		t.Errorf("another project's folder: %+v, %v", w, err)
	}
}
