package judgement_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/lang/rules"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// sourceFile is one file of a project.
type sourceFile struct{ name, text string }

// readProject reads files of text and of Rodin as one project.
func readProject(files ...sourceFile) (*model.Development, []diag.Diagnostic) {
	var problems diag.List
	var all []*lang.File
	for _, f := range files {
		if filepath.Ext(f.name) == ".buc" || filepath.Ext(f.name) == ".bum" {
			if x := rodin.Parse(f.name, []byte(f.text), &problems); x != nil {
				all = append(all, x)
			}
		} else {
			all = append(all, lang.Parse(f.name, []byte(f.text), &problems))
		}
	}
	dev := check.Development("p", all, &problems)
	return dev, problems.Sorted()
}

// proveAll proves what dev obliges to, as far as something can still be verified.
func proveAll(t testing.TB, dev *model.Development) []verdict.Result {
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	obligations = slices.DeleteFunc(obligations, func(o *po.Obligation) bool { return !o.Of().Whole() })
	out := make([]verdict.Result, len(obligations))
	var fresh []int
	prints := make([]text.Fingerprint, len(obligations))
	for i, o := range obligations {
		prints[i] = text.SequentFingerprint(o.Sequent())
		out[i] = verdict.Result{Obligation: o, Outcome: known[prints[i]]}
		if out[i].Verdict == "" {
			fresh = append(fresh, i)
		}
	}
	discharge.Run(context.Background(), len(fresh), func(i int) logic.Sequent { return obligations[fresh[i]].Sequent() },
		discharge.Options{Steps: 40_000, RefuteSteps: 20_000}, func(i int, o verdict.Outcome) {
			out[fresh[i]].Outcome = o
			known[prints[fresh[i]]] = verdict.Outcome{Verdict: o.Verdict}
		})
	return out
}

// known are the verdicts of sequents that were met before: damaged models have most
// of them in common.
var known = map[text.Fingerprint]verdict.Outcome{}

// verified names the components of files that are verified.
func verified(t testing.TB, files ...sourceFile) []string {
	dev, _ := readProject(files...)
	var out []string
	for _, s := range judgement.Components(dev, proveAll(t, dev)) {
		if s.Verified {
			out = append(out, s.Of.Kind()+" "+s.Component)
		}
		if s.Verified != (s.Why == "") {
			t.Errorf("%s: verified %t, why %q", s.Component, s.Verified, s.Why)
		}
	}
	return out
}

// spellings returns a project in three spellings: as it is, formatted in ASCII, and
// as files of Rodin. What does not parse has the first only.
func spellings(t testing.TB, text string) [][]sourceFile {
	out := [][]sourceFile{{{"m.eventb", text}}}
	var problems diag.List
	f := lang.Parse("m.eventb", []byte(text), &problems)
	if !f.Complete {
		return out
	}
	out = append(out, []sourceFile{{"m.eventb", string(lang.Format(f, lang.Options{ASCII: true}))}})
	files, err := rodin.Encode(&rodin.Project{Name: "p", Files: []*lang.File{f}})
	if err != nil {
		return out // two components of one name
	}
	var xml []sourceFile
	for _, x := range files {
		if ext := filepath.Ext(x.Name); ext == ".buc" || ext == ".bum" {
			xml = append(xml, sourceFile{x.Name, string(x.Data)})
		}
	}
	return append(out, xml)
}

