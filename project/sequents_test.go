package project_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/gradine/gradine/project"
)

// TestSequentsShare reads two sequents of one component: what both say is in memory once.
func TestSequentsShare(t *testing.T) {
	line := `{"types": {"x": "ℤ"}, "hyps": ["x∈ℕ", "x<7"], "goal": "x<8"}` + "\n"
	list, _, err := project.ReadSequents(strings.NewReader(line + line))
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
	var reader project.SequentReader
	for i := range list {
		if s, err := reader.Read(&list[i]); err != nil || len(s.Hyps) != 2 {
			t.Errorf("sequent %d has %d hypotheses: %v", i+1, len(s.Hyps), err)
		}
	}
}
