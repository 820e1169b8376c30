package gpuc

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/graph"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// Check is something that a kernel must satisfy: one or more obligations of its machines.
type Check struct {
	Kind      string // race-ww, race-rw, race-atomic, divergence, bounds, null, assert, requires, invariant, division, overflow
	Line, Col int
	Why       string
}

// Model is what a kernel becomes: text of a context and a machine, and what its
// obligations are about.
type Model struct {
	Name   string
	Kernel string
	Scope  Scope
	Apart  string       // that its two threads are not one, as a predicate
	File   string       // that the kernel stands in
	At     syntax.Place // of the kernel
	Text   string
	Places []syntax.Place    // in the C of each line of Text; the zero Place stands for the kernel
	Checks map[string]Check  // by the label of the theorem or invariant
	Fits   map[string]string // by label: the term that is claimed not to wrap
	// Candidates are invariants that are only guessed, by label. Whoever proves
	// them tells Kernel.Drop which ones do not hold.
	Candidates map[string]int
	Relations  map[string]int  // likewise, see Search.Unrelate
	Equal      map[string]int  // likewise, see Search.Differ
	Hints      map[string]bool // labels of theorems that only lead to proofs, see Without
	// Exits are claims that a way out of a loop, or into the kernel, is never taken, by
	// label. One that is proved says that what holds leaves no way there.
	Exits     map[string]Exit
	Unreached []string // which of them are proved, and loops without exit, in words
}

// Without is the model without theorems, by label, of which nothing is claimed then.
func (m *Model) Without(labels map[string]bool) *Model {
	out := *m
	out.Places = nil
	var text strings.Builder
	for i, line := range strings.SplitAfter(m.Text, "\n") {
		label, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "theorem @"), " ")
		if labels[label] {
			continue
		}
		text.WriteString(line)
		if i < len(m.Places) {
			out.Places = append(out.Places, m.Places[i])
		}
	}
	out.Text = text.String()
	return &out
}

// Exit is a way out of a loop, or, at the entry, into the kernel.
type Exit struct {
	Entry bool
	Line  int
}

// NoPair labels the claim that no two threads satisfy what the author requires of both.
const NoPair = "nopair"

// Scope is which pairs of threads a model is about.
type Scope uint8

// The scopes.
const (
	Group Scope = iota // two threads of one group
	Grid               // two threads of different groups
)

// builder makes the models of one program for one scope.
type builder struct {
	p     *flow.Program
	scope Scope
	alone bool // the model is about one thread
	exits bool // it claims that exits are never taken
	cuts  []*flow.Node
	live  map[*flow.Node]map[*flow.Variable]bool
	index map[*flow.Node]int
	paths []*path
	walk  *walker
	cands []*candidate
	same  map[*flow.Variable]bool // equal in all threads of a group, by data flow

	relations []*relation_
	shadow    map[*flow.Variable]*flow.Variable
	reach     map[*flow.Node][]*flow.Node
	hints     map[int]map[int]flow.Interval // ranges by cut point and variable, from an earlier search
	changed   map[*flow.Node]map[*flow.Variable]bool
	unequal   map[*flow.Variable]bool // remembered variables that differ after all
}

// candidate is a guessed invariant of one thread at a cut point.
type candidate struct {
	at   *flow.Node
	e    *flow.Term
	rule string
	form *form // if it is a closed form
	dead bool
	id   int

	heirs []*candidate // the same at cut points that come after it
}

// drop gives up a candidate and its heirs: they held because it did.
func (c *candidate) drop() {
	if c.dead {
		return
	}
	c.dead = true
	for _, h := range c.heirs {
		h.drop()
	}
}

func newBuilder(p *flow.Program, scope Scope, wraps map[string]bool, hints map[int]map[int]flow.Interval) (*builder, *syntax.Problem) {
	b := &builder{hints: hints, p: p, scope: scope, live: graph.Liveness(p), index: map[*flow.Node]int{}, changed: map[*flow.Node]map[*flow.Variable]bool{}}
	barriers := scope != Grid
	b.cuts = graph.CutPoints(p, barriers)
	same, together := graph.Uniformity(p, scope == Grid)
	b.same, b.reach, b.unequal = same, map[*flow.Node][]*flow.Node{}, map[*flow.Variable]bool{}
	b.walk = &walker{p: p, live: b.live, cut: map[*flow.Node]bool{}, barriers: barriers, together: together, same: same, wraps: wraps, forward: !p.Opts.OnlyDivergence, ranges: ranges{}}
	for i, c := range b.cuts {
		b.index[c] = i
		b.walk.cut[c] = true
	}
	// Ranges before guesses: paths are cut by them, and candidates are read off paths.
	if problem := b.walk.learn(); problem != nil {
		return nil, problem
	}
	if problem := b.fixpoint(); problem != nil {
		return nil, problem
	}
	b.guess()
	b.relate()
	return b, nil
}

