package explore

import (
	"context"
	"math/rand/v2"

	"github.com/gradine/gradine/explore/internal/states"
)

// longWalk is the length of random walks without a limit on the depth.
const longWalk = 1000

// walks takes random walks from the initial states. Each step goes along one of
// the transitions of the present state, all equally likely.
func (s *search) walks(ctx context.Context, roots []states.ID) {
	rng := rand.New(rand.NewPCG(s.opt.Seed, 0))
	length := s.opt.MaxDepth
	if length <= 0 {
		length = longWalk
	}
	w := s.worker(ctx)
	steps := 0
	for range s.opt.Walks {
		if len(roots) == 0 {
			return
		}
		path := []states.ID{roots[rng.IntN(len(roots))]}
		// A finding on the walk has the walk itself as its trace, not a shortest one.
		s.path = func(states.ID) (out [][]byte) {
			for _, id := range path {
				out = append(out, s.st.At(id))
			}
			return out
		}
		for len(path) <= length && !s.stopped(ctx, steps, 1) {
			steps++
			w.alone(path[len(path)-1])
			moves := s.movesOf(w.o)
			if s.take(w.o); len(moves) == 0 {
				break
			}
			path = append(path, moves[rng.IntN(len(moves))])
			s.result.Depth = max(s.result.Depth, len(path)-1)
		}
	}
	s.bound("the number of random walks")
}

// movesOf inserts the after-states of o and returns them, one that several transitions lead to as often as
// that.
func (s *search) movesOf(o *out) []states.ID {
	var moves []states.ID
	s.st.Reserve(o.transitions)
	for i := range o.used.all() {
		for j, h := range o.heads[i] {
			state := o.states[i][j*s.width() : (j+1)*s.width()]
			id, _ := s.st.Insert(i, state, h.hash, h.from.parent)
			moves = append(moves, id)
		}
	}
	return moves
}
