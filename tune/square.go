package tune

import "slices"

// square is a symmetric positive matrix, as those of least squares are.
type square [][]float64

func newSquare(n int) square {
	out := make(square, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}

func (a square) clone() square {
	out := make(square, len(a))
	for i := range a {
		out[i] = slices.Clone(a[i])
	}
	return out
}

// add adds weight ∗ v ∗ vᵀ.
func (a square) add(v []float64, weight float64) {
	for i := range a {
		for k := range a {
			a[i][k] += weight * v[i] * v[k]
		}
	}
}

func (a square) times(v []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		for k := range a {
			out[i] += a[i][k] * v[k]
		}
	}
	return out
}

// inverse is by Gauss and Jordan, without exchanges: the pivots of a positive matrix are
// positive.
func (a square) inverse() square {
	n := len(a)
	left, right := a.clone(), newSquare(n)
	for i := range right {
		right[i][i] = 1
	}
	for p := range n {
		pivot := left[p][p]
		for k := range n {
			left[p][k] /= pivot
			right[p][k] /= pivot
		}
		for i := range n {
			factor := left[i][p]
			if i == p || factor == 0 {
				continue
			}
			for k := range n {
				left[i][k] -= factor * left[p][k]
				right[i][k] -= factor * right[p][k]
			}
		}
	}
	return right
}
