package ir

import (
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// ofWarp is the value of a function of the threads of a warp. What it gives depends on other threads: any value of
// its type covers that, whichever they are. It orders no accesses.
func (l *lowerer) ofWarp(c called) *value {
	l.Prog.Warps = true
	return l.anyResult(c)
}

// undeclared refuses a call of what is no function here, with what can be written instead.
func (l *lowerer) undeclared(n string, at preproc.Place) {
	if strings.HasPrefix(n, "__barrier_invariant") {
		l.fail(at, "%s: barrier invariants are not supported; write __assert after the barrier", n)
	}
	l.fail(at, "function %s, which is not declared; give it a body, or a prototype if it cannot write", n)
}

// warpBarrier is a barrier of the lanes of a warp that a mask names, all if there is none. Of other languages it is not known which
// threads are a warp, so that it orders nothing there.
func (l *lowerer) warpBarrier(c called) *value {
	if c.Name != "__syncwarp" || len(c.args) > 1 {
		l.Prog.Warps = true
		return l.forEffects(c)
	}
	if l.pure > 0 {
		l.fail(c.at, "%s where no side effect is allowed", c.Name)
	}
	mask := Number(-1)
	if len(c.args) == 1 {
		mask = l.scalar(l.value(c.args[0]), c.at)
	}
	l.Emit(&Instr{Op: DoWarp, At: c.at, E: mask})
	return nothing()
}

// CheckMasks puts a check before each barrier of some lanes of a warp: each lane that comes there must be named. Where a mask is no constant
// that is assumed.
func (p *Program) CheckMasks() {
	for _, n := range p.Nodes {
		if len(n.Code) != 1 || n.Code[0].Op != DoWarp || n.meetLanes() > 0 {
			continue
		}
		p.Warps = true
		i := n.Code[0]
		if !i.E.IsNum() {
			continue
		}
		if named := (&Builder{Prog: p}).named(i.E.Val); named.Op != PTrue {
			why := "the mask of a warp barrier does not name a thread that arrives at it"
			n.Code = []*Instr{{Op: DoAssert, At: i.At, Kind: "divergence", Why: why, E: named}, i}
		}
	}
}

// named says that the lane of a thread is one of those whose bits are set.
func (b *Builder) named(mask *big.Int) *Term {
	number := Number(0)
	for d := 2; d >= 0; d-- {
		number = Sum(Product(number, b.LocalSize(d)), b.LocalID(d))
	}
	lane := Remainder(number, Number(LanesOfWarp))
	bit := func(k int) bool {
		return k < LanesOfWarp && new(big.Int).And(mask, new(big.Int).Lsh(big.NewInt(1), uint(k))).Sign() != 0
	}
	var some []*Term
	for k := 0; k < LanesOfWarp; k++ {
		from := k
		for bit(k) {
			k++
		}
		if k > from {
			some = append(some, Both(Compare(PLe, Number(int64(from)), lane), Compare(PLt, lane, Number(int64(k)))))
		}
	}
	return Either(some...)
}

// LanesOfWarp is how many threads of a group, in the order of their ids, are a warp of CUDA.
const LanesOfWarp = 32

// IsTile reports whether n lanes can be a tile of a warp that is smaller than it: they follow each other from a multiple of n on.
func IsTile(n int64) bool { return 0 < n && n < LanesOfWarp && n&(n-1) == 0 }

// meetLanes is how many lanes that follow each other n is a barrier of, all of them and nothing else: those of a warp, or of a tile.
// It is 0 if n is none.
func (n *Node) meetLanes() int64 {
	if len(n.Code) != 1 || n.Code[0].Op != DoWarp || !n.Code[0].E.IsNum() {
		return 0
	}
	if lanes := n.Code[0].Lanes; lanes > 0 {
		return lanes
	}
	all := new(big.Int).SetUint64(1<<LanesOfWarp - 1)
	if new(big.Int).And(n.Code[0].E.Val, all).Cmp(all) == 0 {
		return LanesOfWarp
	}
	return 0
}

// Meetings are the numbers of lanes, from two on, of which all meet somewhere: of warps and of tiles, the largest first.
func (p *Program) Meetings() (lanes []int64) {
	for _, n := range p.Nodes {
		if k := n.meetLanes(); k > 1 && !slices.Contains(lanes, k) {
			lanes = append(lanes, k)
		}
	}
	slices.Sort(lanes)
	slices.Reverse(lanes)
	return lanes
}

// MeetsInWarps reports whether all lanes of a warp, or of a tile, meet somewhere.
func (p *Program) MeetsInWarps() bool { return len(p.Meetings()) > 0 }

// OfLanes is the program for the lanes of one tile of so many: what they all meet at, as such or as part of a larger tile, are barriers,
// which order what they have accessed. To other threads these are none. The program must be in the form that paths are read from.
func (p *Program) OfLanes(lanes int64) *Program {
	barriers := p.Barriers
	out := p.changed(func(n *Node) {
		if n.meetLanes() >= lanes {
			meet := *n.Code[0]
			meet.Op, meet.E, meet.Lanes, meet.Local, meet.Glob, meet.id = DoBarrier, nil, 0, true, true, barriers
			n.Code = []*Instr{&meet}
			barriers++
		}
	})
	out.Lanes, out.Barriers = lanes, barriers
	return out
}

// InOneTile reports whether t has one value for all lanes of a tile (see Program.Lanes), if all but ids has: it asks for the rows of a
// group that hold whole tiles, or by how many tiles an id lies in its row.
func (p *Program) InOneTile(t *Term, same func(leaf *Term) bool) bool {
	if line := p.Opts.Local[1] == 1 && p.Opts.Local[2] == 1; !line && (p.Opts.Local[0] == 0 || p.Opts.Local[0]%p.Lanes != 0) {
		return false // a tile may lie in several rows
	}
	id := func(x *Term) bool { return x.Op == Sym && x.Symbol == Symbol{OfThread, 0} }
	whole := func(x *Term, more int64) bool {
		return x.IsNum() && new(big.Int).Mod(new(big.Int).Add(x.Val, big.NewInt(more)), big.NewInt(p.Lanes)).Sign() == 0
	}
	switch {
	case t.Op == Sym && t.Symbol.Of == OfThread && t.Symbol.Dim > 0:
		return true
	case t.Op == Quo && id(t.Args[0]) && whole(t.Args[1], 0):
		return true
	case t.Op == Shr && id(t.Args[0]) && t.Args[1].IsNum() && t.Args[1].Val.Cmp(big.NewInt(int64(bits.TrailingZeros64(uint64(p.Lanes))))) >= 0:
		return true
	case t.Op == PLt && id(t.Args[0]) && whole(t.Args[1], 0), t.Op == PLe && id(t.Args[0]) && whole(t.Args[1], 1):
		return true
	case t.Op == PLt && id(t.Args[1]) && whole(t.Args[0], 1), t.Op == PLe && id(t.Args[1]) && whole(t.Args[0], 0):
		return true
	case len(t.Args) == 0:
		return same(t)
	}
	for _, a := range t.Args {
		if !p.InOneTile(a, same) {
			return false
		}
	}
	return true
}
