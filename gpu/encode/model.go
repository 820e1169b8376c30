package encode

import (
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// Check is something that a kernel must satisfy: one or more obligations of its machines.
type Check struct {
	Kind      string // race-ww, race-rw, race-atomic, divergence, bounds, null, assert, requires, invariant, division, overflow
	Line, Col int
	Why       string
}

// Model is what a kernel becomes: text of a context and a machine, and what its
// obligations are about.
type Model struct {
	Name   string
	Kernel string
	Scope  Scope
	Apart  string        // that its two threads are not one, as a predicate
	File   string        // that the kernel stands in
	At     preproc.Place // of the kernel
	Text   string
	Places []preproc.Place   // in the C of each line of Text; the zero Place stands for the kernel
	Checks map[string]Check  // by the label of the theorem or invariant
	Fits   map[string]string // by label: the term that is claimed not to wrap
	// Candidates are invariants that are only guessed, by label. Whoever proves
	// them tells Kernel.Drop which ones do not hold.
	Candidates map[string]int
	Relations  map[string]int  // likewise, see Search.Unrelate
	Equal      map[string]int  // likewise, see Search.Differ
	Hints      map[string]bool // labels of theorems that only lead to proofs, see Without
	// Exits are claims that a way out of a loop, or into the kernel, is never taken, by
	// label. One that is proved says that what holds leaves no way there.
	Exits     map[string]Exit
	Unreached []string // which of them are proved, and loops without exit, in words
}

// Without is the model without theorems, by label, of which nothing is claimed then.
func (m *Model) Without(labels map[string]bool) *Model {
	out := *m
	out.Places = nil
	var text strings.Builder
	for i, line := range strings.SplitAfter(m.Text, "\n") {
		label, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "theorem @"), " ")
		if labels[label] {
			continue
		}
		text.WriteString(line)
		if i < len(m.Places) {
			out.Places = append(out.Places, m.Places[i])
		}
	}
	out.Text = text.String()
	return &out
}

// Exit is a way out of a loop, or, at the entry, into the kernel.
type Exit struct {
	Entry bool
	Line  int
}

// NoPair labels the claim that no two threads satisfy what the author requires of both.
const NoPair = "nopair"

// Scope is which pairs of threads a model is about.
type Scope uint8

// The scopes.
const (
	Group Scope = iota // two threads of one group
	Grid               // two threads of different groups
)
