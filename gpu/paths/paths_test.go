package paths_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/sample"
	"github.com/gradine/gradine/internal/golden"
)

// The ways from each cut to the next: what has to hold, what is checked and accessed, and the values
// at the end; and the ranges in which variables lie at cuts.
func TestPaths(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		p := sample.Program(t, in, launch.Options{Bounds: true})
		cfg.Prepare(p)
		same, together := cfg.Uniformity(p, false, nil)
		w, found, problem := paths.Find(paths.Config{
			Program: p, Cuts: cfg.CutPoints(p, true, false), Barriers: true, Live: cfg.Liveness(p),
			Shared: cfg.SharedReads(p, false, same, together), Same: same, Together: together,
		})
		if problem != nil {
			return sample.Problem(problem)
		}
		var out strings.Builder
		for _, n := range w.Cuts {
			var ranges []string
			for v, r := range w.Ranges[n] {
				ranges = append(ranges, v.Name+" in "+within(r))
			}
			slices.Sort(ranges)
			fmt.Fprintf(&out, "%s: %s\n", sample.Node(n), strings.Join(ranges, ", "))
		}
		for _, path := range found {
			fmt.Fprintf(&out, "%s to %s\n", sample.Node(path.From), sample.Node(path.To))
			for _, i := range path.Items {
				fmt.Fprintln(&out, "  "+item(i))
			}
			var ends []string
			for v, x := range path.Values {
				ends = append(ends, v.Name+" = "+sample.Term(x))
			}
			slices.Sort(ends)
			for _, e := range ends {
				fmt.Fprintln(&out, "  "+e)
			}
		}
		return out.String()
	})
}

func item(i paths.Item) string {
	switch i.Kind {
	case paths.Guard:
		return "guard " + sample.Term(i.E)
	case paths.Fit:
		return "fits " + sample.Term(i.E)
	case paths.Check:
		return "check " + i.Check.Kind + " " + sample.Term(i.E)
	}
	text := fmt.Sprintf("%s %s[%s]", ir.Doing[i.What], ir.Describe(i.Mem), sample.Term(i.Off))
	if i.Value != nil {
		text += " := " + sample.Term(i.Value)
	}
	return text
}

func within(r interval.Interval) string {
	return fmt.Sprintf("%v‥%v", r.Lo, r.Hi)
}
