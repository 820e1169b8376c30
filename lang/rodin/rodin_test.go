package rodin_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/lang/rules"
	"github.com/gradine/gradine/logic"
)

func read(t *testing.T, name string) []*rodin.Project {
	t.Helper()
	var problems diag.List
	ps, err := rodin.Read(name, &problems)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range problems.Sorted() {
		t.Error(d)
	}
	return ps
}

// placeless removes all places from v, which points to a model.
func placeless(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			placeless(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			placeless(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Span]() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			placeless(v.Field(i))
		}
	}
}

// sameModel fails if the models of p and q differ, but for places.
func sameModel(t *testing.T, p, q *rodin.Project) {
	t.Helper()
	for _, x := range []*rodin.Project{p, q} {
		placeless(reflect.ValueOf(x))
		x.Dir, x.Recorded, x.Left = "", nil, nil // the sources alone are written
		for _, f := range x.Files {
			f.Path = ""
		}
	}
	if !reflect.DeepEqual(p, q) {
		t.Errorf("%s changes on the way through export and import:\n%s", p.Name, cmp.Diff(p, q))
	}
}

func TestRoundTripCorpus(t *testing.T) {
	projects := read(t, corpus.Path(t, "rodin-dev"))
	if len(projects) < 70 {
		t.Fatalf("only %d projects", len(projects))
	}
	for i, p := range projects {
		if i%corpus.Effort(10, 3, 1) != 0 {
			continue
		}
		dir := filepath.Join(t.TempDir(), "x")
		if _, err := rodin.WriteDir(dir, p, false); err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		again := read(t, dir)
		first, err := rodin.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		second, err := rodin.Encode(again[0])
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, second); d != "" {
			t.Errorf("%s: the second export differs from the first:\n%s", p.Name, d)
		}
		sameModel(t, p, again[0])
	}
}

