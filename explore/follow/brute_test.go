package follow_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/project"
)

// state is that of a random machine: x in 0‥3, a switch, and, on a refinement, a counter n in 0‥2.
type state struct {
	x int
	b bool
	n int
}

// event is a random event, as a program and as text.
type event struct {
	name    string
	param   bool // it has a parameter p in 0‥2
	text    string
	defined func(state) bool
	guard   func(state, int) bool
	next    func(state, int) []state
}

func truth(b bool) string { return strings.ToUpper(fmt.Sprint(b)) }

func randomEvent(r *rand.Rand, name string) event {
	e := event{name: name, param: r.IntN(3) == 0, defined: func(state) bool { return true }}
	var guards []string
	var checks []func(state, int) bool
	guard := func(text string, holds func(state, int) bool) {
		guards, checks = append(guards, fmt.Sprintf("@g%d %s", len(guards), text)), append(checks, holds)
	}
	k := r.IntN(4)
	if r.IntN(8) == 0 {
		guard(fmt.Sprintf("6 ÷ (x − %d) ≠ 3", k), func(s state, _ int) bool { return 6/(s.x-k) != 3 })
		e.defined = func(s state) bool { return s.x != k }
	}
	if e.param {
		guard("p ∈ 0‥2", func(_ state, p int) bool { return true })
		if r.IntN(2) == 0 {
			guard("x + p ≤ 3", func(s state, p int) bool { return s.x+p <= 3 })
		}
	}
	switch r.IntN(4) {
	case 0:
		guard(fmt.Sprintf("x ≤ %d", k), func(s state, _ int) bool { return s.x <= k })
	case 1:
		guard(fmt.Sprintf("x ≠ %d", k), func(s state, _ int) bool { return s.x != k })
	}
	if r.IntN(2) == 0 {
		v := r.IntN(2) == 0
		guard("b = "+truth(v), func(s state, _ int) bool { return s.b == v })
	}
	var actions []string
	change := func(s state, p int) []state { return []state{s} }
	c, d := r.IntN(4), r.IntN(4)
	switch r.IntN(4) {
	case 0:
		actions = append(actions, fmt.Sprintf("@a x ≔ %d", c))
		change = func(s state, p int) []state { s.x = c; return []state{s} }
	case 1:
		actions = append(actions, "@a x ≔ (x + 1) mod 4")
		change = func(s state, p int) []state { s.x = (s.x + 1) % 4; return []state{s} }
	case 2:
		actions = append(actions, fmt.Sprintf("@a x :∈ {%d, %d}", c, d))
		change = func(s state, p int) []state {
			t := s
			s.x, t.x = c, d
			return []state{s, t}
		}
	case 3:
		if e.param {
			actions = append(actions, "@a x ≔ p")
			change = func(s state, p int) []state { s.x = p; return []state{s} }
		}
	}
	flip := r.IntN(2) == 0
	if flip {
		actions = append(actions, fmt.Sprintf("@b b ≔ bool(x > %d)", c))
	}
	e.guard = func(s state, p int) bool {
		for _, check := range checks {
			if !check(s, p) {
				return false
			}
		}
		return true
	}
	e.next = func(s state, p int) []state {
		out := change(s, p)
		for i := range out {
			if flip {
				out[i].b = s.x > c
			}
		}
		return out
	}
	e.text = "event " + name
	if e.param {
		e.text += "\nany p"
	}
	if len(guards) > 0 {
		e.text += "\nwhere\n" + strings.Join(guards, "\n")
	}
	if len(actions) > 0 {
		e.text += "\nthen\n" + strings.Join(actions, "\n")
	}
	e.text += "\nend\n"
	return e
}

// steps are the steps of e from s, with the parameter of each.
func (e event) steps(s state) (out []step) {
	if !e.defined(s) {
		return nil
	}
	for p := range 3 {
		if p > 0 && !e.param {
			break
		}
		if e.guard(s, p) {
			for _, to := range e.next(s, p) {
				out = append(out, step{p, to})
			}
		}
	}
	return out
}

type step struct {
	p  int
	to state
}

// machine is a random machine and a refinement of it with a new event.
type machine struct {
	text   string
	events []event
	odd    bool // the invariant can fail
}

