package follow_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gradine/gradine/explore/follow"
)

// vector is a state of the machines below: the values of x, y and z.
type vector [3]int

// act is an event of such a machine: enabled where can holds, for each parameter below params (0: it has none).
type act struct {
	name   string
	params int
	guard  string
	can    func(v vector, p int) bool
	then   string
	do     func(v vector, p int) vector
}

// implemented is a machine and a program that implements it: threads that share memory. All shared memory that the
// model has is changed under a lock, and the change is logged there by its thread.
type implemented struct {
	name   string
	acts   []act
	silent map[string]int // events that the program does not log
	run    func(thread func(func(me int)), do func(me int, event string, p int) bool)
}

func (m implemented) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine %s\nvariables x y z\ninvariants\n@x x ∈ ℤ\n@y y ∈ ℤ\n@z z ∈ ℤ\nevents\nevent INITIALISATION\nthen\n@x x ≔ 0\n@y y ≔ 0\n@z z ≔ 0\nend\n", m.name)
	for _, a := range m.acts {
		fmt.Fprintf(&b, "event %s\n", a.name)
		guard := a.guard
		if a.params > 0 {
			guard = fmt.Sprintf("p ∈ 0‥%d ∧ %s", a.params-1, guard)
			b.WriteString("any p\n")
		}
		fmt.Fprintf(&b, "where\n@g %s\nthen\n", guard)
		for i, one := range strings.Split(a.then, "; ") {
			fmt.Fprintf(&b, "@a%d %s\n", i, one)
		}
		b.WriteString("end\n")
	}
	return b.String() + "end\n"
}

func (m implemented) next(s any) (out []labelled) {
	v := s.(vector)
	for _, a := range m.acts {
		for p := range max(1, a.params) {
			if a.can(v, p) {
				shown := p
				if a.params == 0 {
					shown = -1
				}
				out = append(out, labelled{a.name, shown, a.do(v, p), true})
			}
		}
	}
	return out
}

func (m implemented) act(name string) act {
	return m.acts[slices.IndexFunc(m.acts, func(a act) bool { return a.name == name })]
}

// logs runs the program, and returns its log: in one order, or one of each thread behind the other.
func (m implemented) logs(r *rand.Rand, apart bool) []follow.Observation {
	var mu sync.Mutex
	var wait sync.WaitGroup
	var v vector
	var all []follow.Observation
	by := map[string][]follow.Observation{}
	threads := 0
	do := func(me int, event string, p int) bool {
		mu.Lock()
		defer mu.Unlock()
		a := m.act(event)
		if !a.can(v, p) {
			return false
		}
		v = a.do(v, p)
		if m.silent[event] > 0 {
			return true
		}
		o := follow.Observation{Event: event, Params: map[string]any{}, Values: map[string]any{}}
		if a.params > 0 && r.IntN(3) > 0 {
			o.Params["p"] = json.Number(fmt.Sprint(p))
		}
		if r.IntN(3) == 0 {
			k := r.IntN(3)
			o.Values["xyz"[k:k+1]] = json.Number(fmt.Sprint(v[k]))
		}
		if apart {
			o.Source = fmt.Sprint(me)
			by[o.Source] = append(by[o.Source], o)
		} else {
			all = append(all, o)
		}
		return true
	}
	m.run(func(body func(int)) {
		me := threads
		threads++
		wait.Go(func() { body(me) })
	}, do)
	wait.Wait()
	for me := threads - 1; me >= 0; me-- {
		all = append(all, by[fmt.Sprint(me)]...)
	}
	return all
}

// repeat lets a thread try an event until it has happened so often; others go on in between.
func repeat(do func(int, string, int) bool, me, times int, event string, p int) {
	for done := 0; done < times; {
		if do(me, event, p) {
			done++
		}
	}
}

func at(v vector, i, n int) vector { v[i] += n; return v }

func always(vector, int) bool { return true }

