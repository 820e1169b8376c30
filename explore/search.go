package explore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/stubborn"
	"github.com/gradine/gradine/explore/internal/symmetry"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
)

// Verdict says how a search ended.
type Verdict string

// The verdicts of a search.
const (
	Complete       Verdict = "complete"       // every reachable state was seen
	Bounded        Verdict = "bounded"        // a limit was reached first
	Counterexample Verdict = "counterexample" // a property fails
)

// Order is the order in which a search visits states.
type Order uint8

// The orders.
const (
	BreadthFirst Order = iota // traces are the shortest
	DepthFirst                // on one core; traces are not the shortest
	RandomWalks               // from the initial states; they never see everything
)

// Options are what is checked and how far. The zero value checks everything
// without limits, breadth-first on all cores.
type Options struct {
	MaxStates    int  // 0: no limit
	MaxDepth     int  // 0: no limit
	MaxMemory    int  // bytes of states and values; 0: 8 GiB
	MaxTried     int  // values tried for parameters and bound variables; the search then runs on one core. 0: no limit
	Workers      int  // 0: all cores; has no influence on the result
	NoDeadlock   bool // do not look for deadlocks
	NoInvariants bool
	Proved       []*model.Predicate  // invariants that need not be checked
	Refinement   bool                // match every step by one of the abstract machine
	Symmetry     bool                // take states together that differ in interchangeable identifiers only
	Threads      []symmetry.Threads  // the identifiers in addition to the elements of carrier sets
	Independence *order.Independence // follow, of events that commute, one order only; nil: all
	Coverage     bool                // say what was exercised
	Graph        Drawing             // give a graph of states and transitions
	Sample       int                 // give so many of the states, from all over the search
	Goal         logic.Term          // search for a state that satisfies it; 0: none
	Ends         logic.Term          // where nothing can happen and it holds, the machine has ended: no deadlock; 0: nowhere
	Temporal     *Temporal           // look for a fair run that violates it, in a search without reductions
	Claims       []Claim             // also look for fair runs that violate them
	KeepGoing    bool                // count all violations instead of stopping at the first
	Order        Order
	Walks        int    // number of random walks, if that is the order
	Seed         uint64 // of the random walks
	Disk         string // a directory: states are kept in files there; the search is breadth-first, without what looks at all states later
	MaxDisk      int    // bytes of these files; 0: no limit
	BitState     int    // bytes in which states are known by a few bits each; the search is depth-first and never complete; 0: it is exact
	Member       uint64 // with BitState, of a swarm: its order of states and its hash functions are those of this number; 0: no swarm
	Progress     func(states, depth int)

	shared func() (end func()) // for benchmarks: called when one of the two phases begins that all cores share
	room   int                 // bytes of states that are gathered before they go to disk; 0: a part of the memory
	view   *program.Cone       // nil: the whole machine
}

// The kinds of findings.
const (
	InvariantFails = "invariant"
	Deadlock       = "deadlock"
	NoValueOf      = "undefined"      // an invariant, guard or action has no value
	TheoremFails   = "theorem"        // a theorem among the guards, or the axioms, is false
	NoBeginning    = "initialisation" // no state is possible after it
	GoalReached    = "goal"
	TemporalFails  = "temporal"   // a fair run violates a formula of temporal logic
	NotRefined     = "refinement" // no step of the abstract machine matches one of an event

	inDoubt = "in doubt" // what is asked of a state has no value there: that is counted, and no finding
)

// Finding is one property that fails, with the shortest trace to it.
type Finding struct {
	Kind  string
	Label string // of the invariant (an inherited one with its machine) or event
	Why   string // of what is undefined
	Trace *Trace
}

