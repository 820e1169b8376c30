package question_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gradine/gradine/discharge/question"
)

// TestSequentsShare reads two sequents of one component: what both say is in memory once.
func TestSequentsShare(t *testing.T) {
	line := `{"types": {"x": "ℤ"}, "hyps": ["x∈ℕ", "x<7"], "goal": "x<8"}` + "\n"
	list, _, err := question.Read(strings.NewReader(line + line))
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for i, hyp := range list[0].All() {
		if unsafe.StringData(hyp) != unsafe.StringData(list[1].All()[i]) {
			t.Errorf("hypothesis %s is there twice", hyp)
		}
	}
	if unsafe.StringData(list[0].Types["x"]) != unsafe.StringData(list[1].Types["x"]) {
		t.Error("the type is there twice")
	}
	sequents, err := question.Formulas(list)
	if err != nil || len(sequents) != 2 {
		t.Fatal(sequents, err)
	}
	if sequents[0].Bank != sequents[1].Bank || !slices.Equal(sequents[0].Hyps, sequents[1].Hyps) {
		t.Error("the terms are there twice")
	}
}
