package encode

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/access"
	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/interp"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/lower"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/preproc"
)

// Kernel is a kernel of a file, or why it is not understood.
type Kernel struct {
	Name      string
	File      string
	Line, Col int
	Problem   *preproc.Problem
	Unchecked string   // why nothing is said about it, though it is understood
	Aside     bool     // … since it is no kernel, but a function of the device
	Run       *Run     // of a host program; it has no machine of its own
	Assumed   []string // what is taken for granted, and what is not checked
	Narrowed  string   // which launches alone are judged, though nothing is said of any; "" if all are

	unit     *ast.Unit
	function *ast.Function
	module   *module        // instead of both, of one that is read from a module of LLVM
	load     func() *Kernel // … where that waits until it is asked for

	prog  *ir.Program
	under []*ir.Term // what launches also satisfy, see Under
	wraps map[string]bool
	tiles map[Scope]*ir.Program // prog for the lanes of a warp or tile, where they meet
	hints [scopes]paths.Ranges  // of each scope, see Search.Sharpen
}

// Read reads the kernels of a file, or the program that launches them. Options that stand in the file complete opts.
func Read(file string, src []byte, opts launch.Options) ([]*Kernel, *preproc.Problem) {
	inFile, unknown := launch.HeaderOptions(src)
	u, problem := ast.Parse(text(file, src, inFile, opts))
	if problem != nil {
		return nil, problem
	}
	if main := u.Function("main"); main != nil && main.Defined {
		opts.Bounds, opts.Overflow, opts.NoBenign = opts.Bounds || inFile.Bounds, opts.Overflow || inFile.Overflow, opts.NoBenign || inFile.NoBenign
		return []*Kernel{hostProgram(u, main, opts)}, nil // it launches its kernels itself
	}
	return kernels(u, file, opts, inFile, unknown)
}

func text(file string, src []byte, inFile, opts launch.Options) ast.Source {
	return ast.Source{File: file, Text: src, Defines: append(append([]string{}, inFile.Defines...), opts.Defines...), Include: opts.Include}
}

// Alone reads the kernels of a program whose run does not decide: they can be safe for all launches even so.
func Alone(file string, src []byte, opts launch.Options) ([]*Kernel, *preproc.Problem) {
	inFile, unknown := launch.HeaderOptions(src)
	u, problem := ast.DeviceAlone(text(file, src, inFile, opts), "undecided by its run")
	if problem != nil {
		return nil, problem
	}
	return kernels(u, file, opts, inFile, unknown)
}

// kernels returns those of a file, for all launches that the options allow. What the options in the file leave
// unknown is a problem.
func kernels(u *ast.Unit, file string, opts, inFile launch.Options, unknown string) ([]*Kernel, *preproc.Problem) {
	if unknown != "" {
		return nil, preproc.Refuse(file, preproc.Place{Line: 2, Col: 1}, unknown)
	}
	if _, err := opts.Of("", inFile, [3]int64{}); err != nil {
		return nil, preproc.Refuse(file, preproc.Place{Line: 2, Col: 1}, err.Error())
	}
	for _, name := range slices.Sorted(maps.Keys(inFile.Arguments)) {
		if f := u.Function(name); f == nil || !f.Kernel {
			return nil, preproc.Refuse(file, preproc.Place{Line: 2, Col: 1}, fmt.Sprintf("values of arguments of %s, which is not a kernel of this file", name))
		}
	}
	// Kernels, and all that could make a file unsafe without being one: assertions of a host that is not read, functions
	// that are never called, declarations that were not read.
	var out []*Kernel
	for _, p := range u.Asserts {
		out = append(out, &Kernel{unit: u, Name: p.Name, File: file, Line: p.Line, Col: p.Col, Unchecked: "its assertions are not checked, because the host part of this file is not read"})
	}
	for _, f := range u.Functions {
		if !f.Kernel || !f.Defined {
			continue
		}
		k := &Kernel{unit: u, function: f, Name: f.Name, File: file, Line: f.At.Line, Col: f.At.Col, wraps: map[string]bool{}}
		if own, err := opts.Of(f.Name, inFile, f.Group); err != nil {
			k.Problem = preproc.Refuse(file, f.At, err.Error())
		} else {
			k.prog, k.Problem = ir.Lower(u, f, own)
		}
		k.Unchecked = twice(u, f)
		if k.Problem == nil {
			// Preparing the graph adds counters and uniform copies, and must come before the assumptions are listed.
			cfg.Prepare(k.prog)
			k.Assumed = k.prog.Assumptions()
		}
		out = append(out, k)
	}
	for _, p := range u.Unread {
		if p.Kernel || p.Name != "" && !p.Follows {
			out = append(out, &Kernel{unit: u, Name: p.Name, File: file, Line: p.Line, Col: p.Col, Problem: p.Problem})
		}
	}
	out = append(out, uncalled(u, file)...)
	if len(out) == 0 {
		return nil, preproc.Refuse(file, preproc.Place{Line: 1, Col: 1}, "no kernel in this file")
	}
	return out, nil
}

