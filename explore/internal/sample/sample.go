// Package sample provides machines for tests of packages below the search: it checks and compiles
// a text, and prints the effect of events. Only tests import it.
package sample

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/setup"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
)

// Machine checks components that are separated by empty lines, and returns the last machine with
// its first set-up.
func Machine(t testing.TB, text string) (*model.Machine, *program.Setting) {
	t.Helper()
	var problems diag.List
	var files []*lang.File
	for i, part := range strings.Split(text, "\n\n") {
		files = append(files, lang.Parse(fmt.Sprintf("m%d.eventb", i), []byte(part), &problems))
	}
	dev := check.Development("test", files, &problems)
	for _, p := range problems.Sorted() {
		if p.Severity == diag.Error {
			t.Fatal(p)
		}
	}
	machine := dev.Machines[len(dev.Machines)-1]
	found, _, err := setup.Solve(context.Background(), dev, machine, setup.Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return machine, found[0].Set
}

// Program compiles the last machine of a text; its abstract machine goes along if it has one.
func Program(t testing.TB, text string) *program.Program {
	t.Helper()
	machine, set := Machine(t, text)
	p, err := program.Compile(set, machine, true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Steps prints the steps of an event from a state, nil standing for the initialisation: the event
// with its parameters, and the state after it. "unmatched" says that no abstract step goes with one.
func Steps(p *program.Program, e *program.Event, state []byte) (out []string) {
	f := p.Frame(context.Background())
	if state != nil {
		p.Unpack(f, state)
	}
	if _, why := f.Visit(e.Fire, func(f *formula.Frame) bool {
		var args []string
		for _, x := range e.Params {
			args = append(args, p.Space.String(x.Shape, f.Slots[x.Slot]))
		}
		out = append(out, e.Model.Label+"("+strings.Join(args, ",")+") "+State(p, p.Pack(nil, f)))
		return true
	}); why != "" {
		out = append(out, why)
	}
	if f.Unmatched {
		out = append(out, "unmatched")
	}
	slices.Sort(out)
	return out
}

// State prints a state.
func State(p *program.Program, state []byte) string {
	var out []string
	for _, b := range picture.Values(p, state) {
		out = append(out, b.Name+"="+b.Value)
	}
	return strings.Join(out, " ")
}

// Reached are the states of p, breadth-first. The machine must have few of them.
func Reached(p *program.Program) (open [][]byte) {
	seen := map[string]bool{}
	add := func(f *formula.Frame) bool {
		if s := p.Pack(nil, f); !seen[string(s)] {
			seen[string(s)] = true
			open = append(open, s)
		}
		return true
	}
	f := p.Frame(context.Background())
	f.Visit(p.Init.Fire, add)
	for n := 0; n < len(open); n++ {
		for _, e := range p.Events {
			p.Unpack(f, open[n])
			f.Visit(e.Fire, add)
		}
	}
	return open
}

// Find returns the reached state that prints as says.
func Find(t testing.TB, p *program.Program, says string) []byte {
	t.Helper()
	for _, s := range Reached(p) {
		if State(p, s) == says {
			return s
		}
	}
	t.Fatal("no state ", says)
	return nil
}

// Event returns the event with a label.
func Event(t testing.TB, p *program.Program, label string) *program.Event {
	t.Helper()
	i := slices.IndexFunc(p.Events, func(e *program.Event) bool { return e.Model.Label == label })
	if i < 0 {
		t.Fatal("no event ", label)
	}
	return p.Events[i]
}