func randomMachine(r *rand.Rand) machine {
	m := machine{odd: r.IntN(3) == 0}
	inv := "x ≥ 0"
	if m.odd {
		inv = "b = TRUE ⇒ x < 2"
	}
	m.text = "machine m\nvariables x b\ninvariants\n@t x ∈ ℤ\n@u b ∈ BOOL\n@inv " + inv + "\nevents\nevent INITIALISATION\nthen\n@a x ≔ 0\n@b b ≔ FALSE\nend\n"
	fine := "machine m2 refines m\nvariables x b n\ninvariants\n@v n ∈ 0‥2\nevents\nevent INITIALISATION extends INITIALISATION\nthen\n@c n ≔ 0\nend\n" +
		"event tick\nwhere\n@g n < 2\nthen\n@a n ≔ n + 1\nend\n"
	for i := range 1 + r.IntN(4) {
		e := randomEvent(r, fmt.Sprintf("e%d", i))
		m.events = append(m.events, e)
		m.text += e.text
		fine += fmt.Sprintf("event e%d extends e%d\nwhere\n@h n ≥ %d\nend\n", i, i, i%3)
	}
	m.text += "end\n" + fine + "end\n"
	return m
}

func (m machine) holds(s state) bool { return !m.odd || !s.b || s.x < 2 }

// line is a line of a random scenario.
type line struct {
	text  string
	kind  follow.Kind
	every bool
	event int // −1: the initialisation
	p     int // −1: any
	holds func(state, int) bool
	most  int
}

func randomLines(r *rand.Rand, m machine) (out []line) {
	out = append(out, line{text: "INITIALISATION", event: -1, p: -1})
	for range 1 + r.IntN(5) {
		l := line{kind: follow.Kind(r.IntN(5)), p: -1}
		if r.IntN(3) > 0 {
			l.kind = follow.Step
		}
		l.every = r.IntN(4) == 0 && l.kind != follow.Gap
		k, v := r.IntN(4), r.IntN(2) == 0
		predicate := fmt.Sprintf("(x ≤ %d ∨ b = %s)", k, truth(v))
		holds := func(s state, _ int) bool { return s.x <= k || s.b == v }
		l.event = r.IntN(len(m.events))
		call := fmt.Sprintf("e%d", l.event)
		if m.events[l.event].param && r.IntN(2) == 0 {
			l.p = r.IntN(3)
			call += fmt.Sprintf("(p = %d)", l.p)
		}
		switch l.kind {
		case follow.Step:
			if l.text = call; r.IntN(3) == 0 {
				l.text += " then " + predicate
				l.holds = holds
				if m.events[l.event].param && r.IntN(2) == 0 {
					l.text += " ∧ p ≤ x"
					l.holds = func(s state, p int) bool { return holds(s, p) && p <= s.x }
				}
			}
		case follow.Not:
			l.text = "not " + call
		case follow.Can:
			l.text = "can " + call
		case follow.Check:
			l.text, l.holds = "check "+predicate, holds
		case follow.Gap:
			l.most = 1 + r.IntN(3)
			l.text = fmt.Sprintf("... %d", l.most)
			if r.IntN(3) == 0 {
				l.text, l.most = "...", follow.Any
			}
		}
		if l.every {
			l.text = "every " + l.text
		}
		out = append(out, l)
	}
	return out
}

// brute decides scenarios by their definition: it keeps the ends of all runs that meet the lines.
type brute struct {
	machine
	fine       bool // the refinement
	invariants bool // hold in all states
	doubt      bool // an event was undefined somewhere
}

func (m *brute) enabled(e int, s state) []step {
	if m.fine && s.n < e%3 {
		// The guards of the abstract machine come first, and may be undefined.
		m.doubt = m.doubt || !m.events[e].defined(s)
		return nil
	}
	m.doubt = m.doubt || !m.events[e].defined(s)
	return m.events[e].steps(s)
}

func (m *brute) ok(s state) bool { return !m.invariants || m.holds(s) }

