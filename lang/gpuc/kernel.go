package gpuc

import "fmt"

// Kernel is a kernel of a file, or why it is not understood.
type Kernel struct {
	Name      string
	File      string
	Line, Col int
	Problem   *Problem
	Unchecked string   // why nothing is said about it, though it is understood
	Run       *Run     // of a host program; it has no machine of its own
	Assumed   []string // what is taken for granted, and what is not checked

	unit     *unit
	function *function

	prog  *program
	wraps map[string]bool
	hints [2]map[int]map[int]interval // of each scope, see Search.Sharpen
}

// Read reads the kernels of a file. Options that stand in the file complete opts.
func Read(file string, src []byte, opts Options) ([]*Kernel, *Problem) {
	inFile, unknown := headerOptions(src)
	if unknown != "" {
		return nil, refuse(file, place{2, 1}, unknown)
	}
	opts = opts.with(inFile)
	if err := opts.settle(); err != nil {
		return nil, refuse(file, place{2, 1}, err.Error())
	}
	u, problem := parse(file, src, opts.Defines)
	if problem != nil {
		return nil, problem
	}
	if main := u.function("main"); main != nil && main.defined {
		return []*Kernel{host(u, main, opts)}, nil
	}
	var out []*Kernel
	for _, f := range u.functions {
		if !f.kernel || !f.defined {
			continue
		}
		k := &Kernel{unit: u, function: f, Name: f.name, File: file, Line: f.at.line, Col: f.at.col, wraps: map[string]bool{}}
		k.prog, k.Problem = lower(u, f, opts)
		if k.Problem == nil {
			k.prog.prepare()
			k.Assumed = k.prog.assumptions()
		}
		out = append(out, k)
	}
	out = append(out, uncalled(u, file)...)
	if len(out) == 0 {
		return nil, refuse(file, place{1, 1}, "no kernel in this file")
	}
	return out, nil
}

// host is a whole program: it is run, and its launches give the sizes.
func host(u *unit, main *function, opts Options) *Kernel {
	k := &Kernel{Name: "main", File: u.file, Line: main.at.line, Col: main.at.col, Run: &Run{}}
	k.Run.Launches, k.Run.Fault, k.Run.Why = runProgram(u, 0)
	for sample := uint64(1); k.Run.Why != "" && k.Run.Fault == nil && sample <= 3; sample++ {
		// What one choice of inputs shows is a fault all the same.
		_, k.Run.Fault, _ = runProgram(u, sample)
	}
	if len(k.Run.Launches) == 0 && k.Run.Fault == nil && k.Run.Why == "" {
		k.Run.Why = "no kernel is launched"
	}
	for _, l := range k.Run.Launches {
		f := u.function(l.Kernel)
		o := opts
		o.Local, o.Groups, o.Global = l.Local, l.Groups, [3]int64{}
		o.Arguments = map[string][]string{l.Kernel: l.Arguments}
		c := &Kernel{unit: u, function: f, Name: l.Kernel, File: u.file, Line: f.at.line, Col: f.at.col, wraps: map[string]bool{}}
		if c.prog, c.Problem = lower(u, f, o); c.Problem == nil {
			c.prog.prepare()
			c.Assumed = c.prog.assumptions()
		}
		k.Run.Kernels = append(k.Run.Kernels, c)
		if l.Groups == ([3]int64{1, 1, 1}) && mentionsGroup(f.body) {
			o.Groups = [3]int64{0, 1, 1}
			w := *c
			w.wraps = map[string]bool{}
			if w.prog, w.Problem = lower(u, f, o); w.Problem == nil {
				w.prog.prepare()
			}
			k.Run.Wider = append(k.Run.Wider, &w)
		}
	}
	return k
}

// Run is what came of running a host program.
type Run struct {
	Launches []Launch
	Kernels  []*Kernel // as they are launched
	Fault    *Fault
	Why      string // why the run says nothing; "" if it is complete
	// Wider are kernels that ask for their group although they are launched with one:
	// with any number of groups.
	Wider []*Kernel
}

// mentionsGroup reports whether statements ask for the group of a thread.
func mentionsGroup(ss []*stmt) bool {
	found := false
	var visit func(e *expr)
	visit = func(e *expr) {
		if e == nil {
			return
		}
		found = found || e.kind == name && (e.name == "blockIdx" || e.name == "get_group_id" || e.name == "get_global_id")
		for _, a := range e.args {
			visit(a)
		}
	}
	for _, s := range ss {
		visit(s.cond)
		visit(s.post)
		for _, d := range s.decls {
			visit(d.init)
		}
		found = found || s.init != nil && mentionsGroup([]*stmt{s.init}) || mentionsGroup(s.body) || mentionsGroup(s.other)
	}
	return found
}

// uncalled are the functions of the device with access to arrays that no kernel
// calls: a file is not safe by what nobody has looked at.
func uncalled(u *unit, file string) (out []*Kernel) {
	called := map[string]bool{}
	var body func(ss []*stmt)
	var visit func(e *expr)
	visit = func(e *expr) {
		if e == nil {
			return
		}
		if e.kind == call && e.args[0].kind == name && !called[e.args[0].name] {
			called[e.args[0].name] = true
			if f := u.function(e.args[0].name); f != nil {
				body(f.body)
			}
		}
		for _, a := range e.args {
			visit(a)
		}
	}
	body = func(ss []*stmt) {
		for _, s := range ss {
			visit(s.cond)
			visit(s.post)
			if s.init != nil {
				body([]*stmt{s.init})
			}
			for _, d := range s.decls {
				visit(d.init)
			}
			body(s.body)
			body(s.other)
		}
	}
	for _, f := range u.functions {
		if f.kernel {
			body(f.body)
		}
	}
	for _, f := range u.functions {
		if f.kernel || !f.defined || !f.device || called[f.name] {
			continue
		}
		for _, p := range f.params {
			if p.typ.kind == pointerType {
				out = append(out, &Kernel{Name: f.name, File: file, Line: f.at.line, Col: f.at.col, Unchecked: "no kernel of this file calls it, so that nothing is known of its threads"})
				break
			}
		}
	}
	return out
}

