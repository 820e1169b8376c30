// Package euf implements equality: congruence closure over closed terms, with backtracking and
// explanations. Of clauses, sets and numbers it uses only two facts. ↦ and bool are injective,
// and ⊤, ⊥, TRUE, FALSE and integer literals are pairwise different.
//
// Predicates are nodes too: a true atom is merged with ⊤, a false one with ⊥. Binders and
// connectives are leaves. Nodes are never removed. When a level is undone, nodes created there
// are entered again at the level below.
package euf

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/reuse"
)

// Node is a term in a Graph; it never changes. The zero Node stands for none.
type Node int32

// Reason is what the caller gave for a merge.
type Reason int32

type edgeKind uint8

const (
	noEdge    edgeKind = iota
	asserted           // by the caller's reason
	congruent          // x and y have equal arguments
	crosswise          // x and y are equations with equal sides, crosswise
	same               // x is an equation between equal terms, and so ⊤
	injective          // argument i of x and y, which are equal pairs (or bools)
)

// edge says why a node is equal to its neighbour in the proof forest.
type edge struct {
	kind edgeKind
	to   Node
	why  Reason
	x, y Node
}

type merge struct {
	a, b Node
	e    edge
}

type entry struct {
	hash uint32
	node Node
	next int32
}

type undo struct {
	from, to    Node // the forest edge
	gone, kept  Node // the root that was merged away, and into which
	value, pair Node // of kept, before
}

type mark struct{ undos, entries, made int }

// Event says that atom Node became equal to ⊤ or ⊥.
type Event struct {
	Node Node
	True bool
}

// Graph is a congruence closure. Make one with New.
type Graph struct {
	b      *logic.Bank
	nodeOf []Node           // by term
	room   reuse.Slab[Node] // for arguments

	term    []logic.Term
	op      []logic.Op
	args    [][]Node
	members [][]Node // the memberships in a node
	parents [][]Node // other nodes that have it as an argument
	root    []Node
	next    []Node // cyclic list of the class
	size    []int32
	value   []Node // by root: the member that is a value
	pair    []Node // by root: a member that is ↦ or bool(…)
	edges   []edge
	atom    []bool

	heads   []int32 // hash table of signatures: index into entries + 1
	entries []entry
	undos   []undo
	marks   []mark
	made    []Node // nodes to enter again when their level is undone
	todo    []merge
	clash   [2]Node

	edgeSeen []int32
	seen     []int32
	epoch    int32

	// Events lists atoms that became true or false, for the caller to take.
	Events []Event
	// Merged is called before classes a and b become one.
	Merged func(a, b Node)
	// Steps counts work.
	Steps int64

	True, False Node
}

// New returns a graph over terms of b.
func New(bank *logic.Bank) *Graph {
	g := &Graph{}
	g.Reset(bank)
	return g
}

// leastHeads is the size of the table of signatures of a new graph.
const leastHeads = 1 << 10

// Reset makes g a new graph over terms of bank, in the memory that it has. What is not named
// here starts from zero.
func (g *Graph) Reset(bank *logic.Bank) {
	heads := g.heads
	if len(heads) != leastHeads {
		heads = make([]int32, leastHeads)
	}
	clear(heads)
	g.room.Reset()
	*g = Graph{
		b: bank, nodeOf: g.nodeOf[:0], room: g.room,
		term: g.term[:0], op: g.op[:0], args: g.args[:0], members: g.members[:0], parents: g.parents[:0],
		root: g.root[:0], next: g.next[:0], size: g.size[:0], value: g.value[:0], pair: g.pair[:0],
		edges: g.edges[:0], atom: g.atom[:0], edgeSeen: g.edgeSeen[:0], seen: g.seen[:0],
		heads: heads, entries: g.entries[:0], undos: g.undos[:0], marks: g.marks[:0], made: g.made[:0],
		todo: g.todo[:0], Events: g.Events[:0],
	}
	g.add(0, logic.Invalid, nil)
	g.True, g.False = g.Node(bank.App(logic.True)), g.Node(bank.App(logic.False))
	for _, t := range []logic.Op{logic.True, logic.False} {
		e := logic.TrueE
		if t == logic.False {
			e = logic.FalseE
		}
		predicate := bank.App(t)
		g.todo = append(g.todo, merge{g.Node(bank.App(logic.BoolOf, predicate)), g.Node(bank.App(e)), edge{kind: asserted, why: -1}})
	}
}

