package project

import (
	"slices"

	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/review"
)

// repairs returns a function that takes the hints of an old obligation over to the one that
// it has become: under the names and labels of now. It returns nil where there were none, or
// where they do not fit.
func repairs(old *Project) func(was, is *po.Obligation, names proofstore.Names) *review.Repair {
	return func(was, is *po.Obligation, names proofstore.Names) *review.Repair {
		if old.planned == nil || old.planned.whole[was.ID()] == nil {
			return nil
		}
		list, plan := followed(old.planned.whole[was.ID()].Top, was, is, names)
		if plan == nil {
			return nil
		}
		return &review.Repair{Lines: hints.Lines(list), Node: plan.Root}
	}
}

// followed returns hints for was as they read for is, and the plan that they make there; nil
// if they do not fit.
func followed(list []*hints.Hint, was, is *po.Obligation, names proofstore.Names) ([]*hints.Hint, *hinted.Plan) {
	s, t := was.Sequent(), is.Sequent()
	before, now := Labels(was), Labels(is)
	labels := followedLabels(s, t, before, now, names)
	// Variables of the goal are identifiers of hints, too.
	locals := map[string]string{}
	xs, ys := derive.New(s, before).Root.Intro(), derive.New(t, now).Root.Intro()
	if len(xs.Local()) == len(ys.Local()) {
		for i, x := range xs.Local() {
			locals[xs.Bank().Name(x)] = ys.Bank().Name(ys.Local()[i])
		}
	}
	out := hints.Renamed(list, hints.Names{
		Identifier: func(x string) string {
			if y, ok := locals[x]; ok {
				return y
			}
			return names.Of(x)
		},
		Label: func(x string) string {
			if y, ok := labels[x]; ok {
				return y
			}
			return x
		},
	})
	plan, problem := hinted.Make(t, now, out)
	if problem != nil {
		return nil, nil
	}
	return out, plan
}

// followedLabels says what hypotheses of s are called in t, where they say the same under the
// new names. Of several with one label the last is meant.
func followedLabels(s, t logic.Sequent, before, now []string, names proofstore.Names) map[string]string {
	bank := logic.NewBank()
	old, own := proofstore.NewRenamer(bank, s.Bank, names, true), logic.NewImporter(bank, t.Bank, true)
	at := map[logic.Term]int{}
	for i, h := range t.Hyps {
		at[own.Term(h)] = i
	}
	labels := map[string]string{}
	for i, h := range s.Hyps {
		if k, ok := at[old.Term(h)]; ok && now[k] != "" && slices.Index(before[i+1:], before[i]) < 0 {
			labels[before[i]] = now[k]
		}
	}
	return labels
}
