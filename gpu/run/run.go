// Package run executes kernels of LLVM modules on concrete grids, instruction by instruction,
// on bytes. It shares only the parser and the table of functions with the translation of
// kernels into programs. So each run tests that translation independently.
package run

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// Launch is a launch of a kernel.
type Launch struct {
	Local, Groups [3]int64
	Only          map[[3]int64]bool // the groups that run; nil: all
	Sample        uint64            // of which the contents of arrays are drawn: 0 for sample 0
	Values        map[string]int64  // of parameters, by the names that llvm.Function.ParamName gives; 0 for others

	Bounds    bool // indices beyond arrays of known size are a fault
	Overflow  bool // so is signed overflow
	NoBenign  bool // so are two writes of one value
	NoRaces   bool // races are none
	NoBetween bool // races between groups are none
	NoAsserts bool // nor are assertions

	Purse *int // instructions of this run and those after it; nil: each run has a share of its own
}

// Fault is what a run has found.
type Fault struct {
	Kind    string
	At      preproc.Place
	Why     string
	Threads [][2][3]int64 // the ids, and those of the group, of the threads that show it
	Offset  int64         // in bytes
}

// halt and undecided end a run.
type halt struct{ fault Fault }

type undecided struct {
	at  preproc.Place
	why string
}

const (
	share      = 400_000 // instructions of a run without a purse
	maxThreads = 1 << 12
	maxBytes   = 1 << 22 // that are written or read
)

// runner runs a launch.
type runner struct {
	Launch
	m       *llvm.Module
	f       *llvm.Function
	main    string
	fuel    int
	objects int
	globals map[string]*object // of the grid
	shared  map[string]*object // of the group
	params  []value
	epochs  map[space]int64 // barriers so far that order accesses to a space
	logged  int
	blocks  map[*llvm.Function]map[string]*llvm.Block
	atomics bool
	inner   bool // the access is one of a primitive to its scratch memory
	t       *thread
}

// Kernel runs kernel f of m. It returns a fault, or why there is no verdict; neither means that this run is
// without fault.
func Kernel(m *llvm.Module, f *llvm.Function, l Launch) (fault *Fault, why string) {
	r := &runner{Launch: l, m: m, f: f, fuel: share, globals: map[string]*object{}, blocks: map[*llvm.Function]map[string]*llvm.Block{}, epochs: map[space]int64{}}
	if p, ok := f.At(); ok {
		r.main = p.File
	}
	if l.Purse != nil {
		r.fuel = *l.Purse
		defer func() { *l.Purse = max(0, r.fuel) }()
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *halt:
			fault = &e.fault
		case *undecided:
			why = e.at.Tell(e.why)
		default:
			panic(e)
		}
	}()
	if f.Problem != nil {
		return nil, f.Problem.Construct
	}
	// Every thread is run, so that launches must be small.
	threads := int64(1)
	for d := range 3 {
		if l.Local[d] < 1 || l.Groups[d] < 1 || l.Local[d] > maxThreads {
			return nil, "a launch of this size"
		}
		threads *= l.Local[d]
	}
	groups := r.groups()
	if threads*int64(len(groups)) > maxThreads {
		return nil, fmt.Sprintf("a launch of more than %d threads", maxThreads)
	}
	for k, a := range f.Params {
		r.params = append(r.params, r.given(k, a))
	}
	for number, g := range groups {
		r.group(number, g)
	}
	return nil, ""
}

