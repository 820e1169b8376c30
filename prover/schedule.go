package prover

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gradine/gradine/prover/internal/search"
)

// strategy is one attempt: which hypotheses it gets, how many steps, and how it searches.
type strategy struct {
	name  string
	hyps  selection
	steps int64
	by    scheme // the strategy is skipped if the goal does not ask for it
	search.Direction
	parts func(steps int64) []strategy // of a strategy that takes the goal apart: those for a part with so many steps; nil for the schedule
}

// The directions of the strategies.
var (
	matching  = search.Direction{Start: 1, Gens: 6}                                 // by patterns alone
	instances = search.Direction{Start: 1, Gens: 6, Enumerate: true}                // and by enumeration
	cautious  = search.Direction{Start: 0, Gens: 6, Enumerate: true}                // the sequent's own terms first
	deep      = search.Direction{Start: 1, Gens: 8, Enumerate: true, Broad: true}   // and what is many steps away from them
	shallow   = search.Direction{Start: 2, Gens: 2, Enumerate: true}                // and what is two steps away from them
	adjacent  = search.Direction{Start: 0, Gens: 2, Enumerate: true}                // likewise, the sequent's own terms first
	short     = search.Direction{Start: 0, Gens: 4, Enumerate: true}                // and what is few steps away from them
	solving   = search.Direction{Start: 1, Gens: 4, Enumerate: true, Solve: true}   // and by values that solve
	computing = search.Direction{Start: 0, Gens: 6, Enumerate: true, Compute: true} // and by λ-terms applied
	probing   = search.Direction{Start: 0, Gens: 6, Enumerate: true, Solve: true}   // likewise, the sequent's own terms first
	preceding = search.Direction{Start: 1, Gens: 4, Enumerate: true, Precede: true} // and by recursion from n to n−1
	inducing  = search.Direction{Start: 1, Gens: 6, Enumerate: true, Given: true}   // by the given instances of a principle alone
	applying  = search.Direction{Start: 1, Gens: 6, Enumerate: true, Compute: true} // likewise
)

