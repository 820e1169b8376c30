package explain

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/check"
)

// Suggestions choose few hypotheses among many. What is suggested proves the sequent, and nothing of it can be left out.
func TestSuggest(t *testing.T) {
	types := map[string]string{"r": "ℙ(S×T)", "s": "ℙ(S×T)", "f": "ℙ(S×T)", "A": "ℙ(S)", "a": "S"}
	noise := func(n int) (out []string) {
		for i := range n {
			types[fmt.Sprintf("g%d", i)] = "ℙ(S×S)"
			out = append(out, fmt.Sprintf("∀x,y·x↦y∈g%d⇒(∃z·z↦x∈g%d∧z∈A)", i, i), fmt.Sprintf("A∩dom(g%d)⊆ran(g%d)", i, i))
		}
		return out
	}
	tests := map[string]struct {
		hyps []string
		goal string
		want string
	}{
		"selection": {append(noise(12), "r⊆f", "s⊆f", "f∈S⇸T"), "∀x·x∈dom(r)∩dom(s)⇒r(x)=s(x)", "use 24 25 26"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := check.ReadSequent(types, test.hyps, nil, test.goal)
			if err != nil {
				t.Fatal(err)
			}
			labels := make([]string, len(s.Hyps))
			for i := range labels {
				labels[i] = strconv.Itoa(i)
			}
			x := Suggest(t.Context(), s, labels, discharge.Options{})
			if got := strings.Join(x.Lines, "; "); !x.Verdict.Holds() || !x.Minimal || got != test.want {
				t.Errorf("%s, minimal %v, %d tried: %s", x.Verdict, x.Minimal, x.Tried, got)
			}
		})
	}
}
