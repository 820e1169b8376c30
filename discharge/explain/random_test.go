package explain

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// recorded is a sequent of the reference data.
type recorded struct {
	ID       string            `json:"id"`
	Types    map[string]string `json:"types"`
	Hyps     []string          `json:"hyps"`
	Selected []int             `json:"selected"`
	Goal     string            `json:"goal"`
}

// randomHints writes hints for s at random: true facts, false ones, and what the sequent
// suggests.
func randomHints(r *rand.Rand, s logic.Sequent, labels []string) []string {
	p, problem := hinted.Make(s, labels, nil)
	if problem != nil {
		return nil
	}
	c := newCandidates(p.Last.Intro(), labels)
	pool := slices.Concat(c.inductions(), c.unfoldings(), slices.Concat(c.witnesses()...), c.cases(), c.facts(),
		[]string{"have ⊥", "have " + c.text(c.n.Goal), "have ¬(" + c.text(c.n.Goal) + ")", "cases " + c.text(c.n.Goal), "have 0 = 1"})
	for _, x := range c.instances() {
		pool = append(pool, x.line)
	}
	for _, h := range c.n.Hyps {
		pool = append(pool, "have "+c.text(h.Term), "have ¬("+c.text(h.Term)+")", "cases "+c.text(h.Term))
	}
	var out []string
	for range 1 + r.IntN(3) {
		out = append(out, pool[r.IntN(len(pool))])
		if last := out[len(out)-1]; strings.HasPrefix(last, "have") && r.IntN(2) == 0 {
			out = append(out, "    "+pool[r.IntN(len(pool))])
		}
	}
	return out
}

// hintedAtRandom runs sequents of a file of the reference data with hints at random, and
// tells each of what became of it.
func hintedAtRandom(t *testing.T, file string, short int, each func(id string, hints []string, o verdict.Outcome, ok bool)) {
	r := rand.New(rand.NewPCG(1, 2))
	var reader check.Reader
	for _, q := range corpus.Lines[recorded](t, file, short) {
		s, err := reader.Sequent(q.Types, q.Hyps, q.Selected, q.Goal)
		if err != nil {
			continue
		}
		labels := make([]string, len(s.Hyps))
		for i := range labels {
			labels[i] = strconv.Itoa(i)
		}
		x := &suggester{ctx: t.Context(), s: s, labels: labels, left: suggestSteps, scale: 1}
		for range 3 {
			list := randomHints(r, s, labels)
			if p := x.plan(list); p != nil {
				o, ok := new(discharge.Trials).Prove(t.Context(), s, p.Root, false, discharge.Options{Steps: 10_000})
				each(q.ID, list, o, ok)
			}
		}
	}
}

// Hints, true or false, do not make what is false proved.
func TestHintsOfMutants(t *testing.T) {
	n := 0
	for _, file := range []string{"mutants/dev-mutants.jsonl.gz", "mutants/dev-refuted.jsonl.gz"} {
		hintedAtRandom(t, file, corpus.Effort(800, 400, 4), func(id string, hints []string, o verdict.Outcome, ok bool) {
			n++
			if ok || o.Uncertified > 0 {
				t.Errorf("%s: %+v with\n%s", id, o, strings.Join(hints, "\n"))
			}
		})
	}
	t.Logf("%d lists of hints", n)
}

// Whatever the hints, the proofs of all parts make a proof that the kernel accepts.
func TestHintedProofsJoin(t *testing.T) {
	n, proved := 0, 0
	hintedAtRandom(t, "mutants/valid.jsonl.gz", corpus.Effort(160, 80, 1), func(id string, hints []string, o verdict.Outcome, ok bool) {
		n++
		if ok {
			proved++
		}
		if o.Uncertified > 0 {
			t.Errorf("%s: not certified with\n%s", id, strings.Join(hints, "\n"))
		}
	})
	if t.Logf("%d lists of hints, %d with a proof", n, proved); n > 0 && proved == 0 {
		t.Error("nothing is proved")
	}
}
