package figures

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// CalibrationJSON writes a calibration as one line.
func CalibrationJSON(w io.Writer, c *project.Calibration) error {
	line := struct {
		Tune        string            `json:"tune"`                     // name of the entry of gradine.toml
		Constants   json.RawMessage   `json:"constants"`                // fitted values
		Measured    int               `json:"measured"`                 // number of rows used
		Error       *float64          `json:"error,omitempty"`          // median factor between prediction and measurement
		Random      int               `json:"random"`                   // number of measured points drawn at random, on which rank and regret rest
		Rank        *float64          `json:"rank,omitempty"`           // estimated rank correlation of predicted and measured times, for the whole space
		RankLow     *float64          `json:"rank_low,omitempty"`       // lower bound of rank, with a probability of 95 %
		RankHigh    *float64          `json:"rank_high,omitempty"`      // upper bound of rank, with a probability of 95 %
		Regret      *float64          `json:"regret,omitempty"`         // estimated time of choice divided by the best time, for the whole space
		RegretHigh  *float64          `json:"regret_high,omitempty"`    // upper bound of regret, with a probability of 95 %
		Gain        *float64          `json:"gain,omitempty"`           // share of the time of choice that the best point is expected to save
		Refused     int               `json:"unpredicted_failures"`     // number of points that the axioms allow and that failed on the device
		Unlawful    int               `json:"invalid_rows"`             // number of rows with points that the axioms forbid
		Elsewhere   int               `json:"unmatched_rows,omitempty"` // number of rows of other instances
		Untold      []string          `json:"unidentified"`             // constants that the measurements do not determine
		Together    [][2]string       `json:"confounded"`               // pairs of constants that the measurements cannot distinguish
		Choice      json.RawMessage   `json:"choice,omitempty"`         // the point predicted to be best
		Certificate string            `json:"certificate,omitempty"`    // address of the certificate of the answer
		Plan        []json.RawMessage `json:"plan,omitempty"`           // with --plan: points to measure next
	}{
		Tune: c.Entry, Constants: object(constants(c)), Measured: c.Measured, Error: finite(c.Error),
		Random: c.Random, Rank: finite(c.Rank.Value), RankLow: finite(c.Rank.Low), RankHigh: finite(c.Rank.High), Regret: finite(c.Regret.Value), RegretHigh: finite(c.Regret.High), Gain: finite(c.Gain),
		Refused: c.Refused, Unlawful: c.Unlawful, Elsewhere: c.Elsewhere, Untold: untold(c), Together: c.Together,
	}
	if line.Untold == nil {
		line.Untold = []string{}
	}
	if line.Together == nil {
		line.Together = [][2]string{}
	}
	if c.Answer != nil {
		line.Certificate = tune.Address(c.Answer.Certificate())
		if len(c.Answer.Best) > 0 {
			line.Choice = object(settings(c.Answer, &c.Answer.Points[c.Answer.Best[0]]))
		}
	}
	for _, p := range c.Plan {
		line.Plan = append(line.Plan, object(settings(&tune.Answer{Names: c.Names}, &tune.Point{Values: p})))
	}
	out := report.NewLines(w)
	out.Put(line)
	return out.Err
}

// CalibrationText writes a calibration for people: what was found, the instance for
// gradine.toml, and the plan as the beginning of a table, which stands alone where nothing was
// measured so far: it is a file to fill in.
func CalibrationText(w io.Writer, style report.Style, c *project.Calibration) {
	if c.Measured+c.Refused+c.Unlawful+c.Elsewhere > 0 || len(c.Plan) == 0 {
		fitText(w, style, c)
		if len(c.Plan) > 0 {
			fmt.Fprintln(w)
		}
	}
	if len(c.Plan) > 0 {
		fmt.Fprintf(w, "%s\tms\n", strings.Join(c.Names, "\t"))
		for _, p := range c.Plan {
			for _, v := range p {
				fmt.Fprintf(w, "%s\t", v.Text)
			}
			fmt.Fprintln(w)
		}
	}
}

