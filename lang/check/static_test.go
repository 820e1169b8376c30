package check_test

import (
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/lang/rules"
	"github.com/gradine/gradine/logic/text"
)

// builds returns the directories of recorded builds.
func builds(t testing.TB) []string {
	var dirs []string
	err := filepath.WalkDir(corpus.Path(t, filepath.Join("conformance", "static")), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "markers.tsv" {
			dirs = append(dirs, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// recorded returns the problems of markers.tsv, counted.
func recorded(t testing.TB, dir string) map[string]int {
	data, err := os.ReadFile(filepath.Join(dir, "markers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		severity := diag.Warning
		if f[1] == "2" {
			severity = diag.Error
		}
		out[fmt.Sprint(f[0], " ", severity, " ", f[2])]++
	}
	return out
}

// problems checks the project in dir and returns its problems, counted.
func problems(t testing.TB, dir string) map[string]int {
	var list diag.List
	out := map[string]int{}
	projects, err := rodin.Read(dir, &list)
	if err != nil {
		return out
	}
	for _, p := range projects {
		check.Development(p.Name, p.Files, &list)
	}
	for _, d := range list.Sorted() {
		if id := rules.RodinID(d.Code); id != "" {
			out[fmt.Sprint(filepath.Base(d.Span.File), " ", d.Severity, " ", id)]++
		}
	}
	return out
}

// difference describes how two counted sets differ.
func difference(want, got map[string]int) string {
	var out []string
	keys := slices.Collect(maps.Keys(want))
	for k := range got {
		if want[k] == 0 {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		if n := got[k] - want[k]; n != 0 {
			out = append(out, fmt.Sprintf("%+d %s", n, k))
		}
	}
	return strings.Join(out, "; ")
}

// Rodin also marks the checked file of a component without configuration; there
// is none here.
func onCheckedFile(problem string) bool {
	return strings.HasPrefix(problem, "abs.bc") || strings.HasPrefix(problem, "ctx.bc")
}

func TestStaticOfCorpus(t *testing.T) {
	dirs := builds(t)
	for i, dir := range dirs {
		if i%corpus.Effort(5, 2, 1) != 0 {
			continue
		}
		want := recorded(t, dir)
		maps.DeleteFunc(want, func(problem string, _ int) bool { return onCheckedFile(problem) })
		d := difference(want, problems(t, dir))
		if d != "" {
			t.Errorf("%s: %s", filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir)), d)
		}
	}
}

// obligations is what a .bpo file says.
type obligations struct {
	Sets []struct {
		Name       string `xml:"name,attr"`
		Predicates []struct {
			Text string `xml:"org.eventb.core.predicate,attr"`
		} `xml:"org.eventb.core.poPredicate"`
	} `xml:"org.eventb.core.poPredicateSet"`
	Sequents []struct {
		Name     string `xml:"name,attr"`
		Accurate bool   `xml:"org.eventb.core.accurate,attr"`
	} `xml:"org.eventb.core.poSequent"`
}

// readObligations returns the obligations of a component, and false if there are none.
func readObligations(t testing.TB, dir, component string) (o obligations, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, component+".bpo"))
	if err != nil {
		return o, false
	}
	if err := xml.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o, true
}

// predicates returns the predicates of one predicate set.
func (o obligations) predicates(set string) []string {
	var out []string
	for _, s := range o.Sets {
		for _, p := range s.Predicates {
			if s.Name == set {
				out = append(out, squeeze(p.Text))
			}
		}
	}
	return out
}

// eachDevelopment checks all projects below dir of the corpus.
func eachDevelopment(t testing.TB, dir string, f func(dir string, dev *model.Development)) {
	root := corpus.Path(t, dir)
	n := 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if n++; n%corpus.Effort(5, 2, 1) != 0 {
			return nil
		}
		sources, _ := filepath.Glob(filepath.Join(path, "*.bu[mc]"))
		if len(sources) == 0 {
			return nil
		}
		var list diag.List
		projects, err := rodin.Read(path, &list)
		if err != nil {
			return err
		}
		for _, p := range projects {
			if p.Dir == path {
				rel, err := filepath.Rel(root, path)
				if err != nil {
					return err
				}
				f(rel, check.Development(p.Name, p.Files, &list))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// accurate is the accuracy of the obligation name of m.
func accurate(m *model.Machine, name string) bool {
	label, _, _ := strings.Cut(name, "/")
	i := slices.IndexFunc(m.Events, func(e *model.Event) bool { return e.Label == label })
	if i < 0 {
		return m.Accurate
	}
	e := m.Events[i]
	inaccurate := func(a *model.Event) bool { return !a.Accurate }
	return m.Accurate && e.Accurate && !slices.ContainsFunc(e.Refines, inaccurate)
}

// What Rodin says of the accuracy of its obligations follows from the accuracy
// of machines, events and contexts.
func TestAccuracyOfCorpus(t *testing.T) {
	eachDevelopment(t, "conformance/static", func(dir string, dev *model.Development) {
		at := corpus.Path(t, filepath.Join("conformance/static", dir))
		for _, m := range dev.Machines {
			o, _ := readObligations(t, at, m.Name)
			for _, s := range o.Sequents {
				if got := accurate(m, s.Name); got != s.Accurate {
					t.Errorf("%s: %s/%s: accurate %v", dir, m.Name, s.Name, got)
				}
			}
		}
		for _, c := range dev.Contexts {
			o, _ := readObligations(t, at, c.Name)
			for _, s := range o.Sequents {
				if c.Accurate != s.Accurate {
					t.Errorf("%s: %s/%s: accurate %v", dir, c.Name, s.Name, c.Accurate)
				}
			}
		}
	})
}

// Included axioms and inherited invariants stand in Rodin's order.
func TestInclusionOfCorpus(t *testing.T) {
	compared := 0
	for dir, reference := range map[string]string{"rodin-dev": "rodin-dev-310", "conformance/static": "conformance/static"} {
		eachDevelopment(t, dir, func(project string, dev *model.Development) {
			compare := func(component, set string, got []*model.Predicate) {
				o, ok := readObligations(t, corpus.Path(t, filepath.Join(reference, project)), component)
				if !ok {
					return
				}
				compared++
				var texts []string
				for _, p := range got {
					texts = append(texts, squeeze(text.Term(dev.Bank, p.Term)))
				}
				if want := o.predicates(set); !slices.Equal(texts, want) {
					t.Errorf("%s: %s: %s is %q, want %q", project, component, set, texts, want)
				}
			}
			axioms := func(contexts []*model.Context) (out []*model.Predicate) {
				for _, c := range contexts {
					out = append(out, c.Axioms...)
				}
				return out
			}
			for _, m := range dev.Machines {
				compare(m.Name, "CTXHYP", axioms(m.Contexts))
				compare(m.Name, "ABSHYP", m.Inherited)
			}
			for _, c := range dev.Contexts {
				compare(c.Name, "ABSHYP", axioms(c.Ancestors))
			}
		})
	}
	if compared == 0 {
		t.Error("nothing compared")
	}
}
