package follow_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/project"
)

// values is a state as bindings have it.
func values(s state) string { return fmt.Sprintf("[{x %d} {b %s}]", s.x, truth(s.b)) }

// Random runs of random machines are runs by the definition of their events; recorded as scenarios they pass, on the
// machine with the same states, and on its refinement.
func TestRecordedRuns(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 5))
	machines, runs, lifted := 30, 0, 0
	if testing.Short() {
		machines = 10
	}
	for range machines {
		m := randomMachine(r)
		p := open(t, m.text, "")
		on := p.Dev.Machine("m")
		setup, err := p.Setup(on, p.Scope(on), project.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		found, _, err := explore.Solve(ctx, p.Dev, on, setup, 1)
		if err != nil {
			t.Fatal(err)
		}
		a, err := animation.New(on, found[0])
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		var recorded []*explore.Trace
		for seed := range uint64(25) {
			path, err := a.Random(ctx, animation.Before, 2+int(seed)%6, seed)
			if err != nil {
				t.Fatal(err)
			}
			run, err := a.Trace(ctx, path.Steps)
			if err != nil {
				t.Fatal(err)
			}
			if !isRun(t, m, run) {
				continue // an invariant is violated, which scenarios do not allow
			}
			text += fmt.Sprintf("scenario s%d of m\n", seed)
			for _, s := range run.Steps {
				text += p.StepLine(on, s) + "\n"
			}
			text += "end\n"
			recorded = append(recorded, run)
		}
		p = open(t, m.text, text)
		for i, s := range p.AllScenarios() {
			ready, err := p.Followings(s)
			if err != nil || len(ready) != 2 {
				t.Fatal(err, len(ready))
			}
			x := run(t, p, ready[0])
			if x.Verdict != follow.Passed {
				t.Fatalf("%s\n%s\nscenario %s: %s (%s)", m.text, text, s.Name.Text, x.Verdict, x.Why)
			}
			for k, step := range recorded[i].Steps {
				if !slices.Equal(step.State, x.Trace.Steps[k].State) {
					t.Fatalf("%s\n%s\nscenario %s: state %d is %v, and was %v", m.text, text, s.Name.Text, k, x.Trace.Steps[k].State, step.State)
				}
			}
			runs++
			if lifts(t, m, recorded[i], run(t, p, ready[1])) {
				lifted++
			}
		}
	}
	t.Logf("%d runs, %d of them lifted", runs, lifted)
	if runs < machines*17 || lifted < runs/2 {
		t.Errorf("%d runs, %d of them lifted: too few to mean anything", runs, lifted)
	}
}

// lifts wants a run on the refinement exactly if a search by force finds one, through the same states between new events.
func lifts(t *testing.T, m machine, of *explore.Trace, x *follow.Outcome) bool {
	t.Helper()
	lines := []line{{event: -1, p: -1}}
	var states []string
	for i, step := range of.Steps {
		states = append(states, fmt.Sprint(step.State))
		if i == 0 {
			continue
		}
		l := line{kind: follow.Step, p: -1, holds: func(s state, _ int) bool { return values(s) == states[i] }}
		l.event = slices.IndexFunc(m.events, func(e event) bool { return e.name == step.Event })
		if len(step.Params) > 0 {
			l.p = int(step.Params[0].Value[0] - '0')
		}
		lines = append(lines, l)
	}
	met, _ := (&brute{machine: m, fine: true, invariants: true}).passes(lines)
	if met != (x.Verdict == follow.Passed) {
		t.Fatalf("%s\n%v\nlifted: %s (%s), by force: %t", m.text, states, x.Verdict, x.Why, met)
	}
	if !met {
		return false
	}
	var through []string
	for _, step := range x.Trace.Steps {
		abstract := fmt.Sprint(step.State[:2])
		if step.Event == "tick" && abstract != through[len(through)-1] {
			t.Fatalf("%s\ntick changes %s to %s", m.text, through[len(through)-1], abstract)
		}
		if step.Event != "tick" {
			through = append(through, abstract)
		}
	}
	if !slices.Equal(through, states) {
		t.Fatalf("%s\nlifted through %v, recorded through %v", m.text, through, states)
	}
	return true
}

// isRun checks a run by the definition of events, and reports whether all invariants hold in it.
func isRun(t *testing.T, m machine, run *explore.Trace) (holds bool) {
	t.Helper()
	at, holds := state{}, true
	for i, s := range run.Steps {
		if i == 0 {
			if fmt.Sprint(s.State) != values(at) {
				t.Fatalf("%s\nit begins with %v", m.text, s.State)
			}
			continue
		}
		e := slices.IndexFunc(m.events, func(e event) bool { return e.name == s.Event })
		next := slices.IndexFunc(m.events[e].steps(at), func(x step) bool {
			return values(x.to) == fmt.Sprint(s.State) && (len(s.Params) == 0 || s.Params[0].Value == fmt.Sprint(x.p))
		})
		if next < 0 {
			t.Fatalf("%s\n%s%v does not lead from %v to %v", m.text, s.Event, s.Params, at, s.State)
		}
		at = m.events[e].steps(at)[next].to
		holds = holds && m.holds(at)
	}
	return holds
}