// Result is what a search found.
type Result struct {
	Machine      string
	Verdict      Verdict
	Goal         bool     // a goal was looked for
	Why          string   // of a bounded search
	Growing      []string // variables whose values grew until a limit ended the search
	Unchecked    []string // invariants and theorems that cannot be evaluated, with the reason
	States       int
	Transitions  int
	Depth        int
	Deadlocks    int
	Findings     []Finding
	Claims       []string            // that all fair runs keep
	Idle         []string            // claims that no state begins, and p of p ⇒ q in a temporal formula, if none satisfies it
	Coverage     *Coverage           // if asked for
	Symmetric    []string            // sets whose elements were taken to be interchangeable
	Asymmetric   []string            // threads that were not, with the reason
	Independence *order.Independence // by which orders of events were left out; nil: none was
	Graph        *Graph              // if asked for and small
	Sample       [][]Binding         // if asked for
	Fired        map[string]int      // how often each event fired
	Memory       int                 // bytes of the state store
	Width        int                 // bytes of a packed state
	Sketch       []uint64            // of a member of a swarm: the least hashes of the states that it met, see package swarm
}

// round is how many states are expanded between two looks at the limits: many for each core of a
// large machine. Near a bound on states the looks are closer: fewRound.
const (
	round    = 1 << 16
	fewRound = 1 << 12
)

// batch is how many states one goroutine expands at a time, at most. A small
// frontier is cut into more pieces, so that no core waits for long.
const batch = 1 << 7

// ahead is how many batches a core expands before what they found is stored. Their successors, each as often
// as it is reached, are all the memory that a search takes in addition to the states. One core alone stores them while its caches
// still have them; several wait for each other each time, so they expand more.
const (
	aheadAlone    = 4
	aheadTogether = 64
)

// out is what expanding one batch gave.
type out struct {
	states      [states.Shards][]byte // packed after-states, by shard
	heads       [states.Shards][]head
	used        shardSet // those that have after-states, or had some
	fired       []int
	enabled     int // transitions, and such as lead beyond the bounds
	transitions int
	found       []found
	limit       string // that ended the batch
	fault       *abort.Fault
	cut         uint64 // bits of the limits that left states out
	ends        []End
	tight       []value.Value // of states that the store has no room for yet: what the batch gave is of no use
	partial     []states.ID   // states of which some transitions were not followed
}

// empty reports whether there are no after-states.
func (o *out) empty() bool {
	for i := range o.used.all() {
		if len(o.heads[i]) > 0 {
			return false
		}
	}
	return true
}

// shardSet is a set of shards: a bit for each.
type shardSet uint64

const _ = shardSet(1 << (states.Shards - 1)) // there are no more bits

// all yields the shards in their order.
func (s shardSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; s != 0 && yield(bits.TrailingZeros64(uint64(s))); s &= s - 1 {
		}
	}
}

// origin is how a state is reached.
type origin struct {
	parent states.ID
	event  uint16 // 0 is the initialisation
}

type head struct {
	hash  uint64
	from  origin
	still bool // the step changes nothing; only if steps are kept

	changed program.Changes
}

type found struct {
	kind, label, why string
	state            states.ID
}

type search struct {
	ctx       context.Context // for what is not a search: traces, coverage
	p         *program.Program
	opt       Options
	kept      keeper                   // where states are kept
	st        *states.Store            // that, if it is a store
	elsewhere bool                     // states are in no store
	lent      []byte                   // the states that are expanded, if they are in no store: their numbers are places there
	path      func(states.ID) [][]byte // the states of a run to one that is expanded
	result    *Result
	goal      *program.Property
	mayEnd    *program.Property
	depth     int
	growth    growth
	unlooked  int // states since the last look at the slower limits
	outs      []*out
	sym       *symmetry.Group // under which states are taken together; nil if there is none
	stubborn  *stubborn.Sets  // nil: all transitions are followed
	steps     *stepGraph      // to find cycles; nil if they do not matter
	reduced   *reducedGraph   // to find what is put off for ever; nil if that does not matter
	found     differences     // of the states that are expanded, level by level
	next      differences     // of those that are found meanwhile
	workers   []*worker
	inserters []*inserter
	shards    []int          // those of an insertion
	expanding []states.ID    // the states of a round
	fresh     []states.ID    // of a search depth-first
	cut       []string       // identifiers whose bounds leave states out
	unseen    []string       // theorems about the constants that were not evaluated, with the reason
	doubts    map[string]int // questions that have no value, in how many states

	final *program.Property // if set, final states are ends, and ends are collected
	ends  []End
}

