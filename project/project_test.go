package project_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/prover"
)

// open writes files into a folder and opens it.
func open(t *testing.T, files map[string]string) ([]*project.Project, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return projects, dir
}

const twoProjects = `
[project.a]
sources = ["a"]
steps = 7000
[project.b]
sources = ["b"]
[machine.counter]
carriers = { S = 2 }
constants = { most = 3 }
[[expect]]
project = "b"
po = "counter/up/limit/INV"
verdict = "refuted"
why = "there is no guard"
[tune.t]
project = "b"
machine = "counter"
parameters = { most = "most" }
objective = "n"
final = "n = most"
search = { most = "1‥size" }
instances = [{ size = 2 }, { size = 3 }]
`

const sees = "context c sets S constants most axioms @most most ∈ 1‥9 end\nmachine counter sees c"

// TestConfigured opens the projects of a gradine.toml: each has its budget, its
// expectations, its set-up and its entries.
func TestConfigured(t *testing.T) {
	projects, dir := open(t, map[string]string{
		"gradine.toml": twoProjects, "a/c.eventb": "context only constants k axioms @k k = 1 theorem @t k > 0 end",
		"b/m.eventb": sees + strings.TrimPrefix(strings.Replace(counter, "n ≤ 3", "n ≤ most", 1), "machine counter"),
	})
	if len(projects) != 2 || projects[0].Budget() != 7000 || projects[1].Budget() != prover.DefaultSteps {
		t.Fatalf("%d projects, with %d and %d steps", len(projects), projects[0].Budget(), projects[1].Budget())
	}
	b := projects[1]
	m := b.Dev.Machine("counter")
	setup, err := b.Setup(m, b.Scope(m), project.Overrides{Sizes: map[string]int{"S": 5}, Integers: &explore.Bounds{Low: 0, High: 4}})
	if err != nil || setup.Sizes["S"] != 5 || setup.Bounds[""].High != 4 || len(setup.Given) != 1 {
		t.Errorf("%v, %v", setup, err)
	}
	for _, with := range []project.Overrides{{Sizes: map[string]int{"T": 1}}, {Constants: map[string]string{"least": "1"}}} {
		if _, err := b.Setup(m, b.Scope(m), with); !errors.As(err, new(project.Missing)) {
			t.Errorf("%v: %v", with, err)
		}
	}
	if _, err := b.Scope(m).Formula("n ≤ most", lang.ParsePredicate); err != nil {
		t.Error(err)
	}
	conf := b.Config.Tune["t"]
	tuned, err := project.Tuned(projects, conf)
	if err != nil || tuned != b {
		t.Fatalf("%v", err)
	}
	instances, err := project.Instances(conf)
	if err != nil || len(instances) != 2 {
		t.Fatalf("%v, %v", instances, err)
	}
	if e, err := b.Entry("t", conf, instances[1].Given); err != nil || e.Given[0].Name != "size" || len(e.Choices) != 1 {
		t.Errorf("%v, %v", e, err)
	}
	testCommitted(t, b, dir)
}

// testCommitted proves b, writes its lock, and finds it again; a lock that says more
// than is so is found out.
func testCommitted(t *testing.T, b *project.Project, dir string) {
	prove := func() []verdict.Result {
		obligations, err := b.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		results, err := b.Prove(context.Background(), obligations, discharge.Options{RefuteSteps: 100_000}, nil)
		if err != nil || len(results) != len(obligations) {
			t.Fatalf("%d of %d, %v", len(results), len(obligations), err)
		}
		return results
	}
	results := prove()
	if n := judgement.Count(results); n.Expected != 1 || n.Rest() != 0 {
		t.Errorf("%+v", n)
	}
	if err := b.WriteLock(results, false); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "b.proofs.lock")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range prove() {
		if r.Recorded == nil || r.Recorded.Verdict != r.Verdict {
			t.Errorf("%s: recorded as %v", r.Name, r.Recorded)
		}
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(data), "refuted", "proved")), 0o666); err != nil {
		t.Fatal(err)
	}
	lies := prove()
	if x := b.Unconfirmed(lies, 0); len(x) != 1 || x[0].Name != "up/limit/INV" {
		t.Errorf("%d unconfirmed", len(x))
	}
	if x := b.Unconfirmed(lies, b.Budget()-1); len(x) != 0 {
		t.Errorf("with less than the budget %d unconfirmed", len(x))
	}
}