// fixpoint finds the ranges of variables at cut points, and with them the paths.
func (b *builder) fixpoint() *syntax.Problem {
	reached := ranges{b.p.Entry: {}}
	// Most loops are stable after a few rounds; a chain of variables that hand on their
	// values takes a round each, and what still moves then has all values of its type.
	// The search ends after some more rounds, come what may: whoever rests on a range claims
	// what follows from it, so that one which is too small costs a proof, and never gives one.
	const widenAfter, rounds, last = 3, 17, 40
	stable := false
	for round := 0; !stable && round < last; round++ {
		next, problem := b.arriving(reached)
		if problem != nil {
			return problem
		}
		b.hinted(next)
		stable = len(next) == len(reached)
		for c, now := range next {
			was := reached[c]
			stable = stable && was != nil
			for v, r := range now {
				w, ok := was[v]
				switch {
				case !ok:
					continue
				case r.Inside(w):
					r = w
				case round >= rounds:
					r = flow.Interval{}
				// A loop that keeps a variable hands on what an outer one bounds.
				case round >= widenAfter && b.changes(c, v):
					r = widen(w, r.Join(w), v, b.compared(v))
				default:
					r = r.Join(w)
				}
				// A range that a hint cuts back would never rest: what it cuts is not counted.
				if h, ok := b.hints[b.index[c]][v.Id]; ok {
					r = r.Meet(h)
				}
				stable = stable && r.Same(w)
				now[v] = r
			}
		}
		reached = next
	}
	// Twice more without joins: it takes back what widening gave too much.
	for range 2 {
		next, problem := b.arriving(reached)
		if problem != nil {
			return problem
		}
		reached = next
		b.hinted(reached)
	}
	for _, c := range b.cuts {
		if reached[c] == nil {
			reached[c] = map[*flow.Variable]flow.Interval{}
		}
	}
	b.walk.ranges, b.paths = reached, nil
	for _, c := range b.cuts {
		paths, problem := b.walk.from(c)
		if problem != nil {
			return problem
		}
		b.paths = append(b.paths, paths...)
	}
	return nil
}

// arriving is what comes to cut points by one path from where reached says.
func (b *builder) arriving(reached ranges) (next ranges, problem *syntax.Problem) {
	b.walk.ranges = reached
	next = ranges{b.p.Entry: {}}
	for _, c := range b.cuts {
		if reached[c] == nil {
			continue
		}
		paths, problem := b.walk.from(c)
		if problem != nil {
			return nil, problem
		}
		for _, p := range paths {
			switch now := next[p.to]; {
			case p.ranges == nil: // along a way that no value takes nothing arrives
			case now == nil:
				next[p.to] = p.ranges
			default:
				for v, r := range now {
					now[v] = r.Join(p.ranges[v])
				}
			}
		}
	}
	return next, nil
}

// hinted narrows ranges by what an earlier search has found. Like all ranges these are
// guesses: whoever rests on one claims what follows from it.
func (b *builder) hinted(reached ranges) {
	for c, vs := range reached {
		for v, r := range vs {
			if h, ok := b.hints[b.index[c]][v.Id]; ok {
				vs[v] = r.Meet(h)
			}
		}
	}
}

// compared are the numbers that conditions compare v with, and those next below them, in order:
// a loop that goes on for so long leaves v there, though a step before its test goes on first.
func (b *builder) compared(v *flow.Variable) (out []*big.Int) {
	var visit func(p *flow.Term)
	visit = func(p *flow.Term) {
		for i, a := range p.Args {
			if (p.Op == flow.PLt || p.Op == flow.PLe) && a.IsNum() && flow.Mentions(p.Args[1-i], v) {
				out = append(out, new(big.Int).Sub(a.Val, big.NewInt(1)), a.Val)
			}
			visit(a)
		}
	}
	for _, n := range b.p.Nodes {
		if n.Cond != nil {
			visit(n.Cond)
		}
	}
	slices.SortFunc(out, (*big.Int).Cmp)
	return out
}

// widen lets the bounds of v that still move go as far as the next threshold: what it is
// compared with, what is below the largest launch, then below the largest value (so that one
// more still fits), then all values of the type.
func widen(was, now flow.Interval, v *flow.Variable, compared []*big.Int) flow.Interval {
	// A count has no type that would bound it.
	if v.Typ.Kind != syntax.IntType || v.Ghost {
		if was.Lo == nil || now.Lo == nil || now.Lo.Cmp(was.Lo) < 0 {
			now.Lo = nil
		}
		if was.Hi == nil || now.Hi == nil || now.Hi.Cmp(was.Hi) > 0 {
			now.Hi = nil
		}
		return now
	}
	all, one := flow.TypeInterval(v.Typ), big.NewInt(1)
	if was.Hi == nil || now.Hi == nil || now.Hi.Cmp(was.Hi) > 0 {
		reached := now.Hi
		now.Hi = all.Hi
		for _, t := range append(slices.Clip(compared), new(big.Int).Sub(launchLimit, one), launchLimit, new(big.Int).Sub(all.Hi, one)) {
			if reached != nil && reached.Cmp(t) <= 0 && t.Cmp(all.Hi) < 0 {
				now.Hi = t
				break
			}
		}
	}
	if was.Lo == nil || now.Lo == nil || now.Lo.Cmp(was.Lo) < 0 {
		reached := now.Lo
		now.Lo = all.Lo
		for _, t := range []*big.Int{new(big.Int), new(big.Int).Add(all.Lo, one)} {
			if reached != nil && reached.Cmp(t) >= 0 && t.Cmp(all.Lo) > 0 {
				now.Lo = t
				break
			}
		}
	}
	return now
}

// variables that a thread keeps at some cut point, in a fixed order.
func (b *builder) kept() []*flow.Variable {
	var out []*flow.Variable
	for _, v := range b.p.Vars {
		if v == b.p.Accessed || v == b.p.Offset {
			continue // of the log, not of the thread
		}
		for _, c := range b.cuts {
			if b.live[c][v] && c != b.p.Entry {
				out = append(out, v)
				break
			}
		}
	}
	return out
}

// pc numbers: a barrier is left (go) at another number than it is reached at (wait).
const (
	pcDone    = 1
	pcStopped = 2
)

func (b *builder) goAt(n *flow.Node) int { return 10 * b.index[n] }

