package judgement_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
)

// strangers answer what they have found, under no key that the reader has.
type strangers struct {
	mu       sync.Mutex
	answers  map[answer.Digest]*answer.Answer
	searched int
}

func (x *strangers) Answers(q answer.Question) []*answer.Answer {
	x.mu.Lock()
	defer x.mu.Unlock()
	if a := x.answers[q.Digest]; a != nil {
		return []*answer.Answer{a}
	}
	return nil
}
func (x *strangers) Arrival(answer.Question) <-chan struct{}      { return nil }
func (x *strangers) Refused(a *answer.Answer, why answer.Refusal) {}
func (x *strangers) Searching(answer.Digest)                      { x.mu.Lock(); defer x.mu.Unlock(); x.searched++ }

// TestRunsSpareSearches: an event that only a run meets has a model, which a reader without the key of its finder checks
// and then searches nothing. An event that can never happen is found by everybody, whatever strangers answer.
func TestRunsSpareSearches(t *testing.T) {
	const source = `machine gate
variables n open
invariants
  @n n ∈ 0 ‥ 60
  @open open ∈ BOOL
events
  event INITIALISATION
  then
    @n n ≔ 0
    @open open ≔ FALSE
  end
  event up
  where
    @more n < 60
  then
    @n n ≔ n + 1
  end
  event gate
  any k
  where
    @k k ∈ 5 ‥ 9
    @far n ∗ n ∗ n + k = 50660
  then
    @open open ≔ TRUE
  end
  event never
  where
    @far n > 60
  then
    @n n ≔ 0
  end
end

machine lamp refines gate
variables m
invariants
  @m m = 60 − n
events
  event INITIALISATION
  then
    @m m ≔ 60
  end
  event up refines up
  where
    @more m > 0
  then
    @m m ≔ m − 1
  end
  event gate refines gate
  any k
  where
    @k k ∈ 5 ‥ 9
    @far (60 − m) ∗ (60 − m) ∗ (60 − m) + k = 50660
  end
end
`
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(source), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	keyOf := func(secret string) *answer.Key {
		k, err := answer.NewKey(strings.Repeat(secret, answer.MinKey))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	ask := func(opts discharge.Options) (out string) {
		for _, c := range judgement.Contradictions(context.Background(), judgement.Premises{Dev: dev}, func(model.Component) bool { return true }, opts) {
			out += c.Path() + " "
		}
		return out
	}
	const want = "gate/never "
	known := &strangers{answers: map[answer.Digest]*answer.Answer{}}
	if got := ask(discharge.Options{Key: keyOf("a"), Found: func(a *answer.Answer) {
		known.mu.Lock()
		defer known.mu.Unlock()
		known.answers[a.Question] = a
	}}); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
	for _, a := range known.answers {
		if a.Verdict == "open" {
			t.Errorf("a search of %d steps has found nothing", a.Steps)
		}
	}
	reader := discharge.Options{Key: keyOf("b"), Foreign: true, Sources: []discharge.Source{known}}
	if got := ask(reader); got != want || known.searched > 0 {
		t.Errorf("with the answers of strangers: found %q after %d searches, want %q after none", got, known.searched, want)
	}
	for q, a := range known.answers {
		forged := *a
		forged.Verdict, forged.Certificate, forged.Core, forged.Counterexample = "open", nil, nil, nil
		if a.Verdict == "vacuous" {
			known.answers[q] = &forged
		}
	}
	if got := ask(reader); got != want || known.searched == 0 {
		t.Errorf("where strangers have found nothing: found %q after %d searches, want %q", got, known.searched, want)
	}
}
