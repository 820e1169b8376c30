package figures

import (
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// Counted prints what a prediction from source rests on. What holds for some sizes alone names them.
func Counted(out io.Writer, style report.Style, all project.Counts) {
	of := map[string]int{}
	for _, c := range all {
		for _, note := range CountedNotes(c) {
			of[note]++
		}
	}
	printed := map[string]bool{}
	for _, c := range all {
		doubtful := len(c.Idle)
		if c.Sampled {
			doubtful++
		}
		for i, note := range CountedNotes(c) {
			text := note
			if of[note] < len(all) {
				text = fmt.Sprintf("%s=%d: %s", c.Size[0].Name, c.Size[0].Value, note)
			} else if printed[note] {
				continue
			}
			printed[note] = true
			if i > 0 && i <= doubtful {
				text = style.Yellow(text)
			}
			fmt.Fprintf(out, "  %s\n", text)
		}
	}
}

// CountedNotes say what a prediction from source rests on: what was read, what was not, and which figures of
// the device are assumed.
func CountedNotes(c *project.Counted) []string {
	var out []string
	note := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	from := fmt.Sprintf("counted from %s by %s: %s", c.Kernel, c.Compiler, report.Count(len(c.Rows), "configuration"))
	if len(c.Rows) > 1 {
		from += fmt.Sprintf(", of which %d differ in instructions or launch", c.Classes)
	}
	out = append(out, from)
	if c.Sampled {
		note("drawn at random from a larger space, which may have better configurations")
	}
	for _, p := range c.Idle {
		note("%s never changes the kernel: does this source use it?", p)
	}
	note("a block in the middle of the grid stands for all blocks")
	failed := map[string]int{}
	for _, f := range c.Failed {
		failed[f.Why]++
	}
	for _, why := range slices.Sorted(maps.Keys(failed)) {
		note("%s left out: %s", report.Count(failed[why], "configuration"), why)
	}
	// A note that most configurations share is printed once, with the number of those that have it.
	notes := map[count.Note]int{}
	for _, r := range c.Rows {
		for _, n := range r.Counts.Notes {
			notes[n]++
		}
	}
	order := slices.SortedFunc(maps.Keys(notes), func(a, b count.Note) int {
		if a.At.Line != b.At.Line {
			return a.At.Line - b.At.Line
		}
		return strings.Compare(a.Why, b.Why)
	})
	for _, n := range order {
		note("%s%s", n, inSome(notes[n], len(c.Rows)))
	}
	risky := 0
	var registers count.Range
	for i, r := range c.Rows {
		need := c.Registers(r)
		if need.MayFail() {
			risky++
		}
		if i == 0 {
			registers = need.Thread
		}
		registers = count.Range{Low: min(registers.Low, need.Thread.Low), High: max(registers.High, need.Thread.High)}
	}
	note("registers of a thread are estimated: %d to %d", registers.Low, registers.High)
	if risky > 0 {
		note("%s may need more registers than the device has, if the compiler keeps all that it reads: these launches may fail", report.Count(risky, "configuration"))
	}
	var assumed, measured []string
	for _, name := range slices.Sorted(maps.Keys(c.Device.Figures)) {
		f := c.Device.Figures[name]
		text := fmt.Sprintf("%s=%d (%d‥%d)", name, c.Figures[name], f.Low, f.High)
		if f.Assumed != "" {
			assumed = append(assumed, text)
		} else if f.Measured != "" {
			measured = append(measured, text+": "+f.Measured)
		}
	}
	if len(measured) > 0 {
		note("figures that were measured on the device: %s", strings.Join(measured, "; "))
	}
	note("assumed figures of %s, which are on no data sheet: %s", c.Device.Name, strings.Join(assumed, ", "))
	return out
}

// AssumedNote says what the assumed figures of a device do to an answer; "" if there are none.
func AssumedNote(a *tune.Answer) string {
	switch {
	case a.Assumed == nil:
		return ""
	case a.Assumed.Good == nil || a.Assumed.Bad == nil:
		return "at an end of the bounds of the assumed figures, this configuration is invalid or has no value: measure it"
	}
	note := fmt.Sprintf("times in picoseconds: from %s to %s as the assumed figures go from their good to their bad ends", ofPicoseconds(a.Assumed.Good), ofPicoseconds(a.Assumed.Bad))
	if a.Assumed.Steady {
		return note + "; this configuration is best at both ends"
	}
	return note + "; another configuration is best at one end: measure both"
}

// RegistersNote says that the first of the best points may need more registers than the device has; "" if it does not.
func RegistersNote(a *tune.Answer, c *project.Counted) string {
	if len(a.Best) == 0 {
		return ""
	}
	best := map[string]string{}
	for k, v := range a.Points[a.Best[0]].Values {
		best[a.Names[k]] = v.Text
	}
	for _, r := range c.Rows {
		same := true
		for k, p := range c.Space.Parameters {
			same = same && best[p.Name] == fmt.Sprint(r.Values[k])
		}
		if need := c.Registers(r); same && need.MayFail() {
			return fmt.Sprintf("the best configuration may need %d registers for each of its %d threads, and a multiprocessor has %d: if the launch fails, add __launch_bounds__(%d)", need.Thread.High, r.Counts.Threads, need.Device, r.Counts.Threads)
		}
	}
	return ""
}

// ofPicoseconds writes picoseconds, in which predictions from source are, as people read times.
func ofPicoseconds(n *big.Int) string {
	ms, _ := new(big.Float).Quo(new(big.Float).SetInt(n), big.NewFloat(1e9)).Float64()
	return milliseconds(ms)
}

func inSome(n, of int) string {
	if n == of {
		return ""
	}
	return fmt.Sprintf(" (in %d of %d configurations)", n, of)
}
