package prover

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/internal/search"
	"github.com/gradine/gradine/prover/kernel"
)

var update = flag.Bool("update", false, "write the certificates of the lemma library")

// library lists the lemmas that this package proves. A hint is a lemma to use,
// with its arguments.
var library = []struct {
	name      string
	types     map[string]string
	statement string
	hint      []string
}{
	{"power.above", integers, "1≤a ∧ 0≤n ⇒ 1 ≤ a^n", nil},
	{"power.add", integers, "0≤m ∧ 0≤n ⇒ a^(m+n) = a^m∗a^n", nil},
	{"power.divides", integers, "0≤m ∧ m≤n ⇒ a^n = a^m∗a^(n−m)", []string{"power.add", "m", "n−m", "a"}},
	{"power.grows", integers, "2≤a ∧ 0≤n ⇒ n < a^n", nil},
	{"power.increases", integers, "1≤a ∧ 0≤m ∧ m≤n ⇒ a^m ≤ a^n", nil},
	{"power.increases.strictly", integers, "2≤a ∧ 0≤m ∧ m<n ⇒ a^m < a^n", nil},
}

var integers = map[string]string{"a": "ℤ", "b": "ℤ", "c": "ℤ", "m": "ℤ", "n": "ℤ"}

// TestLibrary checks that each lemma has an accepted certificate of its statement.
// With -update it proves them, in order, and writes the certificates; as these are
// embedded, lemmas that use others need several runs.
func TestLibrary(t *testing.T) {
	for _, l := range library {
		var hyps []string // that name the arguments of the hint
		for i := 1; i < len(l.hint); i++ {
			hyps = append(hyps, l.hint[i]+" = "+l.hint[i])
		}
		s, err := check.ReadSequent(l.types, hyps, nil, l.statement)
		if err != nil {
			t.Fatal(err)
		}
		s = s.Bare()
		var hint []kernel.Step
		if l.hint != nil {
			hint = []kernel.Step{{Kind: kernel.Lemma, Name: l.hint[0]}}
			for _, h := range s.Hyps {
				hint[0].Terms = append(hint[0].Terms, s.Bank.Arg(h, 0))
			}
		}
		s.Hyps = nil
		if *update {
			write(t, l.name, s, hint)
			continue
		}
		lemma, err := kernel.FindLemma(l.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if im := logic.NewImporter(s.Bank, lemma.Bank, true); im.Term(lemma.Statement) != s.Goal {
			t.Errorf("%s: the certificate proves another statement", l.name)
		}
	}
}

// write proves s and writes the certificate of lemma name, whose proof uses neither
// well-definedness nor lemmas that do not stand before name.
func write(t *testing.T, name string, s logic.Sequent, hint []kernel.Step) {
	for _, axioms := range [][]kernel.Step{hint, inductions(s)} {
		out := search.Refute(s, search.Options{Steps: 1_000_000, Gens: 4, Enumerate: true, Axioms: axioms, Only: earlier(name)})
		if out.Proof == nil {
			continue
		}
		r, err := kernel.Check(s, out.Proof)
		if err != nil || r.WDGoal || !subset(r.Lemmas, earlier(name)) {
			t.Errorf("%s: %+v, %v", name, r, err)
			return
		}
		t.Logf("%s: %d steps, lemmas %v", name, r.Steps, r.Lemmas)
		if err := os.WriteFile("kernel/lemmas/"+name+".cert", cert.EncodeLemma(s.Bank, s.Goal, out.Proof), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s: no proof found", name)
}

// earlier returns the lemmas that stand before name.
func earlier(name string) map[string]bool {
	names := map[string]bool{}
	for _, l := range library {
		if l.name == name {
			break
		}
		names[l.name] = true
	}
	return names
}

func subset(names []string, of map[string]bool) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !of[n] })
}