// schedule lists the strategies, what proves most for its steps first. The order is that of a table, made by letting every strategy try
// every sequent: of what a strategy alone proves, divided by what it spends on all that is left. Few hypotheses, with types or
// definitions of what they mention, stand before many, as one that is not needed costs more than a hundred attempts. Most that can
// be proved is proved by some strategy in a few thousand steps; so each selection gets little before any gets much, and in the end
// about half as much again as any proof took.
var schedule = []strategy{
	// A first round: every way to choose hypotheses gets a few thousand steps before any gets many. Most proofs are that short.
	// In a large model, rare identifiers name the hypotheses that matter.
	{"triggered", triggered(1.2, 1), 1_000, directly, instances, nil},
	// Where a hypothesis concludes the goal, its instance is the shortest proof.
	{"instance", relevant(16), 4_000, byInstance, instances, nil},
	// Facts that mention no identifier from elsewhere cannot lead the search away.
	{"enclosed", enclosing(selected), 2_000, directly, instances, nil},
	// What comes first about an identifier is its type and its definition; later facts are deduced from these.
	{"founded", founded(3, 2), 2_000, directly, instances, nil},
	// The user has chosen these: patterns alone suffice, and enumeration would instantiate every quantifier among them.
	{"selected", selected, 8_000, directly, matching, nil},
	// Quantified hypotheses cost most, and arithmetic and equalities rarely need them.
	{"plain", plain(1), 2_000, directly, instances, nil},
	// An author writes a clause with the clauses just before it in mind.
	{"typed", typed(recent(6), subject), 8_000, directly, applying, nil},
	// Goals about defined constants close by unfolding: two levels, as definitions of definitions distract.
	{"defined", defined(selected, 2), 8_000, directly, computing, nil},
	{"relevant 8", relevant(8), 4_000, directly, instances, nil},
	// Of many relevant hypotheses few are needed. A quarter of them has them with some luck, at a fraction of the cost.
	{"part 1", part(relevant(32), 0, 4), 4_000, directly, instances, nil},
	// From here on, the selections that prove most get the steps of a long proof.
	{"lasso", lasso(1), 32_000, directly, instances, nil},
	{"founded", founded(3, 2), 40_000, directly, instances, nil},
	{"triggered", triggered(1.2, 1), 16_000, directly, instances, nil},
	{"instance", relevant(16), 50_000, byInstance, instances, nil},
	// Existential goals name their witness: a set or a function is what the goal says of it.
	{"witness", lasso(1), 100_000, byName, instances, nil},
	{"witness", relevant(16), 128_000, byName, cautious, nil},
	// Induction over sets applies to the set of elements for which the goal holds.
	{"comprehension", relevant(8), 60_000, bySets, instances, nil},
	// Two sums that differ in one addend are equal if these addends are: a smaller goal, with the steps of a whole proof.
	{"addends", nil, 1_600_000, addendwise, search.Direction{}, nil},
	{"typed", typed(selected, subject), 32_000, directly, instances, nil},
	{"relevant 16", relevant(16), 32_000, directly, cautious, nil},
	// A bound variable may need a value that no term names but an equation determines.
	{"solve", lasso(1), 16_000, directly, solving, nil},
	{"relevant 28", relevant(28), 32_000, directly, cautious, nil},
	{"enclosed", enclosing(selected), 32_000, directly, instances, nil},
	// The three most recent hypotheses alone: the last premises distinguish this case from the others.
	{"recent 3", recent(3), 32_000, directly, instances, nil},
	// Functions by recursion are unfolded from n to n−1; forward, the search would not end.
	{"recursion", relevant(4), 100_000, backwards, preceding, nil},
	{"plain", plain(2), 64_000, directly, instances, nil},
	// Goals are taken apart only now, since parts repeat the search. The conjuncts may need λ-terms computed, …
	{"conjuncts", nil, 400_000, apart, computing, computed},
	// … induction on quotients, as on the digits of a number, whose step needs numbers far below n, …
	{"complete induction", nil, 800_000, dividing, search.Direction{}, wholes},
	// … or premises of their own, which count as selected.
	{"conjuncts", nil, 800_000, apart, search.Direction{}, portions},
	// Two sides of an equation are compared by what they do not have in common, which may be much smaller.
	{"alike", nil, 200_000, partwise, search.Direction{}, nil},
	// What defines a relation stands in place of it, where the goal is that it is transitive, total or the like.
	{"unfolded", nil, 800_000, unfolding, search.Direction{}, meanings},
	// What a definition says in one case is in the way of the other cases.
	{"cases", nil, 800_000, casewise, search.Direction{}, valued},
	{"complete induction by cases", nil, 2_400_000, digitwise, search.Direction{}, valued},
	// Numbers are equal if neither is smaller, which other facts show than those about both.
	{"ordered", nil, 1_200_000, inOrder, search.Direction{}, compared},
	// Rules about functions into pairs need the pairs.
	{"shaped", nil, 1_200_000, shaping, search.Direction{}, formed},
	// Values that definitions give are calculated first, one after the other, before the search for the goal that speaks of them.
	{"calculated", nil, 320_000, calculating, computing, stepped},
	{"typed", typed(recent(6), about), 32_000, directly, cautious, nil},
	// Inconsistent hypotheses mostly stand in what is stated first: a component comes after all that it builds on.
	{"contradiction", first(64), 128_000, aimless, probing, nil},
	// An instance that concludes the goal leaves premises to prove: the hypotheses that may conclude these come along.
	{"instance", typed(supporting, about), 500_000, byInstance, instances, nil},
	{"typed", typed(selected, subject), 200_000, directly, instances, nil},
	{"defined", typed(defined(relevant(4), 3), about), 400_000, directly, computing, nil},
	{"selected", selected, 460_000, directly, matching, nil},
	// Base and step of an induction are sequents of their own: the hypotheses that one needs distract the other.
	{"induction", nil, 1_200_000, stepwise, search.Direction{}, shares},
	// The type of a large λ-term follows from its definition, and from what is said in the terms of that alone.
	{"explained", explained, 400_000, directly, instances, nil},
	{"comprehension", relevant(16), 200_000, bySets, cautious, nil},
	// What shares an identifier with the goal, for sequents whose authors selected nothing useful.
	{"goal", near(1), 128_000, directly, short, nil},
	// Two steps along rare identifiers need many hypotheses, and so the steps for them.
	{"triggered", triggered(1.2, 2), 1_000_000, directly, instances, nil},
	{"typed", typed(recent(6), subject), 32_000, directly, applying, nil},
	// The last premises, with the definitions of what they mention, for goals that only these tell from other cases.
	{"described", described(latest(4), 2), 256_000, directly, instances, nil},
	{"relevant 28", relevant(28), 200_000, directly, short, nil},
	{"founded", founded(2, 2), 168_000, directly, instances, nil},
	{"typed", typed(recent(12), about), 64_000, directly, applying, nil},
	{"solve", relevant(16), 104_000, directly, solving, nil},
	{"relevant 8", relevant(8), 240_000, directly, short, nil},
	{"founded", founded(4, 3), 300_000, directly, instances, nil},
	{"described", described(latest(4), 3), 870_000, directly, instances, nil},
	{"complete induction", nil, 400_000, complete, search.Direction{}, shares},
	// A property that a value was chosen to have stands two steps from what the goal says of the value.
	{"fixed", nil, 1_200_000, fixing, search.Direction{}, valuations},
	// Images and restrictions of a relation count as statements about it: a wide sense, of which few goals make use.
	{"typed", concerning(selected, subjects), 64_000, directly, instances, nil},
	// The largest attempt at the goal alone comes late: it costs most, and an obligation of this repository needs it.
	{"goal", near(1), 920_000, directly, cautious, nil},
	{"all", everything, 64_000, directly, cautious, nil},
	{"solve", triggered(1.2, 2), 128_000, directly, solving, nil},
	{"lasso", lasso(1), 220_000, directly, instances, nil},
	{"described", described(latest(4), 2), 850_000, directly, instances, nil},
	{"typed", typed(typed(none, subject), subject), 128_000, directly, instances, nil},
	{"triggered", triggered(1.2, 1), 41_000, directly, instances, nil},
	// A goal that is known to be well-defined spares the induction the proof of that.
	{"induction", nil, 500_000, granted, search.Direction{}, shares},
	{"contradiction", enclosing(selected), 320_000, aimless, instances, nil},
	{"enclosed", enclosing(selected), 520_000, directly, instances, nil},
	{"typed", typed(relevant(4), subject), 160_000, directly, instances, nil},
	{"relevant 4", relevant(4), 21_000, directly, instances, nil},
	// A contradiction involves few hypotheses: the search looks around one fact at a time.
	{"contradiction", triggered(1.2, 1), 256_000, factwise, instances, nil},
	{"solve", near(1), 160_000, directly, solving, nil},
	{"typed", typed(relevant(2), subject), 64_000, directly, instances, nil},
	{"typed", typed(latest(4), subject), 26_000, directly, instances, nil},
	{"relevant 8", relevant(8), 51_000, directly, instances, nil},
	// Principles of induction one at a time: several, each with all its instances, are in the way of each other.
	{"comprehension", relevant(8), 400_000, bySet, inducing, nil},
	// The last rows cost little on what is left by then, and each proves something that the others do not.
	{"selected", selected, 51_000, directly, instances, nil},
	{"part 3", part(relevant(32), 2, 4), 64_000, directly, instances, nil},
	{"triggered", triggered(1.2, 1), 260_000, directly, instances, nil},
}