// Len is one more than the greatest node.
func (g *Graph) Len() int { return len(g.term) }

// Term returns the term of n.
func (g *Graph) Term(n Node) logic.Term { return g.term[n] }

// Op returns the operator of n.
func (g *Graph) Op(n Node) logic.Op { return g.op[n] }

// Args returns the argument nodes of n; none for leaves.
func (g *Graph) Args(n Node) []Node { return g.args[n] }

// Memberships returns the nodes x∈n, for n itself.
func (g *Graph) Memberships(n Node) []Node { return g.members[n] }

// Parents returns the other nodes that have n itself among their arguments.
func (g *Graph) Parents(n Node) []Node { return g.parents[n] }

// Find returns the representative of n's class.
func (g *Graph) Find(n Node) Node { return g.root[n] }

// Equal reports whether a and b are in one class.
func (g *Graph) Equal(a, b Node) bool { return g.root[a] == g.root[b] }

// Next returns the member of n's class after n, cyclically.
func (g *Graph) Next(n Node) Node { return g.next[n] }

// Size returns the number of members of n's class.
func (g *Graph) Size(n Node) int { return int(g.size[g.root[n]]) }

// Value returns the value in n's class, or 0.
func (g *Graph) Value(n Node) Node { return g.value[g.root[n]] }

// Pair returns a member of n's class that is a pair or bool(…), n itself if it is one, or 0.
func (g *Graph) Pair(n Node) Node {
	if op := g.Op(n); op == logic.Maplet || op == logic.BoolOf {
		return n
	}
	return g.pair[g.root[n]]
}

// Lookup returns the node of t, or 0.
func (g *Graph) Lookup(t logic.Term) Node {
	if int(t) < len(g.nodeOf) {
		return g.nodeOf[t]
	}
	return 0
}

// leaf reports whether the arguments of op are not looked into.
func leaf(op logic.Op) bool {
	switch op {
	case logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff:
		return true
	}
	return op.IsBinder()
}

func isValue(op logic.Op) bool {
	switch op {
	case logic.True, logic.False, logic.TrueE, logic.FalseE, logic.Int:
		return true
	}
	return false
}

// Node returns the node of closed term t.
func (g *Graph) Node(t logic.Term) Node {
	if n := g.Lookup(t); n != 0 {
		return n
	}
	op := g.b.Op(t)
	var args []Node
	if n := len(g.b.Args(t)); n > 0 && !leaf(op) {
		args = g.room.Take(n)
		for i, a := range g.b.Args(t) {
			args[i] = g.Node(a)
		}
	}
	n := g.add(t, op, args)
	g.nodeOf = reuse.Reach(g.nodeOf, int(t))
	g.nodeOf[t] = n
	if isValue(op) {
		g.value[n] = n
	}
	if op == logic.Maplet || op == logic.BoolOf {
		g.pair[n] = n
	}
	// Memberships are kept apart from other parents, as most of the search looks at these, and a set
	// may have thousands.
	for i, a := range args {
		if !slices.Contains(args[:i], a) {
			list := &g.parents[a]
			if op == logic.In && i == 1 {
				list = &g.members[a]
			}
			*list = append(*list, n)
		}
	}
	g.enter(n)
	if len(g.marks) > 0 {
		g.made = append(g.made, n)
	}
	return n
}

// add makes a node for a term, in a class of its own.
func (g *Graph) add(term logic.Term, op logic.Op, args []Node) Node {
	node := Node(len(g.term))
	g.term = append(g.term, term)
	g.op = append(g.op, op)
	g.args = append(g.args, args)
	g.members = reuse.Extend(g.members)
	g.parents = reuse.Extend(g.parents)
	g.root = append(g.root, node)
	g.next = append(g.next, node)
	g.size = append(g.size, 1)
	g.value = append(g.value, 0)
	g.pair = append(g.pair, 0)
	g.edges = append(g.edges, edge{})
	g.atom = append(g.atom, false)
	g.edgeSeen = append(g.edgeSeen, 0)
	g.seen = append(g.seen, 0)
	return node
}

// Watch makes n an atom: Events tell when it becomes equal to ⊤ or ⊥.
func (g *Graph) Watch(n Node) {
	if g.atom[n] {
		return
	}
	g.atom[n] = true
	g.tell(n)
	if len(g.marks) > 0 {
		g.made = append(g.made, n)
	}
}

