package ir

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	pathpkg "path"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/preproc"
)

// InstrOp is what an instruction does.
type InstrOp uint8

const (
	DoAssign    InstrOp = iota // v := e
	DoHavoc                    // v := any value of its type
	DoUndef                    // v has no value yet
	DoLoad                     // v := mem[off]
	DoStore                    // mem[off] := e; nil: any value
	DoAtomic                   // mem[off] changes, v := any value; with e: v := mem[off], mem[off] := v + e, in one step
	DoAssert                   // check e
	DoAssume                   // e holds
	DoInvariant                // check e; at a loop head an invariant
	DoBarrier                  // flags: the spaces that are ordered
	DoWarp                     // a barrier of those lanes of a warp that e, a mask, names, or of a tile of lanes
)

// Instr is one instruction.
type Instr struct {
	Op    InstrOp
	At    preproc.Place
	V     *Variable
	E     *Term
	Mem   *Memory
	Off   *Term
	Typ   *ast.Ctype // of what is stored
	Kind  string     // of a check
	Why   string
	Grid  bool  // a barrier is one of the whole grid
	Local bool  // a barrier orders local memory
	Glob  bool  // a barrier orders global memory
	Lanes int64 // DoWarp is a barrier of the lanes of a tile of so many, in which the thread is; 0: of those that the mask names
	Inner bool  // a store is one of a toolkit to its scratch memory; a barrier orders only such stores
	id    int   // of a barrier
}

// Node is a basic block.
type Node struct {
	Id      int
	Code    []*Instr
	Cond    *Term // nil: goes on to then
	Then    *Node
	Other   *Node
	End     bool
	Head    bool // the head of a loop
	Asks    bool // its first instruction asks what has been logged: it is a cut point
	At      preproc.Place
	Count   *Variable             // how often the loop of this head has come round
	Stepped map[*Variable][]*Term // what variables change by in the loop of this head
}

// IsBarrier reports whether n is a barrier and nothing else.
func (n *Node) IsBarrier() bool { return len(n.Code) == 1 && n.Code[0].Op == DoBarrier }

// Memory is an array, or what a pointer parameter points at.
type Memory struct {
	name    string
	key     string // see pointer.base
	Space   ast.Space
	elem    *ast.Ctype
	Cells   int64 // −1: unknown
	Content []*big.Int
	at      preproc.Place
	Id      int
	Written bool
	fixed   []*Variable // one a cell, where all accesses are to fixed cells
}

// Holds reports whether all that an array holds is of the scalar type t.
func (m *Memory) Holds(t *ast.Ctype) bool {
	for i := range m.elem.Cells() {
		if !sameScalar(m.elem.Leaf(i), t) {
			return false
		}
	}
	return true
}

// Writes reports whether the program may write to the array that is called so.
func (p *Program) Writes(array string) bool {
	for _, m := range p.Mems {
		if m.name == array {
			return m.Written
		}
	}
	return true // it goes by another name
}

// parameter is a scalar of the launch, equal for all threads.
type parameter struct {
	Name string // as the source has it
	Typ  *ast.Ctype
	Term *Term
	of   *Memory // whose place holds it, nil of a parameter
}

// Program is a kernel as a graph of basic blocks.
type Program struct {
	Name       string
	File       string
	At         preproc.Place
	Entry      *Node
	Nodes      []*Node
	Params     []*parameter
	Mems       []*Memory
	Vars       []*Variable
	Barriers   int
	Axioms     []*Term
	Relations  bool // some check is about two threads
	Opts       launch.Options
	Warps      bool      // it calls functions of the threads of a warp
	Contracts  bool      // some function without body is known by its contract alone
	Bodiless   []string  // functions without body or contract that it calls
	Accessed   *Variable // which access thread 1 has logged, for annotations
	Offset     *Variable
	Annotated  bool
	Taken      []string // see syntax.Unit
	Granted    bool     // the author assumes something of launches, or on the way
	Believes   bool     // … in __assume or __axiom, which no launch owes
	Exact      bool     // some arithmetic is taken not to overflow
	Jumps      bool     // some variables take more numbers than loops have copies for
	Dimensions bool     // it asks of how many dimensions the launch is
	Wide       bool     // values depend on the width of pointers
	Lanes      int64    // its threads are those of one tile of so many lanes, see OfLanes; 0: of a group
}

// Width says how many bits the types have whose width is that of pointers.
const Width = "size_t, ptrdiff_t and pointers have 64 bits"

// NoOverflow is what is taken for granted of arithmetic where a proof without it fails.
const NoOverflow = "signed arithmetic does not overflow, nor does a sum or product with unsigned numbers, each within the range of a signed one, that is assigned to a signed variable; factors above 65536 are excepted"

