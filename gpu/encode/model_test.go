package encode

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// modelOf is the model of two threads of the only kernel of a text.
func modelOf(t *testing.T, src string) *Model {
	t.Helper()
	kernels, problem := Read("k.cu", []byte(src), launch.Options{})
	if problem == nil {
		problem = kernels[0].Problem
	}
	if problem != nil {
		t.Fatal(problem)
	}
	s, problem := kernels[0].Search(Group)
	if problem != nil {
		t.Fatal(problem)
	}
	return s.Pair()
}

const summing = `__global__ void k(int *a, int n) {
	__shared__ int s[64];
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		__syncthreads();
		if (i / 2 - 3 + n != -1 || i % 4 == 0) s[threadIdx.x] = -n * i + 2 * (i - 1);
	}
}`

// TestModelsAreText: a model that is written and read again is the same: its formulas are those that a parser makes.
func TestModelsAreText(t *testing.T) {
	m := modelOf(t, summing)
	var wrong diag.List
	read := lang.Parse("k", m.Text(), &wrong)
	if wrong.HasErrors() {
		t.Fatalf("%v\n%s", wrong.Sorted(), m.Text())
	}
	if again := lang.Format(read, lang.Options{}); string(again) != string(m.Text()) {
		t.Errorf("read and written again:\n%s\nwant\n%s", again, m.Text())
	}
	for i, c := range read.Components {
		made := m.components[i]
		compare := func(read, made []*lang.Predicate) {
			if len(read) != len(made) {
				t.Fatalf("%s: %d predicates are read, and %d are made", c.Name.Text, len(read), len(made))
			}
			for i := range read {
				if !same(read[i].Formula, made[i].Formula) {
					t.Errorf("%s is read as %s", spelled(made[i].Formula), spelled(read[i].Formula))
				}
			}
		}
		compare(c.Axioms, made.Axioms)
		compare(c.Invariants, made.Invariants)
		for j, e := range c.Events {
			compare(e.Guards, made.Events[j].Guards)
			for k, a := range e.Actions {
				if right := made.Events[j].Actions[k].Assignment.Right; !same(a.Assignment.Right[0], right[0]) {
					t.Errorf("%s is read as %s", spelled(right[0]), spelled(a.Assignment.Right[0]))
				}
			}
		}
	}
}

// TestWithout: a model without a claim has all else, and does not change the one it was made of.
func TestWithout(t *testing.T) {
	m := modelOf(t, summing)
	before := string(m.Text())
	for label, c := range m.claims {
		less := m.Without(map[*Claim]bool{c: true})
		if less.Claim(label) != nil || strings.Contains(string(less.Text()), "@"+label+" ") || !strings.Contains(before, "@"+label+" ") {
			t.Errorf("%s is left, or was not there", label)
		}
		if lines := strings.Count(before, "@") - strings.Count(string(less.Text()), "@"); lines != 1 {
			t.Errorf("without %s, %d elements are gone", label, lines)
		}
	}
	if string(m.Text()) != before {
		t.Error("the model has changed")
	}
}

// TestTooDeep: no formula is nested deeper than one that is parsed.
func TestTooDeep(t *testing.T) {
	for depth, want := range map[int]bool{lang.MaxNesting: false, lang.MaxNesting + 1: true} {
		f := operation(logic.True)
		for range depth - 1 {
			f = not(f)
		}
		m := &Model{components: []*lang.Component{{Events: []*lang.Event{{Guards: []*lang.Predicate{{Formula: f}}}}}}}
		if got := m.TooDeep(); got != want {
			t.Errorf("%d levels: %t", depth, got)
		}
	}
}
