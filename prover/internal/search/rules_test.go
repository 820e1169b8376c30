package search

import (
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/internal/rules"
	"github.com/gradine/gradine/prover/kernel"
)

// statement returns what axiom or lemma name says, over identifiers.
func statement(t *testing.T, b *logic.Bank, name string) logic.Term {
	if s := kernel.Lookup(name); s != nil {
		f, err := s.Formula(b, cert.Sample(b, s)...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	l, err := kernel.FindLemma(name)
	if err != nil {
		t.Fatal(err)
	}
	return logic.NewImporter(b, l.Bank, true).Term(l.Statement)
}

// TestRules proves what the schema of each rule says, with no other lemma at hand. The proof uses
// the rule, unless there is one without: so it is for some equations of sets, but not for most rules.
func TestRules(t *testing.T) {
	tried, needed := map[string]bool{}, 0
	for _, r := range rules.All() {
		name := r.Schema.Name
		if tried[name] {
			continue
		}
		tried[name] = true
		attempt := func(only map[string]bool) (found, uses bool) {
			b := logic.NewBank()
			// Where some set is not finite, no rule waits.
			infinite := b.Not(b.App(logic.Finite, b.Free("some set", b.PowType(logic.IntType))))
			s := logic.Sequent{Bank: b, Hyps: []logic.Term{infinite}, Goal: statement(t, b, name)}
			out := Refute(s, Options{Hyps: []int{0}, Steps: 20_000, Only: only, Direction: Direction{Start: 1, Gens: 4}})
			if out.Proof == nil {
				return false, false
			}
			if _, err := kernel.Check(s, out.Proof); err != nil {
				t.Errorf("rule %s: %v", name, err)
			}
			for _, step := range out.Proof.Steps {
				uses = uses || step.Name == name
			}
			return true, uses
		}
		found, uses := attempt(map[string]bool{name: true})
		without, _ := attempt(map[string]bool{})
		switch {
		case !found:
			t.Errorf("rule %s does not prove what it says", name)
		case !uses && !without:
			t.Errorf("rule %s: proved by something else, and not without the rule", name)
		case !without:
			needed++
		}
	}
	t.Logf("%d of %d needed", needed, len(tried))
	if needed < len(tried)*2/3 {
		t.Errorf("only %d of %d rules are needed for what they say", needed, len(tried))
	}
}