// Schedule names the strategies of the schedule in order, with their steps. What a long search answers depends on all of them, of which
// a short one sees the first.
func Schedule() []string {
	out := []string{fmt.Sprint("budget ", DefaultSteps, " again ", again)}
	for _, r := range schedule {
		out = append(out, fmt.Sprint(r.name, " ", r.steps, " ", r.by, " ", r.Direction))
	}
	return out
}

// sharing returns what so many percent of steps are, at least one.
func sharing(steps int64) func(percent int64) int64 {
	return func(percent int64) int64 { return max(1, steps/100*percent) }
}

// computed are the strategies for conjuncts that are said of what λ-terms and comprehensions define.
func computed(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"enclosed", enclosing(selected), min(share(5), 2_000), directly, instances, nil},
		{"recent 8", recent(8), min(share(10), 16_000), directly, instances, nil},
		{"described", withoutListings(described(none, 2)), share(60), directly, computing, nil},
	}
}

// stepped are the strategies for values that are calculated one after the other, and for the goal after them: what is defined of the
// goal, or of the last values.
func stepped(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"enclosed", enclosing(selected), min(share(5), 2_000), directly, instances, nil},
		{"recent 8", recent(8), min(share(10), 16_000), directly, instances, nil},
		{"typed", typed(none, about), min(share(10), 16_000), directly, computing, nil},
		{"defined", defined(latest(4), 1), min(share(25), 64_000), directly, computing, nil},
		{"described", withoutListings(described(latest(1), 2)), share(60), directly, computing, nil},
	}
}

