package explore

import (
	"bytes"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/trace"
)

// parents is the first run to a stored state.
func (s *search) parents(id states.ID) [][]byte {
	var path [][]byte
	for ; id != states.None; id = s.st.Parent(id) {
		path = append(path, s.st.At(id))
	}
	slices.Reverse(path)
	return path
}

// trace shows a run through states. Events and parameters are found again by firing the events: each step
// is one of the machine, however its states came to be known.
func (s *search) trace(path [][]byte) *Trace {
	t := trace.Empty(s.p)
	var before []byte
	for _, after := range path {
		step, reached := s.stepTo(before, after)
		if reached == nil {
			panic("no event leads from a state of a run to the next one")
		}
		t.Append(step, reached)
		before = reached
	}
	return t
}

// stepTo is the first step from before (nil at the initialisation) to a state, or to one that a search takes
// for it, which is returned as well; nil if none is there.
func (s *search) stepTo(before, after []byte) (step Step, reached []byte) {
	pack := func(frame *formula.Frame) []byte { return s.p.Pack(nil, frame) }
	if s.sym != nil {
		r := s.sym.Reducer(s.p)
		pack = func(frame *formula.Frame) []byte {
			was := r.Reduce(frame)
			defer s.p.SetAfter(frame, was)
			return s.p.Pack(nil, frame)
		}
	}
	first, last := 0, 0
	if before != nil {
		first, last = 1, len(s.p.Events)
	}
	for event := first; event <= last && reached == nil; event++ {
		step, reached = trace.Find(s.p, s.ctx, event, before, func(frame *formula.Frame) bool { return bytes.Equal(pack(frame), after) })
	}
	return step, reached
}
