package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestBound holds more than the bound: the limit follows what is in use, and is what it was in the end.
func TestBound(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv("GOGC", "")
	const least = 8 << 20
	before := debug.SetMemoryLimit(-1)
	unbound := bound(least)
	held := make([]byte, 3*least)
	becomes(t, 6*least, math.MaxInt64)
	held[0] = 1
	runtime.KeepAlive(held)
	held = nil
	becomes(t, least, 4*least)
	unbound()
	if after := debug.SetMemoryLimit(-1); after != before {
		t.Errorf("the limit is %d and was %d", after, before)
	}
}

// becomes wants the limit to get between two numbers within some collections.
func becomes(t *testing.T, from, to int64) {
	t.Helper()
	for range 1000 {
		runtime.GC()
		if limit := debug.SetMemoryLimit(-1); from <= limit && limit <= to {
			return
		}
		runtime.Gosched() // the cleanup is a goroutine of its own
	}
	t.Errorf("the limit is %d, not in %d to %d", debug.SetMemoryLimit(-1), from, to)
}