func (b *builder) waitAt(n *flow.Node) int {
	switch {
	case n.End || n.Then == nil:
		return pcDone
	case b.walk.barriers && n.IsBarrier():
		return 10*b.index[n] + 5
	}
	return 10 * b.index[n]
}

// writer writes one model.
type writer struct {
	*builder
	*lines
	at      syntax.Place // in the C of what is written
	model   *Model
	label   int
	sites   []*site
	records map[string]bool // variables that records need
	order   []string
	seen    map[string]bool
	digit   []string // theorems about offsets of both threads, by ids and parameters
}

// site is an access of thread 1 that may be logged.
type site struct {
	number int
	path   *path
	item   item
	guards []*flow.Term
	stops  bool
	keeps  []string // fresh values that are recorded
}

// lines are those of a text, with their places in the C.
type lines struct {
	text   strings.Builder
	places []syntax.Place
}

func (l *lines) add(more *lines) {
	l.text.WriteString(more.text.String())
	l.places = append(l.places, more.places...)
}

func (w *writer) line(indent int, format string, args ...any) {
	w.text.WriteString(strings.Repeat("    ", indent))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
	w.places = append(w.places, w.at)
}

// checked writes a theorem that is a check, with what it is about for people to read.
func (w *writer) checked(label string, c Check, format string, args ...any) {
	w.model.Checks[label] = c
	w.line(2, "theorem @%s %s // line %d: %s: %s", label, fmt.Sprintf(format, args...), c.Line, c.Kind, c.Why)
}

func (w *writer) next(prefix string) string {
	w.label++
	return fmt.Sprint(prefix, w.label)
}

func (b *builder) printer(thread string) printer {
	p := printer{thread: thread, grid: b.scope == Grid}
	if b.p.Annotated {
		p.local = func(v *flow.Variable) string {
			switch v {
			case b.p.Accessed:
				return "acc"
			case b.p.Offset:
				return "off"
			}
			return v.Name + "_" + thread
		}
	}
	return p
}

// distinct says that the two threads differ; ⊥ where there is only one.
func (b *builder) distinct() string {
	var parts []string
	o := b.p.Opts
	// A dimension of size 1 has no id in the model: it cannot tell two threads apart.
	for d := range 3 {
		switch {
		case b.scope == Grid && o.Groups[d] != 1:
			n := "gid" + "xyz"[d:d+1]
			parts = append(parts, n+"_1 = "+n+"_2")
		case b.scope != Grid && o.Local[d] != 1:
			n := "lid" + "xyz"[d:d+1]
			parts = append(parts, n+"_1 = "+n+"_2")
		}
	}
	if len(parts) == 0 {
		return "⊥"
	}
	return "¬ (" + strings.Join(parts, " ∧ ") + ")"
}

// model writes the model: of one thread, or of two.
func (b *builder) model(alone bool) *Model {
	b.alone = alone
	w := &writer{builder: b, lines: new(lines), model: &Model{Name: b.name(), Scope: b.scope, Apart: b.distinct(), Checks: map[string]Check{}, Candidates: map[string]int{}, Relations: map[string]int{}, Equal: map[string]int{}, Fits: map[string]string{}, Exits: map[string]Exit{}, Hints: map[string]bool{}}, records: map[string]bool{}}
	w.findSites()
	// Events first: writing them finds which values have to be recorded, and what to say of ids.
	events := w.events()
	w.context()
	w.line(0, "")
	w.machine(events)
	w.model.Text, w.model.Places = w.text.String(), w.places
	return w.model
}

func (b *builder) name() string {
	n := strings.TrimLeft(b.p.Name, "_") + [...]string{"_group", "_grid"}[b.scope]
	if b.alone {
		n += "_alone"
	}
	return n
}

// context writes sizes, ids and parameters, with their ranges.
func (w *writer) context() {
	o := w.p.Opts
	var constants, axioms []string
	add := func(n string, facts ...string) {
		constants = append(constants, n)
		axioms = append(axioms, n+" ∈ ℤ")
		axioms = append(axioms, facts...)
	}
	for d := range 3 {
		c := "xyz"[d : d+1]
		size := func(kind string, known int64) string {
			if known > 0 {
				return fmt.Sprint(known)
			}
			add(kind+c, "1 ≤ "+kind+c)
			return kind + c
		}
		local, groups := size("lsz", o.Local[d]), size("ngr", o.Groups[d])
		// The product of sizes is given, or so small that ids of the grid do not wrap.
		switch {
		case o.Global[d] > 0 && (o.Local[d] == 0 || o.Groups[d] == 0):
			axioms = append(axioms, fmt.Sprintf("%s ∗ %s = %d", local, groups, o.Global[d]))
		case o.Local[d] == 0 || o.Groups[d] == 0:
			axioms = append(axioms, fmt.Sprintf("%s ∗ %s ≤ %s", local, groups, launchLimit))
			if o.Local[d] == 0 {
				axioms = append(axioms, local+" ≤ "+launchLimit.String())
			}
			if o.Groups[d] == 0 {
				axioms = append(axioms, groups+" ≤ "+launchLimit.String())
			}
		}
		// Ids where there is one choice are numbers, and have no constant.
		threads := []string{"_1", "_2"}
		for _, t := range threads {
			if o.Local[d] != 1 {
				add("lid"+c+t, fmt.Sprintf("0 ≤ lid%s%s", c, t), fmt.Sprintf("lid%s%s < %s", c, t, local))
			}
			if o.Groups[d] != 1 && (w.scope == Grid || t == "_1") {
				n := "gid" + c
				if w.scope == Grid {
					n += t
				}
				add(n, "0 ≤ "+n, n+" < "+groups)
			}
		}
	}
	for _, p := range w.p.Params {
		if p.Typ.Kind == syntax.IntType {
			lo, hi := flow.Within(p.Typ)
			add(p.Term.Name, integer(lo)+" ≤ "+p.Term.Name, p.Term.Name+" ≤ "+integer(hi))
		} else {
			add(p.Term.Name)
		}
	}
	for _, a := range w.p.Axioms {
		e := w.walk.axiom(a)
		// What an axiom says of a thread holds of both.
		for _, t := range []string{"1", "2"} {
			if text := w.printer(t).predicate(e); e.Op != flow.PTrue && !slices.Contains(axioms, text) {
				axioms = append(axioms, text)
			}
		}
	}
	w.line(0, "context %s_launch", w.model.Name)
	if len(constants) > 0 {
		w.line(0, "constants")
		w.line(1, "%s", strings.Join(constants, " "))
		w.line(0, "axioms")
		for i, a := range axioms {
			w.line(1, "@axm%d %s", i+1, a)
		}
	}
	w.ids()
	for _, t := range w.digit {
		w.hint(1, "row", "%s", t)
	}
	if apart := w.distinct(); w.exits && w.p.Granted && apart != "⊥" {
		w.line(1, "theorem @%s ¬ (%s)", NoPair, strings.Join(append(w.required(), apart), " ∧ "))
	}
	w.line(0, "end")
}

