package count

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// Launch is how a kernel is launched, as far as counts depend on it.
type Launch struct {
	Block, Grid [3]int64         // threads of a block, blocks of the grid
	Args        map[string]int64 // integer parameters, by name
	Warp        int64            // threads that execute an instruction together; 0: 32
	Dynamic     int64            // bytes of shared memory that the host adds
	Trips       map[int]int64    // how often loops run that data end, by their lines
	Unroll      int64            // instructions up to which the compiler unrolls a loop with a pragma completely; 0: any number
}

// Given returns an error if none of these kernels has an integer parameter with the name of an argument. It also returns one if a
// value does not fit into such a parameter, because a launch would pass another number.
func Given(kernels []*llvm.Function, arguments map[string]int64) error {
	known := map[string]int{} // bits of the smallest parameter of a name
	for _, f := range kernels {
		for k, p := range f.Params {
			if name := f.ParamName(k); p.Type.Kind == llvm.Int && (known[name] == 0 || p.Type.Bits < known[name]) {
				known[name] = p.Type.Bits
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		bits, v := known[name], arguments[name]
		switch {
		case bits >= 64 || bits > 0 && -1<<(bits-1) <= v && v < 1<<bits:
		case bits > 0:
			return fmt.Errorf("the argument %s = %d does not fit into the %d bits of its parameter", name, v, bits)
		case len(known) == 0:
			return fmt.Errorf("there is no integer parameter %s: the kernel has none", name)
		default:
			return fmt.Errorf("there is no integer parameter %s; there are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	return nil
}

func (l Launch) warp() int64 {
	if l.Warp == 0 {
		return 32
	}
	return l.Warp
}

// Note is something that is not counted, or not exactly, and where.
type Note struct {
	At    preproc.Place
	Why   string
	Omits bool // it is left out: what is counted is no upper bound
}

// String is the note with its line, if clang gave one.
func (n Note) String() string { return n.At.Tell(n.Why) }

// place is an instruction of one call.
type place struct {
	fr *frame
	i  *llvm.Instr
}

type write struct {
	addr *node
	at   preproc.Place
}

// reader makes the graph of a kernel.
type reader struct {
	g       *graph
	launch  Launch
	at      preproc.Place
	b       *block
	fr      *frame
	order   []cell // all cells, in the order in which they are met
	known   map[cell]bool
	globals map[string]*object
	locals  map[place]*object
	cells   map[*object]map[cell]bool
	clash   map[*object]bool
	writes  []write
	ids     []*node
	counted map[*node]*block
	notes   []Note

	demoted map[demotion]bool
}

// demotion names a variable over several readings.
type demotion struct {
	path string
	i    *llvm.Instr
}

func (r *reader) note(format string, args ...any) {
	r.remark(Note{At: r.at, Why: fmt.Sprintf(format, args...)})
}

// omit notes something that is left out of the counts.
func (r *reader) omit(format string, args ...any) {
	r.remark(Note{r.at, fmt.Sprintf(format, args...), true})
}

func (r *reader) remark(n Note) {
	if !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

// path names a call.
func (f *frame) path() string {
	if f.up == nil {
		return ""
	}
	return fmt.Sprintf("%s/%p", f.up.path(), f.call)
}

// read makes the graph of a kernel of a module.
func read(m *llvm.Module, f *llvm.Function, launch Launch) *reader {
	demoted := map[demotion]bool{}
	for {
		r := &reader{
			g: &graph{m: m, f: f}, launch: launch, known: map[cell]bool{}, globals: map[string]*object{}, locals: map[place]*object{},
			cells: map[*object]map[cell]bool{}, clash: map[*object]bool{}, counted: map[*node]*block{}, demoted: demoted,
		}
		r.run(f)
		if len(r.clash) == 0 {
			r.checkWrites()
			return r
		}
		for o := range r.clash {
			demoted[o.key] = true
		}
	}
}

// run reads a kernel: blocks with all calls inlined, loops, and a value for each register.
func (r *reader) run(f *llvm.Function) {
	var all []*block
	top := &frame{f: f, regs: map[string]*node{}, result: &object{name: "result", local: true}}
	entry, _ := r.g.flatten(top, &all)
	r.g.arrange(entry)
	for k, p := range f.Params {
		top.regs[p.Name] = r.parameter(f, k, p)
	}
	r.build(entry)
	var blocks []*block
	for _, b := range r.g.blocks {
		if !b.dead {
			blocks = append(blocks, b)
		}
	}
	r.g.blocks = blocks
	r.g.loops = slices.DeleteFunc(r.g.loops, func(l *loop) bool { return l.head.dead })
	for _, l := range r.g.loops {
		l.at = l.head.at
		l.backs = slices.DeleteFunc(l.backs, func(b *block) bool { return b.dead || !slices.Contains(b.succs, l.head) })
	}
	for _, b := range r.g.blocks {
		b.preds = incoming(b)
	}
	for _, o := range r.globals {
		if o.space == Shared {
			r.g.shared = append(r.g.shared, o)
		}
	}
}

// parameter is what a parameter of the kernel is.
func (r *reader) parameter(f *llvm.Function, k int, p llvm.Param) *node {
	name := f.ParamName(k)
	bits := r.bits(p.Type)
	switch {
	case p.Type.Kind == llvm.Pointer:
		o := &object{name: name, bytes: -1, space: r.spaceOf(p.Type.Space)}
		if o.space == Any || o.space == Local {
			o.space = Global
		}
		if p.Attrs.ByVal != nil || p.Attrs.ByRef != nil {
			o.space = Constant
		}
		r.put(o)
		return o.node
	case bits > 0:
		if v, ok := r.launch.Args[name]; ok {
			return number(v, bits)
		}
	}
	n := opaque(bits, false)
	n.uniformArgument, n.pred = true, name
	return n
}

// checkWrites refuses kernels that may write variables behind the back of their registers.
func (r *reader) checkWrites() {
	stored := slices.ContainsFunc(r.g.objects, func(o *object) bool { return o.local && !o.demoted && o.stored })
	for _, w := range r.writes {
		o := leads(w.addr, map[*node]bool{})
		if o == nil && stored || o != nil && o.local && !o.demoted {
			fail(w.at, "a write through a pointer that may point to a variable of the thread")
		}
	}
}
