package reuse_test

import (
	"testing"

	"github.com/gradine/gradine/prover/internal/reuse"
)

// TestExtend fills a table twice: the second time in the memory of the first one, without what it held.
func TestExtend(t *testing.T) {
	var table [][]int
	for range 2 {
		table = table[:0]
		for i := range 100 {
			table = reuse.Extend(table)
			if len(table) != i+1 || len(table[i]) != 0 {
				t.Fatalf("list %d of %d has %d values", i, len(table), len(table[i]))
			}
			table[i] = append(table[i], i, i+1)
		}
	}
	for i, list := range table {
		if list[0] != i || list[1] != i+1 {
			t.Errorf("list %d is %v", i, list)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		table = table[:0]
		for range 100 {
			table = reuse.Extend(table)
			table[len(table)-1] = append(table[len(table)-1], 1)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSlab takes lists and writes into all of them: none shares memory with another one, nor grows into it.
func TestSlab(t *testing.T) {
	var slab reuse.Slab[int]
	for range 2 {
		slab.Reset()
		var lists [][]int
		for i := range 2000 {
			list := slab.Take(i % 7)
			for j := range list {
				list[j] = i
			}
			lists = append(lists, list, append(list, -1))
		}
		for i := range 2000 {
			if len(lists[2*i]) != i%7 {
				t.Fatalf("list %d has %d values", i, len(lists[2*i]))
			}
			for _, v := range lists[2*i] {
				if v != i {
					t.Fatalf("list %d holds %d", i, v)
				}
			}
		}
	}
}
