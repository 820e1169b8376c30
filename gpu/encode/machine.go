package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/preproc"
)

// newBuilder finds the paths of a program. Where those from one point of control to the next are too many, since branches follow each
// other, threads may stand where branches meet as well: what a way has been is forgotten there, but for what is guessed and proved of it.
func newBuilder(p *ir.Program, scope Scope, wraps map[string]bool, hints paths.Ranges) (*builder, *preproc.Problem) {
	b, many, problem := follow(p, scope, false, wraps, hints)
	if many {
		b, _, problem = follow(p, scope, true, wraps, hints)
	}
	return b, problem
}

// follow is the builder of the paths between points of control, with those where branches meet if joins says so, or why there is none:
// many says that it is since the paths are too many.
func follow(p *ir.Program, scope Scope, joins bool, wraps map[string]bool, hints paths.Ranges) (out *builder, many bool, problem *preproc.Problem) {
	b := &builder{p: p, scope: scope, live: cfg.Liveness(p), index: map[*ir.Node]int{}, reach: map[*ir.Node][]*ir.Node{}, unequal: map[*ir.Variable]bool{}}
	barriers := scope != Grid
	b.cuts = cfg.CutPoints(p, barriers, joins)
	for i, c := range b.cuts {
		b.index[c] = i
	}
	same, together := cfg.Uniformity(p, scope == Grid, nil)
	b.same = same
	shared := cfg.SharedReads(p, scope == Grid, same, together)
	b.alike = len(shared)
	b.same, _ = cfg.Uniformity(p, scope == Grid, shared) // what is guessed by it is proved
	b.walk, b.paths, problem = paths.Find(paths.Config{Program: p, Cuts: b.cuts, Barriers: barriers, Live: b.live, Shared: shared, Same: same, Together: together, Wraps: wraps, Hints: hints})
	if problem != nil {
		return nil, b.walk.Many, problem
	}
	b.guess()
	b.relate()
	return b, false, nil
}

// model writes the model: of one thread, or of two.
func (b *builder) model(alone bool) *Model {
	b.alone = alone
	w := &writer{builder: b, lines: new(lines), model: &Model{Name: b.name(), Scope: b.scope, Apart: b.distinct(), claims: map[string]*Claim{}}, records: map[string]bool{}}
	w.findSites()
	// Events first: writing them finds which values have to be recorded, and what to say of ids.
	events := w.events()
	w.context()
	w.line(0, "")
	w.machine(events)
	w.model.Text, w.model.lines = w.text.String(), w.origins
	return w.model
}

func (b *builder) name() string {
	n := strings.TrimLeft(Identifier(b.p.Name), "_") + [scopes]string{"_group", "_grid", "_warp"}[b.scope]
	if b.alone {
		n += "_alone"
	}
	return n
}

// machine writes the machine.
func (w *writer) machine(events *lines) {
	invariants := w.apartFrom(w.invariants)
	w.line(0, "machine %s sees %s_launch", w.model.Name, w.model.Name)
	w.line(0, "variables")
	names := w.variableNames()
	w.line(1, "%s", strings.Join(names, " "))
	w.line(0, "invariants")
	for _, n := range names {
		w.line(1, "@%s_type %s ∈ ℤ", n, n)
	}
	w.add(invariants)
	w.line(0, "events")
	w.line(1, "event INITIALISATION then")
	for i, n := range names {
		v := "≔ 0"
		switch {
		case n == "turn":
			v = "≔ 1"
		case slices.Contains(w.sharedNames(), n): // whatever the place holds
			v = ":∈ ℤ"
		case n == "off": // where nothing is logged, annotations know nothing of it
			v = ":∈ ℤ"
		}
		w.line(2, "@act%d %s %s", i+1, n, v)
	}
	w.line(1, "end")
	w.add(events)
	w.line(0, "end")
}

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
		pcs := func(t string) string {
			if w.goAt(c) == w.waitAt(c) {
				return fmt.Sprintf("pc%s = %d", t, w.goAt(c))
			}
			return fmt.Sprintf("(pc%s = %d ∨ pc%s = %d)", t, w.goAt(c), t, w.waitAt(c))
		}
		for _, t := range threads {
			pr := w.printer(t)
			for _, k := range w.cands {
				if k.at != c || k.dead {
					continue
				}
				l := w.next("cand")
				w.claim(1, &Claim{Kind: Candidate, Guess: k.id}, l, "@%s %s ⇒ %s", l, pcs(t), pr.conjunct(k.e))
			}
			for _, i := range c.Code {
				if i.Op != ir.DoInvariant {
					break
				}
				w.authorInvariant(pr, c, i, pcs(t), t)
			}
		}
	}
	w.logInvariants()
	for _, s := range w.sites {
		w.siteInvariant(s)
	}
	w.relationInvariants()
}

func (w *writer) authorInvariant(pr printer, c *ir.Node, i *ir.Instr, at, thread string) {
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
	text := pr.predicate(e)
	if e.Op == ir.PAnd || e.Op == ir.POr {
		text = "(" + text + ")"
	}
	if w.scope != Group { // where it is checked already
		w.line(1, "@%s %s ⇒ %s", l, at, text)
		return
	}
	w.claim(1, &Claim{Check: Check{Kind: "invariant", Line: i.At.Line, Col: i.At.Col, Why: i.Why}}, l, "@%s %s ⇒ %s", l, at, text)
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
