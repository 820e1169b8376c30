// Package paths follows a program from each cut point to the next. It finds the paths of a
// thread, the checks and accesses on each path, and the ranges of variables at cut points.
// Ranges and no-overflow claims are guesses: every user of a guess must prove it.
package paths

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// Path is one way from a cut point to the next: what has to hold for it, what is
// checked and accessed on it, and the values that variables have at its end. All terms
// are over the values at its start, constants of the model, and arbitrary values.
type Path struct {
	From, To *ir.Node
	Items    []Item
	Values   map[*ir.Variable]*ir.Term
	Free     []*Free
	ranges   map[*ir.Variable]interval.Interval // at the end; nil if the path cannot be taken
}

// Guards are the guards in front of item number before.
func (p *Path) Guards(before int) (guards []*ir.Term) {
	for _, i := range p.Items[:before] {
		if i.Kind == Guard {
			guards = append(guards, i.E)
		}
	}
	return guards
}

// Free is a value about which only its type is known.
type Free struct {
	Term   *ir.Term
	Type   *ast.Ctype
	Shared int        // all threads of the group that read it between the same barriers read the same: the number of the read; 0: it is read by one
	Ticket *Ticket    // of what an atomic addition has found; nil: of anything else
	Xor    []*ir.Term // the two numbers whose exclusive or it is; nil: it is anything else
}

// Ticket is where an atomic addition has found a number, and what it has added, if nothing else changes that array: each
// number is found once.
type Ticket struct {
	Mem  *ir.Memory
	Off  *ir.Term
	Adds *ir.Term // a positive constant
}

// ofBits begins the keys of what operations on bits give.
const ofBits = "bits "

// OfBits reports whether f is what an operation on bits has given.
func (f *Free) OfBits() bool { return strings.HasPrefix(f.Term.Text, ofBits) }

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
	E     *ir.Term   // of a guard, claim or check
	Check *ir.Instr  // what is checked
	Mem   *ir.Memory // of an access, and so on
	Off   *ir.Term
	Value *ir.Term // written; nil if not known
	What  int      // flow.IsRead, IsWrite, IsAtomic
	At    preproc.Place
	Free  int  // how many values were free before it
	Inner bool // see ir.Instr
}

// Conflict is the kind of race that two accesses make, "" if none.
func (i Item) Conflict(other Item) string {
	if i.Mem != other.Mem || i.Inner && other.Inner { // what a toolkit does in one call is in order, and its calls read as well
		return ""
	}
	return ir.Conflict(i.What, other.What)
}

// Walker finds the paths of a program.
type Walker struct {
	Config
	Ranges  Ranges // at cut points
	cut     map[*ir.Node]bool
	launch  map[string]interval.Interval // what the axioms say of sizes and parameters
	demands bool                         // some of them are about parameters
	changed map[*ir.Node]map[*ir.Variable]bool
	loops   []cfg.Loop
	out     []*Path
	counted map[*ir.Memory]bool
	Many    bool // there are more paths than are followed
}

// Config is what a walk begins with.
type Config struct {
	Program  *ir.Program
	Cuts     []*ir.Node
	Barriers bool // they are cut points
	Apart    bool // the two threads are of different groups
	Live     map[*ir.Node]map[*ir.Variable]bool
	Shared   map[*ir.Instr]int     // reads that give the threads of a group the same value, numbered
	Same     map[*ir.Variable]bool // equal in all threads of a group, by data flow
	Together map[*ir.Node]bool     // where all threads of a group come together
	Wraps    map[string]bool       // terms that may wrap although intervals say no, by key
	Hints    Ranges                // from an earlier search
}

// State is a walk on its way.
type State struct {
	values map[*ir.Variable]*ir.Term
	items  []Item
	free   []*Free
	ranges map[string]interval.Interval
	sums   []*ir.Term // that have a range of their own
	memory map[*ir.Memory]map[string]*ir.Term
	facts  map[string]bool
}

// Begin is the state at the start of a walk: what the launch says of sizes and parameters.
func (w *Walker) Begin() *State {
	return &State{values: map[*ir.Variable]*ir.Term{}, ranges: maps.Clone(w.launch), memory: map[*ir.Memory]map[string]*ir.Term{}, facts: map[string]bool{}}
}

// At is the state in which walks from cut point c begin.
func (w *Walker) At(c *ir.Node) *State {
	s := w.Begin()
	for v, r := range w.Ranges[c] {
		s.ranges[ir.VariableTerm(v).Key()] = r
	}
	return s
}

func (s *State) clone() *State {
	c := &State{values: maps.Clone(s.values), items: slices.Clip(s.items), free: slices.Clip(s.free), ranges: maps.Clone(s.ranges), sums: slices.Clip(s.sums), facts: maps.Clone(s.facts), memory: map[*ir.Memory]map[string]*ir.Term{}}
	for m, k := range s.memory {
		c.memory[m] = maps.Clone(k)
	}
	return c
}

func (w *Walker) fail(at preproc.Place, format string, args ...any) {
	panic(preproc.Refuse(w.Program.File, at, fmt.Sprintf(format, args...)))
}

// Ranges are those of variables at cut points.
type Ranges map[*ir.Node]map[*ir.Variable]interval.Interval
