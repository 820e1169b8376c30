package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/report/sample"
)

// documentedKeys are the keys of docs/json.md with a meaning, by the command above their table.
func documentedKeys(t *testing.T) map[string]map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/json.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("^\\| `(.*)` \\| *(.*?) *\\|$")
	out, command := map[string]map[string]bool{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "`") {
			command = strings.Trim(line, "`")
			out[command] = map[string]bool{}
		} else if m := row.FindStringSubmatch(line); m != nil {
			if m[2] == "" {
				t.Errorf("docs/json.md: %s, %s has no meaning", command, m[1])
			}
			out[command][m[1]] = true
		}
	}
	return out
}

// documentedSchemas are the definitions of docs/json-schema.json, by command.
func documentedSchemas(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/json-schema.json"))
	must(err)
	var all struct {
		Definitions map[string]json.RawMessage `json:"definitions"`
	}
	must(json.Unmarshal(text, &all))
	out := map[string]string{}
	for command, schema := range all.Definitions {
		out[command] = string(schema)
	}
	return out
}

// TestSchemaRejects: the schema is not so weak that it accepts another object.
func TestSchemaRejects(t *testing.T) {
	schema := documentedSchemas(t)["check"]
	for _, document := range []string{`{}`, `{"file":1}`, `{"file":"a","severity":"error","code":"GR0001","line":1,"column":1,"from":0,"to":0,"message":"m","other":1}`} {
		if wrong, err := sample.Against(schema, document); err != nil || len(wrong) == 0 {
			t.Errorf("%s: %v, %v", document, wrong, err)
		}
	}
}

// Whatever key a command prints as JSON lines has a meaning in docs/json.md.
func TestPrintedKeysAreDocumented(t *testing.T) {
	known, schemas := documentedKeys(t), documentedSchemas(t)
	dir := smallProject(t)
	for name, text := range map[string]string{"faulty.eventb": faulty, "k.cl": faultyKernels, "broken.eventb": "machine broken\nvariables x y\ninvariants\n    @x x ∈\nend\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for line, section := range map[string]string{
		"check broken.eventb": "check", "po faulty.eventb": "po", "prove faulty.eventb": "prove", "prove --timing faulty.eventb": "prove", "prove": "prove", "prove --suggest faulty.eventb": "prove --suggest",
		"explore faulty.eventb": "explore", "explore --coverage faulty.eventb": "explore", "explore --symmetry faulty.eventb": "explore", "explore --partial-order faulty.eventb two": "explore",
		"explore --goal x=2 faulty.eventb two": "explore", "infer --all faulty.eventb": "infer", "kernel k.cl": "kernel",
		"tune lamps": "tune", "tune --by run lamps": "tune",
	} {
		r := &run{ctx: t.Context(), dir: dir}
		words := append([]string{}, strings.Fields(line)...)
		out, messages, code := r.perform(t.Context(), "", "", append(words[:1:1], append([]string{"--format", "jsonl"}, words[1:]...)...))
		if code == exitUsage || code == exitInternal {
			t.Errorf("%s: exit code %d\n%s", line, code, messages)
			continue
		}
		lines := 0
		dec := json.NewDecoder(strings.NewReader(out))
		for dec.More() {
			var object map[string]json.RawMessage
			if err := dec.Decode(&object); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			}
			lines++
			nested(t, line, section, object, known)
			data, err := json.Marshal(object)
			must(err)
			wrong, err := sample.Against(schemas[section], string(data))
			must(err)
			for _, w := range wrong {
				t.Errorf("%s: docs/json-schema.json: %s in %.200s", line, w, data)
			}
		}
		if lines == 0 && line != "prove --suggest faulty.eventb" {
			t.Errorf("%s prints nothing\n%s", line, messages)
		}
	}
}

