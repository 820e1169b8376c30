package figures

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/tune"
)

// Tuned is one answer of a search for the best parameters, as `gradine tune
// --format jsonl` writes it and as reports read it.
type Tuned struct {
	Tune        string            `json:"tune"`                       // name of the entry of gradine.toml
	Instance    json.RawMessage   `json:"instance"`                   // values of the constants
	Carriers    json.RawMessage   `json:"carriers,omitempty"`         // sizes of carrier sets
	Objective   string            `json:"objective"`                  // the objective; T_ev, range and lower_bound are values of it
	Sense       string            `json:"sense"`                      // minimise or maximise
	Order       tune.Order        `json:"order,omitempty"`            // order of several objectives: lexicographic or pareto
	Also        []TunedObjective  `json:"also,omitempty"`             // the other objectives
	Constraints []string          `json:"constraints,omitempty"`      // constraints in addition to the axioms
	Criterion   tune.Criterion    `json:"criterion"`                  // the schedule that counts: worst or best
	Best        []json.RawMessage `json:"best"`                       // the points with the optimal value
	TEv         *big.Int          `json:"T_ev,omitempty"`             // the optimum, in units of the model
	Range       []*big.Int        `json:"range,omitempty"`            // the least and greatest possible optimum
	Points      int               `json:"points"`                     // number of points of the space
	Pruned      int               `json:"pruned"`                     // number of points excluded by a bound
	Measured    int               `json:"measured,omitempty"`         // number of points with a measured value
	Elsewhere   int               `json:"unmatched_rows,omitempty"`   // number of measured rows that match no point
	Invalid     int               `json:"invalid_rows,omitempty"`     // number of measured points that the axioms forbid
	Ms          float64           `json:"ms,omitempty"`               // measured time of the best points; T_ev is the nearest number of units
	Steps       int               `json:"steps"`                      // events of all runs and states of all explorations: if the verdict is complete, the optimum is proved after so many; by theorem 0
	First       *int              `json:"steps_to_first,omitempty"`   // of these, the steps until a first point had a value
	Reached     *int              `json:"steps_to_best,omitempty"`    // of these, the steps until one of the best points had its value, and all of a Pareto front
	AtOnce      int               `json:"initially_final,omitempty"`  // points at which final holds before the first step
	Complete    bool              `json:"complete"`                   // the search covered every point
	Verdict     string            `json:"verdict"`                    // complete or bounded
	By          tune.By           `json:"by"`                         // theorem, run, exhaustive or measurement
	Others      tune.By           `json:"by_others,omitempty"`        // for points that were not measured: the source of their values
	Theorem     string            `json:"theorem,omitempty"`          // certificate of the closed form that gives the values
	Proved      []string          `json:"proved,omitempty"`           // obligations on which the theorem depends
	Cut         []string          `json:"truncated,omitempty"`        // literals that truncate a search set
	Counts      tune.Counts       `json:"counts,omitempty"`           // for kernel sources: bounds or partial; the claim concerns only these counts
	Sample      bool              `json:"sample,omitempty"`           // the points are a sample, and nothing is claimed about other points
	Notes       []string          `json:"notes,omitempty"`            // for kernel sources: counted and uncounted operations, and assumed figures
	Assumed     []*big.Int        `json:"assumed_range,omitempty"`    // for kernel sources: values of the first of the best points, with the assumed figures at their good and bad ends
	Steady      *bool             `json:"assumed_steady,omitempty"`   // for kernel sources with assumed figures: the point is also best at both ends of these figures
	Unshown     []string          `json:"hidden_constants,omitempty"` // constants that the answer does not show, but that distinguish the best points
	Certificate string            `json:"certificate"`                // address of the certificate of the answer
	Table       []TuningPoint     `json:"table,omitempty"`            // the points searched
}

// TunedObjective is a further objective.
type TunedObjective struct {
	Objective string `json:"objective"`
	Sense     string `json:"sense"`
}