func readFile(t testing.TB, name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Changes that make a part of a development wrong: something false is said, or
// something is left out or written so that it cannot be kept.
func TestWrongModelsAreNotVerified(t *testing.T) {
	source := readFile(t, "true.eventb")
	all := []string{"context Basics", "context Limits", "machine Shelf", "machine Box"}
	for _, s := range spellings(t, source) {
		if got := verified(t, s...); !slices.Equal(got, all) {
			t.Fatalf("%s: verified are %q", s[0].name, got)
		}
	}
	models := 0
	for test := range strings.SplitSeq(readFile(t, "wrong.txt"), "\n") {
		if test == "" || test[0] == '#' {
			continue
		}
		f := strings.Split(test, " | ")
		if len(f) != 3 {
			t.Fatalf("%q", test)
		}
		at := max(strings.Index(source, "context "+f[0]), strings.Index(source, "machine "+f[0]))
		i := strings.Index(source[at:], strings.ReplaceAll(f[1], `\n`, "\n"))
		if i < 0 {
			t.Fatalf("%s has no %q", f[0], f[1])
		}
		old, now := strings.ReplaceAll(f[1], `\n`, "\n"), strings.ReplaceAll(f[2], `\n`, "\n")
		wrong := source[:at+i] + now + source[at+i+len(old):]
		for _, s := range spellings(t, wrong) {
			models++
			for _, name := range verified(t, s...) {
				if _, component, _ := strings.Cut(name, " "); buildsOn(component, f[0]) {
					t.Errorf("%s: with %q for %q, %s is verified", s[0].name, f[2], f[1], name)
				}
			}
		}
	}
	if models < 250 {
		t.Errorf("%d models", models)
	}
}

// buildsOn reports whether a component of the development is b or builds on it.
func buildsOn(a, b string) bool {
	on := map[string][]string{"Limits": {"Basics"}, "Shelf": {"Basics"}, "Box": {"Shelf", "Limits", "Basics"}}
	return a == b || slices.Contains(on[a], b)
}

// harmless are the warnings of something that is kept as it was written, with the
// reason why nothing is lost.
var harmless = map[string]string{
	"GR0118": "a bound variable hides a name", "GR0119": "a bound variable hides another", "GR0120": "an implication below ∃",
	"GR0153": "two names look alike",
	"GR0154": "a file without components",
	"GR0159": "a context and a machine of one name are two components",
	"GR0166": "a context is included twice", "GR0170": "a context is seen twice", "GR0171": "a machine sees what the one sees that it refines",
	"GR0184": "a variant that nothing needs", "GR0186": "an event that never happens any more", "GR0187": "reported beside GR0185, which is not harmless",
	"GR0193": "an event is refined, said twice", "GR0195": "INITIALISATION refines INITIALISATION", "GR0196": "a new event has the name of an abstract one",
	"GR0226": "an action that says nothing of what it assigns",
	"GR0209": "the status of an abstract event", "GR0210": "the status of an abstract event", "GR0211": "the status of an abstract event",
}

// Each rule of the readers and of the static checker has a model that breaks it. What
// it is reported of is not verified, nor what extends, sees or refines that, unless
// the rule is about something harmless.
func TestBrokenRulesAreNotVerified(t *testing.T) {
	models := 0
	for _, r := range rules.All() {
		if r.Example == "" {
			continue // limits: of large files, and of the file system
		}
		var files []sourceFile
		if strings.HasPrefix(r.Example, "-- ") {
			for _, f := range txtar.Parse([]byte(r.Example)).Files {
				files = append(files, sourceFile{f.Name, string(f.Data)})
			}
		} else {
			files = []sourceFile{{"example.eventb", r.Example}}
		}
		dev, found := readProject(files...)
		for _, d := range found {
			if d.Code != r.Code || harmless[r.Code] != "" {
				continue
			}
			name, _, _ := strings.Cut(d.Element, "/")
			for _, c := range dev.Components() {
				if name == "" || c.Name() == name {
					models++
					if c.Whole() {
						t.Errorf("%s: %v, and %s %s is whole", r.Code, d, c.Kind(), c.Name())
					}
				}
			}
		}
		if harmless[r.Code] != "" || len(found) == 0 {
			continue
		}
		// The same, with what builds on it: that is not whole either.
		for _, c := range dev.Components() {
			if c.Whole() {
				continue
			}
			above := fmt.Sprintf("machine `the top` refines `%s`\nevents event INITIALISATION extends INITIALISATION end end\n", c.Name())
			if c.Context != nil {
				above = fmt.Sprintf("context `the top` extends `%s` end\n", c.Name())
			}
			again, _ := readProject(append(slices.Clone(files), sourceFile{"above.eventb", above})...)
			for _, d := range again.Components() {
				if d.Name() == "the top" {
					models++
					if d.Whole() {
						t.Errorf("%s: what builds on %s is whole", r.Code, c.Name())
					}
				}
			}
		}
	}
	if models < 150 {
		t.Errorf("%d components", models)
	}
	for code := range harmless {
		if r, ok := rules.Of(code); !ok || r.Severity != diag.Warning {
			t.Errorf("%s is not a warning", code)
		}
	}
}

// damage damages text in one place.
func damage(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	runes := []rune(text)
	switch r.IntN(6) {
	case 0, 1: // cut
		i := r.IntN(len(runes))
		return string(slices.Delete(runes, i, min(len(runes), i+1+r.IntN(30))))
	case 2: // a line twice
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		if r.IntN(2) == 0 {
			j = i
		}
		return strings.Join(slices.Insert(lines, j, lines[i]), "")
	case 3: // swap lines
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return strings.Join(lines, "")
	case 4: // truncate
		return string(runes[:r.IntN(len(runes))])
	}
	i := r.IntN(len(runes))
	return string(slices.Insert(runes, i, []rune(" \n()@xy+−≔:=<>\"`&;end")[r.IntN(21)]))
}

// Texts and files of Rodin in which false things are said far apart, damaged in one
// place: what is left is false, or cannot be read, so nothing of it is verified.
func TestDamagedModelsAreNotVerified(t *testing.T) {
	n := 300
	if os.Getenv("GRADINE_SWEEP") != "" {
		n = 5_000
	}
	source := readFile(t, "false.eventb")
	all := spellings(t, source)
	whole := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		files := slices.Clone(all[seed%len(all)])
		i := r.IntN(len(files))
		files[i].text = damage(r, files[i].text)
		dev, _ := readProject(files...)
		if slices.ContainsFunc(dev.Components(), model.Component.Whole) {
			whole++
		}
		if got := verified(t, files...); len(got) > 0 {
			t.Errorf("seed %d: verified is %q:\n%s", seed, got, files[i].text)
		}
	}
	if whole < n/10 {
		t.Errorf("%d of %d can still be read: the rest tests the reader alone", whole, n)
	}
}