// errElsewhere says what a search needs a store in memory for.
var errElsewhere = errors.New("states on disk, and bit-state hashing, do without each other, another order, reductions by order, temporal logic, coverage, graphs and samples")

// newSearch prepares a search. The error says which options contradict each other, or what the machine lacks.
func newSearch(ctx context.Context, machine *model.Machine, in *Instance, opt Options) (*search, error) {
	elsewhere := opt.Disk != "" || opt.BitState > 0
	if elsewhere && (opt.Disk != "" && opt.BitState > 0 || opt.Order != BreadthFirst || opt.Independence != nil || opt.Temporal != nil || opt.Coverage || opt.Graph.Most > 0 || opt.Sample > 0) {
		return nil, errElsewhere
	}
	if opt.Temporal != nil && (opt.Order == RandomWalks || opt.Symmetry || opt.Independence != nil) {
		return nil, errors.New("temporal logic needs all states and steps: no reductions, no random walks")
	}
	if opt.Disk != "" {
		if at, err := os.Stat(opt.Disk); err != nil || !at.IsDir() {
			return nil, fmt.Errorf("states cannot be kept in %s, which is not a directory", opt.Disk)
		}
	}
	if len(opt.Proved) > 0 {
		rest := *machine
		proved := func(inv *model.Predicate) bool { return slices.Contains(opt.Proved, inv) }
		rest.Inherited = slices.DeleteFunc(slices.Clone(machine.Inherited), proved)
		rest.Invariants = slices.DeleteFunc(slices.Clone(machine.Invariants), proved)
		machine = &rest
	}
	compiled, err := program.CompileInto(in.Set, machine, &program.Program{Refines: opt.Refinement, Theorems: !opt.NoInvariants, Cone: opt.view})
	if err != nil {
		return nil, err
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if opt.MaxTried > 0 {
		opt.Workers = 1 // what several count each by themselves would depend on who did what
	}
	if opt.MaxMemory <= 0 {
		opt.MaxMemory = 8 << 30
	}
	compiled.Space.Most = opt.MaxMemory
	r := &Result{Goal: opt.Goal != 0, Machine: compiled.Machine.Name, Verdict: Complete, Fired: map[string]int{}, Unchecked: compiled.Unchecked}
	s := &search{ctx: ctx, p: compiled, opt: opt, elsewhere: elsewhere, st: states.New(compiled.Shapes()), result: r, cut: compiled.Compiler.Cut, doubts: map[string]int{}}
	s.kept, s.path = s.st, s.parents
	if opt.Temporal != nil {
		s.steps = &stepGraph{all: true}
	}
	s.bound(abort.Bounded(s.partialOrder))
	return s, nil
}

// memory is stored, and what the batches under way take.
func (s *search) memory() int {
	n := s.stored() + s.found.memory() + s.next.memory()
	for _, o := range s.outs {
		for i := range states.Shards {
			n += cap(o.states[i]) + int(unsafe.Sizeof(head{}))*cap(o.heads[i])
		}
	}
	return n
}

// initial computes the states after the initialisation.
func (s *search) initial(ctx context.Context) *out {
	w := s.worker(ctx)
	return s.fitted(func() []*out {
		w.o = s.output(0)
		s.p.Anywhere(w.f, &w.hash)
		w.o.limit = abort.Bounded(func() { w.fire([]*program.Event{s.p.Init}, 0, states.None) })
		return s.outs[:1]
	})[0]
}

// fitted expands until the store has room for all successors. The store uses as few bits per state as the states so far need. It
// must rarely be widened; then all states are packed again.
func (s *search) fitted(expand func() []*out) []*out {
	for {
		outs, tight := expand(), false
		for _, o := range outs {
			for state := range slices.Chunk(o.tight, max(1, len(s.p.Variables))) {
				s.st.Widen(state)
				tight = true
			}
		}
		if !tight {
			return outs
		}
	}
}

// descend explores depth-first.
func (s *search) descend(ctx context.Context, roots states.Frontier) {
	type item struct {
		state states.ID
		depth int
	}
	var stack []item
	push := func(open states.Frontier, depth int) {
		// The first successor is to be on top.
		for _, id := range slices.Backward(open.States()) {
			stack = append(stack, item{id, depth})
		}
	}
	push(roots, 0)
	w := s.worker(ctx)
	for n := 0; len(stack) > 0 && !s.stopped(ctx, n, len(stack)); n++ {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s.depth = max(s.depth, top.depth)
		s.result.Depth = s.depth
		w.alone(top.state)
		if s.opt.MaxDepth > 0 && top.depth >= s.opt.MaxDepth {
			if w.o.transitions > 0 {
				s.bound("depth")
			}
			s.take(w.o)
			continue
		}
		before := len(s.fresh)
		s.mergeOne(s.outs[0])
		push(states.Of(s.fresh[before:]), top.depth+1)
		s.fresh = s.fresh[:before]
	}
}

// stopped reports whether the search has ended with open states left; n counts
// the calls, which look at the slower limits only now and then.
func (s *search) stopped(ctx context.Context, n, open int) bool {
	if n%1024 == 0 {
		if s.opt.Progress != nil {
			s.opt.Progress(s.kept.Len(), s.depth)
		}
		switch {
		case ctx.Err() != nil:
			s.bound(abort.Ended(ctx))
		case s.memory() > s.opt.MaxMemory:
			s.bound("memory")
		}
	}
	// As many states as the bound allows may be all.
	if s.opt.MaxStates > 0 && s.kept.Len() > s.opt.MaxStates && open > 0 {
		s.bound("number of states")
	}
	return s.result.Why != "" || len(s.result.Findings) > 0 && !s.opt.KeepGoing
}

// level expands all states of a frontier and returns the next one.
func (s *search) level(ctx context.Context, open states.Frontier) states.Frontier {
	if s.opt.MaxDepth > 0 && s.depth >= s.opt.MaxDepth {
		s.bound("depth")
		return nil
	}
	s.depth++
	// What is expanded was found in the level before, or is nothing that was noted.
	s.found, s.next = s.next, s.found.from(s.st.Mark())
	var next states.Frontier
	for len(open) > 0 {
		var ids []states.ID
		ids, open = open.Take(s.expanding[:0], s.round())
		s.expanding = ids
		before := s.st.Mark()
		s.inBatches(ids, func(group []states.ID, size int) { s.insert(s.expandAll(ctx, group, size)) })
		next = append(next, s.st.Since(before)...)
		// What was expanded since the last look at the slower limits.
		if s.unlooked += len(ids); s.unlooked >= round {
			s.unlooked = 0
		}
		if s.stopped(ctx, s.unlooked, len(next)+len(open)) {
			s.result.Depth = s.depth - 1
			return nil
		}
	}
	if len(next) > 0 {
		s.result.Depth = s.depth
	}
	s.bound(abort.Bounded(func() { s.notices(next) }))
	return next
}

// round is how many states are expanded before the next look at the limits. It does not depend on
// the number of cores, so that a search that a limit ends has seen the same states.
func (s *search) round() int {
	if most := s.opt.MaxStates; most > 0 {
		return min(round, max(fewRound, most-s.kept.Len()))
	}
	return round
}

// bound notes why the search has not seen everything; "" stands for no reason.
func (s *search) bound(why string) {
	if why == "" {
		return
	}
	if s.result.Why == "" {
		s.result.Why = why
	}
	if s.result.Verdict == Complete {
		s.result.Verdict = Bounded
	}
}

// worker expands states. It belongs to one goroutine at a time.
type worker struct {
	s    *search
	f    *formula.Frame
	o    *out
	from origin
	leaf formula.Then      // reach, or gather, as a value made once
	sym  *symmetry.Reducer // nil if there is no symmetry

	chooser  *stubborn.Chooser // nil: all transitions are followed
	memo     [][]remembered    // of each invariant; nil at first
	expanded int               // states so far

	hash program.Hashed // of the state that is expanded

	ill bool // an event has no value in the state that is expanded
}

func (s *search) worker(ctx context.Context) *worker {
	w := &worker{s: s, f: s.p.Frame(ctx)}
	w.f.Most = s.opt.MaxTried
	w.leaf = w.reach
	if s.sym != nil {
		w.sym = s.sym.Reducer(s.p)
	}
	if s.stubborn != nil {
		w.chooser = s.stubborn.Chooser()
	}
	return w
}

// alone expands one state.
func (w *worker) alone(id states.ID) {
	w.s.fitted(func() []*out {
		w.o = w.s.output(0)
		w.o.limit = abort.Bounded(func() { w.expand(id) })
		return w.s.outs[:1]
	})
}

// output returns the k-th of the outputs that are used again and again.
func (s *search) output(k int) *out {
	for len(s.outs) <= k {
		s.outs = append(s.outs, &out{fired: make([]int, len(s.p.Events)+1)})
	}
	o := s.outs[k]
	for i := range o.used.all() {
		o.states[i], o.heads[i] = o.states[i][:0], o.heads[i][:0]
	}
	o.used = 0
	clear(o.fired)
	o.enabled, o.transitions, o.found, o.limit, o.fault, o.cut, o.ends, o.tight, o.partial = 0, 0, nil, "", nil, 0, nil, nil, nil
	return o
}

// inBatches cuts a round into groups of batches, which are expanded together; how large the batches are does not depend on the
// number of cores.
func (s *search) inBatches(ids []states.ID, each func(ids []states.ID, size int)) {
	// Small frontiers are cut finer, so that all workers have something to do.
	size := min(batch, max(len(ids)/128, 16))
	ahead := aheadTogether
	if s.opt.Workers == 1 {
		ahead = aheadAlone
	}
	for group := range slices.Chunk(ids, size*ahead*s.opt.Workers) {
		each(group, size)
	}
}

// expandAll expands states in batches of a size, in parallel; the order of the results is
// that of the states.
func (s *search) expandAll(ctx context.Context, ids []states.ID, size int) []*out {
	n := (len(ids) + size - 1) / size
	for k := len(s.workers); k < min(s.opt.Workers, n); k++ {
		s.workers = append(s.workers, s.worker(ctx))
	}
	return s.fitted(func() []*out {
		for i := range n {
			s.output(i)
		}
		s.share(n, n > 1, func(i, k int) {
			w := s.workers[k]
			w.o = s.outs[i]
			w.o.limit, w.o.fault = abort.Caught(func() {
				for _, id := range ids[i*size : min(len(ids), (i+1)*size)] {
					w.expand(id)
				}
			})
		})
		return s.outs[:n]
	})
}

// share does n jobs on as many cores as there may be, or on this one: to wake others costs more than
// a few states. do is told the number of the job, and that of the core.
func (s *search) share(n int, wide bool, do func(job, core int)) {
	if s.opt.shared != nil {
		defer s.opt.shared()()
	}
	if !wide || s.opt.Workers == 1 {
		for i := range n {
			do(i, 0)
		}
		return
	}
	var wg sync.WaitGroup
	var next atomic.Int64
	for core := range min(s.opt.Workers, n) {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				do(int(i-1), core)
			}
		})
	}
	wg.Wait()
}