// required is what both threads satisfy by ids and launch, whichever way they take from the
// entry: what the author requires of them.
func (w *writer) required() (out []string) {
	ways, on := 0, map[string]int{}
	for _, p := range w.paths {
		if p.from != w.p.Entry {
			continue
		}
		ways++
		for _, it := range p.items {
			if it.kind == isGuard && ofLaunch(it.e) {
				for _, thread := range []string{"1", "2"} {
					on[w.printer(thread).conjunct(it.e)]++
				}
			}
		}
	}
	for guard, n := range on {
		if n == ways {
			out = append(out, guard)
		}
	}
	slices.Sort(out)
	return out
}

// ids says of ids of the grid that there are more threads, where guesses rest on it: it follows
// from the axioms, but multiplies symbols, and would have to be found in each proof.
func (w *writer) ids() {
	o := w.p.Opts
	for d := range 3 {
		c := "xyz"[d : d+1]
		if o.Local[d] == 1 || o.Groups[d] == 1 || o.Local[d] > 0 && o.Groups[d] > 0 || !w.turning("gid"+c) {
			continue
		}
		local, groups := "lsz"+c, "ngr"+c
		if o.Local[d] > 0 {
			local = fmt.Sprint(o.Local[d])
		}
		if o.Groups[d] > 0 {
			groups = fmt.Sprint(o.Groups[d])
		}
		for _, t := range []string{"_1", "_2"} {
			group := "gid" + c
			if w.scope == Grid {
				group += t
			}
			w.line(1, "theorem @id%s%s %s ∗ %s + lid%s%s < %s ∗ %s", c, t, group, local, c, t, local, groups)
		}
	}
}

// turning reports whether threads take turns by an id: some guess that lives says so.
func (w *writer) turning(id string) bool {
	found := false
	for _, k := range w.cands {
		if k.rule == turn && !k.dead {
			flow.Leaves(k.e, func(x *flow.Term) { found = found || x.Name == id })
		}
	}
	return found
}

// matters reports whether races on a memory are looked for in this scope.
func (w *writer) matters(m *flow.Memory) bool {
	if !m.Written || m.Space == syntax.Private || m.Space == syntax.Constant || w.p.Opts.OnlyDivergence || w.alone {
		// No race is looked for there, but annotations may ask for the access.
		return w.p.Annotated && !w.alone && m.Space != syntax.Private
	}
	return w.scope == Group || m.Space == syntax.Global
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
		switch n {
		case "turn":
			v = "≔ 1"
		case "off": // where nothing is logged, annotations know nothing of it
			v = ":∈ ℤ"
		}
		w.line(2, "@act%d %s %s", i+1, n, v)
	}
	w.line(1, "end")
	w.add(events)
	w.line(0, "end")
}

func (w *writer) two() bool { return !w.alone && w.distinct() != "⊥" }

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
	return append(names, w.order...)
}

// record notes that a variable or value is recorded.
func (w *writer) record(n string) string {
	n = "r_" + n
	if !w.records[n] {
		w.records[n] = true
		w.order = append(w.order, n)
	}
	return n
}

// findSites numbers the accesses that thread 1 may log: each once, however many paths it is on.
func (w *writer) findSites() {
	if !w.two() {
		return
	}
	ordered := map[syntax.Space]bool{syntax.Local: true, syntax.Global: true}
	// Thread 1 may stop at an access only if every barrier ends the interval for it: behind
	// one that does not order the space, the access still races.
	if w.scope == Group {
		for _, c := range w.cuts {
			if c.IsBarrier() {
				ordered[syntax.Local] = ordered[syntax.Local] && c.Code[0].Local
				ordered[syntax.Global] = ordered[syntax.Global] && c.Code[0].Glob
			}
		}
	}
	seen := map[string]bool{}
	meets := func(a item) bool {
		for _, p := range w.paths {
			for _, b := range p.items {
				if b.kind == isAccess && a.conflict(b) != "" {
					return true
				}
			}
		}
		return false
	}
	for _, p := range w.paths {
		for i, it := range p.items {
			// What no access can conflict with need not be logged, unless annotations ask.
			if it.kind != isAccess || !w.matters(it.mem) || !w.p.Annotated && !meets(it) {
				continue
			}
			key := prefixKey(p, i)
			if w.p.Annotated {
				key += fmt.Sprint(" of ", p.from.Id, " to ", p.to.Id, " ", prefixKey(p, len(p.items)-1)) // thread 1 goes on with its log
			}
			if seen[key] {
				continue
			}
			seen[key] = true
			s := &site{number: len(w.sites) + 1, path: p, item: it, stops: ordered[it.mem.Space] && !w.p.Annotated}
			for _, g := range p.items[:i] {
				if g.kind == isGuard {
					s.guards = append(s.guards, g.e)
				}
			}
			// Arbitrary values that the access depends on: without them the record could not say
			// where it was.
			s.keeps = freshOf(it.off)
			if it.value != nil {
				for _, h := range freshOf(it.value) {
					if !slices.Contains(s.keeps, h) {
						s.keeps = append(s.keeps, h)
					}
				}
			}
			w.sites = append(w.sites, s)
		}
	}
}

