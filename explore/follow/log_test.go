package follow_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/project"
)

// labelled lists the steps of m from a state.
func (m machine) labelled(from any) (out []labelled) {
	for _, e := range m.events {
		for _, next := range e.steps(from.(state)) {
			p := -1
			if e.param {
				p = next.p
			}
			out = append(out, labelled{e.name, p, next.to, m.holds(next.to)})
		}
	}
	return out
}

func fits(o follow.Observation, of any) bool {
	s := of.(state)
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
			if n%3 > 0 {
				log = distribute(r, log, n%3 == 2)
			}
			x := &force{begin: state{}, next: m.labelled, fits: fits, log: log, silent: silent}
			counts[fmt.Sprint(x.compare(t, m.text), " ", n%3)]++
		}
	}
	t.Log(counts)
	for what, least := range map[string]int{"passed 0": 100, "failed 0": 20, "broken 0": 2, "passed 1": 100, "failed 1": 20, "passed 2": 100, "failed 2": 20} {
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

// distribute gives the lines of a log to three sources, and brings them out of order; with clocks, as if a message was
// sent now and then.
func distribute(r *rand.Rand, log []follow.Observation, clocks bool) []follow.Observation {
	names := []string{"a", "b", "c"}
	now := [3][3]uint64{}
	for i := range log {
		at := r.IntN(3)
		log[i].Source = names[at]
		now[at][at] += 1 + uint64(r.IntN(2))
		if from := r.IntN(3); r.IntN(2) == 0 {
			for k := range 3 {
				now[at][k] = max(now[at][k], now[from][k])
			}
		}
		if clocks {
			log[i].Clock = map[string]uint64{}
			for k, n := range now[at] {
				if n > 0 || r.IntN(2) == 0 {
					log[i].Clock[names[k]] = n
				}
			}
		}
	}
	if clocks {
		r.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
	} else {
		slices.SortStableFunc(log, func(x, y follow.Observation) int { return strings.Compare(x.Source, y.Source) })
	}
	return log
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
		Next: project.NewLogReader(in, nil).Next, Most: 4, Step: func(explore.Step) error { steps++; return nil },
	})
	if err != nil || x.Verdict != follow.Passed || x.Lines != lines || x.Claims != lines || x.Visited != lines+1 || steps != lines+1 {
		t.Errorf("%+v, %d steps, %v", x, steps, err)
	}
}

