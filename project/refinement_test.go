package project_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
)

// matched is what the formulas of a refinement speak of: u before and after, the parameter q of the
// abstract event, y before and after, the parameter p of the concrete one.
type matched struct{ u, v, q, y, z, p int }

var spoken = map[string]func(matched) int{
	"u": func(m matched) int { return m.u }, "u'": func(m matched) int { return m.v }, "q": func(m matched) int { return m.q },
	"y": func(m matched) int { return m.y }, "y'": func(m matched) int { return m.z }, "p": func(m matched) int { return m.p },
	"0": func(matched) int { return 0 }, "1": func(matched) int { return 1 }, "2": func(matched) int { return 2 },
}

// about makes a value of 0‥2 out of some of these.
func about(r *rand.Rand, names ...string) formulaOf[int] {
	name := append(names, "0", "1", "2")[r.IntN(len(names)+3)]
	of := spoken[name]
	if r.IntN(3) == 0 {
		return formulaOf[int]{"2 − " + name, func(m matched) int { return 2 - of(m) }}
	}
	return formulaOf[int]{name, of}
}

type formulaOf[T any] struct {
	text string
	of   func(matched) T
}

func relates(r *rand.Rand, first formulaOf[int], names ...string) formulaOf[bool] {
	a, b := first, about(r, names...)
	return []formulaOf[bool]{
		{a.text + " = " + b.text, func(m matched) bool { return a.of(m) == b.of(m) }},
		{a.text + " = " + b.text, func(m matched) bool { return a.of(m) == b.of(m) }},
		{a.text + " ≤ " + b.text, func(m matched) bool { return a.of(m) <= b.of(m) }},
		{a.text + " ≠ " + b.text, func(m matched) bool { return a.of(m) != b.of(m) }},
		{"⊤", func(matched) bool { return true }},
	}[r.IntN(5)]
}

// half is an event of the abstract or the concrete machine: guard, and the values that its variable
// gets.
type half struct {
	guard formulaOf[bool]
	to    []formulaOf[int]
}

func (h half) reaches(m matched, value int) bool {
	for _, to := range h.to {
		if to.of(m) == value {
			return true
		}
	}
	return false
}

func (h half) action(name string) string {
	var texts []string
	for _, to := range h.to {
		texts = append(texts, to.text)
	}
	if len(texts) == 1 {
		return name + " ≔ " + texts[0]
	}
	return name + " :∈ {" + strings.Join(texts, ", ") + "}"
}

func randomHalf(r *rand.Rand, variable, parameter string) half {
	out := half{guard: relates(r, about(r, variable, parameter), variable, parameter), to: []formulaOf[int]{about(r, variable, parameter)}}
	if r.IntN(2) == 0 {
		out.to = append(out.to, about(r, variable, parameter))
	}
	return out
}

// refining is a concrete event with the abstract ones that it refines, none if it is new.
type refining struct {
	half
	refines    []int
	ofQ, after formulaOf[bool] // the witnesses
}

