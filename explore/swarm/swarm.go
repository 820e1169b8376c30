// Package swarm implements swarm verification: many searches of one machine with bit-state
// hashing. Each has its own hash functions and its own order of states. Together they visit
// more states than one search can store (G. Holzmann, R. Joshi, A. Groce, Swarm verification
// techniques, IEEE Transactions on Software Engineering 37(6), 2011).
package swarm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/states"
)

// Options are those of member number k, counted from 1, of a swarm with these options. The members take MaxDepth,
// if there is one, half of it, and a quarter in turn: what lies near the initial states is seen by several.
func Options(opt explore.Options, k int) explore.Options {
	opt.Member = uint64(k)
	opt.Workers = 1
	if opt.MaxDepth > 0 {
		opt.MaxDepth = max(1, opt.MaxDepth>>((k-1)%3))
	}
	return opt
}

// Share is what one member found out, as far as it can be told elsewhere.
type Share struct {
	Found       bool // something fails, or the goal is reached; the caller runs the member again to see what
	States      int
	Transitions int
	Depth       int
	Deadlocks   int
	Why         string // of the bound
	Growing     []string
	Unchecked   []string
	Symmetric   []string
	Asymmetric  []string
	Fired       map[string]int
	Memory      int
	Width       int
	Sketch      []uint64 // the least hashes of the states that it met
}

// ShareOf is the share of a member whose search has ended.
func ShareOf(r *explore.Result) Share {
	return Share{
		Found: len(r.Findings) > 0, States: r.States, Transitions: r.Transitions, Depth: r.Depth, Deadlocks: r.Deadlocks, Why: r.Why, Growing: r.Growing,
		Unchecked: r.Unchecked, Symmetric: r.Symmetric, Asymmetric: r.Asymmetric, Fired: r.Fired, Memory: r.Memory, Width: r.Width, Sketch: r.Sketch,
	}
}

// Estimate says how much of a machine a swarm has seen.
type Estimate struct {
	Met       int // different states that were met; exact if there are fewer than a sketch keeps
	Reachable int // at least so many are reachable, as is to be expected; not less than Met
}

// Estimated estimates what the members saw together. Two sketches that share a hash share the state, so that the
// least hashes of all members together are a random sample of the states that the swarm met (K. Beyer et al., On
// synopses for distinct-value estimation under multiset operations, 2007). How many of the sample only one member,
// and only two, met says how many states none of them did (A. Chao, Estimating the population size for
// capture-recapture data with unequal catchability, Biometrics 43, 1987: a lower bound).
func Estimated(shares []Share) Estimate {
	const size = states.SketchSize
	times := map[uint64]int{}
	for _, x := range shares {
		for _, hash := range x.Sketch {
			times[hash]++
		}
	}
	sample := make([]uint64, 0, len(times))
	for hash := range times {
		sample = append(sample, hash)
	}
	slices.Sort(sample)
	out := Estimate{Met: len(sample)}
	met := float64(len(sample))
	if len(sample) >= size {
		sample = sample[:size]
		// The share of the hashes up to the greatest of the sample.
		met = float64(size-1) / (float64(sample[size-1]) / math.Exp2(64))
		out.Met = int(math.Round(met))
	}
	var once, twice float64
	for _, hash := range sample {
		switch times[hash] {
		case 1:
			once++
		case 2:
			twice++
		}
	}
	// The corrected form of Chao, which has a value if no state was met twice.
	m := float64(len(shares))
	unseen := (m - 1) / max(m, 1) * once * (once - 1) / (2 * (twice + 1))
	out.Reachable = max(out.Met, int(math.Round(met+unseen*met/max(float64(len(sample)), 1))))
	return out
}

// String says what a swarm has seen, for people.
func (e Estimate) String() string {
	return fmt.Sprintf("together they met about %d states; by estimate at least %d are reachable", e.Met, e.Reachable)
}

// Joined is what a swarm found out whose members found nothing that fails: never that there is nothing.
func Joined(machine string, shares []Share) *explore.Result {
	first := shares[0]
	out := &explore.Result{
		Machine: machine, Verdict: explore.Bounded, Unchecked: first.Unchecked, Symmetric: first.Symmetric, Asymmetric: first.Asymmetric,
		Width: first.Width, Fired: map[string]int{},
	}
	early := map[string]int{}
	for _, x := range shares {
		out.Transitions += x.Transitions
		out.Depth = max(out.Depth, x.Depth)
		out.Deadlocks = max(out.Deadlocks, x.Deadlocks)
		out.Memory = max(out.Memory, x.Memory)
		out.Growing = append(out.Growing, x.Growing...)
		for event, n := range x.Fired {
			out.Fired[event] += n
		}
		if !strings.HasPrefix(x.Why, explore.BitStateHashing) {
			early[x.Why]++
		}
	}
	slices.Sort(out.Growing)
	out.Growing = slices.Compact(out.Growing)
	e := Estimated(shares)
	out.States = e.Met
	out.Why = fmt.Sprintf("%s: a swarm of %d searches; %v", explore.BitStateHashing, len(shares), e)
	for _, why := range slices.Sorted(maps.Keys(early)) {
		out.Why += fmt.Sprintf("; %d of them ended early: %s", early[why], why)
	}
	return out
}
