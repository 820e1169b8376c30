package project

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/loop"
)

// Planner proposes what to measure, by a model whose constants it fits to what was measured.
type Planner struct {
	entry   *tune.Entry
	closed  *tune.Closed
	unknown []tune.Unknown
	unit    float64
}

// Planner prepares the plans for an entry of p, whose closed form has to be proved.
func (p *Project) Planner(ctx context.Context, name string, conf config.Tune, given []Assignment, proofs *tune.Proofs) (*Planner, error) {
	entry, err := p.Entry(name, conf, given)
	if err != nil {
		return nil, err
	}
	unknown, err := Unknowns(conf, given)
	if err != nil {
		return nil, err
	}
	closed, why, err := proofs.ClosedForm(ctx, entry, conf.Theorem)
	switch {
	case err != nil:
		return nil, err
	case why != "":
		return nil, fmt.Errorf("only a proved closed form plans measurements: %s", why)
	}
	return NewPlanner(entry, closed, unknown, conf.Calibrate.Unit), nil
}

// NewPlanner plans by a closed form, which is proved. unit is how much of the objective is a millisecond; 0: that is
// fitted, too.
func NewPlanner(entry *tune.Entry, closed *tune.Closed, unknown []tune.Unknown, unit float64) *Planner {
	return &Planner{entry, closed, unknown, unit}
}

// Plan fits the constants to the rows, and proposes up to n configurations that they do not have.
func (p *Planner) Plan(ctx context.Context, rows []tune.Measurement, n int) (*loop.Plan, error) {
	fitted, err := tune.Calibrate(ctx, p.entry, p.closed, p.unknown, p.unit, rows)
	// Times that are far from all that the figures of the device allow are those of another device: then only their
	// proportions say something.
	if err == nil && fitted.Error > otherDevice {
		fitted, err = tune.Calibrate(ctx, p.entry, p.closed, p.unknown, 0, rows)
	}
	if err != nil {
		return nil, err
	}
	next, err := fitted.Plan(n)
	if err != nil {
		return nil, err
	}
	left, err := fitted.Outlook()
	if err != nil {
		return nil, err
	}
	out := &loop.Plan{Left: left.Left, Faster: left.Faster, AtMost: left.AtMost, Expected: left.Expected, Random: fitted.Random, Rank: fitted.Rank}
	if left.Best != nil {
		out.Best = parameters(left.Best)
	}
	for _, point := range next {
		out.Next = append(out.Next, parameters(point))
	}
	return out, nil
}

// otherDevice is the median factor between predicted and measured times from which on the unit of time is fitted, too.
const otherDevice = 2

func parameters(values []simulate.Constant) (out []string) {
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}
