package judgement

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/refute"
)

// Contradiction is an assumption that contradicts itself: what rests on it is
// proved for nothing.
type Contradiction struct {
	Project string
	Assumption
	// Core are predicates that are enough for the contradiction: none of them was found to be
	// superfluous. It is nil for a claim.
	Core []*model.Predicate
}

// Path names what contradicts itself: component, component/event or component/claim/LTO.
func (c Contradiction) Path() string {
	switch {
	case c.Event != nil:
		return c.Of.Name() + "/" + c.Event.Label
	case c.Way != "":
		return c.Of.Name() + "/" + c.Way
	}
	return c.Of.Name()
}

// contradictionSteps bounds the search for a contradiction in one assumption: each
// is tried once, shortly, for most hold none and would use up any budget.
const contradictionSteps = 200_000

// modelSteps bounds the search for a model of an assumption. Where there is one there is
// no contradiction, and models are found sooner than a search for a proof gives up.
const modelSteps = 30_000

// Contradictions tries to prove ⊥ from the assumptions of the components that asked
// accepts, and returns those where it succeeds, in the order of Assumptions. Where
// the assumption of a component is contradictory, those of its events and claims are as well,
// and are not listed.
func Contradictions(ctx context.Context, x Premises, asked func(model.Component) bool, opts discharge.Options) []Contradiction {
	return ContradictionsOf(ctx, []Premises{x}, asked, opts)[0]
}

// NewContradictions is Contradictions of those assumptions of is that was does not make.
func NewContradictions(ctx context.Context, was, is Premises, opts discharge.Options) []Contradiction {
	before := map[text.Fingerprint]bool{}
	for _, a := range Assumptions(was) {
		before[text.SequentFingerprint(a.Sequent)] = true
	}
	found, _ := contradictions(ctx, []Premises{is}, func(a Assumption) bool { return !before[text.SequentFingerprint(a.Sequent)] }, nil, opts)
	return found[0]
}

// ContradictionsOf is Contradictions of several developments, as of two revisions: what
// they assume alike is searched once.
func ContradictionsOf(ctx context.Context, all []Premises, asked func(model.Component) bool, opts discharge.Options) [][]Contradiction {
	found, _ := contradictions(ctx, all, func(a Assumption) bool { return asked(a.Of) }, nil, opts)
	return found
}

// Compared are the contradictions of two revisions.
type Compared struct {
	Was, Is []Contradiction
	// Brief are the assumptions whose search ended early, by path: those that the new revision alone makes, and the others.
	Brief, BriefBefore []string
}

// Compare is ContradictionsOf two revisions. The searches for an assumption share a purse, that which purse returns for its path
// and whether the new revision alone makes it; without one, the search goes on as long as otherwise.
func Compare(ctx context.Context, was, is Premises, purse func(path string, fresh bool) *discharge.Purse, opts discharge.Options) (out Compared) {
	found, made := contradictions(ctx, []Premises{was, is}, func(Assumption) bool { return true }, purse, opts)
	out.Was, out.Is = found[0], found[1]
	for _, a := range made {
		switch {
		case !a.brief && (a.like == nil || !a.like.brief):
		case a.fresh:
			out.Brief = append(out.Brief, a.path())
		case a.like == nil:
			out.BriefBefore = append(out.BriefBefore, a.path())
		}
	}
	return out
}

// contradictions are the assumptions from which ⊥ follows, by development, and whether the searches were brief.
func contradictions(ctx context.Context, all []Premises, asked func(Assumption) bool, purse func(path string, fresh bool) *discharge.Purse, opts discharge.Options) ([][]Contradiction, assumptions) {
	opts.Steps, opts.RefuteSteps = contradictionSteps, modelSteps
	var made assumptions
	alone := map[*model.Machine]*assumed{}
	for at, x := range all {
		for _, a := range Assumptions(x) {
			one := &assumed{Assumption: a, dev: at}
			if a.own() && a.Of.Machine != nil {
				alone[a.Of.Machine] = one
			}
			if asked(a) {
				made = append(made, one)
			}
		}
	}
	// A model of what nothing builds on is often one of all that it builds on: this needs no search.
	var last, rest assumptions
	base := builtOn(all)
	first := map[text.Fingerprint]*assumed{}
	type stated struct {
		what  text.Fingerprint
		where string
	}
	before := map[stated]bool{} // what the first development assumes
	var prints text.BankFingerprinter
	for _, a := range made {
		print := prints.Sequent(a.Sequent)
		a.like = first[print]
		at := stated{print, a.path()}
		if a.dev == 0 {
			before[at] = true
		}
		// A copy of an event is new, though what it assumes is not: it contradicts itself where nothing did.
		a.fresh = a.dev > 0 && !before[at]
		if purse != nil {
			a.purse = purse(a.path(), a.fresh)
		}
		if a.like != nil {
			if a.purse == nil || a.fresh && a.like.purse != nil {
				a.like.purse = a.purse
			}
			continue
		}
		first[print] = a
		if base[a.Of] {
			rest = append(rest, a)
		} else {
			last = append(last, a)
		}
	}
	models := models{}
	last.search(ctx, all, alone, models, opts)
	// One after the other, as a model serves one evaluation at a time.
	rest = slices.DeleteFunc(rest, func(a *assumed) bool { return models.confirm(a.Assumption) })
	rest.search(ctx, all, alone, models, opts)
	return made.contradictory(ctx, all, opts), made
}

