package baselines_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/baselines"
)

// A run of the machine ends after 12 ÷ n rounds, each of which costs n + 1; n divides 12.
// The cost is thus 24, 18, 16, 15, 14 and 13. One schedule costs `slow` more.
const rounds = `context sizes
constants n slow start
axioms
@n n ∈ 1‥12
@divides 12 mod n = 0
@slow slow ∈ 0‥9
@start start ∈ ℤ
end
machine rounds sees sizes
variables left cost waits
invariants
@left left ∈ ℕ
@cost cost ∈ ℤ
@waits waits ∈ BOOL
events
event INITIALISATION then @l left ≔ 12 ÷ n @c cost ≔ start @w waits ≔ TRUE end
event round where @g left > 0 ∧ waits = FALSE then @l left ≔ left − 1 @c cost ≔ cost + n + 1 end
event go where @g waits = TRUE then @w waits ≔ FALSE end
event wait where @g waits = TRUE ∧ slow > 0 then @w waits ≔ FALSE @c cost ≔ cost + slow end
end
`

// entry tunes rounds with a search of n, for some values of the other constants.
func entry(t *testing.T, search, objective string, slow, start int) *tune.Entry {
	t.Helper()
	dir := t.TempDir()
	config := fmt.Sprintf(`[project.p]
sources = ["."]
[tune.e]
machine = "rounds"
parameters = { N = "n" }
objective = %s
final = "left = 0"
search = { n = "%s", slow = "{%d}", start = "{%d}" }
`, objective, search, slow, start)
	for name, text := range map[string]string{"gradine.toml": config, "rounds.eventb": rounds} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	conf := projects[0].Config.Tune["e"]
	e, err := projects[0].Entry("e", conf, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// shown is an answer in one line: the points with their values, the best ones, and what is claimed.
func shown(a *tune.Answer) string {
	var points, best []string
	for i := range a.Points {
		p := &a.Points[i]
		says := "?"
		switch {
		case p.Illegal != "":
			says = "no"
		case p.Known():
			says = p.Ranges[0].Low.String()
			if high := p.Ranges[0].High; high.Cmp(p.Ranges[0].Low) != 0 {
				says += "‥" + high.String()
			}
		case p.Bounded != "":
			says = p.Bounded
		case p.Above != nil:
			says = ">" + p.Above.String()
		}
		points = append(points, p.Values[0].Text+":"+says)
	}
	for _, i := range a.Best {
		best = append(best, a.Points[i].Values[0].Text)
	}
	return fmt.Sprintf("%s best %s complete %t", strings.Join(points, " "), strings.Join(best, ","), a.Complete)
}

// Bisection finds the optimum, from any first value, and asks as many questions as bisection needs.
func TestBisect(t *testing.T) {
	for _, test := range []struct {
		search      string
		slow, start int
		criterion   tune.Criterion
		steps       int
		want        string
		asked       int
	}{
		{search: "1‥12", asked: 6, want: "1:24 2:18 3:16 4:15 5:no 6:14 7:no 8:no 9:no 10:no 11:no 12:13 best 12 complete true"},
		{search: "{2, 3}", asked: 6, want: "2:18 3:16 best 3 complete true"},
		{search: "{5}", asked: 1, want: "5:no best  complete true"},
		{search: "1‥12", slow: 5, asked: 7, want: "1:24‥29 2:18‥23 3:16‥21 4:15‥20 5:no 6:14‥19 7:no 8:no 9:no 10:no 11:no 12:13‥18 best 12 complete true"},
		{search: "1‥12", slow: 5, criterion: tune.Best, asked: 6, want: "1:24‥29 2:18‥23 3:16‥21 4:15‥20 5:no 6:14‥19 7:no 8:no 9:no 10:no 11:no 12:13‥18 best 12 complete true"},
		{search: "1‥12", start: -100, asked: 10, want: "1:-76 2:-82 3:-84 4:-85 5:no 6:-86 7:no 8:no 9:no 10:no 11:no 12:-87 best 12 complete true"},
		{search: "1‥12", start: -13, asked: 5, want: "1:11 2:5 3:3 4:2 5:no 6:1 7:no 8:no 9:no 10:no 11:no 12:0 best 12 complete true"},
		{search: "1‥12", start: 1000, asked: 12, want: "1:1024 2:1018 3:1016 4:1015 5:no 6:1014 7:no 8:no 9:no 10:no 11:no 12:1013 best 12 complete true"},
		// The bound is on all questions together: what none of them decided has no value, and nothing is complete.
		{search: "1‥12", steps: 20, asked: 7, want: "1:steps of all points 2:steps of all points 3:steps of all points 4:steps of all points 5:no 6:steps of all points 7:no 8:no 9:no 10:no 11:no 12:steps of all points best  complete false"},
	} {
		e := entry(t, test.search, `"cost"`, test.slow, test.start)
		if test.criterion != "" {
			e.Criterion = test.criterion
		}
		a, asked, err := baselines.Bisect(t.Context(), e, tune.Options{MaxSteps: test.steps})
		if err != nil {
			t.Fatal(err)
		}
		if got := shown(a); got != test.want || asked != test.asked {
			t.Errorf("%+v: asked %d\n%s", test, asked, got)
		}
	}
}

// A swarm finds what its seed lets it find, and claims no optimum: the answers are those of the seed.
func TestSwarm(t *testing.T) {
	for _, test := range []struct {
		search string
		slow   int
		seed   uint64
		steps  int
		want   string
	}{
		{search: "1‥12", seed: 1, want: "1:exceeded 2:exceeded 3:not drawn 4:15 5:no 6:14 7:no 8:no 9:no 10:no 11:no 12:13 best 12 complete false criterion best steps 606"},
		{search: "1‥12", slow: 5, seed: 1, want: "1:exceeded 2:exceeded 3:exceeded 4:15 5:no 6:not drawn 7:no 8:no 9:no 10:no 11:no 12:13 best 12 complete false criterion best steps 607"},
		{search: "1‥12", seed: 1, steps: 10, want: "1:bounded 2:exceeded 3:not drawn 4:15 5:no 6:14 7:no 8:no 9:no 10:no 11:no 12:13 best 12 complete false criterion best steps 28"},
		{search: "1‥12", seed: 2, steps: 10, want: "1:not drawn 2:not drawn 3:bounded 4:not drawn 5:no 6:14 7:no 8:no 9:no 10:no 11:no 12:not drawn best 6 complete false criterion best steps 17"},
		{search: "{5}", seed: 1, want: "5:no best  complete false criterion best steps 0"},
	} {
		a, err := baselines.Swarm(t.Context(), entry(t, test.search, `"cost"`, test.slow, 0), test.seed, tune.Options{MaxSteps: test.steps})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s criterion %s steps %d", shown(a), a.Criterion, a.Steps); got != test.want {
			t.Errorf("%+v\n%s", test, got)
		}
	}
}

// TestSteps: an answer says after how many steps of the search a first point had a value, and after how many it had
// the best ones. A run of rounds has 1 + 12 ÷ n events: 13, 7, 5, 4, 3 and 2 for the n that divide 12.
func TestSteps(t *testing.T) {
	for _, test := range []struct {
		search, objective string
		slow              int
		order             tune.Order
		first, best, all  int
	}{
		{search: "1‥12", objective: `"cost"`, first: 13, best: 34, all: 34},
		{search: "2‥12", objective: `"cost"`, first: 7, best: 21, all: 21},
		{search: "1‥12", objective: `"maximise cost"`, first: 13, best: 13, all: 34},
		{search: "1‥12", objective: `"cost + 3 ∗ n"`, first: 13, best: 20, all: 34},
		{search: "1‥12", objective: `"left"`, first: 13, best: 13, all: 34},                                    // all points tie: the first is enough
		{search: "1‥12", objective: `["cost", "n"]`, order: tune.Pareto, first: 13, best: 34, all: 34},         // none dominates another: a front is there with its last point
		{search: "1‥3", objective: `["maximise cost", "n"]`, order: tune.Pareto, first: 13, best: 13, all: 25}, // the first dominates all
		{search: "5‥11", objective: `"cost"`, first: 3, best: 3, all: 3},
		{search: "{5}", objective: `"cost"`, first: -1, best: -1, all: 0},
	} {
		e := entry(t, test.search, test.objective, test.slow, 0)
		e.Order = test.order
		a, err := tune.Search(t.Context(), e, tune.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a.First != test.first || a.Reached() != test.best || a.Steps != test.all {
			t.Errorf("%+v: the first value after %d, the best after %d, %d in all", test, a.First, a.Reached(), a.Steps)
		}
	}
	// Bisection runs the first point again for each question, and has the optimum when it is first met.
	a, _, err := baselines.Bisect(t.Context(), entry(t, "{12, 6}", `"cost"`, 0, 0), tune.Options{})
	if err != nil || a.First != 3 || a.Reached() <= a.First || a.Reached() >= a.Steps {
		t.Errorf("bisection: the first value after %d, the best after %d, %d in all, %v", a.First, a.Reached(), a.Steps, err)
	}
	// The value of a point that a swarm betters counts from then on: some seeds begin with the schedule that waits.
	bettered := 0
	for seed := range uint64(8) {
		a, err := baselines.Swarm(t.Context(), entry(t, "{12}", `"cost"`, 5, 0), seed, tune.Options{})
		if err != nil || a.First != 2 || a.Reached()%2 != 0 || a.Reached() >= a.Steps {
			t.Errorf("swarm %d: the first value after %d, the best after %d, %d in all, %v", seed, a.First, a.Reached(), a.Steps, err)
		}
		if a.Reached() > a.First {
			bettered++
		}
	}
	if bettered == 0 || bettered == 8 {
		t.Errorf("%d of 8 swarms better their first value", bettered)
	}
}

// A question has one bound, so several objectives are refused.
func TestSeveralObjectives(t *testing.T) {
	e := entry(t, "1‥12", `["cost", "left"]`, 0, 0)
	if _, _, err := baselines.Bisect(t.Context(), e, tune.Options{}); err == nil {
		t.Error("bisection takes two objectives")
	}
	if _, err := baselines.Swarm(t.Context(), e, 1, tune.Options{}); err == nil {
		t.Error("a swarm takes two objectives")
	}
}