// Shown is a problem of k as it is shown to people: what stands in an included file has its name.
func (k *Kernel) Shown(p *preproc.Problem) *preproc.Problem {
	if k.unit == nil {
		return p
	}
	return k.unit.Shown(p)
}

// Included says which place of an included file a place is, "" if it is in the file of k itself.
func (k *Kernel) Included(line, col int) string {
	if k.unit == nil {
		return ""
	}
	return k.unit.Included(preproc.Place{Line: line, Col: col})
}

// Unassumed is k without what its author assumes beyond what launches owe (__assume,
// __axiom), nil if there is nothing of the kind.
func (k *Kernel) Unassumed() *Kernel {
	if !k.prog.Believes || k.prog.Opts.NoAssumptions {
		return nil
	}
	opts := k.prog.Opts
	opts.NoAssumptions = true
	out := k.lowered(k.function, opts)
	if out.Problem != nil {
		return nil
	}
	return out
}

// Exact is k where signed arithmetic does not overflow, and, if wraps says so, no number wraps or changes its value in a
// conversion; nil if that makes no difference.
func (k *Kernel) Exact(wraps bool) *Kernel {
	opts := k.prog.Opts
	if opts.Overflow || opts.NoOverflow || opts.NoWrap {
		return nil
	}
	opts.NoOverflow, opts.NoWrap = true, wraps
	out := k.lowered(k.function, opts)
	if out.Problem != nil || !out.prog.Exact {
		return nil
	}
	return out
}

// Unrolled is k with its loops unrolled for all values of variables that take few; nil if that makes no difference.
func (k *Kernel) Unrolled() *Kernel {
	opts := k.prog.Opts
	if opts.Unroll || !k.prog.Jumps {
		return nil
	}
	opts.Unroll = true
	out := k.lowered(k.function, opts)
	if out.Problem != nil || len(out.prog.Nodes) == len(k.prog.Nodes) {
		return nil
	}
	return out
}

// hostProgram is a whole program: it is run, and its launches give the sizes.
func hostProgram(u *ast.Unit, main *ast.Function, opts launch.Options) *Kernel {
	k := &Kernel{Name: "main", File: u.File, Line: main.At.Line, Col: main.At.Col, Run: &Run{}, Assumed: append(slices.Clone(u.Taken), ir.Width)}
	k.Run.Launches, k.Run.Fault, k.Run.Why = interp.RunProgram(u, checks(opts), 0)
	for sample := uint64(1); k.Run.Why != "" && k.Run.Fault == nil && sample <= 3; sample++ {
		// What one choice of inputs shows is a fault all the same.
		_, k.Run.Fault, _ = interp.RunProgram(u, checks(opts), sample)
	}
	if len(k.Run.Launches) == 0 && k.Run.Fault == nil && k.Run.Why == "" {
		k.Run.Why = "no kernel is launched"
	}
	for _, l := range k.Run.Launches {
		f := u.Function(l.Kernel)
		o := opts
		o.Local, o.Groups, o.Global = l.Local, l.Groups, [3]int64{}
		o.Arguments = map[string][]string{l.Kernel: l.Arguments}
		c := &Kernel{unit: u, function: f, Name: l.Kernel, File: u.File, Line: f.At.Line, Col: f.At.Col, wraps: map[string]bool{}}
		if c.prog, c.Problem = ir.Lower(u, f, o); c.Problem == nil {
			cfg.Prepare(c.prog)
			c.Assumed = c.prog.Assumptions()
		}
		k.Run.Kernels = append(k.Run.Kernels, c)
		// One group does not race with others; a kernel that asks for its group was meant for
		// more, and must be safe with them.
		if l.Groups == ([3]int64{1, 1, 1}) && ast.AsksForGroup(f.Body) {
			o.Groups = [3]int64{0, 1, 1}
			w := *c
			w.wraps = map[string]bool{}
			if w.prog, w.Problem = ir.Lower(u, f, o); w.Problem == nil {
				cfg.Prepare(w.prog)
			}
			k.Run.Wider = append(k.Run.Wider, &w)
		}
	}
	return k
}