func (g *Graph) tell(n Node) {
	if v := g.Value(n); g.atom[n] && n != v && (v == g.True || v == g.False) && v != 0 {
		g.Events = append(g.Events, Event{n, v == g.True})
	}
}

// enter puts n into the signature table, or merges it with a congruent node.
func (g *Graph) enter(n Node) {
	if len(g.args[n]) == 0 {
		return
	}
	if g.op[n] == logic.Eq && g.root[g.args[n][0]] == g.root[g.args[n][1]] {
		g.todo = append(g.todo, merge{n, g.True, edge{kind: same, x: n}})
		return
	}
	h := g.signature(n)
	if m := g.find(n, h); m == 0 {
		g.insert(n, h)
	} else if g.root[m] != g.root[n] {
		g.todo = append(g.todo, merge{n, m, edge{kind: g.likeness(n, m), x: n, y: m}})
	}
}

func (g *Graph) signature(n Node) uint32 {
	h := uint32(g.op[n]) * 0x9E3779B1
	args := g.args[n]
	if g.op[n] == logic.Eq {
		x, y := uint32(g.root[args[0]]), uint32(g.root[args[1]])
		h ^= (x + y) * 0x85EBCA77
		h ^= (x ^ y) * 0xC2B2AE3D
		return h ^ h>>15
	}
	for _, a := range args {
		h = (h ^ uint32(g.root[a])) * 0x01000193
		h ^= h >> 15
	}
	return h
}

func (g *Graph) congruent(m, n Node) bool {
	x, y := g.args[m], g.args[n]
	if g.op[m] != g.op[n] || len(x) != len(y) {
		return false
	}
	straight := true
	for i := range x {
		straight = straight && g.root[x[i]] == g.root[y[i]]
	}
	return straight || g.op[m] == logic.Eq && g.root[x[0]] == g.root[y[1]] && g.root[x[1]] == g.root[y[0]]
}

// Congruent reports whether m and n have one operator and equal arguments, and so say the same.
func (g *Graph) Congruent(m, n Node) bool { return g.congruent(m, n) }

// likeness says in which way congruent nodes m and n are so.
func (g *Graph) likeness(m, n Node) edgeKind {
	for i, x := range g.args[m] {
		if g.root[x] != g.root[g.args[n][i]] {
			return crosswise
		}
	}
	return congruent
}

func (g *Graph) find(n Node, h uint32) Node {
	for i := g.heads[h&uint32(len(g.heads)-1)]; i != 0; i = g.entries[i-1].next {
		if e := &g.entries[i-1]; e.hash == h && g.congruent(e.node, n) {
			return e.node
		}
	}
	return 0
}

func (g *Graph) insert(n Node, h uint32) {
	if len(g.entries) >= len(g.heads) {
		g.heads = make([]int32, 2*len(g.heads))
		for i := range g.entries {
			g.link(i)
		}
	}
	g.entries = append(g.entries, entry{h, n, 0})
	g.link(len(g.entries) - 1)
}

func (g *Graph) link(i int) {
	e := &g.entries[i]
	slot := &g.heads[e.hash&uint32(len(g.heads)-1)]
	e.next, *slot = *slot, int32(i+1)
}

// Merge makes a and b equal for the caller's reason, at the next Propagate.
func (g *Graph) Merge(a, b Node, why Reason) {
	g.todo = append(g.todo, merge{a, b, edge{kind: asserted, why: why}})
}

// Pending reports whether Propagate has something to do. It must not when a level
// is opened, or what follows from the levels below would be lost with it.
func (g *Graph) Pending() bool { return len(g.todo) > 0 || len(g.Events) > 0 }

// Propagate closes under congruence. It reports false on a contradiction, which
// Conflict explains.
func (g *Graph) Propagate() bool {
	for i := 0; i < len(g.todo); i++ {
		m := g.todo[i]
		if g.root[m.a] == g.root[m.b] {
			continue
		}
		if !g.union(m) {
			g.todo = g.todo[:0]
			return false
		}
	}
	g.todo = g.todo[:0]
	return true
}

