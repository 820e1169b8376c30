package parallel_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gradine/gradine/internal/parallel"
)

// TestInOrder: what is done at the same time comes in order, until the reader has had enough;
// and a panic is the reader's, whom it would otherwise end without a word.
func TestInOrder(t *testing.T) {
	for _, atOnce := range []int{1, 3, 100} {
		var got []int
		for i, square := range parallel.InOrder(20, atOnce, func(i int) int { return i * i }) {
			if square != i*i {
				t.Fatalf("%d gives %d", i, square)
			}
			if got = append(got, i); i == 12 {
				break
			}
		}
		if len(got) != 13 || !slices.IsSorted(got) {
			t.Errorf("%d at once: %v", atOnce, got)
		}
		func() {
			defer func() {
				if fault := fmt.Sprint(recover()); fault != "broken" {
					t.Errorf("%d at once: %s", atOnce, fault)
				}
			}()
			for i := range parallel.InOrder(20, atOnce, func(i int) int {
				if i == 7 {
					panic("broken")
				}
				return i
			}) {
				if i >= 7 {
					t.Errorf("%d comes although what is before it broke", i)
				}
			}
		}()
	}
}

// TestStream: what waits for the first of many items is bounded, and so is what is taken ahead of them.
func TestStream(t *testing.T) {
	const n, atOnce, ahead = 10_000, 3, 16
	var taken, done atomic.Int64
	items := func(yield func(int) bool) {
		for i := range n {
			// One waits for room in the order, one for a call, and one is in each call.
			if over := taken.Add(1) - done.Load(); over > ahead+atOnce+2 {
				t.Errorf("%d items are taken that nobody has had", over)
			}
			if !yield(i) {
				return
			}
		}
	}
	begin := make(chan struct{})
	square := func(i int) int {
		if i == 0 {
			<-begin // the others come as far as they can
		}
		if i == ahead/2 {
			close(begin)
		}
		return i * i
	}
	i := 0
	for x := range parallel.Stream(items, atOnce, ahead, square) {
		if x != i*i {
			t.Fatalf("%d gives %d", i, x)
		}
		i++
		done.Add(1)
	}
	if i != n {
		t.Errorf("%d of %d", i, n)
	}
	if fault := fmt.Sprint(func() (fault any) {
		defer func() { fault = recover() }()
		for range parallel.Stream(func(yield func(int) bool) { yield(1); panic("broken") }, 2, 2, func(i int) int { return i }) {
		}
		return nil
	}()); fault != "broken" {
		t.Error(fault)
	}
}
