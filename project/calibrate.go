package project

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/tune"
)

// Calibration is what a calibration of an entry found.
type Calibration struct {
	*tune.Calibration
	Entry  string
	From   string // the file of the measurements; "" if there are none
	Given  []Assignment
	Names  []string     // of the parameters
	Answer *tune.Answer // with the values that were found; nil without measurements
	Plan   [][]simulate.Constant
}

// Calibrate fits the constants that an entry names to measured times, which may be none, and
// looks for what is best with them. Only a proved closed form is fitted.
func (p *Project) Calibrate(ctx context.Context, name string, conf config.Tune, given []Assignment, rows []tune.Measurement, proofs *tune.Proofs) (*Calibration, error) {
	entry, err := p.Entry(name, conf, given)
	if err != nil {
		return nil, err
	}
	unknown, err := Unknowns(conf, given)
	if err != nil {
		return nil, err
	}
	closed, why, err := proofs.ClosedForm(ctx, entry, conf.Theorem)
	if err != nil {
		return nil, err
	}
	if why != "" {
		return nil, fmt.Errorf("only a proved closed form is calibrated: %s", why)
	}
	found, err := tune.Calibrate(ctx, entry, closed, unknown, conf.Calibrate.Unit, rows)
	if err != nil {
		return nil, err
	}
	out := &Calibration{Entry: name, Names: conf.Shown, Calibration: found, Given: slices.Clone(given)}
	for i, g := range given {
		if k := slices.IndexFunc(found.Constants, func(c tune.Fitted) bool { return c.Name == g.Name }); k >= 0 {
			out.Given[i].Value = strconv.FormatInt(found.Constants[k].Value, 10)
		}
	}
	// What is best with these values is asked of the search itself; without measurements
	// they are what tune answers for.
	if found.Measured > 0 {
		if entry, err = p.Entry(name, conf, out.Given); err != nil {
			return nil, err
		}
		if closed, err = closed.Again(entry); err != nil {
			return nil, err
		}
		out.Answer, err = tune.Search(ctx, entry, tune.Options{Closed: closed, Measured: rows, Unit: found.Unit})
	}
	return out, err
}
