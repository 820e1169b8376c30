package gpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/encode"
)

// replay runs a kernel on small grids: as the counterexamples of its checks say, with
// their sizes, groups and parameters, then with some that the kernel itself suggests. A
// check that is not proved and fails in such a run is not an artefact of an abstraction.
func (r *Report) replay(k *encode.Kernel) {
	for _, f := range r.Checks {
		if f.Verdict == verdict.Refuted && f.Violation != nil && r.fails(k, constants(f.Violation)) {
			return
		}
	}
	if r.ordered > 0 {
		return // others would go the same way, and threads that wait for each other take long
	}
	if slices.ContainsFunc(r.Checks, func(f Finding) bool { return f.Verdict != verdict.Proved }) {
		for _, values := range k.Trials() {
			if r.fails(k, values) {
				return
			}
		}
	}
}

// constants are the numbers that a counterexample gives to constants.
func constants(v *verdict.Violation) map[string]int64 {
	out := map[string]int64{}
	for _, b := range v.Constants {
		var n int64
		if _, err := fmt.Sscan(strings.Replace(b.Value, "−", "-", 1), &n); err == nil {
			out[b.Name] = n
		}
	}
	return out
}

// fails runs the groups of the two threads that values speak of, and reports whether a
// check that is not proved has failed: the fault counts only as what was looked for.
func (r *Report) fails(k *encode.Kernel, values map[string]int64) bool {
	local, groups := k.Launch()
	var one, two [3]int64
	for d := range 3 {
		c := "xyz"[d : d+1]
		// A counterexample may leave out sizes that its ids alone make necessary.
		if local[d] == 0 {
			local[d] = max(1, values["lsz"+c], 1+values["lid"+c+"_1"], 1+values["lid"+c+"_2"])
		}
		if groups[d] == 0 {
			groups[d] = max(1, values["ngr"+c], 1+values["gid"+c], 1+values["gid"+c+"_1"], 1+values["gid"+c+"_2"])
		}
		one[d], two[d] = values["gid"+c], values["gid"+c]
		if v, ok := values["gid"+c+"_1"]; ok {
			one[d] = v
		}
		if v, ok := values["gid"+c+"_2"]; ok {
			two[d] = v
		}
	}
	return slices.ContainsFunc([]uint64{0, 1, 2}, func(sample uint64) bool {
		// Atomic operations order what they are there for if memory begins as they expect it, which 0 is more often than not.
		if r.ordered > 0 {
			return false
		}
		// Where all is 0, much that is written was there before; what a counterexample does not
		// speak of may be anything.
		given := maps.Clone(values)
		for _, n := range k.Parameters() {
			if _, ok := values[n]; !ok {
				given[n] = int64(sample)
			}
		}
		fault, why := k.Execute(sample, local, groups, given, map[[3]int64]bool{one: true, two: true}, true, nil)
		if fault == nil && strings.HasSuffix(why, encode.OrderedByAtomics) {
			r.Why = encode.OrderedByAtomics
			r.ordered++
		}
		return fault != nil && r.shows(fault.Kind, fault.Line, shownAt(k, fault.Line, fault.Col)+fmt.Sprintf(": %s: %s", fault.Kind, fault.Why), k.Ran(fault, local, groups, given))
	})
}

// shownAt is a place as people are shown it.
func shownAt(k *encode.Kernel, line, col int) string {
	if in := k.Included(line, col); in != "" {
		return in
	}
	return fmt.Sprintf("line %d, column %d", line, col)
}

// shows notes what a run has shown, if that is a check that is not proved.
func (r *Report) shows(kind string, line int, what string, scene *encode.Scene) bool {
	for i, f := range r.Checks {
		if f.Verdict != verdict.Proved && f.Line == line && f.Kind == kind {
			r.Verdict, r.Why = Unsafe, ""
			r.Checks[i].Verdict = verdict.Refuted
			// What stands below is of this run, not of the state that led to it.
			r.Checks[i].Replayed, r.Checks[i].Counterexample = what, scene
			return true
		}
	}
	return false
}
