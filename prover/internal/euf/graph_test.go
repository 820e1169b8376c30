package euf

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/gradine/gradine/logic"
)

// naive closes the given equalities (pairs of nodes of g) by brute force and
// returns the classes as a root table, and whether values clash.
func naive(g *Graph, eqs [][2]Node) ([]Node, bool) {
	root := make([]Node, g.Len())
	for i := range root {
		root[i] = Node(i)
	}
	join := func(a, b Node) bool {
		ra, rb := root[a], root[b]
		if ra == rb {
			return false
		}
		for i := range root {
			if root[i] == ra {
				root[i] = rb
			}
		}
		return true
	}
	for _, e := range eqs {
		join(e[0], e[1])
	}
	for again := true; again; {
		again = false
		for a := Node(1); int(a) < g.Len(); a++ {
			x := g.Args(a)
			if g.Op(a) == logic.Eq && root[x[0]] == root[x[1]] {
				again = join(a, g.True) || again
			}
			for b := Node(1); b < a; b++ {
				y := g.Args(b)
				if g.Op(a) != g.Op(b) || len(x) != len(y) || len(x) == 0 {
					continue
				}
				same := true
				for i := range x {
					same = same && root[x[i]] == root[y[i]]
				}
				if g.Op(a) == logic.Eq {
					same = same || root[x[0]] == root[y[1]] && root[x[1]] == root[y[0]]
				}
				if same {
					again = join(a, b) || again
				}
				if g.Op(a) == logic.Maplet && root[a] == root[b] {
					for i := range x {
						again = join(x[i], y[i]) || again
					}
				}
			}
		}
	}
	clash := false
	for a := Node(1); int(a) < g.Len(); a++ {
		for b := Node(1); b < a; b++ {
			clash = clash || root[a] == root[b] && isValue(g.Op(a)) && isValue(g.Op(b)) && g.Op(a) != logic.BoolOf
		}
	}
	return root, clash
}

func TestClosureAgreesWithBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	for range 400 {
		b := logic.NewBank()
		s := b.GivenType("S")
		pair := b.ProdType(s, s)
		g := New(b)
		var elems, pairs []logic.Term
		for _, n := range []string{"a", "b", "c", "d"} {
			elems = append(elems, b.Free(n, s))
		}
		f := b.Free("f", b.RelType(s, s))
		for range 4 {
			elems = append(elems, b.App(logic.Apply, f, elems[rnd.Intn(len(elems))]))
		}
		pairs = append(pairs, b.Free("p", pair), b.Free("q", pair))
		for range 4 {
			pairs = append(pairs, b.App(logic.Maplet, elems[rnd.Intn(len(elems))], elems[rnd.Intn(len(elems))]))
		}
		pick := func() (logic.Term, logic.Term) {
			set := elems
			if rnd.Intn(3) == 0 {
				set = pairs
			}
			return set[rnd.Intn(len(set))], set[rnd.Intn(len(set))]
		}
		base := append([][2]Node{}, [2]Node{g.Node(b.App(logic.BoolOf, b.App(logic.True))), g.Node(b.App(logic.TrueE))},
			[2]Node{g.Node(b.App(logic.BoolOf, b.App(logic.False))), g.Node(b.App(logic.FalseE))})
		eqs := [][][2]Node{nil}
		var all [][2]Node
		g.Propagate()
		for range 30 {
			if rnd.Intn(4) == 0 && len(eqs) > 1 {
				n := rnd.Intn(len(eqs) - 1)
				g.Pop(n)
				g.Propagate()
				eqs = eqs[:n+1]
			} else if rnd.Intn(3) == 0 {
				g.Push()
				eqs = append(eqs, nil)
			}
			x, y := pick()
			nx, ny := g.Node(x), g.Node(y)
			switch rnd.Intn(3) {
			case 0: // only make the equation
				g.Node(b.App(logic.Eq, x, y))
			case 1: // make it true
				e := g.Node(b.App(logic.Eq, x, y))
				eqs[len(eqs)-1] = append(eqs[len(eqs)-1], [2]Node{e, g.True}, [2]Node{nx, ny})
				g.Merge(e, g.True, Reason(len(all)))
				g.Merge(nx, ny, Reason(len(all)+1))
				all = append(all, [2]Node{e, g.True}, [2]Node{nx, ny})
			default:
				e := g.Node(b.App(logic.Eq, x, y))
				eqs[len(eqs)-1] = append(eqs[len(eqs)-1], [2]Node{e, g.False})
				g.Merge(e, g.False, Reason(len(all)))
				all = append(all, [2]Node{e, g.False})
			}
			given := slices.Concat(append([][][2]Node{base}, eqs...)...)
			want, clash := naive(g, given)
			if ok := g.Propagate(); ok == clash {
				t.Fatalf("consistent %v, brute force %v", ok, !clash)
			}
			if clash {
				var used [][2]Node
				for _, r := range g.Conflict() {
					used = append(used, all[r])
				}
				if _, c := naive(g, append(used, base...)); !c {
					t.Fatal("explained conflict is none")
				}
				if len(eqs) == 1 {
					break
				}
				g.Pop(len(eqs) - 2)
				g.Propagate()
				eqs = eqs[:len(eqs)-1]
				continue
			}
			for a := Node(1); int(a) < g.Len(); a++ {
				for c := Node(1); c < a; c++ {
					if (want[a] == want[c]) != g.Equal(a, c) {
						t.Fatalf("nodes %d %d: equal %v, brute force %v", a, c, g.Equal(a, c), want[a] == want[c])
					}
					if g.Equal(a, c) && rnd.Intn(20) == 0 {
						var used [][2]Node
						for _, r := range g.Explain(a, c) {
							used = append(used, all[r])
						}
						if got, _ := naive(g, append(used, base...)); got[a] != got[c] {
							t.Fatal("explanation does not entail the equality")
						}
					}
				}
			}
		}
	}
}
