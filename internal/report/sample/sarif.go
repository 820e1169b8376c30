package sample

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
)

// home is where the test began; it may have gone elsewhere.
var home, _ = os.Getwd()

// schema is that of SARIF 2.1.0, which stands in the source of the package that the tests read
// SARIF with. What that package writes of what it has read is another document.
var schema = sync.OnceValues(func() (*gojsonschema.Schema, error) {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif")
	list.Dir = home
	dir, err := list.Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if x, ok := n.(*ast.BasicLit); ok && x.Kind == token.STRING {
			if s, err := strconv.Unquote(x.Value); err == nil && len(s) > len(text) {
				text = s
			}
		}
		return true
	})
	return gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
})

// Against validates a JSON document against a JSON Schema, and returns what is wrong with it.
func Against(schema, document string) ([]string, error) {
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema), gojsonschema.NewStringLoader(document))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range result.Errors() {
		out = append(out, e.String())
	}
	return out, nil
}

// ReadSARIF reads SARIF with one run: a document that its schema allows and code hosts show.
func ReadSARIF(t *testing.T, text string) *sarif.Run {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Validate(gojsonschema.NewStringLoader(text))
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	for _, e := range result.Errors() {
		t.Errorf("the schema of SARIF: %v", e)
	}
	file, err := sarif.FromBytes([]byte(text))
	if err != nil || len(file.Runs) != 1 {
		t.Fatalf("%v, not one run:\n%s", err, text)
	}
	wantShown(t, file.Runs[0])
	return file.Runs[0]
}

// wantShown checks what code hosts ask of a run before they show it, beyond the schema: a tool with
// a version; rules with a description, and help; results that name a rule, say something, stand at
// a line of a file of the repository, and are recognised again; and no more of each than they take.
func wantShown(t *testing.T, run *sarif.Run) {
	t.Helper()
	if run.Tool.Driver.Version == nil || *run.Tool.Driver.Version == "" {
		t.Error("the tool has no version")
	}
	if run.AutomationDetails == nil {
		t.Error("the run has no automation details: it would replace those of other commands")
	}
	rules := map[string]bool{}
	for _, rule := range run.Tool.Driver.Rules {
		rules[*rule.ID] = true
		if rule.ShortDescription == nil || rule.FullDescription == nil || rule.Help == nil || rule.Help.Text == nil || len(*rule.ShortDescription.Text) > 1024 {
			t.Errorf("rule %s lacks a description or help", *rule.ID)
		}
	}
	if len(run.Results) > 25_000 || len(rules) > 25_000 {
		t.Errorf("%d results of %d rules", len(run.Results), len(rules))
	}
	for _, result := range run.Results {
		id := *result.RuleID
		if !rules[id] || *run.Tool.Driver.Rules[result.RuleIndex].ID != id {
			t.Errorf("no rule %s", id)
		}
		if result.Message.Text == nil || strings.TrimSpace(*result.Message.Text) == "" {
			t.Errorf("a result of %s says nothing", id)
		}
		if len(result.PartialFingerprints) == 0 {
			t.Errorf("a result of %s would be new in each run", id)
		}
		if n := len(result.Locations); n < 1 || n > 10 || len(result.RelatedLocations) > 100 {
			t.Errorf("a result of %s stands at %d places", id, n)
		}
		for _, at := range slices.Concat(result.Locations, result.RelatedLocations) {
			place := at.PhysicalLocation
			switch {
			case place == nil || place.ArtifactLocation == nil || place.ArtifactLocation.URI == nil || *place.ArtifactLocation.URI == "":
				t.Errorf("a result of %s stands in no file", id)
			case filepath.IsAbs(*place.ArtifactLocation.URI) || strings.Contains(*place.ArtifactLocation.URI, ":"):
				t.Errorf("a result of %s stands in %s", id, *place.ArtifactLocation.URI)
			case place.Region == nil || place.Region.StartLine == nil || *place.Region.StartLine < 1:
				t.Errorf("a result of %s stands at no line of %s", id, *place.ArtifactLocation.URI)
			}
		}
	}
}

// advice names the rules of the validator that this program does not follow, all of them notes: texts
// with arguments of their own, numbered rules, pieces of the source in each result, the address of the repository, and
// addresses and files looked up on the network.
var advice = []string{"SARIF2002", "SARIF2003", "SARIF2006", "SARIF2009", "SARIF2010", "SARIF2011", "SARIF2012"}

// ValidateSARIF has documents checked by the public validator, with the rules of code hosts, and skips
// the test where it is not installed.
func ValidateSARIF(t *testing.T, texts map[string]string) {
	t.Helper()
	program, err := exec.LookPath("Sarif.Multitool")
	if err != nil {
		t.Skip("no Sarif.Multitool")
	}
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name+".sarif"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "found.sarif")
	c := exec.Command(program, "validate", filepath.Join(dir, "*.sarif"), "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning;Note", "--kind", "Fail", "--output", out)
	// Without this, it needs a library for languages that it makes no use of.
	c.Env = append(c.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1")
	// It fails if it finds anything; what it found tells more.
	said, failed := c.CombinedOutput()
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("%v: %v\n%s", err, failed, said)
	}
	var found struct {
		Runs []struct {
			Artifacts []any
			Results   []struct {
				RuleID, Level string
				Message       struct{ ID string }
				Locations     []any
			}
		}
	}
	if err := json.Unmarshal(data, &found); err != nil || len(found.Runs) != 1 {
		t.Fatalf("%v: %s", err, data)
	}
	for _, r := range found.Runs[0].Results {
		if r.Level != "note" || !slices.Contains(advice, r.RuleID) {
			t.Errorf("%s %s %s at %v", r.Level, r.RuleID, r.Message.ID, r.Locations)
		}
	}
	if n := strings.Count(string(said), "files scanned"); n != 1 || !strings.Contains(string(said), strconv.Itoa(len(texts))+" files scanned") {
		t.Errorf("the validator did not read %d documents:\n%s", len(texts), said)
	}
}
