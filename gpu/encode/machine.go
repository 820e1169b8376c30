package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/preproc"
	"github.com/gradine/gradine/lang"
)

// newBuilder finds the paths of a program. Where those from one point of control to the next are too many, since branches follow each
// other, threads may stand where branches meet as well: what a way has been is forgotten there, but for what is guessed and proved of it.
func newBuilder(p *ir.Program, scope Scope, wraps map[string]bool, hints paths.Ranges, without Rules) (*builder, *preproc.Problem) {
	b, many, problem := follow(p, scope, false, wraps, hints, without)
	if many {
		b, _, problem = follow(p, scope, true, wraps, hints, without)
	}
	return b, problem
}

// follow is the builder of the paths between points of control, with those where branches meet if joins says so, or why there is none:
// many says that it is since the paths are too many.
func follow(p *ir.Program, scope Scope, joins bool, wraps map[string]bool, hints paths.Ranges, without Rules) (out *builder, many bool, problem *preproc.Problem) {
	b := &builder{p: p, scope: scope, without: without, live: cfg.Liveness(p), loops: cfg.Loops(p), index: map[*ir.Node]int{}, reach: map[*ir.Node][]*ir.Node{}, unequal: map[*ir.Variable]bool{}}
	barriers := scope != Grid || p.MeetsInGrid()
	b.cuts = cfg.CutPoints(p, barriers, joins)
	for i, c := range b.cuts {
		b.index[c] = i
	}
	same, together := cfg.Uniformity(p, scope == Grid, nil)
	b.same = same
	shared := map[*ir.Instr]int{}
	if scope != Grid || !barriers { // a place that groups read may change where they meet
		shared = cfg.SharedReads(p, scope == Grid, same, together)
	}
	b.alike = len(shared)
	b.same, _ = cfg.Uniformity(p, scope == Grid, shared) // what is guessed by it is proved
	b.walk, b.paths, problem = paths.Find(paths.Config{Program: p, Cuts: b.cuts, Barriers: barriers, Apart: scope == Grid, Live: b.live, Shared: shared, Same: same, Together: together, Wraps: wraps, Hints: hints})
	if problem != nil {
		return nil, b.walk.Many, problem
	}
	b.guess()
	if b.relate(); without.Has(Alike) {
		b.unrelate()
	}
	return b, false, nil
}

// model writes the model: of one thread, or of two.
func (b *builder) model(alone bool) *Model {
	b.alone = alone
	m := &Model{Name: b.name(), Scope: b.scope, claims: map[string]*Claim{}}
	if apart := b.distinct(); apart != nil {
		m.Apart = spelled(apart)
	}
	w := &writer{builder: b, model: m, records: map[string]bool{}, context: &lang.Component{Kind: lang.ContextKind}, machine: &lang.Component{Kind: lang.MachineKind}}
	w.context.Name, w.machine.Name = w.name(m.Name+"_launch"), w.name(m.Name)
	w.machine.Sees = []lang.Name{w.context.Name}
	w.findSites()
	// Events first: writing them finds which values have to be recorded, and what to say of ids.
	w.events()
	w.at = preproc.Place{} // of no line of the kernel
	w.launch()
	w.invariants()
	w.variables()
	m.components = []*lang.Component{w.context, w.machine}
	return m
}

func (b *builder) name() string {
	n := strings.TrimLeft(Identifier(b.p.Name), "_") + [scopes]string{"_group", "_grid", "_warp", "_tile16", "_tile8", "_tile4", "_tile2"}[b.scope]
	if b.alone {
		n += "_alone"
	}
	return n
}

// variables declares the variables, as integers, and gives them their first values.
func (w *writer) variables() {
	w.at = preproc.Place{}
	names := w.variableNames()
	var types []*lang.Predicate
	w.begin(lang.Initialisation, "")
	for i, n := range names {
		w.machine.Variables = append(w.machine.Variables, w.name(n))
		w.put(&types, w.predicate(n+"_type", integer(ident(n))))
		label := fmt.Sprint("act", i+1)
		switch {
		case n == "turn":
			w.assign(label, n, num(1))
		case n == "off", // where nothing is logged, annotations know nothing of it
			slices.Contains(w.sharedNames(), n): // whatever the place holds
			w.forget(label, n)
		default:
			w.assign(label, n, num(0))
		}
	}
	last := len(w.machine.Events) - 1
	w.machine.Events = slices.Insert(w.machine.Events[:last], 0, w.event)
	w.machine.Invariants = append(types, w.machine.Invariants...)
}

