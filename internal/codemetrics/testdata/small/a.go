// Package small is measured by the test.
package small

// T has three fields.
type T struct {
	a, b int
	U
}

// U has one.
type U struct{ c int }

func (t *T) long(n int) (sum int) {
	// One comment line.
	for i := range n { /* and another */
		if i > 1 && t.a > 0 || t.b < 0 {
			sum += i
		}
		switch {
		case i == 2:
			sum += helper(i)
		default:
		}
	}
	return sum
}
