package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var updateKeys = flag.Bool("update-keys", false, "update the tables of keys in docs/json.md, and docs/json-schema.json")

// printed are the structures that commands print as JSON lines, and the file of each.
var printed = []struct{ command, file, name string }{
	{"check", "diagnostics.go", "jsonProblem"},
	{"po", "obligations.go", "Obligation"},
	{"prove", "verdicts.go", "Verdict"},
	{"prove --suggest", "suggestion.go", "jsonSuggestion"},
	{"explore", "explore.go", "jsonExploration"},
	{"explore, findings", "explore.go", "jsonFinding"},
	{"infer", "infer.go", "jsonInference"},
	{"infer, kept", "infer.go", "jsonKept"},
	{"infer, killed", "infer.go", "jsonKilled"},
	{"kernel", "../../gpu/gpu.go", "Report"},
	{"kernel --barriers, --conditions, --counts", "../../gpu/advice.go", "Advice"},
	{"kernel --counts, intervals", "../../gpu/access/counts.go", "Interval"},
	{"kernel --counts, block", "../../gpu/block_counts.go", "Block"},
	{"kernel --counts, work of a block", "../../gpu/block_counts.go", "BlockWork"},
	{"kernel --counts, accesses of a block", "../../gpu/block_counts.go", "Access"},
	{"kernel --counts, loops of a block", "../../gpu/block_counts.go", "BlockLoop"},
	{"tune", "figures/tuning.go", "Tuned"},
	{"tune, table", "figures/tuning.go", "TuningPoint"},
	{"tune --one-for-all", "figures/common.go", "CommonJSON"},
	{"tune --one-for-all, instances", "figures/common.go", "commonInstance"},
	{"tune --run", "figures/measured.go", "MeasuredJSON"},
	{"tune --run, best", "figures/measured.go", "standingJSON"},
	{"calibrate", "figures/calibration.go", "CalibrationJSON"},
	{"review, changes", "review_json.go", "jsonChange"},
	{"review, obligations", "review_json.go", "jsonFate"},
	{"review, debt of a project", "review_json.go", "jsonDebt"},
	{"review, debt", "../../review/review.go", "Debt"},
	{"review, claims", "review_json.go", "jsonClaim"},
	{"review, components", "review_json.go", "jsonAffected"},
	{"review, diagnostics", "review_json.go", "jsonReviewProblem"},
	{"review, contradictions", "review_json.go", "jsonContradiction"},
	{"review, expectations", "review_json.go", "jsonUnmet"},
	{"review, requirements", "review_json.go", "jsonRequirement"},
	{"review, scenarios", "review_json.go", "jsonScenario"},
	{"review, waivers", "review_json.go", "jsonWaiver"},
	{"report stability", "stability.go", "StabilityChange"},
	{"report --since", "figures/trend.go", "jsonTrend"},
}

// The tables of keys in docs/json.md are those that the commands print: what encoding/json
// makes of the structures, whose comments say what they are.
func TestKeysDocument(t *testing.T) {
	var want strings.Builder
	for _, p := range printed {
		fmt.Fprintf(&want, "\n`%s`\n\n| key | meaning |\n|---|---|\n", p.command)
		keys := 0
		for _, field := range structNamed(t, p.file, p.name).Fields.List {
			if field.Tag == nil {
				continue
			}
			key, _, _ := strings.Cut(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"), ",")
			if key == "" || key == "-" {
				continue
			}
			keys++
			if strings.TrimSpace(field.Comment.Text()) == "" {
				t.Errorf("%s: %s has no meaning: write a comment at the end of its line in %s", p.command, key, p.file)
			}
			fmt.Fprintf(&want, "| `%s` | %s |\n", key, strings.ReplaceAll(strings.TrimSpace(field.Comment.Text()), "|", "\\|"))
		}
		if keys < 3 {
			t.Errorf("%s: %d keys", p.command, keys)
		}
	}
	const file, begin, end = "../../docs/json.md", "<!-- keys: go test ./internal/report -run KeysDocument -update-keys -->\n", "<!-- end of keys -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(text, []byte(begin))
	is, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		t.Fatalf("%s has no place for the keys", file)
	}
	if string(is) == want.String()+"\n" {
		return
	}
	if !*updateKeys {
		t.Fatalf("the tables of keys in %s are others; go test ./internal/report -run KeysDocument -update-keys writes them", file)
	}
	out := string(before) + begin + want.String() + "\n" + end + string(after)
	if err := os.WriteFile(file, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
}