// wander are the states that any events, or only new ones, lead to in so many steps at most.
func (m *brute) wander(ends map[state]bool, most int, fresh bool) map[state]bool {
	out := map[state]bool{}
	for s := range ends {
		out[s] = true
	}
	if most == follow.Any {
		most = 100 // there are fewer states
	}
	for range most {
		more := map[state]bool{}
		for s := range out {
			more[s] = true
			if m.fine && s.n < 2 {
				t := s
				t.n++
				if m.ok(t) {
					more[t] = true
				}
			}
			for e := range m.events {
				if fresh {
					break
				}
				for _, x := range m.enabled(e, s) {
					if m.ok(x.to) {
						more[x.to] = true
					}
				}
			}
		}
		if len(more) == len(out) {
			break
		}
		out = more
	}
	return out
}

// passes reports whether a run meets the lines, and all do what every one must.
func (m *brute) passes(lines []line) (met, demanded bool) {
	ends := map[state]bool{}
	for i, l := range lines {
		if i == 0 {
			ends[state{}] = true
			continue
		}
		if m.fine && l.kind != follow.Gap {
			ends = m.wander(ends, follow.Any, true)
		}
		if l.kind == follow.Gap {
			ends = m.wander(ends, l.most, false)
			continue
		}
		next := map[state]bool{}
		for s := range ends {
			var steps []step
			if l.kind != follow.Check {
				for _, x := range m.enabled(l.event, s) {
					if l.p < 0 || x.p == l.p {
						steps = append(steps, x)
					}
				}
			}
			good := false
			switch l.kind {
			case follow.Check:
				good = l.holds(s, 0)
			case follow.Not:
				good = len(steps) == 0 && m.events[l.event].defined(s)
			case follow.Can:
				good = len(steps) > 0
			case follow.Step:
				bad := false
				for _, x := range steps {
					if (l.holds == nil || l.holds(x.to, x.p)) && m.ok(x.to) {
						next[x.to] = true
						good = true
					} else {
						bad = true
					}
				}
				good = good && !bad
			}
			if l.every && !good {
				return false, true
			}
			if good && l.kind != follow.Step {
				next[s] = true
			}
		}
		if ends = next; len(ends) == 0 {
			return false, false
		}
	}
	return true, false
}

// Scenarios of random machines, and of refinements of them, come to what the definition says.
func TestScenariosByForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	machines := 40
	if testing.Short() {
		machines = 15
	}
	counts := map[string]int{}
	for range machines {
		m := randomMachine(r)
		var all [][]line
		text := ""
		for i := range 40 {
			lines := randomLines(r, m)
			all = append(all, lines)
			text += fmt.Sprintf("scenario s%d of m\n", i)
			if i%3 == 0 {
				text += "impossible\n"
			}
			for _, l := range lines {
				text += l.text + "\n"
			}
			text += "end\n"
		}
		p := open(t, m.text, text)
		for i, s := range p.AllScenarios() {
			ready, err := p.Followings(s)
			if err != nil || len(ready) != 2 {
				t.Fatal(err, len(ready))
			}
			for j, f := range ready {
				x := run(t, p, f)
				b := &brute{machine: m, fine: j == 1, invariants: !s.Impossible}
				met, against := b.passes(all[i])
				want := follow.Failed
				if met != s.Impossible {
					want = follow.Passed
				}
				if against {
					want = follow.Failed
				}
				every := strings.Contains(text, "every")
				undecided := x.Verdict == follow.Undecided && want == follow.Passed && b.doubt && (s.Impossible || every)
				if x.Verdict != want && !undecided {
					t.Fatalf("%s\nscenario %s on %s: %s (%s), want %s\n%s", m.text, s.Name.Text, f.On.Name, x.Verdict, x.Why, want, text)
				}
				counts[f.On.Name+" "+string(x.Verdict)]++
			}
		}
	}
	t.Log(counts)
	for _, what := range []string{"m passed", "m failed", "m2 passed", "m2 failed"} {
		if counts[what] < 50 {
			t.Errorf("%d are %s: too few to mean anything", counts[what], what)
		}
	}
}

// open opens a project of a model and scenarios.
func open(t testing.TB, model, scenarios string) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"m.eventb": model, "m.scenario": scenarios} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range projects[0].Problems.Sorted() {
		if problem.Severity == 0 {
			t.Fatal(problem, "\n", model, scenarios)
		}
	}
	return projects[0]
}

func run(t *testing.T, p *project.Project, f *project.Following) *follow.Outcome {
	t.Helper()
	found, _, err := explore.Solve(context.Background(), p.Dev, f.On, f.Setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, err := follow.Run(context.Background(), f.On, found[0], f.Script, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
