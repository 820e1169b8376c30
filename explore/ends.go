package explore

import (
	"bytes"
	"context"
	"math/big"

	"github.com/gradine/gradine/lang/model"
)

// Ends is what all schedules of a machine end with.
type Ends struct {
	*Result
	Least, Greatest *big.Int // objective over the final states; nil if there are none
	GreatestTrace   *Trace   // a shortest run to a final state with the greatest
	Stuck           *Trace   // a shortest run to a state that is not final and cannot be left; nil if there is none
}

// AllEnds explores all schedules of m up to their final states.
func AllEnds(ctx context.Context, m *model.Machine, in *Instance, g Goal, opt Options) (*Ends, error) {
	opt.NoInvariants, opt.NoDeadlock = true, true
	s, err := newSearch(m, in, opt)
	if err != nil {
		return nil, err
	}
	final, err := s.p.goal(g.Final)
	if err != nil {
		return nil, err
	}
	s.final = &final
	if s.objective, err = s.p.objective(g.Objective); err != nil {
		return nil, err
	}
	if err := s.reduce(m, in, g.Final, s.p.vars[s.objective].term); err != nil {
		return nil, err
	}
	e := &Ends{Result: s.run(ctx)}
	var greatest *end
	for i := range s.ends {
		x := &s.ends[i]
		if !x.final {
			if e.Stuck == nil {
				e.Stuck = s.trace(s.pathTo(x.state))
			}
			continue
		}
		v := s.p.u.toBig(x.value)
		if e.Least == nil || v.Cmp(e.Least) < 0 {
			e.Least = v
		}
		if e.Greatest == nil || v.Cmp(e.Greatest) > 0 {
			e.Greatest, greatest = v, x
		}
	}
	if greatest != nil {
		e.GreatestTrace = s.trace(s.pathTo(greatest.state))
	}
	return e, nil
}

// ended records the state of f if runs end there.
func (s *search) ended(f *frame, o *out, id stateID) bool {
	f.undef = ""
	value := f.slots[s.objective]
	final := s.final.holds(f) && f.undef == ""
	if !final {
		state := s.st.at(id)
		var after []byte
		for _, e := range s.p.events {
			if !e.fire(f, func(f *frame) bool {
				after = s.p.pack(after[:0], f)
				return bytes.Equal(after, state)
			}) {
				return false
			}
		}
	}
	o.ends = append(o.ends, end{id, value, final})
	return true
}
