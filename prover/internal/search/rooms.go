package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/arith"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/internal/rules"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/internal/trigger"
)

// This file has what each room of the engine owns; the rules of a room stand in files of their own.

// frontier owns what has to be decided: clauses whose guards are true, in the order in which
// they came, and atoms for the time when none of these is left.
type frontier struct {
	*engine
	guards  [][]sat.ID // by literal: clauses that it guards
	open    []sat.ID   // clauses that may need a decision
	head    int        // of open; those before it are satisfied
	marks   []frontMark
	late    []lateEntry
	splits  []sat.Var // atoms to decide when nothing else is left
	isSplit []bool    // by variable
}

// frontMark is the state of the frontier when a level was opened.
type frontMark struct{ open, head int }

// lateEntry is a clause that came to the frontier at a level above that of its guard.
type lateEntry struct {
	id    sat.ID
	level int
}

// terms owns what is known of terms other than atoms: how many steps they are away from the
// sequent, and which of them matter.
type terms struct {
	*engine
	gen      []int16                  // by node: its generation
	relevant []bool                   // by node
	byOp     [logic.NumOps][]euf.Node // relevant nodes
	fresh    []euf.Node               // relevant nodes not yet offered to rules
	offered  []euf.Node               // room for the next list of these
	flat     []euf.Node               // operations on more than two relations, not yet known to be nested
	uses     [][]logic.Op             // by node s: the op of relevant terms op(s)
}

// unfolding owns which literals have been given their meaning, and which wait for it.
type unfolding struct {
	*engine
	pending    [][]sat.Lit               // by generation: literals that became true
	worked     []sat.Lit                 // room for the next list of these
	done       []bool                    // by literal
	choices    []int8                    // by term: 1 if it depends on a witness, -1 if not
	ofPairs    map[logic.Term]logic.Term // the formula that says of a relation that it is functional: its membership
	exhibited  map[logic.Term][]sat.Lit  // by ∃: instances known to imply it
	structured []sat.Lit                 // of which structural rules say something
	unchosen   []sat.Lit                 // ∃ that had a witness when they became true
}

// first reports whether l is to be unfolded for the first time, and notes that it is.
func (un *unfolding) first(l sat.Lit) bool {
	if un.done[l] {
		return false
	}
	un.done[l] = true
	return true
}

// memberships owns what is known of elements of sets, and what is new of it.
type memberships struct {
	*engine
	recent     []sat.Lit  // memberships that became true or false
	merged     []euf.Node // members of set classes that grew
	wanted     []bool     // by node: sets whose elements should be known
	functional []functional
	classes    nodeSet     // of one call of settle
	said       reuse.Index // likewise
}

// functional is r∈σ⇸τ for whole types σ and τ, as a literal that became true.
type functional struct {
	lit sat.Lit
	r   euf.Node
	set logic.Term
}

// instances owns the quantified formulas and rules that are sources of instances, the index of
// their patterns, and the instances made.
type instances struct {
	*engine
	quants    []*quant
	room      reuse.Slab[quant]
	quantOf   map[sat.Lit]*quant
	byPattern [logic.NumOps][]offerTo
	byElement [][]offerTo             // patterns x∈s, by ground node s
	byShape   [logic.NumOps][]offerTo // patterns x∈op(…)
	byUse     [logic.NumOps][]offerTo // patterns x∈s that go with op(s)
	structure [logic.NumOps][]offerTo // first patterns of structural rules
	inner     [logic.NumOps][]offerTo // likewise, of those that apply only if another one asks
	idle      []*matching
	others    nodeSet                   // of one call of matching.with
	known     reuse.Index               // instances, by source and values
	states    []state                   // of these
	made      int                       // their number
	chained   int                       // of those that structural rules made of relations overridden or composed
	domains   map[logic.Term]logic.Term // D of formulas of the sequent that is instantiated with them
	held      []sat.Lit                 // those D that have no instances of their own
	deferred  []deferred
	waiting   []*quant // rules that come in when it matters whether a set is finite
	comparing []*quant // rules that compare counts, until little else is left
	sized     bool     // it matters whether some set is finite
	late      bool     // late triggers are matched, too
	applied   bool     // there are triggers that look at f(s) and at elements of s
}

// offerTo is a place where a term of some operator may match.
type offerTo struct {
	q        *quant
	trig, at int
}

// deferred is an instance whose generation was above the limit.
type deferred struct {
	q    *quant
	vals []logic.Term
	gen  int16
	n    int // its number
}

// state says what became of an instance.
type state uint8

const (
	unmade state = iota
	waits        // with the deferred ones
	made
)

// quant is a quantified formula that became true as a universal statement: ∀ that
// is true or ∃ that is false.
type quant struct {
	id       int
	lit      sat.Lit
	f        logic.Term
	decls    []logic.Type
	gen      int16
	triggers []trigger.Trigger
	uses     int          // instances made
	tuples   [][]euf.Node // the values of those that matching found
	rule     *rules.Rule
}

// matching is the state of one match: the values of slots.
type matching struct {
	e     *engine
	slots []euf.Node
	vals  []logic.Term // of the instance that is being made
}

// nodeSet is a set of nodes that is emptied in no time.
type nodeSet struct {
	stamps []int32 // by node: the epoch in which it was added
	epoch  int32
}

// resorts owns how far the last resorts have got, and what they may still spend.
type resorts struct {
	*engine
	stage  finalStage
	rounds int // of enumeration
	solved int // rounds of solving
}

// finalStage says how far the last resorts have got.
type finalStage uint8

const (
	working finalStage = iota
	saturated
)

// arithmetic connects the arithmetic theory with the rest: literals with its
// atoms, and equalities that congruence finds between integer terms with
// equations that it gets told.
type arithmetic struct {
	e       *engine
	s       *arith.Solver
	known   []bool // by variable: an arithmetic atom
	by      []bool // by variable: the theory has implied it
	queue   []sat.Lit
	shared  []bool // by node: an integer term that the theory knows
	pairs   [][2]euf.Node
	changed bool
	lemmas  int // nonlinear ones, so far

	splits    int   // cuts and branches since the last conflict
	conflicts int64 // those there were then
	pauses    int   // times that splits were put off
	patience  int   // how often nonlinear lemmas were insisted on
}

// askKey names a rule application, so that it is made once.
type askKey struct {
	kind askKind
	a, b logic.Term
}

type askKind uint32

// applications is a set of them.
type applications struct{ keys reuse.Index }

func (s *applications) has(k askKey) bool {
	_, ok := s.keys.Find(uint32(k.kind), uint32(k.a), uint32(k.b))
	return ok
}

func (s *applications) add(k askKey) { s.keys.Of(uint32(k.kind), uint32(k.a), uint32(k.b)) }

const (
	askPair askKind = iota
	askBounds
	askType
	askUnique
	askBool
	askEmpty
	askCompose
	askFinite
	askSolve
	askGraph
	askEqual
	askApply
	askBoolOf
	askUp
	askCompr
	askExtreme
	askRange
	askPrecede
	askSpell
	askEnclose
	askBeyond
	askStructure
	askWithin
	askUnion
)
