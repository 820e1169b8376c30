package cfg_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/sample"
	"github.com/gradine/gradine/internal/golden"
)

// What is read off the graph of a kernel: the program that is left, its cuts, what lives there, what
// the threads of a group share, and where they come together.
func TestGraphs(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		p := sample.Program(t, in, launch.Options{})
		cfg.Prepare(p)
		var out strings.Builder
		fmt.Fprintln(&out, sample.Print(p))
		live := cfg.Liveness(p)
		loops := cfg.Loops(p)
		for _, n := range cfg.CutPoints(p, true, false) {
			fmt.Fprintf(&out, "cut %s live %s innermost %s\n", sample.Node(n), variables(live[n]), nodes(cfg.Innermost(loops, n)))
		}
		for _, joins := range []bool{false, true} {
			fmt.Fprintf(&out, "cuts without barriers, joins %t:", joins)
			for _, n := range cfg.CutPoints(p, false, joins) {
				fmt.Fprintf(&out, " %s", sample.Node(n))
			}
			fmt.Fprintln(&out)
		}
		same, together := cfg.Uniformity(p, false, nil)
		shared := cfg.SharedReads(p, false, same, together)
		fmt.Fprintf(&out, "same %s\ntogether %s\n", variables(same), nodes(together))
		for _, n := range p.Nodes {
			for _, i := range n.Code {
				if k := shared[i]; k > 0 {
					fmt.Fprintf(&out, "shared read %d: %s\n", k, sample.Instr(i))
				}
			}
		}
		var endless []int
		for _, l := range loops {
			if l.Endless() {
				endless = append(endless, l.Heads[0].At.Line)
			}
		}
		fmt.Fprintf(&out, "endless %v\n", endless)
		return out.String()
	})
}

func variables(set map[*ir.Variable]bool) string {
	var out []string
	for v, ok := range set {
		if ok {
			out = append(out, v.Name)
		}
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

func nodes(set map[*ir.Node]bool) string {
	var out []string
	for n, ok := range maps.All(set) {
		if ok {
			out = append(out, sample.Node(n))
		}
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}