// checks are what options make a fault of a run.
func checks(o launch.Options) interp.Checks {
	return interp.Checks{Overflow: o.Overflow, NoBenign: o.NoBenign, NoRaces: o.OnlyDivergence, NoBetween: o.IntraGroup, NoAsserts: o.OnlyRequires}
}

// Run is what came of running a host program.
type Run struct {
	Launches []interp.Launch
	Kernels  []*Kernel // as they are launched
	Fault    *interp.Fault
	Why      string // why the run says nothing; "" if it is complete
	// Wider are kernels that ask for their group although they are launched with one:
	// with any number of groups.
	Wider []*Kernel
}

// twice says where a function of the host launches kernel f with one array for two parameters, which are taken for different arrays.
func twice(u *ast.Unit, f *ast.Function) (why string) {
	array := func(args []*ast.Expr, i int) bool {
		return i < len(args) && args[i].Kind == ast.Name && args[i].Decl != nil && f.Params[i].Typ.Kind == ast.PointerType
	}
	for _, g := range u.Functions {
		ast.Exprs(g.Body, func(e *ast.Expr) {
			if e.Kind != ast.Call || e.Args[0].Kind != ast.Call || e.Args[0].Args[0].Name != f.Name {
				return
			}
			args := e.Args[1:]
			for j, q := range f.Params {
				for i, p := range f.Params[:j] {
					if array(args, i) && array(args, j) && args[i].Decl == args[j].Decl && !(p.Konst && q.Konst) && why == "" {
						why = fmt.Sprintf("line %d passes one array for both %s and %s, which are assumed to differ", e.At.Line, p.Name, q.Name)
					}
				}
			}
		})
	}
	return why
}

// uncalled are the functions of the device with access to arrays that no kernel
// calls: a file is not safe by what was not examined.
func uncalled(u *ast.Unit, file string) (out []*Kernel) {
	for _, f := range u.Uncalled() {
		out = append(out, &Kernel{unit: u, Name: f.Name, File: file, Line: f.At.Line, Col: f.At.Col, Aside: true, Unchecked: "no kernel of this file calls it, so its threads are unknown"})
	}
	return out
}

// Scopes are those of the models that a verdict needs.
func (k *Kernel) Scopes() []Scope {
	o := k.prog.Opts
	out := []Scope{Group}
	for _, lanes := range k.prog.Meetings() {
		out = append(out, scopeOf(lanes))
	}
	if o.IntraGroup || o.Groups == ([3]int64{1, 1, 1}) {
		return out
	}
	if k.prog.MeetsInGrid() {
		return append(out, Grid)
	}
	for _, m := range k.prog.Mems {
		if m.Written && m.Space == ast.Global && !o.OnlyDivergence || k.prog.Relations {
			// Local memory and barriers are of one group: only global memory can race between two.
			return append(out, Grid)
		}
	}
	return out
}

// ofLanes is the program for the lanes of a warp or tile.
func (k *Kernel) ofLanes(s Scope) *ir.Program {
	if k.tiles == nil {
		k.tiles = map[Scope]*ir.Program{}
	}
	if k.tiles[s] == nil {
		k.tiles[s] = k.prog.OfLanes(s.lanes())
	}
	return k.tiles[s]
}

// Search is a model on its way to invariants that hold.
type Search struct {
	k *Kernel
	b *builder
}

// Search begins with all candidates of a scope.
func (k *Kernel) Search(s Scope) (*Search, *preproc.Problem) { return k.SearchWithout(s, 0) }

// SearchWithout is Search without what some rules guess: it may find fewer invariants, and never others that do not hold.
func (k *Kernel) SearchWithout(s Scope, without Rules) (*Search, *preproc.Problem) {
	p, hints := k.prog, k.hints[s]
	if s.lanes() > 0 {
		p = k.ofLanes(s)
	} else if s == Grid && p.MeetsInGrid() {
		p = p.OfGrid()
	} else if p.Barriers == 0 {
		hints = k.hints[Group]
	}
	b, problem := newBuilder(p, s, k.wraps, hints, without)
	if problem != nil {
		return nil, problem
	}
	return &Search{k, b}, nil
}

// Follow begins where another search of the same kernel has ended, if barriers do not
// make a difference between the two.
func (s *Search) Follow(o *Search) bool {
	if s.b.p != o.b.p || s.b.p.Barriers > 0 || len(s.b.cands) != len(o.b.cands) {
		return false
	}
	for i, c := range o.b.cands {
		s.b.cands[i].dead = c.dead
	}
	return true
}