// meanings are the strategies for what the definition of a relation says, and for the goal from that.
func meanings(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"relevant 8", joint(relevant(8)), share(2), directly, instances, nil},
		{"plain", joint(plain(1)), share(4), directly, instances, nil},
		{"relevant 16", joint(relevant(16)), share(4), directly, instances, nil},
		{"founded 4", joint(founded(4, 1)), share(4), directly, instances, nil},
		{"relevant 8", joint(relevant(8)), share(8), directly, cautious, nil},
		{"plain", joint(plain(1)), share(16), directly, instances, nil},
		{"relevant 16", joint(relevant(16)), share(16), directly, instances, nil},
		{"relevant 8", joint(relevant(8)), share(40), directly, instances, nil},
	}
}

// shares are the strategies for base and step of an induction, in which those hypotheses count as selected that the
// induction has brought in.
func shares(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"founding 3", joint(founded(3, 1)), share(6), directly, preceding, nil},
		{"founding 6", joint(founded(6, 1)), share(6), directly, preceding, nil},
		{"relevant 8", joint(relevant(4)), share(8), directly, preceding, nil},
		{"typed", joint(typed(recent(12), subject)), share(10), directly, preceding, nil},
		{"relevant 8", joint(relevant(8)), share(10), directly, instances, nil},
		{"founding 6", joint(founded(6, 1)), share(15), directly, preceding, nil},
		{"relevant 16", joint(relevant(16)), share(20), directly, preceding, nil},
		{"lasso", lasso(1), share(25), directly, preceding, nil},
	}
}

// wholes are the strategies for base and step of a complete induction, where the cases of a definition by recursion, such as the digits
// of a number, are needed all at once.
func wholes(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"typed", joint(typed(recent(12), subject)), share(4), directly, preceding, nil},
		{"relevant 28", relevant(28), share(48), directly, short, nil},
		{"founded 6", joint(founded(6, 2)), share(48), directly, short, nil},
	}
}

// valued are the strategies for one case of a definition by cases, in which the condition and the value count as selected.
func valued(steps int64) []strategy {
	share := sharing(steps)
	return slices.Concat(settled(steps), []strategy{
		{"alike", nil, share(20), partsWithin, search.Direction{}, settled},
		{"cases", nil, share(60), within, search.Direction{}, evaluated},
		{"typed", joint(typed(recent(12), subject)), share(20), directly, deep, nil},
		{"relevant 8", joint(relevant(8)), share(20), directly, deep, nil},
		{"relevant 16", joint(relevant(16)), share(20), directly, cautious, nil},
	})
}

// evaluated are the strategies for one case within another.
func evaluated(steps int64) []strategy {
	return append(settled(steps), strategy{"alike", nil, sharing(steps)(50), partsWithin, search.Direction{}, settled})
}

