package cfg

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
)

// Bounds of Unroll: copies of one node, of a program that is unrolled as far as that goes, and nodes in all. Each copy of a barrier has
// its own invariants, so that a loop for whose variables some can be guessed costs less as it is.
const (
	fewCopies  = 4
	mostCopies = 64
	mostNodes  = 1_000
)

// unrolling makes a copy of each node for each choice of values that some variables have there.
type unrolling struct {
	p       *ir.Program
	tracked map[*ir.Variable]bool
	most    int // copies of one node
	live    map[*ir.Node]map[*ir.Variable]bool
	copies  map[string]*ir.Node
	of      map[*ir.Node][]values // those that nodes of p have copies for
	todo    []task
	nodes   []*ir.Node
}

// values are those of tracked variables, where they are numbers.
type values map[*ir.Variable]*ir.Term

type task struct {
	from, copy *ir.Node
	holds      values
}

// Unroll replaces variables that jump from number to number, such as strides that are doubled and buffers that change places, by their
// values: each node has a copy for each choice of them, so that a loop that they control is unrolled, and one that they do not
// control has a round for each. It does so before counters are kept, of programs whose nodes are pruned. It reports whether the program is another.
func Unroll(p *ir.Program) bool {
	if p.Annotated || p.Relations {
		return false // what an author says of a loop is about all rounds
	}
	u := &unrolling{p: p, tracked: jumping(p), live: Liveness(p), most: fewCopies}
	if p.Opts.Unroll {
		u.most = mostCopies
	}
	for len(u.tracked) > 0 {
		if u.run() {
			u.p.Nodes, u.p.Entry = u.nodes, u.nodes[0]
			prune(p)
			setHeads(p)
			skipEmpty(p)
			prune(p)
			return true
		}
	}
	return false
}

// jumping are the variables that change in a loop other than by adding a number, those that a loop shifts by, and what either
// is made of: of those that are made of numbers alone, and the same in all threads of a group, so that these go the same copies and meet
// at the same barriers.
func jumping(p *ir.Program) map[*ir.Variable]bool {
	defs := static(p)
	out := map[*ir.Variable]bool{}
	var take func(v *ir.Variable)
	take = func(v *ir.Variable) {
		if defs[v] == nil || out[v] {
			return
		}
		out[v] = true
		for _, e := range defs[v] {
			for _, w := range ir.VariablesOf(e) {
				take(w)
			}
		}
	}
	for _, l := range Loops(p) {
		for m := range l.Nodes {
			for _, i := range m.Code {
				if i.Op == ir.DoAssign && !ir.Minus(ir.Unwrapped(i.V.Typ, i.E), ir.VariableTerm(i.V)).IsNum() && ir.VariablesOf(i.E) != nil {
					take(i.V)
				}
				shifting(i.E, take)
				shifting(i.Off, take)
			}
		}
	}
	return out
}

// static are the variables that are set to what is made of numbers and of such variables, alike in all threads, with all that they
// are set to.
func static(p *ir.Program) map[*ir.Variable][]*ir.Term {
	defs, open := map[*ir.Variable][]*ir.Term{}, readUnset(p)
	same, _ := Uniformity(p, false, nil)
	for _, n := range p.Nodes {
		for _, i := range n.Code {
			switch {
			case i.V == nil || i.V.Ghost || !same[i.V] || i.V.Typ.Kind != ast.IntType:
			case i.Op == ir.DoAssign:
				defs[i.V] = append(defs[i.V], i.E)
			case i.Op != ir.DoUndef:
				open[i.V] = true
			}
		}
	}
	maps.DeleteFunc(defs, func(v *ir.Variable, _ []*ir.Term) bool { return open[v] })
	// A variable goes as soon as one of its values needs another one that is gone. Repeating until nothing changes also removes
	// cycles that rest on something unknown.
	for lost := true; lost; {
		lost = false
		for v, es := range defs {
			known := true
			for _, e := range es {
				ir.Leaves(e, func(x *ir.Term) {
					known = known && (x.IsNum() || x.Op == ir.PTrue || x.Op == ir.PFalse || x.Op == ir.Local_ && defs[x.V] != nil)
				})
			}
			if !known {
				delete(defs, v)
				lost = true
			}
		}
	}
	return defs
}