// explained explains a log, a JSON object a line.
func explained(t testing.TB, model string, lines io.Reader, log follow.Log) *follow.Explanation {
	t.Helper()
	p := open(t, model, "")
	machine := p.Dev.Machines[0]
	found, _, err := explore.Solve(context.Background(), p.Dev, machine, explore.Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	log.Next = project.NewLogReader(lines, nil).Next
	x, err := follow.Explain(context.Background(), machine, found[0], &log)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// silentModel has events that are not logged, whose effect the log shows late or never.
const silentModel = `machine m
variables n a b
invariants
@n n ∈ 0‥99999
@a a ∈ ℕ
@b b ∈ ℕ
events
event INITIALISATION
then
@n n ≔ 0
@a a ≔ 0
@b b ≔ 0
end
event go
then
@a n ≔ n + 1
end
event left
then
@a a ≔ a + 1
end
event right
then
@a b ≔ b + 1
end
event same
where
@g a = b + 1
end
end
`

// Of a log that a run explains few states are visited, however many are possible; of one that none explains the
// answer says so, or how far a run came within the bound.
func TestSilentInARow(t *testing.T) {
	const lines = 10_000
	silent := map[string]int{"left": 2, "right": 2}
	log := strings.Repeat(`{"event":"go"}`+"\n", lines-1)
	x := explained(t, silentModel, strings.NewReader(log+`{"event":"same"}`), follow.Log{Silent: silent, Most: 100_000})
	if x.Verdict != follow.Passed || x.Lines != lines || x.Visited > 2*lines {
		t.Errorf("%+v", x)
	}
	x = explained(t, silentModel, strings.NewReader(log+`{"state":{"a":7}}`), follow.Log{Silent: silent, Most: 100_000})
	if x.Verdict != follow.Passed && x.Verdict != follow.Bounded || x.Lines < lines-1 || x.Visited > 1_000_000 {
		t.Errorf("%+v", x)
	}
	x = explained(t, silentModel, strings.NewReader(log+`{"state":{"n":7}}`), follow.Log{Silent: silent, Most: 100_000})
	if x.Verdict != follow.Bounded || x.Lines != lines-1 {
		t.Errorf("%+v", x)
	}
	// Where few states are possible, a long log that none explains is refused within the memory of few lines.
	few := strings.NewReplacer("a ≔ a + 1", "a ≔ 1 − a", "b ≔ b + 1", "b ≔ 1 − b", "a ∈ ℕ", "a ∈ 0‥1", "b ∈ ℕ", "b ∈ 0‥1").Replace(silentModel)
	x = explained(t, few, strings.NewReader(log+`{"state":{"n":7}}`), follow.Log{Silent: silent, Most: 1000})
	if x.Verdict != follow.Failed || x.Line != lines || x.Visited > 40*lines {
		t.Errorf("%+v", x)
	}
}

// What a line says is known before steps are looked for: counting to 10¹² is not needed.
func TestKnownFirst(t *testing.T) {
	model := `machine m
variables x y z
invariants
@x x ∈ ℤ
@y y ∈ ℤ
@z z ∈ ℤ
events
event INITIALISATION
then
@x x :∈ 0‥1000000000000
@y y ≔ 0
@z z ≔ 0
end
event set
any p
where
@p p ∈ 0‥1000000000000
then
@a x ≔ p
@b y :∈ 0‥1000000000000
@c z :∣ z' ∈ 0‥1000000000000 ∧ z' > z
end
end
`
	good := `{"event":"INITIALISATION","state":{"x":5}}
{"event":"set","params":{"p":123456789},"state":{"y":77,"z":4}}
{"event":"set","state":{"x":3,"y":1,"z":5}}
`
	if x := explained(t, model, strings.NewReader(good), follow.Log{Most: 100}); x.Verdict != follow.Passed || x.Visited != 3 {
		t.Errorf("%+v", x)
	}
	bad := good + `{"event":"set","params":{"p":3},"state":{"x":4,"y":0,"z":6}}` + "\n"
	if x := explained(t, model, strings.NewReader(bad), follow.Log{Most: 100}); x.Verdict != follow.Failed || x.Line != 4 {
		t.Errorf("%+v", x)
	}
}

// A scenario says what is known as a log does; the reason of a failure is the same as if all had been tried.
func TestScenarioKnownFirst(t *testing.T) {
	model := "machine m\nvariables x y\ninvariants\n@x x ∈ ℤ\n@y y ∈ ℤ\nevents\nevent INITIALISATION\nthen\n@x x ≔ 0\n@y y ≔ 0\nend\nevent set\nany p\nwhere\n@p p ∈ 0‥1000000000000\n@q p ≠ 7\nthen\n@a x ≔ p\n@b y :∈ 0‥9\nend\nend\n"
	for text, why := range map[string]string{
		"set(p = 5) then y = 7\ncheck x = 5 ∧ y = 7": "",
		"set(7 = p)":                    "set is not enabled with these parameters",
		"set(p = 5) then y = −1":        "what holds after set is not true",
		"set(p = 5 ∧ p > 5)":            "set is not enabled with these parameters",
		"set(p = 5) then y = 3 ∧ x = 4": "what holds after set is not true",
	} {
		p := open(t, model, "scenario s of m\nINITIALISATION\n"+text+"\nend\n")
		ready, err := p.Followings(p.AllScenarios()[0])
		if err != nil {
			t.Fatal(err)
		}
		if x := run(t, p, ready[0]); x.Why != why {
			t.Errorf("%s: %s (%s)", text, x.Verdict, x.Why)
		}
	}
}

// The run that is recorded says what was chosen, even if it is the value from before.
func TestRecordedChoices(t *testing.T) {
	model := "machine m\nvariables b `then`\ninvariants\n@t b ∈ BOOL\n@u `then` ∈ BOOL\nevents\nevent INITIALISATION\nthen\n@a b ≔ FALSE\n@b `then` ≔ FALSE\nend\nevent `can`\nthen\n@a b :∈ BOOL\n@b `then` :∈ BOOL\nend\nend\n"
	p := open(t, model, "")
	var steps []string
	explained(t, model, strings.NewReader(`{"event":"can","state":{"b":false,"then":true}}`), follow.Log{Step: func(s explore.Step) error {
		steps = append(steps, p.StepLine(p.Dev.Machines[0], s))
		return nil
	}})
	if want := []string{"INITIALISATION", "`can` then b = FALSE ∧ then = TRUE"}; !slices.Equal(steps, want) {
		t.Errorf("%q, want %q", steps, want)
	}
	replay(t, model, "scenario s of m\n"+strings.Join(steps, "\n")+"\nend\n")
}

// BenchmarkLog measures a million lines of a deterministic machine.
//
//	go test ./explore/follow -run '^$' -bench Log -benchtime 1x
func BenchmarkLog(b *testing.B) {
	model := "machine m\nvariables x\ninvariants\n@t x ∈ 0‥9\nevents\nevent INITIALISATION\nthen\n@a x ≔ 0\nend\nevent e\nany p\nwhere\n@p p ∈ 0‥9\nthen\n@a x ≔ p\nend\nend\n"
	for b.Loop() {
		in, out := io.Pipe()
		const lines = 1_000_000
		go func() {
			w := bufio.NewWriter(out)
			for i := range lines {
				fmt.Fprintf(w, "{\"event\":\"e\",\"params\":{\"p\":%d},\"state\":{\"x\":%d}}\n", i%10, i%10)
			}
			w.Flush()
			out.Close()
		}()
		if x := explained(b, model, in, follow.Log{Most: 4}); x.Verdict != follow.Passed || x.Lines != lines {
			b.Fatalf("%+v", x)
		}
	}
}