func TestZip(t *testing.T) {
	projects := read(t, corpus.Path(t, filepath.Join("rodin-dev", "celebrity_handbook")))
	var buf bytes.Buffer
	if err := rodin.WriteZip(&buf, projects...); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(name, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	sameModel(t, projects[0], read(t, name)[0])
}

// TestSigns: no character of a name is taken for another, quoted or not.
func TestSigns(t *testing.T) {
	const source = "machine a−b\nevents\n    event `a−b`\n    end\n\n    event a-b refines c−d\n    end\nend\n"
	var problems diag.List
	f := lang.Parse("m.eventb", []byte(source), &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	for range 2 {
		c := f.Components[0]
		if c.Name.Text != "a−b" || c.Events[0].Label.Text != "a−b" || c.Events[1].Label.Text != "a-b" || c.Events[1].Refines[0].Text != "c−d" {
			t.Errorf("component %s with events %v, %v", c.Name.Text, c.Events[0].Label, c.Events[1].Label)
		}
		f = lang.Parse("m.eventb", lang.Format(f, lang.Options{}), &problems)
	}
}

const machine = `<?xml version="1.0" encoding="UTF-8"?>
<org.eventb.core.machineFile version="5" org.eventb.core.configuration="org.eventb.core.fwd" org.eventb.core.comment="two&#10;lines">
<org.eventb.core.event name="e" org.eventb.core.label="e v/t" org.eventb.core.convergence="2" org.eventb.core.extended="true"/>
<org.eventb.core.variable name="v" org.eventb.core.identifier="status"/>
<org.eventb.core.invariant name="i" org.eventb.core.label="se perdre" org.eventb.core.predicate="status &lt; 1 ∧" org.eventb.core.theorem="true"/>
<org.eventb.core.variant name="w" org.eventb.core.expression="1"/>
</org.eventb.core.machineFile>
`

func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.bum")
	if err := os.WriteFile(name, []byte(machine), 0o600); err != nil {
		t.Fatal(err)
	}
	c := read(t, name)[0].Files[0].Components[0]
	if c.Name.Text != "m" || c.Doc != "two\nlines" || c.Variables[0].Text != "status" || c.Variants[0].Label.Text != "vrn" {
		t.Errorf("component %+v", c)
	}
	e := c.Events[0]
	if e.Label.Text != "e v/t" || e.Convergence != lang.Anticipated || !e.Extended {
		t.Errorf("event %+v", e)
	}
	i := c.Invariants[0]
	if !i.Theorem || i.Label.Text != "se perdre" || i.Source.Text != "status < 1 ∧" {
		t.Errorf("invariant %+v", i)
	}
	if s := i.Source.Span; s.Line != 5 || machine[s.From:s.To] != "status &lt; 1 ∧" {
		t.Errorf("place of the invariant: %v %d-%d", s, s.From, s.To)
	}
}

func TestBadFiles(t *testing.T) {
	root := func(s string) string {
		return `<org.eventb.core.machineFile version="5">` + s + `</org.eventb.core.machineFile>`
	}
	for _, test := range []struct{ name, data, want string }{
		{"empty", "", rodin.BadXML},
		{"unclosed", "<org.eventb.core.machineFile>", rodin.BadXML},
		{"crossed", "<org.eventb.core.machineFile></a>", rodin.BadXML},
		{"two roots", root("") + root(""), rodin.BadXML},
		{"entities", `<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;">]>` + root("&y;"), rodin.BadXML},
		{"undefined entity", root("&y;"), rodin.BadXML},
		{"not UTF-8", root("\xff"), rodin.BadEncoding},
		{"UTF-16", "\xff\xfe<\x00a\x00", rodin.BadEncoding},
		{"latin 1", `<?xml version="1.0" encoding="ISO-8859-1"?>` + root(""), rodin.BadEncoding},
		{"wrong root", "<org.eventb.core.contextFile/>", rodin.NotRodin},
		{"deep", root(strings.Repeat("<a>", 100) + strings.Repeat("</a>", 100)), rodin.TooLarge},
		{"newer", `<org.eventb.core.machineFile version="10"/>`, rodin.NewerVersion},
		{"convergence", root(`<org.eventb.core.event org.eventb.core.convergence="7"/>`), rodin.BadValue},
	} {
		name := filepath.Join(t.TempDir(), "m.bum")
		if err := os.WriteFile(name, []byte(test.data), 0o600); err != nil {
			t.Fatal(err)
		}
		var problems diag.List
		_, err := rodin.Read(name, &problems)
		if ds := problems.Sorted(); err != nil || len(ds) != 1 || ds[0].Code != test.want {
			t.Errorf("%s: %v, error %v, want one %s", test.name, ds, err, test.want)
		}
	}
}

// TestRules runs the examples of the rules.
func TestRules(t *testing.T) {
	for _, r := range rules.All() {
		example, ok := strings.CutPrefix(r.Example, "-- m.bum --\n")
		if !ok || r.Code < rodin.BadXML {
			continue
		}
		example = strings.TrimSuffix(example, "\n")
		name := filepath.Join(t.TempDir(), "m.bum")
		if err := os.WriteFile(name, []byte(example), 0o600); err != nil {
			t.Fatal(err)
		}
		var problems diag.List
		_, err := rodin.Read(name, &problems)
		if ds := problems.Sorted(); err != nil || len(ds) != 1 || ds[0].Code != r.Code {
			t.Errorf("the example of %s gives %v, error %v", r.Code, ds, err)
		}
	}
}

// TestHostileProjectName keeps names that lead elsewhere from being used.
func TestHostileProjectName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{".project": "<projectDescription><name>../../etc</name></projectDescription>", "m.bum": machine} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if p := read(t, dir)[0]; p.Name != "home" {
		t.Errorf("the project is called %s", p.Name)
	}
}

