package gpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/gpuc"
)

// replay runs a kernel on small grids: as the counterexamples of its checks say, with
// their sizes, groups and parameters, then with some that the kernel itself suggests. A
// check that is not proved and fails in such a run is no artefact of an abstraction.
func (r *Report) replay(k *gpuc.Kernel) {
	for _, f := range r.Checks {
		if f.Verdict == discharge.Refuted && f.Violation != nil && r.fails(k, constants(f.Violation)) {
			return
		}
	}
	if slices.ContainsFunc(r.Checks, func(f Finding) bool { return f.Verdict != discharge.Proved }) {
		for _, values := range k.Trials() {
			if r.fails(k, values) {
				return
			}
		}
	}
}

// constants are the numbers that a counterexample gives to constants.
func constants(v *discharge.Violation) map[string]int64 {
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
func (r *Report) fails(k *gpuc.Kernel, values map[string]int64) bool {
	local, groups := k.Launch()
	var one, two [3]int64
	for d := range 3 {
		c := "xyz"[d : d+1]
		if local[d] == 0 {
			local[d] = max(1, values["lsz"+c])
		}
		if groups[d] == 0 {
			groups[d] = max(1, values["ngr"+c])
		}
		one[d], two[d] = values["gid"+c], values["gid"+c]
		if v, ok := values["gid"+c+"_1"]; ok {
			one[d] = v
		}
		if v, ok := values["gid"+c+"_2"]; ok {
			two[d] = v
		}
	}
	fault, _ := k.Execute(local, groups, values, map[[3]int64]bool{one: true, two: true})
	if fault == nil {
		return false
	}
	for i, f := range r.Checks {
		if f.Verdict != discharge.Proved && f.Line == fault.Line && f.Kind == fault.Kind {
			r.Verdict, r.Why = Unsafe, ""
			r.Checks[i].Verdict = discharge.Refuted
			r.Checks[i].Replayed = fmt.Sprintf("line %d, column %d: %s: %s", fault.Line, fault.Col, fault.Kind, fault.Why)
			return true
		}
	}
	return false
}