// load appends a state that is expanded, or stored, to buf.
func (s *search) load(id states.ID, buf []byte) []byte {
	if s.lent != nil {
		return append(buf, s.lent[int(id)*s.p.Width:][:s.p.Width]...)
	}
	return s.st.Load(id, buf)
}

// load reads a state that is expanded into the frame.
func (w *worker) load(id states.ID) {
	if w.s.lent != nil {
		w.s.p.Unpack(w.f, w.s.lent[int(id)*w.s.p.Width:])
	} else {
		w.s.st.Read(id, w.s.p.Before(w.f))
	}
}

// pack appends the after-state in the frame to buf, as the store holds it, or as the program does for a search that has
// no store. What the store has no room for yet is noted.
func (w *worker) pack(buf []byte) []byte {
	if w.s.elsewhere {
		return w.s.p.Pack(buf, w.f)
	}
	after := w.s.p.After(w.f)
	longer, fits := w.s.st.Pack(after, buf)
	if !fits {
		w.o.tight = append(w.o.tight, after...)
		return append(longer, make([]byte, w.s.st.Width())...)
	}
	return longer
}

// width is how many bytes a packed state has in an output.
func (s *search) width() int {
	if s.elsewhere {
		return s.p.Width
	}
	return s.st.Width()
}

// expand checks one state and computes its successors.
func (w *worker) expand(id states.ID) {
	s, compiled, frame, o := w.s, w.s.p, w.f, w.o
	w.load(id)
	compiled.Hash(frame, &w.hash)
	if !s.opt.NoInvariants {
		w.checkInvariants(id, s.found.of(id))
	}
	if s.goal != nil {
		ok, why := frame.Try(s.goal.Holds)
		if ok {
			o.found = append(o.found, found{GoalReached, "", "", id})
		} else if why != "" {
			o.found = append(o.found, found{inDoubt, "the goal", why, id})
		}
	}
	if s.final != nil && s.ended(frame, o, id) {
		return
	}
	before := o.enabled
	w.ill = false
	if w.chooser != nil {
		w.expandSome(id)
	} else {
		w.fire(compiled.Events, 1, id)
	}
	if o.enabled == before && !w.ill && !s.opt.NoDeadlock && !w.hasEnded(id) {
		o.found = append(o.found, found{Deadlock, "", "", id})
	}
}

