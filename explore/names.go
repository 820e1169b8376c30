package explore

import (
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/symmetry"
	"github.com/gradine/gradine/explore/internal/unwind"
)

// Unbounded is the error of an enumeration without bound.
type Unbounded = formula.Unbounded

// Bounds are the least and the greatest value of an integer.
type Bounds = formula.Bounds

// Fault is an error of the explorer itself. It costs the machine that it happens
// on, nothing else.
type Fault = unwind.Fault

// Threads is a set of identifiers that are declared to be interchangeable.
type Threads = symmetry.Threads
