package guess

import (
	"context"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Candidate is a predicate over the variables of a machine that may be an invariant.
type Candidate struct {
	Rule string // that guessed it
	Term logic.Term
	// Stronger are the candidates each of which implies it, by their places: it waits
	// until they have fallen.
	Stronger []int
	Origin   Origin
}

// Origin is what a candidate is guessed from.
type Origin uint8

// The origins of candidates.
const (
	FromText     Origin = iota // the vocabulary of the machine
	FromAnalysis               // what an analysis of all events found: rarely false
	FromGoal                   // an open obligation: it may close that one and say little else
)

// Clues are what rules look at in addition to the text of a machine. The zero value has none.
type Clues struct {
	Threads *model.Threads // what a reader knows of the threads of the machine; nil if nothing
	Samples []Sample
	Open    []Lack
	Only    []string // names of rules; nil: all
	Without []string // names of rules that guess nothing
}

// Lack is an obligation without proof, for rules to aim at.
type Lack struct {
	*po.Obligation
	Refuting *Sample // the state before its event that refutes it; nil if none was found
}

// Rule guesses candidates of one kind.
type Rule struct {
	Name  string // r0 … r18 as in Betts et al., a word for others
	Title string // there, in the sources of GPUVerify; or what the word stands for
	Doc   string // what it guesses
	When  string // what triggers it
	guess func(*view)
}

// Rules returns the rules, in the order in which they guess.
func Rules() []Rule { return slices.Clone(rules) }

// mostOfRule bounds the candidates of one rule, and mostOfAll those of all.
const (
	mostOfRule = 400
	mostOfAll  = 4000
)

// Candidates returns the candidates of the rules for m that clues leave in, each
// once, and dev with a bank that has their terms. What is among the facts of m already
// is not guessed.
func Candidates(ctx context.Context, dev *model.Development, m *model.Machine, clues Clues) (*model.Development, []Candidate) {
	v := newView(ctx, dev, m, clues)
	for _, r := range rules {
		if slices.Contains(clues.Without, r.Name) || len(clues.Only) > 0 && !slices.Contains(clues.Only, r.Name) {
			continue
		}
		v.rule, v.made, v.origin = r.Name, 0, FromText
		r.guess(v)
	}
	// From here on the bank is shared by all that runs at one time.
	out := v.ordered()
	v.b.Freeze()
	wider := *dev
	wider.Bank = v.b
	return &wider, out
}

// ordered returns the candidates that have a value in every state before those that may
// lean on them for theirs.
func (v *view) ordered() []Candidate {
	place := make([]int, len(v.out)) // by candidate, in the new order
	var out []Candidate
	for _, always := range []bool{true, false} {
		for i, c := range v.out {
			if (v.b.D(c.Term) == v.b.App(logic.True)) == always {
				place[i] = len(out)
				out = append(out, c)
			}
		}
	}
	for i := range out {
		out[i].Stronger = slices.Clone(out[i].Stronger)
		for k, j := range out[i].Stronger {
			out[i].Stronger[k] = place[j]
		}
	}
	return out
}

// add takes p as a candidate, unless it says nothing new.
func (v *view) add(p logic.Term) {
	bare := v.b.Bare(p)
	if v.ctx.Err() != nil || v.made >= mostOfRule || len(v.out) >= mostOfAll || v.seen[bare] || v.empty(p) {
		return
	}
	v.seen[bare] = true
	v.made++
	v.number[bare] = len(v.out)
	v.out = append(v.out, Candidate{Rule: v.rule, Term: p, Origin: v.origin})
}

// weaker adds p, which each of stronger implies: as long as one of them lives, p has
// nothing to say.
func (v *view) weaker(p logic.Term, stronger ...logic.Term) {
	before := len(v.out)
	if v.add(p); len(v.out) == before {
		return
	}
	for _, q := range stronger {
		if v.seen[v.b.Bare(q)] {
			if i, ok := v.number[v.b.Bare(q)]; ok {
				v.out[before].Stronger = append(v.out[before].Stronger, i)
			}
		}
	}
}

// empty reports whether p speaks of no variable, or is true whatever the state is.
func (v *view) empty(p logic.Term) bool {
	if !slices.ContainsFunc(v.b.FreeIdents(p), func(x logic.Term) bool { return v.variable[x] }) {
		return true
	}
	switch args := v.b.Args(p); v.b.Op(p) {
	case logic.True:
		return true
	case logic.Eq, logic.Le, logic.Ge, logic.SubsetEq:
		return args[0] == args[1] || v.b.IsTypeExpr(args[1])
	case logic.In:
		return v.b.IsTypeExpr(args[1])
	}
	return false
}
