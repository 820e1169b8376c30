package interp

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/preproc"
)

// RunProgram runs main. A fault is a definite one; why says why the run is not decided.
func RunProgram(u *ast.Unit, checks Checks, sample uint64) (launches []Launch, fault *Fault, why string) {
	r := &runner{use: newUse(), checks: checks, sample: sample, u: u, globals: map[*ast.Decl]*object{}, names: map[string]int64{}, fuel: runFuel}
	defer func() {
		launches = r.launches
		switch e := recover().(type) {
		case nil:
		case *halt:
			fault = &e.fault
		case *undecided:
			why = e.at.Tell(e.why)
		// exit, or an assumption that does not hold: what ran before counts, nothing comes after.
		case exited:
			why = r.use.doubt
		default:
			panic(e)
		}
	}()
	r.initials()
	main := u.Function("main")
	if slices.ContainsFunc(u.Taken, func(s string) bool { return strings.HasPrefix(s, "__CUDA_ARCH__ ") }) {
		r.doubt(main.At, "code that depends on __CUDA_ARCH__ differs between host and device")
	}
	var args []result
	for _, p := range main.Params {
		args = append(args, result{p.Typ, []scalar{r.unknown("main " + p.Name)}})
	}
	r.invoke(main, args, main.At)
	if r.use.given && !r.use.touched {
		return r.launches, nil, "nothing to check: no thread accesses its arrays, and there is no assertion"
	}
	return r.launches, nil, r.use.doubt
}

// initials sets the variables of the file whose initial values are worked out, in their order; the others wait until they are
// asked for.
func (r *runner) initials() {
	for _, g := range r.u.Globals {
		if g.Init == nil || g.Typ.Where == ast.Local {
			continue
		}
		works := false
		ast.Exprs([]*ast.Stmt{{Kind: ast.ExprStmt, Cond: g.Init}}, func(e *ast.Expr) {
			works = works || e.Kind == ast.Call || e.Kind == ast.Name && r.u.Global(e.Name) != nil
		})
		if works {
			r.lasting(g)
		}
	}
}

// launch runs a kernel that the host launches. A launch that a device would refuse is in doubt: the program may go on
// without it, so that no verdict rests on its effects.
func (r *runner) launch(f *ast.Function, grid, block result, args []result, at preproc.Place) {
	dims := func(v result) (out [3]int64) {
		out = [3]int64{1, 1, 1}
		for i := range min(3, len(v.c)) {
			if v.c[i].kind != intScalar {
				r.undecided(at, "a launch of unknown size")
			}
			out[i] = v.c[i].i
		}
		return out
	}
	r.groups, r.local = dims(grid), dims(block)
	// The limits of all CUDA devices (CUDA C++ Programming Guide, technical specifications).
	if r.local[0]*r.local[1]*r.local[2] > 1024 {
		r.doubt(at, "a launch with groups of more than 1024 threads, which fails")
	}
	if f.Bound != nil && r.local[0]*r.local[1]*r.local[2] > r.integer(r.value(f.Bound), at) {
		r.doubt(at, "a launch with larger groups than %s allows, which fails", f.Name)
	}
	if r.local[2] > 64 {
		r.doubt(at, "a launch with groups of more than 64 threads in z, which fails")
	}
	l := Launch{Kernel: f.Name, Local: r.local, Groups: r.groups}
	for i, p := range f.Params {
		if p.Typ.Kind == ast.PointerType || i >= len(args) {
			continue
		}
		value := ""
		if p.Typ.Kind == ast.IntType {
			if a := r.convert(args[i], p.Typ, at); a.c[0].kind == intScalar {
				value = fmt.Sprint(a.c[0].i)
			}
		}
		l.Arguments = append(l.Arguments, value)
	}
	for i, a := range args {
		r.use.given = r.use.given || len(a.c) == 1 && a.c[0].to != nil
		r.alone(f, args, min(i, len(f.Params)-1), at)
	}
	r.launches = append(r.launches, l)
	r.grid(f, args, at)
	r.use.running = true
}