// shifting calls f for the variables in amounts that something in t is shifted by.
func shifting(t *ir.Term, f func(*ir.Variable)) {
	if t == nil {
		return
	}
	if t.Op == ir.Shl || t.Op == ir.Shr {
		for _, v := range ir.VariablesOf(t.Args[1]) {
			f(v)
		}
	}
	for _, a := range t.Args {
		shifting(a, f)
	}
}

// run makes the copies; where they become too many it gives up a variable that has too many values, and reports false.
func (u *unrolling) run() bool {
	u.copies, u.of, u.todo, u.nodes = map[string]*ir.Node{}, map[*ir.Node][]values{}, nil, nil
	u.at(u.p.Entry, values{})
	for len(u.todo) > 0 {
		t := u.todo[len(u.todo)-1]
		u.todo = u.todo[:len(u.todo)-1]
		u.fill(t)
		if many := u.of[t.from]; len(many) > u.most || len(u.nodes) > mostNodes {
			u.forget(many)
			u.p.Jumps = true
			return false
		}
	}
	return true
}

// at is the copy of n for some values.
func (u *unrolling) at(n *ir.Node, holds values) *ir.Node {
	here := values{}
	var key strings.Builder
	fmt.Fprint(&key, n.Id)
	for _, v := range u.p.Vars {
		if c := holds[v]; c != nil && u.live[n][v] {
			here[v] = c
			fmt.Fprintf(&key, " %d=%s", v.Id, c.Val)
		}
	}
	if c := u.copies[key.String()]; c != nil {
		return c
	}
	c := *n
	c.Code = nil
	u.copies[key.String()] = &c
	u.of[n] = append(u.of[n], here)
	u.nodes = append(u.nodes, &c)
	u.todo = append(u.todo, task{n, &c, here})
	return &c
}

// fill runs the code of a node, as far as its values say.
func (u *unrolling) fill(t task) {
	holds := maps.Clone(t.holds)
	for _, i := range t.from.Code {
		c := *i
		c.E, c.Off = valued(i.E, holds), valued(i.Off, holds)
		if (i.Op == ir.DoAssert || i.Op == ir.DoAssume) && c.E.Op == ir.PTrue {
			continue
		}
		if i.V != nil && u.tracked[i.V] {
			if delete(holds, i.V); i.Op == ir.DoAssign && c.E.IsNum() {
				holds[i.V] = c.E
				continue
			}
		}
		t.copy.Code = append(t.copy.Code, &c)
	}
	n := t.copy
	n.Cond = valued(n.Cond, holds)
	switch {
	case n.Cond != nil && n.Cond.Op == ir.PTrue:
		n.Cond, n.Other = nil, nil
	case n.Cond != nil && n.Cond.Op == ir.PFalse:
		n.Cond, n.Then, n.Other = nil, n.Other, nil
	}
	if n.Then != nil {
		n.Then = u.at(n.Then, holds)
	}
	if n.Other != nil {
		n.Other = u.at(n.Other, holds)
	}
}

// forget gives up the variable with the most values, the last of those with as many.
func (u *unrolling) forget(many []values) {
	seen := map[*ir.Variable]map[string]bool{}
	for _, h := range many {
		for v, c := range h {
			if seen[v] == nil {
				seen[v] = map[string]bool{}
			}
			seen[v][c.Val.String()] = true
		}
	}
	if len(seen) == 0 { // too many nodes, none of which has many copies
		clear(u.tracked)
		return
	}
	delete(u.tracked, slices.MaxFunc(slices.Collect(maps.Keys(seen)), func(a, b *ir.Variable) int {
		return cmp.Or(cmp.Compare(len(seen[a]), len(seen[b])), cmp.Compare(a.Id, b.Id))
	}))
}

func valued(t *ir.Term, holds values) *ir.Term {
	if t == nil {
		return nil
	}
	return ir.MapTerm(t, func(x *ir.Term) *ir.Term {
		if x.Op == ir.Local_ {
			return holds[x.V] // nil where it is not known
		}
		return nil
	})
}