// with completes options by those that a file gives.
func (o Options) with(f Options) Options {
	if o.Local == ([3]int64{}) && o.Groups == ([3]int64{}) && o.Global == ([3]int64{}) {
		o.Local, o.Groups, o.Global = f.Local, f.Groups, f.Global
	}
	o.Defines = append(append([]string{}, f.Defines...), o.Defines...)
	o.Bounds = o.Bounds || f.Bounds
	o.Overflow = o.Overflow || f.Overflow
	o.IntraGroup = o.IntraGroup || f.IntraGroup
	o.OnlyDivergence = o.OnlyDivergence || f.OnlyDivergence
	o.OnlyRequires = o.OnlyRequires || f.OnlyRequires
	o.NoBenign = o.NoBenign || f.NoBenign
	if o.Arguments == nil {
		o.Arguments = f.Arguments
	}
	return o
}

// assumptions are what a verdict about the program takes for granted.
func (p *program) assumptions() []string {
	var out []string
	o := p.opts
	if !o.NoBenign {
		out = append(out, "writes of one value to one place are tolerated")
	}
	pointers := 0
	for _, m := range p.mems {
		if m.cells < 0 && m.space != private {
			pointers++
		}
	}
	if pointers > 1 {
		out = append(out, "array parameters do not overlap")
	}
	if !o.Bounds {
		out = append(out, "bounds are not checked")
	}
	if !o.Overflow {
		out = append(out, "signed overflow wraps, and is not checked")
	}
	for d := range 3 {
		if (o.Local[d] == 0 || o.Groups[d] == 0) && o.Global[d] == 0 {
			out = append(out, "fewer than 2^31 threads in each dimension")
			break
		}
	}
	if o.IntraGroup {
		out = append(out, "races between groups are not checked")
	}
	if o.OnlyDivergence {
		out = append(out, "races are not checked")
	}
	if o.OnlyRequires {
		out = append(out, "assertions and invariants of the author are not checked")
	}
	return out
}

// Pairs are the models that a verdict needs.
func (k *Kernel) Scopes() []Scope {
	o := k.prog.opts
	out := []Scope{Group}
	if o.IntraGroup || o.Groups == ([3]int64{1, 1, 1}) {
		return out
	}
	for _, m := range k.prog.mems {
		if m.written && m.space == global && !o.OnlyDivergence || k.prog.relations {
			return append(out, Grid)
		}
	}
	return out
}

// Search is a model on its way to invariants that hold.
type Search struct {
	k *Kernel
	b *builder
}

// Search begins with all candidates of a scope.
func (k *Kernel) Search(s Scope) (*Search, *Problem) {
	hints := k.hints[s]
	if k.prog.barriers == 0 {
		hints = k.hints[Group]
	}
	b, problem := newBuilder(k.prog, s, k.wraps, hints)
	if problem != nil {
		return nil, problem
	}
	return &Search{k, b}, nil
}

// Follow begins where another search of the same kernel has ended, if barriers do not
// make a difference between the two.
func (s *Search) Follow(o *Search) bool {
	if s.k.prog.barriers > 0 || len(s.b.cands) != len(o.b.cands) {
		return false
	}
	for i, c := range o.b.cands {
		s.b.cands[i].dead = c.dead
	}
	return true
}

// Alone is the model of one thread, in which candidates are tried out.
func (s *Search) Alone() *Model { return s.b.model(true) }

// Pair is the model of two threads, which the verdict is about.
func (s *Search) Pair() *Model { return s.b.model(false) }

// Drop gives up a candidate.
func (s *Search) Drop(id int) { s.b.cands[id].dead = true }

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
func (s *Search) Describe(id int) (rule, text string) {
	c := s.b.cands[id]
	return c.rule, fmt.Sprintf("at line %d: %s", c.at.at.line, s.b.printer("1").predicate(c.e))
}

// Loops reports whether there is a point of control besides entry and ends.
func (s *Search) Loops() bool {
	for _, c := range s.b.cuts {
		if c != s.b.p.entry && !c.end && c.then != nil {
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
	for _, v := range s.b.p.vars {
		if v.id == id {
			s.b.unequal[v] = true
		}
	}
}

// DescribeRelation says what relation id is.
func (s *Search) DescribeRelation(id int) string {
	r := s.b.relations[id]
	return fmt.Sprintf("from line %d to line %d: %s", r.start.at.line, r.at.at.line, s.b.printer("1").predicate(r.e))
}

// Sharpen learns from the candidates that hold; it reports whether another search
// would begin with more.
func (s *Search) Sharpen() bool {
	if s.k.hints[s.b.scope] == nil {
		s.k.hints[s.b.scope] = map[int]map[int]interval{}
	}
	return s.b.sharpen(s.k.hints[s.b.scope])
}

// Launch is the launch that a kernel was read for, 0 where a size is arbitrary.
func (k *Kernel) Launch() (local, groups [3]int64) { return k.prog.opts.Local, k.prog.opts.Groups }
