package explore

import (
	"bytes"
	"context"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// EndSearch looks for the states in which runs end. What is read there is up to
// package simulate.
type EndSearch struct {
	s       *search
	machine *model.Machine
	in      *Instance
}

// End is a state in which a run ends: where the final predicate holds, or nothing
// but itself can follow.
type End struct {
	Final bool
	state states.ID
}

// SearchEnds prepares a search of the part of a machine that cone keeps, nil for all of it.
func SearchEnds(ctx context.Context, machine *model.Machine, in *Instance, cone *program.Cone, opt Options) (*EndSearch, error) {
	opt.view = cone
	s, err := newSearch(ctx, machine, in, opt)
	return &EndSearch{s, machine, in}, err
}

// Program is what is searched. What is read at the ends is compiled for it before Run.
func (e *EndSearch) Program() *program.Program { return e.s.p }

// Run searches up to where final holds. The terms are those that are read at the ends:
// states are taken together only if all of them say the same there. Unless every run is
// known to end, steps are kept for Cycle.
func (e *EndSearch) Run(final *program.Property, read []logic.Term, allEnd bool) (*Result, error) {
	e.s.final = final
	if !allEnd {
		e.s.steps = &stepGraph{}
	}
	if err := e.s.reduce(e.machine, e.in, read...); err != nil {
		return nil, err
	}
	return e.s.run(e.s.ctx), nil
}

// Ends are those that Run has found, in its order.
func (e *EndSearch) Ends() []End { return e.s.ends }

// Load reads an end into a frame of the program.
func (e *EndSearch) Load(f *formula.Frame, at End) { e.s.p.Unpack(f, e.s.st.At(at.state)) }

// Trace is the first run to an end.
func (e *EndSearch) Trace(at End) *Trace { return e.s.trace(e.s.parents(at.state)) }

// Cycle returns a state that can come again for ever, if there is one.
func (e *EndSearch) Cycle() (at End, found bool) {
	at.state = e.s.cycle()
	return at, at.state != states.None
}

// Bound notes why not all was seen, or read; "" stands for no reason.
func (e *EndSearch) Bound(why string) { e.s.bound(why) }

// ended records the state of f if runs end there. What has no value is left to
// the expansion of the state.
func (s *search) ended(f *formula.Frame, o *out, id states.ID) bool {
	final, why := f.Try(s.final.Holds)
	if why != "" {
		o.found = append(o.found, found{NoValueOf, "final", why, id})
		return false
	}
	if !final {
		state := s.load(id, nil)
		var after []byte
		for _, event := range s.p.Events {
			stays, _ := f.Visit(event.Fire, func(f *formula.Frame) bool {
				after = s.p.Pack(after[:0], f)
				return bytes.Equal(after, state)
			})
			if !stays {
				return false
			}
		}
	}
	o.ends = append(o.ends, End{final, id})
	return true
}