// TestRefinementExplored runs random machines along with those that they refine, against
// a search for all pairs of states: which steps have a match, where what relates the states fails, and how
// many pairs there are.
func TestRefinementExplored(t *testing.T) {
	count := map[string]int{}
	for seed := range corpus.Seeds(60, 300, 10_000) {
		r := rand.New(rand.NewPCG(uint64(seed), 41))
		var abstract []half
		for range 1 + r.IntN(2) {
			abstract = append(abstract, randomHalf(r, "u", "q"))
		}
		var events []refining
		for range 1 + r.IntN(2) {
			e := refining{half: randomHalf(r, "y", "p"), after: relates(r, formulaOf[int]{"u'", spoken["u'"]}, "y'", "y", "p", "u"), ofQ: relates(r, formulaOf[int]{"q", spoken["q"]}, "p", "y", "y'")}
			switch r.IntN(6) {
			case 0:
			case 1:
				e.refines = []int{0, len(abstract) - 1}[:len(abstract)]
				if len(abstract) == 2 { // merged events do the same
					abstract[1].to = abstract[0].to
				}
			default:
				e.refines = []int{r.IntN(len(abstract))}
			}
			events = append(events, e)
		}
		glue := relates(r, formulaOf[int]{"u", spoken["u"]}, "y")
		begins := relates(r, formulaOf[int]{"u'", spoken["u'"]}, "y'")

		var text strings.Builder
		text.WriteString("-- m.eventb --\nmachine a\nvariables u\ninvariants\n    @u u ∈ 0‥2\nevents\n    event INITIALISATION\n    then\n        @u u :∈ 0‥2\n    end\n")
		for i, a := range abstract {
			fmt.Fprintf(&text, "    event a%d\n    any q\n    where\n        @q q ∈ 0‥2\n        @g %s\n    then\n        @u %s\n    end\n", i, a.guard.text, a.action("u"))
		}
		fmt.Fprintf(&text, "end\nmachine m\nrefines a\nvariables y\ninvariants\n    @y y ∈ 0‥2\n    @glue %s\nevents\n    event INITIALISATION\n    with\n        @u' %s\n    then\n        @y y :∈ 0‥2\n    end\n", glue.text, begins.text)
		for i, e := range events {
			fmt.Fprintf(&text, "    event c%d\n", i)
			if len(e.refines) > 0 {
				text.WriteString("    refines")
				for _, k := range e.refines {
					fmt.Fprintf(&text, " a%d", k)
				}
				text.WriteString("\n")
			}
			fmt.Fprintf(&text, "    any p\n    where\n        @p p ∈ 0‥2\n        @g %s\n", e.guard.text)
			if len(e.refines) > 0 {
				fmt.Fprintf(&text, "    with\n        @q %s\n", e.ofQ.text)
				nondeterministic := false
				for _, k := range e.refines {
					nondeterministic = nondeterministic || len(abstract[k].to) > 1
				}
				if nondeterministic {
					fmt.Fprintf(&text, "        @u' %s\n", e.after.text)
				} else {
					events[i].after = formulaOf[bool]{"⊤", func(matched) bool { return true }}
				}
			}
			fmt.Fprintf(&text, "    then\n        @y %s\n    end\n", e.action("y"))
		}
		text.WriteString("end\n-- gradine.toml --\n[project.p]\nsources = [\".\"]\n")

		// All pairs that are reached.
		type pair struct{ u, y int }
		seen := map[pair]bool{}
		var todo []pair
		reach := func(p pair) {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
		unmatched, unrelated := false, false
		for y := range 3 {
			some := false
			for u := range 3 {
				if begins.of(matched{v: u, z: y}) {
					some = true
					reach(pair{u, y})
				}
			}
			unmatched = unmatched || !some
		}
		for len(todo) > 0 {
			at := todo[0]
			todo = todo[1:]
			unrelated = unrelated || !glue.of(matched{u: at.u, y: at.y})
			for _, e := range events {
				for p := range 3 {
					for z := range 3 {
						m := matched{u: at.u, y: at.y, p: p, z: z}
						if !e.guard.of(m) || !e.reaches(m, z) {
							continue
						}
						some := len(e.refines) == 0
						if some {
							reach(pair{at.u, z})
						}
						for _, k := range e.refines {
							for q := range 3 {
								for v := range 3 {
									m.q, m.v = q, v
									if abstract[k].guard.of(m) && abstract[k].reaches(m, v) && e.ofQ.of(m) && e.after.of(m) {
										some = true
										reach(pair{v, z})
									}
								}
							}
						}
						unmatched = unmatched || !some
					}
				}
			}
		}

		p := hintedProject(t, text.String())
		machine := p.Dev.Machine("m")
		if !machine.Whole {
			t.Fatalf("seed %d: %v\n%s", seed, p.Problems.Sorted(), text.String())
		}
		in := firstInstance(t, p, machine)
		run := func(opt explore.Options) *explore.Result {
			opt.Refinement, opt.NoDeadlock = true, true
			found, err := explore.Run(context.Background(), machine, in, opt)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text.String())
			}
			return found
		}
		all, first := run(explore.Options{KeepGoing: true}), run(explore.Options{})
		kinds := map[string]bool{}
		for _, x := range all.Findings {
			kinds[x.Kind] = true
		}
		if kinds[explore.NotRefined] != unmatched || kinds[explore.InvariantFails] != unrelated || all.States != len(seen) || (first.Verdict == explore.Complete) != (!unmatched && !unrelated) {
			t.Fatalf("seed %d: %d pairs, steps without a match %t, unrelated states %t; found %+v, %s\n%s", seed, len(seen), unmatched, unrelated, all, first.Verdict, text.String())
		}
		count[fmt.Sprintf("unmatched %t, unrelated %t", unmatched, unrelated)]++
	}
	t.Logf("%v", count)
	if len(count) < 4 {
		t.Error("some kind is not met")
	}
}
