package encode

import (
	"maps"
	"slices"

	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
	"github.com/gradine/gradine/lang"
)

// Check is something that a kernel must satisfy: one or more obligations of its machines.
type Check struct {
	Kind      string // race-ww, race-rw, race-atomic, divergence, bounds, null, assert, requires, invariant, division, overflow
	Line, Col int
	Why       string
}

// ClaimKind says what a claim is for.
type ClaimKind uint8

// The kinds of claims.
const (
	Checked   ClaimKind = iota // a check of the kernel, which the verdict is about
	Fitting                    // a term does not wrap, see Kernel.Wraps
	Candidate                  // an invariant that is only guessed, see Search.Drop
	Relation                   // a guess about two threads, see Search.Unrelate
	Equal                      // a guess that a variable is the same in both threads, see Search.Differ
	Hint                       // a theorem that only leads to proofs, see Model.Without
	Leaving                    // a way out of a loop, or into the kernel, is never taken: what holds leaves no way there
	Lonely                     // no two threads satisfy what the author requires of both
)

// Claim is what a theorem or an invariant of a model is there for.
type Claim struct {
	Kind  ClaimKind
	Guess int    // of what is guessed: its number
	Term  string // that is claimed not to wrap
	Exit  Exit
	Check
}

// Model is what a kernel becomes: a context and a machine, and what their obligations
// are about.
type Model struct {
	Name      string
	Kernel    string
	Scope     Scope
	Apart     string        // that its two threads are not one, as a predicate; "" if there is one alone
	File      string        // that the kernel stands in
	At        preproc.Place // of the kernel
	Unreached []string      // which ways out are proved never to be taken, and loops without exit, in words

	components []*lang.Component // with places as the reader of C counts them, see Tree
	claims     map[string]*Claim // by the label of what claims it
}

// Claim is what the theorem or invariant with a label is there for, nil if it only says what the kernel does.
func (m *Model) Claim(label string) *Claim { return m.claims[label] }

// Guesses reports whether the model claims something of a kind.
func (m *Model) Guesses(kinds ...ClaimKind) bool {
	for _, c := range m.claims {
		if slices.Contains(kinds, c.Kind) {
			return true
		}
	}
	return false
}

// Without is the model without some of its claims.
func (m *Model) Without(dropped map[*Claim]bool) *Model {
	left := func(list []*lang.Predicate) (out []*lang.Predicate) {
		for _, p := range list {
			if c := m.claims[p.Label.Text]; c == nil || !dropped[c] {
				out = append(out, p)
			}
		}
		return out
	}
	out := *m
	out.claims = maps.Clone(m.claims)
	maps.DeleteFunc(out.claims, func(_ string, c *Claim) bool { return dropped[c] })
	out.components = nil
	for _, c := range m.components {
		d := *c
		d.Axioms, d.Invariants, d.Events = left(c.Axioms), left(c.Invariants), nil
		for _, e := range c.Events {
			f := *e
			f.Guards = left(e.Guards)
			d.Events = append(d.Events, &f)
		}
		out.components = append(out.components, &d)
	}
	return &out
}

// TooDeep reports whether a formula of the model is nested deeper than any text may be: what follows recurses over them.
func (m *Model) TooDeep() bool {
	return slices.ContainsFunc(m.components, func(c *lang.Component) bool {
		return deep(c.Axioms) || deep(c.Invariants) || slices.ContainsFunc(c.Events, func(e *lang.Event) bool {
			return deep(e.Guards) || slices.ContainsFunc(e.Actions, func(a *lang.Action) bool { return deeper(a.Assignment.Right, lang.MaxNesting) })
		})
	})
}

func deep(list []*lang.Predicate) bool {
	return slices.ContainsFunc(list, func(p *lang.Predicate) bool { return deeper([]formula{p.Formula}, lang.MaxNesting) })
}

// deeper reports whether formulas have more levels than a limit.
func deeper(list []formula, limit int) bool {
	return len(list) > 0 && limit == 0 || slices.ContainsFunc(list, func(f formula) bool { return deeper(f.Args, limit-1) })
}

// Exit is a way out of a loop, or, at the entry, into the kernel.
type Exit struct {
	Entry bool
	Loop  int // its number, counted from 0, see Search.NumLoops
}

// Scope is which pairs of threads a model is about.
type Scope uint8

// The scopes.
const (
	Group Scope = iota // two threads of one group
	Grid               // two threads of different groups
	// Two threads of one warp or tile of so many lanes, where these meet. Those of a scope are of different tiles of the next smaller
	// number that meets, and those of Group of different ones of the largest.
	Warp
	Tile16
	Tile8
	Tile4
	Tile2
	scopes
)

// lanes is how many lanes follow each other of which the two threads are, 0 if the scope says nothing of that.
func (s Scope) lanes() int64 {
	if s < Warp {
		return 0
	}
	return ir.LanesOfWarp >> (s - Warp)
}

// scopeOf is the scope of tiles of so many lanes.
func scopeOf(lanes int64) Scope {
	s := Warp
	for s.lanes() > lanes {
		s++
	}
	return s
}

// of names what the threads of a scope within a group are part of.
func (s Scope) of() string {
	switch {
	case s == Warp:
		return "warp"
	case s.lanes() > 0:
		return "tile"
	}
	return "group"
}

// NoPair says that no two threads are of which the model of s speaks.
func (s *Search) NoPair() string {
	of, between := "of a group", "races and barriers within a group"
	switch {
	case s.b.scope == Grid:
		of, between = "of different groups", "races between groups"
	case s.b.scope.lanes() > 0:
		of, between = "of a "+s.b.scope.of(), "races and barriers within a "+s.b.scope.of()
	case s.b.p.MeetsInWarps():
		of, between = "of a group in different warps", "races and barriers between warps"
	}
	return "no two threads " + of + " satisfy the preconditions and assumptions, so " + between + " are not checked"
}