// TuningPoint is one point of the search space.
type TuningPoint struct {
	Point   json.RawMessage `json:"point"`                 // values of the parameters
	SameAs  json.RawMessage `json:"same_as,omitempty"`     // another point for which the machine is the same
	TEv     *big.Int        `json:"T_ev,omitempty"`        // value of the objective, in units of the model
	Ms      float64         `json:"ms,omitempty"`          // measured time; T_ev is then the nearest number of units, and is absent if the time is less than half a unit
	Range   []*big.Int      `json:"range,omitempty"`       // least and greatest possible value
	Also    [][]*big.Int    `json:"also,omitempty"`        // least and greatest values of the other objectives
	Steps   int             `json:"steps,omitempty"`       // events of the run, or explored states
	By      tune.By         `json:"by,omitempty"`          // theorem, run, exhaustive or measurement
	Illegal string          `json:"invalid,omitempty"`     // the axiom that the point violates
	Above   *big.Int        `json:"lower_bound,omitempty"` // lower bound of the value
	Bounded string          `json:"bounded,omitempty"`     // the limit that stopped the run of the point
}

// ReadTunings reads the output of `gradine tune --format jsonl`.
func ReadTunings(in io.Reader) ([]Tuned, error) {
	var out []Tuned
	dec := json.NewDecoder(in)
	for {
		var t Tuned
		if err := dec.Decode(&t); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("answer %d: %w", len(out)+1, err)
		} else if t.Tune == "" {
			return nil, fmt.Errorf("answer %d is not an answer of tune --format jsonl: it lacks \"tune\"", len(out)+1)
		}
		out = append(out, t)
	}
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
	out := report.NewLines(w)
	out.Put(TuningOf(a))
	return out.Err
}

// TuningOf is an answer in the form that is written.
func TuningOf(a *tune.Answer) Tuned {
	t := overview(a)
	t.Certificate, t.Table = tune.Address(a.Certificate()), pointRows(a)
	return t
}

// overview is an answer in the form that is written, without its certificate and its table: with many points these
// take longer than some searches, and most texts do not show them.
func overview(a *tune.Answer) Tuned {
	t := goalOf(a)
	t.Tune, t.Instance, t.Best, t.Measured, t.Elsewhere, t.AtOnce = a.Entry, object(a.Given), []json.RawMessage{}, a.Measured(), a.Elsewhere, a.AtOnce()
	t.Points, t.Pruned = a.Legal()
	t.Constraints, t.Criterion, t.Complete, t.Verdict, t.By, t.Proved, t.Cut = a.Constraints, a.Criterion, a.Complete, verdictOf(a), a.By, a.Proved, a.Cut
	t.Unshown, t.Others, t.Invalid, t.Sample, t.Counts, t.Notes = a.Unshown, a.Others, a.Invalid, a.Sample, a.Counts, a.Notes
	t.Steps, t.First, t.Reached = a.Steps, unlessNone(a.First), unlessNone(a.Reached())
	if a.Assumed != nil {
		t.Steady = &a.Assumed.Steady
		if a.Assumed.Good != nil && a.Assumed.Bad != nil {
			t.Assumed = []*big.Int{a.Assumed.Good, a.Assumed.Bad}
		}
	}
	if len(a.Best) > 0 {
		t.Ms, _, _ = a.Points[a.Best[0]].Measured()
	}
	if len(a.Carriers) > 0 {
		t.Carriers = object(a.Carriers)
	}
	if a.Closed != nil {
		t.Theorem = a.Closed.Certificate
	}
	for _, i := range a.Best {
		t.Best = append(t.Best, object(settings(a, &a.Points[i])))
	}
	t.TEv, t.Range = valueOf(a.Value())
	t.TEv = unlessLess(t.TEv, t.Ms)
	return t
}

// pointRows lists the points, invalid ones among them: the number of rows is that of the points which the search looked at.
func pointRows(a *tune.Answer) []TuningPoint {
	out := []TuningPoint{}
	for i := range a.Points {
		p := &a.Points[i]
		x := TuningPoint{Point: object(settings(a, p)), Steps: p.Steps, By: p.By, Illegal: p.Illegal, Above: p.Above, Bounded: p.Bounded}
		x.Ms, _, _ = p.Measured()
		if p.Known() {
			x.TEv, x.Range = valueOf(p.Ranges[0].Low, p.Ranges[0].High)
			x.TEv = unlessLess(x.TEv, x.Ms)
			for _, further := range p.Ranges[1:] {
				x.Also = append(x.Also, []*big.Int{further.Low, further.High})
			}
		}
		if p.SameAs >= 0 {
			x.SameAs = object(settings(a, &a.Points[p.SameAs]))
		}
		out = append(out, x)
	}
	return out
}

