package discharge

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
)

// planOf makes the plan that the text of hints makes of s.
func planOf(t *testing.T, s logic.Sequent, text string) *hinted.Plan {
	t.Helper()
	var problems diag.List
	f := hints.Parse("t.hints", []byte("for x\n"+text), &problems)
	for _, d := range problems.Sorted() {
		t.Fatal(d)
	}
	labels := make([]string, len(s.Hyps))
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	p, problem := hinted.Make(s, labels, f.Blocks[0].Hints)
	if problem != nil {
		t.Fatal(problem)
	}
	return p
}

// The proofs of the parts that each rule makes come together to one that the kernel
// accepts for the sequent itself.
func TestPartsJoin(t *testing.T) {
	types := map[string]string{"n": "ℤ", "d": "ℤ", "S": "ℙ(ℤ)", "f": "ℙ(ℤ×ℤ)", "c": "ℤ", "T": "ℙ(T)", "p": "ℙ(ℙ(T))", "q": "ℙ(ℤ)"}
	tests := map[string]struct {
		hyps  []string
		goal  string
		hints string
	}{
		"have":         {[]string{"d>0", "n≥0"}, "∀t·t=n mod d⇒n=(n÷d)∗d+t", "  have n mod d = n−(n÷d)∗d\n    have n mod d ≥ 0\n"},
		"have twice":   {[]string{"d>0", "n≥0"}, "n+d>0", "  have n+d≥d\n  have n+d>0\n"},
		"cases":        {[]string{"n∈{1,2}"}, "n∗n∈{1,4}", "  cases n=1\n    have n∗n=1\n  have n=2\n"},
		"cases, both":  {nil, "n∗n≥0", "  cases n≥0\n    have n∗n≥0\n  have −n≥0\n  have (−n)∗(−n)≥0\n"},
		"an idle case": {[]string{"d=1", "n=n"}, "d>0", "  cases n=7\n  cases n=8\n    have d=1\n"},
		"inst":         {[]string{"∀x,y·x<y⇒x∈S∧y∈q"}, "1∈S", "  inst 0 x≔1, y≔2\n"},
		"inst, partly": {[]string{"∀x,y·x<y⇒x∈S∧y∈q"}, "∀z·z>1⇒z∈q", "  inst 0 x≔1\n  inst inst1 y≔z\n"},
		"inst of not":  {[]string{"∀x,y·¬(x∈S∧y∈q)"}, "¬(1∈S∧2∈q)", "  inst 0 y≔2\n  inst inst1 x≔1\n"},
		"witness":      {[]string{"∃x·x∗x=n∧x>7"}, "∃x,y·x∗x=n∧x>6∧y=3", "  witness 0 z\n  witness x≔z\n"},
		"witness, all": {[]string{"n>0"}, "∃x,y·x+y=n∧x>0", "  witness y≔0, x≔n\n"},
		"use":          {[]string{"n>0", "d>0"}, "n>−1", "  use 0\n"},
		"unfold":       {[]string{"S={x·x>3∣x+1}"}, "5∈S", "  unfold S\n"},
		"unfold twice": {[]string{"c=n+1", "n=d+1"}, "c=d+2", "  unfold c n\n"},
		"induct":       {[]string{"f∈ℕ→ℤ", "f(0)=0", "∀n·n∈ℕ⇒f(n+1)=f(n)+c"}, "∀m·m∈ℕ⇒f(m)=c∗m", "  induct m\n    have c∗0=0\n  have f(m)=c∗m\n"},
		"induct, more": {[]string{"f∈ℕ→ℤ", "f(0)=0", "∀n·n∈ℕ⇒f(n+1)=f(n)+c"}, "∀m,k·m∈ℕ∧k=f(m)⇒k=c∗m", "  induct m\n"},
		"induct free":  {[]string{"f∈ℕ→ℤ", "n∈ℕ", "f(0)=0", "∀n·n∈ℕ⇒f(n+1)=f(n)+c"}, "f(n)=c∗n", "  induct n\n"},
		"induct set":   {[]string{"(∅⦂ℙ(T))∈p", "∀x,y·x∈p⇒x∪{y}∈p"}, "∀s·finite(s)⇒s∈p", "  induct s\n"},
		"contradict":   {[]string{"n>0", "n<0"}, "d=c", "  have n=n+1\n  cases d=1\n"},
		"lost":         {[]string{"n>0", "c=c"}, "n≥0", "  have ∀x·x=c\n  inst have1 x≔1\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := check.ReadSequent(types, test.hyps, nil, test.goal)
			if err != nil {
				t.Fatal(err)
			}
			p := planOf(t, s, test.hints)
			o, ok := newTask(s).byParts(context.Background(), p.Root, Options{Steps: 3_000_000})
			if !ok || o.Uncertified > 0 {
				t.Fatalf("%+v", o)
			}
			for _, f := range p.Facts {
				q, _ := f.Node.Sequent()
				if o, ok := newTask(q).byParts(context.Background(), f.Node, Options{Steps: 3_000_000}); name != "lost" && (!ok || o.Uncertified > 0) {
					t.Errorf("%s: %+v", f.Name, o)
				}
			}
		})
	}
}

