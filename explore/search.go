package explore

import (
	"context"
	"runtime"
	"sync"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Verdict says how a search ended.
type Verdict string

// The verdicts of a search.
const (
	Complete       Verdict = "complete"       // every reachable state was seen
	Bounded        Verdict = "bounded"        // a limit was reached first
	Counterexample Verdict = "counterexample" // a property fails
)

// Options are what is checked and how far. The zero value checks everything
// without limits, breadth-first on all cores.
type Options struct {
	MaxStates    int  // 0: no limit
	MaxDepth     int  // 0: no limit
	MaxMemory    int  // bytes of the state store; 0: 8 GiB
	Workers      int  // 0: all cores; has no influence on the result
	NoDeadlock   bool // do not look for deadlocks
	NoInvariants bool
	Proved       map[string]bool // labels of invariants that need no property
	Goal         logic.Term      // search for a state that satisfies it; 0: none
	KeepGoing    bool            // count all violations instead of stopping at the first
	Progress     func(states, depth int)
}

// Finding is one property that fails, with the shortest trace to it.
type Finding struct {
	Kind  string // invariant, deadlock, undefined, goal
	Label string // of the invariant or event
	Why   string // of what is undefined
	Trace *Trace
}

// Result is what a search found.
type Result struct {
	Machine     string
	Verdict     Verdict
	Why         string // of a bounded search
	States      int
	Transitions int
	Depth       int
	Deadlocks   int
	Findings    []Finding
	Fired       map[string]int // how often each event fired
	Memory      int            // bytes of the state store
	Width       int            // bytes of a packed state
}

// round is how many states are expanded between two looks at the limits.
const round = 1 << 16

// batch is how many states one goroutine expands at a time.
const batch = 1 << 9

// out is what expanding one batch gave.
type out struct {
	states      [shards][]byte // packed after-states, by shard
	heads       [shards][]head
	fired       []int
	transitions int
	found       []found
	limit       string
	ends        []end
}

// end is a state in which a run ends: where the final predicate holds, or nothing
// but itself can follow.
type end struct {
	state stateID
	value Value
	final bool
}

type head struct {
	hash   uint64
	parent stateID
	event  uint16
}

type found struct {
	kind, label, why string
	state            stateID
}

type search struct {
	p      *program
	opt    Options
	st     *store
	result *Result
	goal   *property
	depth  int

	final     *property // if set, final states are ends, and ends are collected
	objective int       // slot
	ends      []end
}

// Run explores machine m under set-up in, breadth-first from its initial states.
func Run(ctx context.Context, m *model.Machine, in *Instance, opt Options) (*Result, error) {
	s, err := newSearch(m, in, opt)
	if err != nil {
		return nil, err
	}
	if opt.Goal != 0 {
		k, err := s.p.goal(opt.Goal)
		if err != nil {
			return nil, err
		}
		s.goal = &k
	}
	return s.run(ctx), nil
}

func newSearch(m *model.Machine, in *Instance, opt Options) (*search, error) {
	p, err := compile(in.space, in.bank, m, in.values)
	if err != nil {
		return nil, err
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if opt.MaxMemory <= 0 {
		opt.MaxMemory = 8 << 30
	}
	r := &Result{Machine: p.m.Name, Verdict: Complete, Fired: map[string]int{}, Width: p.width}
	return &search{p: p, opt: opt, st: newStore(p.width), result: r}, nil
}

func (s *search) run(ctx context.Context) *Result {
	frontier := s.initial()
	for len(frontier) > 0 && s.result.Why == "" {
		frontier = s.level(ctx, frontier)
	}
	r := s.result
	r.States, r.Memory = s.st.len(), s.st.memory()
	return r
}

// initial inserts the states after the initialisation.
func (s *search) initial() []stateID {
	o := out{fired: make([]int, len(s.p.events)+1)}
	f := s.p.frame()
	s.protect(&o, func() { s.fire(f, &o, s.p.init, 0, noState) })
	return s.merge([]*out{&o})
}

// level expands all states of a frontier and returns the next one.
func (s *search) level(ctx context.Context, frontier []stateID) []stateID {
	if s.opt.MaxDepth > 0 && s.depth >= s.opt.MaxDepth {
		s.bound("depth")
		return nil
	}
	s.depth++
	var next []stateID
	for len(frontier) > 0 {
		n := min(round, len(frontier))
		next = append(next, s.merge(s.expandAll(frontier[:n]))...)
		frontier = frontier[n:]
		if s.opt.Progress != nil {
			s.opt.Progress(s.st.len(), s.depth)
		}
		switch {
		case len(s.result.Findings) > 0 && !s.opt.KeepGoing:
			s.result.Depth = s.depth - 1
			return nil
		case ctx.Err() != nil:
			s.bound("interrupted")
		case s.opt.MaxStates > 0 && s.st.len() >= s.opt.MaxStates && len(next)+len(frontier) > 0:
			s.bound("number of states")
		case s.st.memory() > s.opt.MaxMemory:
			s.bound("memory")
		}
		if s.result.Why != "" {
			return nil
		}
	}
	if len(next) > 0 {
		s.result.Depth = s.depth
	}
	return next
}

func (s *search) bound(why string) {
	s.result.Why = why
	if s.result.Verdict == Complete {
		s.result.Verdict = Bounded
	}
}

// expandAll expands states in batches, in parallel; the order of the results is
// that of the states.
func (s *search) expandAll(states []stateID) []*out {
	outs := make([]*out, (len(states)+batch-1)/batch)
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range min(s.opt.Workers, len(outs)) {
		wg.Go(func() {
			f := s.p.frame()
			for i := range jobs {
				o := &out{fired: make([]int, len(s.p.events)+1)}
				s.protect(o, func() {
					for _, id := range states[i*batch : min(len(states), (i+1)*batch)] {
						s.expand(f, o, id)
					}
				})
				outs[i] = o
			}
		})
	}
	for i := range outs {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return outs
}

// protect turns a limit that is reached inside into a note in o.
func (s *search) protect(o *out, fn func()) {
	defer func() {
		if p := recover(); p != nil {
			l, ok := p.(limitReached)
			if !ok {
				panic(p)
			}
			o.limit = l.what
		}
	}()
	fn()
}

// expand checks one state and computes its successors.
func (s *search) expand(f *frame, o *out, id stateID) {
	p := s.p
	p.unpack(f, s.st.at(id))
	if !s.opt.NoInvariants {
		for i := range p.invs {
			k := &p.invs[i]
			if s.opt.Proved[k.label] {
				continue
			}
			f.undef = ""
			if ok := k.holds(f); f.undef != "" {
				o.found = append(o.found, found{"undefined", k.label, f.undef, id})
			} else if !ok {
				o.found = append(o.found, found{"invariant", k.label, "", id})
			}
		}
	}
	if s.goal != nil {
		f.undef = ""
		if s.goal.holds(f) && f.undef == "" {
			o.found = append(o.found, found{"goal", "", "", id})
		}
	}
	if s.final != nil && s.ended(f, o, id) {
		return
	}
	before := o.transitions
	for i, e := range p.events {
		s.fire(f, o, e, i+1, id)
	}
	if o.transitions == before && !s.opt.NoDeadlock {
		o.found = append(o.found, found{"deadlock", "", "", id})
	}
}

func (s *search) fire(f *frame, o *out, e *event, number int, from stateID) {
	f.undef = ""
	e.fire(f, func(f *frame) bool {
		o.transitions++
		o.fired[number]++
		h := s.p.hash(f)
		sh := shardOf(h)
		o.states[sh] = s.p.pack(o.states[sh], f)
		o.heads[sh] = append(o.heads[sh], head{h, from, uint16(number)})
		return true
	})
	if f.undef != "" {
		o.found = append(o.found, found{"undefined", e.model.Label, f.undef, from})
	}
}

// merge inserts the after-states of outs, shard by shard, and returns the new
// ones. Findings are taken over in the order of the states that they are about.
func (s *search) merge(outs []*out) []stateID {
	var fresh [shards][]stateID
	var wg sync.WaitGroup
	jobs := make(chan int)
	for range s.opt.Workers {
		wg.Go(func() {
			f := s.p.frame()
			hashOf := func(state []byte) uint64 { return s.p.hashOf(f, state) }
			for i := range jobs {
				for _, o := range outs {
					fresh[i] = append(fresh[i], s.st.insertAll(i, o.states[i], o.heads[i], hashOf)...)
				}
			}
		})
	}
	for i := range shards {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	for _, o := range outs {
		s.take(o)
	}
	var next []stateID
	for _, ids := range fresh {
		next = append(next, ids...)
	}
	return next
}

func (s *store) insertAll(i int, states []byte, heads []head, hashOf func([]byte) uint64) []stateID {
	var fresh []stateID
	for j, h := range heads {
		place, isNew := s.shards[i].insert(states[j*s.width:(j+1)*s.width], h.hash, h.parent, h.event, hashOf)
		if isNew {
			fresh = append(fresh, stateID(i)<<indexBits|stateID(place))
		}
	}
	return fresh
}

func (s *search) take(o *out) {
	r := s.result
	s.ends = append(s.ends, o.ends...)
	r.Transitions += o.transitions
	for i, n := range o.fired {
		if n > 0 {
			r.Fired[s.p.label(i)] += n
		}
	}
	if o.limit != "" {
		s.bound(o.limit)
	}
	for _, x := range o.found {
		if x.kind == "deadlock" {
			r.Deadlocks++
		}
		if s.known(x) {
			continue
		}
		r.Verdict = Counterexample
		r.Findings = append(r.Findings, Finding{x.kind, x.label, x.why, s.trace(x.state)})
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

func (p *program) label(event int) string {
	if event == 0 {
		return p.init.model.Label
	}
	return p.events[event-1].model.Label
}