// alone doubts a launch that gives one array to two parameters, of which one says (restrict) that it has its own.
func (r *runner) alone(f *ast.Function, args []result, i int, at preproc.Place) {
	for j, q := range f.Params {
		p := f.Params[i]
		if i != j && j < len(args) && p.Typ.Alone && !(p.Konst && q.Konst) && len(args[i].c) == 1 && len(args[j].c) == 1 && args[i].c[0].to != nil && args[i].c[0].to == args[j].c[0].to {
			r.doubt(at, "%s and %s of %s are one array, though %[1]s is restrict", p.Name, q.Name, f.Name)
		}
	}
}

// grid runs the groups of a launch, one after the other.
func (r *runner) grid(f *ast.Function, args []result, at preproc.Place) {
	count := int64(1)
	for d := range 3 {
		if r.local[d] < 1 || r.groups[d] < 1 {
			r.undecided(at, "a launch without threads")
		}
		count *= r.local[d]
		if r.only == nil {
			count *= r.groups[d]
		}
		// Each thread is a coroutine, and each access is compared with those before it.
		if count > 1<<14 || r.only == nil && r.groups[d] > 1<<20 {
			r.undecided(at, "a launch of more than %d threads", 1<<14)
		}
	}
	r.number++
	id := 0
	group := 0
	if r.only != nil {
		r.someGroups(f, args, at)
		return
	}
	for z := range r.groups[2] {
		for y := range r.groups[1] {
			for x := range r.groups[0] {
				id = r.oneGroup(f, args, [3]int64{x, y, z}, group, id, at)
				group++
			}
		}
	}
	r.t = nil
}

// someGroups runs the groups that are asked for.
func (r *runner) someGroups(f *ast.Function, args []result, at preproc.Place) {
	var all [][3]int64
	for g := range r.only {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b [3]int64) int { return slices.Compare(a[:], b[:]) })
	id := 0
	for i, g := range all {
		id = r.oneGroup(f, args, g, i, id, at)
	}
	r.t = nil
}

// oneGroup runs a group; its threads are numbered from id on.
func (r *runner) oneGroup(f *ast.Function, args []result, g [3]int64, number, id int, at preproc.Place) int {
	r.shared = map[*ast.Decl]*object{}
	var ts []*thread
	for lz := range r.local[2] {
		for ly := range r.local[1] {
			for lx := range r.local[0] {
				ts = append(ts, &thread{id: id, group: number, lid: [3]int64{lx, ly, lz}, gid: g})
				id++
			}
		}
	}
	// Local memory that the host only sizes is new for each group.
	own := slices.Clone(args)
	for i, p := range f.Params {
		if p.Typ.Kind == ast.PointerType && p.Typ.Space == ast.Local && i < len(own) {
			own[i] = r.vast(p, ast.Local)
		}
	}
	r.group(f, own, ts, at)
	var bytes int64
	for _, o := range r.shared {
		bytes += o.typ.Size()
	}
	if bytes > 48<<10 && !r.fill {
		r.doubt(at, "a launch with more than 48 KiB of memory for each group, which fails")
	}
	return id
}

// Execute runs kernel f of u on a concrete grid, with arrays whose contents are drawn
// from a sample, all 0 for sample 0: parameters have the values given by name, or 0. It
// returns a fault, or why there is no verdict; neither means that this run is without fault.
// purse has the steps that this run may take, and those after it; without one, a run has a share of its own.
func Execute(sample uint64, checks Checks, u *ast.Unit, f *ast.Function, sizes, groups [3]int64, values map[string]int64, only map[[3]int64]bool, purse *int) (fault *Fault, why string) {
	fuel := runFuel / 4
	if purse != nil {
		fuel = *purse
	}
	r := runner{use: newUse(), checks: checks, u: u, globals: map[*ast.Decl]*object{}, names: map[string]int64{}, fuel: fuel, fill: true, sample: sample, local: sizes, groups: groups, only: only}
	first := r
	fault, why = first.execute(f, values)
	if purse != nil {
		*purse = max(0, first.fuel)
		r.fuel = *purse
		defer func() { *purse = max(0, min(*purse, r.fuel)) }()
	}
	if why != "" && first.use.atomics {
		// What an order of atomic operations leads to is a fault, and else says nothing.
		r.use, r.globals, r.names = newUse(), map[*ast.Decl]*object{}, map[string]int64{}
		r.ordered = true
		fault, ordered := r.execute(f, values)
		switch {
		case fault != nil:
			return fault, ""
		case strings.HasSuffix(ordered, OrderedByAtomics):
			return nil, ordered
		}
	}
	return fault, why
}