// builtOn returns the components that others build on.
func builtOn(all []Premises) map[model.Component]bool {
	out := map[model.Component]bool{}
	for _, x := range all {
		for _, c := range x.Dev.Components() {
			for _, below := range c.BuildsOn() {
				out[below] = true
			}
		}
	}
	return out
}

// assumed is an assumption and what was found of it.
type assumed struct {
	Assumption
	dev    int      // the development that assumes it
	like   *assumed // one before that is the same; nil if there is none
	asked  bool
	absurd bool                   // ⊥ follows
	used   []int                  // from these hypotheses
	model  *refute.Counterexample // nil if none was found
	purse  *discharge.Purse       // that its search shares; nil if it shares none
	brief  bool                   // its search ended early
	fresh  bool                   // the development before does not make it there
}

func (a *assumed) path() string { return Contradiction{Assumption: a.Assumption}.Path() }

type assumptions []*assumed

// search asks for a contradiction in each, and offers found the models that rule one out. What components assume by
// themselves comes first: a machine runs from such a model, and meets its events. It is the model of the machine alone that it runs
// from, and not one that happens to be known of a refinement: a shard with other components asks the same question.
func (list assumptions) search(ctx context.Context, all []Premises, alone map[*model.Machine]*assumed, found models, opts discharge.Options) {
	var own, rest assumptions
	for _, a := range list {
		if a.own() {
			own = append(own, a)
		} else {
			rest = append(rest, a)
		}
	}
	own.ask(ctx, found, nil, opts)
	// Machines whose own model has not been asked for yet are asked now, since their events start from it.
	var missing, starts assumptions
	met := map[*assumed]bool{}
	for _, a := range rest {
		start := alone[a.Of.Machine]
		if a.Event == nil || start == nil || met[start] {
			continue
		}
		met[start] = true
		starts = append(starts, start)
		if !start.asked {
			missing = append(missing, start)
		}
	}
	missing.ask(ctx, models{}, nil, opts)
	runs := walks{}
	for _, start := range starts {
		if start.model != nil {
			runs.add(start.Assumption, all[start.dev].Dev, start.model)
		}
	}
	rest.ask(ctx, found, runs, opts)
}

// ask asks for a contradiction in each, and offers found the models that rule one out. Runs, if not nil, guess such models.
// What shares a purse is asked together.
func (list assumptions) ask(ctx context.Context, found models, runs walks, opts discharge.Options) {
	for len(list) > 0 {
		var group, rest assumptions
		for _, a := range list {
			if a.purse == list[0].purse {
				group = append(group, a)
			} else {
				rest = append(rest, a)
			}
		}
		opts.Purse = list[0].purse
		if runs != nil {
			opts.Guesses = func(i int) *discharge.Guesses { return runs.guesses(group[i].Assumption) }
		}
		group.askTogether(ctx, found, opts)
		list = rest
	}
}

func (list assumptions) askTogether(ctx context.Context, found models, opts discharge.Options) {
	telling := opts
	opts.Faulted = nil // with what it is about, below
	discharge.Run(ctx, len(list), func(i int) logic.Sequent { return list[i].Sequent }, opts, func(i int, outcome verdict.Outcome) {
		list[i].brief = outcome.Brief > 0
		list[i].asked, list[i].absurd, list[i].used, list[i].model = true, outcome.Verdict.Holds(), needed(outcome), outcome.Counterexample
		if x := outcome.Counterexample; x != nil {
			found.offer(list[i].Assumption, x)
		}
		telling.Tell(list[i].path()+": ", outcome)
	})
}

// contradictory lists the assumptions from which ⊥ follows, by development. Of a component whose own assumption is
// contradictory, nothing else is listed: those of its events follow, as they contain it. Of equal assumptions, the first one
// was searched for all.
func (list assumptions) contradictory(ctx context.Context, of []Premises, opts discharge.Options) [][]Contradiction {
	out := make([][]Contradiction, len(of))
	type whole struct { // a component whose own assumption is contradictory
		dev int
		of  model.Component
	}
	all := map[whole]bool{}
	for _, a := range list {
		found := a.absurd || a.like != nil && a.like.absurd
		if is := (whole{a.dev, a.Of}); found && !all[is] {
			all[is] = a.own()
			opts.Purse = a.purse
			if a.like != nil {
				a.used, opts.Purse = a.like.used, a.like.purse
			}
			out[a.dev] = append(out[a.dev], Contradiction{of[a.dev].Dev.Project, a.Assumption, a.core(ctx, opts)})
		}
	}
	return out
}