// stored is a sequent of the reference data.
type stored struct {
	ID       string            `json:"id"`
	Types    map[string]string `json:"types"`
	Hyps     []string          `json:"hyps"`
	Selected []int             `json:"selected"`
	Goal     string            `json:"goal"`
}

// opened is what closes a sequent that the search of before left open: "search" by itself,
// "hints" of testdata/open.hints, "false" for one that values refute, or "open" still.
type opened struct {
	by     string
	values []string
}

// openedSequents reads testdata/open.txt, by id.
func openedSequents(t *testing.T) map[string]opened {
	data, err := os.ReadFile("testdata/open.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]opened{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 2 {
			continue
		}
		x := opened{by: fields[0]}
		if x.by == "false" {
			x.values = strings.Split(fields[3], " & ")
		}
		out[fields[1]] = x
	}
	return out
}

// hintCount counts hints with those below them.
func hintCount(list []*hints.Hint) int {
	n := len(list)
	for _, h := range list {
		n += hintCount(h.Below)
	}
	return n
}

// Of the sequents that the search of before left open, most are closed by the search of now,
// or by at most three hints; some are false.
func TestHintsOfOpenSequents(t *testing.T) {
	data, err := os.ReadFile("testdata/open.hints")
	if err != nil {
		t.Fatal(err)
	}
	var problems diag.List
	set := hinted.NewSet([]*hints.File{hints.Parse("open.hints", data, &problems)})
	known := openedSequents(t)
	var reader check.Reader
	n, every := 0, corpus.Effort(24, 12, 1)
	count := map[string]int{}
	for _, q := range corpus.Lines[stored](t, "rodin-dev.sequents.jsonl.gz", 1) {
		x, ok := known[q.ID]
		if !ok {
			continue
		}
		n++
		s, err := reader.Sequent(q.Types, append(q.Hyps, x.values...), q.Selected, q.Goal)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]string, len(s.Hyps))
		for i := range labels {
			labels[i] = strconv.Itoa(i)
		}
		var p *hinted.Plan
		if x.by == "hints" && set.Names(q.ID) {
			if p = set.Plan(q.ID, s, labels); p == nil {
				t.Errorf("%s: no hint fits", q.ID)
				continue
			}
			if hintCount(p.Top) > 3 {
				x.by = "more than three hints"
			}
		}
		count[x.by]++
		if n%every == 0 {
			checkOpened(t, q.ID, s, p, x.by)
		}
	}
	if n == 0 {
		return
	}
	for _, d := range problems.Sorted() {
		t.Error(d)
	}
	closed := count["search"] + count["hints"]
	t.Logf("%d sequents: %v; %d closed by at most three hints, of %d that are not false", n, count, closed, n-count["false"])
	if n != 149 || 10*closed < 6*n {
		t.Error("less than before")
	}
}

// checkOpened checks that what is said to close a sequent does.
func checkOpened(t *testing.T, id string, s logic.Sequent, p *hinted.Plan, by string) {
	opts := Options{Steps: 6_000_000}
	switch {
	case p != nil:
		if o, ok := newTask(s).byParts(t.Context(), p.Root, opts); !ok {
			t.Errorf("%s: %s, %d steps", id, o.Verdict, o.Steps)
		}
	case by == "false":
		opts.OnlyRefute, opts.RefuteSteps = true, 2_000_000
		if o := newTask(s).answer(t.Context(), s, opts); o.Verdict != verdict.Refuted {
			t.Errorf("%s: %s, and it is false", id, o.Verdict)
		}
	case by == "search" && os.Getenv("GRADINE_SWEEP") != "":
		if o := newTask(s).answer(t.Context(), s, Options{}); !o.Verdict.Holds() {
			t.Errorf("%s: %s, and the search closed it", id, o.Verdict)
		}
	}
}
