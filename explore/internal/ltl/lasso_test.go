package ltl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A second, slow checker: it enumerates the lassos of small graphs up to a length and
// evaluates formulas on each position of them by their meaning.

// holds evaluates f at all positions of a lasso.
func holds(f *Formula, g *Graph, stem, loop []int) []bool {
	run := slices.Concat(stem, loop)
	out := make([]bool, len(run))
	next := func(i int) int {
		if i+1 < len(run) {
			return i + 1
		}
		return len(stem)
	}
	var left, right []bool
	if f.Left != nil {
		left = holds(f.Left, g, stem, loop)
	}
	if f.Right != nil {
		right = holds(f.Right, g, stem, loop)
	}
	for i := range run {
		switch f.Op {
		case True:
			out[i] = true
		case Atom:
			out[i] = g.Holds(run[i], f.Atom)
		case NotAtom:
			out[i] = !g.Holds(run[i], f.Atom)
		case And:
			out[i] = left[i] && right[i]
		case Or:
			out[i] = left[i] || right[i]
		case Next:
			out[i] = left[next(i)]
		case Until, Release: // walk until what decides; a walk that comes round is one for ever
			at := i
			out[i] = f.Op == Release
			for range 2 * len(run) {
				if f.Op == Until && right[at] || f.Op == Release && !right[at] {
					out[i] = f.Op == Until
					break
				}
				if f.Op == Until && !left[at] || f.Op == Release && left[at] {
					break
				}
				at = next(at)
			}
		}
	}
	return out
}

// fairLoop reports whether a loop is fair.
func fairLoop(g *Graph, loop []int, fair Fair) bool {
	count := func(event int) (enabled, taken int) {
		for _, t := range loop {
			if g.Enabled(g.Transitions[t].From, event) {
				enabled++
			}
			if g.Transitions[t].Event == event {
				taken++
			}
		}
		return enabled, taken
	}
	for _, event := range fair.Weak {
		if enabled, taken := count(event); enabled == len(loop) && taken == 0 {
			return false
		}
	}
	for _, event := range fair.Strong {
		if enabled, taken := count(event); enabled > 0 && taken == 0 {
			return false
		}
	}
	return true
}

// violated looks for a fair lasso of at most n positions on which f does not hold.
func violated(g *Graph, f *Formula, fair Fair, n int) bool {
	var from func(run []int, state int) bool
	from = func(run []int, state int) bool {
		for k, t := range run {
			if g.Transitions[t].From == state && fairLoop(g, run[k:], fair) && !holds(f, g, run[:k], run[k:])[0] {
				return true
			}
		}
		if len(run) == n {
			return false
		}
		for t := g.First[state]; t < g.First[state+1]; t++ {
			if from(append(run, t), g.Transitions[t].To) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(g.Initial, func(state int) bool { return from(nil, state) })
}

func randomGraph(w *rand.Rand) *Graph {
	states, events := 1+w.IntN(4), 2
	g := &Graph{First: make([]int, states+1)}
	for range 1 + w.IntN(2*states) {
		g.Transitions = append(g.Transitions, Transition{w.IntN(states), w.IntN(states), w.IntN(events)})
	}
	for s := range states {
		if !slices.ContainsFunc(g.Transitions, func(t Transition) bool { return t.From == s }) {
			g.Transitions = append(g.Transitions, Transition{s, s, -1})
		}
	}
	slices.SortStableFunc(g.Transitions, func(a, b Transition) int { return a.From - b.From })
	for _, t := range g.Transitions {
		for s := t.From + 1; s <= states; s++ {
			g.First[s]++
		}
	}
	g.Initial = []int{0}
	if states > 1 && w.IntN(3) == 0 {
		g.Initial = append(g.Initial, 1)
	}
	truth := w.IntN(1 << (2 * states))
	g.Holds = func(transition, atom int) bool {
		if atom == 2 {
			return g.Transitions[transition].Event == 0
		}
		return truth>>(2*g.Transitions[transition].From+atom)&1 == 1
	}
	g.Enabled = func(state, event int) bool {
		return slices.ContainsFunc(g.Transitions[g.First[state]:g.First[state+1]], func(t Transition) bool { return t.Event == event })
	}
	return g
}

func randomText(w *rand.Rand, depth int) string {
	if depth == 0 || w.IntN(5) == 0 {
		return []string{"{0}", "{1}", "[2]", "{0}", "{1}", "true", "false"}[w.IntN(7)]
	}
	if w.IntN(2) == 0 {
		return []string{"G", "F", "X", "¬", "[]", "<>"}[w.IntN(6)] + " " + randomText(w, depth-1)
	}
	return "(" + randomText(w, depth-1) + " " + []string{"U", "W", "R", "&&", "∨", "->", "⇔"}[w.IntN(7)] + " " + randomText(w, depth-1) + ")"
}

// TestAgainstLassos compares answers with those of the slow checker: a lasso that is found
// is a fair run that violates the formula, and where none is found there is no short one.
func TestAgainstLassos(t *testing.T) {
	found, none, fairness := 0, 0, 0
	for seed := range 4000 {
		w := rand.New(rand.NewPCG(uint64(seed), 1))
		g := randomGraph(w)
		text := randomText(w, 1+w.IntN(3))
		if seed%2 == 0 { // that fairness makes true more often than others
			text = []string{"F {0}", "G F [2]", "G ({0} -> F {1})", "F G {1}", "[] <> {0}", "(¬[2]) W {0}"}[w.IntN(6)]
		}
		f, err := Parse(text, func(text string, _ bool) (n int, err error) { _, err = fmt.Sscan(text, &n); return n, err })
		if err != nil {
			t.Fatal(text, err)
		}
		fair := [...]Fair{{}, {Weak: []int{0}}, {Strong: []int{0}}, {Weak: []int{1}, Strong: []int{0}}, {Strong: []int{0, 1}}}[w.IntN(5)]
		lasso, bounded := Violation(t.Context(), g, f, fair, 0)
		if bounded {
			t.Fatalf("seed %d: bounded without a limit", seed)
		}
		if lasso == nil {
			none++
			if violated(g, f, fair, 6) {
				t.Fatalf("seed %d: %s holds, though a lasso violates it: %+v %+v", seed, text, g.Transitions, fair)
			}
			if violated(g, f, Fair{}, 4) {
				fairness++
			}
			continue
		}
		found++
		at := -1
		for i, k := range slices.Concat(lasso.Stem, lasso.Loop) {
			if step := g.Transitions[k]; i > 0 && step.From != at || i == 0 && !slices.Contains(g.Initial, step.From) {
				t.Fatalf("seed %d: the lasso is not a run", seed)
			}
			at = g.Transitions[k].To
		}
		if at != g.Transitions[lasso.Loop[0]].From || !fairLoop(g, lasso.Loop, fair) || holds(f, g, lasso.Stem, lasso.Loop)[0] {
			t.Fatalf("seed %d: %s: the lasso %v of %+v is none, not fair, or does not violate it", seed, text, lasso, g.Transitions)
		}
	}
	t.Logf("%d violated, %d not, %d of them by fairness", found, none, fairness)
	if min(found, none, 20*fairness) < 1000 {
		t.Error("too few of one kind")
	}
}
