package animation

import (
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Truth is that of a predicate: true, false or undefined.
type Truth string

// The truth values.
const (
	True      Truth = "t"
	False     Truth = "f"
	Undefined Truth = "u"
)

// Reason says why a predicate is true, false or undefined: it has the parts of the predicate, each
// evaluated by itself.
type Reason struct {
	Text   string    `json:"t"`
	Truth  Truth     `json:"v"`
	Why    string    `json:"w,omitempty"` // it is undefined, or cannot be evaluated
	Values []Worth   `json:"x,omitempty"` // of expressions that occur in it
	Given  []Worth   `json:"g,omitempty"` // of a quantifier: the values that decide it, which Parts is about
	Parts  []*Reason `json:"p,omitempty"`
	Deep   bool      `json:"d,omitempty"` // this part decides the truth of the whole
	Note   string    `json:"n,omitempty"`
}

// node is a predicate whose reasons can be given.
type node struct {
	term   logic.Term
	op     logic.Op
	text   string
	holds  formula.Pred
	err    error
	parts  []*node
	search formula.Searcher // of a quantifier: for values that decide it
	given  []program.Param
	values []valued
}

// valued is an expression that occurs in a predicate.
type valued struct {
	text  string
	shape *value.Shape
	expr  formula.Expr
}

type reasonKey struct {
	p     *program.Program
	about string // the event whose parameters occur
	term  logic.Term
}

// depth is how deep formulas are taken apart; mostValues is how many of its expressions are shown.
const (
	depth      = 12
	mostValues = 8
)

// node compiles a predicate and its parts, once.
func (a *Animation) node(p *program.Program, about string, names map[string]int, t logic.Term) *node {
	key := reasonKey{p, about, t}
	n := a.reasons[key]
	if n == nil {
		p.Naming(names, func() { n = compiled(p, t, depth) })
		a.reasons[key] = n
	}
	return n
}

// compiled compiles a formula and its parts down to a depth, each to be explained.
func compiled(p *program.Program, t logic.Term, depth int) *node {
	bank := p.Compiler.Bank
	n := &node{term: t, op: bank.Op(t), text: text.Readable(bank, t)}
	// At depth 0 a formula has a truth value, but its parts are not explained.
	property, err := p.Goal(t)
	if n.holds, n.err = property.Holds, err; err != nil || depth == 0 {
		return n
	}
	switch n.op {
	case logic.And, logic.Or, logic.Implies, logic.Iff, logic.Not:
		for _, part := range bank.Args(t) {
			n.parts = append(n.parts, compiled(p, part, depth-1))
		}
	case logic.Forall, logic.Exists:
		n.quantified(p, t, depth)
		for _, id := range bank.FreeIdents(t) {
			if _, variable := p.Compiler.Slots[bank.Name(id)]; variable {
				n.show(p, id)
			}
		}
	case logic.Subset, logic.SubsetEq:
		if part := included(bank, t); part != 0 {
			n.parts = append(n.parts, compiled(p, part, depth-1))
		}
		n.shows(p, t)
	case logic.In:
		for _, part := range function(bank, t) {
			n.parts = append(n.parts, compiled(p, part, depth-1))
		}
		n.shows(p, t)
	default:
		n.shows(p, t)
	}
	return n
}

// included is S ⊆ T, or S ⊂ T, as a predicate about the elements of S.
func included(bank *logic.Bank, t logic.Term) logic.Term {
	set := bank.Arg(t, 0)
	typ := bank.Elem(bank.Type(set))
	x := bank.Bound(0, typ)
	in := func(s logic.Term) logic.Term { return bank.App(logic.In, x, bank.Shift(s, 1, 0)) }
	return bank.Quant(logic.Forall, []logic.Type{typ}, &logic.Hint{Names: []string{"element"}}, bank.App(logic.Implies, in(set), in(bank.Arg(t, 1))))
}

// function takes f ∈ S → T apart, and all other arrows.
func function(bank *logic.Bank, t logic.Term) (out []logic.Term) {
	f, set := bank.Arg(t, 0), bank.Arg(t, 1)
	arrow, ok := bank.Op(set).Arrow()
	if !ok {
		return nil
	}
	from, to := bank.Arg(set, 0), bank.Arg(set, 1)
	within := func(part, whole logic.Term, all bool) {
		op := logic.SubsetEq
		if all {
			op = logic.Eq
		}
		out = append(out, bank.App(op, part, whole))
	}
	within(bank.App(logic.Dom, f), from, arrow.Total)
	within(bank.App(logic.Ran, f), to, arrow.Surjective)
	left, right := bank.RelPair(bank.Type(f))
	// once says that all pairs that agree on one side agree on the other.
	once := func(same, other logic.Type, names []string, pair func(x, y logic.Term) logic.Term) {
		x, y1, y2 := bank.Bound(2, same), bank.Bound(1, other), bank.Bound(0, other)
		in := func(y logic.Term) logic.Term { return bank.App(logic.In, pair(x, y), bank.Shift(f, 3, 0)) }
		out = append(out, bank.Quant(logic.Forall, []logic.Type{same, other, other}, &logic.Hint{Names: names},
			bank.App(logic.Implies, bank.And(in(y1), in(y2)), bank.App(logic.Eq, y1, y2))))
	}
	if arrow.Functional {
		once(left, right, []string{"x", "y1", "y2"}, func(x, y logic.Term) logic.Term { return bank.App(logic.Maplet, x, y) })
	}
	if arrow.Injective {
		once(right, left, []string{"y", "x1", "x2"}, func(y, x logic.Term) logic.Term { return bank.App(logic.Maplet, x, y) })
	}
	return out
}

// quantified compiles the search for the values that decide a quantifier, and its body about these.
func (n *node) quantified(p *program.Program, t logic.Term, depth int) {
	bank := p.Compiler.Bank
	decls := bank.Decls(t)
	hint, _ := bank.Hint(t)
	// Bound variables keep the names of the text, with a 0 appended where the machine has that name.
	var ids []logic.Term
	for i, typ := range decls {
		name := fmt.Sprintf("x%d", i+1)
		if i < len(hint.Names) {
			name = hint.Names[i]
		}
		for taken(p, name, ids) {
			name += "0"
		}
		ids = append(ids, bank.Free(name, typ))
	}
	body := bank.Instantiate(bank.Arg(t, 0), ids)
	conds := []logic.Term{body}
	// A universal formula is decided by a counterexample: values that satisfy its antecedents and not its conclusion.
	if n.op == logic.Forall {
		conds = nil
		rest := body
		for bank.Op(rest) == logic.Implies {
			conds, rest = append(conds, bank.Arg(rest, 0)), bank.Arg(rest, 1)
		}
		conds = append(conds, bank.Not(rest))
	}
	var err error
	// Without a search the formula has a truth value, but no values to show for it.
	if n.search, n.given, err = p.Search(ids, conds); err != nil {
		n.search = nil
		return
	}
	names := map[string]int{}
	for _, x := range n.given {
		names[x.Name] = x.Slot
	}
	p.Naming(names, func() { n.parts = []*node{compiled(p, body, depth-1)} })
}

// taken reports whether a name means something else already.
func taken(p *program.Program, name string, ids []logic.Term) bool {
	_, slot := p.Compiler.Slots[name]
	_, constant := p.Compiler.Consts[name]
	return slot || constant || slices.ContainsFunc(ids, func(id logic.Term) bool { return p.Compiler.Bank.Name(id) == name })
}

// shows compiles the expressions of an atom whose values are shown: what is compared, and the
// applications and variables within.
func (n *node) shows(p *program.Program, t logic.Term) {
	bank := p.Compiler.Bank
	var walk func(t logic.Term, top bool)
	walk = func(t logic.Term, top bool) {
		op := bank.Op(t)
		_, arrow := op.Arrow()
		if op.IsPredicate() || bank.Depth(t) > 0 || op == logic.Int || op == logic.Pow || arrow || len(n.values) == mostValues {
			return
		}
		known := slices.ContainsFunc(n.values, func(v valued) bool { return v.text == text.Readable(bank, t) })
		variable := op == logic.Free
		if (top || op == logic.Apply || variable) && !known && !bank.IsTypeExpr(t) && len(bank.FreeIdents(t)) > 0 {
			n.show(p, t)
		}
		if op == logic.Compr || op == logic.QUnion || op == logic.QInter {
			return
		}
		for _, part := range bank.Args(t) {
			walk(part, false)
		}
	}
	for _, part := range bank.Args(t) {
		walk(part, true)
	}
}

// show compiles an expression whose value is shown.
func (n *node) show(p *program.Program, t logic.Term) {
	if expr, err := p.Value(t); err == nil && len(n.values) < mostValues {
		n.values = append(n.values, valued{text.Readable(p.Compiler.Bank, t), p.Space.Shape(p.Compiler.Bank.Type(t)), expr})
	}
}

// largest is the size of the largest set that stands in a reason.
const largest = 40

// explain evaluates a predicate and its parts.
func (n *node) explain(p *program.Program, f *formula.Frame) *Reason {
	r := &Reason{Text: n.text, Truth: Undefined}
	if n.err != nil {
		r.Why = "cannot be evaluated: " + n.err.Error()
		return r
	}
	var holds bool
	if limit := abort.Bounded(func() { holds, r.Why = f.Try(n.holds) }); limit != "" {
		r.Why = limit + " ended the evaluation"
	}
	// A formula with a reason in Why has no truth value.
	switch {
	case r.Why != "":
	case holds:
		r.Truth = True
	default:
		r.Truth = False
	}
	for _, v := range n.values {
		if text := shown(p, f, v); text != "" {
			r.Values = append(r.Values, Worth{v.text, text})
		}
	}
	if n.search != nil {
		n.decide(p, f, r)
		return r
	}
	for _, part := range n.parts {
		r.Parts = append(r.Parts, part.explain(p, f))
	}
	n.decides(r)
	return r
}

// shown prints a value; of a large set its size.
func shown(p *program.Program, f *formula.Frame, v valued) (out string) {
	abort.Bounded(func() {
		value, why := f.Value(v.expr)
		switch {
		case why != "":
		case v.shape.Elem != nil && p.Space.Card(v.shape, value) > largest:
			out = fmt.Sprintf("a set of %d elements", p.Space.Card(v.shape, value))
		default:
			out = formula.Excerpt(p.Space.String(v.shape, value))
		}
	})
	return out
}

// decide shows the values that decide a quantifier.
func (n *node) decide(p *program.Program, f *formula.Frame, r *Reason) {
	forall := n.op == logic.Forall
	switch {
	case r.Truth == Undefined:
		return
	case forall && r.Truth == True:
		r.Note = "true of all values"
		return
	case !forall && r.Truth == False:
		r.Note = "true of no value"
		return
	}
	abort.Bounded(func() {
		f.Visit(n.search, func(f *formula.Frame) bool {
			for _, x := range n.given {
				r.Given = append(r.Given, Worth{x.Name, p.Space.String(x.Shape, f.Slots[x.Slot])})
			}
			part := n.parts[0].explain(p, f)
			part.Deep = true
			r.Parts = []*Reason{part}
			return false
		})
	})
}

// decides marks the parts that make a predicate what it is: those before a part that decides alone
// must be defined, those behind it need not.
func (n *node) decides(r *Reason) {
	alone := func(at int) { r.Parts[at].Deep = true }
	first := func(v Truth) int {
		return slices.IndexFunc(r.Parts, func(x *Reason) bool { return x.Truth == v })
	}
	if i := first(Undefined); r.Truth == Undefined && i >= 0 {
		alone(i)
		return
	}
	switch {
	case n.op == logic.And && r.Truth == False:
		alone(max(0, first(False)))
	case n.op == logic.Or && r.Truth == True:
		alone(max(0, first(True)))
	case n.op == logic.Implies && r.Truth == True && r.Parts[0].Truth == False:
		alone(0)
	case n.op == logic.Implies && r.Truth == True:
		alone(1)
	case n.op == logic.In && r.Truth == False, n.op == logic.SubsetEq && r.Truth == False:
		if i := first(False); i >= 0 {
			alone(i)
		}
	default:
		for i := range r.Parts {
			alone(i)
		}
	}
}

// reason evaluates a predicate about a level in a state.
func (a *Animation) reason(ctx context.Context, number, level int, t logic.Term) (*Reason, error) {
	p, _ := a.frame(ctx, a.states[number], level)
	n := a.node(p, "", nil, t)
	_, f := a.frame(ctx, a.states[number], level) // has room for what was compiled
	f.Most = mostTried
	return n.explain(p, f), ctx.Err()
}

// Invariants returns the truth values of the invariants that a level declares, in a state.
func (a *Animation) Invariants(ctx context.Context, number, level int) (out []Truth, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	p, f := a.frame(ctx, a.states[number], level)
	f.Most = mostTried
	for _, inv := range a.Levels[level].Machine.Invariants {
		truth := Undefined
		if i := slices.IndexFunc(p.Invariants, func(k program.Property) bool { return k.Of == inv }); i >= 0 {
			abort.Bounded(func() {
				holds, why := f.Try(p.Invariants[i].Holds)
				switch {
				case why != "":
				case holds:
					truth = True
				default:
					truth = False
				}
			})
		}
		out = append(out, truth)
	}
	return out, ctx.Err()
}

// Invariant says why an invariant of a level is what it is in a state.
func (a *Animation) Invariant(ctx context.Context, number, level, i int) (r *Reason, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	return a.reason(ctx, number, level, a.Levels[level].Machine.Invariants[i].Term)
}

// Gluing reports whether an invariant speaks of variables that its machine does not have.
func (a *Animation) Gluing(level, i int) bool {
	m := a.Levels[level].Machine
	bank := a.space.Bank
	return slices.ContainsFunc(m.Variables, func(v model.Variable) bool {
		return v.Abstract && !v.Concrete && bank.Occurs(v.Term, m.Invariants[i].Term)
	})
}

// Blocked says why an event has no steps in a state.
type Blocked struct {
	Guard  int     // the first guard that nothing satisfies with those before it; −1: something else
	Given  []Worth // parameters that satisfy the guards before it
	Why    string  // of −1
	Reason *Reason // why the guard is false of Given; nil unless asked for
}

// filter is what is needed to say why an event has no steps: for each number of its guards, the search
// for parameters that satisfy so many.
type filter struct {
	guards   []*model.Predicate
	prefixes []prefix
}

// prefix is the search for parameters that satisfy the first guards; nil where nothing bounds them.
type prefix struct {
	search formula.Searcher
	params []program.Param
	next   *node // the guard behind them; parameters that are still open are quantified in it
}

// Blocks says why an event is not enabled in a state; at length, with the parts of the guard.
func (a *Animation) Blocks(ctx context.Context, number int, event *model.Event, atLength bool) (b Blocked, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	p, own := a.Levels[0].p, a.filter(event)
	f := p.Frame(ctx)
	f.Most = mostTried
	p.Unpack(f, a.states[number].packed[0])
	// The longest prefix of the guards that some parameters satisfy tells most: the guard after it is the one that
	// fails.
	for k, x := range slices.Backward(own.prefixes) {
		if x.search == nil {
			continue
		}
		found, undefined := false, ""
		limit := abort.Bounded(func() {
			_, undefined = f.Visit(x.search, func(f *formula.Frame) bool {
				found = true
				for _, x := range x.params {
					b.Given = append(b.Given, Worth{x.Name, p.Space.String(x.Shape, f.Slots[x.Slot])})
				}
				if x.next != nil && atLength {
					b.Reason = x.next.explain(p, f)
				}
				return false
			})
		})
		switch {
		case limit != "":
			return Blocked{Guard: -1, Why: limit + " ended the search for parameters"}, ctx.Err()
		case undefined != "":
			b.Why = "undefined: " + undefined
		case found && x.next == nil:
			return Blocked{Guard: -1, Why: "its guards hold, but its actions have no result"}, nil
		case found:
			b.Guard, b.Why = k, ""
			return b, nil
		}
	}
	if b.Why == "" {
		b.Why = "no parameters satisfy its guards"
	}
	return Blocked{Guard: -1, Why: b.Why}, nil
}

// Guards are those that an event must satisfy: theorems are none.
func Guards(e *model.Event) (out []*model.Predicate) {
	for _, g := range e.Guards {
		if !g.Theorem {
			out = append(out, g)
		}
	}
	return out
}

// filter compiles the searches for parameters that satisfy the first guards of an event, once.
func (a *Animation) filter(event *model.Event) *filter {
	if f := a.filters[event.Label]; f != nil {
		return f
	}
	p := a.Levels[0].p
	out := &filter{guards: Guards(event)}
	var conds, bound []logic.Term
	for k := range len(out.guards) + 1 {
		var x prefix
		var err error
		if x.search, x.params, err = p.Search(bound, conds); err != nil {
			x.search = nil
		}
		if k < len(out.guards) {
			guard := out.guards[k].Term
			open := parametersIn(p, event, guard, bound)
			x.next = a.guard(event, k, x.params, open, guard)
			bound, conds = append(slices.Clone(bound), open...), append(slices.Clone(conds), guard)
		}
		out.prefixes = append(out.prefixes, x)
	}
	a.filters[event.Label] = out
	return out
}

// parametersIn are the parameters that occur in a guard, but for those that are bound.
func parametersIn(p *program.Program, event *model.Event, guard logic.Term, bound []logic.Term) (out []logic.Term) {
	for _, x := range event.Parameters {
		if p.Compiler.Bank.Occurs(x.Term, guard) && !slices.Contains(bound, x.Term) {
			out = append(out, x.Term)
		}
	}
	return out
}

// guard compiles a guard, with names for parameters that have a value; others are quantified.
func (a *Animation) guard(event *model.Event, k int, params []program.Param, open []logic.Term, guard logic.Term) *node {
	p := a.Levels[0].p
	bank := p.Compiler.Bank
	names := map[string]int{}
	for _, x := range params {
		names[x.Name] = x.Slot
	}
	if len(open) > 0 {
		var types []logic.Type
		var hint logic.Hint
		for _, id := range open {
			types, hint.Names = append(types, bank.Type(id)), append(hint.Names, bank.Name(id))
		}
		guard = bank.Quant(logic.Exists, types, &hint, bank.Abstract(guard, open))
	}
	return a.node(p, fmt.Sprintf("%s/%d", event.Label, k), names, guard)
}