var programs = []implemented{
	{name: "mutex", acts: []act{
		{"enter", 2, "x = 0", func(v vector, _ int) bool { return v[0] == 0 }, "x ≔ p + 1", func(v vector, p int) vector { v[0] = p + 1; return v }},
		{"leave", 2, "x = p + 1", func(v vector, p int) bool { return v[0] == p+1 }, "x ≔ 0", func(v vector, _ int) vector { v[0] = 0; return v }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		for p := range 2 {
			thread(func(me int) {
				for range 3 {
					repeat(do, me, 1, "enter", p)
					repeat(do, me, 1, "leave", p)
				}
			})
		}
	}},
	{name: "buffer", acts: []act{
		{"put", 0, "x < 2", func(v vector, _ int) bool { return v[0] < 2 }, "x ≔ x + 1", func(v vector, _ int) vector { return at(v, 0, 1) }},
		{"get", 0, "x > 0", func(v vector, _ int) bool { return v[0] > 0 }, "x ≔ x − 1; y ≔ y + 1", func(v vector, _ int) vector { return at(at(v, 0, -1), 1, 1) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		thread(func(me int) { repeat(do, me, 6, "put", 0) })
		thread(func(me int) { repeat(do, me, 6, "get", 0) })
	}},
	{name: "pingpong", acts: []act{
		{"ping", 0, "x = 0", func(v vector, _ int) bool { return v[0] == 0 }, "x ≔ 1", func(v vector, _ int) vector { v[0] = 1; return v }},
		{"pong", 0, "x = 1", func(v vector, _ int) bool { return v[0] == 1 }, "x ≔ 0; y ≔ y + 1", func(v vector, _ int) vector { v[0] = 0; return at(v, 1, 1) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		thread(func(me int) { repeat(do, me, 6, "ping", 0) })
		thread(func(me int) { repeat(do, me, 6, "pong", 0) })
	}},
	{name: "lossy", silent: map[string]int{"drop": 2}, acts: []act{
		{"send", 0, "x < 3", func(v vector, _ int) bool { return v[0] < 3 }, "x ≔ x + 1", func(v vector, _ int) vector { return at(v, 0, 1) }},
		{"drop", 0, "x > 1", func(v vector, _ int) bool { return v[0] > 1 }, "x ≔ x − 1", func(v vector, _ int) vector { return at(v, 0, -1) }},
		{"receive", 0, "x > 0", func(v vector, _ int) bool { return v[0] > 0 }, "x ≔ x − 1; y ≔ y + 1", func(v vector, _ int) vector { return at(at(v, 0, -1), 1, 1) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		thread(func(me int) { repeat(do, me, 7, "send", 0); do(me, "drop", 0) })
		thread(func(me int) { repeat(do, me, 4, "receive", 0); do(me, "drop", 0) })
	}},
	{name: "readers", acts: []act{
		{"read", 0, "y = 0", func(v vector, _ int) bool { return v[1] == 0 }, "x ≔ x + 1", func(v vector, _ int) vector { return at(v, 0, 1) }},
		{"unread", 0, "x > 0", func(v vector, _ int) bool { return v[0] > 0 }, "x ≔ x − 1", func(v vector, _ int) vector { return at(v, 0, -1) }},
		{"write", 0, "x = 0 ∧ y = 0", func(v vector, _ int) bool { return v[0] == 0 && v[1] == 0 }, "y ≔ 1; z ≔ z + 1", func(v vector, _ int) vector { return at(at(v, 1, 1), 2, 1) }},
		{"unwrite", 0, "y = 1", func(v vector, _ int) bool { return v[1] == 1 }, "y ≔ 0", func(v vector, _ int) vector { return at(v, 1, -1) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		for range 2 {
			thread(func(me int) {
				for range 2 {
					repeat(do, me, 1, "read", 0)
					repeat(do, me, 1, "unread", 0)
				}
			})
		}
		thread(func(me int) {
			for range 2 {
				repeat(do, me, 1, "write", 0)
				repeat(do, me, 1, "unwrite", 0)
			}
		})
	}},
	{name: "semaphore", acts: []act{
		{"take", 0, "x < 2", func(v vector, _ int) bool { return v[0] < 2 }, "x ≔ x + 1", func(v vector, _ int) vector { return at(v, 0, 1) }},
		{"give", 0, "x > 0", func(v vector, _ int) bool { return v[0] > 0 }, "x ≔ x − 1", func(v vector, _ int) vector { return at(v, 0, -1) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		for range 3 {
			thread(func(me int) {
				for range 2 {
					repeat(do, me, 1, "take", 0)
					repeat(do, me, 1, "give", 0)
				}
			})
		}
	}},
	{name: "bank", silent: map[string]int{"fee": 1}, acts: []act{
		{"pay", 4, "z < 9", func(v vector, _ int) bool { return v[2] < 9 }, "x ≔ x + p; z ≔ z + 1", func(v vector, p int) vector { return at(at(v, 0, p), 2, 1) }},
		{"move", 4, "p ≤ x", func(v vector, p int) bool { return p <= v[0] }, "x ≔ x − p; y ≔ y + p", func(v vector, p int) vector { return at(at(v, 0, -p), 1, p) }},
		{"fee", 0, "y > 3", func(v vector, _ int) bool { return v[1] > 3 }, "y ≔ y − 1", func(v vector, _ int) vector { return at(v, 1, -1) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		thread(func(me int) {
			for p := range 4 {
				repeat(do, me, 1, "pay", p)
			}
		})
		thread(func(me int) {
			for p := range 3 {
				repeat(do, me, 1, "move", p)
			}
			do(me, "fee", 0)
		})
	}},
	{name: "elevator", silent: map[string]int{"door": 1}, acts: []act{
		{"up", 0, "x < 4 ∧ y = 0", func(v vector, _ int) bool { return v[0] < 4 && v[1] == 0 }, "x ≔ x + 1", func(v vector, _ int) vector { return at(v, 0, 1) }},
		{"down", 0, "x > 0 ∧ y = 0", func(v vector, _ int) bool { return v[0] > 0 && v[1] == 0 }, "x ≔ x − 1", func(v vector, _ int) vector { return at(v, 0, -1) }},
		{"door", 0, "⊤", always, "y ≔ 1 − y", func(v vector, _ int) vector { v[1] = 1 - v[1]; return v }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		thread(func(me int) {
			for i := range 8 {
				do(me, []string{"up", "up", "down"}[i%3], 0)
				if i%4 == 1 {
					repeat(do, me, 1, "door", 0)
					repeat(do, me, 1, "door", 0) // both unlogged: between two lines one is too few
				}
			}
		})
	}},
	{name: "votes", acts: []act{
		{"vote", 2, "x + y < 3 ∧ z = 0", func(v vector, _ int) bool { return v[0]+v[1] < 3 && v[2] == 0 }, "x ≔ x + p; y ≔ y + 1 − p", func(v vector, p int) vector { return at(at(v, 0, p), 1, 1-p) }},
		{"commit", 0, "x = 3 ∧ z = 0", func(v vector, _ int) bool { return v[0] == 3 && v[2] == 0 }, "z ≔ 1", func(v vector, _ int) vector { return at(v, 2, 1) }},
		{"abort", 0, "y > 0 ∧ z = 0", func(v vector, _ int) bool { return v[1] > 0 && v[2] == 0 }, "z ≔ 2", func(v vector, _ int) vector { return at(v, 2, 2) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		for p := range 3 {
			thread(func(me int) { do(me, "vote", p%2) })
		}
		thread(func(me int) {
			for !do(me, "commit", 0) && !do(me, "abort", 0) {
			}
		})
	}},
	{name: "counter", silent: map[string]int{"tick": 2}, acts: []act{
		{"tick", 0, "x < 20", func(v vector, _ int) bool { return v[0] < 20 }, "x ≔ x + 1", func(v vector, _ int) vector { return at(v, 0, 1) }},
		{"mark", 0, "⊤", always, "y ≔ x", func(v vector, _ int) vector { v[1] = v[0]; return v }},
		{"add", 3, "x < 15", func(v vector, _ int) bool { return v[0] < 15 }, "x ≔ x + p", func(v vector, p int) vector { return at(v, 0, p) }},
	}, run: func(thread func(func(int)), do func(int, string, int) bool) {
		thread(func(me int) {
			for i := range 5 {
				do(me, "tick", 0)
				do(me, "add", i%3)
			}
		})
		thread(func(me int) { repeat(do, me, 3, "mark", 0) })
	}},
}

// Logs of ten programs, each with one log and with one of each thread, and of mutants of them come to what a search
// through all runs says, whichever way the threads were scheduled.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	counts := map[string]int{}
	mutants := 10
	if testing.Short() {
		mutants = 4
	}
	for _, m := range programs {
		text := m.text()
		for _, apart := range []bool{false, true} {
			log := m.logs(r, apart)
			// A program may take more silent steps in a row than its machine allows; then no run explains it, which the
			// search by force knows as well.
			what := m.force(log).compare(t, text)
			counts[what]++
			for range mutants {
				counts["mutant "+m.force(m.mutant(r, log)).compare(t, text)]++
			}
		}
	}
	t.Log(counts)
	if counts["passed"] < 12 || counts["mutant failed"] < mutants*4 || counts["mutant passed"] < mutants {
		t.Errorf("%v: too few to mean anything", counts)
	}
}

func (m implemented) force(log []follow.Observation) *force {
	return &force{begin: vector{}, next: m.next, log: log, silent: m.silent, fits: func(o follow.Observation, s any) bool {
		for k, name := range []string{"x", "y", "z"} {
			if want, has := o.Values[name]; has && fmt.Sprint(want) != fmt.Sprint(s.(vector)[k]) {
				return false
			}
		}
		return true
	}}
}

// mutant is a log in which a line is lost, doubled, another one, or in another place.
func (m implemented) mutant(r *rand.Rand, of []follow.Observation) []follow.Observation {
	log := slices.Clone(of)
	if len(log) == 0 {
		return log
	}
	i, j := r.IntN(len(log)), r.IntN(len(log))
	switch r.IntN(5) {
	case 0:
		return slices.Delete(log, i, i+1)
	case 1:
		return slices.Insert(log, i, log[j])
	case 2:
		log[i], log[j] = log[j], log[i]
	case 3:
		log[i].Event, log[i].Params = m.acts[r.IntN(len(m.acts))].name, map[string]any{}
	case 4:
		log[i].Values = map[string]any{"xyz"[j%3 : j%3+1]: json.Number(fmt.Sprint(r.IntN(4)))}
	}
	return log
}
