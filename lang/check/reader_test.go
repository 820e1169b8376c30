package check_test

import (
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// written is a sequent as text.
type written struct {
	Types    map[string]string
	Hyps     []string
	Selected []int
	Goal     string
}

// TestReaderBank reads sequents into one bank, among them some that mean other things by the same text, and each into a bank of its own:
// they say the same.
func TestReaderBank(t *testing.T) {
	one, own := check.Reader{Bank: logic.NewBank()}, check.Reader{}
	compare := func(name int, r written) {
		t.Helper()
		together, err := one.Sequent(r.Types, r.Hyps, r.Selected, r.Goal)
		if err != nil {
			t.Fatalf("%d: %v", name, err)
		}
		alone, err := own.Sequent(r.Types, r.Hyps, r.Selected, r.Goal)
		if err != nil {
			t.Fatalf("%d: %v", name, err)
		}
		if a, b := text.NewFingerprinter(together.Bank).Sequent(together), text.NewFingerprinter(alone.Bank).Sequent(alone); a != b {
			t.Errorf("%d: %v in one bank, %v alone", name, a, b)
		}
	}
	for i, r := range []written{
		{map[string]string{"x": "ℤ", "s": "ℙ(ℤ)"}, []string{"x∈s"}, nil, "s≠∅"},
		{map[string]string{"x": "S", "s": "ℙ(S)"}, []string{"x∈s"}, nil, "s≠∅"},
		{map[string]string{"S": "ℤ"}, []string{"∀x·x∈ℤ⇒x≤S"}, nil, "∃x·x<S"},
		{map[string]string{"S": "ℙ(S)"}, []string{"∀x·x∈S⇒x=x"}, nil, "∃x·x∈S"},
		{map[string]string{"x": "ℤ", "s": "ℙ(ℤ)"}, []string{"x∈s"}, nil, "s≠∅"},
	} {
		compare(-i, r)
	}
	for n, r := range corpus.Lines[written](t, "rodin-dev.sequents.jsonl.gz", corpus.Effort(60, 20, 1)) {
		compare(n, r)
	}
}

// TestReaderForgets asks for a text again where a name of it has lost its type.
func TestReaderForgets(t *testing.T) {
	r := check.Reader{Bank: logic.NewBank()}
	if _, err := r.Sequent(map[string]string{"x": "ℤ"}, nil, nil, "x<7"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Sequent(nil, nil, nil, "x<7"); err == nil {
		t.Error("x has no type, and nobody says so")
	}
}