// Assumptions are what a verdict about the program takes for granted.
func (p *Program) Assumptions() []string {
	// Each line is there only if the program uses the assumption. The texts are part of answers, and scripts compare
	// them.
	out := slices.Clone(p.Taken)
	o := p.Opts
	if p.Wide {
		out = append(out, Width)
	}
	if p.Dimensions {
		out = append(out, fmt.Sprintf("the launch has as many dimensions as sizes are given for: %d", o.Dims))
	}
	if !o.NoBenign {
		out = append(out, "writes of one value to one place are tolerated")
	}
	if p.Granted {
		out = append(out, "the author's requirements and assumptions (__requires, __assume, __axiom) hold")
	}
	if p.Contracts {
		out = append(out, "functions without body do what their contracts say")
	}
	if len(p.Bodiless) > 0 {
		out = append(out, "functions without body wait at no barrier, and write to nothing that the file declares: "+strings.Join(p.Bodiless, ", "))
	}
	if p.Warps {
		out = append(out, "functions of warps, but for __syncwarp of all lanes, order no accesses, and give any value; that their threads reach them together is not checked")
	}
	if p.MeetsInGrid() {
		out = append(out, "the launch is cooperative, so that all groups meet at barriers of the grid")
	}
	if p.MeetsInWarps() {
		out = append(out, "32 threads that follow each other in the order of their ids are a warp")
	}
	if slices.ContainsFunc(p.Nodes, func(n *Node) bool { return n.Head }) {
		out = append(out, "loops terminate (partial correctness)")
	}
	pointers := 0
	for _, m := range p.Mems {
		if m.Cells < 0 && m.Space != ast.Private {
			pointers++
		}
	}
	if slices.ContainsFunc(p.Mems, func(m *Memory) bool { return m.Content != nil }) {
		out = append(out, "constant memory keeps its initial values")
	}
	if pointers > 1 {
		out = append(out, "array parameters do not overlap")
	}
	if !o.Bounds {
		out = append(out, "bounds are not checked")
	}
	if o.NoOverflow || o.NoWrap {
		out = append(out, NoOverflow)
	} else if !o.Overflow {
		out = append(out, "signed overflow wraps, and is not checked")
	}
	for d := range 3 {
		if (o.Local[d] == 0 || o.Groups[d] == 0) && o.Global[d] == 0 {
			out = append(out, "fewer than 2^31 threads in each dimension")
			break
		}
	}
	if pathpkg.Ext(p.File) != ".cu" {
		out = append(out, "ids of the grid begin at 0, and all groups have as many threads")
	}
	if o.WarpSync {
		out = append(out, "that threads of a warp run in step is not made use of")
	}
	if p.CountersAssumed() {
		out = append(out, CountersAssumed)
	}
	out = append(out, o.Skipped()...)
	return out
}

// CountersAssumed is what is taken for granted of counters where the launch does not say that it holds.
const CountersAssumed = "one launch adds at most 2^N to an atomic counter of N bits"

// Counters are the arrays that nothing changes but atomic additions of positive constants, which together are at most as much as
// a counter has values: then no two of them find the same number at a place, whatever it held before. Of those of which the launch
// does not say how much is added, that is assumed (true).
func (p *Program) Counters() map[*Memory]bool {
	type total struct {
		added       *big.Int // by all threads that share a place, each of which comes once to each addition
		bits        int
		known, lost bool // the number of threads is known; something else changes it
		again       bool // a thread may come to an addition more often
	}
	of := map[*Memory]*total{}
	for _, n := range p.Nodes {
		for _, i := range n.Code {
			if i.Op != DoAtomic && i.Op != DoStore {
				continue
			}
			t := of[i.Mem]
			if t == nil {
				t = &total{added: new(big.Int)}
				of[i.Mem] = t
			}
			if i.Op == DoStore || !i.counts() || t.bits > 0 && t.bits != i.V.Typ.Bits {
				t.lost = true
				continue
			}
			var threads *big.Int
			threads, t.known = p.threads(i.Mem.Space == ast.Local)
			t.added.Add(t.added, threads.Mul(threads, i.E.Val))
			t.bits, t.again = i.V.Typ.Bits, t.again || n.again()
		}
	}
	out := map[*Memory]bool{}
	for m, t := range of {
		fits := !t.again && t.added.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(t.bits))) <= 0
		if !t.lost && (fits || t.again || !t.known) {
			out[m] = !fits
		}
	}
	return out
}

// CountersAssumed reports whether it is assumed of a counter that it does not come round.
func (p *Program) CountersAssumed() bool {
	for _, assumed := range p.Counters() {
		if assumed {
			return true
		}
	}
	return false
}

// threads bounds the threads of a group, or of the grid; known says that there are as many.
func (p *Program) threads(group bool) (n *big.Int, known bool) {
	n, known = big.NewInt(1), true
	for d := range 3 {
		local, all := p.Opts.Local[d], p.Opts.Local[d]*p.Opts.Groups[d]
		if p.Opts.Global[d] > 0 {
			all = p.Opts.Global[d]
		}
		if group {
			all = local
		}
		if all == 0 {
			all, known = 1<<31, false
		}
		n.Mul(n, big.NewInt(all))
	}
	return n, known
}

