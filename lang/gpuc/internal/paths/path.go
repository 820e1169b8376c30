// Package paths follows a program from each cut point to the next: it finds the ways that
// threads can go, what is checked and accessed on them, and in which ranges variables lie
// at cut points. Ranges and claims that nothing wraps are guesses: whoever rests on one
// proves what it claims. It knows nothing of machines and of pairs of threads.
package paths

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/integers"
	"github.com/gradine/gradine/lang/gpuc/internal/source"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// Path is one way from a cut point to the next: what has to hold for it, what is
// checked and accessed on it, and the values that variables have at its end. All terms
// are over the values at its start, constants of the model, and arbitrary values.
type Path struct {
	From, To *flow.Node
	Items    []Item
	Values   map[*flow.Variable]*flow.Term
	Free     []*Free
	ranges   map[*flow.Variable]integers.Interval // at the end; nil if the path cannot be taken
}

// Guards are the guards in front of item number before.
func (p *Path) Guards(before int) (guards []*flow.Term) {
	for _, i := range p.Items[:before] {
		if i.Kind == Guard {
			guards = append(guards, i.E)
		}
	}
	return guards
}

// Free is a value about which only its type is known.
type Free struct {
	Term *flow.Term
	Type *syntax.Ctype
}

// Kind says what an item is.
type Kind uint8

// The kinds of items.
const (
	Guard Kind = iota
	Fit        // a claim that nothing wraps
	Check
	Access
)

// Item stands on a path.
type Item struct {
	Kind  Kind
	E     *flow.Term   // of a guard, claim or check
	Check *flow.Instr  // what is checked
	Mem   *flow.Memory // of an access, and so on
	Off   *flow.Term
	Value *flow.Term // written; nil if not known
	What  int        // flow.IsRead, IsWrite, IsAtomic
	At    source.Place
	Free  int // how many values were free before it
}

// Conflict is the kind of race that two accesses make, "" if none.
func (i Item) Conflict(other Item) string {
	if i.Mem != other.Mem {
		return ""
	}
	return flow.Conflict(i.What, other.What)
}

// Walker finds the paths of a program.
type Walker struct {
	Config
	Ranges  Ranges // at cut points
	cut     map[*flow.Node]bool
	launch  map[string]integers.Interval // what the axioms say of sizes and parameters
	demands bool                         // some of them are about parameters
	changed map[*flow.Node]map[*flow.Variable]bool
	out     []*Path
}

// Config is what a walk begins with.
type Config struct {
	Program  *flow.Program
	Cuts     []*flow.Node
	Barriers bool // they are cut points
	Live     map[*flow.Node]map[*flow.Variable]bool
	Same     map[*flow.Variable]bool // equal in all threads of a group, by data flow
	Together map[*flow.Node]bool     // where all threads of a group come together
	Wraps    map[string]bool         // terms that may wrap although intervals say no, by key
	Hints    Ranges                  // from an earlier search
}

// State is a walk on its way.
type State struct {
	values map[*flow.Variable]*flow.Term
	items  []Item
	free   []*Free
	ranges map[string]integers.Interval
	sums   []*flow.Term // that have a range of their own
	memory map[*flow.Memory]map[string]*flow.Term
	facts  map[string]bool
}

// Begin is the state at the start of a walk: what the launch says of sizes and parameters.
func (w *Walker) Begin() *State {
	return &State{values: map[*flow.Variable]*flow.Term{}, ranges: maps.Clone(w.launch), memory: map[*flow.Memory]map[string]*flow.Term{}, facts: map[string]bool{}}
}

// At is the state in which walks from cut point c begin.
func (w *Walker) At(c *flow.Node) *State {
	s := w.Begin()
	for v, r := range w.Ranges[c] {
		s.ranges[flow.VariableTerm(v).Key()] = r
	}
	return s
}

func (s *State) clone() *State {
	c := &State{values: maps.Clone(s.values), items: slices.Clip(s.items), free: slices.Clip(s.free), ranges: maps.Clone(s.ranges), sums: slices.Clip(s.sums), facts: maps.Clone(s.facts), memory: map[*flow.Memory]map[string]*flow.Term{}}
	for m, k := range s.memory {
		c.memory[m] = maps.Clone(k)
	}
	return c
}

func (w *Walker) fail(at source.Place, format string, args ...any) {
	panic(source.Refuse(w.Program.File, at, fmt.Sprintf(format, args...)))
}

// Ranges are those of variables at cut points.
type Ranges map[*flow.Node]map[*flow.Variable]integers.Interval