// Alone is the model of one thread, in which candidates are tried out.
func (s *Search) Alone() *Model { return s.model(true) }

// NumLoops is how many loops there are; they are numbered from 0.
func (s *Search) NumLoops() int { return len(s.b.loops) }

// Endless reports whether a loop by its form never terminates once it comes round.
func (s *Search) Endless(loop int) bool { return s.b.loops[loop].Endless() }

// LineOf is the line of a loop.
func (s *Search) LineOf(loop int) int { return s.b.loops[loop].Heads[0].At.Line }

// Spinning reports whether threads that stay in a loop keep others waiting at a barrier.
func (s *Search) Spinning(loop int) bool { return cfg.Spinning(s.b.p, s.b.loops[loop]) }

// Exits is the model of one thread with the claims that ways out of loops are never
// taken, and that no two threads are what its author requires; nil if the kernel has neither
// loops nor assumptions of its author.
func (s *Search) Exits() *Model {
	if len(s.b.loops) == 0 && !s.Loops() && len(s.b.p.Axioms) == 0 && !s.b.p.Granted {
		return nil
	}
	s.b.exits = true
	defer func() { s.b.exits = false }()
	return s.b.model(true)
}

// Pair is the model of two threads, which the verdict is about.
func (s *Search) Pair() *Model { return s.model(false) }

func (s *Search) model(alone bool) *Model {
	m := s.b.model(alone)
	m.Kernel, m.File, m.At = s.k.Name, s.k.File, preproc.Place{Line: s.k.Line, Col: s.k.Col}
	return m
}

// Drop gives up a candidate.
func (s *Search) Drop(id int) { s.b.cands[id].drop() }

// Renounce gives up all that is guessed.
func (s *Search) Renounce() {
	for _, c := range s.b.cands {
		c.dead = true
	}
	s.b.unrelate()
}

// unrelate gives up all that threads may have in common.
func (b *builder) unrelate() {
	for _, r := range b.relations {
		r.dead = true
	}
	for _, v := range b.p.Vars {
		b.unequal[v] = true
	}
}

// Interval is what a thread does between two barriers.
type Interval = access.Interval

// Counts reads the intervals of k off its source, and how many there are in all; why says what
// is not counted.
func (k *Kernel) Counts() (steps string, intervals []Interval, why string) {
	if k.module != nil {
		return "", nil, "steps are counted only in C"
	}
	return access.Of(k.unit, k.function, k.prog.Opts.Local, k.prog.Opts.Groups, func(t *ir.Term) string { return spelled(reading{}.term(t)) })
}

// Candidates counts those that live.
func (s *Search) Candidates() (n int) {
	for _, c := range s.b.cands {
		if !c.dead {
			n++
		}
	}
	return n
}

// Describe says what candidate id is.
func (s *Search) Describe(id int) (rule Rule, text string) {
	c := s.b.cands[id]
	return c.rule, fmt.Sprintf("at line %d: %s", c.at.At.Line, spelled(s.b.reading("1").predicate(c.e)))
}

// Loops reports whether there is a point of control other than entry and ends.
func (s *Search) Loops() bool {
	for _, c := range s.b.cuts {
		if c != s.b.p.Entry && !c.End && c.Then != nil {
			return true
		}
	}
	return false
}

// Wraps notes that a term may wrap after all, so that the next search counts with it.
func (k *Kernel) Wraps(term string) { k.wraps[term] = true }

// Unrelate gives up a relation between threads.
func (s *Search) Unrelate(id int) { s.b.relations[id].dead = true }

// Differ gives up that a variable is the same in both threads.
func (s *Search) Differ(id int) {
	for _, v := range s.b.p.Vars {
		if v.Id == id {
			s.b.unequal[v] = true
		}
	}
}

// DescribeRelation says what relation id is.
func (s *Search) DescribeRelation(id int) string {
	r := s.b.relations[id]
	return fmt.Sprintf("from line %d to line %d: %s", r.start.At.Line, r.at.At.Line, spelled(s.b.reading("1").predicate(r.e)))
}

// Sharpen learns from the candidates that hold; it reports whether another search
// would begin with more.
func (s *Search) Sharpen() bool {
	if s.k.hints[s.b.scope] == nil {
		s.k.hints[s.b.scope] = paths.Ranges{}
	}
	return s.b.sharpen(s.k.hints[s.b.scope])
}

// Unasked are the dimensions in which groups are of any size, and of whose ids the kernel
// does not ask: threads that differ only there do the same.
func (k *Kernel) Unasked() []string { return k.prog.Unasked() }

