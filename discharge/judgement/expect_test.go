package judgement

import (
	"testing"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
)

// What an expectation says of one thing opens nothing for another of the same path.
func TestExpectedOfSeveral(t *testing.T) {
	context := Contradiction{Project: "p", Assumption: Assumption{Of: model.Component{Context: &model.Context{Name: "x"}}}}
	machine := Contradiction{Project: "p", Assumption: Assumption{Of: model.Component{Machine: &model.Machine{Name: "x"}}}}
	expected := []verdict.Expectation{{Project: "p", Path: "x", Verdict: verdict.Vacuous}}
	if j := Judge(nil, []Contradiction{context}, expected, true); j.Answer() != Yes || len(j.Met) != 1 {
		t.Errorf("one contradiction, expected: %+v", j)
	}
	if j := Judge(nil, []Contradiction{context, machine}, expected, true); j.Answer() != No || len(j.Met) != 0 || len(j.Ambiguous) != 1 {
		t.Errorf("two contradictions of one path, one expectation: %+v", j)
	}
	other := context
	other.Project = "q"
	if j := Judge(nil, []Contradiction{other}, expected, true); j.Answer() != No || len(j.Met) != 0 {
		t.Errorf("a contradiction of another project: %+v", j)
	}
}
