package encode

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
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

// Model is what a kernel becomes: text of a context and a machine, and what its
// obligations are about.
type Model struct {
	Name      string
	Kernel    string
	Scope     Scope
	Apart     string        // that its two threads are not one, as a predicate
	File      string        // that the kernel stands in
	At        preproc.Place // of the kernel
	Text      string
	lines     []origin // of each line of Text
	claims    map[string]*Claim
	Unreached []string // which ways out are proved never to be taken, and loops without exit, in words
}

// origin is what a line of a model stands for: a place in the C, or, if that is zero, the kernel, and what it claims, if anything.
type origin struct {
	at    preproc.Place
	claim *Claim
}

// Claim is what the theorem or invariant with a label is there for, nil if it only says what the kernel does.
func (m *Model) Claim(label string) *Claim { return m.claims[label] }

// Guesses reports whether the model claims something of a kind.
func (m *Model) Guesses(kinds ...ClaimKind) bool {
	return slices.ContainsFunc(m.lines, func(l origin) bool { return l.claim != nil && slices.Contains(kinds, l.claim.Kind) })
}

// Without is the model without some of its claims.
func (m *Model) Without(dropped map[*Claim]bool) *Model {
	out := *m
	out.lines = nil
	var text strings.Builder
	for i, line := range strings.SplitAfter(m.Text, "\n") {
		if i == len(m.lines) { // behind the last line
			break
		}
		if l := m.lines[i]; l.claim == nil || !dropped[l.claim] {
			text.WriteString(line)
			out.lines = append(out.lines, l)
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

// Scope is which pairs of threads a model is about.
type Scope uint8

// The scopes.
const (
	Group Scope = iota // two threads of one group
	Grid               // two threads of different groups
	Warp               // two threads of one warp, where lanes of a warp meet; those of Group are of different warps then
	scopes
)

// NoPair says that no two threads are of which the model of s speaks.
func (s *Search) NoPair() string {
	of, between := "of a group", "races and barriers within a group"
	switch {
	case s.b.scope == Grid:
		of, between = "of different groups", "races between groups"
	case s.b.scope == Warp:
		of, between = "of a warp", "races and barriers within a warp"
	case s.b.p.MeetsInWarps():
		of, between = "of a group in different warps", "races and barriers between warps"
	}
	return "no two threads " + of + " satisfy the preconditions and assumptions, so " + between + " are not checked"
}