// hasEnded reports whether the machine may end in the state that is expanded, in which nothing can
// happen. The frame may hold another state by now.
func (w *worker) hasEnded(id states.ID) bool {
	if w.s.mayEnd == nil {
		return false
	}
	w.load(id)
	holds, why := w.f.Try(w.s.mayEnd.Holds)
	if why != "" {
		w.o.found = append(w.o.found, found{inDoubt, "whether the machine may end", why, id})
	}
	return holds
}

// fire follows the transitions of events from a state; they have the numbers from first on. An event that
// has no value there, for some of its instances, has none of them: how many come before
// depends on the order of an enumeration.
func (w *worker) fire(events []*program.Event, first int, from states.ID) {
	for n := 0; n < len(events); {
		n += w.fireOn(events[n:], first+n, from)
	}
}

// fireOn is fire up to the first event that has no value, and returns how many that are. To catch what has
// none costs more than to fire many an event: it is done once for all.
func (w *worker) fireOn(events []*program.Event, first int, from states.ID) (done int) {
	o, frame := w.o, w.f
	var enabled, transitions, fired, moves int
	var cut uint64
	defer func() {
		if r := recover(); r != nil {
			label, why := events[done].Model.Label, abort.Why(r)
			o.found = append(o.found, found{NoValueOf, label, why, from})
			o.enabled, o.transitions, o.fired[first+done], o.cut = enabled, transitions, fired, cut
			o.drop(w.from, w.s.width())
			if w.chooser != nil {
				w.chooser.Drop(moves, w.s.width())
			}
			w.ill = true
			w.refined(label, from)
			done++
		}
	}()
	for ; done < len(events); done++ {
		frame.Unmatched, frame.Broken = false, frame.Broken[:0]
		w.from = origin{from, uint16(first + done)}
		// These are the counts before the event: if it has no value, its unfinished steps are taken back.
		enabled, transitions, fired, cut = o.enabled, o.transitions, o.fired[first+done], o.cut
		if w.chooser != nil {
			moves = len(w.chooser.Moves)
		}
		event := events[done]
		event.Fire(frame, w.leaf)
		for _, label := range frame.Broken {
			o.found = append(o.found, found{TheoremFails, label, "", from})
		}
		w.refined(event.Model.Label, from)
	}
	return done
}