// calibratedProject is smallProject with a table of measurements, and a constant that they correct.
func calibratedProject(t *testing.T) string {
	dir := smallProject(t)
	settings, err := os.ReadFile(filepath.Join(dir, "gradine.toml"))
	must(err)
	settings = append(settings, "\n[tune.lamps.calibrate]\nunit = 1\nconstants = { size = \"1‥5\" }\n"...)
	must(os.WriteFile(filepath.Join(dir, "gradine.toml"), settings, 0o666))
	must(os.WriteFile(filepath.Join(dir, "lamps.tsv"), []byte("most\tms\n1\t1\n2\t2\n3\t3\n"), 0o666))
	return dir
}

// kindOfLine names the tables of the lines of a review, by a key that only such lines have.
var kindOfLine = map[string]string{
	"change": "review, changes", "obligation": "review, obligations", "debt_before": "review, debt of a project", "claim": "review, claims", "affected": "review, components",
	"problem": "review, diagnostics", "contradiction": "review, contradictions", "expectation": "review, expectations", "requirement": "review, requirements",
	"scenario": "review, scenarios", "waiver": "review, waivers",
}

// Whatever key a review, a report or a calibration prints as JSON lines has a meaning in docs/json.md.
func TestPrintedKeysOfReviews(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	known, schemas := documentedKeys(t), documentedSchemas(t)
	dir := calibratedProject(t)
	perform := func(line string) string {
		r := &run{ctx: t.Context(), dir: dir}
		out, messages, code := r.perform(t.Context(), "", "", strings.Fields(line))
		if code == exitUsage || code == exitInternal || out == "" {
			t.Errorf("%s: exit code %d\n%s", line, code, messages)
		}
		return out
	}
	write := func(name, text string) { must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)) }
	calibrated := perform("calibrate lamps --measured lamps.tsv --format jsonl")
	write("old.jsonl", perform("prove --format jsonl"))
	model, err := os.ReadFile(filepath.Join(dir, "models/lamps.eventb"))
	must(err)
	write("models/lamps.eventb", strings.Replace(string(model), "on < most", "on ≤ most", 1)+"\nmachine broken\nvariables x\ninvariants\n    @x x = none\nend\n")
	write("models/lamps.scenario", "scenario s of lamps\nINITIALISATION\nend\n")
	write("new.jsonl", perform("prove --format jsonl"))
	met := map[string]bool{}
	for line, printed := range map[string]string{
		"calibrate": calibrated, "report stability": perform("report stability --format jsonl old.jsonl new.jsonl"),
		"report --since": perform("report --format jsonl --since HEAD"), "review": perform("review --format jsonl HEAD"),
	} {
		for dec := json.NewDecoder(strings.NewReader(printed)); dec.More(); {
			var object map[string]json.RawMessage
			must(dec.Decode(&object))
			section := line
			for key, kind := range kindOfLine {
				if _, ok := object[key]; ok && line == "review" {
					section = kind
				}
			}
			met[section] = true
			nested(t, line, section, object, known)
			data, err := json.Marshal(object)
			must(err)
			wrong, err := sample.Against(schemas[section], string(data))
			must(err)
			for _, w := range wrong {
				t.Errorf("%s: docs/json-schema.json: %s in %.200s", line, w, data)
			}
		}
	}
	for _, section := range []string{"calibrate", "report stability", "report --since", "review, changes", "review, obligations", "review, debt of a project", "review, claims", "review, components", "review, diagnostics", "review, scenarios"} {
		if !met[section] {
			t.Errorf("nothing of %s was printed", section)
		}
	}
}

// parts are the tables of objects within objects.
var parts = map[string]map[string]string{
	"explore": {"findings": "explore, findings"},
	"infer":   {"kept": "infer, kept", "killed": "infer, killed"},
	"tune":    {"table": "tune, table"},
}

func nested(t *testing.T, line, section string, object map[string]json.RawMessage, known map[string]map[string]bool) {
	t.Helper()
	for key, value := range object {
		if !known[section][key] {
			t.Errorf("%s prints %q, which docs/json.md does not say under %q: %.80s", line, key, section, value)
		}
		if of := parts[section][key]; of != "" {
			var list []map[string]json.RawMessage
			if err := json.Unmarshal(value, &list); err != nil {
				t.Errorf("%s, %s: %v", line, key, err)
			}
			for _, x := range list {
				nested(t, line, of, x, known)
			}
		}
	}
}