// unlessNone is a number of steps, or nil if there is none.
func unlessNone(steps int) *int {
	if steps < 0 {
		return nil
	}
	return &steps
}

// unlessLess is a number of units, or nil if it stands for a measured time of less than half
// a unit: that is not 0.
func unlessLess(value *big.Int, ms float64) *big.Int {
	if ms > 0 && value != nil && value.Sign() == 0 {
		return nil
	}
	return value
}

// goalOf says what is best, and nothing else of an answer.
func goalOf(a *tune.Answer) Tuned {
	t := Tuned{Objective: a.Objectives[0].Text, Sense: a.Objectives[0].Sense()}
	for _, objective := range a.Objectives[1:] {
		t.Order, t.Also = a.Order, append(t.Also, TunedObjective{objective.Text, objective.Sense()})
	}
	return t
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

// Detail is how much is said of the points of an answer.
type Detail uint8

// The details.
const (
	Best    Detail = iota // the best ones; of the illegal ones how many
	Reasons               // also why points are invalid
	Every                 // every point
)

// Summary is one line about the answers of an entry that need no attention.
type Summary struct {
	Entry string
	lines []Line
}

// Line is what a Summary says of one answer.
type Line struct {
	Point string `json:"point,omitempty"` // the best point and its values, if it is the only one
	Claim string `json:"claim"`
	Way   string `json:"way"`
}

// LineOf is what a Summary says of an answer; ok is false if the answer has to be shown: it is not complete, it has
// no best point, or it carries a warning.
func LineOf(a *tune.Answer) (line Line, ok bool) {
	if !a.Complete || len(a.Best) == 0 || a.AtOnce() > 0 || a.Elsewhere > 0 || a.Invalid > 0 || len(a.Unshown) > 0 || len(a.Cut) > 0 {
		return Line{}, false
	}
	line = Line{Claim: ClaimText(a), Way: overview(a).WaysText()}
	if len(a.Best) == 1 {
		point := &a.Points[a.Best[0]]
		line.Point = pointText(a, point) + "  " + valuesText(a, point)
	}
	return line, true
}

// Add adds what is said of one more answer.
func (s *Summary) Add(line Line) { s.lines = append(s.lines, line) }

// Write writes the line, if there were such answers; with the best point, if it is the only one.
func (s *Summary) Write(out io.Writer, style report.Style) {
	if len(s.lines) == 0 {
		return
	}
	first := s.lines[0]
	text := report.Count(len(s.lines), "instance")
	if len(s.lines) == 1 && first.Point != "" {
		text = first.Point
	}
	var ways []string
	for _, line := range s.lines {
		if !slices.Contains(ways, line.Way) {
			ways = append(ways, line.Way)
		}
	}
	fmt.Fprintf(out, "%s  %s: %s; %s\n", style.Bold(fmt.Sprintf("%-32s", "tune."+s.Entry)), text, style.Green(first.Claim), strings.Join(ways, "; "))
}

// Tuning writes an answer for people.
func Tuning(out io.Writer, style report.Style, answer *tune.Answer, detail Detail) {
	var head []string
	for _, g := range answer.Given {
		head = append(head, g.Name+"="+g.Value.Text)
	}
	for _, s := range answer.Carriers {
		head = append(head, fmt.Sprintf("card(%s)=%s", s.Name, s.Value.Text))
	}
	fmt.Fprintln(out, strings.TrimSpace(style.Bold(answer.Entry)+"  "+strings.Join(head, " ")))
	legal, pruned := answer.Legal()
	same := map[int][]string{} // other names of a point
	for i := range answer.Points {
		if point := &answer.Points[i]; point.SameAs >= 0 {
			same[point.SameAs] = append(same[point.SameAs], pointText(answer, point))
		}
	}
	for _, i := range answer.Best {
		point := &answer.Points[i]
		fmt.Fprintf(out, "  %s  %s\n", style.Green(pointText(answer, point)), valuesText(answer, point))
		if others := same[i]; len(others) > 0 {
			fmt.Fprintf(out, "    same machine: %s\n", some(others))
		}
	}
	switch {
	case legal == 0:
		fmt.Fprintf(out, "  %s\n", style.Red("no valid point"))
	case len(answer.Best) == 0:
		fmt.Fprintf(out, "  %s\n", style.Yellow("no point has a value within the bounds"))
	}
	claim := ClaimText(answer)
	switch {
	case legal == 0 && answer.Complete:
		claim = "tried every point"
	case !answer.Complete:
		claim = style.Yellow("bounded: better points may exist")
	}
	short := ""
	if pruned > 0 {
		short = fmt.Sprintf(", %d cut short", pruned)
	}
	fmt.Fprintf(out, "  %s: %s of %d%s; %s, for the %s schedule\n", claim, report.Count(legal, "valid point"), len(answer.Points), short, overview(answer).WaysText(), answer.Criterion)
	if text := stepsText(answer); text != "" {
		fmt.Fprintf(out, "  %s\n", text)
	}
	if n := answer.AtOnce(); n > 0 {
		fmt.Fprintf(out, "  %s\n", style.Yellow("final already holds in the initial state at "+report.Count(n, "point")+"; no event has occurred there"))
	}
	if answer.Elsewhere > 0 {
		fmt.Fprintf(out, "  %s\n", style.Yellow(notOfSearch(answer.Elsewhere)))
	}
	if answer.Invalid > 0 {
		fmt.Fprintf(out, "  %s\n", style.Yellow(report.Count(answer.Invalid, "measured point")+" ignored: the axioms exclude these points; `gradine calibrate` lists them"))
	}
	if len(answer.Unshown) > 0 {
		fmt.Fprintf(out, "  %s\n", style.Yellow("worse points have the same parameters; add "+strings.Join(answer.Unshown, ", ")+" to parameters"))
	}
	for _, what := range answer.Cut {
		fmt.Fprintf(out, "  %s\n", style.Yellow("search set truncated by "+what+"; a larger value adds points"))
	}
	if detail != Every {
		invalidPoints(out, answer, detail == Reasons)
		return
	}
	for i := range answer.Points {
		point := &answer.Points[i]
		what := point.Illegal
		switch {
		case point.Illegal != "":
		case point.Known():
			what = valuesText(answer, point)
		case point.Above != nil:
			what = fmt.Sprintf("%s > %s", answer.Objectives[0].Text, number(point.Above))
		default:
			what = "bounded: " + point.Bounded
		}
		if point.SameAs >= 0 {
			what += ", the same machine as " + pointText(answer, &answer.Points[point.SameAs])
		}
		fmt.Fprintf(out, "    %-24s %s\n", pointText(answer, point), what)
	}
}

// stepsText says how many steps the search took until it knew what; "" if a theorem or a device has given all values.
func stepsText(answer *tune.Answer) string {
	if answer.Steps == 0 {
		return ""
	}
	var parts []string
	if answer.First >= 0 {
		parts = append(parts, fmt.Sprintf("%d until the first value", answer.First))
	}
	if reached := answer.Reached(); reached >= 0 {
		parts = append(parts, fmt.Sprintf("%d until the best", reached))
	}
	last := "in all"
	if answer.Complete && len(answer.Best) > 0 {
		last = "until no point could be better"
	}
	return "steps: " + strings.Join(append(parts, fmt.Sprintf("%d %s", answer.Steps, last)), ", ")
}

// valuesText is what each objective is at a point.
func valuesText(answer *tune.Answer, point *tune.Point) string {
	if ms, value, ok := point.Measured(); ok {
		return fmt.Sprintf("%s ≈ %s, measured: %s ms", answer.Objectives[0].Text, decimal(value), decimal(ms))
	}
	var out []string
	for k, objective := range answer.Objectives {
		out = append(out, objective.Text+" "+valueText(point.Ranges[k].Low, point.Ranges[k].High))
	}
	return strings.Join(out, ", ")
}

// OrderText says what is better, where that is not the least value of one objective.
func (t Tuned) OrderText() string {
	aims := []string{t.Sense + " " + t.Objective}
	for _, further := range t.Also {
		aims = append(aims, further.Sense+" "+further.Objective)
	}
	switch {
	case len(aims) > 1 && t.Order == tune.Pareto:
		return " in one objective and as good in the others: " + strings.Join(aims, ", ")
	case len(aims) > 1 || t.Sense == "maximise":
		return " (" + strings.Join(aims, ", then ") + ")"
	}
	return ""
}

// some lists the first of many things.
func some(things []string) string {
	const most = 8
	if n := len(things); n > most {
		return strings.Join(things[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(things, ", ")
}

// decimal writes what was measured: with three digits, or all before the point.
func decimal(x float64) string {
	if x >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// ClaimText says what is claimed of the best points of a complete answer.
func ClaimText(a *tune.Answer) string {
	claim := "no point is better"
	if a.Others != "" {
		claim = "no point is better, measured or predicted"
	}
	if a.Sample {
		claim = strings.Replace(claim, "no point", "no point of the sample", 1)
	}
	t := overview(a)
	return claim + t.LimitsText() + t.OrderText()
}

// LimitsText says to what a claim about points of a kernel source is limited; "" if to nothing.
func (t Tuned) LimitsText() (limits string) {
	switch t.Counts {
	case tune.BoundCounts:
		limits = " at the upper bounds of the counts; another point may be better below them"
	case tune.PartialCounts:
		limits = " for the counted effects only"
	}
	if t.Steady != nil {
		limits += " with the assumed figures of the device"
	}
	return limits
}

// MeasuredText is the value of the best points of a measured answer.
func (t Tuned) MeasuredText() string {
	return fmt.Sprintf("%s measured: %s ms", t.Objective, decimal(t.Ms))
}

// WaysText says what an answer rests on.
func (t Tuned) WaysText() string {
	switch others := t.Points - t.Measured; {
	case t.By != tune.Device || others == 0:
		return "by " + WayText(t.By)
	default:
		return fmt.Sprintf("by %s of %s, and by %s for %s", WayText(t.By), report.Count(t.Measured, "point"), WayText(t.Others), report.Count(others, "other"))
	}
}

// WayText names a way to values for people.
func WayText(by tune.By) string {
	if by == tune.Exhaustive {
		return "exhaustive search"
	}
	return string(by)
}

// mostReasons is how many combinations of reasons have a line each.
const mostReasons = 4

// invalidPoints says how many points are invalid and why. Without reasons it is one line, which has the reason if there is
// only one and it is short.
func invalidPoints(out io.Writer, answer *tune.Answer, reasons bool) {
	count, all := map[string]int{}, 0
	var order []string
	for _, p := range answer.Points {
		if p.Illegal == "" {
			continue
		}
		all++
		if count[p.Illegal]++; count[p.Illegal] == 1 {
			order = append(order, p.Illegal)
		}
	}
	if !reasons && (len(order) > 1 || all > 0 && utf8.RuneCountInString(order[0]) > maxReason) {
		fmt.Fprintf(out, "  %d invalid, for %s (-v lists them)\n", all, report.Count(len(order), "reason"))
		return
	}
	if len(order) <= mostReasons {
		for _, why := range order {
			fmt.Fprintf(out, "  %d invalid: %s\n", count[why], why)
		}
		return
	}
	// Each combination of axioms would have its line: the axioms have one each instead.
	axioms, other := answer.Violations()
	fmt.Fprintf(out, "  %d invalid; a point may violate several axioms:\n", all)
	for _, x := range axioms {
		fmt.Fprintf(out, "    %d violate %s\n", x.Points, x.Axiom)
	}
	if other > 0 {
		fmt.Fprintf(out, "    %d for other reasons; --all-points lists them\n", other)
	}
}

// maxReason is the length of a reason that is shown unasked.
const maxReason = 100

func pointText(a *tune.Answer, p *tune.Point) string {
	var out []string
	for i, n := range a.Names {
		out = append(out, n+"="+p.Values[i].Text)
	}
	return strings.Join(out, " ")
}

// notOfSearch says that measurements were passed over.
func notOfSearch(rows int) string {
	return report.Count(rows, "measured row") + " ignored: the search has no point with these values"
}
