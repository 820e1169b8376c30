package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/lang/rules"
)

// own are the rules that this package checks.
func own() []diag.Rule {
	return slices.DeleteFunc(slices.Clone(rules.All()), func(r diag.Rule) bool { return r.Code < "GR0100" || r.Code > "GR0900" })
}

// checkExample checks an example of the catalogue.
func checkExample(t testing.TB, example string) (*model.Development, []diag.Diagnostic) {
	t.Helper()
	var list diag.List
	var files []*lang.File
	if strings.HasPrefix(example, "-- ") {
		dir := t.TempDir()
		for _, f := range txtar.Parse([]byte(example)).Files {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		projects, err := rodin.Read(dir, &list)
		if err != nil || len(projects) != 1 {
			t.Fatalf("%d projects, %v", len(projects), err)
		}
		files = projects[0].Files
	} else {
		files = []*lang.File{lang.Parse("example.eventb", []byte(example), &list)}
	}
	dev := check.Development("example", files, &list)
	return dev, list.Sorted()
}

// Every example of the catalogue breaks its rule, and no others but those that
// are said to come with it.
func TestExamples(t *testing.T) {
	for _, r := range own() {
		dev, found := checkExample(t, r.Example)
		codes := map[string]bool{}
		for _, d := range found {
			codes[d.Code] = true
			if d.Code != r.Code && !slices.Contains(r.Also, d.Code) {
				t.Errorf("%s: yields %v", r.Code, d)
			}
			if rule, _ := rules.Of(d.Code); rule.Severity != d.Severity {
				t.Errorf("%s: severity %v", r.Code, d.Severity)
			}
			if d.Help == "" || d.Element == "" && d.Span.IsZero() {
				t.Errorf("%s: no next step, or no place: %+v", r.Code, d)
			}
		}
		for _, code := range append([]string{r.Code}, r.Also...) {
			if !codes[code] {
				t.Errorf("%s: does not yield %s", r.Code, code)
			}
		}
		wrong := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
		for _, m := range dev.Machines {
			wrong = wrong && m.Whole
		}
		for _, c := range dev.Contexts {
			wrong = wrong && c.Whole
		}
		if wrong && len(dev.Machines)+len(dev.Contexts) > 0 {
			t.Errorf("%s: has an error, but everything is whole", r.Code)
		}
	}
}

func TestCatalogue(t *testing.T) {
	for _, r := range own() {
		if r.Title == "" || r.Explanation == "" || !regexp.MustCompile(`^GR0[12]\d\d$`).MatchString(r.Code) {
			t.Errorf("%+v is not complete", r)
		}
		if warns := strings.HasSuffix(r.Rodin, "Warning") || strings.HasSuffix(r.Rodin, "Warining"); r.Rodin != "" && warns != (r.Severity == diag.Warning) {
			t.Errorf("%s: severity %v of %s", r.Code, r.Severity, r.Rodin)
		}
	}
	for code := range codesOf(t, "messages.go") {
		if _, ok := rules.Of(code); !ok {
			t.Errorf("%s is not in the catalogue", code)
		}
	}
	used := codesOf(t, "messages.go")
	for _, r := range own() {
		if !used[r.Code] {
			t.Errorf("%s is never reported", r.Code)
		}
	}
}

// codesOf returns the codes in the string literals of a source file.
func codesOf(t *testing.T, file string) map[string]bool {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			if s := strings.Trim(lit.Value, `"`); strings.HasPrefix(s, "GR") {
				codes[s] = true
			}
		}
		return true
	})
	return codes
}

// Rodin's identifiers are those that it was seen to report.
func TestRodinIDs(t *testing.T) {
	data, err := os.ReadFile(corpus.Path(t, filepath.Join("conformance", "rodin-problem-ids.txt")))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		known := slices.ContainsFunc(rules.All(), func(r diag.Rule) bool {
			return r.RodinID() == f[0] && r.Severity.String() == f[1]
		})
		if !known {
			t.Errorf("no rule for %s, %s", f[0], f[1])
		}
	}
}
