package explore

import (
	"math/big"
	"math/bits"

	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/value"
)

// growth is how large the values of each variable were in states that are 1, 2, 4, 8 … steps away from the
// initial ones.
type growth [][]*big.Int

// sampled is how many states of a level are looked at.
const sampled = 256

// notices measures the states that were found in a level, if its depth is a power of two.
func (s *search) notices(level states.Frontier) {
	if bits.OnesCount(uint(s.depth)) != 1 || len(level) == 0 {
		return
	}
	variables := s.p.Variables
	values := make([]value.Value, len(variables))
	most := make([]*big.Int, len(variables))
	for _, id := range level.Some(sampled) {
		s.st.Read(id, values)
		for i, v := range variables {
			if !v.Shape.Unbounded() {
				continue
			}
			if n := s.p.Space.Extent(v.Shape, values[i]); most[i] == nil || n.Cmp(most[i]) > 0 {
				most[i] = n
			}
		}
	}
	s.growth = append(s.growth, most)
}

// growing names the variables whose values became larger with each of the last doublings of the depth, up to the
// limit that ended the search. A single doubling says little.
func (s *search) growing() []string {
	n := len(s.growth)
	if n < 3 {
		return nil
	}
	var names []string
	for i, v := range s.p.Variables {
		grows := v.Shape.Unbounded()
		for k := max(1, n-3); k < n && grows; k++ {
			grows = s.growth[k][i].Cmp(s.growth[k-1][i]) > 0
		}
		if grows {
			names = append(names, v.Name)
		}
	}
	return names
}
