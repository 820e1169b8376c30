package figures

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
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
	// What was measured comes before what is predicted, and each limit of it in a line of its own: no line may be read as more
	// than it rests on.
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
		line("results agree with the results of the reference, within the tolerances of the table; the reference is assumed to be right")
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
		line("this prediction rests on a model fitted to the times of %s, not on a theorem about the device", report.Count(m.Timed, "configuration"))
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
		line("%s", style.Yellow(fmt.Sprintf("the device changed during the measurements: the reference took %.2f to %.2f × its first time, and times are scaled accordingly", d.Least, d.Most)))
	}
	line("times of one configuration differ by %.1f %%; the reference was measured %s", 100*m.Noise, report.Count(m.Drift.Controls, "time"))
	line("measurements: %s", m.Log)
	if m.Others > 0 {
		line("not used: %s of another source, kernel, reference, device or data", report.Count(m.Others, "measurement"))
	}
}

// leftOut says which configurations were never candidates, since the model does not know them.
func leftOut(c *project.Counted) (out []string) {
	if c.Sampled {
		out = append(out, "the configurations are a random sample; nothing is claimed about other configurations")
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
	most := ""
	if !math.IsNaN(p.AtMost) {
		most = fmt.Sprintf("; with a probability of 95 %%, none is more than %s faster", atMost(p.AtMost))
	}
	if p.Faster > 0 {
		return fmt.Sprintf("%s: none is predicted to be more than %s faster than the fastest measured; the most promising is %s%s", left, atMost(p.Faster), m.point(p.Best), most)
	}
	return fmt.Sprintf("%s: none is predicted to be faster than the fastest measured%s", left, most)
}

// atMost is a share in percent, rounded up: a bound that is rounded down is none.
func atMost(share float64) string {
	return fmt.Sprintf("%.1f %%", math.Ceil(max(0, 1000*share-1e-9))/10)
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
	At       json.RawMessage `json:"parameters"`     // values of the parameters
	MS       float64         `json:"ms"`             // median of the measurements
	Low      float64         `json:"low_ms"`         // fastest launch
	High     float64         `json:"high_ms"`        // slowest launch
	Measured int             `json:"measurements"`   // number of measurements
	Launch   string          `json:"launch_verdict"` // verdict of gradine kernel about the launch
}

func (m *Measured) standing(s loop.Standing) standingJSON {
	return standingJSON{m.object(s.At), s.MS, s.Low, s.High, s.Measured, s.Launch}
}

// MeasuredJSON writes the same as a line of JSON.
func MeasuredJSON(w io.Writer, m *Measured) error {
	line := struct {
		Kernel    string          `json:"kernel"`                // name of the kernel
		File      string          `json:"file"`                  // path of the source
		Size      json.RawMessage `json:"size,omitempty"`        // for a table with several sizes: the size of this run
		By        string          `json:"by"`                    // always measurement, because no theorem covers the device
		Device    string          `json:"device"`                // name of the device in the runtime
		Driver    string          `json:"driver"`                // version of the driver
		Runtime   string          `json:"runtime"`               // version of the runtime
		Best      []standingJSON  `json:"best"`                  // the fastest configuration, and configurations that tie with it
		Reference *standingJSON   `json:"reference,omitempty"`   // the configuration whose results are the reference for all others
		Points    int             `json:"points"`                // number of configurations that were measured or failed, without the reference
		Measured  int             `json:"measured"`              // number of configurations that this run measured
		Failed    map[string]int  `json:"failed"`                // number of failed configurations for each cause
		Launches  map[string]int  `json:"launch_verdicts"`       // number of configurations for each verdict about their launch
		Stopped   loop.Stop       `json:"stopped,omitempty"`     // reason why the measurements ended: points, time, gain or all
		Left      int             `json:"left"`                  // number of configurations without a measurement
		Next      json.RawMessage `json:"next,omitempty"`        // the unmeasured configuration that is predicted to be fastest
		Faster    *float64        `json:"faster,omitempty"`      // share of the least time that next is predicted to save
		AtMost    *float64        `json:"faster_most,omitempty"` // no configuration saves a greater share, with a probability of 95 %; absent if random configurations are too few to say so
		Random    int             `json:"random"`                // number of measured configurations drawn at random, from which rank is estimated
		Rank      *float64        `json:"rank,omitempty"`        // estimate for the whole space: correlation of the ranks of predicted and measured times
		RankLow   *float64        `json:"rank_low,omitempty"`    // lower bound of rank, with a probability of 95 %
		RankHigh  *float64        `json:"rank_high,omitempty"`   // upper bound of rank, with a probability of 95 %
		LeftOut   []string        `json:"left_out,omitempty"`    // configurations that were not candidates, with the reasons
		Noise     float64         `json:"noise"`                 // relative deviation of the times of one configuration
		Drift     []float64       `json:"drift"`                 // least and greatest time of the reference, divided by its first time
		Drifted   bool            `json:"drifted"`               // the speed of the device changed, so times are scaled
		Log       string          `json:"log"`                   // file of the measurements
		Others    int             `json:"other_rows,omitempty"`  // number of rows in log for another source, kernel, reference, device or data
	}{
		m.Kernel, filepath.ToSlash(m.File), m.size(), "measurement", m.Device.Name, m.Device.Driver, m.Device.Runtime, []standingJSON{}, nil,
		m.Points, m.Measured, m.Failed, m.Launches, m.Stopped, 0, nil, nil, nil, 0, nil, nil, nil, leftOut(m.Counted), m.Noise, []float64{m.Drift.Least, m.Drift.Most}, m.Drift.Noticed, filepath.ToSlash(m.Log), m.Others,
	}
	if len(m.Reference.At) > 0 { // an interrupt may come before it runs
		reference := m.standing(m.Reference)
		line.Reference = &reference
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
