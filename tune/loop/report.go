package loop

import (
	"cmp"
	"math"
	"slices"
)

// Report is what a loop has found. All of it rests on measurements of one device.
type Report struct {
	Best      []Standing // the fastest, and those that cannot be told from it
	Reference Standing
	Points    int            // configurations with a time, or that failed, the reference aside
	Timed     int            // configurations with a time, the reference included: the model is fitted to these
	Measured  int            // those that this run has measured; the others were in the log
	Failed    map[string]int // by the beginning of the cause
	Launches  map[string]int // configurations by the verdict about their launch
	Drift     Drift
	Noise     float64 // share by which two times of one configuration differ
	Stopped   Stop
	Plan      *Plan // what is expected of the configurations that are left; nil if nothing was planned
}

// Standing is what the rows of one configuration come to.
type Standing struct {
	At       []string
	MS       float64 // median of its measurements, as of the first reference
	Low      float64 // fastest launch
	High     float64 // slowest launch
	Measured int     // measurements
	Failed   string  // the cause, if one of them failed
	Launch   string  // verdict

	reference bool
}

// Drift is how the time of the reference has changed.
type Drift struct {
	Controls int     // how often it was measured
	Least    float64 // its least time ÷ the first
	Most     float64 // its greatest time ÷ the first
	Noticed  bool    // it changed by more than its launches differ: times are scaled by it
}

// Changes of the reference that are within what its launches differ by, or smaller than this share, are no drift.
const noDrift = 0.04

// drifts is the drift of a log.
func drifts(rows []Row) Drift {
	d := Drift{Least: 1, Most: 1}
	spread, first := 0.0, 0.0
	for _, r := range rows {
		if r.Role != Control || r.Failed != "" {
			continue
		}
		if d.Controls++; d.Controls == 1 {
			first = r.MS
		}
		d.Least, d.Most = min(d.Least, r.MS/first), max(d.Most, r.MS/first)
		spread = max(spread, (r.High-r.Low)/r.MS/2)
	}
	d.Noticed = d.Most/d.Least > 1+max(noDrift, spread)
	return d
}

// scales are the factors by which the times of rows are divided: how the reference had changed then, between its two
// nearest measurements in proportion.
func scales(rows []Row) []float64 {
	out := make([]float64, len(rows))
	for i := range out {
		out[i] = 1
	}
	if !drifts(rows).Noticed {
		return out
	}
	var at []int
	for i, r := range rows {
		if r.Role == Control && r.Failed == "" {
			at = append(at, i)
		}
	}
	first := rows[at[0]].MS
	for i := range out {
		after, _ := slices.BinarySearch(at, i)
		from, to := at[max(0, min(after, len(at))-1)], at[min(after, len(at)-1)]
		if out[i] = rows[to].MS / first; from < to {
			share := float64(i-from) / float64(to-from)
			out[i] = (rows[from].MS*(1-share) + rows[to].MS*share) / first
		}
	}
	return out
}

// standings sum up the rows of each configuration, in the order in which they were met. One that was interrupted once
// is met only when it runs again: the user may have done that, and not the configuration.
func standings(rows []Row, reference []string) []Standing {
	index := map[string]int{}
	var out []Standing
	times := map[string][]float64{}
	broken := map[string]int{}
	by := scales(rows)
	for i, r := range rows {
		k := key(r.At)
		if r.Failed == underWay {
			if broken[k]++; broken[k] < 2 {
				continue
			}
			r.Failed = "it ended the program twice"
		}
		if _, met := index[k]; !met {
			index[k] = len(out)
			out = append(out, Standing{At: r.At, Low: math.Inf(1), reference: slices.Equal(r.At, reference)})
		}
		s := &out[index[k]]
		s.Launch, s.Failed = r.Launch, cmp.Or(s.Failed, r.Failed)
		if r.Role == Control { // a reference that failed ended that run, and this one runs again: with more time, say
			s.Failed = r.Failed
		}
		if r.Failed == "" {
			s.Measured++
			times[k] = append(times[k], r.MS/by[i])
			s.Low, s.High = min(s.Low, r.Low/by[i]), max(s.High, r.High/by[i])
			s.MS = median(times[k])
		}
	}
	return out
}

// faster orders by time, those that failed last.
func faster(a, b Standing) int {
	return cmp.Or(cmp.Compare(failedLast(a), failedLast(b)), cmp.Compare(a.MS, b.MS))
}

func failedLast(s Standing) int {
	if s.Failed != "" {
		return 1
	}
	return 0
}

// The share by which times of one configuration differ where nothing was measured twice, and at least: clocks of
// devices are no finer.
const (
	usualNoise = 0.02
	leastNoise = 0.002
)

// noise is the deviation of the logarithms of times of one configuration.
func noise(rows []Row) float64 {
	by := scales(rows)
	logs := map[string][]float64{}
	for i, r := range rows {
		if r.Failed == "" {
			logs[key(r.At)] = append(logs[key(r.At)], math.Log(r.MS/by[i]))
		}
	}
	// Sums of floating-point numbers depend on their order, which that of a map is not.
	sum, n := 0.0, 0
	seen := map[string]bool{}
	for _, r := range rows {
		k := key(r.At)
		if seen[k] || len(logs[k]) < 2 {
			continue
		}
		seen[k] = true
		mean := 0.0
		for _, x := range logs[k] {
			mean += x / float64(len(logs[k]))
		}
		for _, x := range logs[k] {
			sum += (x - mean) * (x - mean)
		}
		n += len(logs[k]) - 1
	}
	if n < 3 {
		return usualNoise
	}
	return max(leastNoise, math.Sqrt(sum/float64(n)))
}

// certain is how many deviations two times differ by that are told apart.
const certain = 2

// report sums up the log.
func (l *loop) report() *Report {
	rows := l.Log.Rows()
	r := &Report{Failed: map[string]int{}, Launches: map[string]int{}, Drift: drifts(rows), Noise: noise(rows)}
	all := standings(rows, l.Reference)
	for _, s := range all {
		r.Launches[s.Launch]++
		if s.reference {
			r.Reference = s
		} else {
			r.Points++
		}
		if s.Failed != "" {
			r.Failed[stage(s.Failed)]++
		} else {
			r.Timed++
		}
	}
	slices.SortStableFunc(all, faster)
	for _, s := range all {
		if s.Failed != "" {
			break
		}
		// Configurations within two standard deviations of the fastest are ties: to call one of them the best would
		// report noise.
		if len(r.Best) > 0 {
			best := r.Best[0]
			doubt := certain * r.Noise * math.Sqrt(1/float64(s.Measured)+1/float64(best.Measured))
			if math.Log(s.MS/best.MS) > doubt {
				break
			}
		}
		r.Best = append(r.Best, s)
	}
	return r
}

// stage is a cause without its details, which follow a colon.
func stage(cause string) string {
	for i, c := range cause {
		if c == ':' {
			return cause[:i]
		}
	}
	return cause
}
