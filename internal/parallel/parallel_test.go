package parallel_test

import (
	"fmt"
	"slices"
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
