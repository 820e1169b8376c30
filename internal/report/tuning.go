package report

import (
	"bytes"
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
	Carriers    json.RawMessage   `json:"carriers,omitempty"` // sizes of carrier sets
	Objective   string            `json:"objective"`          // what T_ev, range and above are values of
	Criterion   tune.Criterion    `json:"criterion"`
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
	SameAs  json.RawMessage `json:"same_as,omitempty"` // the point at which the machine is the same
	TEv     *big.Int        `json:"T_ev,omitempty"`
	Range   []*big.Int      `json:"range,omitempty"`
	By      tune.By         `json:"by,omitempty"`
	Illegal string          `json:"illegal,omitempty"`
	Above   *big.Int        `json:"above,omitempty"`
	Bounded string          `json:"bounded,omitempty"`
}

// object writes names and values as a JSON object in the given order.
func object(settings []tune.Setting) json.RawMessage {
	var w bytes.Buffer
	w.WriteByte('{')
	for i, s := range settings {
		if i > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(&w, "%s:", quoted(s.Name))
		if s.Value.Int != nil {
			w.WriteString(s.Value.Int.String())
		} else {
			w.Write(quoted(s.Value.Text))
		}
	}
	w.WriteByte('}')
	return w.Bytes()
}

// quoted is a JSON string.
func quoted(text string) []byte {
	data, err := json.Marshal(text)
	if err != nil {
		panic("report: " + err.Error())
	}
	return data
}

// settings are the parameters of a point.
func settings(a *tune.Answer, p *tune.Point) []tune.Setting {
	var out []tune.Setting
	for i, n := range a.Names {
		out = append(out, tune.Setting{Name: n, Value: p.Values[i]})
	}
	return out
}

// TuningJSON writes an answer as one line.
func TuningJSON(w io.Writer, a *tune.Answer) error {
	legal, pruned := a.Legal()
	j := jsonTuning{
		Tune: a.Entry, Instance: object(a.Given), Best: []json.RawMessage{}, Points: legal, Pruned: pruned,
		Objective: a.Objective, Criterion: a.Criterion, Complete: a.Complete, Verdict: verdictOf(a), By: a.By, Proved: a.Proved, Certificate: tune.Address(a.Certificate()), Table: []jsonPoint{},
	}
	if len(a.Carriers) > 0 {
		j.Carriers = object(a.Carriers)
	}
	if a.Closed != nil {
		j.Theorem = a.Closed.Certificate
	}
	for _, i := range a.Best {
		j.Best = append(j.Best, object(settings(a, &a.Points[i])))
	}
	j.TEv, j.Range = valueOf(a.Value())
	// Illegal points stand in the table as well, so that their number is that of the search.
	for i := range a.Points {
		p := &a.Points[i]
		x := jsonPoint{Point: object(settings(a, p)), By: p.By, Illegal: p.Illegal, Above: p.Above, Bounded: p.Bounded}
		if p.Known() {
			x.TEv, x.Range = valueOf(p.Low, p.High)
		}
		if p.SameAs >= 0 {
			x.SameAs = object(settings(a, &a.Points[p.SameAs]))
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
		return number(low) + "‥" + number(high)
	}
	return number(v)
}

// number writes an integer as models do.
func number(n *big.Int) string { return strings.Replace(n.String(), "-", "−", 1) }

// Tuning writes an answer for people; with all, every point of it.
func Tuning(w io.Writer, style Style, a *tune.Answer, all bool) {
	var head []string
	for _, g := range a.Given {
		head = append(head, g.Name+"="+g.Value.Text)
	}
	for _, s := range a.Carriers {
		head = append(head, fmt.Sprintf("card(%s)=%s", s.Name, s.Value.Text))
	}
	fmt.Fprintln(w, strings.TrimSpace(style.Bold(a.Entry)+"  "+strings.Join(head, " ")))
	legal, pruned := a.Legal()
	same := map[int][]string{} // other names of a point
	for i := range a.Points {
		if p := &a.Points[i]; p.SameAs >= 0 {
			same[p.SameAs] = append(same[p.SameAs], pointText(a, p))
		}
	}
	for _, i := range a.Best {
		p := &a.Points[i]
		fmt.Fprintf(w, "  %s  %s %s\n", style.Green(pointText(a, p)), a.Objective, valueText(p.Low, p.High))
		if others := same[i]; len(others) > 0 {
			fmt.Fprintf(w, "    the same machine: %s\n", some(others))
		}
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
	short := ""
	if pruned > 0 {
		short = fmt.Sprintf(", %d cut short", pruned)
	}
	fmt.Fprintf(w, "  %s: %s of %d%s; by %s, for the %s schedule\n", claim, Count(legal, "legal point"), len(a.Points), short, wayText(a.By), a.Criterion)
	if !all {
		illegal(w, a)
		return
	}
	for i := range a.Points {
		p := &a.Points[i]
		what := p.Illegal
		switch {
		case p.Illegal != "":
		case p.Known():
			what = a.Objective + " " + valueText(p.Low, p.High)
		case p.Above != nil:
			what = fmt.Sprintf("%s > %s", a.Objective, number(p.Above))
		default:
			what = "bounded: " + p.Bounded
		}
		if p.SameAs >= 0 {
			what += ", the same machine as " + pointText(a, &a.Points[p.SameAs])
		}
		fmt.Fprintf(w, "    %-24s %s\n", pointText(a, p), what)
	}
}

// some lists the first of many things.
func some(things []string) string {
	const most = 8
	if n := len(things); n > most {
		return strings.Join(things[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(things, ", ")
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

func pointText(a *tune.Answer, p *tune.Point) string {
	var out []string
	for i, n := range a.Names {
		out = append(out, n+"="+p.Values[i].Text)
	}
	return strings.Join(out, " ")
}
