package po_test

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// recorded is an obligation in a form that can be compared.
type recorded struct {
	Name, Nature string
	Accurate     bool
	Goal         string
	Hyps         []string
	Selected     []int
	Sources      int
}

func (r recorded) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, accurate %v, %d sources)\n", r.Name, r.Nature, r.Accurate, r.Sources)
	for i, h := range r.Hyps {
		mark := " "
		if slices.Contains(r.Selected, i) {
			mark = "*"
		}
		fmt.Fprintf(&b, "  %s %s\n", mark, h)
	}
	return b.String() + "  ⊢ " + r.Goal
}

// ours returns the obligations of the project in dir, by component.
func ours(t *testing.T, dir string) map[string][]recorded {
	t.Helper()
	var problems diag.List
	ps, err := rodin.Read(dir, &problems)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]recorded{}
	for _, p := range ps {
		os, err := po.All(check.Development(p.Name, p.Files, &problems), nil)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[logic.Term]string{}
		var bank *logic.Bank
		for _, o := range os {
			s := o.Sequent()
			if s.Bank != bank {
				bank = s.Bank
				clear(texts)
			}
			r := recorded{Name: o.Name, Nature: o.Nature, Accurate: o.Accurate, Goal: text.Term(bank, s.Goal), Selected: s.Selected, Sources: len(o.Sources)}
			for _, h := range s.Hyps {
				if texts[h] == "" {
					texts[h] = text.Term(bank, h)
				}
				r.Hyps = append(r.Hyps, texts[h])
			}
			out[o.Component] = append(out[o.Component], r)
		}
	}
	return out
}

// The elements of a .bpo file that matter here.
type (
	poFile struct {
		Sets     []poSet     `xml:"org.eventb.core.poPredicateSet"`
		Sequents []poSequent `xml:"org.eventb.core.poSequent"`
	}
	poSet struct {
		Name   string   `xml:"name,attr"`
		Parent string   `xml:"org.eventb.core.parentSet,attr"`
		Preds  []poPred `xml:"org.eventb.core.poPredicate"`
	}
	poPred struct {
		Name string `xml:"name,attr"`
		Text string `xml:"org.eventb.core.predicate,attr"`
	}
	poSequent struct {
		Name     string     `xml:"name,attr"`
		Nature   string     `xml:"org.eventb.core.poDesc,attr"`
		Accurate bool       `xml:"org.eventb.core.accurate,attr"`
		Local    poSet      `xml:"org.eventb.core.poPredicateSet"`
		Goal     poPred     `xml:"org.eventb.core.poPredicate"`
		Sources  []struct{} `xml:"org.eventb.core.poSource"`
		Hints    []struct {
			First  string `xml:"org.eventb.core.poSelHintFst,attr"`
			Second string `xml:"org.eventb.core.poSelHintSnd,attr"`
		} `xml:"org.eventb.core.poSelHint"`
	}
)

var (
	inSet    = regexp.MustCompile(`poPredicateSet#(.*?)(?:\|org\.eventb\.core\.poPredicate#(.*))?$`)
	escaping = regexp.MustCompile(`\\(.)`)
)

// handle returns the names of the predicate set, and of the predicate in it, at
// the end of a handle.
func handle(h string) (set, pred string) {
	if i := strings.LastIndex(h, "|org.eventb.core.poPredicateSet#"); i >= 0 {
		h = h[i:]
	}
	m := inSet.FindStringSubmatch(h)
	if m == nil {
		return "", ""
	}
	return escaping.ReplaceAllString(m[1], "$1"), escaping.ReplaceAllString(m[2], "$1")
}

// rodins returns the obligations in a .bpo file.
func rodins(t *testing.T, name string) []recorded {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var f poFile
	if err := xml.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	sets := map[string]*poSet{}
	for i := range f.Sets {
		sets[f.Sets[i].Name] = &f.Sets[i]
	}
	var out []recorded
	for i := range f.Sequents {
		s := &f.Sequents[i]
		r := recorded{Name: s.Name, Nature: s.Nature, Accurate: s.Accurate, Goal: s.Goal.Text, Sources: len(s.Sources)}
		var chain []*poSet
		for p := &s.Local; p != nil; {
			chain = append(chain, p)
			parent, _ := handle(p.Parent)
			p = sets[parent]
		}
		slices.Reverse(chain)
		end := map[string]int{}      // of the sets
		index := map[[2]string]int{} // of the predicates
		for _, set := range chain {
			for _, p := range set.Preds {
				index[[2]string{set.Name, p.Name}] = len(r.Hyps)
				r.Hyps = append(r.Hyps, p.Text)
			}
			end[set.Name] = len(r.Hyps)
		}
		for _, h := range s.Hints {
			set, pred := handle(h.First)
			if last, _ := handle(h.Second); last != "" {
				for i := end[set]; i < end[last]; i++ {
					r.Selected = append(r.Selected, i)
				}
			} else if i, ok := index[[2]string{set, pred}]; ok {
				r.Selected = append(r.Selected, i)
			}
		}
		slices.Sort(r.Selected)
		out = append(out, r)
	}
	return out
}

// besides are obligations that Rodin would also make, but for a plug-in of its tests
// that filters them out.
var besides = map[string]bool{
	"TestPOFilter.test_01_filterTheorems/2/mac/T1/THM":      true,
	"TestPOFilter.test_01_filterTheorems/2/mac/T2/THM":      true,
	"TestPOFilter.test_02_filterActionFIS/2/mac/evt/A1/FIS": true,
}

// TestAsRodin compares all there is of an obligation, and their order, with what
// Rodin 3.10 makes of the same models.
func TestAsRodin(t *testing.T) {
	for _, test := range []struct{ models, reference string }{
		{"rodin-dev", "rodin-dev-310"},
		{"conformance/static", "conformance/static"},
	} {
		models, reference := corpus.Path(t, test.models), corpus.Path(t, test.reference)
		n, same := 0, 0
		for i, dir := range withObligations(t, reference) {
			if testing.Short() && i%10 != 0 {
				continue
			}
			have := ours(t, filepath.Join(models, dir))
			files, err := filepath.Glob(filepath.Join(reference, dir, "*.bpo"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range files {
				component := strings.TrimSuffix(filepath.Base(name), ".bpo")
				want := rodins(t, name)
				got := slices.DeleteFunc(have[component], func(r recorded) bool {
					return besides[dir+"/"+component+"/"+r.Name]
				})
				if len(got) != len(want) {
					t.Errorf("%s/%s: %d obligations, Rodin has %d", dir, component, len(got), len(want))
				}
				for i := range min(len(got), len(want)) {
					n++
					if g, w := got[i].String(), want[i].String(); g == w {
						same++
					} else if n-same < 10 {
						t.Errorf("%s/%s:\n%s\nRodin has\n%s", dir, component, g, w)
					}
				}
			}
		}
		t.Logf("%s: %d of %d obligations are Rodin's", test.models, same, n)
		if n < 50 {
			t.Error("too few obligations: " + strconv.Itoa(n))
		}
	}
}

// withObligations returns the folders below root that have .bpo files.
func withObligations(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".bpo") {
			return err
		}
		if dir, err := filepath.Rel(root, filepath.Dir(path)); err == nil && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
