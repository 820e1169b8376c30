package explore

import (
	"context"
	"github.com/gradine/gradine/explore/internal/unwind"
	"math/rand/v2"
)

// longWalk is the length of random walks without a limit on the depth.
const longWalk = 1000

// walks takes random walks from the initial states. Each step goes along one of
// the transitions of the present state, all equally likely.
func (s *search) walks(ctx context.Context, roots []stateID) {
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
		path := []move{{state: roots[rng.IntN(len(roots))]}}
		for len(path) <= length && !s.stopped(ctx, steps, 1) {
			steps++
			w.o = s.output(0)
			w.o.limit = unwind.Bounded(func() { w.expand(path[len(path)-1].state) })
			moves := s.movesOf(w.o)
			if s.take(w.o, path); len(moves) == 0 {
				break
			}
			path = append(path, moves[rng.IntN(len(moves))])
			s.result.Depth = max(s.result.Depth, len(path)-1)
		}
	}
	s.bound("the number of random walks")
}

// movesOf inserts the after-states of o and returns the moves there, duplicates
// included.
func (s *search) movesOf(o *out) []move {
	var moves []move
	for i := range shards {
		for j, h := range o.heads[i] {
			state := o.states[i][j*s.p.Width : (j+1)*s.p.Width]
			place, _ := s.st.insert(i, state, h.hash, h.from)
			moves = append(moves, move{stateID(i)<<indexBits | stateID(place), int(h.from.event)})
		}
	}
	return moves
}