// TestOpenErrors names what is wrong with a path.
// Hidden files are not sources, whatever they hold: Emacs keeps its lock of m.eventb in
// .#m.eventb, a link to nowhere, while somebody edits.
func TestHiddenFiles(t *testing.T) {
	for _, name := range []string{"m.eventb", "m.bum"} {
		text := "machine m\nvariables x\ninvariants\n    @t x ∈ ℤ\nevents\n    event INITIALISATION\n        then\n            @x x ≔ 0\n    end\nend\n"
		if name == "m.bum" {
			text = `<?xml version="1.0" encoding="UTF-8"?><org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5"/>`
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		before, err := project.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, hidden := range []string{".#" + name, ".#m.hints", ".#c.bps"} {
			if err := os.Symlink("somebody@somewhere.1", filepath.Join(dir, hidden)); err != nil {
				t.Skip(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "._"+name), []byte("machine of"), 0o666); err != nil {
			t.Fatal(err)
		}
		after, err := project.Open(dir)
		if err != nil || len(after) != 1 || len(after[0].Files) != len(before[0].Files) || after[0].Problems.Len() != before[0].Problems.Len() {
			t.Errorf("%s with hidden files beside it: %v, %+v", name, err, after)
		}
		revision, err := project.ReadRevision(os.DirFS(dir), ".")
		if err != nil || len(revision) != 1 {
			t.Errorf("%s with hidden files beside it, as a revision: %v, %d projects", name, err, len(revision))
		}
	}
}

func TestOpenErrors(t *testing.T) {
	empty := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(empty, "none"): "no such file", empty: "no Event-B component in it",
	} {
		if _, err := project.Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestFolders opens folders in which a file is not what its name says: it is named, and no
// other is verified without it in silence.
func TestFolders(t *testing.T) {
	const model = "context m\nend\n"
	for what, test := range map[string]struct {
		make func(dir string) error
		want string
	}{
		"a link that leads nowhere": {func(dir string) error { return os.Symlink("nowhere", filepath.Join(dir, "b.eventb")) }, "b.eventb cannot be read: a broken link"},
		"a device":                  {func(dir string) error { return os.Symlink(os.DevNull, filepath.Join(dir, "b.eventb")) }, "b.eventb is neither a file nor a folder"},
		"large letters":             {func(dir string) error { return os.WriteFile(filepath.Join(dir, "B.EVENTB"), []byte(model), 0o666) }, "skipped: write the extension in lower case, as .eventb"},
		"a folder of that name":     {func(dir string) error { return os.Mkdir(filepath.Join(dir, "b.eventb"), 0o777) }, ""},
		"a link to a model":         {func(dir string) error { return os.Symlink("a.eventb", filepath.Join(dir, "b.eventb")) }, "component `m` is already defined"},
	} {
		for _, toml := range []string{"", "[project.p]\nsources = [\".\"]\n"} {
			dir := t.TempDir()
			if err := errors.Join(os.WriteFile(filepath.Join(dir, "a.eventb"), []byte(model), 0o666), test.make(dir)); err != nil {
				t.Fatal(err)
			}
			if toml != "" {
				if err := os.WriteFile(filepath.Join(dir, "gradine.toml"), []byte(toml), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			said := ""
			projects, err := project.Open(dir)
			if err != nil {
				said = err.Error()
			} else {
				for _, p := range projects[0].Problems.Sorted() {
					said += p.Message + " "
				}
			}
			if !strings.Contains(said, test.want) || test.want == "" && said != "" {
				t.Errorf("%s, gradine.toml %q: %q", what, toml, said)
			}
		}
	}
}
