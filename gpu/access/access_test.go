package access_test

import (
	"fmt"
	"testing"

	"github.com/gradine/gradine/gpu/access"
	"github.com/gradine/gradine/gpu/sample"
	"github.com/gradine/gradine/internal/golden"
)

// How often threads access memory between barriers, as formulas over parameters and sizes, or why
// that does not follow.
func TestCounts(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		u := sample.Unit(t, in)
		out := ""
		for _, sizes := range [][3]int64{{}, {64, 1, 1}} {
			steps, intervals, why := access.Of(u, u.Function("k"), sizes, [3]int64{}, sample.Term)
			if why != "" {
				return why
			}
			out += fmt.Sprintf("groups of %v: %s intervals\n", sizes, steps)
			for _, i := range intervals {
				out += fmt.Sprintf("  %s times: global %s, local %s, same %t\n", i.Times, i.Global, i.Local, i.Same())
			}
		}
		return out
	})
}