// variableNames are the names of the variables of the machine.
func (w *writer) variableNames() []string {
	names := []string{"pc1"}
	if w.two() {
		names = append(names, "pc2", "turn", "site", "val")
	}
	if w.two() || w.p.Annotated {
		names = append(names, "off")
	}
	if w.p.Annotated {
		names = append(names, "acc")
	}
	for _, v := range w.kept() {
		names = append(names, v.Name+"_1")
		if w.two() {
			names = append(names, v.Name+"_2")
		}
	}
	if w.shadow != nil && w.two() {
		names = append(names, "pc0")
		for _, v := range w.remembered() {
			names = append(names, v.Name+"_0")
		}
	}
	return slices.Concat(names, w.sharedNames(), w.order)
}

// sharedNames are the variables that hold what threads read alike, until they meet again.
func (w *writer) sharedNames() (names []string) {
	if !w.two() {
		return nil
	}
	for k := range w.alike {
		names = append(names, sharedName(k+1))
	}
	return names
}

func sharedName(k int) string { return fmt.Sprint(ir.SharedName, k) }

// invariants writes the candidates that live, the author's invariants, and what is
// known of a logged access.
func (w *writer) invariants() {
	threads := []string{"1"}
	if w.two() {
		threads = append(threads, "2")
	}
	for _, c := range w.cuts {
		w.at = c.At
		// A thread stands at a cut point either on its way or waiting there.
		at := func(t string) formula {
			if w.goAt(c) == w.waitAt(c) {
				return is("pc"+t, w.goAt(c))
			}
			return either(is("pc"+t, w.goAt(c)), is("pc"+t, w.waitAt(c)))
		}
		for _, t := range threads {
			pr := w.reading(t)
			for _, k := range w.cands {
				if k.at != c || k.dead {
					continue
				}
				claimed := w.claim(w.next("cand"), implies(at(t), pr.predicate(k.e)), &Claim{Kind: Candidate, Guess: k.id})
				w.put(&w.machine.Invariants, claimed)
			}
			for _, i := range c.Code {
				if i.Op != ir.DoInvariant {
					break
				}
				w.authorInvariant(pr, c, i, at(t), t)
			}
		}
	}
	// The invariants about logged accesses come last, and use what the candidates say of the variables.
	w.logInvariants()
	for _, s := range w.sites {
		w.siteInvariant(s)
	}
	w.relationInvariants()
}

// authorInvariant writes an invariant that the author has given at a cut point.
func (w *writer) authorInvariant(pr reading, c *ir.Node, i *ir.Instr, at formula, thread string) {
	if thread == "2" && w.logs(i.E) {
		return
	}
	s := w.walk.At(c)
	e := w.walk.Formula(s, i.E, c, ir.Falsity)
	if w.logs(e) && !w.two() {
		return
	}
	l := w.next("inv")
	w.at = i.At
	holds := implies(at, pr.predicate(e))
	if w.scope != Group { // where it is checked already
		w.invariant(l, holds)
		return
	}
	w.put(&w.machine.Invariants, w.claim(l, holds, &Claim{Check: Check{Kind: "invariant", Line: i.At.Line, Col: i.At.Col, Why: i.Why}}))
}

// Identifier is the name of a kernel as that of a machine: those of instances of templates
// have their arguments joined to them.
func Identifier(name string) string {
	if !strings.ContainsFunc(name, foreign) {
		return name
	}
	name = strings.NewReplacer("*", " ptr ", "&", " ref ", "-", " minus ").Replace(name)
	return strings.Join(strings.FieldsFunc(name, foreign), "_")
}

// foreign reports whether a character stands in no identifier of C.
func foreign(r rune) bool {
	return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}
