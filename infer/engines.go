package infer

import (
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/parallel"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Engine is an under-approximation of a machine that refutes candidates: what it kills,
// Houdini would drop as well, sooner or later. So engines change how long it takes, and
// not what is kept, in whatever order they run.
type Engine struct {
	Name   string
	Doc    string
	refute func(ctx context.Context, f *field, asked []int) []fall
}

// Engines returns the engines.
func Engines() []Engine { return slices.Clone(engines) }

var engines = []Engine{
	{DYN, "runs the machine on small instances", func(ctx context.Context, f *field, asked []int) []fall { return f.dyn(ctx, asked) }},
	{SBASE, "looks for a counterexample to the candidate after INITIALISATION", func(ctx context.Context, f *field, asked []int) []fall {
		return f.counterexamples(ctx, asked, func(o *po.Obligation) bool { return o.Event.IsInit() })
	}},
	{SSTEP, "looks for a state with all candidates from which an event breaks one", func(ctx context.Context, f *field, asked []int) []fall {
		return f.counterexamples(ctx, asked, func(o *po.Obligation) bool { return !o.Event.IsInit() })
	}},
	{LU + "(1)", "looks for a counterexample after INITIALISATION and one event", func(ctx context.Context, f *field, asked []int) []fall { return f.unrolled(ctx, asked, 1) }},
	{LU + "(2)", "looks for a counterexample after INITIALISATION and two events", func(ctx context.Context, f *field, asked []int) []fall { return f.unrolled(ctx, asked, 2) }},
}

// field is what engines work on.
type field struct {
	dev        *model.Development
	m          *model.Machine
	candidates []Candidate
	at         [][]*explore.Instance
	opts       Options
}

// fall is why a candidate fell to an engine.
type fall struct {
	candidate int
	pass      int
	why       string
	trace     []Step
	at        *verdict.Violation
	asked     *po.Obligation
}

// refutation is a fall, and the engine that it fell to.
type refutation struct {
	fall
	by string
}

// refute lets the engines named in opts refute candidates: one after the other, each
// asked about what the ones before it left, or all at one time about all. Of a candidate
// that fell to several the first engine counts.
func (f *field) refute(ctx context.Context) []refutation {
	found := map[int]refutation{}
	rest := func() []int {
		var out []int
		for i := range f.candidates {
			if _, ok := found[i]; !ok {
				out = append(out, i)
			}
		}
		return out
	}
	take := func(e Engine, falls []fall) {
		for _, x := range falls {
			if _, ok := found[x.candidate]; !ok {
				found[x.candidate] = refutation{x, e.Name}
			}
		}
	}
	var chosen []Engine
	for _, name := range f.opts.Engines {
		if i := slices.IndexFunc(engines, func(e Engine) bool { return e.Name == name }); i >= 0 {
			chosen = append(chosen, engines[i])
		}
	}
	if f.opts.Parallel {
		// Each is asked about all, whatever the others have found by then: what falls does not
		// depend on who is faster.
		all := rest()
		for k, falls := range parallel.InOrder(len(chosen), len(chosen), func(k int) []fall { return chosen[k].refute(ctx, f, all) }) {
			take(chosen[k], falls)
		}
	} else {
		for _, e := range chosen {
			take(e, e.refute(ctx, f, rest()))
		}
	}
	var out []refutation
	for i := range f.candidates {
		if x, ok := found[i]; ok {
			out = append(out, x)
		}
	}
	return out
}

// engineSteps is the budget of one search for a counterexample by an engine.
const engineSteps = 10_000

// counterexamples looks for counterexamples to the INV obligations that which accepts,
// with all candidates asked about as hypotheses.
func (f *field) counterexamples(ctx context.Context, asked []int, which func(*po.Obligation) bool) []fall {
	candidates := make([]Candidate, len(asked))
	for k, i := range asked {
		candidates[k] = Candidate{Rule: f.candidates[i].Rule, Term: f.candidates[i].Term}
	}
	h, err := newHoudini(ctx, f.dev, f.m, candidates, f.opts)
	if err != nil {
		return nil
	}
	var obligations []*po.Obligation
	var of []int
	for k, x := range h.parts[h.own:] {
		for _, a := range x.asks {
			if a.Kind == po.INV && which(a.Obligation) {
				obligations, of = append(obligations, a.Obligation), append(of, k)
			}
		}
	}
	return f.confirmed(ctx, len(obligations), func(k int) logic.Sequent { return obligations[k].Sequent() }, func(k int, o verdict.Outcome) fall {
		return fall{
			candidate: asked[of[k]], pass: 1, why: whyOf(&ask{Obligation: obligations[k], found: o}), asked: obligations[k],
			at: f.opts.lift(obligations[k], o),
		}
	})
}

// confirmed returns a fall for each sequent to which a counterexample is found, the first
// of each candidate.
func (f *field) confirmed(ctx context.Context, n int, get func(int) logic.Sequent, fallOf func(int, verdict.Outcome) fall) []fall {
	opts := discharge.Options{OnlyRefute: true, RefuteSteps: engineSteps, Workers: f.opts.Proving.Workers, Store: f.opts.Proving.Store, Faulted: f.opts.Proving.Faulted}
	var out []fall
	seen := map[int]bool{}
	discharge.Run(ctx, n, get, opts, func(k int, o verdict.Outcome) {
		if o.Verdict != verdict.Refuted {
			return
		}
		if x := fallOf(k, o); !seen[x.candidate] {
			seen[x.candidate] = true
			out = append(out, x)
		}
	})
	return out
}

// mostPaths bounds the sequences of events that are unrolled.
const mostPaths = 200

// path is a sequence of events from the initialisation: what it assumes, and the values
// of the variables behind it.
type path struct {
	events []string
	assume []logic.Term
	values map[logic.Term]logic.Term
}

// unrolled looks for counterexamples to candidates behind all sequences of k events.
func (f *field) unrolled(ctx context.Context, asked []int, k int) []fall {
	u := &unroller{b: f.dev.Bank.Extend()}
	paths := []path{{assume: model.Terms(f.m.Axioms()), values: map[logic.Term]logic.Term{}}}
	if init := f.m.Event(model.InitLabel); init != nil {
		paths = []path{u.then(paths[0], init)}
	}
	for range k {
		var next []path
		for _, p := range paths {
			for _, e := range f.m.Events {
				if !e.IsInit() && len(next) < mostPaths {
					next = append(next, u.then(p, e))
				}
			}
		}
		paths = next
	}
	// A question each, of a candidate behind a path, so that they go in parallel.
	type question struct {
		path      path
		candidate int
		goal      logic.Term
	}
	var questions []question
	for _, i := range asked {
		if f.vanishes(f.candidates[i].Term) {
			continue // what the events of the refined machine do is not unrolled
		}
		for _, p := range paths {
			questions = append(questions, question{p, i, u.b.Subst(f.candidates[i].Term, p.values)})
		}
	}
	u.b.Freeze()
	return f.confirmed(ctx, len(questions), func(n int) logic.Sequent {
		return logic.Sequent{Bank: u.b, Hyps: questions[n].path.assume, Goal: questions[n].goal}
	}, func(n int, _ verdict.Outcome) fall {
		q := questions[n]
		return fall{candidate: q.candidate, pass: k, why: fmt.Sprintf("it is false after %v on some instance", q.path.events)}
	})
}

// vanishes reports whether t speaks of a variable that the machine does not have.
func (f *field) vanishes(t logic.Term) bool {
	free := f.dev.Bank.FreeIdents(t)
	return slices.ContainsFunc(f.m.Variables, func(v model.Variable) bool { return !v.Concrete && slices.Contains(free, v.Term) })
}

// unroller makes paths. Each choice gets names of its own.
type unroller struct {
	b     *logic.Bank
	names int
}

// then returns p with event e behind it.
func (u *unroller) then(p path, e *model.Event) path {
	out := path{append(slices.Clone(p.events), e.Label), slices.Clone(p.assume), map[logic.Term]logic.Term{}}
	// All actions of an event read the values before it, and a parameter is a new constant.
	before := map[logic.Term]logic.Term{}
	for x, value := range p.values {
		before[x], out.values[x] = value, value
	}
	for _, x := range e.Parameters {
		before[x.Term] = u.fresh(x.Term)
	}
	for _, g := range e.Guards {
		out.assume = append(out.assume, u.b.Subst(g.Term, before))
	}
	// A nondeterministic action gives its variables new constants, about which the path assumes what the action says.
	for _, a := range e.Actions {
		after := map[logic.Term]logic.Term{}
		for x, value := range before {
			after[x] = value
		}
		for i, x := range a.Left {
			if a.Kind == model.BecomesEqual {
				out.values[x] = u.b.Subst(a.Right[i], before)
				continue
			}
			out.values[x] = u.fresh(x)
			after[u.b.Free(u.b.Name(x)+"'", u.b.Type(x))] = out.values[x]
		}
		switch a.Kind {
		case model.BecomesIn:
			out.assume = append(out.assume, u.b.App(logic.In, out.values[a.Left[0]], u.b.Subst(a.Right[0], before)))
		case model.BecomesSuch:
			out.assume = append(out.assume, u.b.Subst(a.Right[0], after))
		}
	}
	return out
}

// fresh returns an identifier of the type of x that nothing else has.
func (u *unroller) fresh(x logic.Term) logic.Term {
	u.names++
	return u.b.Free(fmt.Sprintf("%s?%d", u.b.Name(x), u.names), u.b.Type(x))
}
