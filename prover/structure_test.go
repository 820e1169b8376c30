package prover_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// family is a theorem for each length of a chain of operations.
type family struct {
	name string
	hyps func(n int) []string
	goal func(n int) string
}

// numbered joins what a format makes of 0, …, n−1.
func numbered(n int, format, sep string) string {
	var out []string
	for i := range n {
		out = append(out, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return strings.Join(out, sep)
}

// grouped is numbered with parentheses: ((first 0) 1) ….
func grouped(n int, first, format string) string {
	for i := range n {
		first = "(" + first + strings.ReplaceAll(format, "#", fmt.Sprint(i)) + ")"
	}
	return first
}

func families() []family {
	const ovr = "\ue103"
	update := func(arrow string) func(n int) []string {
		return func(n int) []string {
			return strings.Split("f∈A"+arrow+"B;"+numbered(n, "p#∈A;a#∈B", ";"), ";")
		}
	}
	updates := update("→")
	partial := update("⇸")
	two := func(n int) string { return numbered(n, ovr+"{p0↦a#}", "") }
	composed := func(arrow string) func(n int) []string {
		return func(n int) []string {
			var out []string
			for i := range n + 1 {
				out = append(out, fmt.Sprintf("f%d∈D%d%sD%d", i, i, arrow, i+1))
			}
			return out
		}
	}
	disjoint := func(n int) []string {
		out := strings.Split(numbered(n+1, "finite(D#)", ";"), ";")
		for i := range n + 1 {
			for j := range i {
				out = append(out, fmt.Sprintf("D%d∩D%d=∅", i, j))
			}
		}
		return out
	}
	ends := func(n int, arrow string) string { return fmt.Sprintf("∈D0%sD%d", arrow, n+1) }
	return []family{
		{"updates", updates, func(n int) string { return "f" + numbered(n, ovr+"{p#↦a#}", "") + "∈A→B" }},
		{"updates, in parentheses", updates, func(n int) string { return grouped(n, "f", ovr+"{p#↦a#}") + "∈A→B" }},
		{"updates at one point", updates, func(n int) string { return "f" + two(n) + "∈A→B" }},
		{"updates of what is subtracted", partial, func(n int) string { return "({p0}⩤f)" + numbered(n, ovr+"{p#↦a#}", "") + "∈A⇸B" }},
		{"domain", updates, func(n int) string { return "dom(f" + numbered(n, ovr+"{p#↦a#}", "") + ")=A" }},
		{"injections composed", composed("↣"), func(n int) string { return numbered(n+1, "f#", ";") + ends(n, "↣") }},
		{"functions composed", composed("→"), func(n int) string { return numbered(n+1, "f#", ";") + ends(n, "→") }},
		{"finite function", func(n int) []string { return []string{"f∈A⇸B", "finite(f)"} },
			func(n int) string { return "finite(f" + numbered(n, ovr+"{p#↦a#}", "") + ")" }},
		{"range", updates, func(n int) string { return "ran(f" + numbered(n, ovr+"{p#↦a#}", "") + ")⊆B" }},
		{"image", updates, func(n int) string { return "(f" + numbered(n, ovr+"{p#↦a#}", "") + ")[A]⊆B" }},
		{"finite union", func(n int) []string { return strings.Split(numbered(n+1, "finite(D#)", ";"), ";") },
			func(n int) string { return "finite(" + numbered(n+1, "D#", "∪") + ")" }},
		{"included union", func(n int) []string { return strings.Split(numbered(n+1, "D#⊆A", ";"), ";") },
			func(n int) string { return numbered(n+1, "D#", "∪") + "⊆A" }},
		{"counted union", disjoint, func(n int) string {
			return "card(" + numbered(n+1, "D#", "∪") + ")=" + numbered(n+1, "card(D#)", "+")
		}},
		{"counted partition", func(n int) []string { return []string{"finite(A)", "partition(A," + numbered(n+1, "D#", ",") + ")"} },
			func(n int) string { return "card(A)=" + numbered(n+1, "card(D#)", "+") }},
	}
}

// TestStructure asks that what is known of a chain of operations follows from what is known of its parts in about as many steps
// as it has parts, as it is stored, without parentheses: the steps grow with an exponent of at most 1.3.
func TestStructure(t *testing.T) {
	const longest, exponent, ten = 12, 1.3, 10_000
	types := map[string]string{"S": "ℙ(S)", "T": "ℙ(T)", "A": "ℙ(S)", "B": "ℙ(T)", "f": "ℙ(S×T)"}
	for i := range longest + 2 {
		types[fmt.Sprint("p", i)], types[fmt.Sprint("a", i)] = "S", "T"
		types[fmt.Sprint("D", i)], types[fmt.Sprint("f", i)] = "ℙ(S)", "ℙ(S×S)"
	}
	for _, fam := range families() {
		var steps []int64
		var sx, sy, sxx, sxy float64
		for n := 1; n <= longest; n++ {
			hyps := fam.hyps(n)
			all := make([]int, len(hyps))
			for i := range all {
				all[i] = i
			}
			s, err := (&check.Reader{}).Sequent(types, hyps, all, fam.goal(n))
			if err != nil {
				t.Fatalf("%s %d: %v", fam.name, n, err)
			}
			res := prover.Prove(s, prover.Options{Steps: 1_000_000})
			if res.Verdict != prover.Proved {
				t.Errorf("%s %d: %v after %d steps", fam.name, n, res.Verdict, res.Steps)
			}
			if n == 10 && res.Steps > ten {
				t.Errorf("%s: %d steps for ten", fam.name, res.Steps)
			}
			steps = append(steps, res.Steps)
			x, y := math.Log(float64(n)), math.Log(float64(res.Steps))
			sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
		}
		slope := (longest*sxy - sx*sy) / (longest*sxx - sx*sx)
		t.Logf("%-30s exponent %.2f, steps %v", fam.name, slope, steps)
		if slope > exponent {
			t.Errorf("%s: steps grow with exponent %.2f", fam.name, slope)
		}
	}
}