func TestHostileZip(t *testing.T) {
	for _, entry := range []string{"../m.bum", "/m.bum", `a\..\m.bum`, "a/../../m.bum"} {
		var buf bytes.Buffer
		z := zip.NewWriter(&buf)
		if _, err := z.Create(entry); err != nil {
			t.Fatal(err)
		}
		z.Close()
		name := filepath.Join(t.TempDir(), "a.zip")
		if err := os.WriteFile(name, buf.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var problems diag.List
		if _, err := rodin.Read(name, &problems); err == nil || !strings.Contains(err.Error(), "unsafe") {
			t.Errorf("entry %q: error %v", entry, err)
		}
	}
}

// An archive that says two things of a component is refused.
func TestAmbiguousZip(t *testing.T) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for range 2 {
		if _, err := z.Create("p/c.buc"); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	name := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(name, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var problems diag.List
	if _, err := rodin.Read(name, &problems); err == nil || !strings.Contains(err.Error(), `two entries named "p/c.buc"`) {
		t.Errorf("error %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "x.txt")
	if err := os.WriteFile(text, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, "absent"), text, dir} {
		var problems diag.List
		if _, err := rodin.Read(name, &problems); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestWriteDirKeepsFiles(t *testing.T) {
	dir := t.TempDir()
	p := &rodin.Project{Name: "p", Files: []*lang.File{{Components: []*lang.Component{{Name: lang.Name{Text: "c"}}}}}}
	old := filepath.Join(dir, "c.buc")
	if err := os.WriteFile(old, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := rodin.WriteDir(dir, p, false); err == nil {
		t.Error("overwrites")
	}
	if data, _ := os.ReadFile(old); string(data) != "mine" {
		t.Error("file changed")
	}
	if _, err := os.Stat(filepath.Join(dir, ".project")); err == nil {
		t.Error("wrote some files and not others")
	}
	if _, err := rodin.WriteDir(dir, p, true); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(old); !strings.Contains(string(data), "contextFile") {
		t.Errorf("not overwritten: %s", data)
	}
}

func TestUnsafeNames(t *testing.T) {
	for _, name := range []string{"", "..", "a/b", `a\b`, ".x"} {
		p := &rodin.Project{Name: "p", Files: []*lang.File{{Components: []*lang.Component{{Name: lang.Name{Text: name}}}}}}
		if _, err := rodin.Encode(p); err == nil {
			t.Errorf("component %q: no error", name)
		}
	}
}

// operatorsOfRodin are all operators of Rodin's formulas, by their names in certificates.
const operatorsOfRodin = "true false not and or implies iff forall exists eq neq lt le gt ge in notin subset notsubset subseteq notsubseteq finite partition " +
	"int free bound given integer natural natural1 bool TRUE FALSE empty id prj1 prj2 pred succ boolof maplet rel trel srel strel pfun tfun pinj tinj " +
	"psur tsur tbij union inter diff product direct parallel bcomp fcomp override domres domsub ranres ransub converse image apply upto plus minus neg " +
	"times div mod power card pow pow1 union-of inter-of dom ran min max set comprehension union-over inter-over"

// TestOperatorsThatRodinLacks: an export is refused where a formula has an operator that Rodin does not have. A new operator is
// one of these: only an operator in the list above may be exported.
func TestOperatorsThatRodinLacks(t *testing.T) {
	known := strings.Fields(operatorsOfRodin)
	refused := 0
	for op := logic.Op(1); op <= logic.NumOps; op++ { // the last one stands for operators to come
		if slices.Contains(known, op.String()) {
			continue
		}
		refused++
		inside := &lang.Formula{Op: logic.Finite, Args: []*lang.Formula{{Op: logic.Compr, Decls: []lang.Decl{{Name: "x", Oftype: &lang.Formula{Op: op}}}}}}
		named := lang.Name{Text: "x1"}
		predicate := []*lang.Predicate{{Label: named, Formula: inside}}
		for place, component := range map[string]*lang.Component{
			"an axiom": {Axioms: predicate}, "an invariant": {Invariants: predicate}, "a variant": {Variants: []*lang.Variant{{Label: named, Formula: inside}}},
			"a guard": {Events: []*lang.Event{{Guards: predicate}}}, "a witness": {Events: []*lang.Event{{Witnesses: predicate}}},
			"an index":  {Events: []*lang.Event{{Actions: []*lang.Action{{Label: named, Assignment: &lang.Assignment{Index: inside}}}}}},
			"an action": {Events: []*lang.Event{{Actions: []*lang.Action{{Label: named, Assignment: &lang.Assignment{Right: []*lang.Formula{inside}}}}}}},
		} {
			component.Name, component.Kind = lang.Name{Text: "m"}, lang.MachineKind
			p := &rodin.Project{Name: "p", Files: []*lang.File{{Components: []*lang.Component{component}}}}
			if _, err := rodin.Encode(p); err == nil || !strings.Contains(err.Error(), "Rodin has no operator") || !strings.Contains(err.Error(), "x1") {
				t.Errorf("%s with operator %q (%d): %v", place, op, op, err)
			}
		}
	}
	if refused < 2 {
		t.Error("the list has more than Rodin's operators")
	}
}

// plainly writes every formula of f again, on one line.
func plainly(f *lang.File) {
	predicates := func(ps []*lang.Predicate) {
		for _, p := range ps {
			if p.Formula != nil {
				p.Source.Text = lang.StoredText(p.Formula)
			}
		}
	}
	for _, c := range f.Components {
		predicates(c.Axioms)
		predicates(c.Invariants)
		for _, v := range c.Variants {
			if v.Formula != nil {
				v.Source.Text = lang.StoredText(v.Formula)
			}
		}
		for _, e := range c.Events {
			predicates(e.Guards)
			predicates(e.Witnesses)
			for _, a := range e.Actions {
				if a.Assignment != nil {
					a.Source.Text = a.Assignment.StoredText()
				}
			}
		}
	}
}

// TestThroughText takes every project through the text language and back.
func TestThroughText(t *testing.T) {
	for i, p := range read(t, corpus.Path(t, "rodin-dev")) {
		if i%corpus.Effort(10, 3, 1) != 0 {
			continue
		}
		for _, ascii := range []bool{false, true} {
			q := &rodin.Project{Name: p.Name}
			for _, f := range p.Files {
				plainly(f)
				var problems diag.List
				g := lang.Parse(f.Path, lang.Format(f, lang.Options{ASCII: ascii}), &problems)
				for _, d := range problems.Sorted() {
					t.Error(d)
				}
				plainly(g)
				q.Files = append(q.Files, g)
			}
			want, err := rodin.Encode(p)
			if err != nil {
				t.Fatal(err)
			}
			got, err := rodin.Encode(q)
			if err != nil {
				t.Fatal(err)
			}
			for i := range min(len(want), len(got)) {
				if d := cmp.Diff(string(want[i].Data), string(got[i].Data)); d != "" {
					t.Errorf("%s/%s changes on the way through text (ASCII %v):\n%s", p.Name, want[i].Name, ascii, d)
				}
			}
			if len(want) != len(got) {
				t.Errorf("%s: %d files become %d", p.Name, len(want), len(got))
			}
		}
	}
}

// TestLabels exports text without labels: they get those that the checker gives.
func TestLabels(t *testing.T) {
	const src = `
machine a
variables x y
invariants
  x ∈ ℤ
  @inv1 y ∈ ℤ
events
  event INITIALISATION then x ≔ 0 @y y ≔ 0 end
  event evt any p where p ∈ ℤ then @act1 x ≔ p end
end
machine b refines a
variables x y
events
  event INITIALISATION extends INITIALISATION end
  event evt extends evt where p > 0 then y ≔ p end
end`
	var problems diag.List
	p := &rodin.Project{Name: "p", Files: []*lang.File{lang.Parse("p.eventb", []byte(src), &problems)}}
	if problems.Len() > 0 {
		t.Fatal(problems.Sorted())
	}
	dir := t.TempDir()
	if _, err := rodin.WriteDir(dir, p, false); err != nil {
		t.Fatal(err)
	}
	labels := func(files []*lang.File) string {
		var problems diag.List
		d := check.Development("p", files, &problems)
		for _, x := range problems.Sorted() {
			t.Error(x)
		}
		var b strings.Builder
		for _, m := range d.Machines {
			for _, i := range m.Invariants {
				b.WriteString(i.Label + " ")
			}
			for _, e := range m.Events {
				b.WriteString(e.Label + ": ")
				for _, g := range e.Guards {
					b.WriteString(g.Label + " ")
				}
				for _, a := range e.Actions {
					b.WriteString(a.Label + " ")
				}
			}
		}
		return b.String()
	}
	const want = "inv2 inv1 INITIALISATION: act1 y evt: grd1 act1 INITIALISATION: act1 y evt: grd1 grd2 act1 act2 "
	if got := labels(p.Files); got != want {
		t.Errorf("labels in text %s", got)
	}
	if got := labels(read(t, dir)[0].Files); got != want {
		t.Errorf("labels in Rodin %s", got)
	}
}
