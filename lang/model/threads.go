package model

import "github.com/gradine/gradine/logic"

// Threads is what a reader may know of a machine whose runs are those of two threads
// that stand for all threads of a kernel. It adds nothing to the meaning of the machine:
// it says where to look for invariants. Terms are over the variables and the constants
// of the machine.
type Threads struct {
	Accesses   []Access
	Identities []Identity // of the parts that the identity of a thread has: first thread, then second
	Pairs      []Pair     // a variable of the first thread, and that of the second
	Loops      []Loop

	SameGroup logic.Term // predicate: both threads are of one group; 0 if nothing is known of groups
	SameWarp  logic.Term // predicate: both run in lock step; 0 if nothing is known of that
}

// AccessKind is what an access does.
type AccessKind uint8

// The kinds of access.
const (
	Read AccessKind = iota
	Write
	Atomic
)

// Access is what the machine remembers of the accesses of one thread to one array, of one
// kind, that no barrier has ended. It remembers the set of all their offsets (Offsets),
// or whether there is one, and the offset of one of them (Pending, Offset).
type Access struct {
	Array   string
	Kind    AccessKind
	Thread  int        // 0 or 1
	Offsets logic.Term // a set of integers; 0 if there are the other two
	Pending logic.Term // predicate
	Offset  logic.Term // integer
	Sites   []Site
}

// Site is a place of the text that makes such an access.
type Site struct {
	Offset logic.Term   // in the state of the access
	Under  []logic.Term // conditions of the text around it, the outermost first
}

// Identity is one part of the identity of a thread, such as its number in its group.
type Identity struct {
	Thread int        // 0 or 1
	Term   logic.Term // integer
	Size   logic.Term // how many values it has; 0 if that is unknown
	Group  bool       // it is a number of the group, not of the thread in it
}

// Pair is one variable of the text, in both threads.
type Pair struct{ First, Second logic.Term }

// Loop is a loop of the text.
type Loop struct {
	Head     logic.Term      // predicate: control stands at its head; 0 if it always does
	Barrier  bool            // a barrier stands in it
	Enabled  [2]logic.Term   // by thread: predicate that it takes part in the loop; 0 if all do
	Under    [2][]logic.Term // by thread: conditions of the text around it, the outermost first
	Guard    [2]logic.Term   // by thread: condition of the loop
	Counters []Counter
	Changed  []logic.Term // variables that the body assigns
}

// Counter is a variable of the condition of a loop, and its value before the loop.
type Counter struct {
	Thread       int
	Term, Before logic.Term // integers
}
