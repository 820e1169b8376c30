package ltl

import (
	"fmt"
	"slices"
)

// automaton accepts the words of a formula: those with a run that is in a state of each
// set of accepting again and again. It is built by the tableau of Gerth, Peled, Vardi and
// Wolper.
type automaton struct {
	states    []node
	initial   []int
	successor [][]int
	accepting [][]bool // by until, by state
}

// node is what holds at a position, and what has to at the next.
type node struct{ now, next []int }

// tableau numbers the parts of a formula.
type tableau struct {
	parts   []part
	numbers map[part]int
}

// part is a formula whose operands are numbers.
type part struct {
	op          Op
	atom        int
	left, right int
}

func (t *tableau) number(f *Formula) int {
	if f == nil {
		return -1
	}
	p := part{f.Op, f.Atom, t.number(f.Left), t.number(f.Right)}
	n, ok := t.numbers[p]
	if !ok {
		n = len(t.parts)
		t.numbers[p] = n
		t.parts = append(t.parts, p)
	}
	return n
}

// newAutomaton makes the automaton that accepts the runs of a formula.
func newAutomaton(f *Formula) *automaton {
	t := &tableau{numbers: map[part]int{}}
	a := &automaton{}
	numbers := map[string]int{}
	add := func(obligations []int) (out []int) {
		for _, n := range t.covers(obligations) {
			key := fmt.Sprint(n)
			k, ok := numbers[key]
			if !ok {
				k = len(a.states)
				numbers[key] = k
				a.states = append(a.states, n)
			}
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
		return out
	}
	a.initial = add([]int{t.number(f)})
	for k := 0; k < len(a.states); k++ {
		a.successor = append(a.successor, add(a.states[k].next))
	}
	// A run must not put off for ever what an until promises.
	for until, p := range t.parts {
		if p.op != Until {
			continue
		}
		set := make([]bool, len(a.states))
		for k, n := range a.states {
			set[k] = !slices.Contains(n.now, until) || slices.Contains(n.now, p.right)
		}
		a.accepting = append(a.accepting, set)
	}
	a.literals(t)
	return a
}

// literals leaves of what holds now the atoms: n + 1 for atom n, −(n + 1) for its negation.
func (a *automaton) literals(t *tableau) {
	for k := range a.states {
		var out []int
		for _, n := range a.states[k].now {
			switch p := t.parts[n]; p.op {
			case Atom:
				out = append(out, p.atom+1)
			case NotAtom:
				out = append(out, -p.atom-1)
			}
		}
		a.states[k].now = out
	}
}

// covers are the ways in which all of some formulas can hold: what has to hold now, and what from the next state on (Gerth,
// Peled, Vardi and Wolper, 1995). Until and Release unfold by one step: p U q is q ∨ (p ∧ X(p U q)), and p R q is
// (p ∧ q) ∨ (q ∧ X(p R q)).
func (t *tableau) covers(todo []int) []node {
	var out []node
	var expand func(todo, now, next []int)
	with := func(list []int, more ...int) []int {
		list = slices.Clone(list)
		for _, n := range more {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
		return list
	}
	expand = func(todo, now, next []int) {
		if len(todo) == 0 {
			now, next = slices.Clone(now), slices.Clone(next)
			slices.Sort(now)
			slices.Sort(next)
			out = append(out, node{now, next})
			return
		}
		n, rest := todo[0], todo[1:]
		// A formula that already holds now has been unfolded before.
		if slices.Contains(now, n) {
			expand(rest, now, next)
			return
		}
		p := t.parts[n]
		now = with(now, n)
		switch p.op {
		case False:
		case True:
			expand(rest, now, next)
		case Atom, NotAtom:
			// An atom together with its negation covers nothing.
			opposite := part{Atom + NotAtom - p.op, p.atom, -1, -1}
			if k, ok := t.numbers[opposite]; !ok || !slices.Contains(now, k) {
				expand(rest, now, next)
			}
		case And:
			expand(with(rest, p.left, p.right), now, next)
		case Or:
			expand(with(rest, p.left), now, next)
			expand(with(rest, p.right), now, next)
		case Next:
			expand(rest, now, with(next, p.left))
		case Until:
			expand(with(rest, p.right), now, next)
			expand(with(rest, p.left), now, with(next, n))
		case Release:
			expand(with(rest, p.left, p.right), now, next)
			expand(with(rest, p.right), now, with(next, n))
		}
	}
	expand(todo, nil, nil)
	return out
}