// prefixKey tells what comes up to item i of a path.
func prefixKey(p *path, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", p.from.Id)
	for _, it := range p.items[:i+1] {
		fmt.Fprintf(&b, ";%d", it.kind)
		if it.e != nil {
			b.WriteString(it.e.Key())
		}
		if it.mem != nil {
			fmt.Fprintf(&b, "m%d %s %d %v", it.mem.Id, it.off.Key(), it.what, it.at)
			if it.value != nil {
				b.WriteString(it.value.Key())
			}
		}
		if it.check != nil {
			fmt.Fprintf(&b, "%v%s", it.at, it.check.Kind)
		}
	}
	return b.String()
}

// recorded prints terms over what was recorded when a site was logged.
func (w *writer) recorded() printer {
	pr := w.printer("1")
	pr.local = func(v *flow.Variable) string { return w.record(v.Name) }
	pr.fresh = w.record
	return pr
}

func (w *writer) events() *lines { return w.apartFrom(w.writeEvents) }

// apartFrom is what f writes: it comes before the variables, which depend on it.
func (w *writer) apartFrom(f func()) *lines {
	keep := w.lines
	w.lines = new(lines)
	f()
	out := w.lines
	w.lines = keep
	return out
}

func (w *writer) writeEvents() {
	w.seen = map[string]bool{}
	for i, p := range w.paths {
		w.pathEvent(i, p, "1")
	}
	if w.two() {
		for _, s := range w.sites {
			w.logEvent(s)
		}
		w.line(1, "event switch when")
		w.line(2, "@grd1 turn = 1")
		w.line(1, "then")
		w.line(2, "@act1 turn ≔ 2")
		w.line(1, "end")
		for i, p := range w.paths {
			w.pathEvent(i, p, "2")
		}
		if w.scope == Group {
			w.barrierEvents()
		}
	}
}

// event writes an event of a thread on a path. Its parameters are those of the first
// arbitrary values of the path, as many as frees says, that body mentions: it is written first.
func (w *writer) event(name, thread string, p *path, frees int, body func(printer)) {
	pr := w.printer(thread)
	mentioned := map[string]bool{}
	pr.fresh = func(h string) string {
		mentioned[h] = true
		return h
	}
	at := w.at
	rest := w.apartFrom(func() { body(pr) })
	var some []*free
	// Only what is mentioned: a parameter that nothing constrains makes proofs longer.
	for _, f := range p.free[:frees] {
		if mentioned[f.term.Name] {
			some = append(some, f)
		}
	}
	w.at = at
	w.header(name, thread, p, some)
	w.add(rest)
	w.line(1, "end")
}

// header writes the parameters of an event for a path, and the guards that say where
// the threads are.
func (w *writer) header(name, thread string, p *path, frees []*free) {
	var hs []string
	for _, f := range frees {
		hs = append(hs, f.term.Name)
	}
	about := fmt.Sprintf("// thread %s, line %d", thread, w.at.Line)
	if len(hs) > 0 {
		w.line(1, "event %s any %s where %s", name, strings.Join(hs, " "), about)
	} else {
		w.line(1, "event %s when %s", name, about)
	}
	w.line(2, "@at pc%s = %d", thread, w.goAt(p.from))
	if w.two() {
		w.line(2, "@turn turn = %s", thread)
	}
	if thread == "2" {
		w.line(2, "@apart %s", w.distinct())
	}
	for i, f := range frees {
		if f.typ.Kind == syntax.IntType {
			lo, hi := flow.Within(f.typ)
			w.line(2, "@low%d %s ≤ %s", i+1, integer(lo), f.term.Name)
			w.line(2, "@high%d %s ≤ %s", i+1, f.term.Name, integer(hi))
		} else {
			w.line(2, "@any%d %s ∈ ℤ", i+1, f.term.Name)
		}
	}
}

func involvesOther(t *flow.Term) bool {
	if t.Op == flow.Other || t.Op == flow.PSame {
		return true
	}
	return slices.ContainsFunc(t.Args, involvesOther)
}

func (w *writer) logs(t *flow.Term) bool {
	found := false
	flow.Leaves(t, func(x *flow.Term) { found = found || x.Op == flow.Local_ && (x.V == w.p.Accessed || x.V == w.p.Offset) })
	return found
}

// pathEvent is a thread's step from one cut point to the next.
func (w *writer) pathEvent(number int, p *path, thread string) {
	w.at = p.from.At
	w.event(fmt.Sprintf("t%s_%d", thread, number+1), thread, p, len(p.free), func(pr printer) { w.steps(pr, p, thread) })
}

