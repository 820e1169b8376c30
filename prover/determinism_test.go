package prover_test

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/refute"
)

var determinism = flag.Int("determinism.n", 21, "number of sequents of the reference data to prove in different ways; a third as many false ones")

// trace is all of a result that must not depend on anything but the sequent.
type trace struct {
	Verdict     string
	Steps       int64
	Tried       string
	Certificate string
	Model       string // of a counterexample to an open one
}

func traceOf(t testing.TB, reader *check.Reader, r record) trace {
	s, err := reader.Sequent(r.Types, r.Hyps, r.Selected, r.Goal)
	if err != nil {
		t.Errorf("%s: %v", r.name(), err)
		return trace{}
	}
	res := prover.Prove(s, prover.Options{Steps: 300_000})
	out := trace{Verdict: res.Verdict.String(), Steps: res.Steps}
	for _, a := range res.Tried {
		out.Tried += fmt.Sprintln(a.Strategy, a.Hyps, a.Saturated, a.Model, a.Counters)
	}
	if res.Proof != nil {
		out.Certificate = string(cert.Encode(res.Sequent.Bank, res.Proof))
	} else if x, steps := refute.Find(s, 50_000); x != nil {
		model, err := x.Model.MarshalJSON()
		if err != nil {
			t.Error(err)
		}
		out.Model = fmt.Sprintf("%s after %d steps", model, steps)
	}
	return out
}

// traps are sequents on which a search may come to depend on what was before: with
// case distinctions, instances, lemmas, witnesses, and an open one.
var traps = []record{
	{ID: "sets", Types: map[string]string{"a": "ℙ(S)", "b": "ℙ(S)", "c": "ℙ(S)", "S": "ℙ(S)"},
		Hyps: []string{"a⊆b∪c", "b∩c=∅"}, Goal: "a∖b⊆c ∧ (a∩b)∪(a∩c)=a"},
	{ID: "override", Types: map[string]string{"f": "ℙ(S×ℤ)", "x": "S", "S": "ℙ(S)"},
		Hyps: []string{"f∈S→ℕ", "∀y·y∈S⇒f(y)≤9"}, Goal: "∀y·y∈S⇒(f\ue103{x↦3})(y)≤9"},
	{ID: "finite", Types: map[string]string{"s": "ℙ(S)", "x": "S", "S": "ℙ(S)"},
		Hyps: []string{"finite(s)", "x∉s"}, Goal: "card(s∪{x})=card(s)+1"},
	{ID: "witness", Types: map[string]string{"n": "ℤ", "s": "ℙ(ℤ)"},
		Hyps: []string{"s=1‥n", "1<n"}, Goal: "∃i,j·i∈s ∧ j∈s ∧ i<j"},
	{ID: "product", Types: map[string]string{"i": "ℤ", "j": "ℤ", "n": "ℤ", "m": "ℤ"},
		Hyps: []string{"0≤j", "j<n", "0≤i", "i<m"}, Goal: "i∗n+j<m∗n"},
	{ID: "open", Types: map[string]string{"f": "ℙ(S×T)", "g": "ℙ(S×T)", "S": "ℙ(S)", "T": "ℙ(T)"},
		Hyps: []string{"f∈S⇸T", "g∈S⇸T", "dom(f)∩dom(g)≠∅"}, Goal: "f∪g∈S⇸T"},
}

// TestDeterminism compares the outcomes of sequents proved alone, in another order by a
// reader that has seen others, and several at a time on different numbers of cores: verdicts, steps,
// attempts, certificates and counterexamples are the same.
func TestDeterminism(t *testing.T) {
	rs := slices.Clone(traps)
	if !testing.Short() {
		rs = append(rs, sample(readRecords(t, "rodin-dev.sequents.jsonl.gz"), *determinism)...)
		rs = append(rs, sample(readRecords(t, "mutants/dev-mutants.jsonl.gz"), *determinism/3)...)
	}
	want := make([]trace, len(rs))
	for i, r := range rs {
		want[i] = traceOf(t, &check.Reader{}, r)
	}
	compare := func(how string, i int, got trace) {
		if d := cmp.Diff(want[i], got); d != "" {
			t.Errorf("%s, %s: %s", rs[i].name(), how, d)
		}
	}
	reader := &check.Reader{}
	for i := len(rs) - 1; i >= 0; i-- {
		compare("after others", i, traceOf(t, reader, rs[i]))
	}
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	for _, cores := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(cores)
		var all sync.WaitGroup
		got := make([]trace, len(rs))
		for i := range rs {
			all.Go(func() { got[i] = traceOf(t, &check.Reader{}, rs[i]) })
		}
		all.Wait()
		for i := range rs {
			compare(fmt.Sprintf("beside others on %d cores", cores), i, got[i])
		}
	}
	for i, v := range []string{"proved", "proved", "proved", "proved", "proved", "open"} {
		if want[i].Verdict != v {
			t.Errorf("%s: %s", rs[i].name(), want[i].Verdict)
		}
	}
}