// fitText writes what was found, and the instance for gradine.toml.
func fitText(w io.Writer, style report.Style, c *project.Calibration) {
	fmt.Fprintf(w, "%s  %s\n", style.Bold(c.Entry), report.Count(c.Measured, "measured point"))
	for _, k := range c.Constants {
		note := ""
		if k.Told > doubtful && c.Measured > 0 {
			note = "; poorly determined by the measurements"
		}
		fmt.Fprintf(w, "  %s %d  (was %d, in %d‥%d%s)\n", k.Name, k.Value, k.Start, k.Low, k.High, note)
	}
	if c.UnitFound && c.Measured > 0 {
		fmt.Fprintf(w, "  unit = %.4g of the objective per millisecond, fitted as well\n", c.Unit)
	}
	for _, pair := range c.Together {
		fmt.Fprintf(w, "  %s\n", style.Yellow("the measurements cannot distinguish "+pair[0]+" and "+pair[1]))
	}
	if c.Refused > 0 {
		fmt.Fprintf(w, "  %s\n", style.Yellow(fmt.Sprintf("%s failed on the device but is valid in the model: an axiom is missing", report.Count(c.Refused, "point"))))
	}
	if c.Unlawful > 0 {
		fmt.Fprintf(w, "  %s\n", style.Yellow(fmt.Sprintf("%s with a time is invalid in the model: an axiom is too strict", report.Count(c.Unlawful, "row"))))
	}
	if c.Elsewhere > 0 {
		fmt.Fprintf(w, "  %s\n", style.Yellow(notOfSearch(c.Elsewhere)))
	}
	if c.Measured > 0 {
		fmt.Fprintf(w, "  median factor between predicted and measured time: %.2f\n", c.Error)
		if c.Error > misfit {
			fmt.Fprintf(w, "  %s\n", style.Yellow("the model does not fit these times; correct the unit, the ranges or the context, and trust only measurements until then"))
		}
	}
	if c.Measured > 0 {
		spaceText(w, style, c)
	}
	// Only this part may be pasted into gradine.toml, so it comes last.
	if c.Answer != nil {
		if len(c.Answer.Best) > 0 {
			point := &c.Answer.Points[c.Answer.Best[0]]
			how := "predicted to be fastest"
			if point.By == tune.Device {
				how = "the fastest measured point"
				if predicts(c) {
					how += "; no other point is predicted to be faster"
				}
			}
			fmt.Fprintf(w, "  %s  %s, %s\n", style.Green(pointText(c.Answer, point)), valuesText(c.Answer, point), how)
		}
		fmt.Fprintf(w, "\n# Calibrated with %s of %s.\n[[tune.%s.instances]]\n", report.Count(c.Measured, "point"), c.From, c.Entry)
		for _, g := range c.Given {
			fmt.Fprintf(w, "%s = %s\n", g.Name, g.Value)
		}
	}
}

// spaceText says what random points show of the whole space, and whether measuring more is worth it.
func spaceText(w io.Writer, style report.Style, c *project.Calibration) {
	switch {
	case !c.Rank.Known():
		fmt.Fprintf(w, "  %s\n", style.Yellow(fmt.Sprintf("how well the model ranks the space is unknown: %s drawn at random, and that is too few; --plan proposes such points", report.Count(c.Random, "measured point"))))
	default:
		fmt.Fprintf(w, "  over the whole space: rank correlation %.2f (95 %%: %.2f to %.2f), estimated from %s\n", c.Rank.Value, c.Rank.Low, c.Rank.High, report.Count(c.Random, "random point"))
		if c.Rank.Value < lowRank {
			fmt.Fprintf(w, "  %s\n", style.Yellow("the model hardly ranks this space: trust only measurements"))
		}
	}
	if !c.Regret.Known() {
		return
	}
	fmt.Fprintf(w, "  the chosen point takes %.2f × the best time of the space (95 %%: at most %.2f ×)\n", c.Regret.Value, c.Regret.High)
	advice := "measuring more points may help; --plan proposes points"
	if c.Gain < smallGain {
		advice = "stop measuring, because this is little"
	}
	fmt.Fprintf(w, "  the best point is expected to save %.1f %% of its time: %s\n", 100*c.Gain, advice)
	if c.Stuck() && c.Gain >= smallGain {
		fmt.Fprintln(w, "  the last measured points found nothing faster: --plan starts again with more random points")
	}
}

// predicts reports whether the model is known to rank the space.
func predicts(c *project.Calibration) bool {
	return c.Rank.Known() && c.Rank.Value >= lowRank && c.Rank.Low > 0
}

const (
	lowRank   = 0.3  // correlation of ranks below which a model does not say which points are fast
	smallGain = 0.01 // part of the time for which it is not worth measuring more
)

// misfit is the factor between prediction and time from which on the model is about something
// else: then each point that was not measured looks faster, or slower, than all that were.
const misfit = 2

// doubtful is the part of what was believed that measurements have to remove.
const doubtful = 0.9

func untold(c *project.Calibration) (out []string) {
	for _, k := range c.Constants {
		if k.Told > doubtful {
			out = append(out, k.Name)
		}
	}
	return out
}

func constants(c *project.Calibration) (out []tune.Setting) {
	for _, k := range c.Constants {
		out = append(out, tune.Setting{Name: k.Name, Value: simulate.Constant{Text: fmt.Sprint(k.Value), Int: big.NewInt(k.Value)}})
	}
	return out
}

// finite is x rounded to three places; nil if it is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = math.Round(x*1000) / 1000
	return &x
}