// steps are what is on a path, in order, and where it leads.
func (w *writer) steps(pr printer, p *path, thread string) {
	guards := 0
	for i, it := range p.items {
		if it.at != (syntax.Place{}) {
			w.at = it.at
		}
		switch it.kind {
		case isGuard:
			// The log is that of thread 1: a guard about it would keep thread 2 from its way.
			if thread == "2" && (w.logs(it.e)) {
				continue
			}
			guards++
			w.line(2, "@grd%d %s", guards, pr.predicate(it.e))
		case isFit:
			// Thread 1 is any thread: what does not wrap for it does not for thread 2.
			if thread == "1" && w.once("fit", p, i) {
				l := w.next("fit")
				w.model.Fits[l] = fitted(it.e)
				w.line(2, "theorem @%s %s", l, pr.predicate(it.e))
			}
		case isCheck:
			w.checkItem(pr, p, i, thread)
		case isAccess:
			if thread == "2" {
				w.raceChecks(pr, p, i)
			}
		}
	}
	w.remainders(pr, p)
	if w.exits {
		w.exit(p)
	}
	w.line(1, "then")
	w.line(2, "@pc pc%s ≔ %d", thread, w.waitAt(p.to))
	for k, v := range w.kept() {
		if !w.live[p.to][v] {
			continue
		}
		if e := p.values[v]; e != nil && !(e.Op == flow.Local_ && e.V == v) {
			w.line(2, "@set%d %s_%s ≔ %s", k+1, v.Name, thread, pr.term(e))
		}
	}
}

// remainders writes that a step by a number of threads that take turns leaves the remainder as
// it is. It follows from arithmetic alone, where the invariant has too much in its way.
func (w *writer) remainders(pr printer, p *path) {
	for _, k := range w.cands {
		if k.rule != turn || k.dead || k.at != p.to || k.at != p.from || !k.e.Args[0].Args[1].IsNum() {
			continue
		}
		before := k.e.Args[0]
		after := flow.MapTerm(before, func(x *flow.Term) *flow.Term {
			if x.Op == flow.Local_ {
				return p.values[x.V]
			}
			return nil
		})
		if after.Key() != before.Key() {
			l := w.next("rest")
			w.model.Candidates[l] = k.id
			w.line(2, "theorem @%s %s = %s", l, pr.term(after), pr.term(before))
		}
	}
}

// exit claims that a path is never taken, if it leaves a loop or begins the kernel.
func (w *writer) exit(p *path) {
	loop := w.innermost(p.from)
	if p.from != w.p.Entry && (loop == nil || loop[p.to]) {
		return
	}
	l := w.next("exit")
	w.model.Exits[l] = Exit{Entry: p.from == w.p.Entry, Line: p.from.At.Line}
	w.line(2, "theorem @%s ⊥", l)
}

// fitted is the term that a claim bounds.
func fitted(e *flow.Term) string {
	if e.Op == flow.PAnd {
		e = e.Args[0]
	}
	for _, a := range e.Args {
		if a.Op != flow.Num {
			return a.Key()
		}
	}
	return ""
}

func (w *writer) once(kind string, p *path, i int) bool {
	key := kind + prefixKey(p, i)
	if w.seen[key] {
		return false
	}
	w.seen[key] = true
	return true
}

func (w *writer) checkItem(pr printer, p *path, i int, thread string) {
	it := p.items[i]
	// A check of one thread is made once, in the model of a group; of two threads, in both.
	relational := involvesOther(it.e)
	if thread != "1" || w.alone || w.scope == Grid && !relational || !w.once("check", p, i) {
		return
	}
	if relational && !w.two() {
		return // there is no other thread
	}
	l := w.next("chk")
	c := Check{Kind: it.check.Kind, Line: it.at.Line, Col: it.at.Col, Why: it.check.Why}
	if relational {
		w.checked(l, c, "%s ⇒ (%s)", w.distinct(), pr.predicate(it.e))
		return
	}
	w.checked(l, c, "%s", pr.predicate(it.e))
}

// raceChecks writes what an access of thread 2 must not meet.
func (w *writer) raceChecks(pr printer, p *path, i int) {
	it := p.items[i]
	if !w.matters(it.mem) || !it.mem.Written || w.p.Opts.OnlyDivergence || !w.once("race", p, i) {
		return
	}
	if w.scope == Grid && it.mem.Space != syntax.Global {
		return
	}
	for _, s := range w.sites {
		kind := s.item.conflict(it)
		if kind == "" {
			continue
		}
		l := w.next("race")
		why := fmt.Sprintf("one thread %s %s here, another %s it in line %d", flow.Doing[it.what], flow.Describe(it.mem), flow.Doing[s.item.what], s.item.at.Line)
		c := Check{Kind: kind, Line: it.at.Line, Col: it.at.Col, Why: why}
		off := pr.term(it.off)
		w.digits(pr, s, p, i)
		// Equal values are tolerated: the order of such writes cannot be seen.
		if (kind == "race-ww" || kind == "race-rw") && it.value != nil && s.item.value != nil && !w.p.Opts.NoBenign {
			w.checked(l, c, "site = %d ∧ off = %s ⇒ val = %s", s.number, off, pr.term(it.value))
			continue
		}
		w.checked(l, c, "site = %d ⇒ off ≠ %s", s.number, off)
	}
}

// logEvent is thread 1 at an access that is logged.
func (w *writer) logEvent(s *site) {
	w.at = s.item.at
	frees := s.item.id
	if !s.stops {
		frees = len(s.path.free)
	}
	w.event(fmt.Sprintf("log_%d", s.number), "1", s.path, frees, func(pr printer) { w.logging(pr, s) })
}

