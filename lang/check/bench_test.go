package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
)

// generated is a machine with n events, and its refinement.
func generated(n int) string {
	var b strings.Builder
	names := chain(n, " ", "v%0")
	invariants := chain(n, "\n", "  @inv%0 v%0 ∈ 0 ‥ %0")
	init := chain(n, "\n", "    @act%0 v%0 ≔ 0")
	fmt.Fprintf(&b, "machine A\nvariables %s\ninvariants\n%s\nevents\n  event INITIALISATION\n  then\n%s\n  end\n", names, invariants, init)
	for i := range n {
		fmt.Fprintf(&b, "  event e%d\n  any x\n  where\n    @grd1 x ∈ 1 ‥ %d ∧ (∃y·y > x)\n  then\n    @act1 v%d ≔ x\n  end\n", i, i, i)
	}
	fmt.Fprintf(&b, "end\nmachine B\nrefines A\nvariables %s\nevents\n  event INITIALISATION\n  extends INITIALISATION\n  end\n", names)
	for i := range n {
		fmt.Fprintf(&b, "  event e%d\n  extends e%d\n  where\n    @grd2 x ≠ v%d\n  end\n", i, i, i)
	}
	b.WriteString("end\n")
	return b.String()
}

// The time of a check grows linearly with the size of the model.
func BenchmarkDevelopment(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n, "events"), func(b *testing.B) {
			var list diag.List
			file := lang.Parse("m.eventb", []byte(generated(n)), &list)
			for b.Loop() {
				check.Development("p", []*lang.File{file}, &list)
			}
			if list.Len() > 0 {
				b.Fatal(list.Sorted()[0])
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/event")
		})
	}
}
