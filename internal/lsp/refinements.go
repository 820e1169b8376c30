package lsp

import (
	"context"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang/model"
)

// What a panel of editors shows: the tree of refinements of a project.

// refinedComponent is a component in the tree of refinements.
type refinedComponent struct {
	Name     string            `json:"name"`
	Kind     string            `json:"kind"`            // context, machine
	Above    []string          `json:"above,omitempty"` // what it refines or extends
	Sees     []string          `json:"sees,omitempty"`
	Location protocol.Location `json:"location"`
	Status   string            `json:"status"` // as inlay hints say it
	Verdict  string            `json:"verdict"`
	Events   []refinedEvent    `json:"events,omitempty"`
}

type refinedEvent struct {
	Name     string            `json:"name"`
	Refines  []string          `json:"refines,omitempty"` // events of the machine above
	Location protocol.Location `json:"location"`
	Status   string            `json:"status"`
	Verdict  string            `json:"verdict"`
}

// refinements lists the components of the project of a document, each behind what it
// builds on.
func (s *server) refinements(ctx context.Context, params *protocol.DocumentParams) ([]refinedComponent, error) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	out := []refinedComponent{}
	_, opened := snap.written(path)
	if opened == nil {
		return out, nil
	}
	answers := s.answers(h, snap)
	components, events := map[diag.Span]*tally{}, map[diag.Span]*tally{}
	count := func(tallies map[diag.Span]*tally, at diag.Span, a *asked, known *answer) {
		if tallies[at] == nil {
			tallies[at] = &tally{}
		}
		tallies[at].add(a, known)
	}
	for i, a := range snap.asked {
		if a.project == opened {
			count(components, originOf(a.Of()).Span, a, answers[i])
			if a.Event != nil {
				count(events, a.Event.Origin.Span, a, answers[i])
			}
		}
	}
	// In the order of the checker, in which each component stands behind what it builds on.
	for _, of := range opened.Dev.Components() {
		origin := originOf(of)
		if origin.Span.File == "" {
			continue
		}
		row := refinedComponent{Name: of.Name(), Kind: of.Kind(), Location: snap.locationOf(origin.Span)}
		row.Status, row.Verdict = components[origin.Span].shown()
		if of.Context != nil {
			row.Above = contextNames(of.Context.Extends)
		} else {
			machine := of.Machine
			if row.Sees = contextNames(machine.Sees); machine.Refines != nil {
				row.Above = []string{machine.Refines.Name}
			}
			for _, event := range machine.Events {
				e := refinedEvent{Name: event.Label, Location: snap.locationOf(event.Origin.Span)}
				for _, above := range event.Refines {
					e.Refines = append(e.Refines, above.Label)
				}
				e.Status, e.Verdict = events[event.Origin.Span].shown()
				row.Events = append(row.Events, e)
			}
		}
		out = append(out, row)
	}
	return out, nil
}

func originOf(of model.Component) model.Origin {
	if of.Machine != nil {
		return of.Machine.Origin
	}
	return of.Context.Origin
}

func contextNames(contexts []*model.Context) (out []string) {
	for _, c := range contexts {
		out = append(out, c.Name)
	}
	return out
}

// shown is what is said of a tally, and the one word that its colour goes by: the worst
// of what is known. Nothing is proved as long as something is not.
func (t *tally) shown() (status, worst string) {
	switch {
	case t == nil:
		return "", ""
	case t.refuted > 0:
		worst = string(verdict.Refuted)
	case t.vacuous > 0:
		worst = string(verdict.Vacuous)
	case t.unknown > 0:
		worst = "pending"
	case t.open > 0:
		worst = string(verdict.Open)
	case t.inaccurate:
		worst = "inaccurate"
	case t.expected > 0:
		worst = "expected"
	default:
		worst = string(verdict.Proved)
	}
	return t.String(), worst
}