// refined notes a step of an event that no abstract one matches.
func (w *worker) refined(label string, from states.ID) {
	if w.f.Unmatched {
		w.o.found = append(w.o.found, found{NotRefined, label, "", from})
	}
}

// drop forgets the transitions of an origin, which are the last ones.
func (o *out) drop(from origin, width int) {
	for i := range o.used.all() {
		n := len(o.heads[i])
		for n > 0 && o.heads[i][n-1].from == from {
			n--
		}
		o.heads[i], o.states[i] = o.heads[i][:n], o.states[i][:n*width]
	}
}

// reach takes note of the after-state in the frame.
func (w *worker) reach(frame *formula.Frame) bool {
	o, compiled := w.o, w.s.p
	o.enabled++
	if len(compiled.Limits) > 0 {
		if beyond := compiled.Beyond(frame); beyond >= 0 {
			o.cut |= 1 << beyond
			return true
		}
	}
	o.transitions++
	o.fired[w.from.event]++
	still := w.s.steps != nil && compiled.Still(frame)
	if w.sym != nil {
		was := w.sym.Reduce(frame)
		w.keep(frame, still)
		compiled.SetAfter(frame, was)
		return true
	}
	w.keep(frame, still)
	return true
}

// keep puts the after-state of f into the output.
func (w *worker) keep(f *formula.Frame, still bool) {
	o, p := w.o, w.s.p
	h, changed := p.HashAfter(f, &w.hash)
	packed := o.add(head{h, w.from, still, changed})
	*packed = w.pack(*packed)
}

