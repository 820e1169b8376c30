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
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
)

// builds returns the directories of recorded builds.
func builds(t testing.TB) []string {
	var dirs []string
	err := filepath.WalkDir(filepath.Join(corpusDir(t), "conformance", "static"), func(path string, d os.DirEntry, err error) error {
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
		id := check.RodinID(d.Code)
		if id != "" {
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
// are no checked files here.
func onCheckedFile(problem string) bool {
	return strings.HasPrefix(problem, "abs.bc") || strings.HasPrefix(problem, "ctx.bc")
}

func TestStaticOfCorpus(t *testing.T) {
	dirs := builds(t)
	for i, dir := range dirs {
		if testing.Short() && i%5 != 0 {
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

// obligations are the names and accuracies in a .bpo file.
type obligations struct {
	Sequents []struct {
		Name     string `xml:"name,attr"`
		Accurate bool   `xml:"org.eventb.core.accurate,attr"`
	} `xml:"org.eventb.core.poSequent"`
}

func readObligations(t testing.TB, path string) (o obligations) {
	data, err := os.ReadFile(path)
	if err != nil {
		return o
	}
	if err := xml.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o
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
	for _, dir := range builds(t) {
		var list diag.List
		projects, err := rodin.Read(dir, &list)
		if err != nil {
			continue
		}
		for _, p := range projects {
			dev := check.Development(p.Name, p.Files, &list)
			for _, m := range dev.Machines {
				for _, s := range readObligations(t, filepath.Join(dir, m.Name+".bpo")).Sequents {
					if got := accurate(m, s.Name); got != s.Accurate {
						t.Errorf("%s: %s/%s: accurate %v", dir, m.Name, s.Name, got)
					}
				}
			}
			for _, c := range dev.Contexts {
				for _, s := range readObligations(t, filepath.Join(dir, c.Name+".bpo")).Sequents {
					if c.Accurate != s.Accurate {
						t.Errorf("%s: %s/%s: accurate %v", dir, c.Name, s.Name, c.Accurate)
					}
				}
			}
		}
	}
}

// The projects of the corpus are checked without errors, but for those that
// have some in Rodin too.
func TestProjectsOfCorpus(t *testing.T) {
	dir := filepath.Join(corpusDir(t), "rodin-dev")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		var list diag.List
		projects, err := rodin.Read(filepath.Join(dir, e.Name()), &list)
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
			continue
		}
		for _, p := range projects {
			check.Development(p.Name, p.Files, &list)
		}
		for _, d := range list.Sorted() {
			if d.Severity == diag.Error {
				t.Logf("%s: %s: %v", e.Name(), d.Element, d)
			}
		}
	}
}