// logging is what a thread does that is logged: it remembers the access, and stops, or
// goes on to the end of the path.
func (w *writer) logging(pr printer, s *site) {
	w.line(2, "@none site = 0")
	// A thread that stops needs what leads to its access alone; one that goes on, the whole path.
	guards := s.guards
	if !s.stops {
		guards = nil
		for _, it := range s.path.items {
			if it.kind == isGuard {
				guards = append(guards, it.e)
			}
		}
	}
	k := 0
	for _, g := range guards {
		// Without the guard more is logged, which only adds races to look for.
		if w.logs(g) {
			continue
		}
		k++
		w.line(2, "@grd%d %s", k, pr.predicate(g))
	}
	w.line(1, "then")
	w.line(2, "@site site ≔ %d", s.number)
	w.line(2, "@off off ≔ %s", pr.term(s.item.off))
	if s.item.value != nil {
		w.line(2, "@val val ≔ %s", pr.term(s.item.value))
	}
	if w.p.Annotated {
		w.line(2, "@acc acc ≔ %d", flow.AccessCode(s.item.mem, s.item.what))
	}
	for _, v := range w.startVariables(s) {
		w.line(2, "@rec_%s %s ≔ %s_1", v.Name, w.record(v.Name), v.Name)
	}
	for _, h := range s.keeps {
		w.line(2, "@rec_%s %s ≔ %s", h, w.record(h), pr.fresh(h))
	}
	if s.stops {
		w.line(2, "@pc pc1 ≔ %d", pcStopped)
		w.line(2, "@turn2 turn ≔ 2")
	} else {
		w.line(2, "@pc pc1 ≔ %d", w.waitAt(s.path.to))
		for k, v := range w.kept() {
			if !w.live[s.path.to][v] {
				continue
			}
			if e := s.path.values[v]; e != nil && !(e.Op == flow.Local_ && e.V == v) {
				w.line(2, "@set%d %s_1 ≔ %s", k+1, v.Name, pr.term(e))
			}
		}
	}
}

// startVariables are the variables that what is known at a site is about: those
// live at the start of its path.
func (w *writer) startVariables(s *site) []*flow.Variable {
	if s.path.from == w.p.Entry {
		return nil
	}
	var out []*flow.Variable
	for _, v := range w.kept() {
		if w.live[s.path.from][v] {
			out = append(out, v)
		}
	}
	return out
}

// barrierEvents are the meeting of the threads at each barrier, and the check that
// they never stand at different ones.
func (w *writer) barrierEvents() {
	var waits []*flow.Node
	for _, c := range w.cuts {
		if c.IsBarrier() {
			waits = append(waits, c)
		}
	}
	// An event for each barrier where the interval may have begun: what relations say of it
	// is then at hand, and no proof begins with that many cases. That there are no other
	// beginnings is what @starts and @since claim.
	k := 0
	for _, b := range waits {
		for _, begin := range w.beginnings(b) {
			k++
			w.meeting(k, b, begin)
			w.parting(k, b, begin, waits)
		}
	}
}

// beginnings are the places where the interval that ends at a barrier may have begun; one
// that is nil stands for all.
func (w *writer) beginnings(b *flow.Node) (out []*flow.Node) {
	if w.shadow == nil || !w.two() {
		return []*flow.Node{nil}
	}
	for _, c := range w.cuts {
		if (c == w.p.Entry || c.IsBarrier()) && slices.Contains(w.reach[c], b) {
			out = append(out, c)
		}
	}
	return out
}

// meeting is that both threads wait at b, and go on.
func (w *writer) meeting(k int, b, begin *flow.Node) {
	w.at = b.Code[0].At
	w.line(1, "event meet_%d when", k)
	w.atBarrier(b, begin)
	w.line(2, "@at2 pc2 = %d", w.waitAt(b))
	for _, s := range w.sites {
		if w.orders(b, s) {
			w.line(2, "@not%d site ≠ %d", s.number, s.number)
		}
	}
	w.line(1, "then")
	w.line(2, "@turn1 turn ≔ 1")
	w.line(2, "@go1 pc1 ≔ %d", w.goAt(b))
	w.line(2, "@go2 pc2 ≔ %d", w.goAt(b))
	w.line(2, "@go0 pc0 ≔ %d", w.goAt(b))
	for _, v := range w.remembered() {
		if w.live[b][v] {
			w.line(2, "@keep_%s %s_0 ≔ %s_1", v.Name, v.Name, v.Name)
		}
	}
	w.line(1, "end")
}

// parting checks that thread 2 does not wait elsewhere, and has not ended, while thread 1
// waits at b.
func (w *writer) parting(k int, b, begin *flow.Node, waits []*flow.Node) {
	at := b.Code[0].At
	w.line(1, "event part_%d when", k)
	w.atBarrier(b, begin)
	var elsewhere []string
	for _, o := range waits {
		if o != b {
			elsewhere = append(elsewhere, fmt.Sprintf("pc2 ≠ %d", w.waitAt(o)))
		}
	}
	elsewhere = append(elsewhere, fmt.Sprintf("pc2 ≠ %d", pcDone))
	c := Check{Kind: "divergence", Line: at.Line, Col: at.Col, Why: "one thread waits at this barrier, another of its group does not come to it"}
	w.checked(w.next("div"), c, "%s", strings.Join(elsewhere, " ∧ "))
	w.line(1, "end")
}

