package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/symmetry"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Run explores machine m under set-up in, breadth-first from its initial states.
func Run(ctx context.Context, machine *model.Machine, in *Instance, opt Options) (r *Result, err error) {
	defer abort.Contain(machine.Name, &err)
	s, err := newSearch(ctx, machine, in, opt)
	if err != nil {
		return nil, err
	}
	if opt.Ends != 0 {
		k, err := s.p.Goal(opt.Ends)
		if err != nil {
			return nil, err
		}
		s.mayEnd = &k
	}
	if opt.Goal != 0 {
		k, err := s.p.Goal(opt.Goal)
		if err != nil {
			return nil, err
		}
		s.goal = &k
		// A reduced search must not step past the states that the goal is about.
		s.preserve(k.Term)
	}
	if err := s.reduce(machine, in); err != nil {
		return nil, err
	}
	r = s.run(ctx)
	if opt.Temporal != nil && len(r.Findings) == 0 {
		var wrong error
		s.bound(abort.Bounded(func() { wrong = s.temporal(ctx) }))
		if wrong != nil {
			return nil, wrong
		}
	}
	if err := s.claims(ctx, in); err != nil {
		return nil, err
	}
	var drawing error
	s.bound(abort.Bounded(func() {
		if opt.Coverage {
			r.Coverage = s.coverage(ctx)
		}
		if opt.Graph.Most > 0 {
			r.Graph, drawing = picture.Of(ctx, s.p, s.st, opt.Graph)
		}
		if opt.Sample > 0 {
			r.Sample = s.sample(opt.Sample)
		}
	}))
	if drawing != nil {
		return nil, drawing
	}
	// The states of another machine than the one that was written.
	if !machine.Whole {
		s.bound("an inaccurate machine: its missing parts may allow other states")
	}
	return r, nil
}

// run searches the states in the way that the options choose.
func (s *search) run(ctx context.Context) *Result {
	if !s.opt.NoInvariants {
		s.given(ctx, s.p.Machine.Contexts)
	}
	first := s.initial(ctx)
	none := first.empty()
	switch {
	case s.opt.Disk != "":
		s.onDisk(ctx, first)
	case s.opt.BitState > 0:
		s.bitState(ctx, first)
	default:
		s.from(ctx, s.merge(s.outs[:1]))
	}
	// Of no state everything is true: that nothing was seen must not pass for success,
	// unless something else says why.
	r := s.result
	if none && !s.opt.NoInvariants && r.Why == "" && len(r.Findings) == 0 && len(s.cut) == 0 && len(s.p.Hidden) == 0 {
		r.Verdict = Counterexample
		r.Findings = append(r.Findings, Finding{NoBeginning, model.InitLabel, "", trace.Empty(s.p)})
	}
	for again := s.cycleProviso(ctx); len(again) > 0; again = s.cycleProviso(ctx) {
		s.from(ctx, again)
	}
	r.States, r.Memory, r.Width = s.kept.Len(), s.stored(), s.kept.Width()
	if r.Why != "" {
		r.Growing = s.growing()
	}
	if len(s.cut) > 0 {
		slices.Sort(s.cut)
		s.bound("the bounds of " + strings.Join(slices.Compact(s.cut), ", "))
	}
	for _, term := range s.p.Hidden {
		s.bound("values at which " + formula.Excerpt(text.Term(s.p.Compiler.Bank, term)) + " may have no value: they are not all tried")
	}
	if len(r.Unchecked) > 0 && !s.opt.NoInvariants {
		s.bound("an invariant that cannot be evaluated")
	}
	for _, doubt := range slices.Sorted(maps.Keys(s.doubts)) {
		s.unseen = append(s.unseen, fmt.Sprintf("%s, in %d of the states", doubt, s.doubts[doubt]))
	}
	// What the constants satisfy in addition to the axioms has no effect on in which states there are.
	r.Unchecked = append(r.Unchecked, s.unseen...)
	return r
}

// from searches from states that are stored already.
func (s *search) from(ctx context.Context, open states.Frontier) {
	switch {
	case s.opt.Order == RandomWalks:
		s.walks(ctx, open.States())
	case s.opt.Order == DepthFirst:
		s.descend(ctx, open)
	default:
		for len(open) > 0 && s.result.Why == "" {
			open = s.level(ctx, open)
		}
	}
}

// reduce sets up symmetry, if it is asked for. ordered are expressions that
// are read in addition to the formulas of the machine, and whose values are compared.
func (s *search) reduce(machine *model.Machine, in *Instance, ordered ...logic.Term) error {
	if !s.opt.Symmetry {
		return nil
	}
	var y *symmetry.Group
	var err error
	var asked []logic.Term
	for _, term := range []logic.Term{s.opt.Goal, s.opt.Ends} {
		if term != 0 {
			asked = append(asked, term)
		}
	}
	s.bound(abort.Bounded(func() {
		y, err = symmetry.Of(s.ctx, s.p, machine, symmetry.Question{Threads: s.opt.Threads, Invariants: !s.opt.NoInvariants, Asked: asked, Ordered: ordered})
	}))
	if err != nil || y == nil {
		return err
	}
	s.result.Symmetric, s.result.Asymmetric = y.Names, y.Notes
	if len(y.Blocks) > 0 {
		s.sym = y
	}
	return nil
}

// stored is the room that states and interned values take, in bytes.
func (s *search) stored() int {
	return s.kept.Memory() + s.p.Space.Memory() + s.steps.memory() + s.reduced.memory()
}
