package encode

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/launch"
)

// TestRanges: a value that is handed on from variable to variable, one a round, lies in the
// range of the last one, however long the chain is. It begins with what the launch gives: a chain of numbers alone is unrolled.
func TestRanges(t *testing.T) {
	for _, length := range []int{2, 16, 19, 24} {
		first, shift := "int v0 = n & 1;", ""
		for i := 1; i <= length; i++ {
			first += fmt.Sprintf(" int v%d = n & 1;", i)
			shift = fmt.Sprintf(" v%d = v%d;", i, i-1) + shift
		}
		src := fmt.Sprintf("__kernel void k(__global int *a, int n) { %s for (int i = 0; i < 100; i++) {%s v0 = 5; } a[get_global_id(0)] = v%d; }", first, shift, length)
		kernels, problem := Read("k.cl", []byte(src), launch.Options{})
		if problem != nil {
			t.Fatal(problem)
		}
		s, problem := kernels[0].Search(Group)
		if problem != nil {
			t.Fatal(problem)
		}
		five, seen := interval.Point(big.NewInt(5)), 0
		for c, vs := range s.b.walk.Ranges {
			for v, r := range vs {
				if s.b.live[c][v] && c != s.b.p.Entry && v.Typ.Kind == kernels[0].prog.Vars[0].Typ.Kind {
					seen++
					if r.Empty() || !five.Inside(r) {
						t.Errorf("chain of %d: %s lies in %v to %v", length, v.Name, r.Lo, r.Hi)
					}
				}
			}
		}
		if seen < length {
			t.Errorf("chain of %d: %d ranges", length, seen)
		}
	}
}

// TestRangeOfTest: a barrier cuts a loop behind its test, and what is doubled in front of the test stays
// below what the test compares it with: it does not wrap.
func TestRangeOfTest(t *testing.T) {
	const src = "__kernel void k(__local int *a) { for (int d = 1; d < 64; d *= 2) { a[get_local_id(0)] = d; barrier(CLK_LOCAL_MEM_FENCE); } }"
	kernels, problem := Read("k.cl", []byte(src), launch.Options{})
	if problem != nil {
		t.Fatal(problem)
	}
	s, problem := kernels[0].Search(Group)
	if problem != nil {
		t.Fatal(problem)
	}
	seen := false
	for c, vs := range s.b.walk.Ranges {
		for v, r := range vs {
			if v.Name == "d" && c.IsBarrier() {
				seen = true
				if want := (interval.Interval{Lo: big.NewInt(1), Hi: big.NewInt(63)}); !r.Same(want) {
					t.Errorf("d lies in %v to %v", r.Lo, r.Hi)
				}
			}
		}
	}
	if !seen {
		t.Error("no barrier keeps d")
	}
}
