package discharge

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// former proves a sequent, under new names.
func former(t *testing.T, s logic.Sequent, names proofstore.Names) *Former {
	t.Helper()
	o := newTask(s).prove(context.Background(), 300_000, 0, nil)
	if o.Verdict != verdict.Proved {
		t.Fatalf("the sequent of before is %s", o.Verdict)
	}
	return FormerOf(o, s, names)
}

// Old proofs stand behind what follows from new hypotheses, however little is searched, and
// show new goals; of what does not follow they show nothing.
func TestBehind(t *testing.T) {
	types := map[string]string{"a": "ℤ", "b": "ℤ", "c": "ℤ", "d": "ℤ", "f": "ℙ(ℤ×ℤ)", "g": "ℙ(ℤ×ℤ)", "S": "ℙ(ℤ)", "U": "ℙ(ℤ)"}
	type sequent struct {
		hyps []string
		goal string
	}
	tests := map[string]struct {
		was   []sequent
		names proofstore.Names
		now   sequent
		facts int
		lost  bool
	}{
		"split":                {was: []sequent{{[]string{"f∈ℤ→ℤ", "a=b∗c"}, "f(a)=f(b∗c)"}}, now: sequent{[]string{"f∈ℤ→ℤ", "a≤b∗c", "a≥b∗c"}, "f(a)=f(b∗c)"}, facts: 1},
		"split, under names":   {was: []sequent{{[]string{"f∈ℤ→ℤ", "a=b∗c"}, "f(a)=f(b∗c)"}}, names: proofstore.Names{"a": "d", "f": "g"}, now: sequent{[]string{"g∈ℤ→ℤ", "d≤b∗c", "d≥b∗c"}, "g(d)=g(b∗c)"}, facts: 1},
		"joined":               {was: []sequent{{[]string{"S⊆U", "a∈S"}, "a∈U"}}, now: sequent{[]string{"S⊆U∧a∈S"}, "a∈U"}, facts: 2},
		"of a partial term":    {was: []sequent{{[]string{"f∈ℤ⇸ℤ", "f(a)=b"}, "f(a)−b=0"}}, now: sequent{[]string{"f∈ℤ⇸ℤ", "a∈dom(f)", "a↦b∈f"}, "f(a)−b=0"}, facts: 1},
		"nothing is missing":   {was: []sequent{{[]string{"a>b"}, "a≥b"}}, now: sequent{[]string{"a>b", "c=d"}, "a≥b"}},
		"the goals are joined": {was: []sequent{{[]string{"a>0"}, "a≥0"}, {[]string{"b>0"}, "b≥0"}}, now: sequent{[]string{"a>0∧b>0"}, "a≥0∧b≥0"}, facts: 4},
		"the goal is split":    {was: []sequent{{[]string{"a=b", "S={a}"}, "S={b}"}}, now: sequent{[]string{"a=b", "S⊆{a}", "{a}⊆S"}, "S⊆{b}"}, facts: 2},
		"half is gone":         {was: []sequent{{[]string{"f∈ℤ→ℤ", "a=b∗c"}, "f(a)=f(b∗c)"}}, now: sequent{[]string{"f∈ℤ→ℤ", "a≤b∗c"}, "f(a)=f(b∗c)"}, lost: true},
		"without a value":      {was: []sequent{{[]string{"f∈ℤ⇸ℤ", "f(a)=b"}, "a∈dom(f)"}}, now: sequent{[]string{"f∈ℤ⇸ℤ", "a∈dom(f)⇒f(a)=b"}, "a∈dom(f)"}, lost: true},
		"another goal":         {was: []sequent{{[]string{"a>b"}, "a≥b"}}, now: sequent{[]string{"a>b"}, "a>b+1"}, lost: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			read := func(x sequent) logic.Sequent {
				s, err := check.ReadSequent(types, x.hyps, nil, x.goal)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			var list []*Former
			for _, x := range test.was {
				list = append(list, former(t, read(x), test.names))
			}
			now := read(test.now)
			o, _, facts, ok := Behind(context.Background(), now, list, Options{Steps: 1})
			if ok == test.lost || ok && len(facts) != test.facts {
				t.Fatalf("%+v %v behind %d facts", o.Verdict, ok, len(facts))
			}
			if ok && !o.Proves(now) {
				t.Error("what is kept is not a proof")
			}
		})
	}
}

// A hypothesis that a proof needs, of obligations of the reference data, is split in two that
// imply it: all proofs are kept, and each is one of the new sequent.
func TestBehindSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var reader check.Reader
	n, kept := 0, 0
	for _, q := range corpus.Lines[stored](t, "rodin-dev.sequents.jsonl.gz", corpus.Effort(100, 60, 1)) {
		s, err := reader.Sequent(q.Types, q.Hyps, q.Selected, q.Goal)
		if err != nil {
			continue
		}
		o := newTask(s).prove(t.Context(), 20_000, 0, nil)
		if o.Verdict != verdict.Proved || len(o.Used) == 0 {
			continue
		}
		at := o.Used[r.IntN(len(o.Used))]
		b := s.Bank
		now := logic.Sequent{Bank: b, Goal: s.Goal, Selected: s.Selected, Hyps: append([]logic.Term(nil), s.Hyps...)}
		// h is h if c, and h if not: c is another formula of the sequent.
		h, c := s.Hyps[at], s.Hyps[r.IntN(len(s.Hyps))]
		now.Hyps[at] = b.App(logic.Implies, c, h)
		now.Hyps = append(now.Hyps, b.App(logic.Implies, b.Not(c), h))
		n++
		x, _, _, ok := Behind(t.Context(), now, []*Former{FormerOf(o, s, nil)}, Options{Steps: 100_000})
		if ok {
			if kept++; !x.Proves(now) {
				t.Errorf("%s: what is kept is not a proof", q.ID)
			}
		}
	}
	if t.Logf("%d of %d proofs are kept", kept, n); kept*10 < n*9 {
		t.Errorf("only %d of %d proofs are kept", kept, n)
	}
}

// Of what is false nothing is kept, whatever the old sequent was.
func TestBehindMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var reader check.Reader
	n := 0
	for _, q := range corpus.Lines[stored](t, "mutants/dev-mutants.jsonl.gz", corpus.Effort(60, 30, 1)) {
		s, err := reader.Sequent(q.Types, q.Hyps, q.Selected, q.Goal)
		if err != nil {
			continue
		}
		b := s.Bank
		was := logic.Sequent{Bank: b, Goal: s.Goal, Hyps: append(append([]logic.Term(nil), s.Hyps...), s.Goal)}
		if other, _ := random.Change(r, s); r.IntN(2) == 0 {
			was = other
		}
		o := newTask(was).prove(t.Context(), 20_000, 0, nil)
		f := FormerOf(o, was, nil)
		if f == nil {
			continue
		}
		n++
		if o, _, _, ok := Behind(t.Context(), s, []*Former{f}, Options{Steps: 20_000}); ok || o.Verdict.Holds() {
			t.Errorf("%s: %+v", q.ID, o)
		}
	}
	t.Logf("%d false sequents", n)
}
