package spin

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// graph is a random machine with one variable s, in both languages: edge k of event e goes from one value to
// another. In Promela each event is a process, so that SPIN's fairness to processes is that to events.
type graph struct {
	states int
	total  bool // each state has a successor
	edges  [2][][2]int
	atoms  [3][]int // the states in which they hold
}

func randomGraph(w *rand.Rand) graph {
	g := graph{states: 2 + w.IntN(7)}
	for range g.states + w.IntN(2*g.states) {
		e := w.IntN(2)
		g.edges[e] = append(g.edges[e], [2]int{w.IntN(g.states), w.IntN(g.states)})
	}
	// Half of the graphs end nowhere: of fair runs that end, SPIN's verifier does not know.
	if w.IntN(2) == 0 {
		g.total = true
		for s := range g.states {
			g.edges[0] = append(g.edges[0], [2]int{s, w.IntN(g.states)})
		}
	}
	for i := range g.atoms {
		g.atoms[i] = []int{w.IntN(g.states)}
		for s := range g.states {
			if w.IntN(3) == 0 {
				g.atoms[i] = append(g.atoms[i], s)
			}
		}
	}
	return g
}

func (g graph) eventB() string {
	text := "machine graph\nvariables s\ninvariants\n  @s s ∈ ℤ\nevents\n  event INITIALISATION\n    then @a s ≔ 0\n  end\n"
	for e, edges := range g.edges {
		// One event has several edges: which one it takes is a parameter.
		var pairs []string
		for _, x := range edges {
			pairs = append(pairs, fmt.Sprintf("%d ↦ %d", x[0], x[1]))
		}
		text += fmt.Sprintf("  event e%d\n    any t\n    when\n      @t s ↦ t ∈ {%s}\n    then\n      @a s ≔ t\n  end\n", e, strings.Join(pairs, ", "))
	}
	return strings.ReplaceAll(text, "{}", "(∅⦂ℙ(ℤ×ℤ))") + "end\n"
}

func (g graph) promela(formulas []formula) string {
	text := "int s = 0;\n"
	for i, states := range g.atoms {
		text += fmt.Sprintf("#define a%d (s == %d", i, states[0])
		for _, s := range states[1:] {
			text += fmt.Sprintf(" || s == %d", s)
		}
		text += ")\n"
	}
	for e, edges := range g.edges {
		text += fmt.Sprintf("active proctype e%d() {\n  do\n", e)
		for _, x := range edges {
			text += fmt.Sprintf("  :: d_step { s == %d -> s = %d }\n", x[0], x[1])
		}
		text += "  :: false\n  od\n}\n"
	}
	for i, f := range formulas {
		text += fmt.Sprintf("ltl f%d { %s }\n", i, f.spin)
	}
	return text
}

// formula is one of temporal logic without X, which SPIN does not have where steps may be left out, in both
// languages.
type formula struct{ ours, spin string }

func randomFormula(w *rand.Rand, depth int) formula {
	if depth == 0 || w.IntN(6) == 0 {
		i := w.IntN(3)
		return formula{fmt.Sprintf("{a%d}", i), fmt.Sprintf("a%d", i)}
	}
	a, b := randomFormula(w, depth-1), randomFormula(w, depth-1)
	two := func(op string) string { return "(" + a.ours + " " + op + " " + b.ours + ")" }
	switch w.IntN(10) {
	case 0, 1:
		return formula{"G " + a.ours, "[] (" + a.spin + ")"}
	case 2, 3:
		return formula{"F " + a.ours, "<> (" + a.spin + ")"}
	case 4:
		return formula{"¬" + a.ours, "! (" + a.spin + ")"}
	case 5:
		return formula{two("U"), "((" + a.spin + ") U (" + b.spin + "))"}
	case 6:
		return formula{two("W"), "(((" + a.spin + ") U (" + b.spin + ")) || [] (" + a.spin + "))"}
	case 7:
		return formula{two("R"), "! ((! (" + a.spin + ")) U (! (" + b.spin + ")))"}
	case 8:
		return formula{two("⇒"), "((" + a.spin + ") -> (" + b.spin + "))"}
	default:
		return formula{two("∧"), "((" + a.spin + ") && (" + b.spin + "))"}
	}
}

// TestTemporalAgainstSpin asks both whether formulas hold on random graphs, for all runs and for those that are
// weakly fair to all events. GRADINE_GRAPHS says how many graphs.
func TestTemporalAgainstSpin(t *testing.T) {
	needSpin(t)
	const formulas = 20
	graphs := 50
	if s := os.Getenv("GRADINE_GRAPHS"); s != "" {
		graphs, _ = strconv.Atoi(s)
	}
	count := map[string]int{}
	for seed := range graphs {
		w := rand.New(rand.NewPCG(uint64(seed), 5))
		g := randomGraph(w)
		var list []formula
		for len(list) < formulas {
			f := randomFormula(w, 1+w.IntN(3))
			// SPIN's translation of many operators may take hours.
			if strings.Count(f.spin, "U")+strings.Count(f.spin, "[]")+strings.Count(f.spin, "<>") <= 3 {
				list = append(list, f)
			}
		}
		dir := t.TempDir()
		run := func(name string, args ...string) string {
			c := exec.Command(name, args...)
			c.Dir = dir
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("seed %d: %s: %v\n%s", seed, name, err, out)
			}
			return string(out)
		}
		write(t, dir+"/graph.pml", g.promela(list))
		run("spin", "-a", "graph.pml")
		run("cc", "-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c")
		for i, f := range list {
			for _, fair := range []bool{false, true} {
				if fair && !g.total {
					continue
				}
				args := []string{"-a", "-w12", "-N", fmt.Sprintf("f%d", i)}
				if fair {
					args = append(args, "-f")
				}
				out := run("./pan", args...)
				theirs := strings.Contains(out, "errors: 0")
				if theirs == strings.Contains(out, "errors: 1") {
					t.Fatalf("pan says\n%s", out)
				}
				ours := g.holds(t, f, fair)
				count[fmt.Sprintf("fair %v, holds %v", fair, ours)]++
				if ours != theirs {
					t.Errorf("seed %d: %s holds: %v (fair: %v); SPIN: %v\n%s", seed, f.ours, ours, fair, theirs, g.promela([]formula{f}))
				}
			}
		}
	}
	t.Logf("%d graphs, %d formulas each: %v", graphs, formulas, count)
}

// holds asks explore.
func (g graph) holds(t *testing.T, f formula, fair bool) bool {
	t.Helper()
	var problems diag.List
	dev := check.Development("graph", []*lang.File{lang.Parse("graph.eventb", []byte(g.eventB()), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems, g.eventB())
	}
	m := dev.Machine("graph")
	setup := explore.Setup{Bank: dev.Bank.Extend()}
	b := setup.Bank
	q, err := explore.ParseTemporal(f.ours, func(text string) (logic.Term, error) {
		var members []logic.Term
		for _, s := range g.atoms[text[1]-'0'] {
			members = append(members, b.Int64(int64(s)))
		}
		slices.Sort(members)
		return b.App(logic.In, m.Variables[0].Term, b.App(logic.SetExt, slices.Compact(members)...)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if fair {
		q.Weak = []string{"e0", "e1"}
	}
	ins, _, err := explore.Solve(t.Context(), dev, m, setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(t.Context(), m, ins[0], explore.Options{NoDeadlock: true, Temporal: q})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == explore.Bounded {
		t.Fatalf("bounded by %s\n%s", r.Why, g.eventB())
	}
	return r.Verdict == explore.Complete
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
