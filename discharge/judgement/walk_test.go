package judgement_test

import (
	"context"
	"slices"
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
func (x *strangers) put(a *answer.Answer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answers[a.Question] = a
}
func (x *strangers) Arrival(answer.Question) <-chan struct{}      { return nil }
func (x *strangers) Refused(a *answer.Answer, why answer.Refusal) {}
func (x *strangers) Searching(answer.Digest)                      { x.mu.Lock(); defer x.mu.Unlock(); x.searched++ }

// gates are two machines with events that only a run meets, and one that can never happen.
const gates = `machine gate
variables n open lane
invariants
  @lane lane ∈ 1 ‥ 9
  @n n ∈ 0 ‥ 60
  @open open ∈ BOOL
events
  event INITIALISATION
  then
    @n n ≔ 0
    @lane lane ≔ 1
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

// developed is the development of a text.
func developed(t *testing.T, source string) *model.Development {
	t.Helper()
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(source), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	return dev
}

func keyOf(t *testing.T, secret string) *answer.Key {
	t.Helper()
	k, err := answer.NewKey(strings.Repeat(secret, answer.MinKey))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// contradictory names what contradicts itself in a development.
func contradictory(dev *model.Development, opts discharge.Options) (out string) {
	for _, c := range judgement.Contradictions(context.Background(), judgement.Premises{Dev: dev}, func(model.Component) bool { return true }, opts) {
		out += c.Path() + " "
	}
	return out
}

// TestRunsSpareSearches: an event that only a run meets has a model, which a reader without the key of its finder checks
// and then searches nothing. An event that can never happen is found by everybody, whatever strangers answer.
func TestRunsSpareSearches(t *testing.T) {
	dev := developed(t, gates)
	ask := func(opts discharge.Options) string { return contradictory(dev, opts) }
	const want = "gate/never "
	known := &strangers{answers: map[answer.Digest]*answer.Answer{}}
	if got := ask(discharge.Options{Key: keyOf(t, "a"), Found: known.put}); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
	for _, a := range known.answers {
		if a.Verdict == "open" {
			t.Errorf("a search of %d steps has found nothing", a.Steps)
		}
	}
	reader := discharge.Options{Key: keyOf(t, "b"), Foreign: true, Sources: []discharge.Source{known}}
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

// TestWarmAnswers: after an edit of what a run depends on, and of nothing that events assume, the answers are those of somebody who
// has not seen the text before, to the byte. What no run of a machine depends on leaves its answers as they are.
func TestWarmAnswers(t *testing.T) {
	answers := func(source string, known *strangers) (out []string, searched int) {
		found := &strangers{answers: map[answer.Digest]*answer.Answer{}}
		opts := discharge.Options{Key: keyOf(t, "a"), Found: found.put}
		if known != nil {
			known.searched = 0
			opts.Sources = []discharge.Source{known}
		}
		contradictory(developed(t, source), opts)
		for _, a := range found.answers {
			text, err := a.Encode()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(text))
		}
		slices.Sort(out)
		if known != nil {
			searched = known.searched
		}
		return out, searched
	}
	known := &strangers{answers: map[answer.Digest]*answer.Answer{}}
	contradictory(developed(t, gates), discharge.Options{Key: keyOf(t, "a"), Found: known.put})
	before, _ := answers(gates, nil)
	for _, edit := range []struct {
		old, new string
		other    bool // answers change
	}{
		{"@lane lane ≔ 1", "@lane lane ≔ 2", true},
		{"@n n ≔ n + 1", "@n n ≔ n + 2 − 1", false}, // an action: runs end in the same states, but only running them shows it
		{"machine lamp", "// a remark\nmachine lamp", false},
		{"machine lamp refines", "context far\nsets FAR\nend\n\nmachine lamp refines", false},
	} {
		source := strings.Replace(gates, edit.old, edit.new, 1)
		cold, _ := answers(source, nil)
		warm, searched := answers(source, known)
		if !slices.Equal(warm, cold) {
			t.Errorf("%s: warm and cold answers differ:\n%s\n%s", edit.new, strings.Join(warm, "\n"), strings.Join(cold, "\n"))
		}
		if models := func(list []string) (out []string) {
			for _, line := range list {
				_, rest, _ := strings.Cut(line, `"verdict"`)
				rest, _, _ = strings.Cut(rest, `"hmac"`)
				out = append(out, rest)
			}
			slices.Sort(out)
			return out
		}; slices.Equal(models(cold), models(before)) == edit.other {
			t.Errorf("%s: the answers are others: %t, want %t", edit.new, !edit.other, edit.other)
		}
		if strings.Contains(edit.new, "machine") && searched > 0 {
			t.Errorf("%s: %d searches after an edit of nothing that the machines depend on", edit.new, searched)
		}
	}
}
