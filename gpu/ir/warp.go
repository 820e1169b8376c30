package ir

import (
	"strings"

	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/preproc"
)

// ofWarp is the value of a function of the threads of a warp. What it gives depends on other threads: any value of
// its type covers that, whoever they are. It orders no accesses here, so that what rests on the order of a warp is
// found to race.
func (l *lowerer) ofWarp(c called) *value {
	l.Prog.Warps = true
	if c.Means == builtin.WarpFence {
		return l.forEffects(c)
	}
	return l.anyResult(c)
}

// undeclared refuses a call of what is no function here, with what can be written instead.
func (l *lowerer) undeclared(n string, at preproc.Place) {
	if strings.HasPrefix(n, "__barrier_invariant") {
		l.fail(at, "%s: invariants of barriers are not read; write __assert behind the barrier", n)
	}
	l.fail(at, "function %s, which is not declared; give it a body, or a prototype if it cannot write", n)
}