// compared are the strategies for one number that is smaller than another, and for both if they are equal: what grows with them is a few
// steps away.
func compared(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"comparing 1", comparing(1), share(10), directly, cautious, nil},
		{"comparing 3", comparing(3), share(60), directly, shallow, nil},
		{"lasso", lasso(1), share(40), directly, shallow, nil},
	}
}

// valuations are the strategies for a goal with identifiers in place of what it quantifies.
func valuations(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"valuing", valuing(typed(selected, subject)), share(60), directly, shallow, nil},
		{"comparing 3", comparing(3), share(40), directly, shallow, nil},
	}
}

// formed are the strategies for what is known of functions by their kind, and for the goal after that.
func formed(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"recent 8", recent(8), min(share(5), 16_000), directly, short, nil},
		{"valuing", valuing(typed(recent(12), subject)), share(5), directly, adjacent, nil},
		{"comparing", both(comparing(1), concluding(latest(6))), share(90), directly, adjacent, nil},
	}
}

// settled are the strategies for what a definition leaves to show.
func settled(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"instance", joint(relevant(8)), min(share(5), 4_000), byInstance, instances, nil},
		{"founding 3", joint(founded(3, 1)), min(share(5), 8_000), directly, instances, nil},
		{"relevant 4", joint(relevant(4)), min(share(5), 8_000), directly, instances, nil},
		{"contradiction", selected, min(share(5), 8_000), aimless, instances, nil},
		{"founded 1", joint(founded(1, 2)), min(share(5), 8_000), directly, deep, nil},
		{"selected", selected, min(share(5), 16_000), directly, instances, nil},
		{"typed", joint(typed(recent(12), subject)), min(share(10), 16_000), directly, deep, nil},
		{"relevant 8", joint(relevant(8)), min(share(20), 64_000), directly, deep, nil},
		{"typed", joint(typed(recent(12), subject)), min(share(20), 64_000), directly, deep, nil},
		{"relevant 16", joint(relevant(16)), min(share(20), 64_000), directly, cautious, nil},
	}
}

// portions are the strategies for a conjunct, in which its premises count as selected, and that it is well-defined.
func portions(steps int64) []strategy {
	share := sharing(steps)
	return []strategy{
		{"founding 3", joint(founded(3, 1)), share(1), directly, deep, nil},
		{"founded 1", joint(founded(1, 2)), share(8), directly, deep, nil},
		{"founded 2", joint(founded(2, 2)), share(8), directly, deep, nil},
		{"typed", joint(typed(recent(12), subject)), share(8), directly, deep, nil},
		{"typed", joint(typed(typed(none, subject), subject)), share(8), directly, cautious, nil},
		{"relevant 8", joint(relevant(8)), share(8), directly, deep, nil},
		{"relevant 16", joint(relevant(16)), share(16), directly, cautious, nil},
		{"lasso", lasso(1), share(16), directly, deep, nil},
	}
}

// effort identifies an attempt by its hypotheses and by how it searches. Repeating it with no larger
// budget is pointless.
type effort struct {
	hyps string
	by   scheme
	search.Direction
}

func effortOf(r strategy, hyps []int) effort {
	var key []byte
	for _, i := range slices.Sorted(slices.Values(hyps)) {
		key = binary.AppendUvarint(key, uint64(i))
	}
	return effort{string(key), r.by, r.Direction}
}

// saturation is an attempt at the end of which nothing was left to try.
type saturation struct {
	hyps []int
	search.Direction
}

// seen reports whether an attempt that saturated had all these hypotheses, and looked at no less: without some of them,
// nothing more is to be found.
func (t *trail) seen(hyps []int, direction search.Direction) bool {
	return slices.ContainsFunc(t.ended, func(s saturation) bool {
		return direction.Within(s.Direction) && !slices.ContainsFunc(hyps, func(i int) bool { return !slices.Contains(s.hyps, i) })
	})
}
