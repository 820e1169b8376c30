package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPartialOrderOnModels explores the machines of the project with and without
// partial-order reduction: the same is found, and goals are reached or not. In
// short mode those that take long to prove are left out.
func TestPartialOrderOnModels(t *testing.T) {
	t.Chdir("../..")
	const costs = "launches=1 blocks=2 slots=2 threads=2 steps=1 ports=1 min_cost=1 max_cost=2 max_sync=0"
	cases := []struct {
		path, machine, consts, goal string
		long                        bool
	}{
		{"bench/spin/philosophers.eventb", "philosophers", "N=5", "card(eating) = 2", false},
		{"bench/spin/blocks.eventb", "blocks", "B=4 M=3 D=2", "done = 3 ∧ waiting = 0", false},
		{"bench/spin/buffer.eventb", "buffer", "K=2 P=2 C=2", "count = 2 ∧ head = 1", false},
		{"bench/spin/peterson.eventb", "peterson", "N=3", "card(pc ▷ {3}) = 2", true},
		{".", "timing", costs, "T_ev = 3 ∧ finished = 1", true},
		{".", "bounds", costs + " longest=4", "accesses(1) = 1 ∧ T_ev = 4", true},
		{".", "in_order", costs, "T_ev = 4 ∧ finished = 1", true},
	}
	reduced := 0
	for _, c := range cases {
		if c.long && os.Getenv("GRADINE_SWEEP") == "" {
			continue
		}
		for _, goal := range []string{"", c.goal} {
			args := []string{"explore", "--format", "jsonl", "--keep-going"}
			for k := range strings.FieldsSeq(c.consts) {
				args = append(args, "--const", k)
			}
			if goal != "" {
				args = append(args, "--goal", goal)
			}
			args = append(args, c.path, c.machine)
			all, want := explored(t, args)
			less, got := explored(t, append(args, "--partial-order"))
			t.Logf("%s, goal %q: %d states, %d with --partial-order", c.machine, goal, all, less)
			if want != got {
				t.Errorf("%s, goal %q: %s; with --partial-order %s", c.machine, goal, want, got)
			}
			if less < all {
				reduced++
			}
		}
	}
	if reduced == 0 {
		t.Error("nothing is reduced")
	}
}

// explored runs the program, and returns the number of states and what was found.
func explored(t *testing.T, args []string) (states int, found string) {
	t.Helper()
	var out, problems bytes.Buffer
	Main(args, strings.NewReader(""), &out, &problems)
	var x struct {
		States, Deadlocks int
		Verdict           string
		Findings          []struct{ Kind, Label string }
	}
	if err := json.Unmarshal(out.Bytes(), &x); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &problems)
	}
	slices.SortFunc(x.Findings, func(a, b struct{ Kind, Label string }) int {
		return strings.Compare(a.Kind+" "+a.Label, b.Kind+" "+b.Label)
	})
	return x.States, fmt.Sprintf("%s, %d deadlocks, %v", x.Verdict, x.Deadlocks, x.Findings)
}
