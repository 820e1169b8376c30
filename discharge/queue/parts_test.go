package queue

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
)

// TestParts: results come in order, whichever part ends first. Parts that the caller does not want are not done. A
// panic reaches the caller.
func TestParts(t *testing.T) {
	for _, atOnce := range []int{0, 1, 3, 50} {
		var done atomic.Int32
		parts := Parts[int]{AtOnce: atOnce, Do: func(_ context.Context, i int) int {
			done.Add(1)
			return i * i
		}}
		var got []int
		for i, x := range parts.InOrder(t.Context(), 20) {
			if i*i != x {
				t.Errorf("part %d is %d", i, x)
			}
			got = append(got, i)
		}
		if len(got) != 20 || !slices.IsSorted(got) || done.Load() != 20 {
			t.Errorf("%d at once: %v, %d done", atOnce, got, done.Load())
		}
		for range parts.InOrder(t.Context(), 0) {
			t.Error("a part of none")
		}
	}
	var done atomic.Int32
	one := Parts[int]{AtOnce: 1, Do: func(ctx context.Context, i int) int {
		if done.Add(1); i > 0 {
			<-ctx.Done() // the caller has left the loop
		}
		return i
	}}
	for range one.InOrder(t.Context(), 100) {
		break
	}
	if n := done.Load(); n > 2 {
		t.Errorf("%d parts were done for one", n)
	}
	broken := Parts[int]{AtOnce: 2, Do: func(_ context.Context, i int) int {
		if i == 3 {
			panic("at 3")
		}
		return i
	}}
	seen := 0
	func() {
		defer func() {
			if p := recover(); p != "at 3" {
				t.Errorf("recovered %v", p)
			}
		}()
		for range broken.InOrder(t.Context(), 9) {
			seen++
		}
	}()
	if seen != 3 {
		t.Errorf("%d parts before the fault", seen)
	}
}
