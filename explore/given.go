package explore

import (
	"context"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/lang/model"
)

// given looks at the theorems among the axioms. The set-up satisfies the axioms, so that
// a theorem that is false there does not follow from them: no state is needed to see it.
func (s *search) given(ctx context.Context, contexts []*model.Context) {
	for _, c := range contexts {
		for _, axiom := range c.Axioms {
			if !axiom.Theorem {
				continue
			}
			label := c.Name + "/" + axiom.Label
			// A theorem that cannot be evaluated is reported as unseen. Nothing follows from it.
			kind, why := "", ""
			limit := abort.Bounded(func() {
				theorem, err := program.PropertyOf(s.p.Compiler, label, axiom.Term)
				if err != nil {
					s.unseen = append(s.unseen, label+": "+err.Error())
					return
				}
				frame := s.p.Frame(ctx)
				frame.Most = program.TheoremSteps
				var holds bool
				switch holds, why = frame.Try(theorem.Holds); {
				case why != "":
					kind = NoValueOf
				case !holds:
					kind = TheoremFails
				}
			})
			switch {
			case limit != "":
				s.unseen = append(s.unseen, label+": "+limit+" ended its evaluation")
			case kind != "":
				s.result.Verdict = Counterexample
				s.result.Findings = append(s.result.Findings, Finding{kind, label, why, trace.Empty(s.p)})
			}
		}
	}
}