// add takes note of an after-state, and returns where it has to be packed: at the end.
func (o *out) add(h head) *[]byte {
	i := states.ShardOf(h.hash)
	o.used |= 1 << i
	o.heads[i] = append(o.heads[i], h)
	return &o.states[i]
}

// merge inserts the after-states of outs, shard by shard, and returns the new
// ones. Findings are taken over in the order of the states that they are about.
func (s *search) merge(outs []*out) states.Frontier {
	before := s.st.Mark()
	s.insert(outs)
	return s.st.Since(before)
}

// insert is merge for callers who know where new states stand.
func (s *search) insert(outs []*out) {
	for k := len(s.inserters); k < s.opt.Workers; k++ {
		s.inserters = append(s.inserters, &inserter{s: s})
	}
	some := 0
	var used shardSet
	for _, o := range outs {
		some += o.transitions
		used |= o.used
	}
	s.st.Reserve(some)
	shards := slices.AppendSeq(s.shards[:0], used.all())
	s.shards = shards
	var limits [states.Shards]string
	var faults [states.Shards]*abort.Fault
	s.share(len(shards), some >= batch, func(i, k int) {
		limits[i], faults[i] = abort.Caught(func() { s.inserters[k].insert(shards[i], outs) })
	})
	for _, o := range outs {
		s.take(o)
	}
	for i := range shards {
		if faults[i] != nil {
			panic(faults[i])
		}
		s.bound(limits[i])
	}
}