// execute runs f on the grid of the runner.
func (r *runner) execute(f *ast.Function, values map[string]int64) (fault *Fault, why string) {
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
	var args []result
	// Nothing is known of the arrays that a kernel is given, so each is as large as it needs to be.
	for _, p := range f.Params {
		switch p.Typ.Kind {
		case ast.PointerType:
			sp := p.Typ.Space
			if sp == ast.Private {
				sp = ast.Global
			}
			args = append(args, r.vast(p, sp))
		case ast.IntType:
			args = append(args, intValue(p.Typ, values[p.Name]))
		default:
			o := r.newObject(p.Name, p.Typ, ast.Private)
			for i := range p.Typ.Cells() {
				t, name := p.Typ.Leaf(i), p.Name+p.Typ.Path(i)
				if t.Kind == ast.PointerType {
					o.cells[i] = r.vast(&ast.Decl{At: p.At, Name: name, Typ: t}, ast.Global).c[0]
				} else if v, ok := values[name]; ok && t.Kind == ast.IntType {
					o.cells[i] = intValue(t, v).c[0]
				}
			}
			args = append(args, result{p.Typ, o.cells})
		}
	}
	r.grid(f, args, f.At)
	return nil, ""
}

// group runs the threads of a group from barrier to barrier.
func (r *runner) group(f *ast.Function, args []result, ts []*thread, at preproc.Place) {
	// Threads are coroutines that yield at barriers. Each has a state of the runner of its own,
	// put in place while it runs; fuel and the number of objects are counted for all together.
	host := *r
	type seat struct {
		next func() (barrierAt, bool)
		stop func()
	}
	var seats []seat
	defer func() {
		// Threads that still wait must end, or their coroutines would stay for ever.
		for _, s := range seats {
			s.stop()
		}
		fuel, objects, launches, shared := r.fuel, r.objects, r.launches, r.shared
		*r = host
		r.fuel, r.objects, r.launches, r.shared = fuel, objects, launches, shared
	}()
	saved := make([]runner, len(ts))
	var broken any
	for i, t := range ts {
		saved[i] = *r
		saved[i].t, saved[i].depth, saved[i].scopes, saved[i].way = t, 0, nil, nil
		next, stop := iter.Pull(func(yield func(barrierAt) bool) {
			defer func() {
				if e := recover(); e != nil && e != any(abandoned{}) {
					broken = e
				}
			}()
			t.stop = func(b barrierAt) bool { return yield(b) }
			r.invoke(f, args, at)
		})
		seats = append(seats, seat{next, stop})
	}
	for alive := true; alive; {
		alive = false
		var first *barrierAt
		var waits, ended *thread
		for i := range ts {
			if seats[i].next == nil {
				continue
			}
			// What a thread has of its own changes with it; fuel and numbers are those of the run.
			fuel, objects := r.fuel, r.objects
			*r = saved[i]
			r.fuel, r.objects = fuel, objects
			b, more := seats[i].next()
			saved[i] = *r
			if broken != nil {
				panic(broken)
			}
			if !more {
				ended = ts[i]
				seats[i].next = nil
				continue
			}
			alive = true
			if first == nil {
				first, waits = &b, ts[i]
			} else if *first != b {
				r.faultOf(ts[i], waits, "", "divergence", b.at, "threads of one group wait at different barriers")
			}
		}
		if first != nil && ended != nil {
			r.faultOf(waits, ended, "", "divergence", first.at, "a thread waits at this barrier, another of its group has ended")
		}
	}
}
