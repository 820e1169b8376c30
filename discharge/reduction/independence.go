package reduction

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
	"github.com/gradine/gradine/po"
)

// Independence finds out which events of a machine commute, and what they leave
// disabled, in states in which the invariants hold that known says are inductive. With
// assume, what is neither proved nor refuted counts as true.
func Independence(ctx context.Context, dev *model.Development, machine *model.Machine, known Inductive, assume bool, opts discharge.Options) *order.Independence {
	verified := known.Why == ""
	x := &independence{
		ctx: ctx, opts: opts, assume: assume,
		po:  po.NewInterleaving(dev, machine, verified, known.Unproved),
		out: &order.Independence{Verified: verified, Unproved: known.Unproved},
	}
	for _, event := range machine.Events {
		if !event.IsInit() {
			x.events = append(x.events, event)
		}
	}
	x.ranges()
	x.pairs()
	x.guards()
	return x.out
}

type independence struct {
	ctx    context.Context
	opts   discharge.Options
	assume bool
	po     *po.Interleaving
	events []*model.Event
	within map[*model.Event][]order.Within
	out    *order.Independence
}

// ranges finds finite sets for the parameters.
func (x *independence) ranges() {
	var claims []*po.Claim
	var about []order.Within
	for _, event := range x.events {
		for _, ident := range event.Parameters {
			for _, set := range x.po.Ranges(event, ident) {
				claims = append(claims, x.po.Within(event, ident, set))
				about = append(about, order.Within{Event: event, Param: ident.Term, Set: set})
			}
		}
	}
	x.within = map[*model.Event][]order.Within{}
	for i, outcome := range x.run(claims) {
		if w := about[i]; outcome.Verdict.Holds() {
			x.within[w.Event] = append(x.within[w.Event], w)
			x.out.Within = append(x.out.Within, w)
		}
	}
}

func (x *independence) run(claims []*po.Claim) []verdict.Outcome {
	out := make([]verdict.Outcome, len(claims))
	discharge.Run(x.ctx, len(claims), func(i int) logic.Sequent { return claims[i].Sequent() }, x.opts, func(i int, o verdict.Outcome) { out[i] = o })
	return out
}

// question is a claim that may hold of those instances only that differ.
type question struct {
	claim       func(where []order.Different) *po.Claim
	differences []order.Different
}

// ruling says under which differences the claim of a question is proved, or
// assumed: neither if it is not known.
type ruling struct {
	proved, assumed bool
	where           []order.Different
}

// ask answers questions: first without any difference, then with all of them,
// of which the proof says which it needs; if it needs several, each alone is tried.
func (x *independence) ask(questions []question) []ruling {
	answers := make([]ruling, len(questions))
	var claims []*po.Claim
	var about []int
	flush := func(take func(i int, c *po.Claim, outcome verdict.Outcome)) {
		asked, of := claims, about
		claims, about = nil, nil
		for k, outcome := range x.run(asked) {
			take(of[k], asked[k], outcome)
		}
	}
	put := func(i int, where []order.Different) {
		claims, about = append(claims, questions[i].claim(where)), append(about, i)
	}
	// Most claims hold of all instances, and cost one proof; differences are for the rest.
	for i := range questions {
		put(i, nil)
	}
	var open []int
	flush(func(i int, _ *po.Claim, outcome verdict.Outcome) {
		answers[i].proved = outcome.Verdict.Holds()
		if !outcome.Verdict.Holds() && len(questions[i].differences) > 0 {
			open = append(open, i)
		} else if !outcome.Verdict.Holds() {
			answers[i].assumed = x.assume && outcome.Verdict == verdict.Open
		}
	})
	// With all differences at once: what the proof uses of them says which are needed, so
	// that not every subset has to be tried.
	for _, i := range open {
		put(i, questions[i].differences)
	}
	var several []int
	flush(func(i int, c *po.Claim, outcome verdict.Outcome) {
		a := &answers[i]
		switch {
		case outcome.Verdict.Holds():
			a.proved, a.where = true, c.Needs(outcome.Used, outcome.UsedWD)
			if len(a.where) > 1 {
				several = append(several, i)
			}
		case x.assume && outcome.Verdict == verdict.Open:
			a.assumed, a.where = true, c.Where
		}
	})
	// A proof may use more differences than it needs. A claim under one of them alone
	// holds of more instances.
	for _, i := range several {
		for k := range answers[i].where {
			put(i, answers[i].where[k:k+1])
		}
	}
	flush(func(i int, c *po.Claim, outcome verdict.Outcome) {
		if outcome.Verdict.Holds() && len(answers[i].where) > 1 {
			answers[i].where = c.Where
		}
	})
	return answers
}

// pairs asks of each pair of events whether they commute: first, whether they
// can ever happen in one state.
func (x *independence) pairs() {
	var never []*po.Claim
	var pairs []order.Commuting
	for i, e := range x.events {
		for _, f := range x.events[i:] {
			if e != f || len(e.Parameters) > 0 { // else there is one instance
				pairs = append(pairs, order.Commuting{First: e, Second: f})
				never = append(never, x.po.Commute(e, f, x.po.Never(e, f), nil))
			}
		}
	}
	// Events that never can both happen need no claims about their order, and those are
	// many more.
	unknown, assumed := make([]bool, len(pairs)), make([]bool, len(pairs))
	var questions []question
	var of []int // by question: the pair that it is about
	for k, outcome := range x.run(never) {
		e, f := pairs[k].First, pairs[k].Second
		if outcome.Verdict.Holds() {
			x.out.Exclusive = append(x.out.Exclusive, order.Exclusive{First: e, Second: f})
			continue
		}
		// What shares no variable commutes by its shape, without a proof.
		if e != f && x.po.Independent(e, f) {
			continue
		}
		parts, ok := x.po.Parts(e, f)
		unknown[k] = !ok
		for _, p := range parts {
			questions = append(questions, question{
				claim:       func(where []order.Different) *po.Claim { return x.po.Commute(e, f, p, where) },
				differences: x.po.Differences(e, f, 0),
			})
			of = append(of, k)
		}
	}
	for i, a := range x.ask(questions) {
		k := of[i]
		unknown[k] = unknown[k] || !a.proved && !a.assumed
		assumed[k] = assumed[k] || a.assumed
		for _, d := range a.where {
			if !slices.Contains(pairs[k].Where, d) {
				pairs[k].Where = append(pairs[k].Where, d)
			}
		}
	}
	for k, pair := range pairs {
		switch {
		case unknown[k]:
			x.out.Unknown++
			continue
		case assumed[k]:
			x.out.Assumed++
		default:
			x.out.Proved++
		}
		x.out.Commuting = append(x.out.Commuting, pair)
	}
}

// guards asks of each event which guards of others it leaves false.
func (x *independence) guards() {
	var questions []question
	var about []order.Harmless
	for _, e := range x.events {
		for _, f := range x.events {
			for _, goal := range x.po.Guards(f) {
				fact := order.Harmless{Event: e, Other: f, Guard: goal}
				if x.po.Harmless(e, goal) {
					x.out.Harmless = append(x.out.Harmless, fact)
					continue
				}
				questions = append(questions, question{
					claim:       func(where []order.Different) *po.Claim { return x.po.StaysFalse(e, f, goal, x.within[f], where) },
					differences: x.po.Differences(e, f, goal),
				})
				about = append(about, fact)
			}
		}
	}
	for i, a := range x.ask(questions) {
		if a.assumed {
			x.out.Guards++
		}
		if a.proved || a.assumed {
			about[i].Where = a.where
			x.out.Harmless = append(x.out.Harmless, about[i])
		}
	}
}
