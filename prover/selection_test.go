package prover

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// TestSelections lists what each selection takes of one sequent, in its order.
func TestSelections(t *testing.T) {
	s, err := (&check.Reader{}).Sequent(
		map[string]string{"S": "ℙ(S)", "a": "ℙ(S)", "b": "ℙ(S)", "c": "ℙ(S)", "d": "ℙ(S)", "e": "ℙ(S)", "x": "S"},
		[]string{
			0: "x∈a",
			1: "a⊆b",
			2: "∀y·y∈b⇒y∈c",
			3: "c⊆d",
			4: "d⊆e",
			5: "b⊆d",
			6: "e≠∅",
		},
		[]int{3}, "x∈d")
	if err != nil {
		t.Fatal(err)
	}
	n := newNeighbourhood(s.Bare())
	for _, c := range []struct {
		name string
		take selection
		want []int
	}{
		{"selected", selected, []int{3}},
		{"near 1", near(1), []int{0, 3, 4, 5}},
		{"near 2", near(2), []int{0, 3, 4, 5, 1, 2, 6}},
		{"lasso 1", lasso(1), []int{3, 0, 4, 5, 2}},
		{"plain 1", plain(1), []int{3, 0, 4, 5}},
		{"plain 2", plain(2), []int{3, 0, 4, 5, 1, 6}},
		{"enclosed", enclosing(selected), []int{3}},
		{"everything", everything, []int{3, 0, 4, 5, 2, 1, 6}},
		{"first 2", first(2), []int{0, 1}},
		{"recent 2", recent(2), []int{5, 4}},
		{"recent 1 typed", typed(recent(1), about), []int{5, 0, 4}}, // x∈a and d⊆e are about x and d
		{"founded 1", founded(1, 1), []int{0, 4}},
		{"founded 1, then 1", founded(1, 2), []int{0, 4, 1}},
		{"founded 1, then 1, then 1", founded(1, 3), []int{0, 4, 1, 5}},
		{"part", part(everything, 1, 3), []int{0, 2}},
		// d stands in three hypotheses, as b does, but c and e in fewer: d triggers 5 alone.
		{"triggered", triggered(1.2, 2), []int{0, 5, 1}},
		// x∈a and d⊆e are about identifiers of the goal.
		{"relevant 2", relevant(2), []int{0, 4}},
	} {
		if got := c.take(n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The ranking, which keeps scores from one choice to the next, is that of the definition,
// which computes all of them again.
func TestRelevantByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 40 {
		b := logic.NewBank()
		ident := func() logic.Term { return b.Free(string(rune('a'+r.IntN(12))), logic.IntType) }
		var hyps []logic.Term
		for range 1 + r.IntN(40) {
			x, y := ident(), b.App(logic.Plus, ident(), ident())
			hyps = append(hyps, b.App([]logic.Op{logic.Eq, logic.Le, logic.Lt}[r.IntN(3)], x, y))
		}
		s := logic.Sequent{Bank: b, Hyps: hyps, Goal: b.App(logic.Le, ident(), ident())}
		n := newNeighbourhood(s)
		for _, max := range []int{4, 28, 16} {
			if got, want := n.relevant(max), byDefinition(n, max); !slices.Equal(got, want) {
				t.Fatalf("relevant %d: %v, want %v", max, got, want)
			}
		}
	}
}

func byDefinition(n *neighbourhood, max int) (out []int) {
	degree := map[logic.Term]float64{}
	for _, term := range n.goal {
		degree[term] = 1
	}
	for len(out) < max {
		best, most := -1, 0.0
		for i, ids := range n.ids {
			var score, all float64
			for _, term := range ids {
				weight := 1 + 2/math.Log(1+float64(len(n.holds[term])))
				score += weight * degree[term]
				all += weight
			}
			score /= math.Max(all, 1)
			if term := about(n, i); term != 0 {
				score = degree[term]
			}
			if !slices.Contains(out, i) && score > most {
				best, most = i, score
			}
		}
		if best < 0 {
			break
		}
		out = append(out, best)
		for _, term := range n.ids[best] {
			degree[term] = math.Max(degree[term], fading*most)
		}
	}
	return out
}

// TestSubjects lists what is taken for what hypotheses say of identifiers.
func TestSubjects(t *testing.T) {
	s, err := (&check.Reader{}).Sequent(
		map[string]string{"S": "ℙ(S)", "a": "ℙ(S)", "b": "ℙ(S)", "f": "ℙ(S×S)", "g": "ℙ(S×S)", "h": "ℙ(S×S)", "p": "S", "q": "S", "r": "S", "s": "S"},
		[]string{
			0: "∀y·y∈a⇒f(y)∈a",
			1: "f∼⊆g",
			2: "dom(g)=a",
			3: "a={p,q,r,s}",
			4: "g={p↦p}",
			5: "partition(b,{p},{q})",
			6: "h=(λy·y∈a∣f(y))",
			7: "∀x·x∈b⇒a◁g=f[{x}]◁g",
			8: "f[b]⊆a",
		},
		[]int{0, 1, 4}, "f(p)=h(p)")
	if err != nil {
		t.Fatal(err)
	}
	n := newNeighbourhood(s.Bare())
	for _, c := range []struct {
		name string
		take selection
		want []int
	}{
		{"typed", typed(none, subject), []int{0, 1, 6}},
		{"concerning", concerning(none, subjects), []int{0, 1, 6, 8}},
		{"concerning the last", concerning(latest(1), subjects), []int{4, 0, 1, 2, 6, 7, 8}},
		{"typed twice", typed(typed(none, subject), subject), []int{0, 1, 6, 2, 4}}, // the list of a says too much
		{"defined", defined(none, 1), []int{6, 5}},
		{"defined twice", defined(none, 2), []int{6, 3, 5}},
		{"described", described(none, 2), []int{6, 3, 5}},
		{"described, without listings", withoutListings(described(none, 2)), []int{6, 5}},
		{"latest", latest(2), []int{1, 4}},
		{"described, latest", described(latest(1), 1), []int{4, 6, 5}},
	} {
		if got := c.take(n); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
