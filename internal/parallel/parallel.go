// Package parallel runs independent work concurrently and delivers results in order. No result
// depends on the number of goroutines.
package parallel

import "iter"

// InOrder yields what do returns for 0 … n-1, in that order, with so many calls of it at once.
func InOrder[T any](n, atOnce int, do func(int) T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for x := range Stream(Numbers(n), min(n, atOnce), n, do) {
			if !yield(i, x) {
				return
			}
			i++
		}
	}
}

// Numbers yields 0 … n-1.
func Numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// outcome is what a call has returned, or what it panicked with.
type outcome[R any] struct {
	value R
	fault any
}

// asked is an item whose outcome is wanted.
type asked[T, R any] struct {
	item  T
	found chan<- outcome[R]
}

// Stream yields what do returns for each item, in the order of the items, with so many calls of it at
// once. Results wait for earlier ones, but at most ahead of them: neither items nor results pile up, however
// many there are. Items are taken, and do is called, by other goroutines; a panic there is the reader's.
func Stream[T, R any](items iter.Seq[T], atOnce, ahead int, do func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		next := make(chan asked[T, R])
		inOrder := make(chan (<-chan outcome[R]), max(atOnce, ahead))
		enough := make(chan struct{})
		defer close(enough)
		for range atOnce {
			go func() {
				for x := range next {
					x.found <- try(func() R { return do(x.item) }) // it has room: no call waits for its reader
				}
			}()
		}
		go func() {
			defer close(inOrder)
			defer close(next)
			whole := try(func() (none R) {
				for item := range items {
					found := make(chan outcome[R], 1)
					select {
					case inOrder <- found:
					case <-enough:
						return none
					}
					select {
					case next <- asked[T, R]{item, found}:
					case <-enough:
						return none
					}
				}
				return none
			})
			if whole.fault != nil {
				found := make(chan outcome[R], 1)
				found <- whole
				select {
				case inOrder <- found:
				case <-enough:
				}
			}
		}()
		for found := range inOrder {
			x := <-found
			if x.fault != nil {
				panic(x.fault) // the reader's to contain, which it could not in another goroutine
			}
			if !yield(x.value) {
				return
			}
		}
	}
}

// try calls do and keeps its panic.
func try[R any](do func() R) (x outcome[R]) {
	defer func() { x.fault = recover() }()
	x.value = do()
	return x
}
