package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/gradine/gradine/tune"
)

type jsonTuning struct {
	Tune        string            `json:"tune"`
	Instance    json.RawMessage   `json:"instance"`
	Objective   string            `json:"objective"` // what T_ev, range and above are values of
	Best        []json.RawMessage `json:"best"`
	TEv         *big.Int          `json:"T_ev,omitempty"`
	Range       []*big.Int        `json:"range,omitempty"`
	Points      int               `json:"points"`
	Pruned      int               `json:"pruned"`
	Complete    bool              `json:"complete"`
	Verdict     string            `json:"verdict"`
	By          tune.By           `json:"by"`
	Theorem     string            `json:"theorem,omitempty"`
	Proved      []string          `json:"proved,omitempty"`
	Certificate string            `json:"certificate"`
	Table       []jsonPoint       `json:"table"`
}

type jsonPoint struct {
	Point   json.RawMessage `json:"point"`
	TEv     *big.Int        `json:"T_ev,omitempty"`
	Range   []*big.Int      `json:"range,omitempty"`
	By      tune.By         `json:"by,omitempty"`
	Illegal string          `json:"illegal,omitempty"`
	Above   *big.Int        `json:"above,omitempty"`
	Bounded string          `json:"bounded,omitempty"`
}

// object writes names and values as a JSON object in the given order.
func object(names []string, values []*big.Int) json.RawMessage {
	var w strings.Builder
	w.WriteByte('{')
	for i, n := range names {
		if i > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(&w, "%q:%s", n, values[i])
	}
	w.WriteByte('}')
	return json.RawMessage(w.String())
}

func instance(given []tune.Given) json.RawMessage {
	var names []string
	var values []*big.Int
	for _, g := range given {
		names, values = append(names, g.Name), append(values, g.Value)
	}
	return object(names, values)
}

// TuningJSON writes an answer as one line.
func TuningJSON(w io.Writer, a *tune.Answer) error {
	legal, pruned := a.Legal()
	j := jsonTuning{
		Tune: a.Entry, Instance: instance(a.Given), Best: []json.RawMessage{}, Points: legal, Pruned: pruned,
		Objective: a.Objective, Complete: a.Complete, Verdict: verdictOf(a), By: a.By, Proved: a.Proved, Certificate: tune.Address(a.Certificate()), Table: []jsonPoint{},
	}
	if a.Closed != nil {
		j.Theorem = a.Closed.Certificate
	}
	for _, i := range a.Best {
		j.Best = append(j.Best, object(a.Names, a.Points[i].Values))
	}
	j.TEv, j.Range = valueOf(a.Value())
	for _, p := range a.Points {
		x := jsonPoint{Point: object(a.Names, p.Values), By: p.By, Illegal: p.Illegal, Above: p.Above, Bounded: p.Bounded}
		if p.Known() {
			x.TEv, x.Range = valueOf(p.Low, p.High)
		}
		j.Table = append(j.Table, x)
	}
	out := newLines(w)
	out.put(j)
	return out.err
}

func verdictOf(a *tune.Answer) string {
	if a.Complete {
		return "complete"
	}
	return "bounded"
}

// valueOf is a single value, or a range: never a number where schedules differ.
func valueOf(low, high *big.Int) (*big.Int, []*big.Int) {
	if low == nil || low.Cmp(high) == 0 {
		return low, nil
	}
	return nil, []*big.Int{low, high}
}

func valueText(low, high *big.Int) string {
	v, r := valueOf(low, high)
	if r != nil {
		return fmt.Sprintf("%s‥%s", low, high)
	}
	return v.String()
}

// Tuning writes an answer for people; with all, every point of it.
func Tuning(w io.Writer, style Style, a *tune.Answer, all bool) {
	given := []string{style.Bold(a.Entry), ""}
	for _, g := range a.Given {
		given = append(given, fmt.Sprintf("%s=%s", g.Name, g.Value))
	}
	fmt.Fprintln(w, strings.TrimSpace(strings.Join(given, " ")))
	legal, pruned := a.Legal()
	for _, i := range a.Best {
		p := a.Points[i]
		fmt.Fprintf(w, "  %s  %s %s\n", style.Green(pointText(a.Names, p.Values)), a.Objective, valueText(p.Low, p.High))
	}
	switch {
	case legal == 0:
		fmt.Fprintf(w, "  %s\n", style.Red("no legal point"))
	case len(a.Best) == 0:
		fmt.Fprintf(w, "  %s\n", style.Yellow("no point has a value within the bounds"))
	}
	claim := "no point is better"
	switch {
	case legal == 0 && a.Complete:
		claim = "every point was tried"
	case !a.Complete:
		claim = style.Yellow("bounded: better points are not excluded")
	}
	fmt.Fprintf(w, "  %s: %s of %d, %d of them cut short; by %s\n", claim, Count(legal, "legal point"), len(a.Points), pruned, wayText(a.By))
	if !all {
		illegal(w, a)
		return
	}
	for _, p := range a.Points {
		what := p.Illegal
		switch {
		case p.Illegal != "":
		case p.Known():
			what = a.Objective + " " + valueText(p.Low, p.High)
		case p.Above != nil:
			what = fmt.Sprintf("%s > %s", a.Objective, p.Above)
		default:
			what = "bounded: " + p.Bounded
		}
		fmt.Fprintf(w, "    %-24s %s\n", pointText(a.Names, p.Values), what)
	}
}

// wayText names a way to values for people.
func wayText(by tune.By) string {
	if by == tune.Exhaustive {
		return "exhaustive search"
	}
	return string(by)
}

// illegal says why points are none, a line for each reason.
func illegal(w io.Writer, a *tune.Answer) {
	count := map[string]int{}
	var reasons []string
	for _, p := range a.Points {
		if p.Illegal == "" {
			continue
		}
		if count[p.Illegal] == 0 {
			reasons = append(reasons, p.Illegal)
		}
		count[p.Illegal]++
	}
	for _, why := range reasons {
		fmt.Fprintf(w, "  %d illegal: %s\n", count[why], why)
	}
}

func pointText(names []string, values []*big.Int) string {
	var out []string
	for i, n := range names {
		out = append(out, fmt.Sprintf("%s=%s", n, values[i]))
	}
	return strings.Join(out, " ")
}