// Linear is k launched in one dimension, if it asks for ids in x alone and nothing is said of its sizes; otherwise k.
func (k *Kernel) Linear() *Kernel {
	if k.Problem != nil || k.Run != nil || k.Unchecked != "" || k.prog == nil || !k.prog.Linear() {
		return k
	}
	out := k.Flat([]string{"y", "z"})
	if out.Problem != nil {
		return k
	}
	out.Narrowed = "for one-dimensional launches, because it uses only ids in x; --any-dimension covers all"
	out.Assumed = append(out.Assumed, "it is launched in one dimension, because it uses only ids in x")
	return out
}

// Skipped are the checks that options switch off.
func (k *Kernel) Skipped() []string { return k.prog.Opts.Skipped() }

// Restrained reports whether something is taken for granted of which runs know nothing:
// that threads of a warp run in step, that nothing wraps, axioms of the file.
func (k *Kernel) Restrained() bool {
	return k.prog.Opts.WarpSync || k.prog.Opts.NoWrap || k.unit != nil && len(k.unit.Axioms) > 0 || k.module != nil && len(lower.Axioms(k.module.m)) > 0
}

// Launch is the launch that a kernel was read for, 0 where a size is arbitrary.
func (k *Kernel) Launch() (local, groups [3]int64) { return k.prog.Opts.Local, k.prog.Opts.Groups }

// Execute runs the kernel on a concrete grid, with arrays whose contents are drawn from a
// sample, all 0 for sample 0: parameters have the values given by the names of the model, or
// 0. A run that is to be defined ends with an overflow of a signed number. It returns a fault, or why there is no verdict; neither means that this run is without
// fault.
func (k *Kernel) Execute(sample uint64, sizes, groups [3]int64, values map[string]int64, only map[[3]int64]bool, defined bool, purse *int) (fault *interp.Fault, why string) {
	if k.module != nil {
		return k.runModule(defined, sample, sizes, groups, values, only, purse)
	}
	checked := checks(k.prog.Opts)
	checked.Overflow = checked.Overflow || defined
	return interp.Execute(sample, checked, k.unit, k.function, sizes, groups, k.given(values), only, purse)
}

// Overflows says where a signed number overflows in the last group of a launch whose sizes are all known, though its parameters are
// 1 and its arrays hold 0; "" if none does there, or that cannot be told. What assumes that none does is no answer about such a launch.
func (k *Kernel) Overflows() string {
	local, groups := k.Launch()
	if slices.Contains(local[:], 0) || slices.Contains(groups[:], 0) {
		return ""
	}
	values := map[string]int64{}
	for _, n := range k.Parameters() {
		values[n] = 1
	}
	last := [3]int64{groups[0] - 1, groups[1] - 1, groups[2] - 1}
	fault, _ := k.Execute(0, local, groups, values, map[[3]int64]bool{last: true}, true, nil)
	if fault == nil || fault.Kind != "overflow" {
		return ""
	}
	return fmt.Sprintf("line %d, with parameters of 1", fault.Line)
}

// given are the values of parameters by their names in the source: of those that a launch
// fixes what it gives them, of the others those of the model, which may have other names.
func (k *Kernel) given(values map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for _, p := range k.prog.Params {
		out[p.Name] = values[p.Term.Name]
	}
	fixed := k.prog.Opts.Arguments[k.function.Name]
	for _, d := range k.function.Params {
		if d.Typ.Kind != ast.PointerType && len(fixed) > 0 {
			if n, ok := new(big.Int).SetString(fixed[0], 0); ok {
				out[d.Name] = interval.Wrapped(n, d.Typ).Int64()
				if !d.Typ.Signed {
					out[d.Name] = int64(interval.Wrapped(n, d.Typ).Uint64())
				}
			}
			fixed = fixed[1:]
		}
	}
	return out
}

func (k *Kernel) lowered(f *ast.Function, opts launch.Options) *Kernel {
	out := &Kernel{unit: k.unit, function: f, module: k.module, Name: k.Name, File: k.File, Line: k.Line, Col: k.Col, under: k.under, wraps: map[string]bool{}}
	if k.module != nil {
		out.prog, out.Problem = lower.Kernel(k.module.m, k.module.f, opts)
	} else {
		out.prog, out.Problem = ir.Lower(k.unit, f, opts)
	}
	if out.Problem == nil {
		out.prog.Axioms = append(out.prog.Axioms, k.under...)
		cfg.Prepare(out.prog)
		out.Assumed = out.prog.Assumptions()
	}
	return out
}
