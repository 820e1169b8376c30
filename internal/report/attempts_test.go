package report

import (
	"os"
	"regexp"
	"testing"

	"github.com/gradine/gradine/prover"
)

// TestStrategiesDescribed: report why describes each strategy of the schedule in words.
func TestStrategiesDescribed(t *testing.T) {
	data, err := os.ReadFile("../../prover/schedule.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t+\{"([^"]+)",`).FindAllStringSubmatch(string(data), -1)
	if len(names) < 60 {
		t.Errorf("only %d strategies found", len(names))
	}
	for _, name := range names {
		if text := strategyText(prover.Attempt{Strategy: name[1]}); text == name[1] && text != "induction" {
			t.Errorf("strategy %q has no description", name[1])
		}
	}
}
