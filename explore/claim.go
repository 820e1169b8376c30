package explore

import (
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Claim says of a machine that states of one kind are followed by ones of another.
type Claim struct {
	Name     string
	machine  *model.Machine // with a variable for each identifier of the claim
	Temporal *Temporal
}

// NewClaim claims of m that, for all values of some identifiers that satisfy any (0 for none), a
// state with from is followed by one with to. Terms are of bank, a child of the development's.
func NewClaim(m *model.Machine, bank *logic.Bank, name string, own []model.Ident, any, from, to logic.Term) (Claim, error) {
	for _, event := range m.Events {
		for _, ident := range event.Parameters {
			if slices.ContainsFunc(own, func(x model.Ident) bool { return x.Name == ident.Name }) {
				return Claim{}, fmt.Errorf("%s is also a parameter of event %s; choose another name", ident.Name, event.Label)
			}
		}
	}
	// Where both hold at once nothing is claimed: so the first tells whether anything is at all.
	texts := map[string]logic.Term{"away": bank.And(from, bank.Not(to)), "to": to}
	temporal, err := ParseTemporal("G ({away} ⇒ F {to})", func(text string) (logic.Term, error) { return texts[text], nil })
	if err != nil {
		return Claim{}, err
	}
	temporal.Text = "leads_to " + name
	return Claim{name, rigid(m, bank, own, any), temporal}, nil
}

// rigid returns m with further variables: they begin with any values that satisfy known, and
// keep them. What holds of all its runs holds of those of m for all such values.
func rigid(m *model.Machine, bank *logic.Bank, own []model.Ident, known logic.Term) *model.Machine {
	if len(own) == 0 {
		return m
	}
	out := *m
	choice := &model.Action{Label: "any", Kind: model.BecomesSuch}
	primed := map[logic.Term]logic.Term{}
	for _, ident := range own {
		out.Variables = append(slices.Clone(out.Variables), model.Variable{Ident: ident, Concrete: true})
		choice.Left = append(choice.Left, ident.Term)
		primed[ident.Term] = bank.Free(ident.Name+"'", bank.Type(ident.Term))
	}
	choice.Right = []logic.Term{bank.Subst(known, primed)}
	out.Events = slices.Clone(m.Events)
	for i, event := range out.Events {
		if event.IsInit() {
			begins := *event
			begins.Actions = append(slices.Clone(event.Actions), choice)
			out.Events[i] = &begins
		}
	}
	return &out
}

// claims looks for runs that violate claims, in graphs of their own, once the search has
// seen all states and has nothing to report.
func (s *search) claims(ctx context.Context, in *Instance) error {
	for _, claim := range s.opt.Claims {
		if s.result.Verdict != Complete {
			return nil
		}
		found, err := Run(ctx, claim.machine, in, Options{
			MaxStates: s.opt.MaxStates, MaxDepth: s.opt.MaxDepth, MaxMemory: s.opt.MaxMemory, Workers: s.opt.Workers,
			NoDeadlock: true, NoInvariants: true, Temporal: claim.Temporal,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", claim.Temporal.Text, err)
		}
		s.result.Findings = found.Findings
		switch found.Verdict {
		case Complete:
			if slices.Contains(found.Idle, "away") {
				s.result.Idle = append(s.result.Idle, "leads_to "+claim.Name)
			} else {
				s.result.Claims = append(s.result.Claims, claim.Name)
			}
		case Bounded:
			s.bound(found.Why + ", reached on the way to " + claim.Temporal.Text)
		default:
			s.result.Verdict = found.Verdict
		}
	}
	return nil
}
