package follow_test

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
)

// labelled is a step of a machine that is written down in Go.
type labelled struct {
	event string
	p     int // its parameter; −1: it has none
	to    any
	holds bool // the invariants hold behind it
}

// force decides by recursion over all runs whether one explains a log, and whether one does in which the invariants
// hold. It follows the definition: a line may come next if all lines before it have come.
type force struct {
	begin  any
	next   func(any) []labelled
	fits   func(follow.Observation, any) bool
	log    []follow.Observation
	before func(j, i int) bool // line j comes before line i
	silent map[string]int

	seen    map[place]bool
	deepest int // lines that some run explains
	refused int // the first line of those that may come next behind so many
	any, ok bool
}

type place struct {
	done   uint64
	state  any
	counts string
	ok     bool
}

func (x *force) run() {
	x.seen, x.deepest = map[place]bool{}, -1
	x.from(0, x.begin, map[string]int{}, true)
}

// ready lists the lines that may come next.
func (x *force) ready(done uint64) (out []int) {
	for i := range x.log {
		free := done>>i&1 == 0
		for j := range x.log {
			free = free && (j == i || done>>j&1 == 1 || !x.before(j, i))
		}
		if free {
			out = append(out, i)
		}
	}
	return out
}

func (x *force) from(done uint64, s any, counts map[string]int, ok bool) {
	key := place{done, s, fmt.Sprint(counts), ok}
	if x.seen[key] {
		return
	}
	x.seen[key] = true
	ready := x.ready(done)
	if n := bits.OnesCount64(done); n > x.deepest {
		x.deepest, x.refused = n, len(x.log)
	}
	if len(ready) == 0 {
		x.any, x.ok = true, x.ok || ok
		return
	}
	if bits.OnesCount64(done) == x.deepest {
		x.refused = min(x.refused, ready[0]+1)
	}
	steps := x.next(s)
	for _, step := range steps {
		if counts[step.event] < x.silent[step.event] {
			more := map[string]int{}
			for event, n := range counts {
				more[event] = n
			}
			more[step.event]++
			x.from(done, step.to, more, ok && step.holds)
		}
	}
	for _, i := range ready {
		o := x.log[i]
		if o.Event == "" && x.fits(o, s) {
			x.from(done|1<<i, s, map[string]int{}, ok)
		}
		for _, step := range steps {
			p, has := o.Params["p"]
			if step.event == o.Event && (!has || fmt.Sprint(p) == fmt.Sprint(step.p)) && x.fits(o, step.to) {
				x.from(done|1<<i, step.to, map[string]int{}, ok && step.holds)
			}
		}
	}
}

// ordered is the order of a log: by place without sources; by source and clock with them.
func ordered(log []follow.Observation) func(j, i int) bool {
	return func(j, i int) bool {
		a, b := log[j], log[i]
		switch {
		case a.Source == "":
			return j < i
		case a.Clock != nil:
			return a.Clock[a.Source] <= b.Clock[a.Source]
		}
		return a.Source == b.Source && j < i
	}
}

// compare wants of a log what the search by force says, and of a run that explains it that it is one of the machine.
func (x *force) compare(t *testing.T, text string) (what string) {
	t.Helper()
	p := open(t, text, "")
	machine := p.Dev.Machines[0]
	found, _, err := explore.Solve(context.Background(), p.Dev, machine, explore.Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	x.before = ordered(x.log)
	x.run()
	at, steps := 0, "scenario log of "+machine.Name+"\n"
	got, err := follow.Explain(context.Background(), machine, found[0], &follow.Log{
		Silent: x.silent, Most: 100_000, Sources: len(x.log) > 0 && x.log[0].Source != "",
		Step: func(step explore.Step) error { steps += p.StepLine(machine, step) + "\n"; return nil },
		Next: func() (*follow.Observation, error) {
			if at == len(x.log) {
				return nil, io.EOF
			}
			at++
			o := x.log[at-1]
			o.Line = at
			return &o, nil
		},
	})
	if err != nil {
		t.Fatal(err, x.log)
	}
	verdict := follow.Failed
	if x.ok {
		verdict = follow.Passed
	}
	if claims := slices.ContainsFunc(x.log, func(o follow.Observation) bool { return o.Event != "" || len(o.Values) > 0 }); x.any && !claims {
		verdict = follow.Undecided
	}
	if got.Verdict != verdict || !x.any && (got.Line != x.refused || got.Lines != x.deepest) {
		t.Fatalf("%s\n%+v, silent %v: %s (%s) behind %d lines at line %d, want %s behind %d at line %d", text, x.log, x.silent, got.Verdict, got.Why, got.Lines, got.Line, verdict, x.deepest, x.refused)
	}
	if verdict == follow.Passed {
		replay(t, text, steps+"end\n")
	}
	if x.any && !x.ok {
		return "broken"
	}
	return string(verdict)
}

// replay wants the run that explains a log to be one of the machine.
func replay(t *testing.T, model, text string) {
	t.Helper()
	p := open(t, model, text)
	ready, err := p.Followings(p.AllScenarios()[0])
	if err != nil {
		t.Fatal(err)
	}
	if x := run(t, p, ready[0]); x.Verdict != follow.Passed {
		t.Fatalf("%s\n%s: %s %s", model, text, x.Verdict, x.Why)
	}
}
