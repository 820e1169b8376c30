// Package parallel does what is independent at the same time, and hands it over in order: no
// result depends on how many do it.
package parallel

import (
	"iter"
	"sync/atomic"
)

// InOrder yields what do returns for 0 … n-1, in that order, with so many calls of it at once.
func InOrder[T any](n, atOnce int, do func(int) T) iter.Seq2[int, T] {
	type outcome struct {
		value T
		fault any
	}
	return func(yield func(int, T) bool) {
		found := make([]chan outcome, n)
		for i := range found {
			found[i] = make(chan outcome, 1) // a call never waits for its reader
		}
		var next, enough atomic.Int64
		defer enough.Store(1)
		for range min(n, atOnce) {
			go func() {
				for i := next.Add(1) - 1; i < int64(n) && enough.Load() == 0; i = next.Add(1) - 1 {
					func() {
						var x outcome
						defer func() {
							x.fault = recover()
							found[i] <- x
						}()
						x.value = do(int(i))
					}()
				}
			}()
		}
		for i := range n {
			x := <-found[i]
			if x.fault != nil {
				panic(x.fault) // the reader's to contain, which it could not in another goroutine
			}
			if !yield(i, x.value) {
				return
			}
		}
	}
}
