package figures

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/runner"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune/loop"
)

// Measured is what measurements of a kernel on a device have found.
type Measured struct {
	*loop.Report
	File, Kernel string
	Device       runner.Device
	Names        []string // of the parameters
	Log          string   // the file of the measurements
	Others       int      // measurements in it of something else
	Counted      *project.Counted
}

// point names a configuration.
func (m *Measured) point(at []string) string {
	var parts []string
	for i, name := range m.Names {
		parts = append(parts, name+"="+at[i])
	}
	return strings.Join(parts, " ")
}

func (m *Measured) object(at []string) json.RawMessage {
	var parts []string
	for i, name := range m.Names {
		parts = append(parts, fmt.Sprintf("%q:%s", name, strings.ReplaceAll(at[i], "−", "-")))
	}
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

// size is that of the problem as an object; nil if there is one size.
func (m *Measured) size() json.RawMessage {
	var parts []string
	for _, s := range m.Counted.Size {
		parts = append(parts, fmt.Sprintf("%q:%d", s.Name, s.Value))
	}
	if parts == nil {
		return nil
	}
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

// milliseconds is a time in three digits.
func milliseconds(ms float64) string { return fmt.Sprintf("%.4g ms", ms) }

// stopText says why a loop has ended.
var stopText = map[loop.Stop]string{
	loop.NoPoints:   "the configurations of --run-points are measured",
	loop.NoTime:     "the time of --run-time is over",
	loop.NoGain:     "one more measurement is expected to save less than --run-gain",
	loop.Everything: "all configurations are measured",
}

// MeasuredText writes what was measured. Every sentence says that it rests on measurements, or on what they predict.
func MeasuredText(w io.Writer, style report.Style, m *Measured) {
	size := ""
	for _, s := range m.Counted.Size {
		size += fmt.Sprintf(" %s=%d", s.Name, s.Value)
	}
	fmt.Fprintf(w, "%s%s on %s (driver %s, %s)\n", m.Kernel, size, m.Device.Name, m.Device.Driver, m.Device.Runtime)
	line := func(format string, args ...any) { fmt.Fprintf(w, "  "+format+"\n", args...) }
	for i, s := range m.Best {
		if i == 0 {
			line("%s  %s, the fastest by measurement (%s)", style.Green(m.point(s.At)), milliseconds(s.MS), s.Launch)
			continue
		}
		line("%s  %s, a tie with the fastest (%s)", m.point(s.At), milliseconds(s.MS), s.Launch)
	}
	if r := m.Reference; r.Measured > 0 && len(m.Best) > 0 {
		line("reference: %s  %s, %.2f × the fastest", m.point(r.At), milliseconds(r.MS), r.MS/m.Best[0].MS)
	}
	line("%s, %d of them now; failed: %d%s", report.Count(m.Points, "configuration")+" measured", m.Measured, total(m.Failed), tallied(m.Failed))
	if len(m.Best) > 0 {
		line("results agree with those of the reference, within the tolerances of the table; that those are right is assumed")
	}
	line("launches: %s", strings.TrimPrefix(tallied(m.Launches), ": "))
	if m.Launches["safe"] < total(m.Launches) {
		line("%s", style.Yellow("only launches called safe are proved free of races and barrier divergence"))
	}
	for _, why := range leftOut(m.Counted) {
		line("%s", style.Yellow(why))
	}
	if text := stopText[m.Stopped]; text != "" {
		line("stopped: %s", text)
	}
	if p := m.Plan; p != nil && p.Left > 0 && len(m.Best) > 0 {
		line("%s", outlookText(m))
		line("that rests on a model fitted to the times of %s, and on no theorem about the device", report.Count(m.Timed, "configuration"))
		switch {
		case !p.Rank.Known():
			line("%s", style.Yellow(fmt.Sprintf("how well the model orders this space is unknown: %s drawn at random, which is too few", report.Count(p.Random, "measured configuration"))))
		case p.Rank.Value < lowRank || p.Rank.Low <= 0:
			line("%s", style.Yellow(fmt.Sprintf("the model hardly orders this space (rank correlation %.2f, 95 %%: %.2f to %.2f): trust only measurements", p.Rank.Value, p.Rank.Low, p.Rank.High)))
		default:
			line("the model orders this space with rank correlation %.2f (95 %%: %.2f to %.2f), estimated from %s", p.Rank.Value, p.Rank.Low, p.Rank.High, report.Count(p.Random, "random configuration"))
		}
	}
	if d := m.Drift; d.Noticed {
		line("%s", style.Yellow(fmt.Sprintf("the device changed while it measured: the reference took %.2f to %.2f × its first time; times are scaled by that", d.Least, d.Most)))
	}
	line("times of one configuration differ by %.1f %%; the reference was measured %s", 100*m.Noise, report.Count(m.Drift.Controls, "time"))
	line("measurements: %s", m.Log)
	if m.Others > 0 {
		line("%s there are of another source, kernel, reference, device or data, and not used", report.Count(m.Others, "measurement"))
	}
}

// leftOut says which configurations were never candidates, since the model does not know them.
func leftOut(c *project.Counted) (out []string) {
	if c.Sampled {
		out = append(out, "the configurations are drawn at random from more, of which nothing is said")
	}
	n := map[string]int{}
	for _, f := range c.Failed {
		n[f.Why]++
	}
	for _, why := range slices.Sorted(maps.Keys(n)) {
		out = append(out, fmt.Sprintf("%s not considered: %s", report.Count(n[why], "configuration"), why))
	}
	return out
}

// outlookText says what the model predicts of what was not measured.
func outlookText(m *Measured) string {
	p := m.Plan
	left := report.Count(p.Left, "configuration") + " not measured"
	most := fmt.Sprintf("within two standard deviations at most %.1f %% faster", max(0, 100*p.AtMost))
	if p.Faster > 0 {
		return fmt.Sprintf("%s: %s is predicted to be fastest, %.1f %% faster than the fastest measured; %s", left, m.point(p.Best), 100*p.Faster, most)
	}
	return fmt.Sprintf("%s: none is predicted to be faster; %s", left, most)
}

// total is a number that has parts.
func total(n map[string]int) (sum int) {
	for _, x := range n {
		sum += x
	}
	return sum
}

// tallied are the parts of a number.
func tallied(n map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(n)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, n[k]))
	}
	if parts == nil {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

type standingJSON struct {
	At       json.RawMessage `json:"parameters"`     // values
	MS       float64         `json:"ms"`             // median of its measurements
	Low      float64         `json:"low_ms"`         // fastest launch
	High     float64         `json:"high_ms"`        // slowest launch
	Measured int             `json:"measurements"`   // number of them
	Launch   string          `json:"launch_verdict"` // what gradine kernel says of the launch
}

func (m *Measured) standing(s loop.Standing) standingJSON {
	return standingJSON{m.object(s.At), s.MS, s.Low, s.High, s.Measured, s.Launch}
}

// MeasuredJSON writes the same as a line of JSON.
func MeasuredJSON(w io.Writer, m *Measured) error {
	line := struct {
		Kernel    string          `json:"kernel"`                // its name
		File      string          `json:"file"`                  // path of the source
		Size      json.RawMessage `json:"size,omitempty"`        // for a table with several sizes: the values of this one
		By        string          `json:"by"`                    // measurement: no theorem is about the device
		Device    string          `json:"device"`                // as the runtime names it
		Driver    string          `json:"driver"`                // its version
		Runtime   string          `json:"runtime"`               // its version
		Best      []standingJSON  `json:"best"`                  // the fastest configuration, and those in a tie with it
		Reference standingJSON    `json:"reference"`             // the configuration with which results were compared
		Points    int             `json:"points"`                // configurations measured or failed, reference aside
		Measured  int             `json:"measured"`              // those that this run has measured
		Failed    map[string]int  `json:"failed"`                // failed configurations by cause
		Launches  map[string]int  `json:"launch_verdicts"`       // configurations by the verdict about their launch
		Stopped   loop.Stop       `json:"stopped,omitempty"`     // why the loop ended: points, time, gain or all
		Left      int             `json:"left"`                  // configurations without a measurement
		Next      json.RawMessage `json:"next,omitempty"`        // of these, the one predicted to be fastest
		Faster    *float64        `json:"faster,omitempty"`      // share of the least time that it is predicted to save
		AtMost    *float64        `json:"faster_most,omitempty"` // the same for the best of two standard deviations
		Random    int             `json:"random"`                // measured configurations drawn at random: rank rests on them
		Rank      *float64        `json:"rank,omitempty"`        // estimate for the whole space: correlation of the ranks of predicted and measured times
		RankLow   *float64        `json:"rank_low,omitempty"`    // bounds of rank, with a probability of 95 %
		RankHigh  *float64        `json:"rank_high,omitempty"`   // the upper one
		LeftOut   []string        `json:"left_out,omitempty"`    // configurations that were no candidates, and why
		Noise     float64         `json:"noise"`                 // deviation of times of one configuration, as a share
		Drift     []float64       `json:"drift"`                 // least and greatest time of the reference ÷ its first
		Drifted   bool            `json:"drifted"`               // the device changed; times are scaled
		Log       string          `json:"log"`                   // file of the measurements
		Others    int             `json:"other_rows,omitempty"`  // its rows of another source, kernel, reference, device or data
	}{
		m.Kernel, filepath.ToSlash(m.File), m.size(), "measurement", m.Device.Name, m.Device.Driver, m.Device.Runtime, []standingJSON{}, m.standing(m.Reference),
		m.Points, m.Measured, m.Failed, m.Launches, m.Stopped, 0, nil, nil, nil, 0, nil, nil, nil, leftOut(m.Counted), m.Noise, []float64{m.Drift.Least, m.Drift.Most}, m.Drift.Noticed, filepath.ToSlash(m.Log), m.Others,
	}
	for _, s := range m.Best {
		line.Best = append(line.Best, m.standing(s))
	}
	if p := m.Plan; p != nil && p.Left > 0 {
		line.Random, line.Rank, line.RankLow, line.RankHigh = p.Random, finite(p.Rank.Value), finite(p.Rank.Low), finite(p.Rank.High)
		line.Left, line.Next, line.Faster, line.AtMost = p.Left, m.object(p.Best), finite(p.Faster), finite(p.AtMost)
	}
	out := report.NewLines(w)
	out.Put(line)
	return out.Err
}