// union joins the classes of two nodes, and reports false if they hold different values.
func (g *Graph) union(m merge) bool {
	ra, rb := g.root[m.a], g.root[m.b]
	a, b := m.a, m.b
	if g.size[ra] > g.size[rb] {
		ra, rb, a, b = rb, ra, b, a
	}
	// The caller sees both classes as they were. The smaller one is moved, so that each node moves at
	// most log n times; then, in this order: the proof forest, the undo record with the old values
	// of the class that stays, events while members can still be told apart, the new root for all
	// members, and only then their parents, whose signatures depend on it.
	if g.Merged != nil {
		g.Merged(ra, rb)
	}
	g.reroot(a)
	m.e.to = b
	g.edges[a] = m.e
	va, vb := g.value[ra], g.value[rb]
	pa, pb := g.pair[ra], g.pair[rb]
	g.undos = append(g.undos, undo{a, b, ra, rb, vb, pb})
	g.Steps += int64(g.size[ra])

	switch {
	case va != 0 && vb == 0 && (va == g.True || va == g.False):
		g.tellAll(rb, va)
	case vb != 0 && va == 0 && (vb == g.True || vb == g.False):
		g.tellAll(ra, vb)
	}
	for n := ra; ; {
		g.root[n] = rb
		if n = g.next[n]; n == ra {
			break
		}
	}
	for n := ra; ; {
		g.Steps += int64(len(g.parents[n]) + len(g.members[n]))
		for _, p := range g.parents[n] {
			g.enter(p)
		}
		for _, p := range g.members[n] {
			g.enter(p)
		}
		if n = g.next[n]; n == ra {
			break
		}
	}
	// Swapping two successors joins two cyclic lists, and undoes that.
	g.next[ra], g.next[rb] = g.next[rb], g.next[ra]
	g.size[rb] += g.size[ra]
	if vb == 0 {
		g.value[rb] = va
	}
	if pb == 0 {
		g.pair[rb] = pa
	}
	if va != 0 && vb != 0 {
		g.clash = [2]Node{va, vb}
		return false
	}
	if pa != 0 && pb != 0 && g.op[pa] == g.op[pb] {
		for i := range g.args[pa] {
			x, y := g.args[pa][i], g.args[pb][i]
			g.todo = append(g.todo, merge{x, y, edge{kind: injective, x: pa, y: pb}})
		}
	}
	return true
}

func (g *Graph) tellAll(r, v Node) {
	for n := r; ; {
		if g.atom[n] {
			g.Events = append(g.Events, Event{n, v == g.True})
		}
		if n = g.next[n]; n == r {
			return
		}
	}
}

// reroot makes n the root of its tree in the proof forest.
func (g *Graph) reroot(node Node) {
	prev := edge{}
	for at := node; ; {
		e := g.edges[at]
		g.edges[at] = prev
		if e.kind == noEdge {
			return
		}
		next := e.to
		e.to = at
		prev, at = e, next
	}
}

// Push opens a level.
func (g *Graph) Push() { g.marks = append(g.marks, mark{len(g.undos), len(g.entries), len(g.made)}) }

// Pop returns to level n.
func (g *Graph) Pop(n int) {
	m := g.marks[n]
	g.marks = g.marks[:n]
	g.todo = g.todo[:0]
	g.Events = g.Events[:0]
	// In reverse order, so that each union is undone in the state that it left.
	for i := len(g.undos) - 1; i >= m.undos; i-- {
		u := g.undos[i]
		ra, rb := u.gone, u.kept
		g.next[ra], g.next[rb] = g.next[rb], g.next[ra]
		g.size[rb] -= g.size[ra]
		for node := ra; ; {
			g.root[node] = ra
			if node = g.next[node]; node == ra {
				break
			}
		}
		g.value[rb], g.pair[rb] = u.value, u.pair
		g.cut(u.from, u.to)
	}
	g.undos = g.undos[:m.undos]
	for i := len(g.entries) - 1; i >= m.entries; i-- {
		e := &g.entries[i]
		g.heads[e.hash&uint32(len(g.heads)-1)] = e.next
	}
	g.entries = g.entries[:m.entries]
	// Nodes made above level n stay: they enter the table of signatures again. Above level 0 they are
	// kept on the list, since undoing the next level takes them out again.
	again := g.made[m.made:]
	g.Steps += int64(len(again))
	if n == 0 {
		g.made = g.made[:m.made]
	}
	for _, node := range again {
		g.enter(node)
		g.tell(node)
	}
}
