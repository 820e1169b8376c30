package explore

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/logic"
)

// States on disk are those in memory, in many runs of many blocks; limits and interrupts end the search as
// bounded, and leave nothing behind.
func TestDisk(t *testing.T) {
	x := philosophers(t)
	setup := Setup{Given: []logic.Term{x.predicate("n = 10").Term}}
	plain := x.run(setup, Options{KeepGoing: true})
	dir := t.TempDir()
	empty := func() {
		t.Helper()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("files are left: %v %v", left, err)
		}
	}
	got := x.run(setup, Options{KeepGoing: true, Disk: dir, room: 20_000})
	if got.Verdict != plain.Verdict || got.States != plain.States || got.Transitions != plain.Transitions || got.Depth != plain.Depth || len(got.Findings) != len(plain.Findings) {
		t.Errorf("%+v, in memory %+v", got, plain)
	}
	empty()
	if got := x.run(setup, Options{NoDeadlock: true, Disk: dir, room: 20_000, MaxDisk: 100_000}); got.Verdict != Bounded || got.Why != "the room on disk" || got.States >= plain.States {
		t.Errorf("%s by %q after %d states", got.Verdict, got.Why, got.States)
	}
	empty()
	if got := x.run(setup, Options{KeepGoing: true, Disk: dir, MaxMemory: 50_000}); got.Why != "memory" {
		t.Errorf("with little memory %s by %q", got.Verdict, got.Why)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ins, _, err := Solve(ctx, x.development(), x.m, setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err = Run(ctx, x.m, ins[0], Options{NoDeadlock: true, Disk: dir, room: 20_000, Progress: func(states, _ int) {
		if states > 1000 {
			cancel()
		}
	}})
	if err != nil || got.Verdict != Bounded || got.Why != "interrupted" || got.States >= plain.States {
		t.Errorf("interrupted: %v, %s by %q after %d states", err, got.Verdict, got.Why, got.States)
	}
	empty()
	if _, err := Run(t.Context(), x.m, ins[0], Options{Disk: "/no/such/directory"}); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("error %v", err)
	}
}

// The deadlock of the philosophers is found in any number of bits, by a run; the share of states that are missed
// is about what is estimated.
func TestBitState(t *testing.T) {
	x := philosophers(t)
	setup := Setup{Given: []logic.Term{x.predicate("n = 11").Term}}
	plain := x.run(setup, Options{NoDeadlock: true})
	missed := func(bytes int) (really, estimated float64) {
		ins, _, err := Solve(t.Context(), x.development(), x.m, setup, 1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSearch(t.Context(), x.m, ins[0], Options{NoDeadlock: true, BitState: bytes})
		if err != nil {
			t.Fatal(err)
		}
		r := s.run(t.Context())
		if r.Verdict != Bounded || !strings.Contains(r.Why, "bit-state") {
			t.Errorf("%s by %q", r.Verdict, r.Why)
		}
		return 1 - float64(r.States)/float64(plain.States), s.kept.(*stack).Missed()
	}
	if really, _ := missed(1 << 20); really > 0.001 {
		t.Errorf("in a megabyte %f of the states are missed", really)
	}
	if really, estimated := missed(1 << 14); really < 0.005 || really > 4*estimated || estimated > 4*really {
		t.Errorf("in 16 KB %f of the states are missed, by estimate %f", really, estimated)
	}
	for _, bytes := range []int{8, 100, 1 << 10} {
		if r := x.run(setup, Options{BitState: bytes}); r.Verdict == Counterexample && (len(r.Findings) != 1 || r.Findings[0].Kind != Deadlock || r.Deadlocks != 1) || r.Verdict == Complete {
			t.Errorf("in %d bytes %+v", bytes, r)
		}
	}
}