// groups are the work-groups that run, in the order of their linear ids. One more than maxThreads are enough for the
// caller to see that there are too many.
func (r *runner) groups() (out [][3]int64) {
	if r.Only != nil {
		for g := range r.Only {
			out = append(out, g)
		}
		slices.SortFunc(out, func(a, b [3]int64) int {
			return cmp.Or(cmp.Compare(a[2], b[2]), cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
		})
		return out
	}
	for z := range min(r.Groups[2], maxThreads) {
		for y := range min(r.Groups[1], maxThreads) {
			for x := range min(r.Groups[0], maxThreads) {
				if out = append(out, [3]int64{x, y, z}); len(out) > maxThreads {
					return out
				}
			}
		}
	}
	return out
}

// thread is a thread on its way.
type thread struct {
	id, group [3]int64
	number    int  // of its group
	warp      int  // of its group
	lap       int  // barriers of its warp that it has passed
	ofWarp    bool // the barrier that it waits at is one of its warp
	frames    []*frame
	waits     string         // the barrier that it waits at, "" if none
	orders    map[space]bool // … and what that orders
	at        preproc.Place
	done      bool
	atomics   int // how many it has done
}

// frame is a call.
type frame struct {
	f     *llvm.Function
	b     *llvm.Block
	k     int
	regs  map[string]value
	call  *llvm.Instr // in the frame above
	where string
	site  preproc.Place
}

// group runs the threads of a group, from barrier to barrier.
func (r *runner) group(number int, g [3]int64) {
	r.shared = map[string]*object{}
	var ts []*thread
	for z := range r.Local[2] {
		for y := range r.Local[1] {
			for x := range r.Local[0] {
				t := &thread{id: [3]int64{x, y, z}, group: g, number: number, warp: len(ts) / warpSize}
				fr := &frame{f: r.f, b: r.f.Blocks[0], regs: map[string]value{}}
				t.frames = []*frame{fr}
				r.t = t
				for k, a := range r.f.Params {
					v := r.params[k]
					if o := v.local; o != nil { // an array of the group that the host sizes
						v = pointerTo(r.groupObject("parameter "+a.Name, o.space), 0)
					}
					if a.Attrs.ByVal != nil {
						v = pointerTo(r.copied(v.ptr.o, a), 0)
					}
					fr.regs[a.Name] = v
				}
				ts = append(ts, t)
			}
		}
	}
	for {
		var waiting *thread
		for _, t := range ts {
			if t.done {
				continue
			}
			r.t = t
			r.steps(t)
			if !t.done && waiting == nil {
				waiting = t
			}
		}
		if waiting == nil {
			return
		}
		if r.warpsMeet(ts) {
			continue
		}
		for _, t := range ts {
			if t.waits != waiting.waits {
				panic(&halt{Fault{Kind: "divergence", At: waiting.at, Why: "one thread waits at this barrier, another of its group does not come to it", Threads: [][2][3]int64{{waiting.id, waiting.group}, {t.id, t.group}}}})
			}
		}
		for s, orders := range waiting.orders {
			if orders {
				r.epochs[s]++
			}
		}
		for _, t := range ts {
			t.waits = ""
		}
	}
}

// warpSize is how many threads of a group, in the order of their ids, are a warp.
const warpSize = 32

// warpsMeet lets the warps go on whose threads all wait at one barrier of theirs, or have ended, and reports whether there are any.
// What comes of others is not defined.
func (r *runner) warpsMeet(ts []*thread) (on bool) {
	for lanes := range slices.Chunk(ts, warpSize) {
		first := slices.IndexFunc(lanes, func(t *thread) bool { return t.ofWarp && t.waits != "" })
		if first < 0 {
			continue
		}
		for _, t := range lanes {
			if !t.done && t.waits != lanes[first].waits {
				r.t = lanes[first]
				r.undecided("not all threads of the warp come to this barrier")
			}
		}
		for _, t := range lanes {
			if !t.done {
				t.waits, t.ofWarp, on = "", false, true
				t.lap++
			}
		}
	}
	return on
}

func (r *runner) undecided(format string, args ...any) {
	panic(&undecided{r.t.at, fmt.Sprintf(format, args...)})
}

func (r *runner) fault(kind, why string) {
	panic(&halt{Fault{Kind: kind, At: r.t.at, Why: why, Threads: [][2][3]int64{{r.t.id, r.t.group}}}})
}

// steps runs a thread up to its next barrier, or its end.
func (r *runner) steps(t *thread) {
	for !t.done && t.waits == "" {
		if r.fuel--; r.fuel < 0 {
			r.undecided("the budget of steps for runs is exhausted")
		}
		fr := t.frames[len(t.frames)-1]
		i := fr.b.Code[fr.k]
		fr.k++
		r.place(t, i)
		r.step(t, fr, i)
	}
}

// place says where a thread is: in the file of the kernel, or there where it leads to another one.
func (r *runner) place(t *thread, i *llvm.Instr) {
	p, ok := i.Place()
	switch {
	case ok && (p.File == r.main || len(t.frames) == 1):
		t.at = p.Place
	case len(t.frames) > 1:
		t.at = t.frames[1].site
	case r.main == "":
		t.at = preproc.Place{Line: i.Line, Col: 1}
	}
}

func (r *runner) jump(fr *frame, to string) {
	bs := r.blocks[fr.f]
	if bs == nil {
		bs = map[string]*llvm.Block{}
		for _, b := range fr.f.Blocks {
			bs[b.Name] = b
		}
		r.blocks[fr.f] = bs
	}
	from := fr.b.Name
	fr.b, fr.k = bs[to], 0
	// Phis take their values all at once.
	set := map[string]value{}
	for _, i := range fr.b.Code {
		if i.Op != llvm.Phi {
			break
		}
		k := slices.Index(i.To, from)
		if k < 0 {
			r.undecided("a phi without a value for one of its predecessors")
		}
		set[i.Name] = r.value(fr, i.Args[k])
		fr.k++
	}
	for n, v := range set {
		fr.regs[n] = v
	}
}