// again reports whether a way leads from n to itself.
func (n *Node) again() bool {
	seen := map[*Node]bool{}
	for stack := []*Node{n.Then, n.Other}; len(stack) > 0; {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if m == n {
			return true
		}
		if m == nil || seen[m] {
			continue
		}
		seen[m] = true
		stack = append(stack, m.Then, m.Other)
	}
	return false
}

// counts reports whether an atomic operation adds a positive constant to an integer.
func (i *Instr) counts() bool {
	return i.E != nil && i.E.IsNum() && i.V.Typ.Kind == ast.IntType && i.Mem.Space != ast.Private &&
		i.E.Val.Sign() > 0 && i.E.Val.BitLen() < i.V.Typ.Bits-1 // not −1 as a number without sign
}

// The kinds of accesses.
const (
	IsRead = 1 + iota
	IsWrite
	IsAtomic
)

// AccessCode is what the log says of an access of that kind to a memory.
func AccessCode(m *Memory, kind int) int64 { return int64(4*(m.Id+1) + kind) }

// Conflict is the kind of race that two accesses to one place make: a and b are
// IsRead, IsWrite or IsAtomic. It is empty if they do not conflict.
func Conflict(a, b int) string {
	switch {
	case a == IsWrite && b == IsWrite:
		return "race-ww"
	case a == IsAtomic && b == IsAtomic, a == IsRead && b == IsRead:
		return ""
	case a == IsAtomic || b == IsAtomic:
		return "race-atomic"
	}
	return "race-rw"
}

// Doing says what an access does, by its kind.
var Doing = [...]string{"", "reads", "writes", "changes atomically"}

// Numbers are those that a program mentions, with their neighbours and differences, the
// smallest first and each once.
func (p *Program) Numbers() []int64 {
	const most = 48 // mentioned ones
	seen := map[int64]bool{0: true, 1: true}
	p.leaves(func(x *Term) {
		if x.IsNum() && x.Val.IsInt64() && len(seen) < most {
			seen[x.Val.Int64()] = true
		}
	})
	mentioned := slices.Sorted(maps.Keys(seen))
	for _, a := range mentioned {
		seen[a+1], seen[a-1] = true, true
		for _, b := range mentioned {
			seen[a-b] = true
		}
	}
	out := slices.Collect(maps.Keys(seen))
	slices.SortFunc(out, func(a, b int64) int {
		return cmp.Or(cmp.Compare(max(a, -a), max(b, -b)), cmp.Compare(b, a))
	})
	return out
}

// Held is what a place holds that no thread writes, at an offset that the launch alone names: a number of the launch.
func (p *Program) Held(m *Memory, off *Term, t *ast.Ctype) *Term {
	name := fmt.Sprintf("%s[%s]", m.name, off.Key())
	if off.IsNum() {
		name = fmt.Sprintf("%s[%s]", m.name, off.Val)
	}
	held := 0
	for _, q := range p.Params {
		if strings.HasPrefix(q.Term.Name, heldName) {
			held++
		}
		if q.of == m && q.Name == name && sameScalar(q.Typ, t) {
			return q.Term
		}
	}
	q := &parameter{Name: name, Typ: t, Term: &Term{Op: Sym, Name: fmt.Sprint(heldName, held+1)}, of: m}
	p.Params = append(p.Params, q)
	return q.Term
}

// heldName begins the names of what places hold.
const heldName = "held"

// leaves visits those of all terms that the program mentions.
func (p *Program) leaves(visit func(*Term)) {
	terms := slices.Clone(p.Axioms)
	for _, n := range p.Nodes {
		terms = append(terms, n.Cond)
		for _, i := range n.Code {
			terms = append(terms, i.E, i.Off)
		}
	}
	for _, t := range terms {
		if t != nil {
			Leaves(t, visit)
		}
	}
}

// Unasked are the dimensions, x, y or z, in which a group may have any number of threads,
// and whose ids the program does not ask for.
func (p *Program) Unasked() (out []string) {
	asked := map[Symbol]bool{}
	p.leaves(func(x *Term) { asked[x.Symbol] = true })
	for d := range 3 {
		if p.Opts.Local[d] == 0 && !asked[Symbol{OfThread, d}] {
			out = append(out, dimensions[d:d+1])
		}
	}
	return out
}

// Linear reports whether nothing is said of the sizes of launches, and the program asks for ids and sizes in x alone.
func (p *Program) Linear() bool {
	o := p.Opts
	if o.Given || o.Local != [3]int64{} || o.Groups != [3]int64{} || o.Global != [3]int64{} {
		return false
	}
	linear := true
	p.leaves(func(x *Term) {
		switch x.Symbol.Of {
		case OfThread, OfGroup, GroupThread, GridGroups:
			linear = linear && x.Symbol.Dim == 0
		}
	})
	return linear
}

// sameScalar reports whether two scalars have the same values and bits.
func sameScalar(a, b *ast.Ctype) bool {
	return a.Kind == b.Kind && a.Bits == b.Bits && a.Signed == b.Signed
}