// mergeOne is merge of what one state led to; it appends the new states to s.fresh. All shards would
// cost more than the few that it needs.
func (s *search) mergeOne(o *out) {
	if len(s.inserters) == 0 {
		s.inserters = append(s.inserters, &inserter{s: s})
	}
	s.st.Reserve(o.transitions)
	s.bound(abort.Bounded(func() {
		for i := range o.used.all() {
			before := s.st.In(i)
			s.inserters[0].insert(i, []*out{o})
			s.fresh = s.st.Behind(s.fresh, i, before)
		}
	}))
	s.take(o)
}

// inserter inserts states into shards, so many at once as are looked up together. It belongs to
// one goroutine at a time.
type inserter struct {
	s      *search
	packed []byte
	heads  [states.Together]*head
	hashes [states.Together]uint64
	known  [states.Together]states.ID
	n      int // gathered
}

// insert inserts the states of shard i, in the order of outs.
func (x *inserter) insert(i int, outs []*out) {
	width := x.s.width()
	x.n, x.packed = 0, x.packed[:0] // an insertion before may have been broken off
	for _, o := range outs {
		// Of one batch a shard has few: they are gathered, to be looked up together.
		for j := 0; j < len(o.heads[i]); {
			n := min(len(o.heads[i])-j, states.Together-x.n)
			for k := range n {
				h := &o.heads[i][j+k]
				x.heads[x.n+k], x.hashes[x.n+k] = h, h.hash
			}
			x.packed = append(x.packed, o.states[i][j*width:(j+n)*width]...)
			x.n += n
			j += n
			if x.n == states.Together {
				x.flush(i, width)
			}
		}
	}
	x.flush(i, width)
}

// flush inserts what is gathered.
func (x *inserter) flush(i, width int) {
	s, n := x.s, x.n
	packed := x.packed
	x.n, x.packed = 0, packed[:0]
	if n == 0 {
		return
	}
	s.st.Find(i, packed, x.hashes[:n], &x.known)
	for k, h := range x.heads[:n] {
		id, isNew := x.known[k], false
		if id == states.None {
			id, isNew = s.st.Insert(i, packed[k*width:(k+1)*width], h.hash, h.from.parent)
		}
		if isNew {
			s.next.note(i, *h)
		}
		if s.steps != nil && h.from.parent != states.None && (s.steps.all || !h.still) {
			s.steps.edges[i] = append(s.steps.edges[i], edgeOf(h.from.parent, id, h.from.event))
		}
	}
}

// take takes over what was found.
func (s *search) take(o *out) {
	if o.fault != nil {
		panic(o.fault)
	}
	r := s.result
	s.ends = append(s.ends, o.ends...)
	if s.reduced != nil {
		s.reduced.note(o.partial)
	}
	r.Transitions += o.transitions
	for i, l := range s.p.Limits {
		if o.cut>>i&1 == 1 {
			s.cut = append(s.cut, s.p.Variables[l.Variable].Name)
		}
	}
	for i, n := range o.fired {
		if n > 0 {
			r.Fired[s.p.Label(i)] += n
		}
	}
	s.bound(o.limit)
	// Of several findings about one property the first counts: batches come in the
	// order of their states, whichever core had them.
	for _, x := range o.found {
		switch x.kind {
		case Deadlock:
			r.Deadlocks++
		case inDoubt:
			s.doubts[x.label+": "+x.why]++
			continue
		}
		if s.known(x) {
			continue
		}
		r.Verdict = Counterexample
		f := Finding{x.kind, x.label, x.why, trace.Empty(s.p)}
		s.bound(abort.Bounded(func() { f.Trace = s.trace(s.path(x.state)) }))
		r.Findings = append(r.Findings, f)
	}
}

// known reports whether the same property already failed elsewhere.
func (s *search) known(x found) bool {
	for _, f := range s.result.Findings {
		if f.Kind == x.kind && f.Label == x.label {
			return true
		}
	}
	return false
}
