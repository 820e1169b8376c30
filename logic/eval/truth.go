package eval

// Truth is a truth value of Kleene's strong logic. And is the minimum, Or the
// maximum, Not the negation of numbers.
type Truth int8

// The truth values.
const (
	False   Truth = -1
	Unknown Truth = 0
	True    Truth = 1
)

func (x Truth) String() string { return [...]string{"false", "unknown", "true"}[x+1] }

func truth(x bool) Truth {
	if x {
		return True
	}
	return False
}

// all returns the conjunction of p(0), …, p(n-1).
func all(n int, p func(int) Truth) Truth {
	res := True
	for i := 0; i < n && res != False; i++ {
		res = min(res, p(i))
	}
	return res
}

// some returns the disjunction of p(0), …, p(n-1).
func some(n int, p func(int) Truth) Truth {
	res := False
	for i := 0; i < n && res != True; i++ {
		res = max(res, p(i))
	}
	return res
}

// unless returns x, or its negation if not is set.
func (x Truth) unless(not bool) Truth {
	if not {
		return -x
	}
	return x
}