// atBarrier are the guards that thread 1 waits at b and it is the turn of thread 2.
func (w *writer) atBarrier(b, begin *flow.Node) {
	w.line(2, "@turn turn = 2")
	w.line(2, "@apart %s", w.distinct())
	w.line(2, "@at1 pc1 = %d", w.waitAt(b))
	if begin != nil {
		w.line(2, "@begin pc0 = %d", w.goAt(begin))
	}
}

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
				w.model.Candidates[l] = k.id
				w.line(1, "@%s %s ⇒ %s", l, pcs(t), pr.conjunct(k.e))
			}
			for _, i := range c.Code {
				if i.Op != flow.DoInvariant {
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

// logInvariants says what annotations may rest on: which accesses can have been logged
// where thread 1 stands, and which one a logged site is.
func (w *writer) logInvariants() {
	if !w.p.Annotated {
		return
	}
	if !w.two() {
		w.line(1, "@nolog acc = 0")
		return
	}
	w.line(1, "@nolog site = 0 ⇒ acc = 0")
	for _, s := range w.sites {
		w.line(1, "@acc_%d site = %d ⇒ acc = %d", s.number, s.number, flow.AccessCode(s.item.mem, s.item.what))
	}
	logged := w.loggedAt()
	for _, c := range w.cuts {
		at := func(pc int, survives func(*site) bool) {
			where := "site = 0"
			for _, s := range w.sites {
				if logged[c][s.number] && survives(s) {
					where += fmt.Sprintf(" ∨ site = %d", s.number)
				}
			}
			w.line(1, "@logged_%d pc1 = %d ⇒ (%s)", pc, pc, where)
		}
		if w.goAt(c) == w.waitAt(c) {
			at(w.goAt(c), func(*site) bool { return true })
		} else if c.IsBarrier() {
			at(w.waitAt(c), func(*site) bool { return true })
			at(w.goAt(c), func(s *site) bool { return !w.orders(c, s) })
		}
	}
}

// orders reports whether the barrier at c ends executions in which s was logged.
func (w *writer) orders(c *flow.Node, s *site) bool {
	i, sp := c.Code[0], s.item.mem.Space
	return sp == syntax.Local && i.Local || sp == syntax.Global && i.Glob
}

// loggedAt is which sites can have been logged when thread 1 comes to a cut point.
func (w *writer) loggedAt() map[*flow.Node]map[int]bool {
	out := map[*flow.Node]map[int]bool{}
	for _, c := range w.cuts {
		out[c] = map[int]bool{}
	}
	for changed := true; changed; {
		changed = false
		add := func(c *flow.Node, s *site) {
			if !out[c][s.number] {
				out[c][s.number], changed = true, true
			}
		}
		for _, s := range w.sites {
			add(s.path.to, s)
			for _, p := range w.paths {
				if out[p.from][s.number] && !(w.walk.barriers && p.from.IsBarrier() && w.orders(p.from, s)) {
					add(p.to, s)
				}
			}
		}
	}
	return out
}

func (w *writer) authorInvariant(pr printer, c *flow.Node, i *flow.Instr, at, thread string) {
	if thread == "2" && w.logs(i.E) {
		return
	}
	s := w.walk.at(c)
	e := w.walk.formula(s, i.E, c, flow.Falsity)
	if w.logs(e) && !w.two() {
		return
	}
	l := w.next("inv")
	w.at = i.At
	if w.scope == Group {
		w.model.Checks[l] = Check{Kind: "invariant", Line: i.At.Line, Col: i.At.Col, Why: i.Why}
	}
	if e.Op == flow.PAnd || e.Op == flow.POr {
		w.line(1, "@%s %s ⇒ (%s)", l, at, pr.predicate(e))
	} else {
		w.line(1, "@%s %s ⇒ %s", l, at, pr.predicate(e))
	}
}

// siteInvariant is what is known of a logged access: where it was, what was written,
// and what held before it, over what was recorded.
func (w *writer) siteInvariant(s *site) {
	pr := w.recorded()
	w.at = s.item.at
	var facts []string
	known := func(e *flow.Term) bool {
		for _, h := range freshOf(e) {
			if !slices.Contains(s.keeps, h) {
				return false
			}
		}
		return !w.logs(e)
	}
	for _, f := range s.path.free[:s.item.id] {
		if slices.Contains(s.keeps, f.term.Name) && f.typ.Kind == syntax.IntType {
			lo, hi := flow.Within(f.typ)
			n := w.record(f.term.Name)
			facts = append(facts, integer(lo)+" ≤ "+n, n+" ≤ "+integer(hi))
		}
	}
	for _, k := range w.cands {
		if k.at == s.path.from && !k.dead {
			// They held of thread 1 where its path began, and so of what was recorded there.
			facts = append(facts, pr.conjunct(k.e))
		}
	}
	for _, i := range s.path.from.Code {
		if i.Op != flow.DoInvariant {
			break
		}
		st := w.walk.begin()
		if e := w.walk.formula(st, i.E, s.path.from, flow.Falsity); !w.logs(e) && !involvesOther(e) {
			facts = append(facts, pr.conjunct(e))
		}
	}
	for _, g := range s.guards {
		if known(g) {
			facts = append(facts, pr.conjunct(g))
		}
	}
	// What makes the terms well-defined stands before them.
	facts = append(facts, "off = "+pr.term(s.item.off))
	if s.item.value != nil {
		facts = append(facts, "val = "+pr.term(s.item.value))
	}
	w.line(1, "@site_%d site = %d ⇒ %s // line %d: one thread %s %s", s.number, s.number, strings.Join(facts, " ∧ "), s.item.at.Line, flow.Doing[s.item.what], flow.Describe(s.item.mem))
}
