package follow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/project"
)

// explains decides by depth-first recursion whether a run explains a log, and whether one does in
// which the invariant holds; furthest is the first line that none explains.
type explains struct {
	machine
	log      []follow.Observation
	silent   map[string]int
	seen     map[string]bool
	furthest int
	any, ok  bool
}

func (x *explains) from(at int, s state, counts []int, ok bool) {
	key := fmt.Sprint(at, s, counts, ok)
	if x.seen[key] {
		return
	}
	x.seen[key] = true
	x.furthest = max(x.furthest, at)
	if at == len(x.log) {
		x.any, x.ok = true, x.ok || ok
		return
	}
	for i, e := range x.events {
		if counts[i] < x.silent[e.name] {
			for _, next := range e.steps(s) {
				more := slices.Clone(counts)
				more[i]++
				x.from(at, next.to, more, ok && x.holds(next.to))
			}
		}
		if x.log[at].Event == e.name {
			for _, next := range e.steps(s) {
				if p, has := x.log[at].Params["p"]; has && fmt.Sprint(p) != fmt.Sprint(next.p) {
					continue
				}
				if fits(x.log[at], next.to) {
					x.from(at+1, next.to, make([]int, len(x.events)), ok && x.holds(next.to))
				}
			}
		}
	}
	if x.log[at].Event == "" && fits(x.log[at], s) {
		x.from(at+1, s, make([]int, len(x.events)), ok)
	}
}

func fits(o follow.Observation, s state) bool {
	x, has := o.Values["x"]
	b, also := o.Values["b"]
	return (!has || fmt.Sprint(x) == fmt.Sprint(s.x)) && (!also || b == s.b)
}

// observe is what a log says of a step.
func observe(r *rand.Rand, name string, p int, s state) follow.Observation {
	o := follow.Observation{Params: map[string]any{}, Values: map[string]any{}}
	if r.IntN(8) > 0 {
		if o.Event = name; p >= 0 && r.IntN(2) == 0 {
			o.Params["p"] = json.Number(fmt.Sprint(p))
		}
	}
	if r.IntN(3) == 0 {
		o.Values["x"] = json.Number(fmt.Sprint(s.x))
	}
	if r.IntN(3) == 0 {
		o.Values["b"] = s.b
	}
	return o
}

// Logs of random runs, some with mistakes, are explained exactly if a search by force explains them.
func TestLogsByForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	counts := map[string]int{}
	machines := 100
	if testing.Short() {
		machines = 40
	}
	for range machines {
		m := randomMachine(r)
		p := open(t, m.text, "")
		machine := p.Dev.Machines[0]
		found, _, err := explore.Solve(context.Background(), p.Dev, machine, explore.Setup{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 30 {
			silent := map[string]int{}
			for _, e := range m.events {
				if r.IntN(3) == 0 {
					silent[e.name] = 1 + r.IntN(2)
				}
			}
			log := randomLog(r, m, silent)
			if n%2 == 1 && len(log) > 0 {
				mutate(r, m, log)
			}
			want := &explains{machine: m, log: log, silent: silent, seen: map[string]bool{}}
			want.from(0, state{}, make([]int, len(m.events)), true)
			at := 0
			steps := "scenario log of m\n"
			x, err := follow.Explain(context.Background(), machine, found[0], &follow.Log{
				Silent: silent, Most: 100_000,
				Step: func(text string) error { steps += text + "\n"; return nil },
				Next: func() (*follow.Observation, error) {
					if at == len(log) {
						return nil, io.EOF
					}
					at++
					o := log[at-1]
					o.Line = at
					return &o, nil
				},
			})
			if err != nil {
				t.Fatal(err, log)
			}
			verdict := follow.Failed
			if want.ok {
				verdict = follow.Passed
			}
			if claims := slices.ContainsFunc(log, func(o follow.Observation) bool { return o.Event != "" || len(o.Values) > 0 }); want.any && !claims {
				verdict = follow.Undecided
			}
			if x.Verdict != verdict || !want.any && x.Line != want.furthest+1 {
				t.Fatalf("%s\n%v, silent %v: %s (%s) at line %d, want %s at line %d", m.text, log, silent, x.Verdict, x.Why, x.Line, verdict, want.furthest+1)
			}
			what := string(verdict)
			if want.any && !want.ok {
				what = "broken"
			}
			if counts[what]++; verdict == follow.Passed {
				replay(t, m, steps+"end\n")
			}
		}
	}
	t.Log(counts)
	for what, least := range map[string]int{"passed": 100, "failed": 60, "broken": 3} {
		if counts[what] < least {
			t.Errorf("%d logs are %s: too few to mean anything", counts[what], what)
		}
	}
}

// randomLog is the log of a random run.
func randomLog(r *rand.Rand, m machine, silent map[string]int) (log []follow.Observation) {
	s, unlogged := state{}, map[string]int{}
	for range 4 + r.IntN(25) {
		e := m.events[r.IntN(len(m.events))]
		steps := e.steps(s)
		if len(steps) == 0 {
			continue
		}
		next := steps[r.IntN(len(steps))]
		s = next.to
		if unlogged[e.name] < silent[e.name] && r.IntN(2) == 0 {
			unlogged[e.name]++
			continue
		}
		p := -1
		if e.param {
			p = next.p
		}
		log = append(log, observe(r, e.name, p, s))
		clear(unlogged)
	}
	return log
}

// mutate makes a mistake in a log.
func mutate(r *rand.Rand, m machine, log []follow.Observation) {
	o := &log[r.IntN(len(log))]
	switch r.IntN(3) {
	case 0:
		o.Values["x"] = json.Number(fmt.Sprint(r.IntN(4)))
	case 1:
		o.Values["b"] = r.IntN(2) == 0
	case 2:
		if e := m.events[r.IntN(len(m.events))]; o.Event != "" {
			o.Event, o.Params = e.name, map[string]any{}
		}
	}
}

// replay wants the run that explains a log to be one of the machine.
func replay(t *testing.T, m machine, text string) {
	t.Helper()
	p := open(t, m.text, text)
	ready, err := p.Followings(p.AllScenarios()[0])
	if err != nil {
		t.Fatal(err)
	}
	if x := run(t, p, ready[0]); x.Verdict != follow.Passed {
		t.Fatalf("%s\n%s: %s %s", m.text, text, x.Verdict, x.Why)
	}
}

// A long log takes memory for the states that are possible at once, and not for those before.
func TestLongLog(t *testing.T) {
	p := open(t, "machine m\nvariables x\ninvariants\n@t x ∈ 0‥9\nevents\nevent INITIALISATION\nthen\n@a x ≔ 0\nend\nevent e\nthen\n@a x ≔ (x + 1) mod 10\nend\nend\n", "")
	machine := p.Dev.Machines[0]
	found, _, err := explore.Solve(context.Background(), p.Dev, machine, explore.Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	in, out := io.Pipe()
	const lines = 50_000
	go func() {
		for i := range lines {
			fmt.Fprintf(out, "{\"event\":\"e\",\"state\":{\"x\":%d}}\n", (i+1)%10)
		}
		out.Close()
	}()
	steps := 0
	// As many states as one line needs are enough for all of them.
	x, err := follow.Explain(context.Background(), machine, found[0], &follow.Log{
		Next: project.NewLogReader(in, nil).Next, Most: 4, Step: func(string) error { steps++; return nil },
	})
	if err != nil || x.Verdict != follow.Passed || x.Lines != lines || x.Claims != lines || x.Widest != 1 || steps != lines+1 {
		t.Errorf("%+v, %d steps, %v", x, steps, err)
	}
}
